"""The searches of the three objectives: what they have in common."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.ccp.ckm import cluster_ckm
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.run import ClusterRun
from ncc_routing.ccp.search_params import AnnealingParams, SearchParams
from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.budget import Budget
from ncc_routing.problems.features import OBJECTIVES
from tests.ccp.points import points_of

SHORT = ClusterRun(
    search=SearchParams(num_starts=2, num_kicks=10),
    annealing=AnnealingParams(global_moves=50, num_trials=30),
)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_small_case_is_optimal(objective: str) -> None:
    """All 3^8 labelings by brute force; a seed gives one answer."""
    rng = np.random.default_rng(6)
    points = points_of(10 * rng.random((8, 2)), rng.integers(1, 5, 8), 9)
    best = min(
        summarize(points, np.array(labels), 3, objective).cost
        for labels in product(range(3), repeat=8)
        if np.bincount(labels, points.weights, 3).max() <= 9
    )
    run = replace(SHORT, objective=objective)
    found, again = (cluster_ckm(points, 3, run) for _ in range(2))
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
    run = ClusterRun(Budget.of(seconds), objective=objective)
    found = cluster_ckm(points, 2, run)
    assert nr.check_clustering(points, found, 2) == []
    assert found.cost == pytest.approx(cost)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_cannot_work_is_refused(objective: str) -> None:
    """Too few clusters, too many, and three weights of 3 in two of 5."""
    rng = np.random.default_rng(0)
    points = points_of(np.eye(3), [3, 3, 3], 5)
    run = replace(SHORT, objective=objective)
    for count in (0, 1, 4):
        with pytest.raises(nr.InstanceError, match="num_clusters"):
            cluster_ckm(points, count, run)
    with pytest.raises(nr.InfeasibleError, match="2 clusters"):
        cluster_ckm(points, 2, run)
    with pytest.raises(nr.ParameterError, match="objective"):
        cluster_by_annealing(points, 2, rng, objective="inertia")
    with pytest.raises(nr.ParameterError, match="num_starts"):
        SearchParams(num_starts=0)
