"""Tests of the search for fleets, several depots and time windows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.search.fleets.limits import keep_to_fleet
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams

PARAMS = RuinRecreateParams()


def generated() -> list[nr.Instance]:
    """Return an instance of each kind."""
    return [
        generate_time_windows(60, 1),
        generate_time_windows(60, 2, "clustered", "long"),
        generate_fleet(60, 3, "limited"),
        generate_fleet(60, 4, "costs"),
        generate_depots(60, 5),
    ]


def planned(instance: nr.Instance, iterations: int = 2_000) -> nr.Solution:
    """Return a plan after a few iterations."""
    first = insert_customers(instance, Run(seed=1))
    kept = keep_to_fleet(instance, first, Run(Budget.of(5.0), seed=1))
    budget = Budget.of(iterations=iterations)
    return ruin_and_recreate(instance, kept, Run(budget, seed=1), PARAMS)


def test_routes_keep_every_limit() -> None:
    """On instances of each kind; they get shorter, and the seed decides."""
    for instance in generated():
        first = insert_customers(instance, Run(seed=1))
        found = planned(instance)
        assert not nr.check_solution(instance, found)
        assert found.cost < first.cost
        assert planned(instance) == found


def test_the_order_in_memory_changes_nothing() -> None:
    """A matrix without coordinates keeps the order of the customers."""
    for instance in (generate_time_windows(60, 1), generate_depots(60, 5)):
        nodes = np.arange(len(instance.demands))
        matrix = instance.distances(nodes, nodes)
        alike = replace(instance, coords=None, matrix=matrix)
        assert FleetSearch(alike, 1).space.order.tolist() == nodes.tolist()
        assert FleetSearch(instance, 1).space.order.tolist() != nodes.tolist()
        assert planned(alike).routes == planned(instance).routes


def test_a_fleet_too_large_is_cut_down() -> None:
    """Savings take more vehicles than are needed; the fleet has the least."""
    plain = generate_uchoa(60, 3, demands="50-100", route_length=4.0)
    singles = [(customer,) for customer in range(1, 61)]
    count = plain.min_num_routes + 1
    fleet = nr.Fleet(
        (nr.VehicleType(capacity=plain.capacity, num_available=count),)
    )
    instance = replace(plain, fleet=fleet)
    start = nr.Solution.from_routes(instance, singles)
    kept = keep_to_fleet(instance, start, Run(Budget.of(20.0), seed=1))
    assert not nr.check_solution(instance, kept)
    assert kept.num_routes <= count


def test_a_fleet_that_the_load_fills_is_kept_to() -> None:
    """The load leaves 54 of 91 x 200 free, and insertion takes 92 routes."""
    wide = generate_time_windows(1000, 300, "random", share=0.25)
    fleet = nr.Fleet((replace(wide.vehicle_types[0], num_available=91),))
    instance = replace(wide, fleet=fleet)
    start = insert_customers(instance, Run(seed=1))
    assert start.num_routes == 92
    kept = keep_to_fleet(instance, start, Run(Budget.of(20.0), seed=1))
    assert not nr.check_solution(instance, kept)


ROUND = np.array([[0, 10, 40], [40, 0, 5], [10, 40, 0]])
"""To 1 and on to 2 and back is short; any other way is too long for 30."""


@pytest.mark.parametrize("part", ["none", "selection", "shipment", "group"])
def test_customers_who_have_a_place_together_alone_get_it(part: str) -> None:
    """Whatever else the problem has: 1 and 2 may be the ends of a shipment.

    A third customer, whom no group needs, is too far for all.
    """
    size = 4 if part == "group" else 3
    matrix = np.full((size, size), 40)
    matrix[:3, :3] = ROUND
    is_required = np.arange(size) < 3
    groups = () if size == 3 else (nr.Group((2, 3)),)
    is_required[2:] &= not groups
    selection = nr.Selection(np.zeros(size), is_required, groups)
    instance = nr.Instance(
        "round",
        np.array([0, 1, 1, 1][:size]) * (part != "shipment"),
        2,
        matrix=matrix,
        fleet=nr.Fleet((nr.VehicleType(capacity=2, max_distance=30),)),
        shipments=(nr.Shipment(1, 2, (1,)),) if part == "shipment" else (),
        selection=None if part in ("none", "shipment") else selection,
    )
    found = planned(instance)
    assert found.routes == ((1, 2),)
    assert found.cost == 25


def test_costs_are_right_where_vehicles_end_at_another_depot() -> None:
    """A route that is turned round leaves and enters other depots.

    The search counts what each change costs; so the sum is that of the routes
    after each iteration.
    """
    rng = np.random.default_rng(1)
    kind = nr.VehicleType(capacity=4, start_depot=1, end_depot=0)
    instance = nr.Instance(
        "one way",
        np.array([0, 1, 1, 1, 1, 1, 1, 1, 0]),
        4,
        rng.integers(0, 50, (9, 2)),
        num_depots=2,
        fleet=nr.Fleet((kind,)),
    )
    search = FleetSearch(instance, 1)
    search.load(insert_customers(instance, Run()))
    params = PARAMS.for_search(0.0, 3.0)
    for _ in range(1_000):
        search.state.anneal(params, 1, 20.0, 1.0)
        assert search.state.cost == search.current().cost
        assert search.state.best_cost == search.best().cost


def test_whole_trips_go_to_other_vehicles() -> None:
    """Routes of 40 and 60 take no overtime, those of 100 and 40 take 30.

    Ruins of one customer change nothing, since all trips are full.
    """
    ends = ((10, 0, 10), (0, 10, 90), (-10, 0, 30), (0, -10, 50))
    stops = [end for end in ends for _ in range(2)]
    times = np.array([0, *(time for _, _, time in stops)])
    late = times.copy()
    late[0] = 200
    none = np.zeros(9, dtype=int)
    kind = nr.VehicleType(
        capacity=2,
        num_available=2,
        shift_duration=70,
        max_overtime=100,
        unit_overtime_cost=1,
        reload_depots=(0,),
        max_reloads=1,
    )
    instance = nr.Instance(
        "trips",
        np.array([0] + 8 * [1]),
        2,
        np.array([(0, 0), *((x, y) for x, y, _ in stops)]),
        windows=nr.TimeWindows(times, late, none, none),
        fleet=nr.Fleet((kind,)),
    )
    start = nr.Solution.from_routes(
        instance, [(1, 2, 0, 3, 4), (5, 6, 0, 7, 8)]
    )
    assert start.cost == 80 + 30
    found = ruin_and_recreate(
        instance,
        start,
        Run(Budget.of(iterations=2_000), seed=1),
        params=RuinRecreateParams(mean_removed=1.0, max_string=1),
    )
    assert found.cost == 80


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_limited_fleet_of_a_cvrp_is_kept(jobs: int) -> None:
    """The plain search opens no route beyond it, restarts included."""
    plain = generate_uchoa(120, 3, route_length=5.0)
    wide = ruin_and_recreate(
        plain,
        insert_customers(plain, Run()),
        Run(Budget.of(iterations=5_000)),
    )
    least = plain.min_num_routes
    fleet = nr.Fleet(
        (
            nr.VehicleType(
                capacity=plain.capacity, num_available=max(least, 25)
            ),
        )
    )
    instance = replace(plain, fleet=fleet)
    start = keep_to_fleet(instance, wide, Run(Budget.of(20.0), seed=1))
    found = ruin_and_recreate(instance, start, Run(Budget.of(1.0), jobs=jobs))
    assert not nr.check_solution(instance, found)
    assert found.cost <= start.cost


def test_vehicle_opens_for_some_prizes_together() -> None:
    """No prize pays for a vehicle alone, six of them do.

    Fourteen others, whom it drops again, cost more than their prizes.
    """
    near = [(100, y) for y in range(6)]
    far = [(-300, 40 * y) for y in range(-7, 7)]
    instance = nr.Instance(
        "prizes",
        np.array([0] + [1] * 20),
        20,
        coords=np.array([(0, 0), *near, *far]),
        fleet=nr.Fleet((nr.VehicleType(capacity=20),)),
        selection=nr.Selection(
            np.array([0.0] + [40.0] * 6 + [1.0] * 14), np.zeros(21, dtype=bool)
        ),
    )
    found = nr.solve(
        instance,
        polish="ruin-recreate",
        initial_solution=[],
        stop=nr.stop.MaxIterations(300),
        seed=1,
    )
    assert set(found.routes[0]) == {*range(1, 7)}
    assert found.cost == 100 + 5 + 100 + 14
