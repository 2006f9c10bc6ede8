"""First partitions: by weight along the axes, and by packing alone."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.problems.points import PointSet


def bisect(
    points: PointSet, limits: np.ndarray, deadline: Deadline | None = None
) -> np.ndarray:
    """Return labels from halving the points along their longer side.

    Both parts get weight in proportion to the capacity of their clusters, but
    loads may exceed the limits. After the deadline the given order is cut.
    Takes O(n log n log K) time and linear memory.
    """
    size, is_late = points.num_points, False
    # The points in their order so far, with their data beside them.
    order = np.arange(size)
    axes = np.array(points.coords.T, order="C")
    weights = points.weights.astype(np.float64)
    labels = np.empty(size, dtype=np.int64)
    ends = np.concatenate([[0.0], np.cumsum(limits)])
    parts = deque([(slice(0, size), 0, len(limits))])
    while parts:  # the largest first, so that late parts are small
        part, low, high = parts.popleft()
        if high - low == 1:
            labels[order[part]] = low
            continue
        middle = (low + high) // 2
        is_late = is_late or (deadline is not None and deadline.passed())
        if not is_late:
            spans = [float(np.ptp(axis[part])) for axis in axes]
            values = axes[int(np.argmax(spans)), part]
            ranks = np.argsort(values, kind="stable")
            order[part] = order[part][ranks]
            weights[part] = weights[part][ranks]
            axes[:, part] = axes[:, part][:, ranks]
        sums = np.cumsum(weights[part])
        room = ends[high] - ends[low]
        share = (ends[middle] - ends[low]) / room if room > 0 else 0.5
        target = share * sums[-1] * (1.0 + 1e-12)
        cut = int(np.searchsorted(sums, target, side="right"))
        # At least one point for each cluster of either part.
        cut = min(max(cut, middle - low), len(sums) - (high - middle))
        at = part.start + cut
        parts.append((slice(part.start, at), low, middle))
        parts.append((slice(at, part.stop), middle, high))
    return labels


def pack(points: PointSet, limits: np.ndarray) -> np.ndarray | None:
    """Return labels by best fit decreasing; ``None`` where a point is left."""
    weights = points.weights.astype(np.float64).tolist()
    labels = np.empty(points.num_points, dtype=np.int64)
    # Rooms in ascending order, the first cluster first among equal ones.
    rooms = sorted((float(room), k) for k, room in enumerate(limits))
    for i in np.argsort(-points.weights, kind="stable").tolist():
        weight = weights[i]
        at = bisect_left(rooms, (weight, -1))
        if at == len(rooms):
            return None
        room, labels[i] = rooms.pop(at)
        insort(rooms, (room - weight, int(labels[i])), hi=at)
    return labels


def spread_seeds(
    coords: np.ndarray, num_clusters: int, rng: np.random.Generator
) -> np.ndarray:
    """Return indices of k-means++ seeds (Arthur and Vassilvitskii 2007)."""
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
