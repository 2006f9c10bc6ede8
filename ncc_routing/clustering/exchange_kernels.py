"""Compiled exchanges that make room for points which fit nowhere.

As in ``assignment_kernels``, buffers may be larger than what is in use, and
``scores`` are priorities: higher is better.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INNER, OUTER


@njit(**INNER)
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


@njit(**OUTER)
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


@njit(**OUTER)
def swap_members(
    scores: np.ndarray,
    weights: np.ndarray,
    size: int,
    num_clusters: int,
    capacities: np.ndarray,
    loads: np.ndarray,
    labels: np.ndarray,
    max_passes: int,
) -> None:
    """Move and swap members as long as the sum of their scores rises.

    Each point that another cluster suits better goes there, where there is
    room, or changes places with a member; what gains most is done.

    Parameters
    ----------
    max_passes
        Most passes over the points.
    """
    for _ in range(max_passes):
        changed = False
        for i in range(size):
            k = labels[i]
            if k < 0:
                continue
            best, best_to, best_j = 1e-9, -1, -1
            wanted = False
            for to in range(num_clusters):
                gain = scores[to, i] - scores[k, i]
                wanted = wanted or gain > best
                if gain > best and loads[to] + weights[i] <= capacities[to]:
                    best, best_to = gain, to
            if not wanted:
                continue
            for j in range(size):
                to = labels[j]
                if to < 0 or to == k:
                    continue
                gain = scores[to, i] - scores[k, i]
                if gain <= 0.0:  # then j wants the place of i
                    continue
                gain += scores[k, j] - scores[to, j]
                shift = weights[i] - weights[j]
                if (
                    gain > best
                    and loads[to] + shift <= capacities[to]
                    and loads[k] - shift <= capacities[k]
                ):
                    best, best_to, best_j = gain, to, j
            if best_to < 0:
                continue
            shift = weights[i]
            if best_j >= 0:
                shift -= weights[best_j]
                labels[best_j] = k
            labels[i] = best_to
            loads[best_to] += shift
            loads[k] -= shift
            changed = True
        if not changed:
            break
