"""The names of the ways to measure a VRPLIB file."""

from __future__ import annotations

from typing import Final

METRIC_NAMES: Final = ("cvrplib", "paper")
"""Rounded as the file says, or unrounded with coordinates / 1000."""

PAPER_SCALE: Final = 1000.0
"""The paper divides the coordinates of X instances by this number."""
