"""Compiled simulated annealing for the sum of distances to the centers.

The center of a cluster is its medoid (objective "cpmp") or its mean
("cccp"). Loads may exceed the capacity on the way, at a price per unit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

SMALL = 8
"""Clusters up to this size are judged with their best center at once."""

MEDIUM = 16
"""Up to this size the medoid is recomputed after every accepted move."""

FOLLOWERS = 6
"""Points next to a new center that may join it at once."""

MAX_BREADTH = 12
"""Near points of a place whose clusters are annealed together, at most."""


class Problem(NamedTuple):
    """What does not change during a search.

    Attributes
    ----------
    coords
        Float64 array of shape (num_points, num_dims).
    matrix
        Float64 distances of shape (num_points, num_points), or (0, 0).
    rounds_down
        Whether distances between points are cut to whole numbers.
    uses_means
        Whether centers are means instead of medoids.
    weights
        Float64 array of shape (num_points,).
    cluster_limits
        Largest load of each cluster, float64 of shape (num_clusters,).
    point_limits
        Largest load of a cluster with that medoid, float64 of shape
        (num_points,); ``inf`` where only ``cluster_limits`` count.
    near
        Int32 array of shape (num_points, m): other points close to each.
    """

    coords: np.ndarray
    matrix: np.ndarray
    rounds_down: bool
    uses_means: bool
    weights: np.ndarray
    cluster_limits: np.ndarray
    point_limits: np.ndarray
    near: np.ndarray


class State(NamedTuple):
    """Clusters with their centers, loads and linked lists of members.

    Attributes
    ----------
    labels
        Int64 array of shape (num_points,).
    medoids
        Int64 array of shape (num_clusters,); -1 for an empty cluster.
    means
        Float64 array of shape (num_clusters, num_dims), kept up to date
        where the centers are means.
    counts
        Int64 array of shape (num_clusters,).
    loads
        Float64 array of shape (num_clusters,).
    head, after, before
        Doubly linked list of the members of each cluster, int32.
    spare
        Int64 array of shape (num_clusters + 1,): number of empty clusters,
        then which.
    group
        Int64 buffer of shape (num_points + 1,).
    """

    labels: np.ndarray
    medoids: np.ndarray
    means: np.ndarray
    counts: np.ndarray
    loads: np.ndarray
    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    spare: np.ndarray
    group: np.ndarray


@njit(cache=True, nogil=True)
def distance(problem: Problem, i: int, j: int) -> float:
    """Return the distance of two points."""
    if problem.matrix.shape[0] > 0:
        return problem.matrix[i, j]
    total = 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[i, d] - problem.coords[j, d]
        total += gap * gap
    length = np.sqrt(total)
    if problem.rounds_down:
        return np.floor(length)
    return length


@njit(cache=True, nogil=True)
def reach(problem: Problem, state: State, i: int, k: int) -> float:
    """Return the distance of point i to the center of cluster k."""
    if not problem.uses_means:
        return distance(problem, i, state.medoids[k])
    total = 0.0
    for d in range(problem.coords.shape[1]):
        gap = problem.coords[i, d] - state.means[k, d]
        total += gap * gap
    return np.sqrt(total)


@njit(cache=True, nogil=True)
def excess(problem: Problem, k: int, medoid: int, load: float) -> float:
    """Return by how much a load exceeds what the cluster may hold."""
    limit = problem.cluster_limits[k]
    if medoid >= 0:
        limit = min(limit, problem.point_limits[medoid])
    return max(0.0, load - limit)


@njit(cache=True, nogil=True)
def gather(state: State, k: int, without: int, added: int) -> int:
    """Write the members of a cluster to ``state.group``; return how many.

    ``without`` is left out and ``added`` put in, where >= 0.
    """
    count = 0
    i = state.head[k]
    while i >= 0:
        if i != without:
            state.group[count] = i
            count += 1
        i = state.after[i]
    if added >= 0:
        state.group[count] = added
        count += 1
    return count


@njit(cache=True, nogil=True)
def group_cost(
    problem: Problem,
    state: State,
    count: int,
    k: int,
    load: float,
    price: float,
) -> tuple[float, int]:
    """Return the cost of ``state.group`` as cluster k, and its medoid.

    The price of a load over the limit is part of it.
    """
    if count == 0:
        return 0.0, -1
    group = state.group
    if problem.uses_means:
        total = 0.0
        num_dims = problem.coords.shape[1]
        mean = np.zeros(num_dims)
        for a in range(count):
            for d in range(num_dims):
                mean[d] += problem.coords[group[a], d]
        for a in range(count):
            length = 0.0
            for d in range(num_dims):
                gap = problem.coords[group[a], d] - mean[d] / count
                length += gap * gap
            total += np.sqrt(length)
        return total + price * excess(problem, k, -1, load), group[0]
    best, medoid = np.inf, -1
    for a in range(count):
        total = price * excess(problem, k, group[a], load)
        for b in range(count):
            total += distance(problem, group[a], group[b])
            if total >= best:
                break
        if total < best:
            best, medoid = total, group[a]
    return best, medoid


@njit(cache=True, nogil=True)
def recenter(problem: Problem, state: State, k: int, price: float) -> None:
    """Give a cluster its best center."""
    count = gather(state, k, -1, -1)
    if count == 0:
        return
    if not problem.uses_means:
        _, medoid = group_cost(problem, state, count, k, state.loads[k], price)
        state.medoids[k] = medoid
        return
    for d in range(problem.coords.shape[1]):
        total = 0.0
        for a in range(count):
            total += problem.coords[state.group[a], d]
        state.means[k, d] = total / count
    state.medoids[k] = state.group[0]


@njit(cache=True, nogil=True)
def shift_medoid(problem: Problem, state: State, k: int, price: float) -> None:
    """Move a medoid to a near member that serves the cluster better."""
    count = gather(state, k, -1, -1)
    while True:
        old = state.medoids[k]
        best = price * excess(problem, k, old, state.loads[k])
        for b in range(count):
            best += distance(problem, old, state.group[b])
        chosen = old
        for c in range(problem.near.shape[1]):
            j = problem.near[old, c]
            if state.labels[j] != k:
                continue
            total = price * excess(problem, k, j, state.loads[k])
            for b in range(count):
                total += distance(problem, j, state.group[b])
                if total >= best:
                    break
            if total < best:
                best, chosen = total, j
        if chosen == old:
            return
        state.medoids[k] = chosen


@njit(cache=True, nogil=True)
def rebuild(problem: Problem, state: State, price: float) -> None:
    """Recompute lists, loads and centers from the labels."""
    state.spare[0] = 0
    for k in range(len(state.head)):
        state.head[k] = -1
        state.counts[k] = 0
        state.loads[k] = 0.0
        state.medoids[k] = -1
    for i in range(len(state.labels)):
        k = state.labels[i]
        state.counts[k] += 1
        state.loads[k] += problem.weights[i]
        state.before[i] = -1
        state.after[i] = state.head[k]
        if state.head[k] >= 0:
            state.before[state.head[k]] = i
        state.head[k] = i
    for k in range(len(state.head)):
        if state.counts[k] == 0:
            state.spare[0] += 1
            state.spare[state.spare[0]] = k
        else:
            recenter(problem, state, k, price)


@njit(cache=True, nogil=True)
def put(problem: Problem, state: State, i: int, to: int) -> None:
    """Move point i to another cluster; centers stay, but for means."""
    k = state.labels[i]
    if state.counts[to] == 0:
        # Not empty any more: the last one of the list takes its place.
        last = state.spare[0]
        for a in range(1, last + 1):
            if state.spare[a] == to:
                state.spare[a] = state.spare[last]
                state.spare[0] -= 1
                break
    left, right = state.before[i], state.after[i]
    if left >= 0:
        state.after[left] = right
    else:
        state.head[k] = right
    if right >= 0:
        state.before[right] = left
    state.before[i] = -1
    state.after[i] = state.head[to]
    if state.head[to] >= 0:
        state.before[state.head[to]] = i
    state.head[to] = i
    state.labels[i] = to
    state.loads[k] -= problem.weights[i]
    state.loads[to] += problem.weights[i]
    state.counts[k] -= 1
    state.counts[to] += 1
    if state.counts[k] == 0:
        state.medoids[k] = -1
        state.spare[0] += 1
        state.spare[state.spare[0]] = k
    if problem.uses_means:
        for d in range(problem.coords.shape[1]):
            x = problem.coords[i, d]
            if state.counts[k] > 0:
                state.means[k, d] += (state.means[k, d] - x) / state.counts[k]
            state.means[to, d] += (x - state.means[to, d]) / state.counts[to]


@njit(cache=True, nogil=True)
def judge(
    problem: Problem, state: State, i: int, j: int, to: int, price: float
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
            count = gather(state, k, -1, -1)
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


@njit(cache=True, nogil=True)
def least_change(
    problem: Problem, state: State, i: int, j: int, to: int, price: float
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


@njit(cache=True, nogil=True)
def settle(
    problem: Problem,
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


@njit(cache=True, nogil=True)
def open_spare(
    problem: Problem, state: State, price: float, rng: np.random.Generator
) -> None:
    """Make one of a few random points the start of an empty cluster."""
    best, chosen = 0.0, -1
    for _ in range(6):
        i = int(rng.random() * len(state.labels))
        k = state.labels[i]
        if state.counts[k] > 1 and state.medoids[k] != i:
            length = reach(problem, state, i, k)
            if length >= best:
                best, chosen = length, i
    if chosen < 0:
        return
    k = state.spare[state.spare[0]]
    own = state.labels[chosen]
    put(problem, state, chosen, k)
    state.medoids[k] = chosen
    for d in range(problem.coords.shape[1]):
        state.means[k, d] = problem.coords[chosen, d]
    # What is nearer to the new center follows.
    for c in range(min(FOLLOWERS, problem.near.shape[1])):
        j = problem.near[chosen, c]
        k_j = state.labels[j]
        if (
            k_j != k
            and state.medoids[k_j] != j
            and state.counts[k_j] > 1
            and judge(problem, state, j, -1, k, price) < 0.0
        ):
            put(problem, state, j, k)
    settle(problem, state, own, price, rng)
    recenter(problem, state, k, price)


@njit(cache=True, nogil=True)
def anneal(
    problem: Problem,
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
        if state.spare[0] > 0:
            open_spare(problem, state, price, rng)
        i = active[int(rng.random() * num_active)]
        j = problem.near[i, int(rng.random() * degree)]
        own, to = state.labels[i], state.labels[j]
        if own == to:
            continue
        draw = rng.random()
        if draw < 0.4:
            j = -1
        elif draw < 0.7:
            j = problem.near[j, int(rng.random() * degree)]
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


@njit(cache=True, nogil=True)
def evaluate(problem: Problem, state: State) -> tuple[float, float]:
    """Return the sum of the distances and the total load over the limits."""
    total, over = 0.0, 0.0
    for k in range(len(state.head)):
        if state.counts[k] > 0:
            over += excess(problem, k, state.medoids[k], state.loads[k])
    for i in range(len(state.labels)):
        total += reach(problem, state, i, state.labels[i])
    return total, over


@njit(cache=True, nogil=True)
def dissolve(
    problem: Problem, state: State, k: int, price: float, flags: np.ndarray
) -> None:
    """Give the members of a cluster to the clusters that take them best."""
    i = state.head[k]
    while i >= 0:
        following = state.after[i]
        best, chosen = np.inf, -1
        for to in range(len(state.head)):
            if to == k or state.counts[to] == 0:
                continue
            cost = reach(problem, state, i, to)
            if cost >= best:
                continue
            load = state.loads[to]
            medoid = state.medoids[to]
            cost += price * (
                excess(problem, to, medoid, load + problem.weights[i])
                - excess(problem, to, medoid, load)
            )
            if cost < best:
                best, chosen = cost, to
        if chosen < 0:  # no other cluster has a member
            return
        put(problem, state, i, chosen)
        flags[chosen] = True
        i = following


@njit(cache=True, nogil=True)
def choose_active(
    problem: Problem,
    state: State,
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
        dissolve(problem, state, k, price, flags)
        if state.spare[0] > 0:
            open_spare(problem, state, price, rng)
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


@njit(cache=True, nogil=True)
def anneal_locally(
    problem: Problem,
    state: State,
    high: float,
    low: float,
    price: float,
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
    for _ in range(num_trials):
        transplants = rng.random() < 0.5
        count = choose_active(
            problem, state, transplants, price, flags, active, rng
        )
        steps = 10
        start = low * (high / low) ** rng.random()
        for step in range(steps):
            temperature = start * (low / start) ** (step / (steps - 1.0))
            anneal(
                problem, state, active, count, temperature, price,
                effort * count // steps + 1, rng,
            )  # fmt: skip
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
