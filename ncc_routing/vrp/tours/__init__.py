"""The tour of each cluster."""
