"""Aspect of maps."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing import Instance, PointSet
from ncc_routing.plotting.aspect import aspect_of


@pytest.mark.parametrize(
    ("latitude", "is_geographic", "aspect"),
    [
        (0, True, 1),
        (60, True, 2),
        (-60, True, 2),
        (90, True, 1 / np.cos(np.radians(85))),
        (60, False, 1),
    ],
)
def test_degrees_of_longitude_get_shorter(
    latitude: float, is_geographic: bool, aspect: float
) -> None:
    """At sixty degrees by half; at the pole not to nothing."""
    coords, demands = np.array([[0, latitude], [1, latitude]]), np.arange(2)
    two = Instance("two", demands, 1, coords, is_geographic=is_geographic)
    assert aspect_of(two) == pytest.approx(aspect)


def test_other_problems_are_not_stretched() -> None:
    """Neither points of a plane nor a matrix, which has no map."""
    assert aspect_of(PointSet(np.array([[0.0, 60.0]]), np.ones(1), 1)) == 1
    matrix = np.ones((2, 2)) - np.eye(2)
    assert aspect_of(Instance("m", np.array([0, 1]), 1, matrix=matrix)) == 1
