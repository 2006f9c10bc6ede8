"""Tests of the compiled moves against plain Python."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.rounding import ROUNDINGS
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing import _annealing_kernels as annealing
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing import _recreate_kernels as recreate
from ncc_routing.vrp.polishing import _route_kernels as routes
from ncc_routing.vrp.polishing import _ruin_kernels as ruin
from ncc_routing.vrp.polishing._state import SearchSpace, read_packed
from tests.vrp.polishing.calls import call

MOVE = _layout.KernelParams(10.0, 10.0, 0.5, 0.01, 4.0, 0.0, 0.0)
MAX_REMOVED = 52


def ruin_once(space: SearchSpace, s: _layout.Routes) -> None:
    """Make room for an iteration and ruin."""
    s.counts[_layout.NUM_ITERATIONS] += 1
    s.counts[_layout.NUM_REMOVED] = 0
    s.counts[_layout.NUM_STRINGS] = 0
    s.counts[_layout.NUM_INSERTED] = 0
    call(ruin.ruin, space.problem, s, MOVE)


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return ninety customers of the X family, about six a route."""
    return nr.generate_uchoa(90, 5, demands="1-100", route_length=6)


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


def routes_in(space: SearchSpace, s: _layout.Routes) -> list[list[int]]:
    """Return the current routes as customers; they must close."""
    num_nodes = len(space.order)
    routes = []
    for slot in range(len(s.free)):
        node = num_nodes + slot
        route = []
        while True:
            follower = int(s.nodes["next"][node])
            assert s.nodes["prev"][follower] == node
            assert s.nodes["to_next"][node] == s.nodes["to_prev"][follower]
            node = follower
            if node >= num_nodes:
                break
            assert s.route_of[node] == slot
            route.append(int(space.order[node]))
        assert node == num_nodes + slot
        load = int(space.instance.demands[route].sum()) if route else 0
        assert s.loads[slot] == load
        assert s.routes["size"][slot] == len(route)
        routes.append(route)
    return routes


def packed(space: SearchSpace, solution: nr.Solution) -> PackedRoutes:
    """Return the routes of a solution as kernel nodes."""
    return space.pack(PackedRoutes.of(solution.routes))


def assert_consistent(space: SearchSpace, s: _layout.Routes) -> None:
    """Check links, loads, free routes and both costs of a state."""
    routes = routes_in(space, s)
    visits = sorted(itertools.chain.from_iterable(routes))
    assert visits == list(range(1, space.instance.num_customers + 1))
    free = s.free[: s.counts[_layout.NUM_FREE]].tolist()
    assert sorted(free) == [r for r, route in enumerate(routes) if not route]
    assert s.loads[:-1].max() <= space.instance.capacity
    current = nr.Solution.from_routes(space.instance, routes)
    assert s.costs[_layout.COST] == pytest.approx(current.cost)
    best = space.unpack(read_packed(s.best_next, s))
    rebuilt = best.to_solution(space.instance)
    assert s.costs[_layout.BEST_COST] == pytest.approx(rebuilt.cost)
    assert s.costs[_layout.BEST_COST] <= s.costs[_layout.COST]


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
    s = space.load(packed(space, greedy_start(case)), MAX_REMOVED, [2])
    assert_consistent(space, s)
    start = float(s.costs[_layout.COST])
    for temperature in (start / 40, start / 400, start / 4000):
        accepted = annealing.anneal(
            space.problem, s, MOVE, 700, temperature, 1.0
        )
        assert 0 < accepted <= 700
        assert_consistent(space, s)
    assert s.counts[_layout.NUM_ITERATIONS] == 2100
    assert s.costs[_layout.BEST_COST] < start


def test_undo_restores_every_link(instance: nr.Instance) -> None:
    """Ruin and recreate, finished or cut short, leave nothing behind."""
    space = SearchSpace.of(instance, knn_graph(instance, 20), 9)
    s = space.load(packed(space, greedy_start(instance)), MAX_REMOVED, [1])
    nodes, route_of = s.nodes.copy(), s.route_of.copy()
    loads, sizes = s.loads.copy(), s.routes["size"].copy()
    cost = float(s.costs[_layout.COST])
    num_free = int(s.counts[_layout.NUM_FREE])
    outcomes = set()
    for round_idx in range(60):
        limit = np.inf if round_idx % 2 else 0.97 * cost
        ruin_once(space, s)
        call(recreate.sort_removed, space.problem, s)
        outcomes.add(call(recreate.recreate, space.problem, s, MOVE, limit))
        call(annealing.undo, space.problem, s)
        s.counts[_layout.NUM_FREE] = num_free
        s.costs[_layout.COST] = cost
        np.testing.assert_array_equal(s.nodes, nodes)
        np.testing.assert_array_equal(s.route_of, route_of)
        np.testing.assert_array_equal(s.loads, loads)
        np.testing.assert_array_equal(s.routes["size"], sizes)
    assert outcomes == {True, False}


