"""Clustering by local search: feasible, good, the same for a seed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing import check_clustering
from ncc_routing.ccp.local_search.search import cluster_by_search
from ncc_routing.ccp.search_params import SearchParams
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import bisect, pack
from ncc_routing.core.budget import Budget
from ncc_routing.stop import TimeLimit
from tests.ccp.points import points_of

if TYPE_CHECKING:
    from ncc_routing import PointSet


def points_at_random(seed: int, size: int = 60, clusters: int = 5) -> PointSet:
    """Return weighted points that fill 90 % of the capacity."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 20, size)
    limit = int(np.ceil(weights.sum() / 0.9 / clusters))
    coords = rng.random((size, 2))
    return points_of(coords, weights, limit, num_clusters=clusters)


def test_kicks_do_not_make_it_worse() -> None:
    """The search continues from the best start."""
    points = points_at_random(2)
    none, many = (
        cluster_by_search(
            *(points, 5),
            np.random.default_rng(1),
            params=SearchParams(1, kicks),
        ).inertia
        for kicks in (0, 50)
    )
    assert many <= none + 1e-12


@pytest.mark.parametrize(
    ("weights", "capacities", "loads"),
    [([7, 2, 1] * 4, None, [10] * 4), ([1] * 8, [1, 6, 1], [1, 6, 1])],
)
def test_exact_fit_is_found(
    weights: list[int], capacities: list[int] | None, loads: list[int]
) -> None:
    """Weights that fill every cluster to the last unit."""
    rng = np.random.default_rng(0)
    coords = rng.random((len(weights), 2))
    points = points_of(coords, weights, max(loads), capacities=capacities)
    found = cluster_by_search(points, len(loads), rng)
    assert check_clustering(points, found, len(loads)) == []
    assert found.loads.tolist() == loads


def test_large_sets_are_searched_near_by() -> None:
    """Beyond the dense limit: feasible, and better than the bisection."""
    points = points_at_random(4, 5000, 60)
    found = cluster_by_search(points, 60, np.random.default_rng(0))
    assert check_clustering(points, found, 60) == []
    cut = bisect(points, points.cluster_limits(60))
    assert found.inertia < summarize(points, cut, 60, "inertia").inertia


@pytest.mark.parametrize(
    ("slack", "heaviest"), [(1.0, 1), (1.0, 30), (1.02, 30), (1.5, 1)]
)
def test_large_clusters_are_quick_and_balanced(
    slack: float, heaviest: int
) -> None:
    """30,000 points into six clusters took minutes of swaps."""
    rng = np.random.default_rng(2)
    coords = rng.normal(rng.random((6, 1, 2)), 0.1, (6, 5000, 2))
    weights = rng.integers(1, heaviest + 1, 30_000)
    capacity = int(np.ceil(slack * weights.sum() / 6))
    points = points_of(coords.reshape(-1, 2), weights, capacity)
    begun = time.process_time()
    found = cluster_by_search(points, 6, rng)
    assert time.process_time() - begun < 20.0
    assert check_clustering(points, found, 6) == []
    cut = bisect(points, points.cluster_limits(6))
    assert found.inertia < 0.9 * summarize(points, cut, 6, "inertia").inertia


def test_large_search_looks_at_the_clock() -> None:
    """A clock that a hundred looks move by a second; the limit is one."""
    looks = iter(range(10**6))
    points, rng = points_at_random(3, 40_000, 4), np.random.default_rng(1)
    deadline = TimeLimit(1.0, clock=lambda: next(looks) / 100)
    found = cluster_by_search(points, 4, rng, Budget(deadline))
    assert check_clustering(points, found, 4) == []
    assert next(looks) < 400


def test_large_search_begins_where_it_is_told() -> None:
    """A start without any room to spare is kept or improved."""
    points, rng = points_at_random(3, 5000, 4), np.random.default_rng(1)
    start = pack(points, points.cluster_limits(4))
    assert start is not None
    found = cluster_by_search(points, 4, rng, start=start)
    assert check_clustering(points, found, 4) == []
    assert found.inertia < summarize(points, start, 4, "inertia").inertia
