"""Places for one more order in a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.problems.unserved import without_required
from tests.oracles.problems import random_problem

if TYPE_CHECKING:
    from collections.abc import Iterator


def plan_of(seed: int, num_customers: int = 7) -> nr.Result | None:
    """Return a plan of a random problem, ``None`` where it has none."""
    instance = random_problem(seed, num_customers=num_customers, share=0.3)
    try:
        return nr.solve(
            instance,
            nr.MaxIterations(20),
            polish="ruin-recreate",
            allow_unserved=True,
        )
    except nr.InfeasibleError:
        return None


def orders_of(result: nr.Result) -> Iterator[tuple[nr.Result, list[int]]]:
    """Yield the plan without each order that may be left out."""
    instance = result.instance
    ends = [[one.pickup, one.delivery] for one in instance.shipments]
    alone = {*range(1, instance.num_customers + 1)}.difference(*ends)
    for order in [*ends, *([node] for node in sorted(alone))]:
        plan = nr.Solution.from_routes(
            instance,
            [[c for c in r if c not in order] for r in result.routes],
            result.best.vehicle_types,
        )
        asked = without_required(instance, instance.unserved(plan.routes))
        if not nr.check_solution(asked, plan):
            yield replace(result, best=plan), order


def placed(
    instance: nr.Instance, plan: nr.Solution, order: list[int]
) -> Iterator[nr.Solution]:
    """Yield each plan with the order, the others in their sequence."""
    driven = list(zip(plan.routes, plan.vehicle_types, strict=True))
    new = [((), idx) for idx in range(len(instance.vehicle_types))]
    for number, (route, idx) in enumerate([*driven, *new]):
        others = driven[:number] + driven[number + 1 : len(driven)]
        for first in range(len(route) + 1):
            more = [*route[:first], order[0], *route[first:]]
            for last in range(first + 1, len(more) + 1):
                whole = [*more[:last], *order[1:], *more[last:]]
                if order[1:] or last == first + 1:
                    routes = [*others, (whole, idx)]
                    yield nr.Solution.from_routes(
                        instance, *zip(*routes, strict=True)
                    )


def test_all_places_that_break_nothing_are_offered() -> None:
    """At the cost of the plan with the order, as a check of each says."""
    num_offers = 0
    for seed in range(40):
        result = plan_of(seed)
        for before, order in orders_of(result) if result else ():
            instance = before.instance
            groups = instance.selection.groups if instance.selection else ()
            if any(not {*g.customers}.isdisjoint(order) for g in groups):
                continue
            others = {*instance.unserved(before.routes)} - {*order}
            asked = without_required(instance, others)
            costs = [
                plan.cost - before.cost
                for plan in placed(instance, before.best, order)
                if not nr.check_solution(asked, plan)
            ]
            rules = instance.constraints or nr.RouteConstraints()
            needed = {node for node in others if instance.required[node]}
            for group in rules.same_route:
                if {*group} & {*order} and {*group} & needed:
                    costs = []  # who share a route stay out together
            offers = nr.offers(before, str(order[-1]), 10**6)
            found = [offer.cost for offer in offers]
            assert found == pytest.approx(sorted(costs)), (seed, order)
            for offer in offers[:2]:
                after = offer.result
                assert not nr.check_solution(asked, after.best), (seed, order)
                assert after.cost - before.cost == pytest.approx(offer.cost)
            num_offers += len(offers)
    assert num_offers > 300
