"""Compiled routes of a child: edges, loads, and how they are measured."""

from __future__ import annotations

from numba import njit

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing.genetic._layout import (
    NUM_MOVES,
    GeneticProblem,
    LinkedRoutes,
)


@njit(**INLINED)
def way(w: GeneticProblem, s: LinkedRoutes, i: int, j: int) -> float:
    """Return the distance between two nodes, depots of routes included."""
    return w.matrix[s.nodes[i]["place"], s.nodes[j]["place"]]


@njit(**INLINED)
def join(w: GeneticProblem, s: LinkedRoutes, i: int, j: int) -> None:
    """Let ``j`` follow ``i``."""
    edge = way(w, s, i, j)
    s.nodes[i]["next"] = j
    s.nodes[j]["prev"] = i
    s.nodes[i]["to_next"] = edge
    s.nodes[j]["to_prev"] = edge


@njit(**INLINED)
def overload(w: GeneticProblem, load: int) -> int:
    """Return the load above the capacity."""
    return max(0, load - w.capacity)


@njit(**INNER)
def renew_route(w: GeneticProblem, s: LinkedRoutes, route: int) -> None:
    """Count a changed route anew from the depot on."""
    depot = w.demands.shape[0] + route
    load = 0
    position = 0
    node = s.nodes[depot]["next"]
    while node != depot:
        load += s.nodes[node]["demand"]
        position += 1
        s.nodes[node]["load"] = load
        s.nodes[node]["position"] = position
        s.nodes[node]["route"] = route
        node = s.nodes[node]["next"]
    s.routes[route]["load"] = load
    s.routes[route]["size"] = position
    s.routes[route]["changed"] = s.counts[NUM_MOVES]


@njit(**INNER)
def lay_route(
    w: GeneticProblem, s: LinkedRoutes, route: int, begin: int, end: int
) -> None:
    """Let a route visit the customers at some positions of ``path``."""
    depot = w.demands.shape[0] + route
    last = depot
    for idx in range(begin, end):
        join(w, s, last, s.path[idx])
        last = s.path[idx]
    join(w, s, last, depot)
    renew_route(w, s, route)


@njit(**INNER)
def shift_node(
    w: GeneticProblem, s: LinkedRoutes, node: int, after: int
) -> None:
    """Move a node behind another; loads and positions are not renewed."""
    join(w, s, s.nodes[node]["prev"], s.nodes[node]["next"])
    following = s.nodes[after]["next"]
    join(w, s, after, node)
    join(w, s, node, following)


@njit(**INNER)
def find_empty(s: LinkedRoutes) -> int:
    """Return an empty route, or their number where there is none."""
    for route in range(s.routes.shape[0]):
        if s.routes[route]["size"] == 0:
            return route
    return s.routes.shape[0]


@njit(**INNER)
def measure(w: GeneticProblem, s: LinkedRoutes) -> tuple[float, int]:
    """Return the length of all routes, and their load above the capacity."""
    total = 0.0
    excess = 0
    for node in range(1, s.nodes.shape[0]):
        total += s.nodes[node]["to_next"]
    for route in range(s.routes.shape[0]):
        excess += overload(w, s.routes[route]["load"])
    return total, excess
