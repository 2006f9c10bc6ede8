"""PointSet: validation and derived values."""

import numpy as np
import pytest

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.points import PointSet


def test_integer_weights_stay_integers() -> None:
    """Capacities are exact only if the weights are not made floats."""
    points = PointSet(np.zeros((3, 2)), np.array([1, 2, 3]), 3)
    assert np.issubdtype(points.weights.dtype, np.integer)
    assert points.num_points == 3


@pytest.mark.parametrize(
    ("weights", "capacity", "expected"),
    [([2, 2, 2], 3, 2), ([2, 2, 3], 3, 3), ([0, 0], 5, 1), ([0.5, 0.5], 1, 1)],
)
def test_lower_bound_on_the_number_of_clusters(
    weights: list[float], capacity: float, expected: int
) -> None:
    """The bound is ceil(total weight / capacity), at least one."""
    points = PointSet(np.zeros((len(weights), 2)), np.array(weights), capacity)
    assert points.min_num_clusters == expected


@pytest.mark.parametrize(
    ("coords", "weights", "field"),
    [
        (np.zeros((0, 2)), [], "coords"),
        (np.zeros((2, 0)), [1, 1], "coords"),
        (np.array([[0.0, np.nan]]), [1], "coords"),
        (np.zeros((2, 2)), [1], "weights"),
        (np.zeros((2, 2)), [1, -1], "weights"),
        (np.zeros((2, 2)), [1, 6], "weights"),
        (np.zeros((2, 2)), [1.0, np.inf], "weights"),
    ],
)
def test_wrong_data_is_refused(
    coords: np.ndarray, weights: list[float], field: str
) -> None:
    """The message names the field that breaks a rule."""
    with pytest.raises(InstanceError, match=field):
        PointSet(coords, np.array(weights), 5)


def test_customers_as_points(square) -> None:
    """The depot is left out: customer i is point i - 1."""
    points = PointSet.from_instance(square, "a test")
    assert points.weights.tolist() == [1, 2, 3, 4]
    assert points.coords[0].tolist() == [0.0, 0.0]
    assert points.capacity == 5
