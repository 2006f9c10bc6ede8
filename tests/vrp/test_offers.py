"""Places for one more order in a plan."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.routes.unserved import without_required
from tests.oracles.checker import Checker
from tests.oracles.problems import (
    DAY,
    EVERYTHING,
    FLEETS,
    LIMITS,
    PARTS,
    PREFERRED,
    RULES,
    random_problem,
)
from tests.oracles.short_days import (
    SHORT_EU,
    SHORT_US,
    begun_day,
    day_with_breaks,
    random_day,
)
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Iterator


STOP = nr.stop.MaxIterations(100)


SETS = {
    "rules": EVERYTHING,
    "breaks": (*FLEETS, *PARTS, *RULES, *LIMITS, *DAY, "open", "setups"),
    "preferred": (*FLEETS, *PARTS, *RULES, *LIMITS, *PREFERRED, "open"),
}
"""Features that problems may have together; ``Checker`` drives those of days
by whole minutes."""

HOURS = (SHORT_EU, SHORT_US)
DAYS = (random_day, day_with_breaks, begun_day)
"""Hours of service stand apart: ``Checker`` follows every minute of them."""


def problem_of(name: str, seed: int) -> nr.Instance:
    """Return a problem of a set, or a day by hours of service."""
    if name in SETS:
        return random_problem(seed, SETS[name], 6, share=0.25)
    return DAYS[seed // 2 % 3](seed, HOURS[seed % 2], 3)


def plan_of(instance: nr.Instance) -> nr.Result | None:
    """Return a plan of a problem, ``None`` where it has none."""
    try:
        return nr.solve(
            instance,
            nr.stop.MaxIterations(20),
            polish="ruin-recreate",
            allow_unserved=True,
        )
    except nr.InfeasibleError:
        return None


def orders_of(
    result: nr.Result,
) -> Iterator[tuple[nr.Result, list[list[int]]]]:
    """Yield the plan without each order that may be left out.

    And what may be served of it: a customer, a shipment, or one of a group.
    """
    instance = result.instance
    ends = [[one.pickup, one.delivery] for one in instance.shipments]
    groups = instance.selection.groups if instance.selection else ()
    members = [group.customers for group in groups]
    alone = {*range(1, instance.num_customers + 1)}
    alone = alone.difference(*ends, *members)
    orders = [[order] for order in (*ends, *([node] for node in alone))]
    orders += [[[node] for node in group] for group in members]
    for choices in orders:
        order = {*chain(*choices)}
        left = [[c for c in r if c not in order] for r in result.routes]
        driven = zip(left, result.best.vehicle_types, strict=True)
        depots = {*instance.depots}
        kept = [(r, idx) for r, idx in driven if not depots.issuperset(r)]
        plan = nr.Solution.from_routes(
            instance, [r for r, _ in kept], [idx for _, idx in kept]
        )
        asked = without_required(instance, instance.unserved(plan.routes))
        if Checker(asked).plan_cost(plan) < math.inf:
            yield replace(result, best=plan), choices


def placed(
    instance: nr.Instance, plan: nr.Solution, order: list[int]
) -> Iterator[nr.Solution]:
    """Yield each plan with the order, the others in their sequence."""
    driven = list(zip(plan.routes, plan.vehicle_types, strict=True))
    new = [((), idx) for idx in range(len(instance.vehicle_types))]
    for number, (route, idx) in enumerate([*driven, *new]):
        others = driven[:number] + driven[number + 1 : len(driven)]
        for first in range(len(route) + 1):
            more = [*route[:first], order[0], *route[first:]]
            for last in range(first + 1, len(more) + 1):
                whole = [*more[:last], *order[1:], *more[last:]]
                if order[1:] or last == first + 1:
                    routes = [*others, (whole, idx)]
                    yield nr.Solution.from_routes(
                        instance, *zip(*routes, strict=True)
                    )


@pytest.mark.parametrize("name", [*SETS, "hours"])
def test_all_places_that_break_nothing_are_offered(name: str) -> None:
    """At the cost of the plan with the order, as the oracle checks each."""
    num_offers = 0
    problems = seeds(80, 19) if name == "hours" else seeds(125, 13)
    for seed in problems:
        instance = problem_of(name, seed)
        result = plan_of(instance)
        for before, choices in orders_of(result) if result else ():
            order = {*chain(*choices)}
            others = {*instance.unserved(before.routes)} - order
            asked = without_required(instance, others)
            judge = Checker(asked)
            costs = [
                cost - before.cost
                for choice in choices
                for plan in placed(instance, before.best, choice)
                if (cost := judge.plan_cost(plan)) < math.inf
            ]
            rules = instance.constraints or nr.RouteConstraints()
            needed = {node for node in others if instance.required[node]}
            for group in rules.same_route:
                if {*group} & order and {*group} & needed:
                    costs = []  # who share a route stay out together
            offers = nr.offers(before, str(min(order)), 10**6)
            found = [offer.cost for offer in offers]
            assert found == pytest.approx(sorted(costs)), (seed, order)
            for offer in offers[:2]:
                after = offer.result
                cost = judge.plan_cost(after.best)
                assert after.cost == pytest.approx(cost), (seed, order)
                assert cost - before.cost == pytest.approx(offer.cost)
            num_offers += len(offers)
    assert num_offers > 20


def line(*places: int, rooms: tuple[int, ...] = (2, 2)) -> nr.Instance:
    """Return customers of demand 1 on a line, as "a", "b", and vans."""
    size = len(places) + 1
    windows = nr.TimeWindows.of(size, service_durations=[0, *[5] * (size - 1)])
    vans = (
        nr.VehicleType(name=name, num_available=1, capacity=room)
        for name, room in zip(("ann", "bob", "eve"), rooms, strict=False)
    )
    return nr.Instance(
        "line",
        np.array([0, *[1] * len(places)]),
        coords=np.array([[x, 0] for x in (0, *places)]),
        ids=("depot", *"abcdefg"[: size - 1]),
        fleet=nr.Fleet(tuple(vans)),
        windows=windows,
    )


def plan(
    instance: nr.Instance, *routes: tuple[int, ...], **more: Any
) -> nr.Result:
    """Return the routes of the first types as a result."""
    best = nr.Solution.from_routes(instance, routes, range(len(routes)))
    return nr.Result(instance, best, "given", "none", 1, (), 0.0, **more)


def test_an_offer_says_what_it_delays() -> None:
    """Ann serves a at 10 and b at 35: c between them delays b by 5 + 10."""
    result = plan(line(10, 30, rooms=(3, 1)), (1, 2))
    new = {"id": "c", "x": 35, "y": 0, "demand": 1, "service": 5}
    first, last, before = nr.offers(result, new, 3)
    assert (last.vehicle, last.position, last.start) == ("ann", 3, 45)
    assert (last.cost, last.delays, last.is_new) == (10, {}, False)
    assert (first.position, first.cost) == (2, 10)
    assert first.delays == {"b": 15}
    assert (
        str(first) == "ann, stop 2 at 40, cost +10, delays 1 order by up to 15"
    )
    assert (before.vehicle, before.is_new, before.cost) == ("ann", False, 50)
    assert [one.cost for one in nr.offers(result, new)] == [10, 10, 50, 70]
    taken = first.result
    assert taken.routes == ((1, 3, 2),)
    assert taken.instance.node_ids == ("depot", "a", "b", "c")
    assert taken.cost == result.cost + first.cost
    assert nr.Result.from_json(taken.to_json()).routes == taken.routes


def test_slots_are_priced_one_by_one() -> None:
    """The van is at c at 25, or waits until 60; by 5 it cannot be there."""
    result = plan(line(10, 30, rooms=(3,)), (1, 2))
    new = {"id": "c", "x": 20, "y": 0, "demand": 1}
    found = nr.offers(result, new, 1, slots=[(15, 26), (0, 5), (60, 70)])
    assert [(one.slot, one.start, one.position) for one in found] == [
        ((15, 26), 25, 2),
        ((60, 70), 60, 2),
    ]
    with pytest.raises(nr.InstanceError, match="a text or a pair"):
        nr.offers(result, new, slots=[(1, 2, 3)])
    wrong: Any
    for wrong in ("0-5", {}, {"0-5": 1}, [], 3):
        with pytest.raises(nr.ParameterError, match="slots must be a list"):
            nr.offers(result, new, slots=wrong)


def test_a_saved_setup_is_a_part_of_the_price() -> None:
    """Behind b at the same place, c needs no set-up of 7; alone it does."""
    windows = nr.TimeWindows.of(3, setup_durations=[0, 7, 7])
    van = nr.VehicleType(capacity=9, unit_duration_cost=1)
    instance = nr.Instance(
        "yard",
        np.array([0, 1, 1]),
        coords=np.array([[0, 0], [10, 0], [10, 0]]),
        fleet=nr.Fleet((van,)),
        windows=replace(windows, tw_late=np.array([100, 27, 17])),
    )
    result = plan(instance, (1,))
    found = nr.offers(result, "2")
    assert [one.cost for one in found] == [0, 0, 47]
    assert all(one.result.cost - result.cost == one.cost for one in found)


def test_times_end_somewhere() -> None:
    """Who is reached after 2**60 is too far away, without windows too."""
    far = np.array([[0, 0], [2.0**63, 0]])
    instance = nr.Instance("far", np.array([0, 1]), 9, far, rounding="none")
    van = nr.VehicleType(capacity=9, num_available=1)
    instance = replace(instance, fleet=nr.Fleet((van,)))
    why = nr.explain(plan(instance), "1")
    assert "too far away" in str(why)


def test_others_move_for_a_better_offer() -> None:
    """Ann is full and bob has to turn; a is on his way, and ann then free."""
    result = plan(line(-20, -30, rooms=(1, 2)), (1,), (2,))
    new = {"id": "c", "x": 10, "y": 0, "demand": 1}
    [moving, best] = nr.offers(result, new, 2, improve=STOP)
    assert (best.vehicle, best.cost) == ("bob", 20)
    assert (moving.vehicle, moving.cost) == ("ann", -20)
    assert moving.moved == {"a": ("ann", "bob")}
    assert nr.check_solution(moving.result.instance, moving.result.best) == []


def test_who_is_asked_for() -> None:
    """An unserved order by its id, a new one at a place of a matrix."""
    instance = line(10, 30, 20)
    short = plan(instance, (1, 2))
    assert [one.cost for one in nr.offers(short, "c")] == [40]
    assert nr.offers(short, "c")[0].vehicle == "bob"
    for order, text in (("a", "a is served"), ("z", "no order z"), (0, "0")):
        with pytest.raises(nr.ParameterError, match=text):
            nr.offers(short, order)
    with pytest.raises(nr.ParameterError, match="k must be at least 1"):
        nr.offers(short, "c", 0)
    nodes = np.arange(4)
    matrix = instance.distances(nodes, nodes)
    whole = plan(replace(instance, matrix=matrix, coords=None), (1, 2))
    new = {"id": "d", "demand": 1}
    with pytest.raises(nr.InstanceError, match="needs distances"):
        nr.offers(whole, new)
    for place in ({"place": "c"}, {"distances": [20, 10, 10, 0]}):
        assert [one.cost for one in nr.offers(whole, new | place)] == [40]
    fewest = plan(
        line(10, 30, rooms=(3, 1)),
        (1,),
        params={"objective": "fewest-vehicles"},
    )
    assert [one.vehicle for one in nr.offers(fewest, "b")][-1] == "bob"


def test_no_offer_changes_what_has_happened() -> None:
    """At 12 a is served: c comes behind it, or with bob."""
    result = plan(line(10, 30, rooms=(3, 3)), (1, 2))
    new = {"id": "c", "x": 5, "y": 0, "pickup": 1, "service": 5}
    for asked, now in ((result, 12), (nr.replan(result, now=12), None)):
        found = nr.offers(asked, new, now=now)
        assert [(one.vehicle, one.position) for one in found] == [
            *(("ann", 3), ("ann", 2), ("bob", 1)),
        ]
        assert found[-1].start == 17
        after = found[1].result
        assert after.routes == ((1, 3, 2),)
        assert nr.check_solution(after.instance, after.best) == []


def test_a_plan_over_a_forbidden_arc_is_asked_about() -> None:
    """The arc from a to b is forbidden: it is not driven, and has no cost."""
    instance = line(10, 30, rooms=(3, 3))
    nodes = np.arange(3)
    matrix = instance.distances(nodes, nodes)
    matrix[1, 2] = np.inf
    result = plan(replace(instance, matrix=matrix, coords=None), (1, 2))
    new = {"id": "c", "place": "a", "demand": 1}
    assert nr.offers(result, new)
    with pytest.raises(nr.ParameterError, match="ann takes a forbidden arc"):
        nr.offers(result, new, now=12)
    why = nr.explain(result, "ann")
    assert str(why).splitlines()[:2] == [
        "ann is route 1",
        "it takes a forbidden arc",
    ]
    assert json.dumps(why.to_json(), allow_nan=False)


def test_orders_and_routes_are_explained() -> None:
    """Without b ann drives 20 less; at bob's side it is 80, eve is full."""
    instance = line(10, 20, -20, 5, rooms=(2, 2, 0))
    result = plan(instance, (1, 2), (3,))
    why = nr.explain(result, "b")
    assert (why.vehicle, why.position, why.cost) == ("ann", 2, 20)
    assert [(one.vehicle, one.cost) for one in why.alternatives] == [
        *(("bob", 40), ("ann", None), ("bob", None), ("eve", None)),
    ]
    assert str(why) == (
        "b is stop 2 of ann\ncost 20: the plan is cheaper without it\n"
        "  bob, stop 1: 40\n  a new route of ann: all are in use\n"
        "  a new route of bob: all are in use\n"
        "  a new route of eve: exceeds the capacity by 1"
    )
    assert nr.explain(result, "d").route is None
    new = nr.explain(result, {"id": "z", "x": 1, "y": 0, "demand": 2})
    assert [one.cost for one in new.alternatives] == [None] * 5
    routes = [one.route for one in new.alternatives]
    assert routes == [1, 2, None, None, None]
    route = nr.explain(result, "ANN")
    assert route == nr.explain(result, "route 1")
    assert [one.text for one in route.limits] == ["load 2 of 2"]
    with pytest.raises(nr.ParameterError, match="no order and no route x"):
        nr.explain(result, "x")


