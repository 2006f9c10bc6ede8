"""Assignments and exchanges: by hand, and against references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing._core.clustering import Clusters

if TYPE_CHECKING:
    from collections.abc import Sequence


def clusters_of(
    weights: Sequence[float],
    capacities: Sequence[float],
    labels: Sequence[int] | None = None,
) -> Clusters:
    """Return points in clusters, in none without labels."""
    clusters = Clusters(
        np.array(weights, dtype=np.float64),
        np.array(capacities, dtype=np.float64),
    )
    if labels is not None:
        clusters.assign(np.array(labels))
    return clusters


@pytest.mark.parametrize("is_listed", [False, True])
def test_regret_assignment_of_many_points(is_listed: bool) -> None:
    """Against a plain loop, for points in several blocks and rounds."""
    rng = np.random.default_rng(6)
    size, count = 300, 7
    weights = rng.integers(1, 9, size).astype(np.float64)
    scores = rng.normal(size=(count, size))
    capacities = np.full(count, np.ceil(weights.sum() / count) + 2)
    listed = np.tile(np.arange(count)[:, None], size)
    if is_listed:
        listed = np.argsort(rng.random((count, size)), axis=0)
    loads, labels = np.zeros(count), np.full(size, -1)
    waiting = list(range(size))
    while waiting:
        choices = []
        for i in waiting:
            fits = loads[listed[:, i]] + weights[i] <= capacities[0]
            ranked = sorted(
                (-scores[row, i], listed[row, i])
                for row in np.flatnonzero(fits)
            )
            if ranked:
                worst = ranked[1][0] if len(ranked) > 1 else 1e18
                choices.append((ranked[0][0] - worst, i, ranked[0][1]))
        waiting = []
        for _, i, k in sorted(choices):
            if loads[k] + weights[i] <= capacities[k]:
                labels[i] = k
                loads[k] += weights[i]
            else:
                waiting.append(i)
    clusters = clusters_of(weights.tolist(), capacities.tolist())
    left = clusters.assign_by_regret(
        scores, listed=listed if is_listed else None
    )
    assert left == (labels < 0).sum()
    np.testing.assert_array_equal(clusters.labels, labels)
    np.testing.assert_array_equal(clusters.loads, loads)


def test_swaps_keep_the_capacities_and_end_where_none_is_better() -> None:
    """Against all pairs, on random tables."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        size, count = 30, 5
        scores = rng.normal(size=(count, size))
        weights = rng.integers(1, 9, size).astype(np.float64)
        start = np.arange(size) % count
        capacities = np.bincount(start, weights, count)
        capacities = capacities + rng.integers(0, 4, count).astype(float)
        clusters = Clusters(weights, capacities)
        clusters.assign(start)
        clusters.swap_members(scores, 100)
        labels, loads = clusters.labels, clusters.loads
        assert loads.tolist() == np.bincount(labels, weights, count).tolist()
        assert (loads <= capacities).all()
        for i, to in np.ndindex(size, count):
            k = labels[i]
            if loads[to] + weights[i] <= capacities[to]:
                assert scores[to, i] <= scores[k, i] + 1e-9
        for i, j in np.ndindex(size, size):
            k, to, shift = labels[i], labels[j], weights[i] - weights[j]
            if (
                loads[to] + shift <= capacities[to]
                and loads[k] - shift <= capacities[k]
            ):
                gain = scores[to, i] - scores[k, i]
                assert gain + scores[k, j] - scores[to, j] <= 1e-9
