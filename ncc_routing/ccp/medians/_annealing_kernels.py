"""Compiled simulated annealing for the sum of distances to the centers.

A move puts one point into the cluster of a near one, or swaps two points.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.ccp.medians._opening_kernels import (
    MEDIUM,
    MoveLog,
    open_somewhere,
    try_closing,
)
from ncc_routing.ccp.medians._state_kernels import (
    MedianProblem,
    State,
    evaluate,
    excess,
    gather,
    group_cost,
    put,
    reach,
    recenter,
    shift_medoid,
)
from ncc_routing.clustering.member_list_kernels import NOBODY
from ncc_routing.core.compiling import ALLOCATING, DRAWING, INNER, OUTER

SMALL = 8
"""Clusters up to this size are judged with their best center at once."""

MAX_BREADTH = 12
"""Near points of a place whose clusters are annealed together, at most."""


@njit(**OUTER)
def judge(
    problem: MedianProblem, state: State, i: int, j: int, to: int, price: float
) -> float:
    """Return the change when i joins cluster ``to`` and j, if any, leaves it.

    Small clusters, and those that lose their medoid, are judged with their
    best center; the others with the one they have.
    """
    own = state.labels[i]
    shift = problem.weights[i]
    if j >= 0:
        shift -= problem.weights[j]
    change = 0.0
    for side in range(2):
        k = own if side == 0 else to
        leaving = i if side == 0 else j
        coming = j if side == 0 else i
        load = state.loads[k] + (-shift if side == 0 else shift)
        medoid = state.medoids[k]
        exact = state.counts[k] <= SMALL or leaving == medoid
        if problem.uses_means:
            exact = state.counts[k] <= SMALL
        if exact:
            count = gather(state, k, NOBODY, NOBODY)
            before = price * excess(problem, k, medoid, state.loads[k])
            for a in range(count):
                before += reach(problem, state, state.group[a], k)
            count = gather(state, k, leaving, coming)
            after, _ = group_cost(problem, state, count, k, load, price)
            change += after - before
            continue
        change += price * (
            excess(problem, k, medoid, load)
            - excess(problem, k, medoid, state.loads[k])
        )
        if leaving >= 0:
            change -= reach(problem, state, leaving, k)
        if coming >= 0:
            change += reach(problem, state, coming, k)
    return change


@njit(**INNER)
def least_change(
    problem: MedianProblem, state: State, i: int, j: int, to: int, price: float
) -> float:
    """Return a quick estimate, from below, of what ``judge`` returns.

    A new center is taken to save at most half of the distance of a point
    that joins.
    """
    own = state.labels[i]
    shift = problem.weights[i]
    leave, join = reach(problem, state, i, own), reach(problem, state, i, to)
    if j >= 0:
        shift -= problem.weights[j]
        leave += reach(problem, state, j, to)
        join += reach(problem, state, j, own)
        if state.medoids[to] == j:
            leave += join
    if state.medoids[own] == i:
        leave += join
    over = 0.0
    for side in range(2):
        k = own if side == 0 else to
        load = state.loads[k] + (-shift if side == 0 else shift)
        medoid = state.medoids[k]
        over += excess(problem, k, medoid, load)
        over -= excess(problem, k, medoid, state.loads[k])
    return price * over + 0.5 * join - leave


@njit(**INNER)
def settle(
    problem: MedianProblem,
    state: State,
    k: int,
    price: float,
    rng: np.random.Generator,
) -> None:
    """Renew the center of a cluster that has changed.

    A large cluster is looked at once for about as many changes as it has
    members.
    """
    count = state.counts[k]
    if count == 0 or problem.uses_means:
        return
    medoid = state.medoids[k]
    if count <= MEDIUM or medoid < 0 or state.labels[medoid] != k:
        recenter(problem, state, k, price)
    elif rng.random() * count < MEDIUM:
        shift_medoid(problem, state, k, price)


@njit(**DRAWING)
def anneal(
    problem: MedianProblem,
    state: State,
    active: np.ndarray,
    num_active: int,
    temperature: float,
    price: float,
    num_moves: int,
    rng: np.random.Generator,
) -> int:
    """Try random relocations and swaps between close points.

    Parameters
    ----------
    active
        Points that may be the first of a move, in its first ``num_active``
        entries.
    temperature
        A move that costs c is accepted with probability
        exp(-c / temperature).
    price
        Price of a unit of load over the limit.
    num_moves
        Number of moves to try.

    Returns
    -------
    int
        Number of accepted moves.
    """
    degree = problem.near.shape[1]
    accepted = 0
    for _ in range(num_moves):
        i = active[int(rng.random() * num_active)]
        # Close points are drawn more often than far ones.
        skew = rng.random()
        j = problem.near[i, int(skew * skew * degree)]
        own, to = state.labels[i], state.labels[j]
        if own == to:
            continue
        draw = rng.random()
        if draw < 0.4:
            j = NOBODY
        elif draw < 0.7:
            skew = rng.random()
            j = problem.near[j, int(skew * skew * degree)]
            if state.labels[j] != to:
                continue
        # Accepted with probability exp(-change / temperature).
        allowed = -temperature * np.log(1.0 - rng.random())
        if least_change(problem, state, i, j, to, price) > allowed:
            continue
        if judge(problem, state, i, j, to, price) > allowed:
            continue
        accepted += 1
        if j >= 0:
            put(problem, state, j, own)
        put(problem, state, i, to)
        settle(problem, state, own, price, rng)
        settle(problem, state, to, price, rng)
    return accepted


@njit(**INNER)
def choose_active(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    transplants: bool,
    price: float,
    flags: np.ndarray,
    active: np.ndarray,
    rng: np.random.Generator,
) -> int:
    """Write the points of a few neighbouring clusters to ``active``.

    With ``transplants`` a random cluster is dissolved before, and opened
    anew at another place; the points around both places are active.

    Returns
    -------
    int
        Number of active points.
    """
    size, degree = problem.near.shape
    for k in range(len(flags)):
        flags[k] = False
    middle = int(rng.random() * size)
    if transplants and len(flags) > 1:
        # The middle of the new cluster: rather far from its center.
        k = state.labels[int(rng.random() * size)]
        try_closing(problem, state, log, k, price, np.inf)
        for a in range(log.counts[1]):
            flags[log.touched[a]] = True
        if state.spare[0] > 0:
            open_somewhere(problem, state, log, price, rng)
        flags[k] = True
        middle = state.medoids[k] if state.counts[k] > 0 else middle
    flags[state.labels[middle]] = True
    breadth = 2 + int(rng.random() * min(MAX_BREADTH, degree - 1))
    for c in range(min(breadth, degree)):
        flags[state.labels[problem.near[middle, c]]] = True
    count = 0
    for i in range(size):
        if flags[state.labels[i]]:
            active[count] = i
            count += 1
    return count


@njit(**ALLOCATING)
def anneal_locally(
    problem: MedianProblem,
    state: State,
    log: MoveLog,
    high: float,
    low: float,
    price: float,
    local_price: float,
    effort: int,
    num_trials: int,
    rng: np.random.Generator,
) -> None:
    """Anneal one neighbourhood after the other; keep what is not worse.

    Parameters
    ----------
    high, low
        First temperatures are drawn between them; each trial ends at
        ``low``.
    price, local_price
        Price of a unit of load over the limit at the end of a trial, and
        that at its start as a share of it: two loads that both lie near the
        limit can change only where one of them may exceed it for a while.
    effort
        Moves per active point and trial.
    num_trials
        Number of neighbourhoods.
    """
    size = len(state.labels)
    total, over = evaluate(problem, state)
    best = total + price * over
    kept = state.labels.copy()
    medoids = state.medoids.copy()
    active = np.empty(size, dtype=np.int64)
    flags = np.zeros(len(state.head), dtype=np.bool_)
    steps = 10
    for _ in range(num_trials):
        transplants = rng.random() < 0.5
        count = choose_active(
            problem, state, log, transplants, price, flags, active, rng
        )
        start = low * (high / low) ** rng.random()
        for step in range(steps):
            share = step / (steps - 1.0)
            temperature = start * (low / start) ** share
            if state.spare[0] > 0:
                open_somewhere(problem, state, log, price, rng)
            anneal(
                problem,
                state,
                active,
                count,
                temperature,
                price * local_price ** (1.0 - share),
                effort * count // steps + 1,
                rng,
            )
        total, over = evaluate(problem, state)
        value = total + price * over
        if value <= best:
            best = value
            for i in range(size):
                kept[i] = state.labels[i]
            for k in range(len(medoids)):
                medoids[k] = state.medoids[k]
        else:
            for i in range(size):
                if state.labels[i] != kept[i]:
                    put(problem, state, i, kept[i])
            for k in range(len(medoids)):
                state.medoids[k] = medoids[k]