def test_ruin_removes_strings_around_one(instance: nr.Instance) -> None:
    """A ruin takes at most one stretch of each route, of bounded length."""
    space = SearchSpace.of(instance, knn_graph(instance, 20), 9)
    start = greedy_start(instance)
    longest = min(10.0, instance.num_customers / start.num_routes)
    sizes = []
    for seed in range(40):
        s = space.load(packed(space, start), MAX_REMOVED, [seed])
        before = routes_in(space, s)
        ruin_once(space, s)
        num_removed = int(s.counts[_layout.NUM_REMOVED])
        gone = set(space.order[s.removed["customer"][:num_removed]].tolist())
        assert len(gone) == num_removed >= 1
        sizes.append(num_removed)
        for route in before:
            spots = [i for i, c in enumerate(route) if c in gone]
            assert len(spots) <= longest
        kept = sum(space.instance.demands[c] for c in gone)
        total = s.loads[:-1].sum() + kept
        assert total == instance.demands.sum()
    assert 5.0 < np.mean(sizes) < 15.0


def test_position_is_the_cheapest_of_all(instance: nr.Instance) -> None:
    """With every customer a neighbour, no position is cheaper."""
    num_customers = instance.num_customers
    thorough = MOVE._replace(blink=0.0, reach=np.inf)
    space = SearchSpace.of(
        instance, knn_graph(instance, num_customers), num_customers
    )
    start = greedy_start(instance)
    for seed in range(15):
        s = space.load(packed(space, start), MAX_REMOVED, [seed])
        ruin_once(space, s)
        node = int(s.removed["customer"][0])
        customer = int(space.order[node])
        s.route_of[node] = len(s.free)
        before, edge_in, edge_out = call(
            recreate.find_position, space.problem, s, thorough, node, np.inf
        )
        follower = s.nodes["next"][before]
        assert edge_in == call(
            routes.length, space.problem, s.nodes, before, node
        )
        assert edge_out == call(
            routes.length, space.problem, s.nodes, node, follower
        )
        expected = instance.route_cost([customer])
        for route in filter(None, routes_in(space, s)):
            load = instance.demands[route].sum()
            if load + instance.demands[customer] > instance.capacity:
                continue
            for spot in range(len(route) + 1):
                longer = [*route[:spot], customer, *route[spot:]]
                gain = instance.route_cost(longer) - instance.route_cost(route)
                expected = min(expected, gain)
        broken = s.nodes["to_next"][before]
        assert edge_in + edge_out - broken == expected
        assert before != 0
        none, *_ = call(
            recreate.find_position, space.problem, s, thorough, node, expected
        )
        assert none == 0


def test_neighbours_out_of_reach_are_left_out() -> None:
    """A customer at 40 lies on the edge from 0 to 100 at no detour.

    Both ends are 40 or more away; the route to 35 and back costs 10.
    """
    coords = np.array([[0.0, 0.0], [35.0, 0.0], [100.0, 0.0], [40.0, 0.0]])
    case = nr.Instance("line", np.array([0, 1, 1, 1]), 2, coords)
    space = SearchSpace.of(case, knn_graph(case, 3), 3)
    found = []
    for reach in (1.0, 8.0):
        start = nr.Solution.from_routes(case, [[1], [2], [3]])
        s = space.load(packed(space, start), MAX_REMOVED, [1])
        rank = np.argsort(space.order)
        node = int(rank[3])
        s.route_of[node] = len(s.free)
        move = MOVE._replace(blink=0.0, reach=reach)
        before, edge_in, edge_out = call(
            recreate.find_position, space.problem, s, move, node, np.inf
        )
        detour = edge_in + edge_out - s.nodes["to_next"][before]
        found.append(detour)
    assert found == [10.0, 0.0]


def test_random_numbers_fill_the_unit_interval() -> None:
    """Numbers lie in [0, 1), with the moments of the uniform law."""
    numbers = np.zeros(100_000)
    rng = np.array([12345], dtype=np.uint64)
    for idx in range(len(numbers)):
        numbers[idx] = call(routes.random_unit, rng)
    assert numbers.min() >= 0.0
    assert numbers.max() < 1.0
    assert numbers.mean() == pytest.approx(0.5, abs=0.005)
    assert numbers.var() == pytest.approx(1 / 12, abs=0.002)
    lag = np.corrcoef(numbers[:-1], numbers[1:])[0, 1]
    assert abs(lag) < 0.01
