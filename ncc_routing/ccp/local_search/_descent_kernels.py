"""Compiled descent on the inertia: relocations, swaps and ejections."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.ccp.local_search._partition_kernels import (
    Partition,
    PartitionProblem,
    exchange,
    insertion,
    move,
    removal,
    replacement,
)
from ncc_routing.clustering.member_list_kernels import FIRST, NOBODY
from ncc_routing.core.compiling import INNER, OUTER

MIN_GAIN = 1e-9
"""Least gain that counts, in units of the problem's scale: no rounding error
can pass for one."""


@njit(**INNER)
def improve_point(
    problem: PartitionProblem,
    part: Partition,
    near: np.ndarray,
    most: int,
    i: int,
    deep: bool,
    clock: int,
) -> float:
    """Apply the best move of one point, if any lowers the inertia.

    The point joins a cluster near its own; where that has no room, it swaps
    with a member, or (``deep``) it takes the place of a member that finds
    room in a third cluster. Pairs of clusters that have not changed since
    the point was last examined are passed over.

    Parameters
    ----------
    near, most
        As for ``descend``.
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
        k = near[own, c]
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
        j, left = part.head[k], most
        while j >= 0 and left > 0:
            left -= 1
            if weights[j] >= excess:
                if weights[j] <= room:
                    change = exchange(problem, part, i, j)
                    if change < best:
                        best, best_k, best_j, best_to = change, k, j, own
                if deep:
                    first = replacement(problem, part, i, j) - gain
                    if first < best:
                        for e in range(near.shape[1]):
                            to = near[k, e]
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


@njit(**OUTER)
def mark_all(part: Partition, stamp: int) -> None:
    """Let every cluster count as changed (stamp 1) or as known (0).

    A descent begins anew.
    """
    for k in range(len(part.stamps)):
        part.stamps[k] = stamp
    for i in range(len(part.labels)):
        part.seen[0, i] = 0
        part.seen[1, i] = 0
    for a in range(len(part.cursor)):
        part.cursor[a] = 0
    part.cursor[3] = 1


@njit(**OUTER)
def descend(
    problem: PartitionProblem,
    part: Partition,
    near: np.ndarray,
    most: int,
    num_steps: int,
    needed: float,
) -> float:
    """Move points until no relocation, swap or ejection lowers the inertia.

    It goes on from ``part.cursor``, whose second entry is the number of
    points once nothing is left to gain. Only clusters with a positive stamp
    count as changed at the start.

    Parameters
    ----------
    near
        Int64 array of shape (num_clusters, m): clusters that the members of
        each one may join.
    most
        Members of a cluster that are looked at, from the head of its list.
    num_steps
        Points to examine, at most.
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
    i, idle, clock = part.cursor[0], part.cursor[1], part.cursor[3]
    deep = part.cursor[2] > 0
    for _ in range(num_steps):
        change = improve_point(problem, part, near, most, i, deep, clock)
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
    part.cursor[0], part.cursor[1], part.cursor[3] = i, idle, clock
    part.cursor[2] = 1 if deep else 0
    return total


@njit(**OUTER)
def relieve(
    problem: PartitionProblem,
    part: Partition,
    near: np.ndarray,
    most: int,
    order: np.ndarray,
    height: np.ndarray,
    prices: np.ndarray,
    spare: float,
) -> bool:
    """Move or swap points of clusters whose load exceeds its limit, once.

    Each step takes, among the moves of one point that lower the total
    excess or hand some of it on to a lower cluster, the one that raises the
    inertia plus the prices least per unit of excess.

    Parameters
    ----------
    near, most
        As for ``descend``.
    order
        The points that may move, in this order.
    height
        Float64 array of shape (num_clusters,): how far each one is from a
        cluster with room.
    prices
        What a point in each cluster costs, float64 of shape
        (num_clusters,): with the right prices a chain of moves costs as
        little as the one move that it replaces.
    spare
        By how much more than its excess a cluster may hand on.

    Returns
    -------
    bool
        Whether anything moved.
    """
    weights, limits, loads = problem.weights, problem.limits, part.loads
    changed = False
    for a in range(len(order)):
        i = order[a]
        own = part.labels[i]
        over = loads[own] - limits[own]
        if over <= 0.0:
            continue
        gain = removal(problem, part, i)
        best, best_k, best_j = np.inf, NOBODY, NOBODY
        for c in range(near.shape[1]):
            k = near[own, c]
            if k == own:
                continue
            room = limits[k] - loads[k]
            is_lower = height[k] < height[own]
            less = min(over, weights[i]) - max(0.0, weights[i] - room)
            less -= max(0.0, -room) if room < 0.0 else 0.0
            fits = less > 0.0
            if not fits and is_lower and weights[i] <= over + spare:
                less = weights[i]
            if less > 0.0:
                change = insertion(problem, part, i, k) - gain
                change = (change + prices[k] - prices[own]) / less
                if change < best:
                    best, best_k, best_j = change, k, NOBODY
                if fits:
                    continue
            j, left = part.head[k], most
            while j >= 0 and left > 0:
                left -= 1
                shift = weights[i] - weights[j]
                if shift > 0.0:
                    less = max(0.0, over) + max(0.0, -room)
                    less -= max(0.0, over - shift)
                    less -= max(0.0, shift - room)
                    if less <= 0.0 and is_lower and shift <= over + spare:
                        less = shift
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
    return changed
