"""Skills, pins, groups, districts and in-progress routes, for the check."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import (
        InProgressRoute,
        RouteConstraints,
    )
    from ncc_routing.problems.solution import Solution


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
            text = f"{_named(instance, served)} must be on one route, and are "
            text += f"on routes {', '.join(map(str, numbers))}"
            yield "together", text
    for group in constraints.all_or_none:
        if 0 < sum(node in routes_of for node in group) < len(group):
            text = f"{_named(instance, group)} must all be served, or none"
            yield "together", text
    for one in constraints.in_progress:
        for text in _broken_beginning(instance, one, solution):
            yield "in_progress", text
    bound = [
        {*one.customers, *one.on_board} for one in constraints.in_progress
    ]
    for number, route in enumerate(solution.routes, start=1):
        if sum(not nodes.isdisjoint(route) for nodes in bound) > 1:
            text = f"route {number} goes on with those of two vehicles"
            yield "in_progress", text


def _broken_beginning(
    instance: Instance, one: InProgressRoute, solution: Solution
) -> Iterator[str]:
    """Yield who is not on an in-progress route and should be, or is."""
    stops = list(one.customers)
    for place, depot in reversed(one.reloads):
        stops.insert(place, instance.depots[depot])
    bound = {*one.customers, *one.on_board}
    vehicle = instance.describe_type(one.vehicle_type)
    going_on = []
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven, start=1):
        if bound.isdisjoint(route):
            continue
        if idx == one.vehicle_type and list(route[: len(stops)]) == stops:
            going_on.append((number, route))
        elif lost := [node for node in one.on_board if node in route]:
            text = f"route {number} serves {_named(instance, lost)}, whose "
            yield text + f"goods are on board {vehicle}"
    if one.customers and not going_on:
        yield (
            f"no route of {vehicle} begins with "
            f"{_named(instance, one.customers)}"
        )
    for number, route in going_on[1:]:
        if lost := [node for node in one.on_board if node in route]:
            text = f"route {number} serves {_named(instance, lost)}, whose "
            yield text + "goods are on board another vehicle"
    for number, route in going_on:
        if one.is_over and len(route) > len(stops):
            yield f"route {number} goes on, but its vehicle has finished"


def _broken_by(
    instance: Instance,
    constraints: RouteConstraints,
    route: Sequence[int],
    idx: int,
) -> Iterator[tuple[str, str]]:
    vehicle = instance.describe_type(idx)
    owned = instance.vehicle_types[idx].skills
    for node in dict.fromkeys(route):
        name = instance.describe_node(node)
        needed = constraints.skills[node] if constraints.skills else ()
        missing = [skill for skill in needed if skill not in owned]
        if missing:
            text = f"serves {name}, who needs {', '.join(missing)}, by "
            yield "skill", text + vehicle
        pinned = constraints.vehicles[node] if constraints.vehicles else None
        if pinned is not None and idx not in pinned:
            allowed = " or ".join(map(instance.describe_type, pinned))
            text = f"serves {name} by {vehicle}, and only {allowed} may"
            yield "pin", text
    for group in constraints.different_routes:
        visited = [node for node in group if node in route]
        if len(visited) > 1:
            text = f"serves {_named(instance, visited)}, who must be on "
            yield "apart", text + "different routes"
    if constraints.max_districts is not None:
        districts = {constraints.districts[node] for node in route} - {-1}
        if len(districts) > constraints.max_districts:
            text = f"visits {len(districts)} districts of "
            yield "district", text + str(constraints.max_districts)


def _named(instance: Instance, nodes: Sequence[int]) -> str:
    """Return customers in words: "customer 1, customer 2 and customer 3"."""
    *others, last = map(instance.describe_node, nodes)
    return f"{', '.join(others)} and {last}" if others else last
