"""Compiled routes held as linked lists: edges, loading and reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit
from numba.extending import overload

from ncc_routing.core.compiling import INLINED, OUTER
from ncc_routing.problems.rounding import CEILED, FLOORED
from ncc_routing.vrp.polishing._layout import (
    BEST_COST,
    COST,
    NUM_DIRTY,
    NUM_FREE,
    Routes,
    RoutingProblem,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_UNIT = 1.0 / (1 << 53)
"""Distance between two neighbouring random numbers in [0, 1)."""

_FULL = np.int64(1) << 62
"""A load above every capacity."""


@njit(**INLINED)
def random_unit(rng: np.ndarray) -> float:
    """Return a number in [0, 1) by xorshift64*.

    Several times as fast as a call into ``numpy.random.Generator``.

    Parameters
    ----------
    rng
        Uint64 array of shape (1,), not 0. Modified in place.

    References
    ----------
    S. Vigna (2016). An experimental exploration of Marsaglia's xorshift
    generators, scrambled. ACM Transactions on Mathematical Software 42(4).
    """
    bits = rng[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    rng[0] = bits
    bits *= np.uint64(2685821657736338717)
    return np.float64(np.int64(bits >> np.uint64(11))) * _UNIT


@njit(**INLINED)
def length(p: RoutingProblem, nodes: np.ndarray, i: int, j: int) -> float:
    """Return the distance between two nodes, depots of routes included."""
    num_nodes = p.matrix.shape[0]
    if num_nodes > 0:
        return p.matrix[i if i < num_nodes else 0, j if j < num_nodes else 0]
    dx = nodes[i]["x"] - nodes[j]["x"]
    dy = nodes[i]["y"] - nodes[j]["y"]
    euclidean = np.sqrt(dx * dx + dy * dy)
    if p.rounding == FLOORED:
        return np.floor(p.scale * euclidean + p.shift)
    if p.rounding == CEILED:
        return np.ceil(euclidean)
    return euclidean


@njit(**INLINED)
def near_length(
    p: RoutingProblem, s: Routes, i: int, j: int, near: float
) -> float:
    """Return the distance between two nodes, known as ``near`` or -inf."""
    return near if near >= 0.0 else length(p, s.nodes, i, j)


@njit(**INLINED)
def set_edge(s: Routes, i: int, j: int, edge: float) -> None:
    """Let ``j`` follow ``i`` at the distance ``edge``."""
    s.nodes[i]["next"] = j
    s.nodes[j]["prev"] = i
    s.nodes[i]["to_next"] = edge
    s.nodes[j]["to_prev"] = edge


def edge_length(p: Any, s: Any, i: int, j: int) -> float:
    """Return the distance from ``i`` to the next node of its route.

    Compiled code takes the form for the type of problem that it works on,
    so that all of them share the ruin.
    """
    raise NotImplementedError


@overload(edge_length, jit_options=INLINED, strict=False)
def _edge_length(
    p: Any, s: Any, i: Any, j: Any
) -> Callable[..., float] | None:
    """Measure an edge of the plain problem."""
    if getattr(p, "instance_class", None) is not RoutingProblem:
        return None
    return lambda p, s, i, j: length(p, s.nodes, i, j)


@njit(**INLINED)
def link(p: RoutingProblem, s: Routes, i: int, j: int) -> float:
    """Let ``j`` follow ``i``; return the length of the edge."""
    # The ring of an empty route must cost nothing in any metric.
    edge = 0.0 if i == j else edge_length(p, s, i, j)
    set_edge(s, i, j, edge)
    return edge


@njit(**INLINED)
def mark_dirty(s: Routes, node: int) -> None:
    """Remember that the successor of ``node`` may have changed."""
    if s.is_dirty[node] == 0:
        s.is_dirty[node] = 1
        s.dirty[s.counts[NUM_DIRTY]] = node
        s.counts[NUM_DIRTY] += 1


@njit(**INLINED)
def keep_best(s: Routes) -> None:
    """Copy the changed successors into the best solution."""
    for idx in range(s.counts[NUM_DIRTY]):
        node = s.dirty[idx]
        s.best_next[node] = s.nodes[node]["next"]
        s.is_dirty[node] = 0
    s.counts[NUM_DIRTY] = 0
    s.costs[BEST_COST] = s.costs[COST]


@njit(**OUTER)
def load_routes(p: RoutingProblem, s: Routes, starts: np.ndarray) -> None:
    """Set the current and the best solution.

    Parameters
    ----------
    p
        The problem.
    s
        The state, with coordinates in ``nodes``, and in ``members`` the
        routes, one after another. Modified in place.
    starts
        Int64 array of shape (number of routes + 1,): where each begins.
    """
    num_nodes = p.demands.shape[0]
    slots = s.free.shape[0]
    num_routes = starts.shape[0] - 1
    for node in range(num_nodes):
        s.route_of[node] = slots
    s.loads[slots] = _FULL
    cost = 0.0
    for r in range(slots):
        depot = num_nodes + r
        last = depot
        load = 0
        size = 0
        s.route_of[depot] = r
        if r < num_routes:
            for idx in range(starts[r], starts[r + 1]):
                node = s.members[idx]
                cost += link(p, s, last, node)
                s.route_of[node] = r
                load += p.demands[node]
                size += 1
                last = node
        cost += link(p, s, last, depot)
        s.loads[r] = load
        s.routes[r]["size"] = size
        s.routes[r]["ruined"] = -1
    s.counts[NUM_FREE] = slots - num_routes
    for idx in range(slots - num_routes):
        s.free[idx] = slots - 1 - idx
    for node in range(num_nodes + slots):
        s.best_next[node] = s.nodes[node]["next"]
        s.is_dirty[node] = 0
    s.counts[NUM_DIRTY] = 0
    s.costs[COST] = cost
    s.costs[BEST_COST] = cost


@njit(**OUTER)
def read_routes(
    followers: np.ndarray,
    num_nodes: int,
    nodes: np.ndarray,
    starts: np.ndarray,
) -> int:
    """Write the routes one after another; return their number.

    Parameters
    ----------
    followers
        Uint32 array: the node that follows each node.
    num_nodes
        Number of customers + 1; the nodes from there on are depots.
    nodes
        Uint32 array of shape (customers on the routes,). Filled in place.
    starts
        Int64 array of shape (slots + 1,): where each route begins. Filled
        in place.
    """
    num_routes = 0
    end = 0
    for depot in range(num_nodes, followers.shape[0]):
        node = followers[depot]
        if node >= num_nodes:
            continue
        while node < num_nodes:
            nodes[end] = node
            end += 1
            node = followers[node]
        num_routes += 1
        starts[num_routes] = end
    return num_routes
