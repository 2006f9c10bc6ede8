"""Limits of waiting, of a route and before a stop, by brute force."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.desk.vehicles import read_vehicles
from ncc_routing.problems.values import NO_LIMIT
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NUM_CUSTOMERS = 5
WAITS = ("waiting", "longest_wait")
HOURS = nr.HoursOfService(driving_block=40, rest=10)


def problem_of(seed: int) -> nr.Instance:
    """Return five customers, two windows of vehicles, and tight windows."""
    rng = np.random.default_rng(seed)
    size = 1 + NUM_CUSTOMERS
    early = rng.integers(0, 300, size)
    late = early + rng.integers(10, 80, size)
    early[0], late[0] = 0, 900
    kind = nr.VehicleType(
        num_available=3,
        tw_late=800,
        unit_duration_cost=seed % 2,
        max_waiting=int(rng.integers(80)) if seed % 3 else NO_LIMIT,
        max_wait=int(rng.integers(50)) if seed % 4 else NO_LIMIT,
    )
    return nr.Instance(
        f"waiting {seed}",
        coords=rng.integers(0, 60, (size, 2)),
        demands=np.minimum(np.arange(size), 1),
        capacity=kind.capacity,
        windows=nr.TimeWindows.of(
            size,
            tw_early=early,
            tw_late=late,
            service_durations=np.where(np.arange(size), 5, 0),
        ),
        fleet=nr.Fleet((kind,)),
    )


def two_stops(kind: nr.VehicleType) -> nr.Instance:
    """Return two customers at a place, 10 away: until 12, and from 40."""
    return nr.Instance(
        "waits",
        coords=np.array([[0, 0], [10, 0], [10, 0]]),
        demands=np.array([0, 1, 1]),
        capacity=kind.capacity,
        windows=nr.TimeWindows.of(
            3, tw_early=[0, 0, 40], tw_late=[900, 12, 60]
        ),
        fleet=nr.Fleet((kind,)),
    )


def waits_of(
    instance: nr.Instance, route: Sequence[int], start: int
) -> tuple[list[float], float] | None:
    """Return the waits and the end of a start; ``None`` where it is late."""
    windows, nodes = instance.windows, (0, *route, 0)
    assert windows is not None
    now, waits = float(start), []
    for before, node in itertools.pairwise(nodes):
        now += instance.distances([before], [node])[0, 0]
        if node == 0:
            break
        waits.append(max(0.0, windows.tw_early[node] - now))
        now = max(now, windows.tw_early[node])
        if now > windows.tw_late[node]:
            return None
        now += windows.service_durations[node]
    is_late = now > instance.vehicle_types[0].tw_late
    return None if is_late else (waits, now)


def cheapest_route(instance: nr.Instance, members: Sequence[int]) -> float:
    """Return the least cost of all orders and starts that keep the limits."""
    kind, best = instance.vehicle_types[0], math.inf
    for route in itertools.permutations(members):
        for start in range(kind.tw_late):
            found = waits_of(instance, route, start)
            if found is None:
                break  # and so is a later one
            waits, end = found
            if max(waits) <= kind.max_wait and sum(waits) <= kind.max_waiting:
                cost = instance.route_cost(route)
                cost += kind.unit_duration_cost * (end - start)
                best = min(best, cost)
    return best


def partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield all ways to part customers."""
    if not items:
        yield []
        return
    first, *others = items
    for parts in partitions(others):
        yield [[first], *parts]
        for idx, part in enumerate(parts):
            yield [*parts[:idx], [first, *part], *parts[idx + 1 :]]


@pytest.mark.parametrize("seed", seeds(150, step=13))
def test_waiting_by_brute_force(seed: int) -> None:
    """Solve finds the cheapest plan whose vehicles wait no longer."""
    instance = problem_of(seed)
    customers = range(1, 1 + NUM_CUSTOMERS)
    costs = {
        members: cheapest_route(instance, members)
        for size in range(1, 1 + NUM_CUSTOMERS)
        for members in itertools.combinations(customers, size)
    }
    best = min(
        sum(costs[tuple(sorted(part))] for part in parts)
        for parts in partitions(list(customers))
        if len(parts) <= 3
    )
    try:
        result = nr.solve(instance, nr.stop.MaxIterations(300), seed=1)
    except nr.InfeasibleError:
        assert best == math.inf
        return
    assert result.best.cost == best


