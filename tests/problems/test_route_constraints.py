"""Route constraints: what they hold and refuse, and what is left of them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.problems import features
from ncc_routing.problems.plain import from_plain, to_plain
from ncc_routing.problems.routes.simplification import Prepared, simplify
from ncc_routing.problems.routes.timetable import list_stops
from tests.oracles import problems
from tests.oracles.checker import Checker

TYPES = (
    nr.VehicleType(capacity=9, skills=("lift", "cold"), name="van"),
    nr.VehicleType(capacity=9, skills=("lift",)),
)
RULES = nr.RouteConstraints(
    skills=((), ("lift",), ("cold", "lift"), (), (), ()),
    vehicles=(None, None, None, (1, 0), (1,), None),
    same_route=((1, 2),),
    different_routes=((3, 4), (2, 4)),
    districts=(-1, 0, 0, 1, 2, -1),
    max_districts=2,
    in_progress=(nr.InProgressRoute(0, (2, 1)),),
)


@pytest.fixture
def ruled() -> nr.Instance:
    """Four customers on a line, two depots, and every rule."""
    return nr.Instance(
        name="ruled",
        demands=np.array([0, 1, 1, 1, 1, 0]),
        coords=np.array([[x, 0] for x in (0, 1, 2, 3, 4, 5)]),
        num_depots=2,
        fleet=nr.Fleet(TYPES),
        constraints=RULES,
    )


def test_every_rule_is_a_feature(ruled: nr.Instance) -> None:
    """An instance without any has none of them."""
    in_order = replace(RULES, precedences=((2, 1),))
    ordered = replace(ruled, constraints=in_order)
    assert set(ordered.features) >= features.ROUTE_RULES
    assert not ruled.is_cvrp
    for rules in (None, nr.RouteConstraints()):
        bare = replace(ruled, constraints=rules)
        assert not features.ROUTE_RULES & set(bare.features)
        assert bare.allowed_types() is None


def test_json_keeps_the_rules(ruled: nr.Instance) -> None:
    """Lists of different lengths, names and in-progress routes."""
    again = from_plain(nr.Instance, to_plain(ruled))
    assert again.constraints == RULES
    assert again.fleet == ruled.fleet
    in_progress = (
        nr.InProgressRoute(0, (2, 1), (3, None, 9)),
        nr.InProgressRoute(1, (4,)),
    )
    driven = replace(
        ruled, constraints=nr.RouteConstraints(in_progress=in_progress)
    )
    assert (
        from_plain(nr.Instance, to_plain(driven)).constraints
        == driven.constraints
    )


def test_types_are_named_in_words(ruled: nr.Instance) -> None:
    """By number, with the name where they have one."""
    assert ruled.describe_type(0) == "vehicle type 0 (name van)"
    assert ruled.describe_type(1) == "vehicle type 1"


NONE = (None,) * 6


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"skills": "lift"}, "skills: must be a list of lists"),
        ({"skills": ("lift",) * 6}, "skills: must be a list of names"),
        ({"skills": ((1,),)}, "skills: must be a str, got int"),
        ({"skills": ((" ",),)}, "skills: a name must be a text"),
        ({"vehicles": ((),) * 6}, "vehicles: must name a vehicle type"),
        ({"same_route": ((),)}, "same_route: a group must be one or more"),
        ({"same_route": ((1, 1),)}, "same_route: a group must be one or more"),
        ({"districts": (-2,) * 6}, "districts: must be -1 for none"),
        ({"districts": (0.5,) * 6}, "districts: must be whole numbers"),
        (
            {"districts": (), "max_districts": 1},
            "max_districts: needs the district of each node",
        ),
        ({"max_districts": 0}, "max_districts: must be at least 1"),
        (
            {"in_progress": ((0, (1,)),)},
            "in_progress, entry 1: must be an InProgressRoute",
        ),
    ],
)
def test_values_of_another_kind(changes: Any, message: str) -> None:
    """The message names field and rule."""
    with pytest.raises(nr.InstanceError, match=message):
        nr.RouteConstraints(**{**vars(RULES), **changes})


@pytest.mark.parametrize(("kind", "customers"), [(0, ()), (0, (1, 1))])
def test_a_in_progress_route_has_customers(kind: int, customers: Any) -> None:
    """At least one, each once."""
    with pytest.raises(nr.InstanceError, match="one or more different"):
        nr.InProgressRoute(kind, customers)


@pytest.mark.parametrize(
    ("departures", "message"),
    [
        ((0, 5), "one of the depot, and one of each stop, got 2"),
        ((0, 5, 4), "must not be before the one of an earlier stop"),
        ((4, None, 3), "must not be before the one of an earlier stop"),
        ((-1, None, 3), "must not be negative"),
        ((0.5, None, float("inf")), "must be at most"),
        ((None, None, 2**51 + 1), "must be at most"),
        (5, "must be a list of times"),
    ],
)
def test_departures_that_cannot_be(departures: Any, message: str) -> None:
    """One for each stop, in their order."""
    with pytest.raises(nr.InstanceError, match=f"departures: .*{message}"):
        nr.InProgressRoute(0, (1, 2), departures)


def test_departures_of_which_none_is_known() -> None:
    """They are as good as none; equal ones may be."""
    assert nr.InProgressRoute(0, (1,), (None, None)).departures == ()
    assert nr.InProgressRoute(0, (1,), (2, 2)).departures == (2, 2)


def departed(
    departures: tuple[float | None, ...], release: int = 0, shift: int = 999
) -> nr.Instance:
    """Three customers on a line, one or more of whom are served.

    The vehicle had to start by 2, and customer 1 closed at 8: both too late.
    """
    return nr.Instance(
        name="departed",
        demands=np.array([0, 1, 1, 1]),
        coords=np.array([[0, 0], [10, 0], [20, 0], [30, 0]]),
        windows=nr.TimeWindows(
            np.array([0, 0, 0, 60]),
            np.array([200, 8, 100, 70]),
            np.array([1, 2, 2, 2]),
            np.array([0, 99, release, 0]),
        ),
        fleet=nr.Fleet(
            (
                nr.VehicleType(
                    capacity=9,
                    unit_duration_cost=1,
                    tw_late=200,
                    start_late=2,
                    shift_duration=shift,
                ),
            )
        ),
        constraints=nr.RouteConstraints(
            in_progress=(
                nr.InProgressRoute(
                    0, (*range(1, len(departures)),), departures
                ),
            )
        ),
    )


@pytest.mark.parametrize(
    ("changes", "begins", "duration"),
    [
        # Start 4, and 1 at the depot; from 20 on 2 is 10 away, 3 is closed.
        ({"departures": (5, 20)}, (4, 18, 30, 60, 92), 88),
        # Start 7: 20 without the service, the way and the depot.
        ({"departures": (None, 20)}, (7, 18, 30, 60, 92), 85),
        # There at 15 and gone at 17.
        ({"departures": (5, None)}, (4, 15, 27, 60, 92), 88),
        # Faster than any way, and than any service.
        ({"departures": (0, 0)}, (0, 0, 10, 60, 92), 92),
        ({"departures": (5, 48)}, (4, 46, 58, 70, 102), 98),
        ({"departures": (5.5, 20.25)}, (4.5, 18.25, 30.25, 60, 92), 87.5),
    ],
)
def test_known_departures_stay(
    changes: Any, begins: tuple[float, ...], duration: float
) -> None:
    """Whatever the windows are; what follows is as early as it can be."""
    instance = departed(**changes)
    plan = nr.Solution.from_routes(instance, [[1, 2, 3]])
    [found] = plan.schedules(instance)
    assert found.begins == begins
    assert found.duration == duration
    assert plan.cost == 60 + duration
    assert not any(found.lateness)
    assert nr.check_solution(instance, plan) == []
    left = changes["departures"][1]
    for each in (instance, simplify(instance)):
        stops = list_stops(each, plan)
        expected = begins[1] + 2 if left is None else left
        assert stops["departure"][1] == expected
        assert stops["arrival"][1] >= stops["departure"][0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"skills": ((),) * 5}, "skills: must hold 6 entries"),
        ({"vehicles": (None,) * 7}, "vehicles: must hold 6 entries"),
        ({"districts": (0,) * 6}, "say nothing of depot 1, got 0"),
        (
            {"skills": (("lift",), (), (), (), (), ())},
            "say nothing of depot 1, got ..lift",
        ),
        (
            {"vehicles": (*NONE[1:], (0,))},
            "vehicles: must say nothing of depot 2",
        ),
        (
            {"vehicles": (None, (2,), *NONE[2:])},
            "vehicles: must be vehicle types 0..1, got 2",
        ),
        (
            {"in_progress": (nr.InProgressRoute(2, (1,)),)},
            "in_progress: must be vehicle types 0..1, got 2",
        ),
        ({"same_route": ((1,), (5,))}, "same_route 2: must be customers 1..4"),
        ({"different_routes": ((0,),)}, "different_routes 1: must be custom"),
        (
            {"in_progress": (nr.InProgressRoute(0, (9,)),)},
            "in_progress 1: must be customers 1..4",
        ),
        (
            {
                "in_progress": (
                    nr.InProgressRoute(0, (1,)),
                    nr.InProgressRoute(1, (2, 1)),
                )
            },
            "in_progress: customer 1 must be on one in-progress route",
        ),
        (
            {"same_route": ((3, 1, 4),)},
            "customer 3 and customer 4 must share a route, and must not",
        ),
    ],
)
def test_rules_that_do_not_suit_the_instance(
    ruled: nr.Instance, changes: Any, message: str
) -> None:
    """Node, type and customer are those of the instance."""
    with pytest.raises(
        nr.InstanceError, match=f"ruled: constraints.*{message}"
    ):
        replace(ruled, constraints=replace(RULES, **changes))


def test_rules_that_all_routes_keep_are_left_out(ruled: nr.Instance) -> None:
    """All vehicles can, groups of one, and no more districts than allowed."""
    rules = nr.RouteConstraints(
        skills=((), ("lift",), (), (), (), ()),
        vehicles=(None, (0, 1), *NONE[2:]),
        same_route=((1,),),
        different_routes=((1,),),
        districts=RULES.districts,
        max_districts=3,
    )
    simple = simplify(replace(ruled, constraints=rules))
    assert not simple.features
    assert simple.constraints is None
    kept = simplify(
        replace(ruled, constraints=replace(rules, max_districts=2))
    )
    assert kept.constraints == nr.RouteConstraints(
        districts=RULES.districts[:5], max_districts=2
    )


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        (nr.RouteConstraints(same_route=((1, 2),)), 1),
        (nr.RouteConstraints(vehicles=(None, (1,), *NONE[2:])), 2),
        (nr.RouteConstraints(in_progress=(nr.InProgressRoute(1, (1,)),)), 2),
    ],
)
def test_equal_types_stay_apart_where_a_rule_names_one(
    ruled: nr.Instance, rules: nr.RouteConstraints, count: int
) -> None:
    """Types that differ in their names and skills alone."""
    simple = simplify(replace(ruled, constraints=rules))
    assert len(simple.vehicle_types) == count
    assert simple.constraints is not None
    found = nr.Solution.from_routes(simple, [[1, 2], [3, 4]], [count - 1, 0])
    restored = Prepared.of(replace(ruled, constraints=rules)).to_given(found)
    assert restored.vehicle_types == (count - 1, 0)


@pytest.mark.parametrize(
    ("changes", "routes", "kinds", "expected"),
    [
        ({}, [[2, 1, 3], [4]], [0, 1], None),
        ({}, [[2, 1, 5, 3], [4]], [0, 1], None),
        ({"in_progress": ()}, [[1, 2, 3], [4]], [0, 1], None),
        (
            {},
            [[1, 2, 3], [4]],
            [0, 1],
            "no route of vehicle type 0 (name van) begins with customer 2 and "
            "customer 1",
        ),
        (
            {"skills": ()},
            [[2, 1, 3], [4]],
            [1, 1],
            "no route of vehicle type 0 (name van) begins with customer 2 and "
            "customer 1",
        ),
        (
            {"in_progress": (nr.InProgressRoute(1, (4,)),)},
            [[1, 2, 3], [4]],
            [0, 1],
            None,
        ),
        (
            {"in_progress": ()},
            [[1, 2, 3], [4]],
            [1, 1],
            "route 1 serves customer 2, who needs cold, by vehicle type 1",
        ),
        (
            {},
            [[2, 1, 3], [4]],
            [0, 0],
            "route 2 serves customer 4 by vehicle type 0 (name van), and only "
            "vehicle type 1 may",
        ),
        (
            {"in_progress": ()},
            [[1, 3], [2], [4]],
            [0, 0, 1],
            "customer 1 and customer 2 must be on one route, and are on "
            "routes 1, 2",
        ),
        ({"in_progress": ()}, [[1, 3], [4]], [0, 1], None),
        (
            {},
            [[2, 1], [3, 4]],
            [0, 1],
            "route 2 serves customer 3 and customer 4, who must be on "
            "different routes",
        ),
        ({"max_districts": 1}, [[2, 1], [3], [4]], [0, 1, 1], None),
        (
            {"max_districts": 1},
            [[2, 1, 3], [4]],
            [0, 1],
            "route 1 visits 2 districts of 1",
        ),
    ],
)
def test_rules_of_plans(
    ruled: nr.Instance,
    changes: Any,
    routes: list[list[int]],
    kinds: list[int],
    expected: str | None,
) -> None:
    """Both sides of each. Nobody must be served; node 5 is a reload."""
    types = tuple(replace(kind, reload_depots=(1,)) for kind in TYPES)
    instance = replace(
        ruled,
        fleet=nr.Fleet(types),
        selection=nr.Selection(np.zeros(6), np.zeros(6)),
        constraints=replace(RULES, **changes),
    )
    plan = nr.Solution.from_routes(instance, routes, kinds)
    found = [one.message for one in nr.check_solution(instance, plan)]
    assert found == ([expected] if expected else [])


def test_rules_of_unknown_customers_are_not_judged(ruled: nr.Instance) -> None:
    """The check says that there is no such customer."""
    plan = nr.Solution(((9, 4, 3),), 0.0, (0,))
    kinds = {one.kind for one in nr.check_solution(ruled, plan)}
    assert kinds == {"unknown", "missing"}


@given(st.integers(0, 10**6), st.integers(0, 10**6))
@settings(max_examples=300, deadline=None)
def test_random_plans_against_a_slow_judge(number: int, seed: int) -> None:
    """The kinds of what is broken agree, after a simplification too."""
    instance = problems.random_problem(
        number, ("types", "reloads", *problems.RULES)
    )
    plan = problems.random_plan(instance, seed)
    expected = Checker(instance).broken_rules(plan)
    names = {"skill", "pin", "together", "apart", "district", "in_progress"}
    found = {one.kind for one in nr.check_solution(instance, plan)}
    if "unknown" in found:  # a depot where nobody may reload
        return
    assert found & names == expected
    simple = simplify(instance)
    if len(simple.vehicle_types) == len(instance.vehicle_types):
        again = {one.kind for one in nr.check_solution(simple, plan)}
        assert again & names == expected
