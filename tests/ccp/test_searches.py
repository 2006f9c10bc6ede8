"""The searches of the three objectives: what they have in common."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.ccp.ckm import cluster_ckm
from ncc_routing.ccp.run import ClusterRun
from ncc_routing.core.budget import Budget
from tests.ccp.points import points_of


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