def test_waits_are_told() -> None:
    """A check names both limits, and a schedule has the waits."""
    instance = two_stops(nr.VehicleType(max_waiting=20, max_wait=15))
    plan = nr.Solution.from_routes(instance, [(1, 2)])
    (one,) = plan.schedules(instance)
    # It starts at 2 at the latest, and is there at 12.
    assert one.amounts["waiting"] == one.amounts["longest_wait"] == 28
    found = nr.check_solution(instance, plan)
    assert [(each.kind, each.message) for each in found] == [
        ("waiting", "route 1 waits 28 of 20"),
        ("wait", "route 1 waits once 28 of 15"),
    ]
    separate = nr.Solution.from_routes(instance, [(1,), (2,)])
    assert nr.check_solution(instance, separate) == []


@pytest.mark.parametrize(
    "kind",
    [
        nr.VehicleType(max_waiting=10, hours_of_service=HOURS),
        nr.VehicleType(max_wait=10, breaks=(nr.Break(5, ((0, 100),)),)),
    ],
)
def test_waiting_beside_other_rests(kind: nr.VehicleType) -> None:
    """Where it is not told what is a wait, the limit is refused by name."""
    with pytest.raises(nr.InstanceError, match="beside"):
        two_stops(kind)


def test_total_waiting_beside_a_break() -> None:
    """A break is no wait."""
    rest = nr.Break(10, ((0, 100),))
    instance = two_stops(
        nr.VehicleType(max_waiting=20, breaks=(rest,), num_available=1)
    )
    result = nr.solve(instance, nr.stop.MaxIterations(50), seed=1)
    (one,) = result.best.schedules(instance)
    assert one.amounts["waiting"] == 18
    assert result.best.routes == ((1, 2),)


def test_waiting_before_the_end_counts() -> None:
    """A vehicle that waits for a break on its way back waits as well."""
    instance = replace(
        two_stops(
            nr.VehicleType(
                start_late=2,
                max_waiting=78,
                breaks=(nr.Break(10, ((100, 110),)),),
            )
        ),
        windows=None,
    )
    result = nr.solve(instance, nr.stop.MaxIterations(50), seed=1)
    (one,) = result.best.schedules(instance)
    # From 2, it is back at 22 without the break, and has it from 100 on.
    assert (one.end, *map(one.amounts.get, WAITS)) == (110, 78, 0)
    assert nr.check_solution(instance, result.best) == []


@pytest.mark.parametrize("seed", seeds(40, step=8))
def test_rounded_sums_are_no_waits(seed: int) -> None:
    """Times that are not whole leave no wait where there is none."""
    rng = np.random.default_rng(seed)
    early = 10**6 * (seed % 2) + rng.integers(0, 200, 6)
    late = early + rng.integers(50, 80, 6)
    early[0], late[0] = 0, NO_LIMIT
    kind = nr.VehicleType(
        num_available=5,
        max_waiting=0 if seed % 3 else 1,
        max_wait=0 if seed % 4 else NO_LIMIT,
    )
    instance = nr.Instance(
        "rounded",
        demands=np.minimum(np.arange(6), 1),
        capacity=kind.capacity,
        matrix=rng.uniform(0, 50, (6, 6)),
        windows=nr.TimeWindows.of(6, tw_early=early, tw_late=late),
        fleet=nr.Fleet((kind,)),
    )
    result = nr.solve(instance, nr.stop.MaxIterations(50), seed=1)
    assert nr.check_solution(instance, result.best) == []
    for one in result.best.schedules(instance):
        assert one.amounts["waiting"] <= kind.max_waiting


def test_columns_of_waiting() -> None:
    """A table of vehicles has both limits, with units."""
    fleet = read_vehicles(
        [{"capacity": 5, "max_waiting_min": 30, "max_wait_min": 10}],
        time_unit="s",
    )
    kind = fleet.types[0]
    assert (kind.max_waiting, kind.max_wait) == (1800, 600)
