"""Tolerances of numbers that two ways compute in single precision.

The order of a sum is that of a processor, a thread or a library: no test may
ask for more than the precision gives.
"""

import math
from typing import Final, TypedDict

import numpy as np

EPSILON: Final = float(np.finfo(np.float32).eps)
"""Distance from 1 to the next number of single precision."""

LATER_EPOCHS: Final = 1e-3
"""Relative difference of two trainings after their first step.

Adam divides a gradient by its own size: where it is nearly nothing, rounding
decides about a whole step.
"""


class Tolerances(TypedDict):
    """What ``assert_allclose`` and ``assert_close`` take."""

    rtol: float
    atol: float


def rounding(num_terms: int) -> float:
    """Return how far two sums of terms of size 1 may lie apart.

    Each addition rounds by half of ``EPSILON`` at most, up or down: a sum is
    off by about ``EPSILON`` times the square root of its terms. Eight times
    that holds for the largest of thousands of sums.
    """
    return 8.0 * EPSILON * math.sqrt(num_terms)


def single(num_terms: int) -> Tolerances:
    """Return the tolerances of numbers of single precision.

    ``num_terms`` are the terms on the way to one number: those of a layer
    times the layers.
    """
    return {"rtol": rounding(num_terms), "atol": rounding(num_terms)}
