"""2-opt*, 2-opt and segment relocation against routes priced anew."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.ruin_recreate import (
    RuinRecreateParams,
    ruin_and_recreate,
)
from tests.vrp.search.calls import (
    best_routes,
    current_routes,
    one_way,
    search_params,
)

PARAMS = search_params()


def check_routes(space: SearchSpace, packed: PackedRoutes) -> float:
    """Check routes from scratch; return their cost."""
    found = packed.to_solution(space.instance)
    assert nr.check_solution(space.instance, found) == []
    return found.cost


@pytest.mark.parametrize("temperature", [0.0, 5.0, 1e9])
@pytest.mark.parametrize(
    "instance",
    [
        generate_uchoa(60, 4, route_length=4.0),
        generate_uchoa(60, 5, route_length=30.0),
        one_way(6),
    ],
    ids=["short", "long", "asymmetric"],
)
def test_moves_keep_routes(instance: nr.Instance, temperature: float) -> None:
    """Loads, edges, marks and costs follow; the best never gets worse."""
    space = SearchSpace.of(instance, knn_graph(instance, 30), 8)
    start = solve_savings(instance, router=None)
    packed = space.pack(PackedRoutes.of(start.routes))
    search = space.load(packed, PARAMS, [1])
    num_nodes = instance.num_customers + 1
    for _ in range(20):
        for _ in range(200):
            search.improve_locally(temperature)
        cost = check_routes(space, current_routes(space, search))
        assert cost == search.cost
        best = check_routes(space, best_routes(space, search))
        assert best == search.best_cost <= start.cost
        nexts, prevs = search.next, search.prev
        on_routes = np.arange(1, len(nexts))
        assert (prevs[nexts[on_routes]] == on_routes).all()
        to_next, to_prev = search.to_next, search.to_prev
        assert (to_next[on_routes] == to_prev[nexts[on_routes]]).all()
        routes = search.route_of[1:num_nodes]
        assert (search.route_of[nexts[1:num_nodes]] == routes).all()
        slots = len(search.loads) - 1
        demands = instance.demands[space.order[1:]]
        loads = np.bincount(routes, demands, slots)
        assert (loads == search.loads[:-1]).all()
        sizes = np.bincount(routes, minlength=slots)
        assert (sizes == search.sizes[:-1]).all()
        empty = np.flatnonzero(sizes == 0).tolist()
        assert sorted(search.free_routes.tolist()) == empty


def test_long_routes_get_shorter() -> None:
    """At equal iterations the moves find what strings cannot."""
    instance = generate_uchoa(600, 1, route_length=60.0)
    start = solve_savings(instance, router=None)
    costs = [
        ruin_and_recreate(
            instance,
            start,
            Run(Budget.of(iterations=30_000)),
            params=RuinRecreateParams(tail_moves=share),
        ).cost
        for share in (0.0, 0.05)
    ]
    assert costs[1] < 0.99 * costs[0]
