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


def start(
    seed: int, num_dims: int = 2
) -> tuple[kernels.Partition, np.random.Generator]:
    """Return 30 random points in 4 random clusters, with room to spare."""
    rng = np.random.default_rng(seed)
    coords = rng.random((30, num_dims))
    weights = rng.integers(1, 10, 30).astype(float)
    labels = rng.integers(0, 4, 30)
    return whole(coords, weights, [60] * 4, 0.1, labels), rng


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
def test_deltas_are_exact(num_dims: int) -> None:
    """Relocation, swap and replacement agree with the definition."""
    part, _ = start(3, num_dims)
    coords, labels = part.problem.coords, part.labels
    before = inertia(coords, labels)
    assert part.rebuild() == pytest.approx(before)
    for i in range(30):
        to = int((labels[i] + 1) % 4)
        changed = labels.copy()
        changed[i] = to
        delta = part.insertion(i, to) - part.removal(i)
        after = inertia(coords, changed)
        assert delta == pytest.approx(after - before, abs=1e-12)
        j = (7 * i + 1) % 30
        if labels[j] == labels[i]:
            continue
        changed = labels.copy()
        changed[i], changed[j] = labels[j], labels[i]
        delta = part.exchange(i, j)
        after = inertia(coords, changed)
        assert delta == pytest.approx(after - before, abs=1e-12)
        both = part.replacement(i, j) + part.replacement(j, i)
        assert both == pytest.approx(after - before, abs=1e-12)


def test_move_keeps_means_loads_and_lists() -> None:
    """After many moves everything is as if recomputed."""
    part, rng = start(4)
    for _ in range(200):
        i, to = int(rng.integers(30)), int(rng.integers(4))
        own = int(part.labels[i])
        if own != to and len(part.members(own)) > 1:
            part.move(i, to)
    means, loads = part.means, part.loads[:, 0]
    for k in range(4):
        inside = np.flatnonzero(part.labels == k)
        assert sorted(part.members(k)) == inside.tolist()
    part.rebuild()
    assert means == pytest.approx(part.means)
    assert loads == pytest.approx(part.loads[:, 0])


def test_descent_states_its_gain_and_keeps_the_limits() -> None:
    """The sum of the deltas is the change of the inertia."""
    for seed in range(5):
        part, _ = start(seed)
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
