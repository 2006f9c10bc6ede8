"""Compiled ruin: strings of customers leave neighbouring routes."""

from __future__ import annotations

from numba import njit

from ncc_routing.core.compiling import INLINED
from ncc_routing.vrp.polishing._layout import (
    COST,
    NUM_FREE,
    NUM_ITERATIONS,
    NUM_REMOVED,
    NUM_STRINGS,
    KernelParams,
    Routes,
    RoutingProblem,
)
from ncc_routing.vrp.polishing._penalty_kernels import count_mate, penalty
from ncc_routing.vrp.polishing._route_kernels import link, random_unit


@njit(**INLINED)
def remove_string(
    p: RoutingProblem, s: Routes, first: int, num_customers: int
) -> None:
    """Cut ``num_customers`` customers from ``first`` on out of their route."""
    start = s.counts[NUM_REMOVED]
    before = s.nodes[first]["prev"]
    route = s.route_of[first]
    slots = s.free.shape[0]
    lost = s.nodes[first]["to_prev"]
    load = 0
    node = first
    for idx in range(start, start + num_customers):
        s.removed[idx]["customer"] = node
        s.removed[idx]["to_prev"] = s.nodes[node]["to_prev"]
        s.removed[idx]["to_next"] = s.nodes[node]["to_next"]
        count_mate(p, s, node, route, -1)
        lost += s.nodes[node]["to_next"] + penalty(p, s, node, route)
        load += p.demands[node]
        s.route_of[node] = slots
        node = s.nodes[node]["next"]
    string = s.strings[s.counts[NUM_STRINGS]]
    string["first"] = start
    string["end"] = start + num_customers
    string["before"] = before
    string["after"] = node
    s.loads[route] -= load
    s.routes[route]["size"] -= num_customers
    s.costs[COST] += link(p, s, before, node) - lost
    s.counts[NUM_STRINGS] += 1
    s.counts[NUM_REMOVED] = start + num_customers


@njit(**INLINED)
def window_start(s: Routes, centre: int, span: int, num_nodes: int) -> int:
    """Return where a random window of ``span`` customers begins.

    The window lies inside the route and holds ``centre``.
    """
    ahead = 0
    node = s.nodes[centre]["next"]
    while ahead < span - 1 and node < num_nodes:
        node = s.nodes[node]["next"]
        ahead += 1
    behind = 0
    first = centre
    while behind < span - 1 and s.nodes[first]["prev"] < num_nodes:
        first = s.nodes[first]["prev"]
        behind += 1
    num_windows = ahead + behind - span + 2
    for _ in range(int(random_unit(s.rng) * num_windows)):
        first = s.nodes[first]["next"]
    return first


@njit(**INLINED)
def ruin_route(
    p: RoutingProblem, s: Routes, centre: int, max_length: float, split: float
) -> None:
    """Remove a random string that holds ``centre`` from its route.

    With probability ``split`` some customers inside the string stay.
    """
    size = s.routes[s.route_of[centre]]["size"]
    num_out = int(1.0 + random_unit(s.rng) * min(float(size), max_length))
    num_kept = 0
    if 1 < num_out < size and random_unit(s.rng) < split:
        num_kept = 1
        while num_out + num_kept < size and random_unit(s.rng) < 0.01:
            num_kept += 1
    first = window_start(s, centre, num_out + num_kept, p.demands.shape[0])
    num_head = num_out
    if num_kept > 0:
        num_head = 1 + int(random_unit(s.rng) * (num_out - 1))
    node = first
    for _ in range(num_head + num_kept):
        node = s.nodes[node]["next"]
    remove_string(p, s, first, num_head)
    if num_kept > 0:
        remove_string(p, s, node, num_out - num_head)


@njit(**INLINED)
def ruin(p: RoutingProblem, s: Routes, move: KernelParams) -> None:
    """Remove strings from neighbouring routes around a random customer."""
    num_customers = s.members.shape[0]
    slots = s.free.shape[0]
    iteration = s.counts[NUM_ITERATIONS]
    num_routes = slots - s.counts[NUM_FREE]
    max_length = min(move.max_string, num_customers / num_routes)
    max_strings = 4.0 * move.mean_removed / (1.0 + max_length) - 1.0
    left = int(1.0 + random_unit(s.rng) * max_strings)
    seed = s.members[int(random_unit(s.rng) * num_customers)]
    centre = seed
    # Step -1 is the seed itself, then come its neighbours.
    for step in range(-1, p.neighbours.shape[1]):
        if step >= 0:
            centre = p.neighbours[seed, step]
        route = s.route_of[centre]
        if route < slots and s.routes[route]["ruined"] != iteration:
            ruin_route(p, s, centre, max_length, move.split)
            s.routes[route]["ruined"] = iteration
            left -= 1
            if left <= 0:
                break
