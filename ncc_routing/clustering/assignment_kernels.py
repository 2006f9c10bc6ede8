"""Compiled assignments of points to clusters under capacities.

All functions work on the first ``size`` points and the first
``num_clusters`` clusters of buffers that may be larger, so that one set of
buffers serves thousands of calls. ``scores`` are priorities, higher is better.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def assign_by_regret(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    weight_power: float,
    loads: np.ndarray,
    labels: np.ndarray,
    keys: np.ndarray,
    queue: np.ndarray,
) -> int:
    """Assign points in the order of what they lose without their best.

    The regret of a point is the gap between its two best clusters with
    room, times its weight to the power ``weight_power``. A point whose best
    cluster has filled up in the meantime waits for the next round, with its
    regret taken anew (Mulvey and Beck 1984, with deferral).

    Parameters
    ----------
    scores
        Priorities of shape (>= num_clusters, >= size), higher is better.
    capacities
        Capacity of each cluster.
    loads, labels
        Modified in place; -1 marks a point that fits nowhere.
    keys, queue
        Float64 and int64 buffers of length >= size.

    Returns
    -------
    int
        Number of points that fit nowhere.
    """
    for k in range(num_clusters):
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
            for k in range(num_clusters):
                if loads[k] + weights[i] <= capacities[k]:
                    value = scores[k, i]
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


@njit(cache=True, nogil=True)
def find_swap(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    loads: np.ndarray,
    labels: np.ndarray,
    i: int,
) -> tuple[int, int]:
    """Return two members whose swap makes room for point i, or -1, -1.

    Of all pairs of a member and a lighter one of another cluster, whose swap
    lets i into the cluster of the heavier, it is the cheapest in priority.
    """
    widest = np.int64(0)
    for k in range(num_clusters):
        widest = max(widest, capacities[k] - loads[k])
    best, heavier, lighter = -np.inf, -1, -1
    for j in range(size):
        k = labels[j]
        if k < 0:
            continue
        missing = loads[k] + weights[i] - capacities[k]
        if missing > widest or missing >= weights[j]:
            continue
        base = scores[k, i] - scores[k, j]
        for a in range(size):
            if weights[a] > weights[j] - missing:
                continue
            to = labels[a]
            if to < 0 or to == k:
                continue
            if loads[to] + weights[j] - weights[a] > capacities[to]:
                continue
            gain = base + scores[k, a] + scores[to, j] - scores[to, a]
            if gain > best:
                best, heavier, lighter = gain, j, a
    return heavier, lighter


@njit(cache=True, nogil=True)
def place_by_exchange(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    loads: np.ndarray,
    labels: np.ndarray,
) -> int:
    """Place points that fit nowhere by moving members out of the way.

    For each unplaced point the cheapest member, in priority, that makes
    room in its cluster and fits into another one is moved there. Where there
    is none, it changes places with a lighter member of another cluster.
    Where that makes no room either, the point takes the place of the
    cheapest lighter member, for which the same is tried.

    Returns
    -------
    int
        Number of points still unplaced.
    """
    for first in range(size):
        i = first
        while i >= 0 and labels[i] < 0:
            best, best_j, best_to = -np.inf, -1, -1
            lighter, out = -np.inf, -1
            for j in range(size):
                k = labels[j]
                if k < 0 or loads[k] - weights[j] + weights[i] > capacities[k]:
                    continue
                if weights[j] < weights[i]:
                    gain = scores[k, i] - scores[k, j]
                    if gain > lighter:
                        lighter, out = gain, j
                for to in range(num_clusters):
                    if to == k or loads[to] + weights[j] > capacities[to]:
                        continue
                    gain = scores[k, i] + scores[to, j] - scores[k, j]
                    if gain > best:
                        best, best_j, best_to = gain, j, to
            partner = -1
            if best_j < 0:
                best_j, partner = find_swap(
                    scores,
                    weights,
                    size,
                    num_clusters,
                    capacities,
                    loads,
                    labels,
                    i,
                )
            if best_j >= 0:
                k = labels[best_j]
                shift = weights[best_j]
                if partner >= 0:
                    best_to = labels[partner]
                    shift -= weights[partner]
                    labels[partner] = k
                labels[best_j] = best_to
                labels[i] = k
                loads[best_to] += shift
                loads[k] += weights[i] - shift
                i = -1
            elif out >= 0:
                k = labels[out]
                labels[i], labels[out] = k, -1
                loads[k] += weights[i] - weights[out]
                i = out
            else:
                i = -1
    unplaced = 0
    for i in range(size):
        if labels[i] < 0:
            unplaced += 1
    return unplaced


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def complete(
    scores: np.ndarray,
    xs: np.ndarray,
    ys: np.ndarray,
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
                    dx, dy = xs[i] - centers[k, 0], ys[i] - centers[k, 1]
                    reach = dx * dx + dy * dy
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
