"""Tests of cutting routes into parts."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.instance import Instance
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing.decomposition import split_routes

RNG_SEED = 5


def line(num_customers: int) -> Instance:
    """Return customers at 1, 2, 3, ... on a line from the depot."""
    places = np.arange(num_customers + 1.0)
    demands = np.minimum(1, np.arange(num_customers + 1))
    coords = np.column_stack([places, np.zeros_like(places)])
    return Instance("line", demands, num_customers, coords)


def test_packed_routes_are_taken_apart_and_joined() -> None:
    """Two of three routes, and both again with the third."""
    whole = PackedRoutes.of([[3, 1], [2], [5, 4]])
    part = whole.take([2, 0])
    assert part.nodes.tolist() == [5, 4, 3, 1]
    assert part.starts.tolist() == [0, 2, 4]
    joined = PackedRoutes.joined([part, whole.take([1])])
    assert joined.nodes.tolist() == [5, 4, 3, 1, 2]
    assert joined.starts.tolist() == [0, 2, 4, 5]
    assert whole.take([]).num_routes == 0
    names = np.array([0, 10, 20, 30, 40, 50])
    assert part.renamed(names).nodes.tolist() == [50, 40, 30, 10]


def test_packed_routes_have_the_cost_of_their_solution() -> None:
    """By hand on a line: out to the farthest customer and back."""
    packed = PackedRoutes.of([[2, 3], [1], [5, 4]])
    assert packed.cost(line(5)) == 6 + 2 + 10
    assert packed.take([1]).cost(line(5)) == 2
    solution = packed.to_solution(line(5))
    assert solution.cost == 18
    assert solution.routes == ((2, 3), (1,), (5, 4))
    assert packed.to_solution(line(5), 17.0).cost == 17.0


@pytest.mark.parametrize("num_parts", [1, 2, 3, 4, 7])
def test_parts_are_disjoint_and_about_equal(num_parts: int) -> None:
    """Each route is in one part, and no part is twice the mean."""
    instance = generate_uchoa(600, 3, route_length=8.0)
    routes = PackedRoutes.of(solve_savings(instance, router=None).routes)
    rng = np.random.default_rng(RNG_SEED)
    parts = split_routes(instance, routes, num_parts, rng)
    assert len(parts) == num_parts
    numbers = np.sort(np.concatenate(parts))
    assert numbers.tolist() == list(range(routes.num_routes))
    sizes = [len(routes.take(part).nodes) for part in parts]
    assert max(sizes) < 1.5 * 600 / num_parts
    assert min(sizes) > 0.5 * 600 / num_parts


def test_one_side_is_nearer_than_the_other() -> None:
    """Pairs on a line: the first part is a stretch without a gap."""
    routes = PackedRoutes.of([[k, k + 1] for k in range(1, 41, 2)])
    for seed in range(5):
        rng = np.random.default_rng(seed)
        part, _ = split_routes(line(40), routes, 2, rng)
        assert sorted(part.tolist()) == list(range(part.min(), part.max() + 1))


def test_borders_move() -> None:
    """Other random numbers, other parts."""
    routes = PackedRoutes.of([[k] for k in range(1, 41)])
    rng = np.random.default_rng(RNG_SEED)
    found = {
        frozenset(split_routes(line(40), routes, 2, rng)[0].tolist())
        for _ in range(5)
    }
    assert len(found) > 1


def test_a_matrix_is_enough() -> None:
    """Distances of a matrix cut as those of its coordinates do."""
    plane = line(40)
    nodes = np.arange(41)
    matrix = plane.distances(nodes, nodes)
    other = Instance("matrix", plane.demands, 40, matrix=matrix)
    routes = PackedRoutes.of([[k] for k in range(1, 41)])
    first, second = (
        split_routes(one, routes, 3, np.random.default_rng(RNG_SEED))
        for one in (plane, other)
    )
    assert [a.tolist() for a in first] == [b.tolist() for b in second]


def test_fewer_routes_than_parts() -> None:
    """Some parts are empty, no route is lost."""
    routes = PackedRoutes.of([[1], [2], [3]])
    rng = np.random.default_rng(RNG_SEED)
    parts = split_routes(line(3), routes, 5, rng)
    assert len(parts) == 5
    assert sorted(np.concatenate(parts).tolist()) == [0, 1, 2]
