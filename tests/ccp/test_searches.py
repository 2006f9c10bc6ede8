"""The searches of the three objectives: what they have in common."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.ccp.ckm import cluster_ckm
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.search_params import AnnealingParams, SearchParams
from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.deadline import Deadline
from tests.ccp.points import points_of

EFFORT: dict[str, SearchParams | AnnealingParams] = {
    "inertia": SearchParams(num_starts=2, num_kicks=10),
    "cccp": AnnealingParams(global_moves=50, num_trials=30),
    "cpmp": AnnealingParams(global_moves=50, num_trials=30),
}


@pytest.mark.parametrize("objective", EFFORT)
def test_small_case_is_optimal(objective: str) -> None:
    """All 3^8 labelings by brute force; a seed gives one answer."""
    rng = np.random.default_rng(6)
    points = points_of(10 * rng.random((8, 2)), rng.integers(1, 5, 8), 9)
    best = min(
        summarize(points, np.array(labels), 3, objective).cost
        for labels in product(range(3), repeat=8)
        if np.bincount(labels, points.weights, 3).max() <= 9
    )
    run: dict[str, Any] = {"objective": objective, "effort": EFFORT[objective]}
    found, again = (
        cluster_ckm(points, 3, rng=np.random.default_rng(1), **run)
        for _ in range(2)
    )
    assert nr.check_clustering(points, found, 3) == []
    assert found.cost == pytest.approx(best)
    assert found.labels.tolist() == again.labels.tolist()


@pytest.mark.parametrize("num_dims", [1, 2, 3])
@pytest.mark.parametrize("seconds", [1e-6, 0.05])
@pytest.mark.parametrize(
    ("objective", "cost"), [("inertia", 20.0), ("cccp", 12.0), ("cpmp", 12.0)]
)
def test_any_dimensions_at_any_limit(
    num_dims: int, seconds: float, objective: str, cost: float
) -> None:
    """Two groups of five, apart along the last axis."""
    coords = np.zeros((10, num_dims))
    coords[:, -1] = [0, 1, 2, 3, 4, 50, 51, 52, 53, 54]
    points = points_of(coords, np.ones(10, int), 5)
    rng, deadline = np.random.default_rng(1), Deadline(seconds)
    found = cluster_ckm(
        points, 2, objective=objective, rng=rng, deadline=deadline
    )
    assert nr.check_clustering(points, found, 2) == []
    assert found.cost == pytest.approx(cost)


@pytest.mark.parametrize("objective", EFFORT)
def test_what_cannot_work_is_refused(objective: str) -> None:
    """Too few clusters, too many, and three weights of 3 in two of 5."""
    rng = np.random.default_rng(0)
    points = points_of(np.eye(3), [3, 3, 3], 5)
    effort: dict[str, Any] = {"effort": EFFORT[objective], "rng": rng}
    for count in (0, 1, 4):
        with pytest.raises(nr.InstanceError, match="num_clusters"):
            cluster_ckm(points, count, objective=objective, **effort)
    with pytest.raises(nr.InfeasibleError, match="2 clusters"):
        cluster_ckm(points, 2, objective=objective, **effort)
    with pytest.raises(nr.ParameterError, match="objective"):
        cluster_by_annealing(points, 2, objective="inertia", rng=rng)
    with pytest.raises(nr.ParameterError, match="num_starts"):
        SearchParams(num_starts=0)
