"""Distances as compiled code sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.problems.rounding import LengthRule

LARGEST_MATRIX: Final = 3000
"""Nodes up to which a search computes all distances: 72 MB."""


class Metric(NamedTuple):
    """What compiled code needs to compute a distance.

    ``coords`` is (n + 1, 2), zeros where only a matrix is known; ``matrix`` is
    (0, 0) where distances follow from the coordinates. ``rounding`` is an
    entry of ``rounding.ROUNDINGS``, or of ``ARC_ROUNDINGS`` for longitude and
    latitude.
    """

    coords: np.ndarray
    matrix: np.ndarray
    rounding: LengthRule
