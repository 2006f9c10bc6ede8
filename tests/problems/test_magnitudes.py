"""Numbers of extreme sizes are refused where a problem is made."""

from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.ccp.clusters import Clustering
from ncc_routing.problems.values import LARGEST_SUM

COORDS = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])


def an_instance(**changes: Any) -> nr.Instance:
    """Return an instance of two customers, with something else in it."""
    given = dict[str, Any](demands=[0, 1, 2], capacity=3, coords=COORDS)
    return nr.Instance("a", **{**given, **changes})


@pytest.mark.parametrize("factor", [1e200, 1e101, 1e-110, 1e-170, 1e-310])
def test_extreme_coordinates_are_refused(factor: float) -> None:
    """Their squares would be infinite, or nothing."""
    with pytest.raises(nr.InstanceError, match="a: coords: must be"):
        an_instance(coords=factor * COORDS, rounding="none")
    with pytest.raises(nr.InstanceError, match="points: coords: must be"):
        nr.PointSet(factor * COORDS, np.ones(3), 3.0)


@pytest.mark.parametrize("factor", [1e99, 1e-99])
def test_large_and_small_coordinates_are_taken(factor: float) -> None:
    """Up to the bounds, unrounded costs are proportional."""
    instance = an_instance(coords=factor * COORDS, rounding="none")
    assert instance.route_cost([1, 2]) == pytest.approx(20.0 * factor, 1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"matrix": np.full((3, 3), 1e101)}, "matrix: must be at most"),
        ({"matrix": np.full((3, 3), 1e-101)}, "matrix: must be 0 or"),
        ({"matrix": np.full((3, 3), 2.0**60)}, "distances: must add up"),
        ({"durations": np.full((3, 3), 2.0**60)}, "durations: must add up"),
        ({"coords": 1e18 * COORDS}, "distances: must add up"),
        ({"coords": 1e14 * COORDS, "rounding": "exact"}, "distances: must"),
        ({"demands": [0, 2**60, 2**60], "capacity": 2**60}, "demands: must"),
        ({"demands": [0, 1, 1], "capacity": 2**61}, "capacity: must be at"),
        ({"demands": [0, 1, 2**62]}, "demands: must be at most"),
        (
            {
                "fleet": nr.Fleet(
                    (nr.VehicleType(capacity=3, fixed_cost=2**58),)
                )
            },
            "fixed_cost",
        ),
        (
            {
                "fleet": nr.Fleet(
                    (nr.VehicleType(capacity=3, unit_distance_cost=2**49),)
                )
            },
            "unit_distance_cost: must add up",
        ),
        (
            {"windows": nr.TimeWindows.of(3, service_durations=2**59)},
            "service_durations: must add up",
        ),
        (
            {"windows": nr.TimeWindows.of(3, release_times=2**59)},
            "release_times",
        ),
    ],
)
def test_sums_that_would_not_be_exact_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """The message names the field, before anything is added in 64 bits."""
    with pytest.raises(nr.InstanceError, match=f"a: {message}"):
        an_instance(**changes)


def test_sums_up_to_the_bound_are_taken() -> None:
    """Both sides of the bound."""
    half = LARGEST_SUM // 2
    instance = an_instance(demands=[0, half, half], capacity=half)
    assert instance.min_num_routes == 2
    with pytest.raises(nr.InstanceError, match="demands: must add up to"):
        an_instance(demands=[0, half, half + 1], capacity=half + 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": np.full(3, 2**60)}, "weights: must add up to"),
        ({"weights": np.full(3, 1e150)}, "weights: must be at most"),
        ({"weights": np.full(3, 1e-150)}, "weights: must be 0 or"),
        ({"capacity": 1e200}, "capacity: must be at most"),
        ({"coords": 1e20 * COORDS, "rounding": "floor"}, "distances: must"),
        ({"matrix": np.full((3, 3), 1e150)}, "matrix: must be at most"),
        ({"capacities": np.full(2, 2**62)}, "capacities: must be at most"),
        ({"point_capacities": np.full(3, 1e150)}, "point_capacities: must"),
    ],
)
def test_points_are_checked_as_well(
    changes: dict[str, Any], message: str
) -> None:
    """Weights, capacities and distances of points."""
    given = dict[str, Any](coords=COORDS, weights=np.ones(3), capacity=1e99)
    with pytest.raises(nr.InstanceError, match=f"points: {message}"):
        nr.PointSet(**{**given, **changes})


def test_loads_of_small_integers_do_not_overflow() -> None:
    """Weights of eight bits are added in sixty-four."""
    points = nr.PointSet(COORDS, np.full(3, 200, dtype=np.uint8), 600)
    assert points.weights.dtype == np.int64


def test_a_wrong_cost_of_tiny_points_is_seen() -> None:
    """What counts as no cost goes with the unit of the coordinates."""
    points = nr.PointSet(1e-30 * COORDS, np.ones(3), 3.0)
    labels = np.zeros(3, dtype=np.int64)
    medoids, loads = np.array([1]), np.array([3.0])
    clustering = Clustering(labels, points.coords[[1]], medoids, loads, 0.0)
    assert [v.kind for v in nr.check_clustering(points, clustering)] == [
        "cost"
    ]
