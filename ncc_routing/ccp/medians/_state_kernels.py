"""Clusters around medoids or means: their layout, costs and changes.

The center of a cluster is its medoid (objective "cpmp") or its mean
("cccp"). Loads may exceed the capacity on the way, at a price per unit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ncc_routing.clustering.member_list_kernels import (
    FIRST,
    NOBODY,
    relink,
)
from ncc_routing.core.compiling import INNER, OUTER

ALL_PAIRS = 3000
"""Members up to which every one is tried as the medoid; of more, the one next
to their mean, and then the points near it."""


class MedianProblem(NamedTuple):
    """What does not change during a search.

    Attributes
    ----------
    coords
        Float64 array of shape (num_points, num_dims).
    matrix
        Float64 distances of shape (num_points, num_points), or (0, 0). Row
        i holds those from every point to i, which a medoid adds up.
    rounds_down
        Whether distances between points are cut to whole numbers.
    uses_means
        Whether centers are means instead of medoids.
    weights
        Float64 array of shape (num_points,).
    cluster_limits
        Largest load of each cluster, float64 of shape (num_clusters,).
    point_limits
        Largest load of a cluster with that medoid, float64 of shape
        (num_points,); ``inf`` where only ``cluster_limits`` count.
    near
        Int64 array of shape (num_points, m): other points close to each.
    """

    coords: np.ndarray
    matrix: np.ndarray
    rounds_down: bool
    uses_means: bool
    weights: np.ndarray
    cluster_limits: np.ndarray
    point_limits: np.ndarray
    near: np.ndarray


class State(NamedTuple):
    """Clusters with their centers, loads and linked lists of members.

    Attributes
    ----------
    labels
        Int64 array of shape (num_points,).
    medoids
        Int64 array of shape (num_clusters,); -1 for an empty cluster.
    means
        Float64 array of shape (num_clusters, num_dims), kept up to date
        where the centers are means.
    counts
        Int64 array of shape (num_clusters,).
    loads
        Float64 array of shape (num_clusters,).
    head, after, before
        Doubly linked list of the members of each cluster, int64.
    spare
        Int64 array of shape (num_clusters + 1,): number of empty clusters,
        then which.
    group
        Int64 buffer of shape (num_points + 1,).
    middle
        Float64 buffer of shape (num_dims,).
    """

    labels: np.ndarray
    medoids: np.ndarray
    means: np.ndarray
    counts: np.ndarray
    loads: np.ndarray
    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    spare: np.ndarray
    group: np.ndarray
    middle: np.ndarray


@njit(**INNER)
def distance(problem: MedianProblem, i: int, j: int) -> float:
    """Return the distance from point i to point j."""
    if problem.matrix.shape[0] > 0:
        return problem.matrix[j, i]
    total = 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[i, d] - problem.coords[j, d]
        total += gap * gap
    length = np.sqrt(total)
    if problem.rounds_down:
        return np.floor(length)
    return length


@njit(**INNER)
def reach(problem: MedianProblem, state: State, i: int, k: int) -> float:
    """Return the distance of point i to the center of cluster k."""
    if not problem.uses_means:
        return distance(problem, i, state.medoids[k])
    total = 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[i, d] - state.means[k, d]
        total += gap * gap
    return np.sqrt(total)


@njit(**INNER)
def excess(problem: MedianProblem, k: int, medoid: int, load: float) -> float:
    """Return by how much a load exceeds what the cluster may hold."""
    limit = problem.cluster_limits[k]
    if medoid >= 0:
        limit = min(limit, problem.point_limits[medoid])
    return max(0.0, load - limit)


@njit(**INNER)
def gather(state: State, k: int, without: int, added: int) -> int:
    """Write the members of a cluster to ``state.group``; return how many.

    ``without`` is left out and ``added`` put in, where >= 0.
    """
    count = 0
    i = state.head[k]
    while i >= 0:
        if i != without:
            state.group[count] = i
            count += 1
        i = state.after[i]
    if added >= 0:
        state.group[count] = added
        count += 1
    return count


@njit(**INNER)
def central(problem: MedianProblem, state: State, count: int) -> int:
    """Return the place in ``state.group`` of the member next to the mean."""
    num_dims = problem.coords.shape[1]
    mean = state.middle
    for d in range(num_dims):
        mean[d] = 0.0
        for a in range(count):
            mean[d] += problem.coords[state.group[a], d] / count
    best, chosen = np.inf, FIRST
    for a in range(count):
        total = 0.0
        for d in range(num_dims):
            gap = problem.coords[state.group[a], d] - mean[d]
            total += gap * gap
        if total < best:
            best, chosen = total, a
    return chosen


@njit(**INNER)
def group_cost(
    problem: MedianProblem,
    state: State,
    count: int,
    k: int,
    load: float,
    price: float,
) -> tuple[float, int]:
    """Return the cost of ``state.group`` as cluster k, and its medoid.

    The price of a load over the limit is part of it.
    """
    if count == 0:
        return 0.0, NOBODY
    group = state.group
    if problem.uses_means:
        total = 0.0
        num_dims = problem.coords.shape[1]
        mean = state.middle
        for d in range(num_dims):
            mean[d] = 0.0
        for a in range(count):
            for d in range(num_dims):
                mean[d] += problem.coords[group[a], d]
        for a in range(count):
            length = 0.0
            for d in range(num_dims):
                gap = problem.coords[group[a], d] - mean[d] / count
                length += gap * gap
            total += np.sqrt(length)
        return total + price * excess(problem, k, NOBODY, load), group[0]
    best, medoid = np.inf, NOBODY
    first, last = 0, count
    if count > ALL_PAIRS:
        first = central(problem, state, count)
        last = first + 1
    for a in range(first, last):
        total = price * excess(problem, k, group[a], load)
        for b in range(count):
            total += distance(problem, group[b], group[a])
            if total >= best:
                break
        if total < best:
            best, medoid = total, group[a]
    return best, medoid


@njit(**OUTER)
def cluster_cost(
    problem: MedianProblem, state: State, k: int, price: float
) -> float:
    """Return the cost of a cluster with the center that it has."""
    total = price * excess(problem, k, state.medoids[k], state.loads[k])
    i = state.head[k]
    while i >= 0:
        total += reach(problem, state, i, k)
        i = state.after[i]
    return total


@njit(**INNER)
def shift_medoid(
    problem: MedianProblem, state: State, k: int, price: float
) -> None:
    """Move a medoid to a near member that serves the cluster better."""
    count = gather(state, k, NOBODY, NOBODY)
    while True:
        old = state.medoids[k]
        best = price * excess(problem, k, old, state.loads[k])
        for b in range(count):
            best += distance(problem, state.group[b], old)
        chosen = old
        for c in range(problem.near.shape[1]):
            j = problem.near[old, c]
            if state.labels[j] != k:
                continue
            total = price * excess(problem, k, j, state.loads[k])
            for b in range(count):
                total += distance(problem, state.group[b], j)
                if total >= best:
                    break
            if total < best:
                best, chosen = total, j
        if chosen == old:
            return
        state.medoids[k] = chosen


@njit(**INNER)
def recenter(
    problem: MedianProblem, state: State, k: int, price: float
) -> None:
    """Give a cluster its best center."""
    count = gather(state, k, NOBODY, NOBODY)
    if count == 0:
        return
    if not problem.uses_means:
        _, medoid = group_cost(problem, state, count, k, state.loads[k], price)
        state.medoids[k] = medoid
        if count > ALL_PAIRS:
            shift_medoid(problem, state, k, price)
        return
    for d in range(problem.coords.shape[1]):
        total = 0.0
        for a in range(count):
            total += problem.coords[state.group[a], d]
        state.means[k, d] = total / count
    state.medoids[k] = state.group[0]


@njit(**OUTER)
def rebuild(problem: MedianProblem, state: State, price: float) -> None:
    """Recompute lists, loads and centers from the labels."""
    state.spare[0] = 0
    for k in range(len(state.head)):
        state.head[k] = -1
        state.counts[k] = 0
        state.loads[k] = 0.0
        state.medoids[k] = -1
    for i in range(len(state.labels)):
        k = state.labels[i]
        state.counts[k] += 1
        state.loads[k] += problem.weights[i]
        state.before[i] = -1
        state.after[i] = state.head[k]
        if state.head[k] >= 0:
            state.before[state.head[k]] = i
        state.head[k] = i
    for k in range(len(state.head)):
        if state.counts[k] == 0:
            state.spare[0] += 1
            state.spare[state.spare[0]] = k
        else:
            recenter(problem, state, k, price)


@njit(**INNER)
def put(problem: MedianProblem, state: State, i: int, to: int) -> None:
    """Move point i to another cluster; centers stay, but for means."""
    k = state.labels[i]
    if state.counts[to] == 0:
        # Not empty any more: the last one of the list takes its place.
        last = state.spare[0]
        for a in range(1, last + 1):
            if state.spare[a] == to:
                state.spare[a] = state.spare[last]
                state.spare[0] -= 1
                break
    relink(state.labels, state.head, state.after, state.before, i, to)
    state.loads[k] -= problem.weights[i]
    state.loads[to] += problem.weights[i]
    state.counts[k] -= 1
    state.counts[to] += 1
    if state.counts[k] == 0:
        state.medoids[k] = -1
        state.spare[0] += 1
        state.spare[state.spare[0]] = k
    if problem.uses_means:
        for d in range(problem.coords.shape[1]):
            x = problem.coords[i, d]
            if state.counts[k] > 0:
                state.means[k, d] += (state.means[k, d] - x) / state.counts[k]
            state.means[to, d] += (x - state.means[to, d]) / state.counts[to]


@njit(**OUTER)
def evaluate(problem: MedianProblem, state: State) -> tuple[float, float]:
    """Return the sum of the distances and the total load over the limits."""
    total, over = 0.0, 0.0
    for k in range(len(state.head)):
        if state.counts[k] > 0:
            over += excess(problem, k, state.medoids[k], state.loads[k])
    for i in range(len(state.labels)):
        total += reach(problem, state, i, state.labels[i])
    return total, over
