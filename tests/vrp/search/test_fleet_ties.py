"""Plans whose vehicles cost the same: the shorter one is nearer to fewer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.time_windows import (
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.search.fleets.search import FleetSearch
from tests.vrp.search.test_fleet_search import planned


def priced(
    instance: nr.Instance, fixed: float, distance: float, duration: float = 0
) -> nr.Instance:
    """Return an instance with these costs, twice them for the second type."""
    types = [
        replace(
            kind,
            fixed_cost=number * fixed,
            unit_distance_cost=distance,
            unit_duration_cost=duration,
        )
        for number, kind in enumerate(instance.vehicle_types, start=1)
    ]
    return replace(instance, fleet=nr.Fleet(tuple(types)))


@pytest.mark.parametrize(
    "instance",
    [
        generate_time_windows(100, 1),
        generate_fleet(60, 4, "costs"),
        generate_uchoa(60, 1),
    ],
    ids=["windows", "types", "capacity"],
)
def test_only_vehicles_cost_and_few_are_found(instance: nr.Instance) -> None:
    """As few as where a vehicle costs more than any way; the cost is true."""
    weighed = priced(instance, 1_000_000, 1)
    expected = planned(weighed, 3_000)
    dear = sum(
        weighed.vehicle_types[kind].fixed_cost
        for kind in expected.vehicle_types
    )
    for unit in (1, 0.1):
        alone = priced(instance, unit, 0)
        found = planned(alone, 3_000)
        assert not nr.check_solution(alone, found)
        assert found.cost <= unit * dear / 1_000_000 * (1 + 1e-9)


def triangle(*fixed: float) -> nr.Instance:
    """Return two customers, and a vehicle type for each fixed cost."""
    types = [
        nr.VehicleType(
            capacity=2,
            num_available=None,
            fixed_cost=cost,
            unit_distance_cost=0,
        )
        for cost in fixed
    ]
    matrix = np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0]])
    demands, fleet = np.array([0, 1, 1]), nr.Fleet(tuple(types))
    return nr.Instance("triangle", demands, 2, matrix=matrix, fleet=fleet)


@pytest.mark.parametrize(
    ("fixed", "expected"),
    [
        ([4, 6], [2 * 31, 3 * 31]),
        ([0, 7], [0, 31]),
        ([0, 0], [0, 0]),
        ([0.5, 1], [31e6, 62e6]),
    ],
)
def test_a_difference_of_vehicles_costs_more_than_all_ways(
    fixed: list[float], expected: list[float]
) -> None:
    """Six ways of at most 5 are 30: a common divisor of the costs is 31.

    Real costs have none; a millionth of the least one counts as nothing.
    """
    vehicles = FleetSearch(triangle(*fixed), 1).space.vehicles
    found = [vehicle.fixed_cost for vehicle in vehicles]
    assert found == pytest.approx(expected, rel=1e-12)
    assert [vehicle.distance_cost for vehicle in vehicles] == [1, 1]


def test_the_criterion_hears_the_true_cost() -> None:
    """One vehicle for two: a target of 4 ends the search at the next look."""
    instance = triangle(4)
    search = FleetSearch(instance, 1)
    search.insert_all(TimeLimit())
    search.load(search.current())
    assert search.space.best_cost(search.state) == 4.0
    assert search.state.best_cost == 31 + 12
    stop = nr.stop.first_of(
        nr.stop.MaxIterations(10**6), nr.stop.TargetCost(4)
    )
    search.run(stop, search.mean_edge(search.best()))
    assert search.num_iterations == 0


@pytest.mark.parametrize("duration", [0, 1])
def test_costs_of_durations_alone_or_none_work(duration: float) -> None:
    """The answer is feasible, and costs what it takes."""
    instance = priced(generate_time_windows(40, 1), 0, 0, duration)
    found = planned(instance, 500)
    assert not nr.check_solution(instance, found)
    assert (found.cost > 0) == bool(duration)
    assert np.sum([len(route) for route in found.routes]) == 40
