"""Schedules of routes, worked out by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.checking import Violation
from ncc_routing.problems.schedules import route_costs, schedule_route
from ncc_routing.pyvrp.adapter import from_problem_data
from tests.oracles.problems import random_problem, random_routes


def with_type(instance: nr.Instance, idx: int, **changes: Any) -> nr.Instance:
    """Return the instance with a changed vehicle type."""
    assert instance.fleet is not None
    types = list(instance.fleet.types)
    types[idx] = replace(types[idx], **changes)
    capacity = max(kind.capacity for kind in types)
    return replace(instance, capacity=capacity, fleet=nr.Fleet(tuple(types)))


def test_a_route_starts_late_enough_not_to_wait(
    two_depots: nr.Instance,
) -> None:
    """40 of driving and 10 of service; customer 2 opens at 30: start at 5."""
    schedule = schedule_route(two_depots, [1, 2])
    assert (schedule.visits, schedule.start) == ((0, 1, 2, 0), 5)
    assert schedule.begins == (5, 15, 30, 55)
    assert schedule.waits == (0, 0, 0, 0)
    assert schedule.lateness == (0, 0, 0, 0)
    assert (schedule.distance, schedule.duration) == (40, 50)
    assert (schedule.load, schedule.cost) == (7, 5 + 40)


def test_a_route_waits_where_it_must_start_early(
    two_depots: nr.Instance,
) -> None:
    """It starts at 2 at the latest, so it waits for 3 at customer 2."""
    early = with_type(two_depots, 0, start_late=2, unit_duration_cost=10)
    schedule = schedule_route(early, [1, 2])
    assert schedule.start == 2
    assert schedule.begins == (2, 12, 30, 55)
    assert schedule.waits == (0, 0, 3, 0)
    assert (schedule.duration, schedule.cost) == (53, 5 + 40 + 530)


def test_routes_have_the_depots_of_their_type(two_depots: nr.Instance) -> None:
    """From 100 to 90 and 80 and back, twice 40; or on to the depot at 0."""
    schedule = schedule_route(two_depots, [4, 3], 1)
    assert schedule.visits == (5, 4, 3, 5)
    assert (schedule.distance, schedule.cost) == (40, 80)
    through = with_type(two_depots, 1, end_depot=0)
    assert schedule_route(through, [4, 3], 1).visits == (5, 4, 3, 0)
    assert schedule_route(through, [4, 3], 1).distance == 100


def test_lateness_is_counted_at_the_stop(two_depots: nr.Instance) -> None:
    """Customer 2 after 3: 80 + 5 + 60 = 145, 85 after its window."""
    schedule = schedule_route(two_depots, [3, 2])
    assert schedule.lateness == (0, 0, 85, 0)
    assert schedule.begins == (0, 80, 60, 85)


def test_a_release_holds_the_start_back(two_depots: nr.Instance) -> None:
    """Both sides of the latest start, which is 35."""
    windows = two_depots.windows
    assert windows is not None
    for release, lateness in ((35, 0), (36, 1)):
        times = replace(
            windows, release_times=np.array([0, release, 0, 0, 0, 0])
        )
        held = replace(two_depots, windows=times)
        schedule = schedule_route(held, [1, 2])
        assert schedule.start == release
        assert sum(schedule.lateness) == lateness
        assert schedule.duration == 50


def test_profiles_have_their_own_ways(two_depots: nr.Instance) -> None:
    """7 and 1 for every arc; else the distances, and durations of 20."""
    profile = nr.Profile(np.full((6, 6), 7), np.ones((6, 6)))
    other = with_type(replace(two_depots, profiles=(profile,)), 1, profile=1)
    schedule = schedule_route(other, [4, 3], 1)
    assert (schedule.distance, schedule.duration) == (21, 3 + 10)
    assert schedule_route(other, [1, 2], 0).distance == 40
    slow = replace(two_depots, durations=np.full((6, 6), 20))
    schedule = schedule_route(slow, [1, 2])
    assert (schedule.distance, schedule.duration) == (40, 70)


def test_the_best_plan_is_feasible(
    two_depots: nr.Instance, two_depots_plan: nr.Solution
) -> None:
    """Cost 45 + 80, and its routes as figures show them."""
    assert two_depots_plan.cost == 125
    assert two_depots_plan.route_costs(two_depots) == [45, 80]
    assert two_depots_plan.visits(two_depots) == [(0, 1, 2, 0), (5, 4, 3, 5)]
    assert nr.check_solution(two_depots, two_depots_plan) == []


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


def test_a_customer_that_is_late(two_depots: nr.Instance) -> None:
    """The check says where and by how much."""
    plan = nr.Solution.from_routes(two_depots, [[1], [4, 3, 2]], [0, 1])
    found = nr.check_solution(two_depots, plan)
    late = Violation("window", "route 2 reaches customer 2 30 too late")
    assert late in found
    assert [v.kind for v in found] == ["capacity", "window", "shift"]


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


def test_costs_without_a_schedule() -> None:
    """Are those of the schedules, whatever costs and rules there are."""
    priced = set()
    for seed in range(200):
        data = random_problem(seed)
        instance = from_problem_data(data)
        routes, kinds = random_routes(data, seed)
        driven = list(zip(routes, kinds, strict=True))
        costs = [schedule_route(instance, *each).cost for each in driven]
        assert route_costs(instance, routes, kinds) == costs
        for kind in kinds:
            unit = instance.vehicle_types[kind].unit_duration_cost
            priced.add(unit > 0)
    assert priced == {False, True}


@pytest.mark.parametrize("name", ["matrix", "durations"])
def test_forbidden_arcs_cost_everything(name: str) -> None:
    """Whether a distance is infinite or a duration."""
    ways = np.ones((3, 3)) - np.eye(3)
    forbidden = ways.copy()
    forbidden[1, 2] = np.inf
    windows = nr.TimeWindows.of(3, tw_late=np.full(3, 9))
    given: dict[str, Any] = {"matrix": ways, name: forbidden}
    instance = nr.Instance(
        "one", np.array([0, 1, 1]), 2, windows=windows, **given
    )
    assert route_costs(instance, [[2, 1], [1, 2]], [0, 0]) == [3.0, np.inf]
