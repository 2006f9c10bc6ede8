"""Places for one more order on routes, and what they break."""
