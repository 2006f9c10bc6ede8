"""Tolerances of numbers that two ways compute in single precision.

The order of a sum is that of a processor, a thread or a library: no test may
ask for more than the precision gives.
"""

from typing import Final

import numpy as np

EPSILON: Final = float(np.finfo(np.float32).eps)
"""Distance from 1 to the next number of single precision."""

LATER_EPOCHS: Final = 1e-3
"""Relative difference of two trainings after their first step.

Adam divides a gradient by its own size: where it is nearly nothing, rounding
decides about a whole step.
"""


def rounding(num_terms: int) -> float:
    """Return how far two sums of terms of size 1 may lie apart.

    Each addition is off by half of ``EPSILON`` or less, to either side, and
    so are all of them by its product with the square root of their number;
    eight times as much holds for the largest of thousands of sums.
    """
    return 8.0 * EPSILON * float(num_terms) ** 0.5


def single(num_terms: int) -> dict[str, float]:
    """Return the tolerances for ``assert_allclose`` and ``assert_close``.

    ``num_terms`` are the terms on the way to one number: those of a layer
    times the layers.
    """
    return {"rtol": rounding(num_terms), "atol": rounding(num_terms)}
