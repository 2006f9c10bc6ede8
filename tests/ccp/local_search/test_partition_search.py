"""The moves of the local search against recomputed inertias."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncc_routing._core import partition as kernels
from tests.ccp.points import limits_by


def whole(
    coords: np.ndarray,
    weights: np.ndarray,
    limits: list[int],
    share: float,
    labels: Any,
) -> kernels.Partition:
    """Return a partition with everything computed."""
    part = kernels.Partition(
        kernels.Problem(coords, limits_by(weights, limits), share)
    )
    part.assign(np.asarray(labels))
    return part


def start(seed: int, num_dims: int = 2) -> kernels.Partition:
    """Return 30 random points in 4 random clusters, with room to spare."""
    rng = np.random.default_rng(seed)
    coords = rng.random((30, num_dims))
    weights = rng.integers(1, 10, 30).astype(float)
    labels = rng.integers(0, 4, 30)
    return whole(coords, weights, [60] * 4, 0.1, labels)


def everyone_near(num_clusters: int) -> np.ndarray:
    """Return that each cluster is near every one."""
    return np.tile(np.arange(num_clusters), (num_clusters, 1))


def inertia(coords: np.ndarray, labels: np.ndarray) -> float:
    """Return the inertia from its definition."""
    groups = [coords[labels == k] for k in range(labels.max() + 1)]
    return float(
        sum(((g - g.mean(axis=0)) ** 2).sum() for g in groups if len(g))
    )


@pytest.mark.parametrize("num_dims", [1, 2, 5])
def test_descent_states_its_gain_and_keeps_the_limits(num_dims: int) -> None:
    """The sum of the deltas is the change of the inertia.

    So they are exact, and means and loads follow the moves.
    """
    for seed in range(5):
        part = start(seed, num_dims)
        problem, near, level = part.problem, everyone_near(4), np.zeros(4)
        relief = kernels.Relief(part, near, 30)
        while relief.run(np.arange(30), level, level, level, 0.0):
            pass
        assert (part.loads[:, 0] <= problem.limits.upper[:, 0]).all()
        before = part.rebuild()
        descent = kernels.Descent(part, near, 30)
        change = descent.run(3000, np.inf)
        assert descent.is_complete
        after = inertia(problem.coords, part.labels)
        assert change <= 0.0
        assert after == pytest.approx(before + change)
        loads = np.bincount(part.labels, problem.limits.weights[:, 0], 4)
        assert (loads <= problem.limits.upper[:, 0]).all()
        means, moved_loads = part.means, part.loads[:, 0]
        part.rebuild()
        assert means == pytest.approx(part.means)
        assert moved_loads == pytest.approx(part.loads[:, 0])
