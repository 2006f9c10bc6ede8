"""Hybrid genetic search: children of routes, descended and kept apart."""
