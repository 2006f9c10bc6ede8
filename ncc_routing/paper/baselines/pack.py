"""PACK: block coordinate descent with an exact assignment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.exact_assignment import assign_exactly
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import spread_seeds
from ncc_routing.core.exceptions import InfeasibleError, OutOfTimeError
from ncc_routing.core.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

_NUM_STARTS: Final = 8

_MAX_ROUNDS: Final = 100
"""Assignments of a start at most."""


def cluster_pack(
    points: PointSet,
    num_clusters: int,
    run: Run,
    *,
    objective: str = "inertia",
) -> Clustering:
    """Cluster points by PACK, from several k-means++ starts.

    An optimal assignment (0/1 program, squared distances times weights) and a
    move of the centers to the weighted means alternate until no center moves.
    Lähderanta et al. (2021), https://arxiv.org/abs/1907.07349
    """
    limits = points.cluster_limits(num_clusters)
    rng, deadline = run.generator(), run.budget.time_limit
    best, best_labels = np.inf, None
    for start in range(_NUM_STARTS):
        if start > 0 and deadline.passed():
            break
        seeds = spread_seeds(points.coords, num_clusters, rng)
        for labels, cost in _rounds(points, seeds, limits, deadline):
            if cost < best:
                best, best_labels = cost, labels
    if best_labels is None:
        kind = OutOfTimeError if deadline.passed() else InfeasibleError
        raise kind(
            f"{points.name}: pack found no feasible assignment to "
            f"{counted(num_clusters, 'cluster')} in time."
        )
    return summarize(points, best_labels, num_clusters, objective)


def _rounds(
    points: PointSet,
    seeds: np.ndarray,
    limits: np.ndarray,
    deadline: TimeLimit,
) -> Iterator[tuple[np.ndarray, float]]:
    coords, weights = points.coords, points.weights.astype(np.float64)
    clusters = np.tile(np.arange(len(seeds)), (points.num_points, 1))
    centers, labels = coords[seeds], None
    for _ in range(_MAX_ROUNDS):
        gaps = coords[:, None, :] - centers[None, :, :]
        costs = weights[:, None] * (gaps * gaps).sum(axis=2)
        assigned, _ = assign_exactly(
            costs, clusters, weights, limits, deadline, labels
        )
        if assigned is None or (
            labels is not None and (assigned == labels).all()
        ):
            return
        labels = assigned
        # A cluster without weight keeps its center.
        sums = np.bincount(labels, weights, len(centers))
        centers = centers.copy()
        for axis, values in enumerate(coords.T):
            totals = np.bincount(labels, weights * values, len(centers))
            np.divide(totals, sums, out=centers[:, axis], where=sums > 0)
        yield labels, weights @ ((coords - centers[labels]) ** 2).sum(1)
        if deadline.passed():
            return
