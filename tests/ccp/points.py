"""Points for tests."""

from typing import Any

import numpy as np

from ncc_routing.problems.points import PointSet

CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]])
"""Two groups of three."""


def points_of(
    coords: Any, weights: Any, capacity: float, **more: Any
) -> PointSet:
    """Return points that are given as lists."""
    return PointSet(np.array(coords), np.array(weights), capacity, **more)
