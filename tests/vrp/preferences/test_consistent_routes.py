"""Consistent routes: penalties, searches against brute force, refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.generators.days import generate_days
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.problems.routes.references import (
    measure_consistency,
    reference_labels,
)
from ncc_routing.vrp.construction.districts import solve_districts
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.consistency import (
    ConsistencyPenalties,
)
from ncc_routing.vrp.preferences.preferences import (
    Penalties,
    Preferences,
    price,
)
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.vrp.search.calls import best_routes, current_routes
from tests.vrp.search.test_route_penalties import (
    PARAMS,
    anneal_seven,
    cheapest,
)

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.vrp.preferences.penalties import SameRoutePairs

PAST, TODAY = generate_days(120, 5, route_length=10.0)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_reference_of_orders_too_large_for_any_vehicle(
    is_known: bool,
) -> None:
    """They stay out, with a district of their own or all who have one."""
    labels = [-1, *[customer % 3 for customer in range(TODAY.num_customers)]]
    demands = TODAY.demands.copy()
    lost = np.flatnonzero(np.array(labels) == 1)
    demands[lost] = TODAY.capacity + 1
    if not is_known:
        labels = [1 if label == 1 else -1 for label in labels]
    today = replace(TODAY, demands=demands)
    result = nr.solve(
        today,
        nr.stop.MaxIterations(500),
        reference=labels,
        consistency=1.0,
        allow_unserved=True,
    )
    assert [one.customer for one in result.unserved] == lost.tolist()
    broken = [one.kind for one in nr.check_solution(today, result.best)]
    assert broken == ["missing"] * len(lost)


def test_penalties_by_hand() -> None:
    """Routes 1 2 4 | 3 5 6 of the districts 1 2 3 | 4 5 part 13, 23 and 45.

    A customer of the first district has two others, one of the second another.
    """
    labels = np.array([-1, 0, 0, 0, 1, 1, -1], dtype=np.int32)
    costs = ConsistencyPenalties(labels, 8.0)
    packed = PackedRoutes.of([(1, 2, 4), (3, 5, 6)])
    assert costs.penalties(packed).tolist() == [12.0, 12.0]
    pairs = costs.pairs()
    assert (pairs.labels is labels, pairs.unit) == (True, 8.0)
    assert pairs.num_others[1:].tolist() == [2, 2, 2, 1, 1, 0]
    # Customers elsewhere count among the others of those of a part.
    part = pairs.part(np.array([1, 3, 5]))
    assert part.labels.tolist() == [-1, 0, 0, 1]
    assert part.num_others[1:].tolist() == [2, 2, 1]
    single = np.arange(-1, 6, dtype=np.int32)
    alone = ConsistencyPenalties.of(TODAY, single, 100.0, 1.0)
    assert alone.penalties(packed).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "stop",
    [
        nr.stop.MaxIterations(5_000),
        nr.stop.first_of(
            nr.stop.MaxIterations(5_000), nr.stop.TargetCost(0.0)
        ),
    ],
)
def test_no_district_keeps_a_route_too_many(stop: Stop) -> None:
    """A search that begins with the shortest routes takes no more."""
    past, today = generate_days(100, 60_007)
    before = nr.PastRoutes(past, solve_savings(past, router=None).routes)
    labels = reference_labels(today, before)
    by_district = solve_districts(today, Run(), labels)
    shortest = ruin_and_recreate(
        today, by_district, Run(Budget.of(iterations=1_000))
    )
    assert shortest.num_routes < by_district.num_routes - 5
    found = ruin_and_recreate(
        today,
        by_district,
        Run(Budget(stop=stop)),
        preferences=Preferences(consistency=2.0, reference=before),
    )
    assert nr.check_solution(today, found) == []
    assert found.num_routes <= shortest.num_routes
    kept, plain = (
        measure_consistency(labels, one.routes).kept_pairs
        for one in (found, shortest)
    )
    assert kept > plain


def penalised_space(
    instance: nr.Instance, degree: int, costs: ConsistencyPenalties
) -> SearchSpace:
    """Return a space in which parted customers cost."""
    space = SearchSpace.of(instance, knn_graph(instance, degree), 8)
    return space.with_penalties(costs.pairs())


@pytest.mark.parametrize("temperature", [5.0, 1e5])
@pytest.mark.parametrize("route_length", [4.0, 20.0])
def test_thousands_of_moves_keep_the_cost(
    route_length: float, temperature: float
) -> None:
    """Ruins, insertions, tails, fresh routes: the counts stay exact."""
    instance = generate_uchoa(80, 4, route_length=route_length)
    start = solve_savings(instance, router=None)
    labels = np.random.default_rng(2).integers(-1, 9, 81).astype(np.int32)
    labels[0] = -1
    costs = ConsistencyPenalties.of(instance, labels, start.cost, 5.0)
    space = penalised_space(instance, 30, costs)
    packed = space.pack(PackedRoutes.of(start.routes))
    search = space.load(packed, PARAMS, [1])
    assert search.cost == price(start, Penalties(consistency=costs))
    for _ in range(20):
        search.anneal(200, temperature, 1.0)
        for routes, cost in (
            (current_routes(space, search), search.cost),
            (best_routes(space, search), search.best_cost),
        ):
            found = routes.to_solution(instance)
            assert nr.check_solution(instance, found) == []
            assert cost == price(found, Penalties(consistency=costs))
        kept = search.district_counts.reshape(len(search.loads) - 1, -1)
        counted = np.zeros_like(kept)
        route_of = search.route_of
        for node in packed.nodes:
            district = labels[space.order[node]]
            counted[route_of[node], district] += district >= 0
        assert (counted == kept).all()


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_a_stretch_finds_the_best_of_all_plans(seed: int) -> None:
    """Seven customers, two of them in no district; every plan is tried."""
    of = np.array([0, 1, 0, 1, 1, -1, -1], dtype=np.int32)
    labels = np.concatenate(
        [[-1], np.random.default_rng(seed).permutation(of)]
    )
    single = PackedRoutes.of([[c] for c in range(1, 8)])
    found: list[ConsistencyPenalties] = []

    def penalised(instance: nr.Instance) -> SameRoutePairs:
        cost = single.cost(instance)
        found.append(ConsistencyPenalties.of(instance, labels, cost, 1.0))
        return found[0].pairs()

    instance, best, best_cost = anneal_seven(seed, 9, penalised)

    def parted(routes: PackedRoutes) -> float:
        return float(found[0].penalties(routes).sum())

    assert best_cost == best.cost(instance) + parted(best)
    assert best_cost == cheapest(instance, parted)
