"""Compiled moves of tails, and the choice among them and those of segments.

Strings of a few customers cannot exchange the ends of long routes. A move is
judged before anything changes, at the temperature of the annealing, so that
nothing has to be undone; only the few that are accepted walk along routes.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INNER
from ncc_routing.vrp.polishing._layout import (
    BEST_COST,
    COST,
    KernelParams,
    Routes,
    RoutingProblem,
)
from ncc_routing.vrp.polishing._penalty_kernels import (
    change_route,
    has_penalties,
    penalty_of_exchange,
)
from ncc_routing.vrp.polishing._route_kernels import (
    keep_best,
    mark_dirty,
    near_length,
    random_unit,
    set_edge,
)
from ncc_routing.vrp.polishing._segment_kernels import (
    reverse_path,
    set_loads,
    shift_segment,
    turn_segment,
    turning_cost,
    way,
)

SEGMENT_SHARE = 0.5
"""Share of the attempts to shift a segment; the others exchange tails."""

NUM_NEAR = 20
"""Nearest neighbours that a customer may be joined to."""


@njit(**INNER)
def relabel_tail(p: RoutingProblem, s: Routes, first: int, route: int) -> None:
    """Let the customers from ``first`` on belong to a route."""
    node = first
    while node < p.demands.shape[0]:
        change_route(p, s, node, route)
        node = s.nodes[node]["next"]


@njit(**INNER)
def measure_tail(p: RoutingProblem, s: Routes, first: int) -> tuple[int, int]:
    """Return load and number of the customers from ``first`` on."""
    num_nodes = p.demands.shape[0]
    load = 0
    size = 0
    node = first
    while node < num_nodes:
        load += p.demands[node]
        size += 1
        node = s.nodes[node]["next"]
    return load, size


@njit(**INNER)
def swap_tails(
    p: RoutingProblem, s: Routes, i: int, j: int, limit: float
) -> float:
    """Join ``i`` to ``j`` and what came before ``j`` to what came after ``i``.

    Returns the change of the length, or ``limit`` where nothing changed.
    """
    num_nodes = p.demands.shape[0]
    after = s.nodes[i]["next"]
    before = s.nodes[j]["prev"]
    near = way(p, s, i, j)
    lost = s.nodes[i]["to_next"] + s.nodes[j]["to_prev"]
    far = way(p, s, before, after)
    change = near + far - lost
    if change >= limit:
        return limit
    a = s.route_of[i]
    b = s.route_of[j]
    load_out, size_out = measure_tail(p, s, after)
    load_in, size_in = measure_tail(p, s, j)
    more = load_in - load_out
    if s.loads[a] + more > p.capacity or s.loads[b] - more > p.capacity:
        return limit
    depot_a = num_nodes + a
    depot_b = num_nodes + b
    if has_penalties(p):
        change += penalty_of_exchange(p, s, after, depot_a, j, depot_b)
        if change >= limit:
            return limit
    last_a = s.nodes[depot_a]["prev"]
    last_b = s.nodes[depot_b]["prev"]
    home_a = s.nodes[depot_a]["to_prev"]
    home_b = s.nodes[depot_b]["to_prev"]
    relabel_tail(p, s, j, a)
    relabel_tail(p, s, after, b)
    mark_dirty(s, i)
    mark_dirty(s, before)
    mark_dirty(s, last_b)
    set_edge(s, i, j, near)
    set_edge(s, last_b, depot_a, home_b)
    if after == depot_a:
        # Nothing follows i: the other route ends where j was.
        set_edge(s, before, depot_b, far)
    else:
        mark_dirty(s, last_a)
        set_edge(s, before, after, far)
        set_edge(s, last_a, depot_b, home_a)
    set_loads(s, a, b, more, size_in - size_out)
    return change


@njit(**INNER)
def cross_heads(
    p: RoutingProblem, s: Routes, i: int, j: int, limit: float
) -> float:
    """Join ``i`` to ``j`` and what follows ``i`` to what follows ``j``.

    The way from the depot to ``j`` is turned round, and so is the way that
    followed ``i``. Returns the change of the length, or ``limit`` where
    nothing changed.
    """
    num_nodes = p.demands.shape[0]
    after_i = s.nodes[i]["next"]
    after_j = s.nodes[j]["next"]
    near = way(p, s, i, j)
    lost = s.nodes[i]["to_next"] + s.nodes[j]["to_next"]
    far = way(p, s, after_i, after_j)
    change = near + far - lost
    if change >= limit:
        return limit
    a = s.route_of[i]
    b = s.route_of[j]
    load_out, size_out = measure_tail(p, s, after_i)
    load_left, size_left = measure_tail(p, s, after_j)
    load_in = s.loads[b] - load_left
    size_in = s.routes[b]["size"] - size_left
    more = load_in - load_out
    if s.loads[a] + more > p.capacity or s.loads[b] - more > p.capacity:
        return limit
    depot_a = num_nodes + a
    depot_b = num_nodes + b
    change += turning_cost(p, s, after_i, depot_a)
    change += turning_cost(p, s, depot_b, j)
    if has_penalties(p):
        change += penalty_of_exchange(p, s, after_i, depot_a, depot_b, j)
    if change >= limit:
        return limit
    last_a = s.nodes[depot_a]["prev"]
    home_a = s.nodes[depot_a]["to_prev"]
    first_b = s.nodes[depot_b]["next"]
    out_b = s.nodes[depot_b]["to_next"]
    if not p.is_symmetric:
        home_a = way(p, s, depot_b, last_a)
        out_b = way(p, s, first_b, depot_a)
    mark_dirty(s, i)
    mark_dirty(s, depot_b)
    reverse_path(p, s, first_b, j, a)
    if after_i == depot_a:
        # Nothing follows i: the other route begins behind j.
        set_edge(s, depot_b, after_j, far)
    else:
        reverse_path(p, s, after_i, last_a, b)
        set_edge(s, depot_b, last_a, home_a)
        set_edge(s, after_i, after_j, far)
    set_edge(s, i, j, near)
    set_edge(s, first_b, depot_a, out_b)
    set_loads(s, a, b, more, size_in - size_out)
    return change


@njit(**INNER)
def move_tails(
    p: RoutingProblem, s: Routes, move: KernelParams, temperature: float
) -> None:
    """Try to join a random customer to its near neighbours, until one fits.

    The new edge has to be shorter than the one that it replaces, but for
    what the temperature allows: of every exchange that passes, one of the
    edges is. The neighbours come nearest first, so that the first one that is
    too far ends the attempt.

    Parameters
    ----------
    p
        The problem.
    s
        The routes. Modified in place.
    move
        Its tolerance counts for the best solution.
    temperature
        Temperature of the annealing, in units of cost.
    """
    slots = s.free.shape[0]
    i = s.members[int(random_unit(s.rng) * s.members.shape[0])]
    limit = -temperature * np.log(1.0 - random_unit(s.rng))
    kind = random_unit(s.rng)
    forward = kind < 0.5 * SEGMENT_SHARE
    edge = s.nodes[i]["to_prev"] if forward else s.nodes[i]["to_next"]
    for idx in range(min(NUM_NEAR, p.neighbours.shape[1])):
        j = p.neighbours[i, idx]
        if near_length(p, s, i, j, p.near[i, idx]) - edge >= limit:
            break
        route = s.route_of[j]
        if route == slots or i == j:  # a lonely customer is its own neighbour
            continue
        if kind < SEGMENT_SHARE:
            change = shift_segment(p, s, i, j, forward, limit)
        elif route == s.route_of[i]:
            change = turn_segment(p, s, i, j, limit)
        elif kind < 0.5 * (1.0 + SEGMENT_SHARE):
            change = swap_tails(p, s, i, j, limit)
        else:
            change = cross_heads(p, s, i, j, limit)
        if change < limit:
            s.costs[COST] += change
            if s.costs[COST] < s.costs[BEST_COST] - move.tolerance:
                keep_best(s)
            break
