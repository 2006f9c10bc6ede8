"""The cheapest plan of a small problem with everything, rules as well."""

from __future__ import annotations

import math
from itertools import permutations, product
from typing import TYPE_CHECKING

from ncc_routing.problems.schedules import schedule_route

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance


def cheapest_full_plan(instance: Instance) -> float:
    """Return the least cost of a feasible plan, inf where there is none.

    By a look at all routes: five stops take some tenths of a second.
    """
    everyone = (1 << instance.num_customers) - 1
    types = range(len(instance.vehicle_types))
    costs = [
        {
            members: _cheapest_route(instance, _stops(members), kind)
            for members in range(1, everyone + 1)
        }
        for kind in types
    ]
    used = [0] * len(types)
    parts: list[set[int]] = []
    best = math.inf

    def go_on(left: int, served: int, cost: float) -> None:
        """Decide on the stops that are left, the first one first."""
        nonlocal best
        if left == 0:
            if not _goes_together(instance, parts):
                return
            best = min(best, cost + _lost(instance, _stops(served)))
            return
        first = left & -left
        go_on(left & ~first, served, cost)
        part = left
        while part:
            for kind in types if part & first else ():
                most = instance.vehicle_types[kind].num_available
                more = costs[kind][part]
                if more < math.inf and (most is None or used[kind] < most):
                    used[kind] += 1
                    parts.append(set(_stops(part)))
                    go_on(left & ~part, served | part, cost + more)
                    parts.pop()
                    used[kind] -= 1
            part = (part - 1) & left

    go_on(everyone, 0, 0.0)
    return best


def _goes_together(instance: Instance, parts: Sequence[set[int]]) -> bool:
    """Whether no group is parted, and all in-progress routes are there."""
    rules = instance.rules
    if rules is None:
        return True
    groups = map(set, rules.same_route)
    return all(
        sum(not part.isdisjoint(group) for part in parts) <= 1
        for group in groups
    ) and all(
        any(part.issuperset(one.customers) for part in parts)
        for one in rules.in_progress
    )


def _keeps_rules(instance: Instance, route: Sequence[int], kind: int) -> bool:
    """Whether a route of a type keeps the rules that it can break alone."""
    rules = instance.rules
    if rules is None:
        return True
    stops = [node for node in route if node not in instance.depots]
    skills = set(instance.vehicle_types[kind].skills)
    for stop in stops:
        if rules.skills and not skills.issuperset(rules.skills[stop]):
            return False
        pinned = rules.vehicles[stop] if rules.vehicles else None
        if pinned is not None and kind not in pinned:
            return False
    if any(len(set(s) & set(stops)) > 1 for s in rules.different_routes):
        return False
    if rules.max_districts is not None:
        visited = {rules.districts[stop] for stop in stops} - {-1}
        if len(visited) > rules.max_districts:
            return False
    return all(
        tuple(route[: len(one.customers)]) == one.customers
        and one.vehicle_type == kind
        for one in rules.in_progress
        if not set(one.customers).isdisjoint(stops)
    )


def num_routes(instance: Instance) -> int:
    """Return how many routes the cheapest plan is looked for among."""
    stops = range(1, instance.num_customers + 1)
    found = 0
    for kind in instance.vehicle_types:
        calls = 1 + len(kind.reload_depots) if kind.can_reload else 1
        found += sum(math.perm(stops[-1], k) * calls**k for k in stops)
    return found


def _stops(members: int) -> tuple[int, ...]:
    """Return the stops of a set of bits."""
    return tuple(
        bit + 1 for bit in range(members.bit_length()) if members >> bit & 1
    )


def _lost(instance: Instance, served: Sequence[int]) -> float:
    """Return the prizes lost; infinite where somebody must not be left out."""
    if instance.unserved([served]):
        return math.inf
    selection = instance.selection
    if selection is None:
        return 0.0
    for group in selection.groups:
        if len(set(group.customers).intersection(served)) > 1:
            return math.inf
    return selection.lost_prizes(served)


def _cheapest_route(
    instance: Instance, stops: tuple[int, ...], kind: int
) -> float:
    """Return the least cost of a route over all these stops."""
    routes = _routes(instance, stops, kind)
    costs = (_cost(instance, each, kind) for each in routes)
    return min(costs, default=math.inf)


def _routes(
    instance: Instance, stops: tuple[int, ...], idx: int
) -> Iterator[list[int]]:
    """Yield all orders, with or without a reload before each stop."""
    kind = instance.vehicle_types[idx]
    most = min(kind.max_reloads, len(stops)) if kind.can_reload else 0
    calls = [(), *((instance.depots[d],) for d in kind.reload_depots)]
    for order in permutations(stops):
        for before in product(calls if most else [()], repeat=len(order)):
            if sum(map(len, before)) <= most:
                pairs = zip(before, order, strict=True)
                yield [node for call, stop in pairs for node in (*call, stop)]


def _cost(instance: Instance, route: list[int], idx: int) -> float:
    """Return the cost of a route, infinite where it breaks a limit."""
    for one in instance.shipments:
        ends = [one.pickup in route, one.delivery in route]
        if any(ends) != all(ends):
            return math.inf
        if all(ends):
            first, last = map(route.index, (one.pickup, one.delivery))
            if not set(route[first:last]).isdisjoint(instance.depots):
                return math.inf
            if first > last:
                return math.inf
    if not _keeps_rules(instance, route, idx):
        return math.inf
    kind = instance.vehicle_types[idx]
    found = schedule_route(instance, route, idx)
    is_over = any(
        load > capacity
        for loads in found.loads
        for load, capacity in zip(loads, kind.capacities, strict=True)
    )
    if (
        is_over
        or any(found.lateness)
        or found.distance > kind.max_distance
        or found.duration > kind.max_duration
    ):
        return math.inf
    return found.cost
