"""Hybrid genetic search: offspring of routes, improved by local search."""
