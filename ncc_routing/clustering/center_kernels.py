"""Compiled steps around centers: seeds, scores of points, means.

All functions work on the first ``size`` points and the first
``num_clusters`` clusters of buffers that may be larger, so that one set of
buffers serves thousands of calls. Points are given by ``coords``, of shape
(>= size, num_dims), and ``weights``; ``depot``, of shape (num_dims + 1,),
holds the coordinates of a depot and, as last entry, 1.0 where there is one
and 0.0 where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.core.compiling import (
    ALLOCATING,
    DRAWING,
    INNER,
    INNER_ALLOCATING,
    OUTER,
)

if TYPE_CHECKING:
    from ncc_routing.clustering.priority import PriorityFormula

# How first centers are chosen: see ``seed_centers``; the last one is known
# to the callers that hold the order of the weights.
RANDOM, KMEANS, CKM, TOP_WEIGHTS = range(4)

_TINY = 1e-9
"""Added to a distance that is divided by: a point may be a center."""


@njit(**INNER)
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


@njit(**INNER)
def square(coords: np.ndarray, i: int, centers: np.ndarray, k: int) -> float:
    """Return the squared distance of point i to center k."""
    total = 0.0
    for d in range(coords.shape[1]):
        gap = coords[i, d] - centers[k, d]
        total += gap * gap
    return total


@njit(**INNER)
def depot_distance(depot: np.ndarray, coords: np.ndarray, i: int) -> float:
    """Return the distance of row i of ``coords`` to the depot."""
    total = 0.0
    for d in range(coords.shape[1]):
        gap = coords[i, d] - depot[d]
        total += gap * gap
    return np.sqrt(total)


@njit(**INNER)
def copy_point(source: np.ndarray, i: int, target: np.ndarray, k: int) -> None:
    """Give row k of ``target`` the place of row i of ``source``."""
    for d in range(source.shape[1]):
        target[k, d] = source[i, d]


@njit(**DRAWING)
def seed_centers(
    rule: int,
    coords: np.ndarray,
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
        Float64 array of shape (>= num_clusters, num_dims). Modified in
        place.
    mass
        Float64 buffer of length >= size.
    """
    for i in range(size):
        mass[i] = 1.0
    for k in range(num_clusters):
        chosen = pick(mass, size, rng)
        copy_point(coords, chosen, centers, k)
        if rule == RANDOM:
            mass[chosen] = 0.0
            continue
        for i in range(size):
            reach = square(coords, i, centers, k)
            if rule == CKM:
                reach *= weights[i]
            if k == 0 or reach < mass[i]:
                mass[i] = reach


@njit(**OUTER)
def find_medoids(
    coords: np.ndarray,
    size: int,
    num_clusters: int,
    centers: np.ndarray,
    medoids: np.ndarray,
) -> None:
    """Set ``medoids[k]`` to the point nearest to center k."""
    for k in range(num_clusters):
        best = np.inf
        for i in range(size):
            reach = square(coords, i, centers, k)
            if reach < best:
                best = reach
                medoids[k] = i


@njit(**OUTER)
def score(
    formula: PriorityFormula,
    nodes: np.ndarray,
    place: np.ndarray,
    coords: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    depot: np.ndarray,
    centers: np.ndarray,
    medoids: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill ``out[k, i]`` with the priority of point i for center k.

    See ``priority.PriorityFormula``; higher is better.

    Parameters
    ----------
    formula
        The priority.
    nodes
        Row of each point of the block in the table of affinities.
    place
        Position of each row of that table in the block, -1 where absent.
    out
        Float64 array of shape (>= num_clusters, >= size). Modified in place.
    """
    has_depot = depot[-1] > 0.0
    uses_affinity = formula.affinity_weight != 0.0
    for k in range(num_clusters):
        center_depot = 0.0
        if has_depot:
            center_depot = depot_distance(depot, centers, k)
        if uses_affinity:
            for i in range(size):
                out[k, i] = formula.affinity_weight * formula.far_affinity
            row = nodes[medoids[k]]
            out[k, medoids[k]] = 0.0
            for a in range(formula.neighbours.shape[1]):
                i = place[formula.neighbours[row, a]]
                if i >= 0:
                    affinity = formula.affinity[row, a]
                    out[k, i] = formula.affinity_weight * affinity
        for i in range(size):
            length = np.sqrt(square(coords, i, centers, k))
            value = -formula.distance_weight * length
            if formula.ratio_weight != 0.0:
                value += formula.ratio_weight * weights[i] / (length + _TINY)
            if has_depot:
                to_depot = depot_distance(depot, coords, i)
                value += formula.depot_weight * to_depot
                value -= formula.detour_weight * (
                    to_depot + length - center_depot
                )
            out[k, i] = value + (out[k, i] if uses_affinity else 0.0)


@njit(**ALLOCATING)
def update_centers(
    coords: np.ndarray,
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
    num_dims = coords.shape[1]
    is_depot = depot[-1]
    old = np.empty((num_clusters, num_dims))
    for k in range(num_clusters):
        counts[k] = is_depot
        for d in range(num_dims):
            old[k, d] = centers[k, d]
            centers[k, d] = is_depot * depot[d]
    for i in range(size):
        k = labels[i]
        if k >= 0:
            counts[k] += 1.0
            for d in range(num_dims):
                centers[k, d] += coords[i, d]
    moved = 0.0
    for k in range(num_clusters):
        for d in range(num_dims):
            if counts[k] > is_depot:
                centers[k, d] /= counts[k]
            else:
                centers[k, d] = old[k, d]
        moved += square(centers, k, old, k)
    return moved


@njit(**INNER_ALLOCATING)
def inertia_of(
    coords: np.ndarray,
    size: int,
    num_clusters: int,
    labels: np.ndarray,
) -> float:
    """Return the squared distances of all points to the mean of their own."""
    num_dims = coords.shape[1]
    means = np.zeros((num_clusters, num_dims))
    counts = np.empty(num_clusters)
    no_depot = np.zeros(num_dims + 1)
    update_centers(coords, size, num_clusters, no_depot, labels, means, counts)
    total = 0.0
    for i in range(size):
        total += square(coords, i, means, labels[i])
    return total
