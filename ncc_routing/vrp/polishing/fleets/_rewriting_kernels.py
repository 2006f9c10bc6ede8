"""Compiled rewriting of routes: written down as paths, judged, installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing._layout import NUM_FREE
from ncc_routing.vrp.polishing._route_kernels import mark_dirty, set_edge
from ncc_routing.vrp.polishing.fleets._path_kernels import path_cost
from ncc_routing.vrp.polishing.fleets._recreate_kernels import empty_route
from ncc_routing.vrp.polishing.fleets._route_kernels import distance, refresh

if TYPE_CHECKING:
    from ncc_routing.vrp.polishing.fleets._layout import (
        RichProblem,
        RichRoutes,
    )


@njit(**INNER)
def append(
    s: RichRoutes,
    path: np.ndarray,
    size: int,
    first: int,
    last: int,
    forward: bool,
) -> int:
    """Append the customers from ``first`` to ``last``; return the new size.

    Nothing is appended where either of them is a depot.
    """
    num_nodes = path.shape[0]
    if first >= num_nodes or last >= num_nodes:
        return size
    node = first
    while True:
        path[size] = node
        size += 1
        if node == last:
            return size
        node = s.nodes[node]["next"] if forward else s.nodes[node]["prev"]


@njit(**INLINED)
def append_segment(
    s: RichRoutes, size: int, first: int, last: int, forward: bool
) -> int:
    """Append a segment to ``other_path``, turned unless ``forward``."""
    if forward:
        return append(s, s.other_path, size, first, last, True)
    return append(s, s.other_path, size, last, first, False)


@njit(**INNER)
def install(
    p: RichProblem, s: RichRoutes, path: np.ndarray, size: int, route: int
) -> None:
    """Let a route visit the customers in ``path[:size]``."""
    depot = p.demands.shape[0] + route
    if (size == 0) != (s.routes[route]["size"] == 0):
        s.counts[NUM_FREE] += 1 if size == 0 else -1
    if size == 0:
        s.routes[route]["ruined"] = -1
    last = depot
    load = 0
    for idx in range(size):
        node = path[idx]
        if s.best_next[last] != node:
            mark_dirty(s, last)
        s.route_of[node] = route
        set_edge(s, last, node, distance(p, route, last, node))
        load += p.demands[node]
        last = node
    if s.best_next[last] != depot:
        mark_dirty(s, last)
    edge = 0.0 if size == 0 else distance(p, route, last, depot)
    set_edge(s, last, depot, edge)
    s.loads[route] = load
    s.routes[route]["size"] = size
    refresh(p, s, route)


@njit(**INNER)
def cheapest_vehicle(
    p: RichProblem,
    s: RichRoutes,
    path: np.ndarray,
    size: int,
    routes: tuple[int, int, int],
) -> tuple[int, float]:
    """Return the route with the vehicle that drives a path at least cost.

    Parameters
    ----------
    p, s
        The problem and the routes.
    path, size
        The path; nobody drives an empty one, which costs nothing.
    routes
        Two routes that may be taken besides an empty one of each type, and
        one that may not.
    """
    slots = s.free.shape[0]
    best = 0.0 if size == 0 else np.inf
    found = slots
    if size == 0:
        return found, best
    num_kinds = p.vehicles.shape[0]
    for idx in range(num_kinds + 2):
        if idx < num_kinds:
            route = empty_route(p, s, idx)
        elif idx == num_kinds:
            route = routes[0]
        else:
            route = routes[1]
        if route == slots or route == routes[2]:
            continue
        cost = path_cost(p, path, size, p.type_of[route])
        if cost <= best and cost < np.inf:
            best = cost
            found = route
    return found, best


@njit(**INNER)
def refit_routes(
    p: RichProblem,
    s: RichRoutes,
    sizes: tuple[int, int],
    routes: tuple[int, int],
    limit: float,
) -> float:
    """Give ``path`` and ``other_path`` the vehicles that suit them best.

    They hold the customers of two routes. Returns the change of the cost,
    or ``limit`` where it is not below that, and nothing changed.
    """
    a, b = routes
    old = s.routes[a]["cost"] + s.routes[b]["cost"]
    slots = s.free.shape[0]
    one, new = cheapest_vehicle(p, s, s.path, sizes[0], (b, a, slots))
    if new - old >= limit:
        return limit
    two, cost = cheapest_vehicle(p, s, s.other_path, sizes[1], (a, b, one))
    new += cost
    if new - old >= limit:
        return limit
    if a != one and a != two:
        install(p, s, s.path, 0, a)
    if b != one and b != two:
        install(p, s, s.path, 0, b)
    if one < slots:
        install(p, s, s.path, sizes[0], one)
    if two < slots:
        install(p, s, s.other_path, sizes[1], two)
    return new - old


@njit(**INNER)
def replace_routes(
    p: RichProblem,
    s: RichRoutes,
    sizes: tuple[int, int],
    routes: tuple[int, int],
    limit: float,
) -> float:
    """Give two routes the customers in ``path`` and ``other_path``.

    Returns the change of the cost, or ``limit`` where it is not below that,
    and nothing changed.
    """
    if p.vehicles.shape[0] > 1:
        return refit_routes(p, s, sizes, routes, limit)
    a, b = routes
    old = s.routes[a]["cost"] + s.routes[b]["cost"]
    new = path_cost(p, s.path, sizes[0], p.type_of[a])
    if new - old >= limit:
        return limit
    new += path_cost(p, s.other_path, sizes[1], p.type_of[b])
    if new - old >= limit:
        return limit
    install(p, s, s.path, sizes[0], a)
    install(p, s, s.other_path, sizes[1], b)
    return new - old
