"""Measures of routes on small pictures, by hand."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.problems.routes.route_shapes import (
    RouteShapes,
    convex_hull,
    measure_shapes,
)
from ncc_routing.vrp.construction.sweep import solve_sweep

Places = Sequence[Sequence[float]]


def shapes(coords: Places, routes: list[list[int]]) -> RouteShapes:
    """Return the measures of routes of customers at some places."""
    demands = np.array([0] + [1] * (len(coords) - 1))
    instance = nr.Instance("map", demands, len(coords), np.array(coords))
    return measure_shapes(instance, nr.Solution.from_routes(instance, routes))


SQUARE: list[list[float]] = [[0, 0], [10, 0], [14, 0], [14, 4], [10, 4]]
"""A depot and the corners of a square, customers 1 to 4."""


@pytest.mark.parametrize(
    ("place", "overlap"),
    [([12, 2], 0.2), ([14, 2], 0.0), ([14, 4], 0.0), ([15, 2], 0.0)],
)
def test_inside_a_hull(place: list[float], overlap: float) -> None:
    """Inside counts; a side, a corner and outside do not."""
    coords: Places = [*SQUARE, place]
    routes = [[1, 2, 3, 4], [5]]
    found = shapes(coords, routes)
    assert found.overlap == overlap


def test_the_depot_belongs_to_no_hull() -> None:
    """A customer between the depot and a route is outside.

    The diagonal of the square is rounded to 6.
    """
    found = shapes([*SQUARE, [5, 1]], [[1, 2, 3, 4], [5]])
    assert found == RouteShapes(0.0, (4 + 4 + 6) / 5, 0)


def test_routes_without_an_inside() -> None:
    """Two places, or a line, hold no customer."""
    coords = [[0, 0], [2, 2], [8, 8], [4, 4], [6, 6], [5, 5]]
    routes = [[1, 2], [3, 4, 5]]
    found = shapes(coords, routes)
    assert found.overlap == 0.0
    assert found.crossings == 0  # on each other


def test_two_squares_on_each_other() -> None:
    """Each holds one corner of the other."""
    coords: Places = [*SQUARE, [12, 2], [16, 2], [16, 6], [12, 6]]
    routes = [[1, 2, 3, 4], [5, 6, 7, 8]]
    found = shapes(coords, routes)
    assert found.overlap == 2 / 8


def test_medoids() -> None:
    """Customers at 1, 2 and 9 on a line: 2 is the medoid, at 1 + 7."""
    coords = [[0, 0], [1, 0], [2, 0], [9, 0], [0, 5]]
    routes = [[1, 2, 3], [4]]
    found = shapes(coords, routes)
    assert found.medoid_distance == 8 / 4


def test_crossings_by_hand() -> None:
    """Routes 1 2 and 3 4: the edge 1-2 is crossed, the depot is shared."""
    coords = [[0, 0], [4, -4], [4, 4], [2, 0], [8, 1]]
    assert shapes(coords, [[1, 2], [3, 4]]).crossings == 2
    assert shapes(coords, [[1, 3], [2, 4]]).crossings == 0
    assert shapes(coords, [[1, 2, 3, 4]]).crossings == 0


def side(a: complex, b: complex, c: complex) -> float:
    """Return on which side of the line from a to b a place is."""
    return float(np.sign(((b - a).conjugate() * (c - a)).imag))


@pytest.mark.parametrize("extent", [6, 1000])
def test_all_hulls_are_looked_at(extent: int) -> None:
    """One by one; many places are equal, or on a line, in a small extent."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        coords = rng.integers(0, extent, (61, 2)).astype(float)
        parts = np.array_split(1 + rng.permutation(60), 9)
        places = [complex(*place) for place in coords.tolist()]
        inside = set()
        for part in parts:
            corners = [complex(*xy) for xy in convex_hull(coords[part])]
            ring = list(zip(corners, corners[1:] + corners[:1], strict=True))
            for c in set(range(1, 61)) - set(part.tolist()):
                if all(side(a, b, places[c]) > 0 for a, b in ring):
                    inside.add(c)
        found = shapes(coords.tolist(), [part.tolist() for part in parts])
        assert found.overlap == len(inside) / 60


def test_every_pair_is_looked_at() -> None:
    """Against all pairs of edges, one by one."""
    instance = generate_uchoa(60, 3, route_length=7.0)
    rng = np.random.default_rng(1)
    parts = np.array_split(1 + rng.permutation(60), 9)
    solution = nr.Solution.from_routes(instance, parts)
    found = measure_shapes(instance, solution)
    assert instance.coords is not None
    places = [complex(*place) for place in instance.coords.tolist()]

    edges = [
        (number, places[tail], places[head])
        for number, nodes in enumerate(solution.visits(instance))
        for tail, head in pairwise(nodes)
    ]
    assert found.crossings == sum(
        side(a, b, c) * side(a, b, d) < 0 > side(c, d, a) * side(c, d, b)
        for (one, a, b), (two, c, d) in combinations(edges, 2)
        if one != two
    )
    assert found.overlap > 0.5
    swept = measure_shapes(instance, solve_sweep(instance))
    assert swept.overlap < 0.5 * found.overlap
    assert swept.medoid_distance < found.medoid_distance


def test_a_matrix_alone_has_no_shapes() -> None:
    """Without coordinates the instance is named."""
    matrix = np.ones((3, 3)) - np.eye(3)
    instance = nr.Instance("only", np.array([0, 1, 1]), 2, matrix=matrix)
    solution = nr.Solution.from_routes(instance, [[1, 2]])
    with pytest.raises(nr.InstanceError, match="only"):
        measure_shapes(instance, solution)
