"""The cheapest plan of a small problem, by a look at every route."""

from __future__ import annotations

import math
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.schedules import (
    arc_distances,
    arc_durations,
    route_nodes,
    schedule_route,
)
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import LOAD_TOLERANCE, exceeds

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def cheapest_plan(instance: Instance) -> float:
    """Return the least cost of a feasible plan, inf where there is none.

    Time and memory grow with the factorial of the customers: seven take
    some hundredths of a second.

    Parameters
    ----------
    instance
        An instance of any kind.
    """
    count = instance.num_customers
    # The cheapest plans so far, by the set of customers as bits.
    plans = np.full(1 << count, np.inf)
    plans[0] = 0.0
    for idx, kind in enumerate(instance.vehicle_types):
        costs = [cheapest_route(instance, s, idx) for s in _subsets(count)]
        for _ in range(min(kind.num_available or count, count)):
            more = _with_a_vehicle(plans, costs)
            if (more == plans).all():
                break
            plans = more
    return float(plans[-1])


def cheapest_route(
    instance: Instance, members: tuple[int, ...], kind: int
) -> float:
    """Return the least cost of a route over some customers.

    Parameters
    ----------
    instance
        An instance of any kind.
    members
        The customers, in any order. Nobody costs nothing.
    kind
        Index of the vehicle type.

    Returns
    -------
    float
        Infinite where each order breaks a limit.
    """
    vehicle = instance.vehicle_types[kind]
    if sum(instance.demands[list(members)]) > vehicle.capacity:
        return math.inf
    if not members:
        return 0.0
    orders, bounds = _possible_orders(instance, members, kind)
    best = math.inf
    for place in np.argsort(bounds):
        if bounds[place] >= best:
            break
        found = schedule_route(instance, orders[place].tolist(), kind)
        if not (
            any(
                exceeds(begin + late, begin)
                for begin, late in zip(
                    found.begins, found.lateness, strict=True
                )
            )
            or exceeds(found.duration, vehicle.shift_duration)
            or exceeds(found.distance, vehicle.max_distance)
        ):
            best = min(best, found.cost)
    return best


def _possible_orders(
    instance: Instance, members: tuple[int, ...], kind: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the orders that keep to the simple limits, and least costs.

    The vehicle starts as early as it may, whenever its depot opens and the
    goods are there, and its route takes no longer than the ways and the
    services.
    """
    vehicle = instance.vehicle_types[kind]
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    start, *_, end = route_nodes(instance, members, kind)
    orders = np.array(members)[_permutations(len(members))]
    ends = np.ones((len(orders), 1), dtype=orders.dtype)
    visits = np.hstack([start * ends, orders, end * ends])
    arcs = (instance, vehicle.profile, visits[:, :-1], visits[:, 1:])
    ways = arc_durations(*arcs)
    length = arc_distances(*arcs).sum(axis=1)
    services = windows.service_durations[visits[:, :-1]]
    work = ways.sum(axis=1) + services.sum(axis=1)
    # Whether the rounding of a sum is to blame is looked at later.
    more = 1.0 + LOAD_TOLERANCE
    is_possible = length <= more * vehicle.max_distance
    is_possible &= work <= more * vehicle.shift_duration
    now = np.full(len(orders), float(vehicle.tw_early))
    for stop, node in enumerate(orders.T):
        now = now + services[:, stop] + ways[:, stop]
        now = np.maximum(now, windows.tw_early[node])
        late = windows.tw_late[node]
        is_possible &= now <= more * late
        now = np.minimum(now, late)
    orders, length, work = (
        each[is_possible] for each in (orders, length, work)
    )
    bounds = vehicle.fixed_cost + vehicle.unit_distance_cost * length
    return orders, bounds + vehicle.unit_duration_cost * work


def _with_a_vehicle(plans: np.ndarray, costs: list[float]) -> np.ndarray:
    """Return the cheapest plans with one more vehicle, used or not."""
    better = plans.copy()
    masks = np.arange(len(plans))
    for mask, cost in enumerate(costs):
        others = masks[masks & mask == 0]
        whole = others | mask
        better[whole] = np.minimum(better[whole], plans[others] + cost)
    return better


@cache
def _permutations(size: int) -> np.ndarray:
    """Return the orders of so many things, one in each row."""
    return np.array(list(permutations(range(size))))


@cache
def _subsets(count: int) -> list[tuple[int, ...]]:
    """Return the sets of customers 1..count, each at the place of its bits."""
    return [
        tuple(c + 1 for c in range(count) if mask >> c & 1)
        for mask in range(1 << count)
    ]
