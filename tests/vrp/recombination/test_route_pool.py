"""Pools of routes and the solutions made of them."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.deadline import Deadline
from ncc_routing.vrp.recombination.route_pool import (
    RoutePool,
    drop_duplicates,
    select_routes,
)
from ncc_routing.vrp.tours.cluster_routes import route_clusters


def _add(pool: RoutePool, routes: list[list[int]], costs: list[float]) -> None:
    """Add routes with stated costs as one solution."""
    sizes = [len(route) for route in routes]
    pool.add(
        np.concatenate(routes).astype(int),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.array(costs),
    )


def test_pool_keeps_the_best_order_of_a_set() -> None:
    """The same customers count once, with the cheaper order."""
    pool = RoutePool()
    _add(pool, [[1, 2, 3], [], [4]], [9.0, 0.0, 2.0])
    _add(pool, [[3, 1, 2], [4]], [8.0, 2.0])
    _add(pool, [[2, 1, 3]], [30.0])
    orders, costs = pool.arrays()
    assert len(pool) == 2
    assert [order.tolist() for order in orders] == [[3, 1, 2], [4]]
    assert costs.tolist() == [8.0, 2.0]


def test_full_pool_keeps_routes_of_the_best_solutions() -> None:
    """Routes are ranked by the solution they came from, not by length."""
    pool = RoutePool(max_routes=2)
    _add(pool, [[1], [2, 3]], [1.0, 19.0])
    _add(pool, [[1, 2], [3]], [9.0, 2.0])
    _add(pool, [[1, 2, 3]], [15.0])
    assert len(pool) == 2
    orders, _ = pool.arrays()
    assert [order.tolist() for order in orders] == [[1, 2], [3]]
    _add(pool, [[2, 1], [3]], [8.0, 2.0])
    assert pool.arrays()[1].tolist() == [8.0, 2.0]


def test_pool_is_bounded_while_it_fills(random_instance: nr.Instance) -> None:
    """Many solutions leave no more than the bound; the best one is there."""
    pool = RoutePool(max_routes=70)
    rng = np.random.default_rng(1)
    solutions = []
    for _ in range(20):
        parts = np.array_split(1 + rng.permutation(60), 20)
        solution = route_clusters(
            random_instance, parts, router="local-search"
        )
        solutions.append(solution)
        pool.add_routes(
            solution.routes, random_instance.route_costs(solution.routes)
        )
    orders, costs = pool.arrays()
    assert len(orders) == len(costs) == len(pool) == 70
    best = min(solutions, key=lambda solution: solution.cost)
    assert {tuple(order.tolist()) for order in orders[:20]} == set(best.routes)
    for order, cost in zip(orders, costs, strict=True):
        assert random_instance.route_cost(order.tolist()) == cost


def test_pool_needs_room() -> None:
    """A pool for nothing is refused."""
    with pytest.raises(nr.ParameterError, match="max_routes"):
        RoutePool(max_routes=0)


def test_select_routes_recombines(square: nr.Instance) -> None:
    """The two good halves lie in different solutions."""
    incumbent = nr.Solution.from_routes(square, [[1], [2], [3], [4]])
    routes = [[1, 4], [3], [2], [2, 3], [4], [1]]
    costs = np.array([square.route_cost(route) for route in routes])
    best = select_routes(square, routes, costs, incumbent, Deadline(20))
    assert nr.check_solution(square, best) == []
    assert sorted(map(sorted, best.routes)) == [[1, 4], [2, 3]]
    assert best.cost == 484


def test_select_routes_keeps_an_incumbent(square: nr.Instance) -> None:
    """Without routes, time or a better combination nothing changes."""
    incumbent = nr.Solution.from_routes(square, [[1, 4], [2, 3]])
    routes = [[1], [2], [3], [4], [1, 2]]
    costs = np.array([square.route_cost(route) for route in routes])
    for deadline in (Deadline(20), Deadline(0)):
        assert (
            select_routes(square, routes, costs, incumbent, deadline)
            is incumbent
        )
    none = np.empty(0)
    found = select_routes(square, [], none, incumbent, Deadline(20))
    assert found is incumbent


def test_drop_duplicates_removes_the_dearer_visit() -> None:
    """Customer 2 leaves the route for which it is a detour."""
    coords = np.array([[0, 0], [10, 0], [20, 0], [0, 10]])
    instance = nr.Instance("line", np.array([0, 1, 1, 1]), 3, coords)
    kept = drop_duplicates(instance, [[1, 2], [2, 3]])
    assert kept == [[1, 2], [3]]
    assert drop_duplicates(instance, [[2], [2], [1, 3]]) == [[2], [1, 3]]


def test_drop_duplicates_without_triangle_inequality() -> None:
    """Where every removal costs, the cheapest one is made."""
    matrix = np.array(
        [[0, 1, 1, 1], [50, 0, 1, 1], [90, 1, 0, 1], [90, 9, 1, 0]],
        dtype=float,
    )
    instance = nr.Instance("odd", np.array([0, 1, 1, 1]), 3, matrix=matrix)
    # Without 1 the first route gets dearer by 90 - 51, the second by 38.
    kept = drop_duplicates(instance, [[2, 1], [3, 1]])
    cost = sum(instance.route_cost(route) for route in kept)
    others = [[[2, 1], [3]], [[2], [3, 1]]]
    assert cost == min(
        sum(instance.route_cost(route) for route in routes)
        for routes in others
    )
