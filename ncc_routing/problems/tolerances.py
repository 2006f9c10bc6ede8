"""What counts as equal, and as full: the solvers and the checks agree."""

from __future__ import annotations

from typing import Final

COST_TOLERANCE: Final = 1e-6
"""Relative difference at which two unrounded costs count as equal."""

LOAD_TOLERANCE: Final = 1e-9
"""Share by which a sum of real weights may exceed a capacity.

It covers the rounding of the sum alone. Integer loads are exact.
"""
