"""The cheapest plan whose routes are balanced, by a look at all of them."""

from __future__ import annotations

import math
from collections import Counter
from itertools import permutations, product
from typing import TYPE_CHECKING

from tests.oracles.checker import Checker
from tests.oracles.min_max import amount_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import ncc_routing as nr

    Amounts = tuple[float, ...]
    Driven = list[tuple[int, Amounts]]

NAMES = "duration", "distance", "stops", "driving_time", "load"


def balance_cost(instance: nr.Instance, driven: Driven) -> float:
    """Return what balances add to a plan, inf where a spread is too large.

    Routes are given by their type and their amounts in the order of ``NAMES``.
    """
    cost, types = 0.0, instance.vehicle_types
    for balance in {one for kind in types for one in kind.balances}:
        sharing = [
            k for k, kind in enumerate(types) if balance in kind.balances
        ]
        which = NAMES.index(balance.amount)
        had = [own[which] for idx, own in driven if idx in sharing]
        if balance.among == "all":
            idle = sum(types[k].num_available or 0 for k in sharing) - len(had)
            had += [0.0] * max(0, idle)
        if not had:
            continue
        spread = max(had) - min(had)
        if spread > balance.max_spread * (1.0 + 1e-9):
            return math.inf
        cost += balance.largest_cost * max(had) + balance.spread_cost * spread
    return cost


def plan_cost(instance: nr.Instance, plan: nr.Solution) -> float:
    """Return the cost of a plan, inf where it breaks a rule."""
    judge = Checker(instance)
    driven = [
        (idx, amounts_of(judge, route, idx))
        for route, idx in zip(plan.routes, plan.vehicle_types, strict=True)
    ]
    return judge.plan_cost(plan) + balance_cost(instance, driven)


def amounts_of(judge: Checker, route: Sequence[int], idx: int) -> Amounts:
    """Return all amounts of a route."""
    return tuple(amount_of(judge, tuple(route), idx, name) for name in NAMES)


def cheapest_balanced(instance: nr.Instance) -> float:
    """Return the least cost of a plan without reloads, inf without any.

    Five customers take a second.
    """
    judge, types = Checker(instance), instance.vehicle_types
    routes: dict[tuple[int, ...], list[tuple[float, int, Amounts]]] = {}
    everyone = range(1, instance.num_customers + 1)
    for members in _sets(everyone):
        least: dict[tuple[int, Amounts], float] = {}
        for path, idx in product(permutations(members), range(len(types))):
            cost = judge.route_cost(path, idx)
            if cost < math.inf:
                key = idx, amounts_of(judge, path, idx)
                least[key] = min(cost, least.get(key, math.inf))
        routes[members] = [(cost, *key) for key, cost in least.items()]
    best = math.inf
    for parts in _partitions(tuple(everyone)):
        served = {node for part in parts for node in part}
        lost = judge.lost_prizes(served)
        if lost == math.inf:
            continue
        for chosen in product(*(routes[part] for part in parts)):
            counts = Counter(idx for _, idx, _ in chosen)
            if all(
                used <= (types[idx].num_available or used)
                for idx, used in counts.items()
            ):
                driven = [(idx, own) for _, idx, own in chosen]
                cost = sum(cost for cost, _, _ in chosen)
                cost += lost + balance_cost(instance, driven)
                best = min(best, cost)
    return best


def _sets(nodes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for mask in range(1, 1 << len(nodes)):
        yield tuple(node for k, node in enumerate(nodes) if mask >> k & 1)


def _partitions(
    nodes: tuple[int, ...],
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield all sets of disjoint groups; some may be in none."""
    if not nodes:
        yield ()
        return
    first, others = nodes[0], nodes[1:]
    yield from _partitions(others)
    for group in [(), *_sets(others)]:
        rest = tuple(node for node in others if node not in group)
        for parts in _partitions(rest):
            yield ((first, *group), *parts)
