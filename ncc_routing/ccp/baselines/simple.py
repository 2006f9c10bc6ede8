"""The plain baselines of the paper: random, rnd-NN and topk-NN."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.methods import require_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

RULES = ("random", "rnd-nn", "topk-nn")
"""Names of the rules, as in the paper's tables."""


def cluster_simple(
    points: PointSet,
    num_clusters: int,
    rule: str,
    *,
    objective: str = "inertia",
    rng: np.random.Generator,
    deadline: Deadline | None = None,
) -> Clustering:
    """Cluster points by letting K seeds take turns.

    Each seed in turn adds one point that fits, until all are placed or no
    seed can add one.

    Parameters
    ----------
    points
        The points.
    num_clusters
        Number of clusters K.
    rule
        "random": random seeds, which add points in random order. "rnd-nn":
        random seeds, which add their nearest point. "topk-nn": the K
        heaviest points as seeds, which add their nearest point.
    objective
        What the cost of the answer measures.
    rng
        Source of the choices.
    deadline
        When to give up, looked at before every turn. Default: no limit.

    Raises
    ------
    InfeasibleError
        If a point is left, for want of room or of time: no repair is tried.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering,
    section 5.
    """
    require_name("rule", rule, RULES)
    limits = points.cluster_limits(num_clusters)
    size = points.num_points
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
    deadline = deadline or Deadline()
    # Room only shrinks: what a seed has passed over never fits again.
    turns = deque(k for k in range(num_clusters) if room[k] >= 0)
    while turns and not deadline.passed():
        k = turns.popleft()
        if _take_next(queues[k], k, labels, room, points.weights):
            turns.append(k)
    if (labels < 0).any() or (room < 0).any():
        raise InfeasibleError(
            f"{points.name}: {rule} leaves {int((labels < 0).sum())} points "
            f"without a cluster."
        )
    return summarize(points, labels, num_clusters, objective)


def _by_distance(points: PointSet, seed: int) -> Iterator[int]:
    """Yield the points, nearest to a seed first; sort when first asked."""
    squares = ((points.coords - points.coords[seed]) ** 2).sum(axis=1)
    yield from np.argsort(squares, kind="stable")


def _take_next(
    queue: Iterator[int],
    k: int,
    labels: np.ndarray,
    room: np.ndarray,
    weights: np.ndarray,
) -> bool:
    """Add the next point of a queue that fits; return whether there was."""
    for i in queue:
        if labels[i] < 0 and weights[i] <= room[k]:
            labels[i] = k
            room[k] -= weights[i]
            return True
    return False
