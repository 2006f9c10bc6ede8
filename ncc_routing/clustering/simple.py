"""The plain baselines of the paper: random, rnd-NN and topk-NN."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.exceptions import InfeasibleError, OutOfTimeError
from ncc_routing.core.methods import require_name
from ncc_routing.core.run import Run
from ncc_routing.core.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

RULES = ("random", "rnd-nn", "topk-nn")
"""Rules by which seeds are chosen and points added."""


def cluster_simple(
    points: PointSet,
    num_clusters: int,
    run: Run = Run(),
    *,
    rule: str,
    objective: str = "inertia",
) -> Clustering:
    """Cluster points by K seeds that take turns to add one point that fits.

    There is no repair: ``InfeasibleError`` if a point is left because room is
    missing, ``OutOfTimeError`` if time is. Falkner and Schmidt-Thieme (2023),
    section 5.
    """
    require_name("rule", rule, RULES)
    limits = points.cluster_limits(num_clusters)
    rng, size = run.generator(), points.num_points
    if rule == "topk-nn":
        seeds = np.argsort(-points.weights, kind="stable")[:num_clusters]
    else:
        seeds = rng.choice(size, size=num_clusters, replace=False)
    shuffled = rng.permutation(size)
    labels = np.full(size, -1)
    labels[seeds] = np.arange(num_clusters)
    room = limits - points.weights[seeds]
    queues = [
        iter(shuffled) if rule == "random" else _by_distance(points, seed)
        for seed in seeds
    ]
    # Room only shrinks: what a seed has passed over never fits again.
    turns = deque(k for k in range(num_clusters) if room[k] >= 0)
    while turns and not run.budget.time_limit.passed():
        k = turns.popleft()
        for i in queues[k]:
            if labels[i] < 0 and points.weights[i] <= room[k]:
                labels[i] = k
                room[k] -= points.weights[i]
                turns.append(k)
                break
    if (labels < 0).any() or (room < 0).any():
        kind = OutOfTimeError if turns else InfeasibleError
        raise kind(
            f"{points.name}: {rule} leaves "
            f"{counted(int((labels < 0).sum()), 'point')} without a cluster."
        )
    return summarize(points, labels, num_clusters, objective)


def _by_distance(points: PointSet, seed: int) -> Iterator[int]:
    """Yield the points, nearest to a seed first; sort when first asked."""
    squares = ((points.coords - points.coords[seed]) ** 2).sum(axis=1)
    yield from np.argsort(squares, kind="stable")
