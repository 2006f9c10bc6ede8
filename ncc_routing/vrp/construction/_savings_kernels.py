"""Compiled savings: links between customers, and routes joined by them."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import ALLOCATING, INNER, OUTER
from ncc_routing.problems.distances import Metric, distance


@njit(**OUTER)
def list_pairs(
    order: np.ndarray,
    neighbours: np.ndarray,
    pairs: np.ndarray,
) -> int:
    """List each pair of a customer and a neighbour of it once.

    Parameters
    ----------
    order
        Int64 array of shape (n,): all customers. Near ones after one
        another keep the rows of their neighbours in the cache.
    neighbours
        Int32 array of shape (n + 1, k), see ``graph.KnnGraph``.
    pairs
        Int32 array of shape (2, n * k), overwritten.

    Returns
    -------
    int
        Number of pairs.
    """
    degree = neighbours.shape[1]
    count = 0
    for i in order:
        for a in range(degree):
            j = neighbours[i, a]
            # Two that are neighbours of each other: from the smaller one.
            is_known = False
            if j < i:
                for b in range(degree):
                    is_known |= neighbours[j, b] == i
            if not is_known:
                pairs[0, count] = i
                pairs[1, count] = j
                count += 1
    return count


@njit(**OUTER)
def fill_savings(
    metric: Metric,
    tails: np.ndarray,
    heads: np.ndarray,
    shape: float,
    savings: np.ndarray,
) -> None:
    """Set ``savings[a]`` to what the link tails[a] -> heads[a] saves.

    Parameters
    ----------
    metric
        Distances of the instance.
    tails, heads
        Customers, int32 arrays of one length.
    shape
        Weight of the length of the link.
    savings
        Float64 array of that length. Modified in place.
    """
    for a in range(len(tails)):
        i, j = tails[a], heads[a]
        savings[a] = (
            distance(metric, i, 0)
            + distance(metric, 0, j)
            - shape * distance(metric, i, j)
        )


@njit(**INNER)
def find(parent: np.ndarray, i: int) -> int:
    """Return the root of i and halve the path to it (union-find)."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@njit(**OUTER)
def merge_routes(
    tails: np.ndarray,
    heads: np.ndarray,
    symmetric: bool,
    capacity: int,
    links: np.ndarray,
    parent: np.ndarray,
    loads: np.ndarray,
) -> None:
    """Join routes at their ends, link by link, where the load allows it.

    Parameters
    ----------
    tails, heads
        Links in the order in which they are tried, int32 arrays.
    symmetric
        Whether a route may be turned around. If not, a link joins the last
        customer of one route to the first customer of the other.
    capacity
        Capacity of a vehicle.
    links
        Int64 array of shape (n + 1, 2), the two neighbours of each customer
        in its route, 0 for the depot: predecessor and successor where
        routes must not be turned around, in any order where they may.
        Modified in place.
    parent, loads
        Int64 arrays of shape (n + 1,): the route of each customer as a
        union-find forest, and the load of the route at its root. Modified
        in place.
    """
    for a in range(len(tails)):
        i, j = tails[a], heads[a]
        # Column of a free end: the successor of i, the predecessor of j.
        # Where routes may be turned around, either column will do.
        out, into = 1, 0
        if symmetric:
            out = 0 if links[i, 0] == 0 else 1
            into = 0 if links[j, 0] == 0 else 1
        if links[i, out] != 0 or links[j, into] != 0:
            continue
        root_i, root_j = find(parent, i), find(parent, j)
        if root_i == root_j or loads[root_i] + loads[root_j] > capacity:
            continue
        links[i, out] = j
        links[j, into] = i
        parent[root_j] = root_i
        loads[root_i] += loads[root_j]


@njit(**ALLOCATING)
def walk_routes(
    links: np.ndarray, symmetric: bool, visits: np.ndarray
) -> None:
    """Write all routes to ``visits``, a 0 after each.

    Parameters
    ----------
    links
        See ``merge_routes``.
    symmetric
        Whether the columns of ``links`` come in any order.
    visits
        Int64 array of zeros of shape (2n,). Modified in place.
    """
    n = len(links) - 1
    seen = np.zeros(n + 1, dtype=np.bool_)
    position = 0
    for first in range(1, n + 1):
        is_end = links[first, 0] == 0 or (symmetric and links[first, 1] == 0)
        if seen[first] or not is_end:
            continue
        last, i = 0, first
        while i != 0:
            seen[i] = True
            visits[position] = i
            position += 1
            following = links[i, 1]
            # At the first customer last is 0, and so is its free column.
            if symmetric and following == last:
                following = links[i, 0]
            last, i = i, following
        position += 1
