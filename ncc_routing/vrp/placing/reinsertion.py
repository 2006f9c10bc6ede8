"""Better places for customers whose set-ups the search counts too often."""

from __future__ import annotations

from functools import partial
from itertools import chain, takewhile
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
    from collections.abc import Callable, Iterator

    from ncc_routing.problems.instance import Instance

_MOST_PLACES: Final = 10**6
"""Places of customers that are looked at, whatever the time."""


def reinserted(
    instance: Instance, plan: Solution, is_over: Callable[[], bool]
) -> Solution:
    """Return a plan at most as dear, by set-ups that count once at a place.

    Customers move elsewhere, and routes to vehicles of other types, while
    that makes the plan cheaper. The search, which counts the set-up of each
    stop that may have to wait, sees no gain.
    """
    shared = set(shared_setups(instance))
    left = _MOST_PLACES // instance.num_customers**2 if shared else 0
    while left > 0:
        nodes = set(chain(*plan.routes)).difference(instance.depots)
        first = sorted(nodes, key=lambda node: (node not in shared, node))
        in_time = takewhile(lambda _: not is_over(), first[:left])
        moved = map(partial(_elsewhere, instance, plan), in_time)
        plans = chain(
            _on_other_types(instance, plan), chain.from_iterable(moved)
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
        if not found.is_possible[place]:
            continue
        new = placed(instance, without, found.placements, int(place))
        if new.cost >= plan.cost:
            return  # the others are dearer
        yield new
