"""A plan that is driven, and the problem of the rest of its day."""
