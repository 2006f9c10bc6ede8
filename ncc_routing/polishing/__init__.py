"""Improvement of a given solution."""
