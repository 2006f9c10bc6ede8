"""Compiled steps around centers: seeds, scores of points, means.

All functions work on the first ``size`` points and the first
``num_clusters`` clusters of buffers that may be larger, so that one set of
buffers serves thousands of calls. Points are given by ``xs``, ``ys`` and
``weights``; ``depot`` holds the x and y of a depot and, as third entry, 1.0
where there is one and 0.0 where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from ncc_routing.clustering.priority import PriorityTable

RANDOM, KMEANS, CKM, TOP_WEIGHTS = range(4)
_TINY = 1e-9


@njit(cache=True, nogil=True)
def pick(mass: np.ndarray, size: int, rng: np.random.Generator) -> int:
    """Return an index of ``mass[:size]`` with probability by its share."""
    total = 0.0
    for i in range(size):
        total += mass[i]
    if total <= 0.0:
        return int(rng.random() * size)
    left = rng.random() * total
    for i in range(size):
        left -= mass[i]
        if left < 0.0:
            return i
    return size - 1


@njit(cache=True, nogil=True)
def seed_centers(
    rule: int,
    xs: np.ndarray,
    ys: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    centers: np.ndarray,
    mass: np.ndarray,
    rng: np.random.Generator,
) -> None:
    """Choose points as first centers.

    Parameters
    ----------
    rule
        RANDOM: distinct points, uniformly. KMEANS: k-means++, by squared
        distance to the nearest center. CKM: ckm++, that distance times the
        weight of the point.
    centers
        Float64 array of shape (>= num_clusters, 2). Modified in place.
    mass
        Float64 buffer of length >= size.
    """
    for i in range(size):
        mass[i] = 1.0
    for k in range(num_clusters):
        chosen = pick(mass, size, rng)
        cx, cy = xs[chosen], ys[chosen]
        centers[k, 0], centers[k, 1] = cx, cy
        if rule == RANDOM:
            mass[chosen] = 0.0
            continue
        for i in range(size):
            dx, dy = xs[i] - cx, ys[i] - cy
            reach = dx * dx + dy * dy
            if rule == CKM:
                reach *= weights[i]
            if k == 0 or reach < mass[i]:
                mass[i] = reach


@njit(cache=True, nogil=True)
def find_medoids(
    xs: np.ndarray,
    ys: np.ndarray,
    size: int,
    num_clusters: int,
    centers: np.ndarray,
    medoids: np.ndarray,
) -> None:
    """Set ``medoids[k]`` to the point nearest to center k."""
    for k in range(num_clusters):
        best = np.inf
        for i in range(size):
            dx, dy = xs[i] - centers[k, 0], ys[i] - centers[k, 1]
            reach = dx * dx + dy * dy
            if reach < best:
                best = reach
                medoids[k] = i


@njit(cache=True, nogil=True)
def score(
    table: PriorityTable,
    nodes: np.ndarray,
    place: np.ndarray,
    xs: np.ndarray,
    ys: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    depot: np.ndarray,
    centers: np.ndarray,
    medoids: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill ``out[k, i]`` with the priority of point i for center k.

    See ``priority.PriorityTable`` for the formula; higher is better.

    Parameters
    ----------
    table
        The priority.
    nodes
        Row of each point of the block in the table.
    place
        Position of each row of the table in the block, -1 where absent.
    out
        Float64 array of shape (>= num_clusters, >= size). Modified in place.
    """
    uses_affinity = table.affinity_weight != 0.0
    for k in range(num_clusters):
        cx, cy = centers[k, 0], centers[k, 1]
        center_depot = 0.0
        if depot[2] > 0.0:
            dx, dy = cx - depot[0], cy - depot[1]
            center_depot = np.sqrt(dx * dx + dy * dy)
        if uses_affinity:
            for i in range(size):
                out[k, i] = table.affinity_weight * table.far_affinity
            row = nodes[medoids[k]]
            out[k, medoids[k]] = 0.0
            for a in range(table.neighbours.shape[1]):
                i = place[table.neighbours[row, a]]
                if i >= 0:
                    out[k, i] = table.affinity_weight * table.affinity[row, a]
        for i in range(size):
            dx, dy = xs[i] - cx, ys[i] - cy
            length = np.sqrt(dx * dx + dy * dy)
            value = -table.distance_weight * length
            if table.ratio_weight != 0.0:
                value += table.ratio_weight * weights[i] / (length + _TINY)
            if depot[2] > 0.0:
                dx, dy = xs[i] - depot[0], ys[i] - depot[1]
                depot_length = np.sqrt(dx * dx + dy * dy)
                value += table.depot_weight * depot_length
                value -= table.detour_weight * (
                    depot_length + length - center_depot
                )
            out[k, i] = value + (out[k, i] if uses_affinity else 0.0)


@njit(cache=True, nogil=True)
def update_centers(
    xs: np.ndarray,
    ys: np.ndarray,
    size: int,
    num_clusters: int,
    depot: np.ndarray,
    labels: np.ndarray,
    centers: np.ndarray,
    counts: np.ndarray,
) -> float:
    """Move each center to the mean of its members, and the depot if any.

    The center of an empty cluster stays where it is.

    Returns
    -------
    float
        Sum of the squared movements.
    """
    old = np.empty((num_clusters, 2))
    for k in range(num_clusters):
        old[k, 0], old[k, 1] = centers[k, 0], centers[k, 1]
        counts[k] = depot[2]
        centers[k, 0], centers[k, 1] = depot[2] * depot[0], depot[2] * depot[1]
    for i in range(size):
        k = labels[i]
        if k >= 0:
            counts[k] += 1.0
            centers[k, 0] += xs[i]
            centers[k, 1] += ys[i]
    moved = 0.0
    for k in range(num_clusters):
        if counts[k] > depot[2]:
            centers[k, 0] /= counts[k]
            centers[k, 1] /= counts[k]
        else:
            centers[k, 0], centers[k, 1] = old[k, 0], old[k, 1]
        dx, dy = centers[k, 0] - old[k, 0], centers[k, 1] - old[k, 1]
        moved += dx * dx + dy * dy
    return moved


@njit(cache=True, nogil=True)
def inertia_of(
    xs: np.ndarray,
    ys: np.ndarray,
    size: int,
    num_clusters: int,
    labels: np.ndarray,
) -> float:
    """Return the squared distances of all points to the mean of their own."""
    no_depot = np.zeros(3)
    means = np.zeros((num_clusters, 2))
    counts = np.empty(num_clusters)
    update_centers(xs, ys, size, num_clusters, no_depot, labels, means, counts)
    total = 0.0
    for i in range(size):
        dx = xs[i] - means[labels[i], 0]
        dy = ys[i] - means[labels[i], 1]
        total += dx * dx + dy * dy
    return total
