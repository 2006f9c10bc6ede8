"""Compiled kicks: a few clusters are clustered anew, a descent follows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ncc_routing.ccp.local_search._descent_kernels import (
    MIN_GAIN,
    descend,
    mark_all,
)
from ncc_routing.ccp.local_search._partition_kernels import (
    Partition,
    PartitionProblem,
    rebuild,
)
from ncc_routing.clustering.assignment_kernels import assign_by_regret
from ncc_routing.clustering.center_kernels import (
    CKM,
    KMEANS,
    copy_point,
    seed_centers,
    square,
    update_centers,
)
from ncc_routing.clustering.exchange_kernels import place_by_exchange
from ncc_routing.clustering.member_list_kernels import FIRST
from ncc_routing.core.compiling import ALLOCATING, INNER_ALLOCATING

PROMISING = 1.01
"""A trial further than this from the best, as a factor, is given up before
the ejections."""

# No literals: numba would compile what they are passed to a second time.
ROUNDS: Any = np.int64(2)
"""Rounds in which a region is clustered anew."""

PASSES: Any = np.int64(1000)
"""Passes of the descent that follows, at most."""


@njit(**ALLOCATING)
def reseed(
    problem: PartitionProblem,
    part: Partition,
    region: np.ndarray,
    width: int,
    rounds: int,
    weighted: bool,
    rng: np.random.Generator,
) -> bool:
    """Cluster the points of some clusters anew: seeds, regret assignment.

    Parameters
    ----------
    region
        The clusters, in its first ``width`` entries. Negative ``width``
        takes all points and all clusters.
    rounds
        Rounds of assignment and update of the means.
    weighted
        Whether the seeds are drawn by squared distance times weight
        (ckm++), or by squared distance alone (k-means++).

    Returns
    -------
    bool
        Whether every point was placed; if not, the labels are unchanged.
        Means, loads and lists need a ``rebuild`` in any case.
    """
    size, num_dims = problem.coords.shape
    everything = width < 0
    if everything:
        width = len(problem.limits)
    nodes = np.empty(size, dtype=np.int64)
    limits = np.empty(width)
    count = 0
    for a in range(width):
        k = a if everything else region[a]
        limits[a] = problem.limits[k]
        if not everything:
            i = part.head[k]
            while i >= 0:
                nodes[count] = i
                count += 1
                i = part.after[i]
    if everything:
        for i in range(size):
            nodes[i] = i
        count = size
    coords = np.empty((count, num_dims))
    weights = np.empty(count)
    for a in range(count):
        copy_point(problem.coords, nodes[a], coords, a)
        weights[a] = problem.weights[nodes[a]]
    centers = np.empty((width, num_dims))
    mass = np.empty(count)
    rule = CKM if weighted else KMEANS
    seed_centers(rule, coords, weights, count, width, centers, mass, rng)
    scores = np.empty((width, count))
    loads = np.empty(width)
    labels = np.empty(count, dtype=np.int64)
    queue = np.empty(count, dtype=np.int64)
    members = np.empty(width)
    no_depot = np.zeros(num_dims + 1)
    unplaced = 0
    for turn in range(rounds):
        if turn > 0:
            update_centers(
                coords, count, width, no_depot, labels, centers, members
            )
        for k in range(width):
            for a in range(count):
                scores[k, a] = -square(coords, a, centers, k)
        unplaced = assign_by_regret(
            scores,
            weights,
            count,
            width,
            limits,
            0.0,
            loads,
            labels,
            mass,
            queue,
        )
    if unplaced > 0:
        unplaced = place_by_exchange(
            scores, weights, count, width, limits, loads, labels
        )
    if unplaced > 0:
        return False
    for a in range(count):
        k = labels[a]
        part.labels[nodes[a]] = k if everything else region[k]
    return True


@njit(**INNER_ALLOCATING)
def choose_region(
    part: Partition, width: int, rng: np.random.Generator, region: np.ndarray
) -> int:
    """Fill ``region`` with a random cluster and those nearest to it.

    Returns
    -------
    int
        Number of clusters chosen, <= ``width``.
    """
    num_clusters = len(part.head)
    width = min(width, num_clusters)
    reach = np.empty(num_clusters)
    first = int(rng.random() * num_clusters)
    for k in range(num_clusters):
        reach[k] = square(part.means, k, part.means, first)
    reach[first] = -1.0
    for a in range(width):
        near = FIRST
        for k in range(num_clusters):
            if reach[k] < reach[near]:
                near = k
        region[a] = near
        reach[near] = np.inf
    return width


@njit(**ALLOCATING)
def kick_and_descend(
    problem: PartitionProblem,
    part: Partition,
    near: np.ndarray,
    num_kicks: int,
    patience: int,
    rng: np.random.Generator,
) -> float:
    """Improve a partition: cluster a few clusters anew, descend, compare.

    Parameters
    ----------
    num_kicks
        Number of trials.
    patience
        Trials without a gain after which to stop.

    Returns
    -------
    float
        Inertia of the best partition, which ``part`` holds at the end.
    """
    best = rebuild(problem, part)
    kept = part.labels.copy()
    region = np.empty(len(part.head), dtype=np.int64)
    idle = 0
    for _ in range(num_kicks):
        idle += 1
        width = choose_region(part, 2 + int(3.0 * rng.random()), rng, region)
        weighted = rng.random() < 0.5
        value = np.inf
        if reseed(problem, part, region, width, ROUNDS, weighted, rng):
            value = rebuild(problem, part)
            mark_all(part, FIRST)
            for a in range(width):
                part.stamps[region[a]] = 1
            needed = PROMISING * best - value
            steps = PASSES * len(kept)
            value += descend(problem, part, near, len(kept), steps, needed)
        if value < best - MIN_GAIN * problem.scale:
            idle = 0
            best = value
            for i in range(len(kept)):
                kept[i] = part.labels[i]
        else:
            for i in range(len(kept)):
                part.labels[i] = kept[i]
            rebuild(problem, part)
        if idle >= patience:
            break
    return rebuild(problem, part)
