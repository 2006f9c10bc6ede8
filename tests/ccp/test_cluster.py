"""cluster() and the table of methods."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import pyvrp

import ncc_routing as nr
from ncc_routing.ccp.methods import METHODS
from ncc_routing.ccp.num_clusters import fewest_by_random
from ncc_routing.clustering.priority import RegretPriority
from ncc_routing.core.exceptions import OutOfTimeError
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.stop import TimeLimit
from tests.ccp.points import CORNERS

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.clustering.priority import Priority

FOUR = np.zeros((4, 2))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_by_name(method: str) -> None:
    """Two corners of three points each, with room for four."""
    found = nr.cluster(CORNERS, 2, 4, method=method, time_limit=5.0)
    assert found.num_clusters == 2
    assert found.loads.max() <= 4
    assert found.method == method


@pytest.mark.parametrize(
    ("objective", "corner"),
    [
        ("inertia", 4 / 3),
        ("cccp", (np.sqrt(2) + 2 * np.sqrt(5)) / 3),
        ("cpmp", 2.0),
    ],
)
@pytest.mark.parametrize("priority", [None, RegretPriority()])
def test_every_objective(
    objective: str, corner: float, priority: Priority | None
) -> None:
    """The corners are found, by hand, also from a priority of the user."""
    params = nr.ClusterParams(objective=objective, priority=priority)
    found = nr.cluster(CORNERS, 2, 3, params=params)
    assert found.loads.tolist() == [3, 3]
    assert found.cost == pytest.approx(2 * corner)


def test_number_of_clusters_is_chosen() -> None:
    """Six points at three a cluster: two clusters at least."""
    assert nr.cluster(CORNERS, capacity=3).num_clusters == 2
    assert nr.cluster(CORNERS, "random", 3).num_clusters == 2
    points = nr.PointSet(CORNERS, np.full(6, 2), 3)
    assert points.min_num_clusters == 4
    assert nr.cluster(points).num_clusters == 6
    assert fewest_by_random(points) == 6


@pytest.mark.parametrize("method", ["pack", "gb21"])
@pytest.mark.parametrize("count", [2, "fewest"])
def test_an_interrupted_run_has_an_answer(
    method: str, count: int | str
) -> None:
    """Where time alone is up, there is none, and no other number is tried."""
    with pytest.raises(OutOfTimeError, match=r"2 .* in time"):
        nr.cluster(CORNERS, count, 3, method=method, stop=TimeLimit(0.0))
    deadline = TimeLimit()
    deadline.expire()
    found = nr.cluster(CORNERS, count, 3, method=method, stop=deadline)
    assert found.num_clusters == 2
    assert found.method == "ckm"


def test_parameters_of_an_algorithm_reach_it() -> None:
    """As a mapping."""
    run = (np.random.default_rng(3).random((60, 2)), 6, 11)
    least = nr.ClusterParams(search={"num_starts": 1, "num_kicks": 0})
    assert nr.cluster(*run, params=least).cost > nr.cluster(*run).cost
    one = {"num_starts": 1, "max_iterations": 1}
    params = nr.ClusterParams("capkmeans", kmeans=one)
    poor = nr.cluster(*run, params=params)
    assert poor.cost > nr.cluster(*run, method="capkmeans").cost
    seeds: list[Any] = [7, np.int64(7)]
    first, second = (nr.cluster(*run, seed=seed) for seed in seeds)
    assert first.labels.tolist() == second.labels.tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "magic"}, "method must be one of"),
        ({"objective": "beauty"}, "objective must be one of"),
        ({"num_clusters": 0}, "num_clusters: must lie in 1..6"),
        ({"num_clusters": 7}, "num_clusters: must lie in 1..6"),
        ({"num_clusters": 1}, "num_clusters: must be enough"),
        ({"weights": np.array([1, 1, 1, 1, 1, 4])}, "weights"),
        ({"num_clusters": 4, "weights": np.full(6, 2)}, "4 clusters"),
        ({"seed": 1.5}, r"seed must be a whole number, got 1\.5"),
        ({"seed": True}, "seed must be a whole number, got True"),
        ({"seed": -1}, "seed must lie in .* got -1"),
        ({"time_limit": "1"}, "time_limit must be a number, got '1'"),
        ({"params": {"seed": 1}}, "params must be ClusterParams, got dict"),
        ({"stop": 5}, "stop must be a criterion of .* got int"),
        (
            {"method": "random", "stop": nr.stop.FirstFeasible()},
            "random takes no st",
        ),
    ],
)
def test_wrong_arguments_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """One line names the argument, its rule and the value."""
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.cluster(CORNERS, **{"num_clusters": 2, "capacity": 3, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"annealing": {"effort": 5}},
            "objective inertia takes no annealing",
        ),
        (
            {"objective": "cpmp", "search": {"num_kicks": 5}},
            "objective cpmp takes no search",
        ),
        ({"gb21": {}}, "method ckm takes no gb21"),
        ({"method": "gb21", "priority": RegretPriority()}, "takes no prior"),
        ({"search": {"num_kick": 0}}, "'num_kick' in search"),
        ({"annealing": {"highest": 0.1}}, "'highest' in annealing"),
        ({"annealing": {"effort": 0}}, "annealing effort must lie in"),
        ({"annealing": {"global_share": 7}}, "global_share must lie in"),
        ({"gb21": {"target_size": 0}}, "gb21 target_size must lie in"),
        ({"gb21": {"local_seconds": "1"}}, "local_seconds must be a number"),
    ],
)
def test_wrong_parameters_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """One line names the parameter, its rule and the value."""
    with pytest.raises(nr.ParameterError, match=message):
        nr.ClusterParams(**changes)


def test_what_would_not_count_is_refused() -> None:
    """A matrix under the inertia, and two capacities under capkmeans."""
    matrix = np.ones((6, 6)) - np.eye(6)
    points = nr.PointSet(CORNERS, np.ones(6, dtype=int), 3, matrix=matrix)
    for objective in ("inertia", "cccp"):
        with pytest.raises(
            nr.UnsupportedProblemError, match="distance matrix"
        ):
            nr.cluster(points, 2, objective=objective)
    assert nr.cluster(points, 2, objective="cpmp").cost == 4.0
    points = nr.PointSet(
        CORNERS, np.ones(6, dtype=int), 4, capacities=np.array([2, 4])
    )
    message = "capkmeans does not accept capacities of clusters"
    with pytest.raises(nr.UnsupportedProblemError, match=message):
        nr.cluster(points, method="capkmeans")


@pytest.mark.parametrize(
    ("points", "arguments", "message"),
    [
        (None, 3, "points must be a PointSet, an array .* got None"),
        (5, 3, "points must be a PointSet, an array .* got 5"),
        ([[1, 2], [3]], 3, "coords: must be numbers of a regular shape"),
        ([["a", "b"]], 3, "coords: must be numbers of a regular shape"),
        (np.zeros((2, 2, 2)), 3, "coords: must have shape"),
        ([], 3, "coords: must have shape"),
        ("missing.csv", 3, "missing.csv: file: does not exist"),
        ({"a": [1]}, 3, "has no columns x and y"),
        ({"x": [1]}, 3, "column y is missing"),
        (FOUR, -1, "capacity: must be finite and not negative"),
        (FOUR, "much", "capacity: must be numbers"),
        (FOUR, [1, 2], "must be enough for the total weight 4"),
        (FOUR, None, "capacity, or another limit, is needed"),
        (FOUR, {"weights": "abcd"}, "weights: must be numbers"),
        (FOUR, {"weights": [1, 2]}, "weights: must have shape"),
        (FOUR, {"num_clusters": 1.5}, "whole number or a rule"),
        (FOUR, {"num_clusters": True}, "whole number or a rule"),
    ],
)
def test_wrong_points_are_refused(
    points: object, arguments: Any, message: str
) -> None:
    """Points, a capacity or other arguments: before any work."""
    if not isinstance(arguments, dict):
        arguments = {"capacity": arguments}
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.cluster(points, **{"capacity": 4, **arguments})


def test_tables_are_clustered(tmp_path: Path) -> None:
    """As a file, as columns, and as rows."""
    file = tmp_path / "points.csv"
    file.write_text("weight,x,y\n1,0,0\n1,0,1\n1,9,9\n1,9,8\n")
    columns = {"weight": [1] * 4, "x": [0, 0, 9, 9], "y": [0, 1, 9, 8]}
    cells = zip(*columns.values(), strict=True)
    rows = [dict(zip(columns, each, strict=True)) for each in cells]
    for source in (file, str(file), columns, rows):
        assert nr.cluster(source, capacity=2, objective="cpmp").cost == 2.0
    with pytest.raises(nr.ParameterError, match="weights are a column"):
        nr.cluster(file, capacity=2, weights=np.ones(4))


def test_customers_are_clustered(square: nr.Instance, tmp_path: Path) -> None:
    """With their demands, ids and the capacity of the vehicles."""
    named = replace(square, ids=("home", "a", "b", "c", "d"))
    data = to_problem_data(square)
    file = tmp_path / "square.vrp"
    nr.write_instance(file, square)
    model = pyvrp.Model.from_data(data)
    for problem in (square, named, file, str(file), data, model):
        found = nr.cluster(problem, 2)
        assert found.points.num_points == 4
        assert found.points.capacity == square.capacity
        assert found.loads.sum() == square.demands.sum()
        assert nr.cluster(problem, capacity=9).points.capacity == 9
    assert nr.cluster(named, 2).points.ids == ("a", "b", "c", "d")
    with pytest.raises(nr.ParameterError, match="weights are the demands"):
        nr.cluster(square, weights=np.ones(4))
    with pytest.raises(nr.ParameterError, match="or Model, got Depot"):
        nr.cluster(pyvrp.Depot(0))


def test_customers_without_places_or_capacity(square: nr.Instance) -> None:
    """They are refused; a capacity that is given replaces several."""
    lengths = square.distances(range(5), range(5))
    bare = replace(square, coords=None, matrix=lengths)
    with pytest.raises(nr.InstanceError, match="needed by clusters"):
        nr.cluster(bare)
    for kinds in ((5, 9), (NO_LIMIT,)):
        types = [nr.VehicleType(capacity=kind) for kind in kinds]
        fleet = nr.Fleet(tuple(types))
        mixed = replace(square, fleet=fleet, capacity=fleet.capacity)
        with pytest.raises(nr.InstanceError, match="give capacity="):
            nr.cluster(mixed)
        assert nr.cluster(mixed, capacity=5).points.capacity == 5


def test_customers_on_the_sphere_get_a_map() -> None:
    """In metres, beside longitude and latitude; further depots are none."""
    lonlat = np.array([[2.0, 48.0], [2.0, 48.0], [2.0, 48.1], [2.1, 48.0]])
    types = [nr.VehicleType(capacity=5, start_depot=idx) for idx in (0, 1)]
    instance = nr.Instance(
        *("city", np.array([0, 1, 2, 0]), 5, lonlat),
        is_geographic=True,
        num_depots=2,
        fleet=nr.Fleet(tuple(types)),
    )
    points = nr.PointSet.from_instance(instance)
    assert points.weights.tolist() == [1, 2]
    assert points.lonlat is not None
    assert points.lonlat.tolist() == lonlat[1:3].tolist()
    assert np.ptp(points.coords[:, 1]) == pytest.approx(11_119.5, abs=1.0)
