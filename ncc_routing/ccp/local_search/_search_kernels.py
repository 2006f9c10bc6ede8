"""Compiled local search for the inertia under capacities.

Inertia: the sum of the squared distances of the points to the mean of their
cluster. Every move is judged by its exact effect on it in O(1), the means
of the clusters involved included.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

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
from ncc_routing.clustering.member_list_kernels import FIRST, NOBODY, relink

MIN_GAIN = 1e-9

# A trial further than this from the best is given up before the ejections.
PROMISING = 1.01


ROUNDS: Any = np.int64(2)
PASSES: Any = np.int64(1000)
"""Rounds in which a region is clustered anew; passes of its descent."""


class Problem(NamedTuple):
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


def new_partition(problem: Problem) -> Partition:
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
    )


@njit(cache=True, nogil=True)
def rebuild(problem: Problem, part: Partition) -> float:
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


@njit(cache=True, nogil=True)
def removal(problem: Problem, part: Partition, i: int) -> float:
    """Return by how much the inertia falls when point i leaves."""
    k = part.labels[i]
    count = part.counts[k]
    if count <= 1.0:
        return 0.0
    reach = square(problem.coords, i, part.means, k)
    return count / (count - 1.0) * reach


@njit(cache=True, nogil=True)
def insertion(problem: Problem, part: Partition, i: int, k: int) -> float:
    """Return by how much the inertia grows when point i joins cluster k."""
    count = part.counts[k]
    if count == 0.0:
        return 0.0
    reach = square(problem.coords, i, part.means, k)
    return count / (count + 1.0) * reach


@njit(cache=True, nogil=True)
def exchange(problem: Problem, part: Partition, i: int, j: int) -> float:
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


@njit(cache=True, nogil=True)
def replacement(problem: Problem, part: Partition, i: int, j: int) -> float:
    """Return the change of the cluster of j when i takes the place of j."""
    k = part.labels[j]
    length = 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[j, d] - problem.coords[i, d]
        length += gap * gap
    change = square(problem.coords, i, part.means, k)
    change -= square(problem.coords, j, part.means, k)
    return change - length / part.counts[k]


@njit(cache=True, nogil=True)
def move(problem: Problem, part: Partition, i: int, to: int) -> None:
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


@njit(cache=True, nogil=True)
def improve_point(
    problem: Problem,
    part: Partition,
    near: np.ndarray,
    i: int,
    deep: bool,
    clock: int,
) -> float:
    """Apply the best move of one point, if any lowers the inertia.

    The point joins another of its near clusters; where that has no room,
    it swaps with a member, or (``deep``) it takes the place of a member
    that finds room in a third cluster. Pairs of clusters that have not
    changed since the point was last examined are passed over.

    Parameters
    ----------
    clock
        Number of moves so far: the stamp of what this call changes.

    Returns
    -------
    float
        Change of the inertia, <= 0.
    """
    weights = problem.weights
    limits, loads = problem.limits, part.loads
    best = -MIN_GAIN * problem.scale
    best_k, best_j, best_to = NOBODY, NOBODY, NOBODY
    own = part.labels[i]
    since = part.seen[1, i] if deep else part.seen[0, i]
    all_pairs = part.stamps[own] > since
    gain = -1.0
    for c in range(near.shape[1]):
        k = near[i, c]
        if k == own or not (all_pairs or part.stamps[k] > since):
            continue
        if gain < 0.0:
            gain = removal(problem, part, i)
        change = insertion(problem, part, i, k) - gain
        if change >= best:
            continue
        if loads[k] + weights[i] <= limits[k]:
            best, best_k = change, k
            best_j, best_to = NOBODY, NOBODY
            continue
        excess = loads[k] + weights[i] - limits[k]
        room = limits[own] - loads[own] + weights[i]
        j = part.head[k]
        while j >= 0:
            if weights[j] >= excess:
                if weights[j] <= room:
                    change = exchange(problem, part, i, j)
                    if change < best:
                        best, best_k, best_j, best_to = change, k, j, own
                if deep:
                    first = replacement(problem, part, i, j) - gain
                    if first < best:
                        for e in range(near.shape[1]):
                            to = near[j, e]
                            if to == k:
                                continue
                            if to == own:
                                continue
                            if loads[to] + weights[j] > limits[to]:
                                continue
                            change = first + insertion(problem, part, j, to)
                            if change < best:
                                best, best_k = change, k
                                best_j, best_to = j, to
            j = part.after[j]
    if best_k < 0:
        part.seen[0, i] = clock
        if deep:
            part.seen[1, i] = clock
        return 0.0
    part.stamps[own] = clock + 1
    part.stamps[best_k] = clock + 1
    if best_j >= 0:
        part.stamps[best_to] = clock + 1
        move(problem, part, best_j, best_to)
    move(problem, part, i, best_k)
    return best


@njit(cache=True, nogil=True)
def mark_all(part: Partition, stamp: int) -> None:
    """Let every cluster count as changed (stamp 1) or as known (0)."""
    for k in range(len(part.stamps)):
        part.stamps[k] = stamp
    for i in range(len(part.labels)):
        part.seen[0, i] = 0
        part.seen[1, i] = 0


@njit(cache=True, nogil=True)
def descend(
    problem: Problem,
    part: Partition,
    near: np.ndarray,
    max_passes: int,
    needed: float,
) -> float:
    """Move points until no relocation, swap or ejection lowers the inertia.

    Only clusters with a positive stamp count as changed at the start.

    Parameters
    ----------
    near
        Int64 array of shape (num_points, m): clusters that each point may
        join.
    max_passes
        Limit on the passes over all points.
    needed
        Ejections, which take longest, are tried only once relocations and
        swaps have changed the inertia by less than this, as a number <= 0
        for a gain; ``inf`` tries them always.

    Returns
    -------
    float
        Change of the inertia, <= 0.
    """
    size = len(part.labels)
    total = 0.0
    deep = False
    idle, i = 0, FIRST
    clock = FIRST + 1
    for _ in range(max_passes * size):
        change = improve_point(problem, part, near, i, deep, clock)
        total += change
        i = i + 1 if i + 1 < size else FIRST
        if change < 0.0:
            clock += 1
            idle, deep = 0, False
        else:
            idle += 1
            if idle >= size:
                if deep or total > needed:
                    break
                idle, deep = 0, True
    return total


@njit(cache=True, nogil=True)
def reseed(
    problem: Problem,
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def kick_and_descend(
    problem: Problem,
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
            value += descend(problem, part, near, PASSES, needed)
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


@njit(cache=True, nogil=True)
def relieve(
    problem: Problem, part: Partition, near: np.ndarray, max_passes: int
) -> float:
    """Move or swap points until no load exceeds its limit, if possible.

    Each step takes, among the moves of one point that lower the total
    excess, the one that raises the inertia least per unit of excess.

    Returns
    -------
    float
        Total excess that is left.
    """
    weights, limits, loads = problem.weights, problem.limits, part.loads
    size = len(part.labels)
    for _ in range(max_passes):
        changed = False
        for i in range(size):
            own = part.labels[i]
            over = loads[own] - limits[own]
            if over <= 0.0:
                continue
            gain = removal(problem, part, i)
            best, best_k, best_j = np.inf, NOBODY, NOBODY
            for c in range(near.shape[1]):
                k = near[i, c]
                if k == own:
                    continue
                room = limits[k] - loads[k]
                less = min(over, weights[i]) - max(0.0, weights[i] - room)
                less -= max(0.0, -room) if room < 0.0 else 0.0
                if less > 0.0:
                    change = (insertion(problem, part, i, k) - gain) / less
                    if change < best:
                        best, best_k, best_j = change, k, NOBODY
                    continue
                j = part.head[k]
                while j >= 0:
                    shift = weights[i] - weights[j]
                    if shift > 0.0:
                        less = max(0.0, over) + max(0.0, -room)
                        less -= max(0.0, over - shift)
                        less -= max(0.0, shift - room)
                        if less > 0.0:
                            change = exchange(problem, part, i, j) / less
                            if change < best:
                                best, best_k, best_j = change, k, j
                    j = part.after[j]
            if best_k >= 0:
                if best_j >= 0:
                    move(problem, part, best_j, own)
                move(problem, part, i, best_k)
                changed = True
        if not changed:
            break
    total = 0.0
    for k in range(len(limits)):
        total += max(0.0, loads[k] - limits[k])
    return total
