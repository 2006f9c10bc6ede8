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
)

LONG = generate_uchoa(150, 11, route_length=15.0)
START = solve_savings(LONG, router=None)


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
