"""Skills, pins, groups, districts and in-progress routes, for the check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.problems.constraints import broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import (
        InProgressRoute,
        RouteConstraints,
    )
    from ncc_routing.problems.routes.solution import Solution


def broken_rules(  # noqa: C901
    instance: Instance, solution: Solution
) -> Iterator[tuple[str, str]]:
    """Yield each rule of routes that known customers break.

    It is the kind of the violation, and the rule in words.
    """
    constraints = instance.constraints
    if constraints is None:
        return
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven, start=1):
        for kind, text in _broken_by(instance, constraints, route, idx):
            yield kind, f"route {number} {text}"
    routes_of: dict[int, set[int]] = {}
    for number, route in enumerate(solution.routes, start=1):
        for node in route:
            routes_of.setdefault(node, set()).add(number)
    for group in constraints.same_route:
        served = [node for node in group if node in routes_of]
        numbers = sorted({n for node in served for n in routes_of[node]})
        if len(numbers) > 1:
            yield broken(instance, "together", nodes=served, routes=numbers)
    for group in constraints.all_or_none:
        if 0 < sum(node in routes_of for node in group) < len(group):
            yield broken(instance, "together", "all_or_none", nodes=group)
    for one in constraints.in_progress:
        yield from _broken_beginning(instance, one, solution)
    bound = [
        {*one.customers, *one.on_board} for one in constraints.in_progress
    ]
    for number, route in enumerate(solution.routes, start=1):
        if sum(not nodes.isdisjoint(route) for nodes in bound) > 1:
            yield broken(instance, "in_progress", "two", route=number)


def _broken_beginning(
    instance: Instance, one: InProgressRoute, solution: Solution
) -> Iterator[tuple[str, str]]:
    """Yield who is not on an in-progress route and should be, or is."""
    stops = list(one.customers)
    for place, depot in reversed(one.reloads):
        stops.insert(place, instance.depots[depot])
    bound = {*one.customers, *one.on_board}
    going_on = []
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven, start=1):
        if bound.isdisjoint(route):
            continue
        if idx == one.vehicle_type and list(route[: len(stops)]) == stops:
            going_on.append((number, route))
        elif lost := [node for node in one.on_board if node in route]:
            carrier = instance.describe_type(one.vehicle_type)
            values = {"route": number, "nodes": lost, "carrier": carrier}
            yield broken(instance, "in_progress", "goods", **values)
    if one.customers and not going_on:
        values = {"vehicle": one.vehicle_type, "nodes": one.customers}
        yield broken(instance, "in_progress", **values)
    for number, route in going_on[1:]:
        if lost := [node for node in one.on_board if node in route]:
            carrier = "another vehicle"
            values = {"route": number, "nodes": lost, "carrier": carrier}
            yield broken(instance, "in_progress", "goods", **values)
    for number, route in going_on:
        if one.is_over and len(route) > len(stops):
            yield broken(instance, "over", route=number)


def _broken_by(
    instance: Instance,
    constraints: RouteConstraints,
    route: Sequence[int],
    idx: int,
) -> Iterator[tuple[str, str]]:
    owned = instance.vehicle_types[idx].skills
    for node in dict.fromkeys(route):
        by = {"node": node, "vehicle": idx}
        needed = constraints.skills[node] if constraints.skills else ()
        missing = [skill for skill in needed if skill not in owned]
        if missing:
            yield broken(instance, "skill", skills=missing, **by)
        pinned = constraints.vehicles[node] if constraints.vehicles else None
        if pinned is not None and idx not in pinned:
            yield broken(instance, "pin", allowed=pinned, **by)
    for group in constraints.different_routes:
        visited = [node for node in group if node in route]
        if len(visited) > 1:
            yield broken(instance, "apart", nodes=visited)
    of_route = route, idx, instance.depots
    for variant, values in constraints.broken_orders(*of_route):
        yield broken(instance, "order", variant, **values)
    most = constraints.max_districts
    if most is not None:
        districts = {constraints.districts[node] for node in route} - {-1}
        if len(districts) > most:
            value = len(districts)
            yield broken(instance, "district", value=value, limit=most)
