"""Better places for customers whose set-ups the search counts too often."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import shared_setups
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.placing.placements import (
    costs_before,
    evaluate,
    order_of,
    placed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance

_MOST_EVALUATIONS: Final = 500
"""Customers whose places are looked at: half a second for a hundred."""


def reinserted(instance: Instance, plan: Solution) -> Solution:
    """Return a plan at most as dear, by set-ups that count once at a place.

    Customers move elsewhere, and routes to vehicles of other types, while
    that makes the plan cheaper. The search, which counts the set-up of each
    stop that may have to wait, sees no gain.
    """
    shared = shared_setups(instance)
    nodes = sorted(chain(*plan.routes), key=lambda node: node not in shared)
    nodes = [node for node in nodes if node not in instance.depots]
    left = _MOST_EVALUATIONS if shared else 0
    while left > 0:
        plans = chain(
            _on_other_types(instance, plan),
            *(_elsewhere(instance, plan, node) for node in nodes[:left]),
        )
        cheaper = (new for new in plans if new.cost < plan.cost - 1e-9)
        legal = (new for new in cheaper if not check_solution(instance, new))
        better = next(legal, None)
        if better is None:
            break
        plan, left = better, left - len(nodes)
    return plan


def _on_other_types(instance: Instance, plan: Solution) -> Iterator[Solution]:
    for route in range(plan.num_routes):
        for other in range(len(instance.vehicle_types)):
            types = list(plan.vehicle_types)
            types[route] = other
            yield Solution.from_routes(instance, plan.routes, types)


def _elsewhere(
    instance: Instance, plan: Solution, node: int
) -> Iterator[Solution]:
    order = order_of(instance, node)
    moved = {node, *chain(*order)}
    kept = [tuple(n for n in route if n not in moved) for route in plan.routes]
    without = Solution.from_routes(instance, kept, plan.vehicle_types)
    before = costs_before(instance, without)
    found = evaluate(instance, without, order, before=before)
    for place in found.costs.argsort():
        if found.is_possible[place]:
            yield placed(instance, without, found.placements, int(place))
