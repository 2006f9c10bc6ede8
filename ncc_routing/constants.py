"""Tolerances and defaults that more than one module needs."""

from __future__ import annotations

from typing import Final

COST_TOLERANCE: Final = 1e-6
"""Relative difference at which two unrounded costs count as equal."""

PAPER_SCALE: Final = 1000.0
"""The paper divides the coordinates of X instances by this number."""

ROUNDINGS: Final = ("nearest", "ceil", "floor", "exact", "none")
"""Rules that turn a Euclidean length into a distance.

In VRPLIB terms EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D (nearest integer to 1000
times the length), and the unrounded length.
"""