def test_a_route_with_a_rest_is_explained() -> None:
    """A rest by hours of service is none of the breaks of a vehicle."""
    hours = nr.HoursOfService(driving_block=40, rest=10)
    instance = nr.Instance(
        "rests",
        coords=np.array([[0, 0], [30, 0]]),
        demands=np.array([0, 1]),
        fleet=nr.Fleet((nr.VehicleType(capacity=5, hours_of_service=hours),)),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(10), seed=1)
    (schedule,) = result.best.schedules(instance)
    assert [rest.number for rest in schedule.breaks] == [-1]
    assert nr.explain(result, "Route 1").cost == 60


def test_what_a_plan_does_not_know_is_not_compared() -> None:
    """Neither vehicles nor hours of before, without a fleet or times."""
    coords = np.array([[0, 0], [0, 1], [2, 0]])
    instance = nr.Instance("x", np.array([0, 1, 1]), 1, coords)
    found = nr.what_if(nr.solve(instance, STOP), [], STOP, now=1)
    assert found.duration == 0
    names = [line.split()[0] for line in str(found).splitlines()]
    assert names == ["orders", "cost", "distance", "moved"]
    row = {"id": "n", "x": 1, "y": 1, "demand": 1, "zone cost": 3}
    with pytest.raises(nr.InstanceError, match="remove them") as raised:
        nr.offers(found.result, row)
    assert raised.value.options == ()


def test_a_plan_is_compared_with_one_after_changes() -> None:
    """C is cancelled and d comes; ann breaks down, and bob takes a and b."""
    result = plan(line(10, 20, -20, rooms=(2, 3)), (1, 2), (3,))
    new = nr.changes.AddOrder({"id": "d", "x": 30, "y": 0, "demand": 1})
    found = nr.what_if(
        result,
        [
            nr.changes.Cancel("c"),
            new,
            nr.changes.OutOfService("ann", transfer=True),
        ],
        STOP,
    )
    assert (found.cost_before, found.cost_after, found.cost) == (80, 60, -20)
    assert found.moved == {"a": ("ann", "bob"), "b": ("ann", "bob")}
    assert found.newly_served == ("d",)
    assert (found.distance, found.duration) == (-20, -25)
    assert str(found).splitlines()[:3] == [
        "orders    3 -> 3",
        "served    d",
        "cost      80 -> 60 (-20)",
    ]
    full = nr.what_if(
        result,
        [nr.changes.OutOfService("bob")],
        STOP,
        params=nr.SolveParams(seed=2),
    )
    assert [one.id for one in full.newly_unserved] == ["c"]
    assert full.to_json()["newly_unserved"][0]["reasons"]
