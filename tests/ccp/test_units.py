"""Points of an unusual size are clustered in another unit."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ncc_routing import ClusterParams, InstanceError, PointSet, cluster
from ncc_routing.ccp.units import in_usual_units
from ncc_routing.stop import TargetCost

ANNEALING = {"num_trials": 10, "global_moves": 20}
EFFORT: dict[str, dict[str, Any]] = {
    "inertia": {"search": {"num_starts": 1, "num_kicks": 20}},
    "cccp": {"annealing": ANNEALING},
    "cpmp": {"annealing": ANNEALING},
}


def some_points(scale: float, weight: float = 1.0) -> PointSet:
    """Return thirty points in the plane, five clusters with little room."""
    rng = np.random.default_rng(3)
    coords, weights = rng.random((30, 2)), rng.random(30)
    return PointSet(
        scale * coords, weight * weights, weight * 4.0, num_clusters=5
    )


@pytest.mark.parametrize("exponent", [-330, -100, 100, 330])
@pytest.mark.parametrize("objective", EFFORT)
@pytest.mark.parametrize("method", ["ckm", "capkmeans", "rnd-nn"])
def test_a_power_of_two_changes_no_digit(
    method: str, objective: str, exponent: int
) -> None:
    """The same clusters, and the cost in the unit of the points."""
    extra = EFFORT[objective] if method == "ckm" else {}
    params = ClusterParams(method, objective, **extra)
    scale = math.ldexp(1.0, exponent)
    one, other = (cluster(some_points(k), params=params) for k in (1.0, scale))
    unit = scale * scale if objective == "inertia" else scale
    assert other.labels.tolist() == one.labels.tolist()
    assert other.cost == unit * one.cost > 0.0
    assert (other.centers == scale * one.centers).all()


def test_weights_have_a_unit_of_their_own() -> None:
    """Loads come in the unit of the weights."""
    params = ClusterParams(objective="cpmp", annealing=ANNEALING)
    few, many = (
        cluster(some_points(1.0, weight), params=params)
        for weight in (1, 2.0**-300)
    )
    assert many.cost == few.cost
    assert (many.loads == 2.0**-300 * few.loads).all()


def test_usual_points_stay_as_they_are() -> None:
    """No copy is made, and no rounded distance changes."""
    points = some_points(1000.0)
    assert in_usual_units(points, "inertia") == (points, 1.0)
    rounded = replace(points, coords=1e10 * points.coords, rounding="floor")
    assert in_usual_units(rounded, "cpmp") == (rounded, 1.0)


def test_a_target_is_in_the_unit_of_the_points() -> None:
    """The search ends at once where the target is easily met."""
    points = some_points(1e-60)
    found = cluster(points, objective="cpmp", stop=TargetCost(1e-50))
    assert 0.0 < found.cost < 1e-50
    assert found.trace[0].cost < 1e-50


@pytest.mark.parametrize("objective", EFFORT)
def test_one_huge_coordinate(objective: str) -> None:
    """It is refused, or clustered."""
    coords = np.random.default_rng(1).random((20, 2))
    coords[0, 0] = 1e200
    with pytest.raises(InstanceError, match="coords: must be at most 1e"):
        cluster(coords, 5, 7, objective=objective)
    coords[0, 0] = 1e99
    params = ClusterParams(objective=objective, **EFFORT[objective])
    found = cluster(coords, 5, 7, params=params)
    assert found.num_clusters == 5
