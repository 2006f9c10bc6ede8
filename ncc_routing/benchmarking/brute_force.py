"""The cheapest plan of a small problem, by trying all of them."""

from __future__ import annotations

import math
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

from ncc_routing.problems.schedules import schedule_route

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def cheapest_route(
    instance: Instance, members: tuple[int, ...], kind: int
) -> float:
    """Return the least cost of a route over some customers, or inf."""
    vehicle = instance.vehicle_types[kind]
    if sum(instance.demands[list(members)]) > vehicle.capacity:
        return math.inf
    best = math.inf
    for order in permutations(members):
        found = schedule_route(instance, order, kind)
        if (
            sum(found.lateness) == 0
            and found.duration <= vehicle.shift_duration
            and found.distance <= vehicle.max_distance
        ):
            best = min(best, found.cost)
    return best


def cheapest_plan(instance: Instance) -> float:
    """Return the least cost of a feasible plan, inf where there is none."""
    count = instance.num_customers
    kinds = range(len(instance.vehicle_types))
    routes = {}
    for mask in range(1, 1 << count):
        members = tuple(c + 1 for c in range(count) if mask >> c & 1)
        for kind in kinds:
            cost = cheapest_route(instance, members, kind)
            if cost < math.inf:
                routes[mask, kind] = cost

    @cache
    def best(rest: int, left: tuple[int, ...]) -> float:
        if rest == 0:
            return 0.0
        first = rest & -rest
        found = math.inf
        for (mask, kind), cost in routes.items():
            if mask & first and mask & rest == mask and left[kind] > 0:
                fewer = list(left)
                fewer[kind] -= 1
                found = min(found, cost + best(rest ^ mask, tuple(fewer)))
        return found

    types = instance.vehicle_types
    return best(
        (1 << count) - 1, tuple(kind.num_available or count for kind in types)
    )
