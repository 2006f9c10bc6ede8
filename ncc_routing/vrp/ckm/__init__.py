"""Cluster first by capacitated k-means on regions."""
