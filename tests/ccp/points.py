"""Points for tests."""

from typing import Any

import numpy as np

from ncc_routing.problems.points import PointSet


def points_of(
    coords: Any, weights: Any, capacity: float, **more: Any
) -> PointSet:
    """Return points that are given as lists."""
    return PointSet(np.array(coords), np.array(weights), capacity, **more)
