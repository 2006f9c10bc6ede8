"""Compiled descent on the inertia: relocations, swaps and ejections."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.ccp.local_search._partition_kernels import (
    Partition,
    Problem,
    exchange,
    insertion,
    move,
    removal,
    replacement,
)
from ncc_routing.clustering.member_list_kernels import FIRST, NOBODY
from ncc_routing.core.compiling import INNER, OUTER

MIN_GAIN = 1e-9
"""Least gain that counts, in units of ``Problem.scale``: no rounding error
can pass for one."""


@njit(**INNER)
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


@njit(**OUTER)
def mark_all(part: Partition, stamp: int) -> None:
    """Let every cluster count as changed (stamp 1) or as known (0)."""
    for k in range(len(part.stamps)):
        part.stamps[k] = stamp
    for i in range(len(part.labels)):
        part.seen[0, i] = 0
        part.seen[1, i] = 0


@njit(**OUTER)
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


@njit(**OUTER)
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
