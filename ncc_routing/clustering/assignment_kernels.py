"""Compiled assignments of points to clusters under capacities.

All functions work on the first ``size`` points and the first
``num_clusters`` clusters of buffers that may be larger, so that one set of
buffers serves thousands of calls. ``scores`` are priorities, higher is better.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.clustering.center_kernels import square
from ncc_routing.core.compiling import ALLOCATING, OUTER


@njit(**OUTER)
def sort_by_key(keys: np.ndarray, items: np.ndarray, count: int) -> None:
    """Sort the first ``count`` keys upwards, and the items along with them.

    A heap sort in place: ``np.argsort`` allocates, and takes a tenth of the
    time that all kernels of a run take to compile.
    """
    end = count
    root = count // 2
    while end > 1:
        if root > 0:
            root -= 1
        else:
            end -= 1
            keys[0], keys[end] = keys[end], keys[0]
            items[0], items[end] = items[end], items[0]
        node = root
        while 2 * node + 1 < end:
            child = 2 * node + 1
            if child + 1 < end and keys[child + 1] > keys[child]:
                child += 1
            if keys[node] >= keys[child]:
                break
            keys[node], keys[child] = keys[child], keys[node]
            items[node], items[child] = items[child], items[node]
            node = child


@njit(**OUTER)
def assign_by_regret(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_rows: int,
    capacities: np.ndarray,
    weight_power: float,
    loads: np.ndarray,
    labels: np.ndarray,
    keys: np.ndarray,
    queue: np.ndarray,
    listed: np.ndarray | None = None,
) -> int:
    """Assign points in the order of what they lose without their best.

    The regret of a point is the gap between its two best clusters with
    room, times its weight to the power ``weight_power``. A point whose best
    cluster has filled up in the meantime waits for the next round, with its
    regret taken anew (Mulvey and Beck 1984, with deferral).

    Parameters
    ----------
    scores
        Priorities of shape (>= num_rows, >= size), higher is better.
    num_rows
        Number of clusters that each point may join.
    capacities
        Capacity of each cluster.
    loads, labels
        Modified in place; -1 marks a point that fits nowhere.
    keys, queue
        Float64 and int64 buffers of length >= size.
    listed
        The cluster of each score, of the shape of ``scores``. Default: row
        k is cluster k.

    Returns
    -------
    int
        Number of points that fit nowhere.
    """
    for k in range(len(loads)):
        loads[k] = 0
    waiting = size
    for i in range(size):
        labels[i] = -1
        queue[i] = i
    unplaced = 0
    while waiting > 0:
        count = np.int64(0)  # a literal would compile the sort twice
        for a in range(waiting):
            i = queue[a]
            best, second, best_k = -np.inf, -np.inf, -1
            for row in range(num_rows):
                # Numba leaves this out where no clusters are listed.
                k = row if listed is None else listed[row, i]
                if loads[k] + weights[i] <= capacities[k]:
                    value = scores[row, i]
                    if value > best:
                        second, best, best_k = best, value, k
                    elif value > second:
                        second = value
            if best_k < 0:
                unplaced += 1
                continue
            regret = best - second if second > -np.inf else 1e18
            queue[count] = i
            labels[i] = best_k
            if weight_power == 0.0:
                keys[count] = -regret
            else:
                keys[count] = -regret * weights[i] ** weight_power
            count += 1
        sort_by_key(keys, queue, count)
        waiting = 0
        for a in range(count):
            i = queue[a]
            k = labels[i]
            if loads[k] + weights[i] <= capacities[k]:
                loads[k] += weights[i]
            else:
                labels[i] = -1
                queue[waiting] = i
                waiting += 1
    return unplaced


@njit(**ALLOCATING)
def assign_sorted(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    loads: np.ndarray,
    labels: np.ndarray,
) -> int:
    """Assign along the list of all pairs, highest priority first.

    Algorithm 1 of the paper (Geetha et al. 2009). Arguments and return
    value as ``assign_by_regret``.
    """
    flat = np.empty(num_clusters * size)
    for k in range(num_clusters):
        loads[k] = 0
        for i in range(size):
            flat[k * size + i] = -scores[k, i]
    labels[:size] = -1
    unplaced = size
    for pair in np.argsort(flat, kind="mergesort"):
        k, i = pair // size, pair % size
        if labels[i] < 0 and loads[k] + weights[i] <= capacities[k]:
            labels[i] = k
            loads[k] += weights[i]
            unplaced -= 1
            if unplaced == 0:
                break
    return unplaced


@njit(**ALLOCATING)
def assign_cyclic(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    num_left: int,
    loads: np.ndarray,
    labels: np.ndarray,
    rng: np.random.Generator,
) -> int:
    """Let the clusters take turns, in random order, at their best point.

    The loop of Algorithm 2 of the paper; it ends when ``num_left`` points
    are unassigned or no cluster can take one. Arguments and return value as
    ``assign_by_regret``.
    """
    turns = np.empty(num_clusters)
    ranking = np.empty((num_clusters, size), dtype=np.int64)
    for k in range(num_clusters):
        loads[k] = 0
        turns[k] = rng.random()
        ranking[k] = np.argsort(-scores[k, :size], kind="mergesort")
    labels[:size] = -1
    order = np.argsort(turns)
    # Loads only grow: what a cluster has passed over never fits again.
    reached = np.zeros(num_clusters, dtype=np.int64)
    unplaced = size
    idle = 0
    turn = 0
    while unplaced > num_left and idle < num_clusters:
        k = order[turn % num_clusters]
        turn += 1
        idle += 1
        while reached[k] < size:
            i = ranking[k, reached[k]]
            reached[k] += 1
            if labels[i] < 0 and loads[k] + weights[i] <= capacities[k]:
                labels[i] = k
                loads[k] += weights[i]
                unplaced -= 1
                idle = 0
                break
    return unplaced


@njit(**ALLOCATING)
def complete(
    scores: np.ndarray,
    coords: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    centers: np.ndarray,
    num_samples: int,
    loads: np.ndarray,
    labels: np.ndarray,
    rng: np.random.Generator,
) -> int:
    """Place the points that are left, each in the nearest cluster with room.

    The order is that of the best priority of each point over the clusters:
    descending for one sample; else drawn without replacement by its softmax
    (as descending priority plus Gumbel noise), and the order of least
    unplaced points, then least squared distance, counts (section 4.3 of the
    paper).

    Returns
    -------
    int
        Number of points that fit nowhere.
    """
    left = np.flatnonzero(labels[:size] < 0)
    ceiling = np.empty(len(left))
    for a in range(len(left)):
        ceiling[a] = -np.inf
        for k in range(num_clusters):
            ceiling[a] = max(ceiling[a], scores[k, left[a]])
    start = loads[:num_clusters].copy()
    room = start.copy()
    trial = np.empty(len(left), dtype=np.int64)
    kept = np.full(len(left), -1)
    best_unplaced, best_spread = size + 1, np.inf
    for _ in range(num_samples):
        keys = -ceiling
        if num_samples > 1:
            for a in range(len(left)):
                keys[a] += np.log(-np.log(rng.random() + 1e-300) + 1e-300)
        room[:] = start
        unplaced, spread = 0, 0.0
        for a in np.argsort(keys, kind="mergesort"):
            i = left[a]
            near, near_k = np.inf, -1
            for k in range(num_clusters):
                if room[k] + weights[i] <= capacities[k]:
                    reach = square(coords, i, centers, k)
                    if reach < near:
                        near, near_k = reach, k
            trial[a] = near_k
            if near_k < 0:
                unplaced += 1
            else:
                room[near_k] += weights[i]
                spread += near
        if unplaced < best_unplaced or (
            unplaced == best_unplaced and spread < best_spread
        ):
            best_unplaced, best_spread = unplaced, spread
            kept[:] = trial
    for a in range(len(left)):
        labels[left[a]] = kept[a]
        if kept[a] >= 0:
            loads[kept[a]] += weights[left[a]]
    return best_unplaced
