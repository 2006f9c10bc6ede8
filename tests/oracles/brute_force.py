"""The cheapest plan of a small problem, by a look at every route."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tests.oracles.checker import Checker, exceeds

if TYPE_CHECKING:
    import ncc_routing as nr


def cheapest_plan(instance: nr.Instance) -> float:
    """Return the least cost of a plan, inf where there is none.

    Seven customers take some tenths of a second; reloads, more.
    """
    judge, count = Checker(instance), instance.num_customers
    everyone = (1 << count) - 1
    costs = [
        [0.0]
        + [
            cheapest_route(judge, _members(mask), idx)
            for mask in range(1, 1 + everyone)
        ]
        for idx in range(len(instance.vehicle_types))
    ]
    rules = instance.constraints
    begun = {
        c
        for one in (rules.in_progress if rules else ())
        for c in one.customers
    }
    lost = [
        judge.lost_prizes(served) if served >= begun else math.inf
        for served in map(set, map(_members, range(1 + everyone)))
    ]
    groups = rules.same_route if rules else ()
    if not groups:
        return float((_plans(instance, costs) + lost).min())
    best = math.inf
    for served in np.flatnonzero(np.isfinite(lost)).tolist():
        whole = [_mask(group) & served for group in groups]
        allowed = [
            [
                cost
                if mask & ~served == 0
                and all(mask & part in (0, part) for part in whole)
                else math.inf
                for mask, cost in enumerate(each)
            ]
            for each in costs
        ]
        best = min(best, _plans(instance, allowed)[served] + lost[served])
    return float(best)


def _plans(instance: nr.Instance, costs: list[list[float]]) -> np.ndarray:
    """Return the least cost of the routes of each set of customers."""
    count = instance.num_customers
    plans = np.full(1 << count, np.inf)
    plans[0] = 0.0
    masks = np.arange(len(plans))
    for kind, own in zip(instance.vehicle_types, costs, strict=True):
        for _ in range(min(kind.num_available or count, count)):
            more = plans.copy()
            for mask in np.flatnonzero(np.isfinite(own)).tolist():
                others = masks[masks & mask == 0]
                longer = plans[others] + own[mask]
                more[others | mask] = np.minimum(more[others | mask], longer)
            if (more == plans).all():
                break
            plans = more
    return plans


def cheapest_route(
    judge: Checker, members: tuple[int, ...], idx: int
) -> float:
    """Return the least cost of a route over all members, in any order.

    There may be a reload before each of them; none comes behind the last, not
    even where a depot lies on the shortest way home. A beginning that is late,
    too long or too dear by itself is not gone on with.
    """
    kind = judge.types[idx]
    distances, durations = judge.arcs_of(idx)
    service = judge.service_of(idx)
    most = kind.max_reloads if kind.reload_depots else 0
    has_known_times = judge.instance.constraints is not None and any(
        one.departures for one in judge.instance.constraints.in_progress
    )
    before = {one.delivery: one.pickup for one in judge.instance.shipments}
    best = math.inf

    def go_on(
        route: list[int], node: int, now: float, length: float, cost: float
    ) -> None:
        nonlocal best
        left = [c for c in members if c not in route]
        if not left:
            best = min(best, judge.route_cost(route, idx, best))
            return
        heads = [c for c in left if before.get(c) not in left]
        if node not in judge.depots or not route:
            calls = sum(stop in judge.depots for stop in route)
            if calls < most:
                heads += [judge.depots[d] for d in kind.reload_depots]
        for head in sorted(heads, key=distances[node].__getitem__):
            far, long = distances[node][head], durations[node][head]
            then = max(now + service[node] + long, judge.early[head])
            dearer = cost + kind.unit_distance_cost * far
            if (
                far + long == math.inf
                or dearer >= best
                or exceeds(length + far, kind.max_distance)
                or (not has_known_times and exceeds(then, judge.late[head]))
            ):
                continue
            go_on([*route, head], head, then, length + far, dearer)

    if judge.broken_by(members, idx) - {"in_progress", "order"}:
        return best  # in any order
    start = judge.depot_of(kind.start_depot)
    first = max(judge.early[start], kind.tw_early)
    if (
        any(
            sum(loads) > room
            for loads, room in zip(
                zip(*(judge.delivery[c] for c in members), strict=True),
                kind.capacities,
                strict=True,
            )
        )
        and not most
    ):
        return best
    go_on([], start, first, 0.0, kind.fixed_cost)
    return best


@cache
def _members(mask: int) -> tuple[int, ...]:
    return tuple(
        bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1
    )


def _mask(group: tuple[int, ...]) -> int:
    return sum(1 << node - 1 for node in group)
