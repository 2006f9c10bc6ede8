"""First partitions: by weight along the axes, and by packing alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet


def bisect(points: PointSet, limits: np.ndarray) -> np.ndarray:
    """Return labels from halving the points along their longer side.

    A part with several clusters is cut, orthogonal to its longer side, so
    that both parts get a share of the weight by the capacity of their
    clusters. Takes O(n log n log K) time and linear memory.

    Parameters
    ----------
    points
        The points.
    limits
        Largest load of each cluster, shape (K,), K <= num_points.

    Returns
    -------
    numpy.ndarray
        Cluster of each point; loads are close to proportional to the
        limits, but may exceed them.
    """
    labels = np.empty(points.num_points, dtype=np.int64)
    ends = np.concatenate([[0.0], np.cumsum(limits)])
    stack = [(np.arange(points.num_points), 0, len(limits))]
    while stack:
        members, low, high = stack.pop()
        if high - low == 1:
            labels[members] = low
            continue
        middle = (low + high) // 2
        coords = points.coords[members]
        axis = int(np.argmax(np.ptp(coords, axis=0)))
        order = np.argsort(coords[:, axis], kind="stable")
        sums = np.cumsum(points.weights[members][order], dtype=np.float64)
        room = ends[high] - ends[low]
        share = (ends[middle] - ends[low]) / room if room > 0 else 0.5
        target = share * sums[-1] * (1.0 + 1e-12)
        cut = int(np.searchsorted(sums, target, side="right"))
        # At least one point for each cluster of either part.
        cut = min(max(cut, middle - low), len(members) - (high - middle))
        stack.append((members[order[:cut]], low, middle))
        stack.append((members[order[cut:]], middle, high))
    return labels


def pack(points: PointSet, limits: np.ndarray) -> np.ndarray | None:
    """Return labels that fit the limits, wherever the points lie.

    Best fit decreasing: each point, the heaviest first, to the cluster in
    which it leaves the least room.

    Returns
    -------
    numpy.ndarray or None
        ``None`` where a point did not fit.
    """
    room = limits.astype(np.float64).copy()
    labels = np.empty(points.num_points, dtype=np.int64)
    for i in np.argsort(-points.weights, kind="stable"):
        left = room - float(points.weights[i])
        left[left < 0] = np.inf
        k = int(np.argmin(left))
        if not np.isfinite(left[k]):
            return None
        labels[i] = k
        room[k] -= float(points.weights[i])
    return labels


def spread_seeds(
    coords: np.ndarray, num_clusters: int, rng: np.random.Generator
) -> np.ndarray:
    """Return indices of k-means++ seeds, shape (num_clusters,).

    References
    ----------
    Arthur and Vassilvitskii (2007), k-means++: the advantages of careful
    seeding.
    """
    chosen = np.empty(num_clusters, dtype=np.int64)
    mass = np.ones(len(coords))
    for k in range(num_clusters):
        total = mass.sum()
        if total <= 0.0:  # fewer places than clusters
            free = np.setdiff1d(np.arange(len(coords)), chosen[:k])
            chosen[k] = rng.choice(free)
            continue
        sums = np.cumsum(mass)
        pick = np.searchsorted(sums, rng.random() * sums[-1], side="right")
        chosen[k] = min(int(pick), len(coords) - 1)
        reach = ((coords - coords[chosen[k]]) ** 2).sum(axis=1)
        mass = reach if k == 0 else np.minimum(mass, reach)
    return chosen
