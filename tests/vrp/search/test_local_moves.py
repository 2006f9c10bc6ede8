"""2-opt*, 2-opt and segment relocation against routes priced anew."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.graph import knn_graph
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

if TYPE_CHECKING:
    from ncc_routing._core.search import RoutingSearch

SIX = [[0, 0], [1, 3], [2, 5], [3, 8], [-1, 4], [-2, 6], [4, 9]]

MOVES = ("two_opt_star", "two_opt_star_reversed", "two_opt")
"""The kinds of moves that are told by hand."""

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


def six(capacity: int) -> tuple[SearchSpace, RoutingSearch, float]:
    """Return the routes 1 2 3 and 4 5 6, and their cost."""
    demands = np.array([0, 1, 1, 1, 1, 1, 1])
    instance = nr.Instance("six", demands, capacity, np.array(SIX))
    space = SearchSpace.of(instance, knn_graph(instance, 5), 5)
    start = PackedRoutes.of([[1, 2, 3], [4, 5, 6]])
    search = space.load(space.pack(start), PARAMS, [1])
    return space, search, start.cost(instance)


@pytest.mark.parametrize(
    ("rule", "i", "j", "expected"),
    [
        (0, 1, 5, ((1, 5, 6), (4, 2, 3))),
        (0, 3, 4, ((1, 2, 3, 4, 5, 6),)),
        (1, 1, 4, ((1, 4), (3, 2, 5, 6))),
        (1, 3, 6, ((1, 2, 3, 6, 5, 4),)),
        (2, 1, 3, ((1, 3, 2), (4, 5, 6))),
    ],
)
def test_moves_by_hand(
    rule: int, i: int, j: int, expected: tuple[tuple[int, ...], ...]
) -> None:
    """Two routes 1 2 3 and 4 5 6; an emptied one is free again."""
    space, search, before = six(6)
    rank = np.argsort(space.order)
    assert getattr(search, MOVES[rule])(rank[i], rank[j], np.inf)
    found = current_routes(space, search).to_solution(space.instance)
    turned = {min(route, route[::-1]) for route in found.routes}
    assert turned == {min(route, route[::-1]) for route in expected}
    assert search.cost == found.cost
    assert search.best_cost == min(before, found.cost)
    made = len(found.routes)
    assert len(search.free_routes) == len(search.loads) - 1 - made


@pytest.mark.parametrize("rule", [0, 1, 2])
def test_ways_back_of_another_length_are_priced(rule: int) -> None:
    """Every pair of two routes, or of one: the change is that of the cost."""
    instance = one_way(3)
    space = SearchSpace.of(instance, knn_graph(instance, 30), 8)
    routes = [list(range(1, 6)), list(range(6, 11))]
    start = PackedRoutes.of([*routes, *([c] for c in range(11, 41))])
    rank, packed = np.argsort(space.order), space.pack(start)
    moved = 0
    for i, j in product(routes[0], routes[0] if rule == 2 else routes[1]):
        if i == j:
            continue
        search = space.load(packed, PARAMS, [1])
        if getattr(search, MOVES[rule])(rank[i], rank[j], np.inf):
            moved += 1
            cost = check_routes(space, current_routes(space, search))
            assert cost == search.cost
    assert moved >= 10


def shifts(
    routes: list[list[int]], i: int, j: int, forward: bool, follows: bool
) -> list[list[list[int]]]:
    """Return the routes after shifting one customer, two, and so on.

    The segment holds neither ``j`` nor the neighbour that it comes before.
    """
    [own] = [route for route in routes if i in route]
    [target] = [route for route in routes if j in route]
    place = target.index(j) + (1 if follows else -1)
    other = target[place] if 0 <= place < len(target) else 0
    path = own[own.index(i) :] if forward else own[own.index(i) :: -1]
    found = []
    for size in range(1, len(path) + 1):
        segment = path[:size]
        if {j, other} & set(segment):
            break
        left = [[c for c in route if c not in segment] for route in routes]
        [goal] = [route for route in left if j in route]
        at = goal.index(j) + follows
        goal[at:at] = segment if follows else segment[::-1]
        found.append([route for route in left if route])
    return found


@pytest.mark.parametrize("limit", [0.0, 40.0])
def test_the_first_segment_that_passes_is_shifted(limit: float) -> None:
    """Every pair of two routes, or of one, against lists of customers."""
    instance = one_way(3)
    space = SearchSpace.of(instance, knn_graph(instance, 30), 8)
    routes = [list(range(1, 9)), list(range(9, 17))]
    routes += [[customer] for customer in range(17, 41)]
    before = instance.route_costs(routes).sum()
    rank = np.argsort(space.order)
    packed = space.pack(PackedRoutes.of(routes))
    num_moved = num_longer = 0
    for i, j in permutations(range(1, 17), 2):
        for forward, seed in product((True, False), (1, 2)):
            search = space.load(packed, PARAMS, [seed, i, j])
            is_made = search.or_opt(rank[i], rank[j], forward, limit)
            found = current_routes(space, search)
            assert check_routes(space, found) == search.cost
            if not is_made:
                assert search.cost == before
                continue
            assert search.cost < before + limit
            firsts = []
            for follows in (True, False):
                options = shifts(routes, i, j, forward, follows)
                for size, after in enumerate(options, 1):
                    if instance.route_costs(after).sum() < before + limit:
                        firsts.append((size, sorted(map(tuple, after))))
                        break
            made = sorted(found.to_solution(space.instance).routes)
            [size] = [size for size, after in firsts if after == made]
            num_moved += 1
            num_longer += size > 1
    assert num_moved > num_longer > 50


@pytest.mark.parametrize("rule", [0, 1])
def test_no_room_no_move(rule: int) -> None:
    """Tails that do not fit stay where they are."""
    space, search, before = six(3)
    rank = np.argsort(space.order)
    assert not getattr(search, MOVES[rule])(rank[1], rank[6], np.inf)
    assert check_routes(space, current_routes(space, search)) == before


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
