"""What is different in another plan: who moves, and who is served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.problems.routes.timetable import route_titles

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

Plan = tuple["Instance", "Solution"]
"""The routes of an instance."""


def moves(before: Plan, after: Plan) -> dict[str, tuple[str, str]]:
    """Return who has another vehicle, by id: its route before and after.

    Vehicles whose types have the same name are alike: a route is the one
    before with which it has most customers in common, and is called so.
    """
    old, new = _routes_by_id(*before), _routes_by_id(*after)
    names = [
        [one.vehicle_types[idx].name for idx in plan.vehicle_types]
        for one, plan in (before, after)
    ]
    shared: dict[tuple[int, int], int] = {}
    for key in old.keys() & new.keys():
        pair = old[key], new[key]
        if names[0][pair[0]] == names[1][pair[1]]:
            shared[pair] = shared.get(pair, 0) + 1
    follows: dict[int, int] = {}
    for first, last in sorted(shared, key=lambda each: (-shared[each], each)):
        if first not in follows and last not in follows.values():
            follows[first] = last
    titles, called = (route_titles(*each) for each in (before, after))
    for first, last in follows.items():
        called[last] = titles[first]
    moved = {}
    for key, route in old.items():
        if key in new and follows.get(route) != new[key]:
            title = called[new[key]]
            is_same = title == titles[route]
            moved[key] = titles[route], "a new route" if is_same else title
    return moved


def _routes_by_id(instance: Instance, plan: Solution) -> dict[str, int]:
    ids, depots = instance.node_ids, set(instance.depots)
    return {
        ids[node]: number
        for number, route in enumerate(plan.routes)
        for node in route
        if node not in depots
    }
