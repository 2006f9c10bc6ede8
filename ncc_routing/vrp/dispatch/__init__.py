"""A day that goes on: changes, offers, questions about a plan."""
