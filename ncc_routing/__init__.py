"""Capacitated clustering and cluster-first-route-second routing."""
