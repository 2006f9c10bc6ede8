"""The names of what a clustering minimises."""

from __future__ import annotations

from typing import Final

OBJECTIVES: Final = ("inertia", "cccp", "cpmp")
"""Objectives of the capacitated clustering problem.

Sum of squared distances to the mean, of distances to the mean, and of
distances to a medoid.
"""
