"""Penalties of centers against routes that are priced anew."""

from __future__ import annotations

import math
from functools import cache, partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.cooling import Cooling
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.consistency import ConsistencyPenalties
from ncc_routing.vrp.preferences.penalties import (
    CentersAndPairs,
    RouteCenters,
)
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.annealing import anneal_routes
from tests.vrp.search.calls import (
    best_routes,
    current_routes,
    search_params,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing._core.search import RoutingSearch
    from ncc_routing.vrp.preferences.penalties import RoutePenalties

PARAMS = search_params(num_local_moves=2.0)


def random_centers(
    size: int, num_centers: int, width: int, seed: int
) -> RouteCenters:
    """Return whole penalties; some customers know fewer centers."""
    rng = np.random.default_rng(seed)
    ids = np.array([rng.permutation(num_centers)[:width] for _ in range(size)])
    penalties = np.sort(rng.integers(0, 300, (size, width)), axis=1)
    hidden = rng.random(ids.shape) < 0.2
    hidden[:, 0] = False
    ids[np.maximum.accumulate(hidden, axis=1)] = -1
    far = penalties[:, -1] + rng.integers(0, 300, size)
    return RouteCenters(
        ids.astype(np.int32), penalties.astype(float), far.astype(float)
    )


def priced(centers: RouteCenters, customer: int, center: int) -> float:
    """Return a penalty, looked up without the kernels."""
    pairs = zip(
        centers.ids[customer], centers.penalties[customer], strict=True
    )
    known = dict(pairs)
    return float(known.get(center, centers.far[customer]))


def least_penalties(centers: RouteCenters, routes: PackedRoutes) -> float:
    """Return what routes cost at the best centers of their customers."""
    cost = 0.0
    for route in np.split(routes.nodes, routes.starts[1:-1]):
        named = set(centers.ids[route].ravel().tolist()) - {-1}
        cost += min(
            sum(priced(centers, c, center) for c in route) for center in named
        )
    return cost


def total(
    space: SearchSpace, centers: RouteCenters, search: RoutingSearch
) -> tuple[float, PackedRoutes]:
    """Return the cost of the current routes in their centers, and them."""
    packed = current_routes(space, search)
    cost = packed.cost(space.instance)
    route_of, center_of = search.route_of, search.center_of.tolist()
    for node, customer in enumerate(space.order[1:], 1):
        cost += priced(centers, customer, center_of[route_of[node]])
    return cost, packed


@pytest.mark.parametrize("temperature", [5.0, 1e5])
@pytest.mark.parametrize("length", [4.0, 20.0])
def test_many_moves_keep_the_cost(length: float, temperature: float) -> None:
    """Ruins, insertions, 2-opt*, fresh routes: cost = length + penalties."""
    instance = generate_uchoa(80, 4, route_length=length)
    start = solve_savings(instance, router=None)
    centers = random_centers(81, start.num_routes, 3, seed=5)
    graph = knn_graph(instance, 30)
    space = SearchSpace.of(instance, graph, 8).with_penalties(centers)
    packed = space.pack(PackedRoutes.of(start.routes))
    search = space.load(packed, PARAMS, [1])
    numbers = set()
    for _ in range(20):
        search.anneal(200, temperature, 1.0)
        cost, routes = total(space, centers, search)
        assert cost == search.cost
        assert nr.check_solution(instance, routes.to_solution(instance)) == []
        best = best_routes(space, search)
        least = best.cost(instance) + least_penalties(centers, best)
        assert least <= search.best_cost <= cost
        numbers.add(routes.num_routes)
    assert len(numbers) > 1 or temperature < 1e5  # some routes are fresh


def cheapest(
    instance: nr.Instance, penalty: Callable[[PackedRoutes], float]
) -> float:
    """Return the least length and penalties of routes, by trying all plans."""

    @cache
    def price(route: frozenset[int]) -> float:
        if instance.demands[list(route)].sum() > instance.capacity:
            return math.inf
        lengths = instance.route_costs(list(permutations(route)))
        return float(lengths.min() + penalty(PackedRoutes.of([list(route)])))

    @cache
    def best(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        first, *rest = sorted(left)
        return min(
            price(route) + best(left - route)
            for count in range(len(left))
            for more in combinations(rest, count)
            for route in [frozenset({first, *more})]
        )

    return best(frozenset(range(1, instance.num_customers + 1)))


def anneal_seven(
    seed: int,
    capacity: int,
    penalised: Callable[[nr.Instance], RoutePenalties],
) -> tuple[nr.Instance, PackedRoutes, float]:
    """Return seven customers, and the best penalised routes with the cost."""
    rng = np.random.default_rng(seed)
    demands = np.concatenate([[0], rng.integers(1, 5, 7)])
    coords = rng.integers(0, 100, (8, 2))
    instance = nr.Instance("seven", demands, capacity, coords)
    space = SearchSpace.of(instance, knn_graph(instance, 6), 6)
    space = space.with_penalties(penalised(instance))
    packed = space.pack(PackedRoutes.of([[c] for c in range(1, 8)]))
    cooling, stop = Cooling(100.0, 1.0), nr.stop.MaxIterations(20_000)
    found = anneal_routes(space, packed, PARAMS, cooling, stop, [seed])
    return instance, space.unpack(found.best), found.best_cost


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_best_of_all_plans_is_found(seed: int) -> None:
    """Seven customers, with penalties as large as the distances."""
    centers = random_centers(8, 3, 3, seed)
    centers = RouteCenters(
        centers.ids, centers.penalties / 4.0, centers.far / 4.0
    )
    instance, best, _ = anneal_seven(seed, 8, lambda _: centers)
    cost = best.cost(instance) + least_penalties(centers, best)
    assert cost == cheapest(instance, partial(least_penalties, centers))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_centers_and_pairs_count_together(seed: int) -> None:
    """The best of all plans by the sum of both penalties, among seven."""
    centers = random_centers(8, 3, 3, seed)
    centers = RouteCenters(
        centers.ids, centers.penalties / 8.0, centers.far / 8.0
    )
    kept = ConsistencyPenalties(np.array([-1, 0, 1, 0, 1, 1, -1, 0]), 16.0)

    def penalty(routes: PackedRoutes) -> float:
        pairs = float(kept.penalties(routes).sum())
        return least_penalties(centers, routes) + pairs

    def both(_: nr.Instance) -> CentersAndPairs:
        return CentersAndPairs(centers, kept.pairs())

    instance, best, cost = anneal_seven(seed, 8, both)
    least = best.cost(instance) + penalty(best)
    assert least == cheapest(instance, penalty)
    assert cost == least


def test_a_part_keeps_its_centers() -> None:
    """Penalties restricted to some customers are those of the whole."""
    centers = random_centers(61, 9, 4, seed=2)
    labels = np.arange(-1, 60, dtype=np.int32) % 5
    pairs = ConsistencyPenalties(labels, 16.0).pairs()
    names = np.arange(2, 60, 3)
    own = CentersAndPairs(centers, pairs).part(names)
    for place, customer in enumerate(names.tolist(), start=1):
        assert own.pairs.labels[place] == labels[customer]
        for center in range(9):
            expected = priced(centers, customer, center)
            assert priced(own.centers, place, center) == expected
