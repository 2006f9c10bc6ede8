"""Compiled moves that close a cluster or open one at another place.

A relocation or swap hardly ever moves a center from one end of the map to
the other. These moves do: one shares the members of a cluster out among its
neighbours, the other starts an empty cluster at a point, and near points
follow. Each is judged by the cost of all the clusters that it changed, and
undone where that is too much.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ncc_routing.ccp.medians._state_kernels import (
    MedianProblem,
    State,
    cluster_cost,
    excess,
    put,
    reach,
    recenter,
    shift_medoid,
)
from ncc_routing.clustering.member_list_kernels import FIRST, NOBODY
from ncc_routing.core.compiling import DRAWING, INNER, OUTER

MEDIUM = 16
"""Up to this size the medoid is recomputed after every accepted move."""

LARGE = 400
"""Up to this size it is compared with the members next to it."""

MAX_AROUND = 32
"""Neighbouring clusters among which a closed one is shared out, at most."""


class MoveLog(NamedTuple):
    """What the current move has changed, and the value of a cluster.

    Attributes
    ----------
    moved, origin
        Int64 arrays of shape (num_points + 1,): points in the order in
        which they moved, and the cluster that each one left.
    touched
        Int64 array of shape (num_clusters,): clusters that changed.
    old_medoids
        Int64 array of shape (num_clusters,): their medoids before.
    around
        Int64 buffer of shape (MAX_AROUND,).
    counts
        Int64 array: number of entries of ``moved`` and of ``touched``.
    figures
        Float64 array: cost of the touched clusters before the move; and
        the value of a cluster, which is what closing one may cost.
    """

    moved: np.ndarray
    origin: np.ndarray
    touched: np.ndarray
    old_medoids: np.ndarray
    around: np.ndarray
    counts: np.ndarray
    figures: np.ndarray


@njit(**INNER)
def begin(log: MoveLog) -> None:
    """Forget the last move."""
    log.counts[0] = 0
    log.counts[1] = 0
    log.figures[0] = 0.0


@njit(**INNER)
def touch(
    problem: MedianProblem, state: State, log: MoveLog, k: int, price: float
) -> None:
    """Note what a cluster is before it changes, once."""
    for a in range(log.counts[1]):
        if log.touched[a] == k:
            return
    log.touched[log.counts[1]] = k
    log.counts[1] += 1
    log.old_medoids[k] = state.medoids[k]
    log.figures[0] += cluster_cost(problem, state, k, price)


@njit(**INNER)
def transfer(
    problem: MedianProblem, state: State, log: MoveLog, i: int, to: int
) -> None:
    """Move a point and note where it came from."""
    log.moved[log.counts[0]] = i
    log.origin[log.counts[0]] = state.labels[i]
    log.counts[0] += 1
    put(problem, state, i, to)


@njit(**INNER)
def conclude(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    price: float,
    allowed: float,
) -> bool:
    """Renew the centers of what was touched; undo all if it costs too much.

    Returns
    -------
    bool
        Whether the cost changed by no more than ``allowed``.
    """
    after = 0.0
    for a in range(log.counts[1]):
        k = log.touched[a]
        medoid = state.medoids[k]
        if state.counts[k] > 0 and not problem.uses_means:
            if (
                state.counts[k] <= MEDIUM
                or medoid < 0
                or state.labels[medoid] != k
            ):
                recenter(problem, state, k, price)
            elif state.counts[k] <= LARGE:
                shift_medoid(problem, state, k, price)
        after += cluster_cost(problem, state, k, price)
    if after - log.figures[0] <= allowed:
        return True
    for a in range(log.counts[0] - 1, -1, -1):
        put(problem, state, log.moved[a], log.origin[a])
    for a in range(log.counts[1]):
        k = log.touched[a]
        state.medoids[k] = log.old_medoids[k]
    return False


@njit(**INNER)
def find_around(
    problem: MedianProblem, state: State, log: MoveLog, k: int
) -> int:
    """Write the neighbours of a cluster to ``log.around``; return how many."""
    count = 0
    i = state.head[k]
    while i >= 0:
        for c in range(problem.near.shape[1]):
            to = state.labels[problem.near[i, c]]
            if to == k:
                continue
            known = False
            for a in range(count):
                if log.around[a] == to:
                    known = True
                    break
            if not known:
                log.around[count] = to
                count += 1
                if count == len(log.around):
                    return count
        i = state.after[i]
    return count


@njit(**OUTER)
def try_closing(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    k: int,
    price: float,
    allowed: float,
) -> bool:
    """Share the members of a cluster out among its neighbours.

    Returns
    -------
    bool
        Whether the cost rose by no more than ``allowed``; else nothing has
        changed.
    """
    begin(log)
    num_around = find_around(problem, state, log, k)
    if num_around == 0:
        return False
    touch(problem, state, log, k, price)
    i = state.head[k]
    while i >= 0:
        following = state.after[i]
        best, chosen = np.inf, NOBODY
        for a in range(num_around):
            to = log.around[a]
            cost = reach(problem, state, i, to)
            if cost >= best:
                continue
            load, medoid = state.loads[to], state.medoids[to]
            cost += price * (
                excess(problem, to, medoid, load + problem.weights[i])
                - excess(problem, to, medoid, load)
            )
            if cost < best:
                best, chosen = cost, to
        touch(problem, state, log, chosen, price)
        transfer(problem, state, log, i, chosen)
        i = following
    return conclude(problem, state, log, price, allowed)


@njit(**OUTER)
def try_opening(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    i: int,
    price: float,
    allowed: float,
) -> bool:
    """Make a point the center of an empty cluster; near points follow.

    Returns
    -------
    bool
        Whether the cost changed by no more than ``allowed``; else nothing
        has changed.
    """
    own = state.labels[i]
    if state.counts[own] < 2 or state.spare[0] == 0:
        return False
    begin(log)
    k = state.spare[state.spare[0]]
    touch(problem, state, log, k, price)
    touch(problem, state, log, own, price)
    transfer(problem, state, log, i, k)
    state.medoids[k] = i
    if state.medoids[own] == i:
        recenter(problem, state, own, price)
    reached = 0
    while reached < log.counts[0]:
        at = log.moved[reached]
        reached += 1
        for c in range(problem.near.shape[1]):
            j = problem.near[at, c]
            own = state.labels[j]
            if own == k or state.counts[own] < 2 or state.medoids[own] == j:
                continue
            weight, load = problem.weights[j], state.loads[own]
            medoid = state.medoids[own]
            change = reach(problem, state, j, k)
            change -= reach(problem, state, j, own)
            change += price * (
                excess(problem, k, i, state.loads[k] + weight)
                - excess(problem, k, i, state.loads[k])
                + excess(problem, own, medoid, load - weight)
                - excess(problem, own, medoid, load)
            )
            if change < 0.0:
                touch(problem, state, log, own, price)
                transfer(problem, state, log, j, k)
    return conclude(problem, state, log, price, allowed)


@njit(**DRAWING)
def open_somewhere(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    price: float,
    rng: np.random.Generator,
) -> None:
    """Open an empty cluster at the one of a few random points that pays most.

    That is, far from its center or in a cluster that is too full.
    """
    best, chosen = -1.0, FIRST
    for _ in range(6):
        i = int(rng.random() * len(state.labels))
        k = state.labels[i]
        if state.counts[k] > 1 and state.medoids[k] != i:
            saved = reach(problem, state, i, k) + price * excess(
                problem, k, state.medoids[k], state.loads[k]
            )
            if saved > best:
                best, chosen = saved, i
    try_opening(problem, state, log, chosen, price, np.inf)


@njit(**DRAWING)
def exchange_centers(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    temperature: float,
    price: float,
    num_moves: int,
    rng: np.random.Generator,
) -> None:
    """Close clusters, and open the empty ones at other places.

    Closing may cost as much as a cluster is worth, opening has to save it;
    both up to a random amount, exponential with mean ``temperature``. The
    value of a cluster rises while none is empty, and falls otherwise, so
    that clusters move from where they are worth little to where they are
    worth much.

    Parameters
    ----------
    log
        Its second figure is the value of a cluster. Modified in place.
    num_moves
        Number of moves to try.
    """
    num_clusters = len(state.head)
    step = 1.001 + 0.25 / num_clusters
    for _ in range(num_moves):
        noise = -temperature * np.log(1.0 - rng.random())
        value = log.figures[1]
        if state.spare[0] == 0 or rng.random() < 0.3:
            k = int(rng.random() * num_clusters)
            if state.counts[k] > 0:
                try_closing(problem, state, log, k, price, noise + value)
        else:
            i = int(rng.random() * len(state.labels))
            try_opening(problem, state, log, i, price, noise - value)
        if state.spare[0] == 0:
            log.figures[1] *= step
        else:
            log.figures[1] /= step
