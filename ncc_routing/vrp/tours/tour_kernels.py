"""Compiled travelling-salesman tours of small sets of nodes.

Tours are held as arrays of the nodes ``0..size - 1`` of a dense matrix, which
may be asymmetric; see ``_move_kernels`` for the moves.

References
----------
Bentley (1992), Fast algorithms for geometric traveling salesman problems
(don't-look bits).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import ALLOCATING, INNER, OUTER
from ncc_routing.problems.distances import Metric, fill_block
from ncc_routing.vrp.tours._move_kernels import (
    kick_tour,
    or_opt_at,
    two_opt_at,
)

RELATIVE_TOLERANCE = 1e-10
"""Least gain of a move, as a share of the length of the first tour: far above
the rounding errors of a move, far below any real gain."""


@njit(**INNER)
def tour_length(dist: np.ndarray, tour: np.ndarray, size: int) -> float:
    """Return the length of the closed tour ``tour[:size]``."""
    total = dist[tour[size - 1], tour[0]]
    for i in range(size - 1):
        total += dist[tour[i], tour[i + 1]]
    return total


@njit(**OUTER)
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


@njit(**INNER)
def is_symmetric(dist: np.ndarray, size: int) -> bool:
    """Whether ``dist[:size, :size]`` equals its transpose."""
    for i in range(size):
        for j in range(i):
            if dist[i, j] != dist[j, i]:
                return False
    return True


@njit(**INNER)
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
            delta = two_opt_at(
                dist,
                tour,
                position,
                active,
                size,
                node,
                symmetric,
                tolerance,
            )
            delta += or_opt_at(
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


@njit(**ALLOCATING)
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
            kick_tour(tour, position, active, size, rng)
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


@njit(**ALLOCATING)
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
