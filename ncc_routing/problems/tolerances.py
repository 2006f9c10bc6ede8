"""What counts as equal, and as full: the solvers and the checks agree."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Final

import numpy as np

COST_TOLERANCE: Final = 1e-6
"""Relative difference at which two unrounded costs count as equal."""

LOAD_TOLERANCE: Final = 1e-9
"""Share by which a sum of real numbers may exceed its limit.

It covers the rounding of the sum alone. Sums of whole numbers are exact.
"""

_LARGEST_EXCESS: Final = 0.5
"""What ``widened`` adds at most: no whole number more comes below a limit."""


def exceeds(value: float, limit: float) -> bool:
    """Whether a limit is broken; exact where both are whole numbers."""
    if float(value).is_integer() and float(limit).is_integer():
        return value > limit
    return value > limit * (1.0 + LOAD_TOLERANCE)


def rounds_to(value: float, stated: float) -> bool:
    """Whether a value is a stated one, up to the decimals of that.

    A whole number has none: 12 is not 12.3 rounded, but 12.3 may be 12.34.
    """
    if not math.isfinite(stated) or float(stated).is_integer():
        return value == stated
    _, _, last = Decimal(repr(float(stated))).as_tuple()
    return math.isclose(value, stated, abs_tol=0.5 * 10.0 ** int(last))


def widened(limits: np.ndarray) -> np.ndarray:
    """Return the limits that a search compares sums of real numbers with.

    Half the tolerance is left for the rounding in another order: no sum up to
    such a limit ``exceeds`` the given one.
    """
    more = np.minimum(0.5 * LOAD_TOLERANCE * limits, _LARGEST_EXCESS)
    return limits + more
