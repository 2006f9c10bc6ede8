"""Clusters under capacities with exact changes of the inertia, compiled.

Inertia: the sum of the squared distances of the points to the mean of their
cluster. Every change is known in O(1), the means that move included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ncc_routing.clustering.center_kernels import square
from ncc_routing.clustering.member_list_kernels import relink
from ncc_routing.core.compiling import OUTER


class PartitionProblem(NamedTuple):
    """What does not change during a search.

    Attributes
    ----------
    coords
        Float64 array of shape (num_points, num_dims).
    weights
        Float64 array of shape (num_points,); whole numbers are exact in it.
    limits
        Largest load of each cluster, float64 of shape (num_clusters,).
    scale
        Mean squared distance of the points to their mean: the unit of the
        least gain that counts.
    """

    coords: np.ndarray
    weights: np.ndarray
    limits: np.ndarray
    scale: float


class Partition(NamedTuple):
    """Clusters with their means, loads and linked lists of members.

    Attributes
    ----------
    labels
        Int64 array of shape (num_points,).
    means
        Float64 array of shape (num_clusters, num_dims); an empty cluster
        keeps its last one.
    counts, loads
        Float64 arrays of shape (num_clusters,).
    head, after, before
        Doubly linked list of the members of each cluster, int64: first
        member (num_clusters,), next and previous (num_points,); -1 ends.
    stamps
        Int64 array of shape (num_clusters,): when each cluster changed last,
        as a count of moves.
    seen
        Int64 array of shape (2, num_points): when each point was last
        examined in vain, without and with ejections.
    cursor
        Int64 array of shape (4,), where a descent stands: the next point,
        points examined without a gain since then, whether ejections are
        tried, and moves so far.
    """

    labels: np.ndarray
    means: np.ndarray
    counts: np.ndarray
    loads: np.ndarray
    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    stamps: np.ndarray
    seen: np.ndarray
    cursor: np.ndarray


def new_partition(problem: PartitionProblem) -> Partition:
    """Return a partition in which no point has a cluster."""
    size, num_dims = problem.coords.shape
    num_clusters = len(problem.limits)
    return Partition(
        np.full(size, -1),
        np.zeros((num_clusters, num_dims)),
        np.zeros(num_clusters),
        np.zeros(num_clusters),
        np.full(num_clusters, -1, dtype=np.int64),
        np.full(size, -1, dtype=np.int64),
        np.full(size, -1, dtype=np.int64),
        np.ones(num_clusters, dtype=np.int64),
        np.zeros((2, size), dtype=np.int64),
        np.array([0, 0, 0, 1], dtype=np.int64),
    )


@njit(**OUTER)
def rebuild(problem: PartitionProblem, part: Partition) -> float:
    """Recompute everything from the labels; return the inertia."""
    num_dims = problem.coords.shape[1]
    for k in range(len(part.head)):
        if part.counts[k] > 0.0 or part.head[k] >= 0:
            part.counts[k] = 0.0
        part.loads[k] = 0.0
        part.head[k] = -1
    for i in range(len(part.labels)):
        k = part.labels[i]
        if part.counts[k] == 0.0:
            for d in range(num_dims):
                part.means[k, d] = 0.0
        part.counts[k] += 1.0
        part.loads[k] += problem.weights[i]
        for d in range(num_dims):
            part.means[k, d] += problem.coords[i, d]
        part.before[i] = -1
        part.after[i] = part.head[k]
        if part.head[k] >= 0:
            part.before[part.head[k]] = i
        part.head[k] = i
    for k in range(len(part.head)):
        if part.counts[k] > 0.0:
            for d in range(num_dims):
                part.means[k, d] /= part.counts[k]
    total = 0.0
    for i in range(len(part.labels)):
        total += square(problem.coords, i, part.means, part.labels[i])
    return total


@njit(**OUTER)
def removal(problem: PartitionProblem, part: Partition, i: int) -> float:
    """Return by how much the inertia falls when point i leaves."""
    k = part.labels[i]
    count = part.counts[k]
    if count <= 1.0:
        return 0.0
    reach = square(problem.coords, i, part.means, k)
    return count / (count - 1.0) * reach


@njit(**OUTER)
def insertion(
    problem: PartitionProblem, part: Partition, i: int, k: int
) -> float:
    """Return by how much the inertia grows when point i joins cluster k."""
    count = part.counts[k]
    if count == 0.0:
        return 0.0
    reach = square(problem.coords, i, part.means, k)
    return count / (count + 1.0) * reach


@njit(**OUTER)
def exchange(
    problem: PartitionProblem, part: Partition, i: int, j: int
) -> float:
    """Return the change when points i and j of two clusters swap places."""
    a, b = part.labels[i], part.labels[j]
    along, length = 0.0, 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[j, d] - problem.coords[i, d]
        along += (part.means[a, d] - part.means[b, d]) * gap
        length += gap * gap
    return -2.0 * along - length * (
        1.0 / part.counts[a] + 1.0 / part.counts[b]
    )


@njit(**OUTER)
def replacement(
    problem: PartitionProblem, part: Partition, i: int, j: int
) -> float:
    """Return the change of the cluster of j when i takes the place of j."""
    k = part.labels[j]
    length = 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[j, d] - problem.coords[i, d]
        length += gap * gap
    change = square(problem.coords, i, part.means, k)
    change -= square(problem.coords, j, part.means, k)
    return change - length / part.counts[k]


@njit(**OUTER)
def move(problem: PartitionProblem, part: Partition, i: int, to: int) -> None:
    """Put point i into another cluster."""
    k = part.labels[i]
    relink(part.labels, part.head, part.after, part.before, i, to)
    part.loads[k] -= problem.weights[i]
    part.loads[to] += problem.weights[i]
    part.counts[k] -= 1.0
    part.counts[to] += 1.0
    for d in range(problem.coords.shape[1]):
        x = problem.coords[i, d]
        if part.counts[k] > 0.0:
            part.means[k, d] += (part.means[k, d] - x) / part.counts[k]
        part.means[to, d] += (x - part.means[to, d]) / part.counts[to]
