"""Routes of fleets as the kernels see them: schedules, costs and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing._core import fleets as kernels
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.pyvrp.adapter import from_problem_data
from ncc_routing.vrp.search.fleets._state import RichPlan
from ncc_routing.vrp.search.fleets.search import RichSearch
from tests.oracles.problems import random_problem
from tests.vrp.search.calls import search_params
from tests.vrp.search.test_fleet_search import generated

NUM_PROBLEMS = 256
"""Random problems: each combination of features once."""


def test_the_state_is_that_of_its_routes() -> None:
    """Costs and times after many changes, undone or not, are those anew."""
    for instance in generated():
        search = RichSearch(instance, 1)
        search.insert_all(TimeLimit())
        start = search.current()
        search.load(start)
        search.run(nr.MaxIterations(3_000), start)
        assert search.num_iterations == 3_000
        state, found = search.state, search.current()
        assert state.cost == pytest.approx(found.cost)
        assert state.best_cost == pytest.approx(search.best().cost)
        assert state.num_routes == found.num_routes
        search.load(found)
        anew, size = search.state, instance.num_customers + 1
        assert anew.cost == pytest.approx(state.cost)
        assert (anew.ready[1:size] == state.ready[1:size]).all()
        assert (anew.latest[1:size] == state.latest[1:size]).all()
        costs = np.sort(state.route_costs[state.route_costs > 0])
        expected = np.sort(anew.route_costs[anew.route_costs > 0])
        assert costs == pytest.approx(expected)


def test_an_insertion_costs_what_the_longer_route_costs_more() -> None:
    """Judged in O(1), or refused where the longer route is infeasible."""
    num_feasible = num_refused = 0
    for seed in range(NUM_PROBLEMS):
        instance = from_problem_data(random_problem(seed, 6))
        if instance.num_customers < 2:
            continue
        space = RichSearch(instance, 1).space
        problem = space.problem
        *route, customer = range(1, instance.num_customers + 1)
        path = space.ranks[route]
        kind = int(problem.type_of[0])
        old = problem.path_cost(path, kind)
        if math.isinf(old):
            continue
        solution = nr.Solution.from_routes(instance, [route], [kind])
        state = space.load(space.pack(solution), 1, [1])
        load = int(instance.demands[[*route, customer]].sum())
        if load > space.vehicles[kind].capacity:
            continue
        for spot in range(len(route) + 1):
            before = path[spot - 1] if spot else len(route) + 2
            longer = np.insert(path, spot, space.ranks[customer])
            new = problem.path_cost(longer, kind)
            found = state.insertion_cost(space.ranks[customer], before)
            assert found == pytest.approx(new - old), (seed, spot)
            num_feasible += not math.isinf(new)
            num_refused += math.isinf(new)
    assert min(num_feasible, num_refused) > 50


def test_paths_cost_what_their_schedules_say() -> None:
    """Random routes of random problems; infinite where they break a limit."""
    rng = np.random.default_rng(1)
    num_feasible = 0
    for seed in range(NUM_PROBLEMS):
        instance = from_problem_data(random_problem(seed, 6))
        space = RichSearch(instance, 1).space
        order = rng.permutation(instance.num_customers) + 1
        route = order[: rng.integers(1, len(order) + 1)]
        for kind in range(len(instance.vehicle_types)):
            found = space.problem.path_cost(space.ranks[route], kind)
            solution = nr.Solution.from_routes(instance, [route], [kind])
            broken = {v.kind for v in nr.check_solution(instance, solution)}
            if broken - {"missing"}:
                assert math.isinf(found), seed
            else:
                [cost] = solution.route_costs(instance)
                assert space.breaks_ties or found == cost, seed
                num_feasible += 1
    assert num_feasible > NUM_PROBLEMS / 4


def vehicle(**changes: Any) -> kernels.VehicleType:
    """Return a vehicle type without limits, for two routes."""
    known: dict[str, Any] = dict.fromkeys(
        ("fixed_cost", "duration_cost", "start_duration", "start_early"), 0
    )
    known |= dict.fromkeys(("end_duration", "end_early"), 0)
    known |= dict.fromkeys(
        ("max_distance", "max_duration", "start_late", "end_late"), np.inf
    )
    known |= dict.fromkeys(("start", "end", "profile", "first_route"), 0)
    known |= {"capacity": 9, "distance_cost": 1, "end_route": 2}
    return kernels.VehicleType(**known | changes)


def problem(**changes: Any) -> kernels.FleetProblem:
    """Return three customers, each 1 away from everything."""
    arcs, times = 1.0 - np.eye(4)[None], np.zeros(4)
    known: dict[str, Any] = dict.fromkeys(
        ("distances", "distances_back", "durations", "durations_back"), arcs
    )
    known |= dict.fromkeys(("early", "service", "release"), times)
    known |= dict.fromkeys(("late", "limit"), times + np.inf)
    known |= {
        "demands": np.array([0, 1, 1, 1]),
        "round_trip": np.array([0.0, 2.0, 2.0, 2.0]),
        "neighbours": np.array(
            [[0, 0], [2, 3], [1, 3], [1, 2]], dtype=np.uint32
        ),
        "near": np.ones((4, 2)),
        "num_candidates": 2,
        "vehicles": [vehicle()],
        **dict.fromkeys(("is_metric", "is_symmetric"), True),
        **dict.fromkeys(("is_timed", "counts_duration"), False),
        **dict.fromkeys(("limits_distance", "has_exact_lengths"), False),
    }
    return kernels.FleetProblem(**known | changes)


def state(**changes: Any) -> kernels.FleetSearch:
    """Return customers 1 and 2 on the first route; 3 is absent."""
    plan = RichPlan(np.array([1, 2], dtype=np.uint32), np.array([0, 2, 2]))
    known = {**plan._asdict(), "max_removed": 99, "seed": 1}
    known["members"] = np.array([3, 1, 2], dtype=np.uint32)
    return kernels.FleetSearch(problem(), **known | changes)


def test_an_absent_customer_gets_a_place() -> None:
    """Three in one route cost 4, and so does each in the other one."""
    found = state()
    assert (found.cost, found.num_absent, found.num_routes) == (3.0, 1, 1)
    assert found.best_cost == -np.inf
    assert found.insertion_cost(3, 1) == found.insertion_cost(3, 4) == 1.0
    assert found.insert_all(search_params(blink=0.0)) == 0
    assert (found.cost, found.best_cost) == (4.0, 4.0)
    assert found.next.tolist() == found.best_next.tolist()


WIDE = np.zeros((1, 4, 5))
FIVE = np.zeros(5)
INTO_NOTHING = np.array([[0], [4], [1], [1]], dtype=np.uint32)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"distances": WIDE}, "square"),
        ({"durations": np.zeros((1, 4, 4), dtype=np.float32)}, "one shape"),
        ({"durations": np.zeros((2, 4, 4))}, "one shape"),
        (dict.fromkeys(("early", "late"), FIVE), "times"),
        ({"demands": np.array([0, 1])}, "times"),
        ({"round_trip": FIVE}, "round_trip"),
        ({"near": np.ones((4, 3))}, "neighbours"),
        ({"neighbours": INTO_NOTHING, "near": np.ones((4, 1))}, "neighbours"),
        ({"vehicles": []}, "vehicles"),
        ({"vehicles": [vehicle(start=4)]}, "vehicles"),
        ({"vehicles": [vehicle(end=4)]}, "vehicles"),
        ({"vehicles": [vehicle(profile=1)]}, "vehicles"),
        ({"vehicles": [vehicle(first_route=1)]}, "vehicles"),
        ({"vehicles": [vehicle(), vehicle(first_route=1)]}, "vehicles"),
        ({"vehicles": [vehicle(end_route=-1)]}, "vehicles"),
        ({"vehicles": [vehicle(end_route=2**40)]}, "vehicles"),
    ],
)
def test_a_problem_whose_parts_do_not_fit_is_refused(
    changes: dict[str, Any], message: str
) -> None:
    """Nothing that the kernels look up lies outside an array."""
    with pytest.raises(ValueError, match=message):
        problem(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"customers": np.array([1, 1], dtype=np.uint32)},
        {"customers": np.array([0, 1], dtype=np.uint32)},
        {"customers": np.array([1, 4], dtype=np.uint32)},
        {"starts": np.array([0, 2])},
        {"starts": np.array([0, 1, 1])},
        {"starts": np.array([0, 3, 2])},
        {"starts": np.array([1, 1, 2])},
        {"members": np.array([1, 2], dtype=np.uint32)},
        {"members": np.array([1, 2, 2], dtype=np.uint32)},
        {"members": np.array([0, 1, 2], dtype=np.uint32)},
        {"seed": 0},
        {"max_removed": -1},
    ],
)
def test_routes_that_cannot_be_loaded_are_refused(
    changes: dict[str, Any],
) -> None:
    """Each customer is on one route at most, and each route has a vehicle."""
    with pytest.raises(ValueError, match=r"must be"):
        state(**changes)


def test_calls_for_what_is_not_there_are_refused() -> None:
    """Nodes, types, and a ruin for which there is no room."""
    found = state(max_removed=3)
    params = search_params()
    for call in (
        lambda: found.insertion_cost(4, 1),
        lambda: found.insertion_cost(3, 5),  # an empty route
        lambda: found.insertion_cost(3, 6),
        lambda: found.insertion_cost(3, 3),  # absent
        lambda: found.place_absent(params, 1, 1.0),
        lambda: found.anneal(params, 1, 1.0, 1.0),
        lambda: state().anneal(params, 1, 1.0, 1.0),
        lambda: problem().path_cost(np.array([4], dtype=np.uint32), 0),
        lambda: problem().path_cost(np.array([1], dtype=np.uint32), 1),
    ):
        with pytest.raises(ValueError, match=r"must"):
            call()
