"""Points, clusters, and their rules."""
