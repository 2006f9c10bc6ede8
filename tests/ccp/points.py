"""Points for tests."""

from typing import Any

import numpy as np

from ncc_routing import PointSet
from ncc_routing._core.clustering import Limits

CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]])
"""Two groups of three."""


def points_of(
    coords: Any, weights: Any, capacity: float, **more: Any
) -> PointSet:
    """Return points that are given as lists."""
    return PointSet(np.array(coords), np.array(weights), capacity, **more)


def limits_by(weights: Any, most: Any) -> Limits:
    """Return upper limits of clusters by one weight, for the kernels."""
    upper = np.array(most, dtype=float)[:, None]
    table = np.array(weights, dtype=float)[:, None]
    return Limits(table, np.full_like(upper, -np.inf), upper, np.ones(1))
