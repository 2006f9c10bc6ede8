"""Routes of given clusters: one travelling-salesman tour each."""
