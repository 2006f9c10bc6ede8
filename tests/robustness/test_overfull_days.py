"""Days with more orders than the vehicles can serve."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from tests.oracles.brute_force import cheapest_plan
from tests.robustness.support import seeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOST = 1e6
"""What an unserved order costs here, more than any plan."""

DAY = 400
"""When the last depot closes."""


def overfull_day(seed: int, num_orders: int) -> nr.Instance:
    """Return orders with windows, loads, skills and priorities, few vans."""
    rng = np.random.default_rng([seed, num_orders])
    size = num_orders + 1
    places = rng.integers(0, 60, (size, 2))
    early = np.where(rng.random(size) < 0.5, rng.integers(0, 250, size), 0)
    late = np.where(early > 0, early + rng.integers(10, 80, size), DAY)
    early[0], late[0] = 0, DAY
    loads = rng.integers(1, 10, (size, 2))
    loads[0] = 0
    skills = [("lift",) if rng.random() < 0.3 else () for _ in range(size)]
    skills[0] = ()
    num_vans = max(1, num_orders // 12)
    types = []
    for number in range(1 + seed % 3):
        has = rng.random(5) < 0.5
        types.append(
            nr.VehicleType(
                name=f"van {number}",
                num_available=num_vans,
                capacity=15 + 10 * int(rng.integers(0, 3)),
                other_capacities=(25,),
                tw_early=int(30 * has[0]),
                tw_late=DAY - int(150 * has[1]),
                max_distance=120 if has[2] else 2**60,
                max_stops=4 if has[3] else 2**60,
                skills=("lift",) if has[4] else (),
            )
        )
    return nr.Instance(
        f"over-full {seed}",
        loads[:, 0],
        coords=places,
        loads=nr.Loads(loads, np.zeros_like(loads)),
        fleet=nr.Fleet(tuple(types)),
        windows=nr.TimeWindows.of(size, early, late, [0, *[5] * num_orders]),
        constraints=nr.RouteConstraints(skills=tuple(skills)),
        selection=nr.Selection(
            np.zeros(size),
            np.arange(size) > 0,
            (),
            np.append(0, rng.choice([0, 10], num_orders)),
        ),
    )


def broken_by(
    instance: nr.Instance, route: Sequence[int], idx: int, order: int
) -> set[str]:
    """Return what a route breaks by an order; who is late goes on."""
    van, times = instance.vehicle_types[idx], instance.windows
    assert instance.coords is not None
    assert times is not None
    assert instance.constraints is not None
    x, y = instance.coords.T.tolist()
    broken, now, far = set(), float(van.tw_early), 0.0
    for tail, head in pairwise((0, *route, 0)):
        leg = math.floor(
            0.5 + math.hypot(x[head] - x[tail], y[head] - y[tail])
        )
        far += leg
        now = max(now + leg, float(times.tw_early[head]))
        closes = times.tw_late[head]
        if head == 0:
            closes = min(closes, van.tw_late)
        if now > closes:
            kinds = {0: "return", order: "window"}
            broken.add(kinds.get(head, "later-windows"))
        now += float(times.service_durations[head])
    for dim, most in enumerate(van.capacities):
        if instance.deliveries[list(route), dim].sum() > most:
            broken.add(f"capacity {dim + 1}" if dim else "capacity")
    if far > van.max_distance:
        broken.add("distance")
    if len(route) > van.max_stops:
        broken.add("stops")
    if not set(instance.constraints.skills[order]) <= set(van.skills):
        broken.add("skill")
    return broken


def places_of(
    instance: nr.Instance, plan: nr.Solution, order: int, idx: int
) -> Iterator[set[str]]:
    """Yield what an order breaks at each place of a vehicle type."""
    for route, own in zip(plan.routes, plan.vehicle_types, strict=True):
        for place in range(len(route) + 1) if own == idx else ():
            longer = (*route[:place], order, *route[place:])
            yield broken_by(instance, longer, idx, order)
    broken = broken_by(instance, (order,), idx, order)
    available = instance.vehicle_types[idx].num_available
    if plan.vehicle_types.count(idx) == available:
        broken.add("vehicles")
    yield broken


def check_reasons(result: nr.Result) -> int:
    """Demand that all reasons are true; return their number."""
    instance, plan = result.instance, result.best
    assert {v.kind for v in nr.check_solution(instance, plan)} <= {"missing"}
    served = {node for route in plan.routes for node in route}
    left = set(range(1, instance.num_customers + 1)) - served
    assert {one.customer for one in result.unserved} == left
    count = 0
    for one in result.unserved:
        for idx in range(len(instance.vehicle_types)):
            named = {
                r.constraint for r in one.reasons if r.vehicle_type == idx
            }
            for broken in places_of(instance, plan, one.customer, idx):
                assert broken & named, (one.customer, idx, named)
            count += len(named)
    return count


@pytest.mark.parametrize("seed", seeds(80, step=11))
def test_small_days_leave_as_few_out_as_possible(seed: int) -> None:
    """By a look at every plan: those of high priority last, and the cost."""
    instance = overfull_day(seed, 5 + seed % 3)
    result = nr.solve(
        instance, nr.stop.MaxIterations(500), seed=seed, allow_unserved=True
    )
    check_reasons(result)
    assert instance.selection is not None
    levels = instance.selection.priorities
    assert levels is not None
    lost = np.where(levels > 0, 10 * LOST, LOST)
    lost[0] = 0.0
    best = cheapest_plan(
        replace(instance, selection=nr.Selection(lost, lost > np.inf))
    )
    left = [one.customer for one in result.unserved]
    assert result.cost + lost[left].sum() == best


@pytest.mark.parametrize("seed", seeds(20, step=11))
def test_reasons_of_large_days_are_true(seed: int) -> None:
    """Of each order and vehicle type, at every place."""
    instance = overfull_day(1000 + seed, 60 + 7 * seed)
    result = nr.solve(
        instance, nr.stop.MaxIterations(2000), seed=seed, allow_unserved=True
    )
    assert result.unserved
    assert check_reasons(result) >= len(result.unserved)
