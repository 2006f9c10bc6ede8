"""One solution made of the routes of many."""
