"""Tests of the checks: every injected defect is found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.ccp.clusters import Clustering
from ncc_routing.problems.routes.checking import Violation
from tests.oracles.checker import Checker
from tests.oracles.problems import DAY, FLEETS, random_plan, random_problem
from tests.robustness.support import seeds

Routes = list[list[int]]


def kinds(violations: list[Violation]) -> list[str]:
    """Return the kinds of the violations."""
    return [violation.kind for violation in violations]


def test_messages_name_the_ids(square: nr.Instance) -> None:
    """A missing, a double and a late customer carry what the user says."""
    windows = nr.TimeWindows.of(5, tw_late=[9, 9, 9, 9, 0])
    named = replace(square, ids=("home", "a", "b", "c", "d"), windows=windows)
    solution = nr.Solution.from_routes(named, [[1, 2], [2, 4]])
    messages = [v.message for v in nr.check_solution(named, solution)]
    assert "customer 3 (id c) is not visited" in messages
    assert "customer 2 (id b) is visited 2 times" in messages
    assert any("reaches customer 4 (id d)" in text for text in messages)


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        (((1, 4), (2, 3)), []),
        (
            ((2, 4), (1, 3)),
            [Violation("capacity", "route 1 carries 6 of 5")],
        ),
        (((1, 4), (), (2, 3)), [Violation("empty", "route 2 is empty")]),
        (
            ((1, 4), (2,)),
            [Violation("missing", "customer 3 is not visited")],
        ),
        (
            ((1, 4), (2, 3, 2)),
            [
                Violation("duplicate", "customer 2 is visited 2 times"),
                Violation("capacity", "route 2 carries 7 of 5"),
            ],
        ),
        (
            ((1, 4), (2, 3), (1,)),
            [Violation("duplicate", "customer 1 is visited 2 times")],
        ),
        (
            ((1, 4), (0, 2, 3)),
            [Violation("unknown", "there is no customer 0")],
        ),
        (
            ((1, 4), (2, 3, 5)),
            [Violation("unknown", "there is no customer 5")],
        ),
        (
            ((1, 4), (2, -3)),
            [
                Violation("unknown", "there is no customer -3"),
                Violation("missing", "customer 3 is not visited"),
            ],
        ),
        (
            (),
            [
                Violation("missing", f"customer {c} is not visited")
                for c in (1, 2, 3, 4)
            ],
        ),
    ],
)
def test_coverage(
    square: nr.Instance,
    routes: tuple[tuple[int, ...], ...],
    expected: list[Violation],
) -> None:
    """Full routes pass; what is wrong is named."""
    cost = 0.0
    if all(customer in range(5) for route in routes for customer in route):
        cost = nr.Solution.from_routes(square, routes).cost
    assert nr.check_solution(square, nr.Solution(routes, cost)) == expected


@pytest.mark.parametrize(
    ("routes", "expected"),
    [
        (((2, 4), (), (1,)), ["missing", "capacity", "empty", "cost"]),
        (((2, 4, 9), (1, 3)), ["unknown", "capacity"]),
    ],
)
def test_every_violation_is_reported(
    square: nr.Instance,
    routes: tuple[tuple[int, ...], ...],
    expected: list[str],
) -> None:
    """Loads 2 + 4 = 6 of 5 are seen beside what is wrong elsewhere."""
    found = nr.check_solution(square, nr.Solution(routes, 1.0))
    assert sorted(kinds(found)) == sorted(expected)


LINE = nr.PointSet(np.array([[0.0], [2.0], [9.0]]), np.array([1, 2, 3]), 3)


def clustered(
    labels: list[int], cost: float, objective: str = "inertia"
) -> Clustering:
    """Return a clustering of the line with two clusters and that cost."""
    return Clustering(
        labels=np.array(labels),
        centers=np.array([[1.0], [9.0]]),
        medoids=np.array([0, 2]),
        loads=np.array([3, 3]),
        inertia=cost,
        objective=objective,
        cost=cost,
    )


@pytest.mark.parametrize(
    ("labels", "cost", "expected"),
    [
        ([0, 0, 1], 2.0, []),
        ([0, 0, 1], 3.0, ["cost"]),
        ([0, 1, 1], 24.5, ["capacity"]),
        ([0, 1, 1], 2.0, ["capacity", "cost"]),
        ([-1, 1, 1], 24.5, ["missing", "capacity"]),
        ([2, -1, 1], 0.0, ["missing", "missing"]),
        ([0, 0], 2.0, ["missing"]),
        ([0, 0, 1, 1], 2.0, ["missing"]),
    ],
)
def test_every_violation_of_a_clustering_is_reported(
    labels: list[int], cost: float, expected: list[str]
) -> None:
    """Points 1 and 2 have the load 5 of 3; 2 and 9 the inertia 24.5."""
    found = nr.check_clustering(LINE, clustered(labels, cost))
    assert kinds(found) == expected


def test_wrong_number_of_clusters_hides_nothing() -> None:
    """Two instead of three, and an overload beside it."""
    found = nr.check_clustering(LINE, clustered([0, 1, 1], 24.5), 3)
    assert kinds(found) == ["unknown", "capacity"]


def test_medoid_outside_of_its_cluster_costs_too_much() -> None:
    """No cost, not even an infinite one, is right for it."""
    wrong = clustered([1, 1, 0], float("inf"), "cpmp")
    assert kinds(nr.check_clustering(LINE, wrong)) == ["cost"]


ROW = np.array([[0.0], [1], [2], [10], [11], [30]])
ZIGZAG = [(2, 0), (1, 2), (2, 3), (3, 4), (4, 5)]
APART = [0, 0, 0, 1, 1, 2]


def broken_clusters(
    labels: list[int],
    cost: float,
    objective: str = "inertia",
    medoids: Sequence[int] = (1, 3, 5),
    *,
    factor: float = 1.0,
    **limits: Any,
) -> list[str]:
    """Return the messages for clusters of the row, enlarged by a factor."""
    points = nr.PointSet(
        ROW * factor,
        np.asarray(limits.pop("weights", [1] * 6)),
        **{"capacity": None, **limits},
    )
    count = max(3, *(label + 1 for label in labels))
    clusters = Clustering(
        labels=np.array(labels),
        centers=np.zeros((count, 1)),
        medoids=np.array([*medoids, *[-1] * count][:count]),
        loads=np.zeros(count),
        inertia=cost,
        objective=objective,
        cost=cost,
    )
    return [one.message for one in nr.check_clustering(points, clusters)]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"min_size": 1, "max_size": 3}, []),
        ({"min_size": [3, 2, 2]}, ["cluster 2 has 1, which breaks min_size"]),
        ({"max_size": 2}, ["cluster 0 has 3, which breaks max_size"]),
        ({"min_load": 1}, []),
        ({"min_load": 2}, ["cluster 2 has 1, which breaks min_load"]),
        ({"capacities": [3, 2, 1]}, []),
        ({"capacities": [3, 1, 2]}, ["cluster 1 carries 2 of 1"]),
        ({"capacities": [3, 2, 0]}, ["cluster 2 carries 1 of 0"]),
        ({"other_capacities": [9], "other_min_loads": [6]}, []),
        (
            {"other_capacities": [8]},
            ["cluster 1 has 9, which breaks capacity of weight 2"],
        ),
        (
            {"other_min_loads": [7]},
            [
                "cluster 0 has 6, which breaks min_load of weight 2",
                "cluster 2 has 6, which breaks min_load of weight 2",
            ],
        ),
        ({"tolerance": 0.5}, []),
        (
            {"tolerance": 0.49},
            [
                "cluster 0 has 3, which breaks tolerance",
                "cluster 2 has 1, which breaks tolerance",
            ],
        ),
    ],
)
def test_limits_of_clusters(
    limits: dict[str, Any], expected: list[str]
) -> None:
    """Sizes 3, 2 and 1 are loads, and 6, 9 and 6 those by a weight."""
    limits = {"other_weights": [[n] for n in range(1, 7)], **limits}
    assert broken_clusters(APART, 2.5, **limits) == expected


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"capacities": [0.3, 0.3, 0.3]}, []),
        (
            {"capacities": [0.25, 0.3, 0.3]},
            ["cluster 0 carries 314572.80000000005 of 262144.0"],
        ),
        ({"other_capacities": [0.3]}, []),
        ({"other_min_loads": [0.3 + 1e-10]}, []),
        (
            {"other_capacities": [0.25]},
            [
                f"cluster {k} has 314572.8, which breaks capacity of weight 2"
                for k in (0, 1, 2)
            ],
        ),
        ({"tolerance": 0}, []),
    ],
)
def test_loads_of_clusters_have_a_tolerance(
    limits: dict[str, Any], expected: list[str]
) -> None:
    """Each has 0.3 * 2**20; 0.1 + 0.2 is above 0.3 by rounding."""
    weights = np.array([0.1, 0.2, 0, 0.3, 0, 0.3]) * 2**20
    for name in limits.keys() - {"tolerance"}:
        limits = {name: np.multiply(limits[name], 2.0**20)}
    limits = {"weights": weights, "other_weights": weights[:, None], **limits}
    assert broken_clusters(APART, 2.5, **limits) == expected


@pytest.mark.parametrize(
    ("rules", "labels", "cost", "expected"),
    [
        ({"must_link": [(0, 1, 2)]}, APART, 2.5, []),
        (
            {"must_link": [(0, 3, 1)]},
            *(APART, 2.5, ["point 0 and point 3 are not together"]),
        ),
        ({"cannot_link": [(0, 3), (2, 5)]}, APART, 2.5, []),
        (
            {"cannot_link": [(5, 0, 2)]},
            *(APART, 2.5, ["point 0 and point 2 share cluster 0"]),
        ),
        ({"fixed": {5: 2, 0: 0}}, APART, 2.5, []),
        (
            {"fixed": {5: 1}},
            *(APART, 2.5, ["point 5 is not in cluster 1"]),
        ),
        ({"centers": [1, 3]}, APART, 3, []),
        ({"centers": [[1.0], [10.0]]}, APART, 3, []),
        (
            {"centers": [0, 1]},
            *(APART, 186, ["point 1 is not in its cluster 1"]),
        ),
        ({"graph": ZIGZAG}, APART, 2.5, []),
        (
            {"graph": ZIGZAG},
            *([0, 0, 1, 2, 2, 1], 0.5 + 392 + 0.5),
            [
                "point 0 and point 1 are cut off in cluster 0",
                "point 2 and point 5 are cut off in cluster 1",
            ],
        ),
        ({"weights_in_objective": True}, APART, 3.25, []),
        (
            {"must_link": [(1, 2)]},
            *([-1, 0, 0, 1, 1, 2], 1, ["point 0 has cluster -1"]),
        ),
    ],
)
def test_rules_of_clusters(
    rules: dict[str, Any], labels: list[int], cost: float, expected: list[str]
) -> None:
    """Points 0, 1, 2 and 10, 11 have the inertia 2 + 0.5; the first weighs 2.

    With weights it is 1 + 4 - 9 / 4 = 2.75 in place of 2.
    """
    given = nr.ClusterRules(**rules)
    weights = [2, 1, 1, 1, 1, 1]
    found = broken_clusters(labels, cost, rules=given, weights=weights)
    assert found == expected


@pytest.mark.parametrize(
    ("medoids", "cost", "limits", "expected"),
    [
        ((1, 3, 5), 3, {}, []),
        ((0, 4, 5), 4, {}, []),
        ((1, 3, 5), 0, {"rounding": "floor", "factor": 0.75}, []),
        ((1, 3, 5), 2.25, {"factor": 0.75}, []),
        ((1, 3, 5), 1 + 11 + 21 + 33 + 43 + 55, {"matrix": True}, []),
        ((1, 3, 5), 3, {"point_capacities": [1, 3, 1, 3, 1, 1]}, []),
        (
            *((0, 3, 5), 4, {"point_capacities": [2, 3, 3, 3, 3, 3]}),
            ["cluster 0 carries 3 of 2"],
        ),
        ((1, 3, 5), 3, {"centers": [1, 3]}, []),
        (
            *((0, 3, 5), 4, {"centers": [1, 3]}),
            ["point 1 is not the medoid of cluster 0"],
        ),
        (
            *((1, 3, 5), 3, {"forbidden_centers": [0, 3]}),
            ["point 3 must not be a medoid"],
        ),
    ],
)
def test_medoids(
    medoids: tuple[int, ...],
    cost: float,
    limits: dict[str, Any],
    expected: list[str],
) -> None:
    """Distances are to medoids, by a matrix 10 times the point plus it.

    What is said of medoids does not matter to distances to a mean.
    """
    rules = {
        name: limits[name]
        for name in ("centers", "forbidden_centers")
        if name in limits
    }
    given = {key: limits[key] for key in limits if key not in rules}
    if "matrix" in given:
        given["matrix"] = np.add.outer(10 * np.arange(6), np.arange(6))
    given["rules"] = nr.ClusterRules(**rules)
    assert broken_clusters(APART, cost, "cpmp", medoids, **given) == expected
    factor = given.get("factor", 1)
    inertia = (3 if "centers" in rules else 2.5) * factor**2
    assert broken_clusters(APART, inertia, medoids=medoids, **given) == []
    assert broken_clusters(APART, 3 * factor, "cccp", medoids, **given) == []


@pytest.mark.parametrize("medoid", [-1, 6])
def test_medoids_that_are_not_there(medoid: int) -> None:
    """Their clusters have no cost, and the largest capacity."""
    sizes: dict[str, Any] = {"point_capacities": [1, 3, 1, 2, 1, 1]}
    found = broken_clusters(APART, 3, "cpmp", (1, 3, medoid), **sizes)
    assert found == ["the stated cost is 3, the clusters add up to inf"]


def test_no_medoid_is_in_another_cluster() -> None:
    """Point 0 is not in cluster 2, although 1 + 1 + 1 + 30 is the sum."""
    found = broken_clusters(APART, 33, "cpmp", (1, 3, 0))
    assert found == ["the stated cost is 33, the clusters add up to inf"]


def test_no_cost_is_none_at_any_scale() -> None:
    """Each point is a cluster; half a unit of 30 million is too much."""
    found = broken_clusters([*range(6)], 0.5, "cccp", factor=1e6)
    assert found == ["the stated cost is 0.5, the clusters add up to 0"]


def test_clusters_of_no_weight_have_no_cost() -> None:
    """Points 3 and 4 weigh nothing; the others cost 2.75 in all."""
    found = broken_clusters(
        *(APART, 2.75),
        weights=[2, 1, 1, 0, 0, 1],
        rules=nr.ClusterRules(weights_in_objective=True),
    )
    assert found == []


def test_more_clusters_than_capacities() -> None:
    """The fourth one has the largest capacity; the third is empty."""
    labels = [0, 0, 0, 1, 1, 3]
    assert broken_clusters(labels, 2.5, capacities=[3, 2, 2]) == []
    found = broken_clusters(labels, 3, "cccp")
    assert found == []


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (484.0, []),
        (484.0 * (1 + 1e-9), []),
        (485.0, ["cost"]),
        (483.0, ["cost"]),
        (float("nan"), ["cost"]),
        (float("inf"), ["cost"]),
    ],
)
def test_stated_cost(
    square: nr.Instance, cost: float, expected: list[str]
) -> None:
    """The stated cost may differ by rounding noise only."""
    solution = nr.Solution(((1, 4), (2, 3)), cost)
    assert kinds(nr.check_solution(square, solution)) == expected


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    defect=st.sampled_from(
        [
            (lambda routes: routes[1:], "missing"),
            (lambda routes: [*routes, routes[0]], "duplicate"),
            (lambda routes: [*routes, [10_000]], "unknown"),
            (lambda routes: [[0, 1], *routes[1:]], "unknown"),
            (lambda routes: [[c for r in routes for c in r]], "capacity"),
        ]
    ),
)
def test_finds_every_injected_defect(
    seed: int, defect: tuple[Callable[[Routes], Routes], str]
) -> None:
    """One customer a route is feasible; any defect makes it not so."""
    instance = generate_uchoa(12, seed, route_length=3)
    routes = [[c] for c in range(1, 13)]
    solution = nr.Solution.from_routes(instance, routes)
    assert nr.check_solution(instance, solution) == []
    spoil, kind = defect
    spoiled = nr.Solution(tuple(map(tuple, spoil(routes))), solution.cost)
    assert kind in kinds(nr.check_solution(instance, spoiled))


def test_published_solutions_pass(data_dir: Path) -> None:
    """Best-known solutions of the X benchmark have their stated cost."""
    folder = data_dir / "cvrp" / "X"
    for name in ("X-n101-k25", "X-n219-k73", "X-n1001-k43"):
        instance = nr.read(folder / f"{name}.vrp")
        stated = nr.read_solution(folder / f"{name}.sol")
        assert stated.cost is not None
        solution = nr.Solution(stated.routes, stated.cost)
        assert nr.check_solution(instance, solution) == []


@pytest.mark.parametrize(
    ("cost", "is_right"),
    [
        (3.4, True),  # 3.4142... to one decimal
        (3.41, True),
        (3.42, False),
        (3.5, False),
        (3, False),  # whole numbers are not rounded ones
        (3e-07, False),  # with seven decimals
    ],
)
def test_a_cost_is_right_within_its_decimals(
    cost: float, is_right: bool
) -> None:
    """As in the shell: 2 + sqrt(2) is 3.41."""
    coords = np.array([[0, 0], [1, 0], [0, 1]])
    instance = nr.Instance(
        "corner", np.array([0, 1, 1]), 2, coords, rounding="none"
    )
    found = nr.check_solution(instance, nr.Solution(((1, 2),), cost))
    assert found == [] if is_right else [v.kind for v in found] == ["cost"]


def test_random_plans_against_the_slow_checker() -> None:
    """Costs, limits and rules of every feature, alone and together."""
    verdicts = {True: 0, False: 0}
    numbers = seeds(800, step=3)
    for seed in numbers:
        instance = random_problem(seed // 2)
        if seed % 4 < 2:  # times and costs, mostly together
            parts = (*FLEETS, "overtime", *(DAY if seed % 8 < 4 else ()))
            instance = random_problem(seed // 2, parts, 4, share=0.7)
        plan = random_plan(instance, seed)
        judge = Checker(instance)
        cost = judge.plan_cost(plan)
        broken = nr.check_solution(instance, plan)
        assert bool(broken) == np.isinf(cost), (seed, broken)
        if "arc" in kinds(broken):
            assert plan.cost == np.inf, seed
        if not broken:
            assert plan.cost == pytest.approx(cost, rel=1e-12), seed
            found = [each.duration for each in plan.schedules(instance)]
            driven = zip(plan.routes, plan.vehicle_types, strict=True)
            expected = [judge.duration(*each) for each in driven]
            assert found == pytest.approx(expected), seed
        verdicts[not broken] += 1
    assert min(verdicts.values()) > len(numbers) / 4


def with_type(instance: nr.Instance, idx: int, **changes: Any) -> nr.Instance:
    """Return the instance with a changed vehicle type."""
    assert instance.fleet is not None
    types = list(instance.fleet.types)
    types[idx] = replace(types[idx], **changes)
    capacity = max(kind.capacity for kind in types)
    return replace(instance, capacity=capacity, fleet=nr.Fleet(tuple(types)))


LATE = "route 1 reaches its depot 1 too late"


@pytest.mark.parametrize(
    ("idx", "changes", "expected"),
    [
        (0, {"capacity": 6}, ("capacity", "route 1 carries 7 of 6")),
        (0, {"tw_late": 55}, None),
        (0, {"tw_late": 54}, ("window", LATE)),
        (1, {"shift_duration": 50}, None),
        (1, {"shift_duration": 49}, ("shift", "route 2 takes 50 of 49")),
        (1, {"max_distance": 40}, None),
        (1, {"max_distance": 39}, ("distance", "route 2 takes 40 of 39")),
        (1, {"max_driving_time": 40}, None),
        (1, {"max_driving_time": 39}, ("driving", "route 2 takes 40 of 39")),
        (1, {"max_stops": 2, "min_stops": 2}, None),
        (1, {"max_stops": 1}, ("stops", "route 2 has 2 stops of 1")),
        (1, {"min_stops": 3}, ("stops", "route 2 has 2 stops, fewer than 3")),
        (0, {"min_load": 7}, None),
        (0, {"min_load": 8}, ("load", "route 1 has a load of 7, less than 8")),
    ],
)
def test_limits_of_vehicles(
    two_depots: nr.Instance,
    idx: int,
    changes: dict[str, Any],
    expected: tuple[str, str] | None,
) -> None:
    """Both sides of each limit."""
    changed = with_type(two_depots, idx, **changes)
    plan = nr.Solution.from_routes(changed, [[1, 2], [4, 3]], [0, 1])
    found = nr.check_solution(changed, plan)
    assert found == ([] if expected is None else [Violation(*expected)])


def test_vehicles_that_are_not_there(two_depots: nr.Instance) -> None:
    """One vehicle of type 1, and no type 2."""
    plan = nr.Solution.from_routes(two_depots, [[1, 2], [4], [3]], [0, 1, 1])
    assert nr.check_solution(two_depots, plan) == [
        Violation("vehicles", "there are 2 routes for 1 vehicle of type 1")
    ]
    unknown = nr.Solution(((1, 2), (4, 3)), 0.0, (0, 2))
    assert nr.check_solution(two_depots, unknown) == [
        Violation("unknown", "there is no vehicle type 2")
    ]
    short = nr.Solution(((1, 2), (4, 3)), 0.0, (0,))
    assert nr.check_solution(two_depots, short) == [
        Violation("unknown", "1 vehicle types are given for 2 routes")
    ]


def test_real_times_have_a_tolerance() -> None:
    """A sum of thirds is no violation of a whole limit."""
    third = np.full((3, 3), 1 / 3)
    for limit, kinds in ((1.0, []), (0.9, ["shift"])):
        instance = nr.Instance(
            "thirds",
            np.array([0, 1, 1]),
            2,
            matrix=np.ones((3, 3)),
            durations=third,
            fleet=nr.Fleet(
                (nr.VehicleType(capacity=2, shift_duration=limit),)
            ),
            windows=nr.TimeWindows.of(3),
        )
        plan = nr.Solution.from_routes(instance, [[1, 2]])
        found = [v.kind for v in nr.check_solution(instance, plan)]
        assert found == kinds


@pytest.mark.parametrize(
    ("legs", "limit", "expected"),
    [
        ((0.1, 2.7, 0.2), 3, []),
        ((0.1, 0.1, 0.1), 0.3, []),
        ((1, 1, 1), 3 - 1e-10, []),
        ((0.1, 2.7, 0.2), 2.9999, ["route 1 takes 3 of 2.9999"]),
        (
            (10**9, 10**9, 1),
            2 * 10**9,
            ["route 1 takes 2000000001 of 2000000000"],
        ),
    ],
)
def test_sums_have_a_tolerance_and_whole_ones_none(
    legs: tuple[float, float, float], limit: float, expected: list[str]
) -> None:
    """The decimals add up to a little more than 3, or 0.3."""
    matrix = np.zeros((3, 3))
    matrix[0, 1], matrix[1, 2], matrix[2, 0] = legs
    van = nr.VehicleType(capacity=2, max_distance=limit)
    instance = nr.Instance(
        demands=np.array([0, 1, 1]), matrix=matrix, fleet=nr.Fleet((van,))
    )
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    found = nr.check_solution(instance, plan)
    assert [one.message for one in found] == expected


@pytest.mark.parametrize(
    ("van", "times", "expected"),
    [
        (
            {},
            {"tw_late": [99, 4, 99]},
            "route 1 reaches customer 1 1 too late",
        ),
        (
            {"start_late": 10},
            {"release_times": [0, 0, 12]},
            "route 1 reaches its depot 2 too late",
        ),
        (
            {"tw_early": 2, "tw_late": 32},
            {"service_durations": [0, 30, 1]},
            "route 1 reaches its depot 15 too late",
        ),
        (
            {"tw_early": 2, "tw_late": 32},
            {"service_durations": [0, 1, 31]},
            "route 1 reaches its depot 16 too late: the service at customer 2 "
            "takes 31, longer than the shift of 30",
        ),
        (
            {"tw_early": 2},
            {"service_durations": [0, 31, 1], "tw_late": [32, 99, 99]},
            "route 1 reaches its depot 16 too late: the service at customer 1 "
            "takes 31, longer than the shift of 30",
        ),
    ],
)
def test_late_places_are_named(
    van: dict[str, Any], times: dict[str, Any], expected: str
) -> None:
    """Ways of 5, 3 and 6: 14 with what services take."""
    matrix = np.zeros((3, 3))
    matrix[0, 1], matrix[1, 2], matrix[2, 0] = 5, 3, 6
    instance = nr.Instance(
        demands=np.array([0, 1, 1]),
        matrix=matrix,
        fleet=nr.Fleet((nr.VehicleType(capacity=2, **van),)),
        windows=nr.TimeWindows.of(3, **times),
    )
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    found = nr.check_solution(instance, plan)
    assert [one.message for one in found] == [expected]


def test_vehicles_of_the_only_type_need_no_number() -> None:
    """There is one van, and two routes."""
    instance = nr.Instance(
        demands=np.array([0, 1, 1]),
        matrix=np.ones((3, 3)),
        fleet=nr.Fleet((nr.VehicleType(capacity=2, num_available=1),)),
    )
    plan = nr.Solution.from_routes(instance, [[1], [2]])
    assert nr.check_solution(instance, plan) == [
        Violation("vehicles", "there are 2 routes for 1 vehicle")
    ]


@pytest.mark.parametrize(
    ("changes", "rest", "expected"),
    [
        ({}, {}, None),
        ({"begins": (0, 10, 25, 36), "end": 36}, {}, None),  # it may wait
        ({"start": -1}, {}, "cannot be driven"),
        ({"start": 1}, {}, "reaches its depot 1 too late"),
        ({"begins": (0, 9, 25, 35)}, {}, "reaches customer 1 1 too late"),
        ({"begins": (0, 13, 25, 35)}, {}, "cannot be driven"),
        ({"begins": (0, 25, 10, 35)}, {}, "reaches customer 2 15 too late"),
        ({"begins": (0, 10, 25, 34)}, {}, "reaches its depot 1 too late"),
        ({"begins": (0, 10, 25, 36)}, {}, "cannot be driven"),
        ({"end": 34}, {}, "cannot be driven"),
        ({"end": 36}, {}, "cannot be driven"),
        ({"breaks": ()}, {}, "has no time for the break"),
        ({}, {"number": 1}, "has no time for the break"),
        ({}, {"place": 1}, "reaches customer 1 15 too late"),
        ({}, {"place": 9}, "has no time for the break"),
        ({}, {"begin": 11}, "has no time for the break"),
        ({}, {"begin": 14, "share": 0.4}, "has no time for the break"),
        ({}, {"begin": 13, "share": 0.4}, "cannot be driven"),
        ({}, {"duration": 4}, "has no time for the break"),
        ({}, {"duration": 6}, "reaches customer 2 1 too late"),
        ({}, {"share": 0.1}, "reaches customer 2 1 too late"),
        ({}, {"share": 0.4}, "cannot be driven"),
        ({}, {"share": -0.5}, "reaches customer 2 2 too late"),
        ({"begins": (0, 10, 30, 40), "end": 40}, {"share": 0.0}, None),
        (
            {"begins": (0, 10, 30, 40), "end": 40},
            {"share": -0.5},
            "cannot be driven",
        ),
        (
            {"begins": (0, 10, 30, 40), "end": 40},
            {"share": np.nan},
            "cannot be driven",
        ),
    ],
)
def test_wrong_times_are_seen(
    changes: dict[str, Any],
    rest: dict[str, Any],
    expected: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is 10 from 0 to 10 and on to 25, with a break of 5 at 12 or 13."""
    van = nr.VehicleType(capacity=2, breaks=(nr.Break(5, ((12, 13),)),))
    instance = nr.Instance(
        demands=np.array([0, 1, 1]),
        matrix=10.0 - 10 * np.eye(3),
        fleet=nr.Fleet((van,)),
        windows=nr.TimeWindows.of(3, windows=[[], [(0, 6), (8, 30)], []]),
    )
    plan = nr.Solution.from_routes(instance, [[1, 2]])
    [schedule] = plan.schedules(instance)
    [own] = schedule.breaks
    assert (schedule.begins, own.begin) == ((0, 10, 25, 35), 12)
    wrong = replace(schedule, **{"breaks": (own._replace(**rest),), **changes})
    monkeypatch.setattr(
        "ncc_routing.problems.routes.checking.schedule_route",
        lambda *_, **__: wrong,
    )
    found = [one.message for one in nr.check_solution(instance, plan)]
    if expected is None:
        assert found == []
    else:
        assert expected in found[0]


def test_an_empty_route_may_be_late() -> None:
    """The way from one depot to the other takes 9 of 5."""
    van = nr.VehicleType(end_depot=1, tw_late=5)
    instance = nr.Instance(
        "empty",
        np.array([0, 1, 0]),
        coords=np.array([[0, 0], [1, 0], [9, 0]]),
        num_depots=2,
        fleet=nr.Fleet((van,)),
    )
    found = nr.check_solution(instance, nr.Solution(((),), 9.0, (0,)))
    assert [(one.kind, one.message) for one in found] == [
        ("missing", "customer 1 is not visited"),
        ("empty", "route 1 is empty"),
        ("window", "route 1 reaches its depot 4 too late"),
    ]
