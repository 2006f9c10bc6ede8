"""Aspect of maps."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.plotting.aspect import aspect_of
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.points import PointSet


def located(latitude: float, is_geographic: bool) -> Instance:
    """Return two places at a latitude."""
    coords = np.array([[0.0, latitude], [1.0, latitude]])
    demands = np.array([0, 1])
    return Instance("two", demands, 1, coords, is_geographic=is_geographic)


@pytest.mark.parametrize(
    ("latitude", "aspect"),
    [(0, 1), (60, 2), (-60, 2), (90, 1 / np.cos(np.radians(85)))],
)
def test_degrees_of_longitude_get_shorter(
    latitude: float, aspect: float
) -> None:
    """At sixty degrees by half; at the pole not to nothing."""
    assert aspect_of(located(latitude, True)) == pytest.approx(aspect)


def test_planes_are_not_stretched() -> None:
    """Neither an instance nor points of a plane."""
    assert aspect_of(located(60, False)) == 1
    assert aspect_of(PointSet(np.array([[0.0, 60.0]]), np.ones(1), 1)) == 1


def test_no_coordinates_no_stretch() -> None:
    """A matrix has no map."""
    matrix = np.ones((2, 2)) - np.eye(2)
    bare = Instance("table", np.array([0, 1]), 1, matrix=matrix)
    assert aspect_of(bare) == 1
