"""Compact routes: penalties by hand, searches, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences import compactness
from ncc_routing.vrp.preferences.compactness import (
    Compactness,
    MatrixCompactness,
    squeezed,
)

LONG = generate_uchoa(150, 11, route_length=15.0)
START = solve_savings(LONG, router=None)


def test_penalties_by_hand() -> None:
    """Squared distances to the mean places, times the rate."""
    places = np.array([[0, 0], [0, 0], [2, 0], [5, 5], [5, 9], [8, 7.0]])
    costs = Compactness(places, 10.0, 0.5)
    packed = PackedRoutes.of([(1, 2), (5, 3, 4)])
    assert costs.penalties(packed) == pytest.approx([20.0, 140.0])
    penalties = costs.around(packed)  # centers (1, 0) and (6, 7)
    assert penalties.ids[1:].tolist() == [
        [0, 1],
        [0, 1],
        [1, 0],
        [1, 0],
        [1, 0],
    ]
    assert penalties.penalties[1].tolist() == [10.0, 850.0]
    assert penalties.penalties[5].tolist() == [40.0, 980.0]
    assert penalties.far[5] == compactness.FAR_FACTOR * 980.0


def test_distances_count_beyond_the_cvrp() -> None:
    """In place of their squares, to the mean places and to the medoids."""
    places = np.array([[0, 0], [0, 0], [2, 0], [4, 0], [5, 4], [5, 8.0]])
    costs = Compactness(places, 10.0, 0.5, is_linear=True)
    packed = PackedRoutes.of([(1, 2, 3), (4, 5)])
    assert costs.penalties(packed) == pytest.approx([40.0, 40.0])
    penalties = costs.around(packed)  # centers (2, 0) and (5, 6)
    assert penalties.penalties[4].tolist() == [20.0, 50.0]
    assert penalties.far[4] == compactness.FAR_FACTOR * 50.0
    matrix = np.hypot(*(places[:, None] - places).T)
    demands = np.array([0, *[1] * 5])
    instance = nr.Instance("by matrix", demands, 3, matrix=matrix)
    by_matrix = MatrixCompactness(instance, 1.0, 1.0, is_linear=True)
    squares = by_matrix.squares(np.array([1, 3]), np.array([2]))
    assert by_matrix.penalties(packed)[0] == np.sqrt(squares).sum()


def test_overlap_costs_beyond_the_cvrp() -> None:
    """One of two customers lies inside the triangle of another route."""
    places = [[0, 0], [1, 1], [3, 1], [2, 3], [2, 1.5], [9, 9]]
    instance = nr.Instance(
        "map",
        np.array([0, 1, 1, 1, 1, 1]),
        3,
        np.array(places, dtype=float),
        windows=nr.TimeWindows.of(6, tw_late=np.full(6, 1000)),
    )
    start = nr.Solution.from_routes(instance, [[1, 2, 3], [4, 5]])
    found = Compactness.of(instance, start, 2.0)
    assert found.hulls is not None
    packed = PackedRoutes.of(start.routes)
    unit = 2.0 * compactness.HULL_SHARE * start.cost / 5
    overlap = found.hulls.penalties(packed)
    assert overlap == pytest.approx([0.0, unit], rel=1e-4)
    alone = replace(found, hulls=None).penalties(packed)
    assert found.penalties(packed) == pytest.approx(alone + overlap)
    assert Compactness.of(LONG, START, 1.0).hulls is None


def test_wide_routes_cost_a_share_at_most() -> None:
    """Routes at random are never round, and so no measure of ideal ones."""
    order = np.random.default_rng(1).permutation(LONG.num_customers) + 1
    wide = nr.Solution.from_routes(LONG, np.split(order, 10))
    packed = PackedRoutes.of(wide.routes)
    costs = Compactness.of(LONG, wide, 2.0).penalties(packed)
    most = 2.0 * compactness.SHARE_OF_COST * compactness.WIDEST * wide.cost
    assert costs.sum() == pytest.approx(most)


def test_a_matrix_says_the_same_as_places() -> None:
    """Distances of a plane tell the squeezed ones, to one depot."""
    coords = np.array([[0, 0], [3, 4], [6, 8], [-4, 3], [0, 10], [5, 0.0]])
    nodes = np.arange(6)
    matrix = np.hypot(*(coords[:, None] - coords).T)
    instance = nr.Instance("plane", np.array([0, *[1] * 5]), 5, matrix=matrix)
    costs = MatrixCompactness(instance, 1.0, 1.0)
    places = squeezed(coords)
    gaps = places[:, None] - places[None, 1:]
    squares = costs.squares(nodes, nodes[1:])
    assert squares == pytest.approx((gaps**2).sum(axis=2))
