"""Improvement of finished routes."""
