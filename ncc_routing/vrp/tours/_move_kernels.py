"""Compiled moves on a tour: 2-opt, Or-opt, and the kick.

Tours are held as arrays of the nodes ``0..size - 1`` of a dense matrix,
``position`` holds the place of each node, and ``active`` the nodes at whose
edges a gain is looked for. All moves are priced with directed distances, so
that an asymmetric matrix gets true costs; a symmetric one takes the cheaper
formulas.

References
----------
Croes (1958), A method for solving traveling-salesman problems (2-opt).
Or (1976), Traveling salesman-type combinatorial problems (Or-opt).
Martin, Otto and Felten (1991), Large-step Markov chains for the traveling
salesman problem (double-bridge kicks); here the kick swaps two short
neighbouring segments, so that only six nodes are looked at anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.core.compiling import INNER, OUTER

if TYPE_CHECKING:
    import numpy as np

# Numba compiles a function anew for every literal argument it meets, a
# variable that starts as a literal included. Flags and sentinels are
# therefore taken from typed values (``size`` stands for "none").

MAX_SEGMENT = 3
"""Longest segment that Or-opt moves, as Or proposed."""

MAX_KICK_SEGMENT = 30
"""Longest segment that a kick moves: a long one costs more to repair."""


@njit(**INNER)
def reverse(
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


@njit(**OUTER)
def shift(
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
        reverse(tour, position, size, at, count)


@njit(**INNER)
def two_opt_at(
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
    reverse(tour, position, size, best_start, best_count)
    return best


@njit(**INNER)
def or_opt_at(
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
    in both directions. Returns the change of the length, as ``two_opt_at``.
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
    shift(tour, position, size, best_start, best_length, best_gap)
    if best_flip:
        reverse(tour, position, size, position[first], best_length)
    return best


@njit(**INNER)
def kick_tour(
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
    shift(tour, position, size, start, length, gap)
