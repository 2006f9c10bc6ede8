"""PointSet: validation and derived values."""

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr


def test_integer_weights_stay_integers() -> None:
    """Capacities are exact only if the weights are not made floats."""
    points = nr.PointSet(np.zeros((3, 2)), np.array([1, 2, 3]), 3)
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
    points = nr.PointSet(
        np.zeros((len(weights), 2)), np.array(weights), capacity
    )
    assert points.min_num_clusters == expected


def test_no_capacity_holds_points_of_no_weight() -> None:
    """Weights and capacities may be 0, together; the message says why."""
    nothing = nr.PointSet(np.zeros((2, 2)), np.zeros(2), 0)
    assert nothing.min_num_clusters == 1
    with pytest.raises(nr.InstanceError, match="not exceed the capacity 0"):
        nr.PointSet(np.zeros((2, 2)), np.array([0, 1]), 0)


@pytest.mark.parametrize("field", ["capacities", "point_capacities"])
def test_single_capacities_may_be_zero_but_not_less(field: str) -> None:
    """A closed cluster is allowed; all of them closed hold no weight."""
    coords, weights = np.zeros((2, 2)), np.array([1, 2])

    def points(*values: int) -> nr.PointSet:
        given: dict[str, Any] = {field: np.array(values)}
        return nr.PointSet(coords, weights, 5, **given)

    assert points(3, 0).capacity == 3
    with pytest.raises(
        nr.InstanceError, match=f"{field}: must not be negative"
    ):
        points(3, -1)
    with pytest.raises(nr.InstanceError, match="not exceed the capacity 0"):
        points(0, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"coords": np.zeros((0, 2)), "weights": []}, "coords: must have"),
        ({"coords": np.zeros((2, 0))}, "coords: must have shape"),
        ({"coords": [[0.0, np.nan], [0.0, 1.0]]}, "coords: must be finite"),
        ({"weights": [1]}, "weights: must have shape"),
        ({"weights": [1, -1]}, "weights: must not be negative"),
        ({"weights": [1.0, np.inf]}, "weights: must be finite"),
        ({"coords": None}, "coords: must be given"),
        ({"coords": "ab"}, "coords: must be numbers"),
        ({"weights": None}, "weights: must be given"),
        ({"weights": ["a", "b"]}, "weights: must be numbers"),
        ({"capacity": [1, 2]}, "capacity: must be one number"),
        ({"num_clusters": 1.5}, "num_clusters: must be a whole number"),
        ({"capacities": "ab"}, "capacities: must be numbers"),
        ({"capacities": []}, "capacities: must be 1 to 2 numbers, got 0"),
        ({"weights": [1, 9]}, "weight of point 1 must not exceed the cap"),
        ({"weights": [1, 9], "ids": ["a", "b"]}, r"point 1 \(id b\) must not"),
        ({"num_clusters": np.int64(9)}, "must lie in 1..2, got 9"),
        ({"ids": ["a"]}, "ids: must hold 2 ids"),
        ({"ids": ["a", "a"]}, "ids: must not repeat"),
        ({"lonlat": np.zeros((3, 2))}, "lonlat: must have shape"),
        ({"lonlat": np.full((2, 2), 99.0)}, "latitude of entry 1"),
    ],
)
def test_wrong_values_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """In terms of the attribute, never an error of NumPy."""
    coords = np.zeros((2, 2))
    values = dict[str, Any](coords=coords, weights=[1, 1], capacity=2)
    with pytest.raises(nr.InstanceError, match=message):
        nr.PointSet(**{**values, **changes})
