"""Compiled travelling-salesman tours of small sets of nodes.

Tours are held as arrays of the nodes ``0..size - 1`` of a dense matrix. All
moves are priced with directed distances, so that an asymmetric matrix gets
true costs; a symmetric one is recognised and takes the cheaper formulas.

References
----------
Croes (1958), A method for solving traveling-salesman problems (2-opt).
Or (1976), Traveling salesman-type combinatorial problems (Or-opt).
Bentley (1992), Fast algorithms for geometric traveling salesman problems
(don't-look bits). Martin, Otto and Felten (1991), Large-step Markov chains
for the traveling salesman problem (double-bridge kicks); here the kick swaps
two short neighbouring segments, so that only six nodes are looked at anew.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.problems.distances import Metric, fill_block

# Numba compiles a function anew for every literal argument it meets, a
# variable that starts as a literal included. Flags and sentinels are
# therefore taken from typed values (``size`` stands for "none").

RELATIVE_TOLERANCE = 1e-10
MAX_SEGMENT = 3
MAX_KICK_SEGMENT = 30


@njit(cache=True, nogil=True)
def tour_length(dist: np.ndarray, tour: np.ndarray, size: int) -> float:
    """Return the length of the closed tour ``tour[:size]``."""
    total = dist[tour[size - 1], tour[0]]
    for i in range(size - 1):
        total += dist[tour[i], tour[i + 1]]
    return total


@njit(cache=True, nogil=True)
def nearest_neighbour_tour(
    dist: np.ndarray, size: int, tour: np.ndarray
) -> None:
    """Fill ``tour[:size]``: from node 0 always on to the nearest node left.

    Parameters
    ----------
    dist
        Float64 distances of shape (>= size, >= size).
    size
        Number of nodes.
    tour
        Int array of shape (>= size,). Overwritten.
    """
    for i in range(size):
        tour[i] = i
    for i in range(1, size - 1):
        row = tour[i - 1]
        best = i
        for j in range(i + 1, size):
            if dist[row, tour[j]] < dist[row, tour[best]]:
                best = j
        tour[i], tour[best] = tour[best], tour[i]


@njit(cache=True, nogil=True)
def is_symmetric(dist: np.ndarray, size: int) -> bool:
    """Whether ``dist[:size, :size]`` equals its transpose."""
    for i in range(size):
        for j in range(i):
            if dist[i, j] != dist[j, i]:
                return False
    return True


@njit(cache=True, nogil=True)
def _reverse(
    tour: np.ndarray, position: np.ndarray, size: int, start: int, count: int
) -> None:
    """Reverse the ``count`` nodes from place ``start`` on, cyclically."""
    i = start % size
    j = (start + count - 1) % size
    for _ in range(count // 2):
        tour[i], tour[j] = tour[j], tour[i]
        position[tour[i]] = i
        position[tour[j]] = j
        i = i + 1 if i + 1 < size else 0
        j = j - 1 if j > 0 else size - 1


@njit(cache=True, nogil=True)
def _shift(
    tour: np.ndarray,
    position: np.ndarray,
    size: int,
    start: int,
    length: int,
    gap: int,
) -> None:
    """Move a segment forward past ``gap`` nodes.

    The segment has ``length`` nodes from place ``start`` on. The shorter
    of the two ways round the tour is taken: both give the same cycle.
    """
    back = size - length - gap
    if gap <= back:
        first, second = gap, length
    else:
        start += size - back
        first, second = length, back
    # Reversing the whole stretch, then each of its parts, swaps the parts.
    for step in range(3):
        if step == 0:
            at, count = start, first + second
        elif step == 1:
            at, count = start, first
        else:
            at, count = start + first, second
        _reverse(tour, position, size, at, count)


@njit(cache=True, nogil=True)
def _two_opt_at(
    dist: np.ndarray,
    tour: np.ndarray,
    position: np.ndarray,
    active: np.ndarray,
    size: int,
    node: int,
    symmetric: bool,
    tolerance: float,
) -> float:
    """Apply the best 2-opt move at the two edges of ``node``.

    Returns the change of the length: 0 where no move gains more than the
    tolerance.
    """
    best = -tolerance
    best_start = size
    best_count = size
    for side in range(2):
        tail_at = position[node] - 1 + side
        if tail_at < 0:
            tail_at = size - 1
        at = tail_at + 1 if tail_at + 1 < size else 0
        start = at
        tail = tour[tail_at]
        head = tour[at]
        removed = dist[tail, head]
        turned = 0.0
        last = head
        at = at + 1 if at + 1 < size else 0
        after = tour[at]
        for count in range(2, size):
            before, last = last, after
            at = at + 1 if at + 1 < size else 0
            after = tour[at]
            if not symmetric:
                turned += dist[last, before] - dist[before, last]
            delta = dist[tail, last] + dist[head, after] + turned
            delta -= removed + dist[last, after]
            if delta < best:
                best = delta
                best_start = start
                best_count = count
    if best_start == size:
        return 0.0
    end = (best_start + best_count - 1) % size
    active[tour[best_start - 1]] = True
    active[tour[best_start]] = True
    active[tour[end]] = True
    active[tour[(end + 1) % size]] = True
    if symmetric and 2 * best_count > size:
        best_start = end + 1
        best_count = size - best_count
    _reverse(tour, position, size, best_start, best_count)
    return best


@njit(cache=True, nogil=True)
def _or_opt_at(
    dist: np.ndarray,
    tour: np.ndarray,
    position: np.ndarray,
    active: np.ndarray,
    size: int,
    node: int,
    symmetric: bool,
    tolerance: float,
) -> float:
    """Move the best segment that starts or ends at ``node``.

    Segments of up to ``MAX_SEGMENT`` nodes are tried in every other place,
    in both directions. Returns the change of the length, as ``_two_opt_at``.
    """
    best = -tolerance
    best_start = size
    best_length = size
    best_gap = size
    best_flip = symmetric
    for option in range(2 * MAX_SEGMENT - 1):
        length = (option + 3) // 2 if option > 0 else 1
        if length > size - 2:
            break
        start = position[node]
        if option % 2 == 0 and option > 0:
            start -= length - 1
        if start < 0:
            start += size
        end = (start + length - 1) % size
        at = end + 1 if end + 1 < size else 0
        before = tour[start - 1]
        first = tour[start]
        last = tour[end]
        turned = 0.0
        head = tour[at]
        removed = dist[before, first] + dist[last, head] - dist[before, head]
        if symmetric:
            # Nothing is gained by taking out a segment that is no detour.
            if removed <= tolerance:
                continue
        else:
            for k in range(length - 1):
                a = tour[(start + k) % size]
                b = tour[(start + k + 1) % size]
                turned += dist[b, a] - dist[a, b]
        for gap in range(1, size - length):
            tail = head
            at = at + 1 if at + 1 < size else 0
            head = tour[at]
            base = dist[tail, head] + removed
            delta = dist[tail, first] + dist[last, head] - base
            turned_delta = dist[tail, last] + dist[first, head] - base
            turned_delta += turned
            if delta < best or turned_delta < best:
                best = min(delta, turned_delta)
                best_flip = turned_delta < delta
                best_start = start
                best_length = length
                best_gap = gap
    if best_start == size:
        return 0.0
    end = (best_start + best_length - 1) % size
    active[tour[best_start - 1]] = True
    active[tour[best_start]] = True
    active[tour[end]] = True
    active[tour[(end + 1) % size]] = True
    active[tour[(end + best_gap) % size]] = True
    active[tour[(end + best_gap + 1) % size]] = True
    first = tour[best_start]
    _shift(tour, position, size, best_start, best_length, best_gap)
    if best_flip:
        _reverse(tour, position, size, position[first], best_length)
    return best


@njit(cache=True, nogil=True)
def descend(
    dist: np.ndarray,
    tour: np.ndarray,
    position: np.ndarray,
    active: np.ndarray,
    size: int,
    symmetric: bool,
    tolerance: float,
) -> None:
    """Apply moves at active nodes until none gains; no node stays active."""
    at = 0
    idle = 0
    while idle < size:
        node = tour[at]
        if active[node]:
            idle = 0
            delta = _two_opt_at(
                dist,
                tour,
                position,
                active,
                size,
                node,
                symmetric,
                tolerance,
            )
            delta += _or_opt_at(
                dist,
                tour,
                position,
                active,
                size,
                node,
                symmetric,
                tolerance,
            )
            if delta < 0.0:
                continue
            active[node] = False
        idle += 1
        at = at + 1 if at + 1 < size else 0


@njit(cache=True, nogil=True)
def _kick(
    tour: np.ndarray,
    position: np.ndarray,
    active: np.ndarray,
    size: int,
    rng: np.random.Generator,
) -> None:
    """Swap two random neighbouring segments and wake their six ends."""
    limit = min(MAX_KICK_SEGMENT, (size - 2) // 2)
    start = int(rng.random() * size)
    length = 1 + int(rng.random() * limit)
    gap = 1 + int(rng.random() * limit)
    for offset in (-1, 0, length - 1, length, length + gap - 1, length + gap):
        active[tour[(start + offset) % size]] = True
    _shift(tour, position, size, start, length, gap)


@njit(cache=True, nogil=True)
def optimize_tour(
    dist: np.ndarray,
    tour: np.ndarray,
    size: int,
    num_kicks: int,
    rng: np.random.Generator,
) -> float:
    """Improve a closed tour by 2-opt and Or-opt, then by kicks and repair.

    Symmetric and asymmetric matrices are both priced exactly.

    Parameters
    ----------
    dist
        Float64 distances of shape (>= size, >= size), finite and >= 0.
    tour
        Int array of shape (>= size,): a permutation of 0..size - 1, the
        start. Modified in place; node 0 can end up anywhere in it.
    size
        Number of nodes, the depot included.
    num_kicks
        Number of kicks after the first local optimum. 0 draws nothing from
        the generator.
    rng
        Source of the kicks.

    Returns
    -------
    float
        Length of the tour, added up anew.
    """
    # Of this length exactly: the moves reach back by index -1.
    tour = tour[:size]
    length = tour_length(dist, tour, size)
    if size < 3:
        return length
    symmetric = is_symmetric(dist, size)
    # Far above the rounding errors of a move, far below any real gain.
    tolerance = RELATIVE_TOLERANCE * length
    position = np.empty(size, dtype=np.int64)
    active = np.empty(size, dtype=np.bool_)
    kept = np.empty(size, dtype=np.int64)
    for i in range(size):
        kept[i] = tour[i]
        position[tour[i]] = i
        active[i] = True
    if size < 5:
        num_kicks = 0
    for kick in range(num_kicks + 1):
        if kick > 0:
            _kick(tour, position, active, size, rng)
        descend(dist, tour, position, active, size, symmetric, tolerance)
        found = tour_length(dist, tour, size)
        if found <= length:
            length = found
            for i in range(size):
                kept[i] = tour[i]
        else:
            for i in range(size):
                tour[i] = kept[i]
                position[kept[i]] = i
    return length


@njit(cache=True, nogil=True)
def route_members(
    metric: Metric,
    members: np.ndarray,
    offsets: np.ndarray,
    kicks_per_node: int,
    rng: np.random.Generator,
    costs: np.ndarray,
) -> None:
    """Put the customers of every cluster in the order of a good route.

    Parameters
    ----------
    metric
        Distances of the instance.
    members
        Int array of customers: cluster c holds
        ``members[offsets[c]:offsets[c + 1]]``. Reordered in place: each
        part becomes the order of the visit, depot -> part -> depot.
    offsets
        Int array of shape (num_clusters + 1,).
    kicks_per_node
        A cluster of m nodes, the depot counted, gets m kicks for each of
        its nodes, but at most this number for each; see ``optimize_tour``.
    rng
        Source of the kicks.
    costs
        Float64 array of shape (num_clusters,). Overwritten by the lengths
        of the routes; 0 for an empty cluster.
    """
    num_clusters = len(offsets) - 1
    largest = 0
    for c in range(num_clusters):
        largest = max(largest, offsets[c + 1] - offsets[c])
    dist = np.empty((largest + 1, largest + 1))
    nodes = np.zeros(largest + 1, dtype=np.int64)
    tour = np.empty(largest + 1, dtype=np.int64)
    for c in range(num_clusters):
        low = offsets[c]
        size = offsets[c + 1] - low + 1
        costs[c] = 0.0
        if size < 2:
            continue
        for i in range(1, size):
            nodes[i] = members[low + i - 1]
        fill_block(metric, nodes, size, dist)
        nearest_neighbour_tour(dist, size, tour)
        num_kicks = size * min(size, kicks_per_node)
        costs[c] = optimize_tour(dist, tour, size, num_kicks, rng)
        depot_at = 0
        while tour[depot_at] != 0:
            depot_at += 1
        for i in range(1, size):
            members[low + i - 1] = nodes[tour[(depot_at + i) % size]]
