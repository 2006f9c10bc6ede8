"""Tests of ruin and recreate, step by step, against plain Python."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.problems.distances import ROUNDINGS
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search._state import SearchSpace
from tests.vrp.search.calls import best_routes, search_params, with_matrix

if TYPE_CHECKING:
    from ncc_routing._core.search import RoutingSearch

PARAMS = search_params(mean_removed=10.0, max_string=10.0, split=0.5)


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return ninety customers of the X family, about six a route."""
    return generate_uchoa(90, 5, demands="1-100", route_length=6)


def greedy_start(instance: nr.Instance) -> nr.Solution:
    """Return the customers in their order, cut where a route is full."""
    routes: list[list[int]] = [[]]
    load = 0
    for customer in range(1, instance.num_customers + 1):
        load += int(instance.demands[customer])
        if load > instance.capacity:
            routes.append([])
            load = int(instance.demands[customer])
        routes[-1].append(customer)
    return nr.Solution.from_routes(instance, routes)


def routes_in(space: SearchSpace, s: RoutingSearch) -> list[list[int]]:
    """Return the current routes as customers, the empty ones too.

    They must close.
    """
    num_nodes = len(space.order)
    after, before, loads, sizes = s.next, s.prev, s.loads, s.sizes
    to_next, to_prev, route_of = s.to_next, s.to_prev, s.route_of
    routes = []
    for slot in range(len(loads) - 1):
        node = num_nodes + slot
        route = []
        while True:
            follower = int(after[node])
            assert before[follower] == node
            assert to_next[node] == to_prev[follower]
            node = follower
            if node >= num_nodes:
                break
            assert route_of[node] == slot
            route.append(int(space.order[node]))
        assert node == num_nodes + slot
        load = int(space.instance.demands[route].sum()) if route else 0
        assert loads[slot] == load
        assert sizes[slot] == len(route)
        routes.append(route)
    return routes


def packed(space: SearchSpace, solution: nr.Solution) -> PackedRoutes:
    """Return the routes of a solution as kernel nodes."""
    return space.pack(PackedRoutes.of(solution.routes))


def assert_consistent(space: SearchSpace, s: RoutingSearch) -> None:
    """Check links, loads, free routes and both costs of a search."""
    routes = routes_in(space, s)
    visits = sorted(itertools.chain.from_iterable(routes))
    assert visits == list(range(1, space.instance.num_customers + 1))
    free = [r for r, route in enumerate(routes) if not route]
    assert sorted(s.free_routes.tolist()) == free
    assert s.loads[:-1].max() <= space.instance.capacity
    current = nr.Solution.from_routes(space.instance, routes)
    assert s.cost == pytest.approx(current.cost)
    best = best_routes(space, s).to_solution(space.instance)
    assert s.best_cost == pytest.approx(best.cost)
    assert s.best_cost <= s.cost


def metric_cases() -> list[nr.Instance]:
    """Return one instance for each rounding, and an asymmetric matrix."""
    rng = np.random.default_rng(3)
    coords = rng.random((41, 2)) * 60.0
    demands = np.concatenate([[0], rng.integers(1, 9, 40)])
    cases = [
        nr.Instance(rounding, demands, 30, coords, rounding)
        for rounding in ROUNDINGS
    ]
    matrix = rng.integers(1, 100, (41, 41))
    cases.append(nr.Instance("matrix", demands, 30, coords, matrix=matrix))
    return cases


@pytest.mark.parametrize("case", metric_cases(), ids=lambda c: c.name)
def test_anneal_keeps_the_state_consistent(case: nr.Instance) -> None:
    """Rings, loads, free routes and costs hold after many iterations."""
    space = SearchSpace.of(case, knn_graph(case, 12), 6)
    s = space.load(packed(space, greedy_start(case)), PARAMS, [2])
    assert_consistent(space, s)
    start = s.cost
    for temperature in (start / 40, start / 400, start / 4000):
        assert 0 < s.anneal(700, temperature, 1.0) <= 700
        assert_consistent(space, s)
    assert s.num_iterations == 2100
    assert s.best_cost < start


STATE = (
    *("next", "prev", "to_next", "to_prev", "route_of"),
    *("loads", "sizes", "free_routes", "cost"),
)
"""What an undo restores."""


@pytest.mark.parametrize("has_matrix", [False, True])
def test_undo_restores_every_link(
    instance: nr.Instance, has_matrix: bool
) -> None:
    """What is not kept leaves nothing behind.

    Insertions end early, or with a matrix when all customers are back.
    """
    case = with_matrix(instance) if has_matrix else instance
    space = SearchSpace.of(case, knn_graph(case, 20), 9)
    s = space.load(packed(space, greedy_start(case)), PARAMS, [1])
    num_undone = 0
    for _ in range(100):
        before = [getattr(s, name) for name in STATE]
        if s.ruin_and_recreate(0.99 * s.cost):
            assert s.cost < 0.99 * before[-1]
            continue
        num_undone += 1
        for name, old in zip(STATE, before, strict=True):
            np.testing.assert_array_equal(getattr(s, name), old)
    assert 50 < num_undone < 100
