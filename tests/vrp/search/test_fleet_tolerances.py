"""The search for fleets allows the rounding errors that the check allows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.problems import FLEETS, random_problem
from tests.robustness.support import seeds

SIX = 6 * 0.1 * 10
"""6.000000000000001: rounded sums are a little more than 6 as well."""


def line(far: float, vehicle: nr.VehicleType, tw_late: int) -> nr.Instance:
    """Return one customer, so far from the depot."""
    return nr.Instance(
        "line",
        np.array([0, 1]),
        vehicle.capacity,
        matrix=np.array([[0, far], [far, 0]]),
        windows=nr.TimeWindows.of(2, tw_late=[NO_LIMIT, tw_late]),
        fleet=nr.Fleet((vehicle,)),
    )


LIMITED = {
    "window": (nr.VehicleType(capacity=1), 6),
    "window and shift": (nr.VehicleType(capacity=1, shift_duration=100), 6),
    "end": (nr.VehicleType(capacity=1, tw_late=12), NO_LIMIT),
    "shift": (nr.VehicleType(capacity=1, shift_duration=12), NO_LIMIT),
    "distance": (nr.VehicleType(capacity=1, max_distance=12), NO_LIMIT),
}
"""Vehicles that serve a customer who is 6 away, and the end of its window."""


@pytest.mark.parametrize("limit", LIMITED)
def test_a_rounding_error_breaks_no_limit(limit: str) -> None:
    """6.000000000000001 there and back is within 6 and 12; 6.00001 is not."""
    vehicle, tw_late = LIMITED[limit]
    instance = line(SIX, vehicle, tw_late)
    found = insert_customers(instance, Run(seed=1))
    assert found.routes == ((1,),)
    assert not nr.check_solution(instance, found)
    assert cheapest_plan(instance) == found.cost == 2 * SIX
    instance = line(6.00001, vehicle, tw_late)
    assert nr.check_solution(
        instance, nr.Solution.from_routes(instance, [(1,)])
    )
    assert cheapest_plan(instance) == np.inf
    with pytest.raises(nr.InfeasibleError):
        nr.solve(instance, time_limit=60.0)


def test_late_windows_allow_no_longer_shift() -> None:
    """A millionth of a late hour is more than one of a short shift.

    From the end of the first window to the beginning of the second one 10
    pass, and 0.0001 on the way home; half of 1e-9 of a million is 0.0005.
    """
    short = 0.0001
    instance = nr.Instance(
        "late",
        np.array([0, 1, 1]),
        2,
        matrix=np.array([[0, 0, short], [0, 0, 0], [short, 0, 0]]),
        windows=nr.TimeWindows.of(
            3, tw_early=[0, 0, 10**6 + 10], tw_late=[NO_LIMIT, 10**6, NO_LIMIT]
        ),
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=2, fixed_cost=9, shift_duration=10),)
        ),
    )
    start = nr.Solution.from_routes(instance, [(1,), (2,)])
    run = Run(Budget.of(iterations=500), seed=1)
    found = ruin_and_recreate(instance, start, run)
    assert found.num_routes == 2
    assert not nr.check_solution(instance, found)


def in_tenths(instance: nr.Instance) -> nr.Instance:
    """Return a problem with all times and lengths divided by ten.

    Lengths become fractions, whose sums are rounded; limits stay whole.
    """

    def shorter(value: float) -> float:
        return value if value >= NO_LIMIT else value // 10

    def shortened(kind: nr.VehicleType) -> nr.VehicleType:
        whole = ("tw_early", "tw_late", "start_late")
        changes: Any = {f: int(shorter(getattr(kind, f))) for f in whole}
        for field in ("shift_duration", "max_distance"):
            changes[field] = shorter(getattr(kind, field))
        return replace(kind, **changes)

    windows = instance.windows
    if windows is not None:
        late = windows.tw_late
        windows = nr.TimeWindows(
            windows.tw_early // 10,
            np.where(late >= NO_LIMIT, late, late // 10),
            windows.service_durations // 10,
            windows.release_times // 10,
        )
    assert instance.matrix is not None
    durations = instance.durations
    return replace(
        instance,
        matrix=0.1 * instance.matrix,
        durations=None if durations is None else 0.1 * durations,
        windows=windows,
        fleet=nr.Fleet(tuple(map(shortened, instance.vehicle_types))),
    )


def test_search_and_check_agree_on_rounded_sums() -> None:
    """Random routes of random problems in tenths of a unit.

    Some of them break a limit by the rounding error alone.
    """
    rng = np.random.default_rng(1)
    num_kept = num_broken = 0
    problems = seeds(640)
    for seed in problems:
        given = random_problem(seed, FLEETS)
        if given.profiles:
            continue
        instance = in_tenths(given)
        space = FleetSearch(instance, 1).space
        for kind in range(len(instance.vehicle_types)):
            # Customers alone: the kernels judge them when they begin.
            customer = int(rng.integers(1, instance.num_customers + 1))
            single = nr.Solution.from_routes(instance, [(customer,)], [kind])
            rules = {v.kind for v in nr.check_solution(instance, single)}
            is_broken = bool(rules - {"missing"})
            cost = space.problem.single_costs[kind, space.ranks[customer]]
            assert np.isinf(cost) == is_broken, (seed, kind)
            num_broken += is_broken
            num_kept += not is_broken
    assert min(num_kept, num_broken) > len(problems) / 13


def test_arcs_that_no_route_may_have_hide_no_savings() -> None:
    """What counts beside rounding is a share of those that may be driven."""
    rng = np.random.default_rng(3)
    matrix = rng.uniform(1.0, 50.0, (7, 7))
    np.fill_diagonal(matrix, 0.0)
    matrix[1, 2] = 1e9
    kind = nr.VehicleType(capacity=15, max_distance=400)
    instance = nr.Instance(
        "long",
        np.array([0, *rng.integers(1, 7, 6)]),
        matrix=matrix,
        fleet=nr.Fleet((kind,)),
    )
    found = nr.solve(instance, nr.stop.MaxIterations(1000), seed=1)
    assert found.cost == pytest.approx(cheapest_plan(instance))
