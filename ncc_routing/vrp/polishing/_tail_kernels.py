"""Compiled moves of tails and segments, of any length.

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
    NUM_FREE,
    Move,
    Problem,
    Routes,
)
from ncc_routing.vrp.polishing._penalty_kernels import (
    change_route,
    has_penalties,
    penalty_of_exchange,
    penalty_of_moving,
)
from ncc_routing.vrp.polishing._route_kernels import (
    keep_best,
    length,
    mark_dirty,
    random_unit,
    set_edge,
)

SEGMENT_SHARE = 0.5
"""Share of the moves that shift a segment; the others exchange tails."""

NUM_NEAR = 20
"""Nearest neighbours, one of which a customer is joined to."""

MAX_SEGMENT = 30.0
"""Customers of a segment at most."""


@njit(**INNER)
def way(p: Problem, s: Routes, i: int, j: int) -> float:
    """Return the distance between two nodes.

    Not merged into its callers, which saves a second of compilation.
    """
    return length(p, s.nodes, i, j)


@njit(**INNER)
def turning_cost(p: Problem, s: Routes, first: int, last: int) -> float:
    """Return by how much the way back from ``last`` to ``first`` is longer."""
    change = 0.0
    if p.is_symmetric:
        return change
    node = first
    while node != last:
        following = s.nodes[node]["next"]
        change += way(p, s, following, node) - s.nodes[node]["to_next"]
        node = following
    return change


@njit(**INNER)
def reverse_path(
    p: Problem, s: Routes, first: int, last: int, route: int
) -> None:
    """Turn the edges between ``first`` and ``last`` round; set the route.

    The two edges that lead into and out of the path are the caller's. Every
    node of the path is marked, as is its old predecessor by the caller.
    """
    node = first
    while True:
        following = s.nodes[node]["next"]
        edge = s.nodes[node]["to_next"]
        s.nodes[node]["next"] = s.nodes[node]["prev"]
        s.nodes[node]["to_next"] = s.nodes[node]["to_prev"]
        s.nodes[node]["prev"] = following
        s.nodes[node]["to_prev"] = edge
        change_route(p, s, node, route)
        mark_dirty(s, node)
        if node == last:
            break
        node = following
    while not p.is_symmetric and node != first:
        following = s.nodes[node]["next"]
        set_edge(s, node, following, way(p, s, node, following))
        node = following


@njit(**INNER)
def relabel_tail(p: Problem, s: Routes, first: int, route: int) -> None:
    """Let the customers from ``first`` on belong to a route."""
    node = first
    while node < p.demands.shape[0]:
        change_route(p, s, node, route)
        node = s.nodes[node]["next"]


@njit(**INNER)
def measure_tail(p: Problem, s: Routes, first: int) -> tuple[int, int]:
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
def set_loads(s: Routes, a: int, b: int, load: int, size: int) -> None:
    """Move load and customers from route ``b`` to ``a``; free an empty one."""
    s.loads[a] += load
    s.loads[b] -= load
    s.routes[a]["size"] += size
    s.routes[b]["size"] -= size
    for route in (a, b):
        if s.routes[route]["size"] == 0:
            s.routes[route]["ruined"] = -1
            s.free[s.counts[NUM_FREE]] = route
            s.counts[NUM_FREE] += 1


@njit(**INNER)
def swap_tails(p: Problem, s: Routes, i: int, j: int, limit: float) -> float:
    """Join ``i`` to ``j`` and what came before ``j`` to what came after ``i``.

    Returns the change of the length, or ``limit`` where nothing changed.
    """
    num_nodes = p.demands.shape[0]
    after = s.nodes[i]["next"]
    before = s.nodes[j]["prev"]
    near = way(p, s, i, j)
    lost = s.nodes[i]["to_next"] + s.nodes[j]["to_prev"]
    if near - lost >= limit:
        return limit
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
def cross_heads(p: Problem, s: Routes, i: int, j: int, limit: float) -> float:
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
    if near - lost >= limit:
        return limit
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
def turn_segment(p: Problem, s: Routes, i: int, j: int, limit: float) -> float:
    """Join ``i`` to ``j`` and the nodes that follow them (2-opt).

    Both lie in one route, a ring with the depot, so that the way from the
    one to the other can be turned whatever their order. Returns the change
    of the length, or ``limit`` where nothing changed.
    """
    after_i = s.nodes[i]["next"]
    after_j = s.nodes[j]["next"]
    if after_i == j or after_j == i:
        return limit
    near = way(p, s, i, j)
    lost = s.nodes[i]["to_next"] + s.nodes[j]["to_next"]
    if near - lost >= limit:
        return limit
    far = way(p, s, after_i, after_j)
    change = near + far - lost
    if change >= limit:
        return limit
    change += turning_cost(p, s, after_i, j)
    if change >= limit:
        return limit
    mark_dirty(s, i)
    reverse_path(p, s, after_i, j, s.route_of[i])
    set_edge(s, i, j, near)
    set_edge(s, after_i, after_j, far)
    return change


@njit(**INNER)
def shift_segment(
    p: Problem, s: Routes, i: int, j: int, limit: float
) -> float:
    """Move a random segment that begins or ends with ``i`` next to ``j``.

    It is turned round where that makes ``i`` and ``j`` neighbours. Returns
    the change of the length, or ``limit`` where nothing changed (Or-opt).
    """
    num_nodes = p.demands.shape[0]
    a = s.route_of[i]
    b = s.route_of[j]
    forward = random_unit(s.rng) < 0.5
    left = int(random_unit(s.rng) * MAX_SEGMENT)
    # The segment goes from i to k, along the route or against it.
    k = i
    load = p.demands[i]
    size = 1
    while left > 0:
        node = s.nodes[k]["next"] if forward else s.nodes[k]["prev"]
        if node >= num_nodes or node == j:
            break
        k = node
        load += p.demands[k]
        size += 1
        left -= 1
    if a != b and s.loads[b] + load > p.capacity:
        return limit
    first = i if forward else k
    last = k if forward else i
    before = s.nodes[first]["prev"]
    after = s.nodes[last]["next"]
    # The other end goes to the successor or the predecessor of j.
    follows = random_unit(s.rng) < 0.5
    other = s.nodes[j]["next"] if follows else s.nodes[j]["prev"]
    edge = s.nodes[j]["to_next"] if follows else s.nodes[j]["to_prev"]
    if other in (i, k):
        return limit
    if a == b:
        # Where the walk ended before j, j may still lie on its other side.
        node = first
        for _ in range(size):
            if node == j:
                return limit
            node = s.nodes[node]["next"]
    lost = s.nodes[first]["to_prev"] + s.nodes[last]["to_next"] + edge
    # The way counts: with a matrix it may differ from the way back.
    near = way(p, s, j, i) if follows else way(p, s, i, j)
    if near - lost >= limit:
        return limit
    if follows:
        far = way(p, s, k, other)
    else:
        far = way(p, s, other, k)
    gap = 0.0 if before == after else way(p, s, before, after)
    change = near + far + gap - lost
    turned = forward != follows
    if turned:
        change += turning_cost(p, s, first, last)
    if has_penalties(p) and a != b:
        change += penalty_of_moving(p, s, first, last, b)
    if change >= limit:
        return limit
    mark_dirty(s, before)
    mark_dirty(s, j)
    mark_dirty(s, other)
    set_edge(s, before, after, gap)
    # After j comes i; before j it is the last one.
    if turned:
        reverse_path(p, s, first, last, b)
        first, last = last, first
    else:
        node = first
        for _ in range(size):
            change_route(p, s, node, b)
            node = s.nodes[node]["next"]
        mark_dirty(s, last)
    if follows:
        set_edge(s, j, first, near)
        set_edge(s, last, other, far)
    else:
        set_edge(s, other, first, far)
        set_edge(s, last, j, near)
    if a != b:
        set_loads(s, b, a, load, size)
    return change


@njit(**INNER)
def move_tails(p: Problem, s: Routes, move: Move, temperature: float) -> None:
    """Try one move that joins a random customer to a near neighbour.

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
    width = min(NUM_NEAR, p.neighbours.shape[1])
    j = p.neighbours[i, int(random_unit(s.rng) * width)]
    route = s.route_of[j]
    if route == slots or i == j:  # a lonely customer is its own neighbour
        return
    limit = -temperature * np.log(1.0 - random_unit(s.rng))
    if random_unit(s.rng) < SEGMENT_SHARE:
        change = shift_segment(p, s, i, j, limit)
    elif route == s.route_of[i]:
        change = turn_segment(p, s, i, j, limit)
    elif random_unit(s.rng) < 0.5:
        change = swap_tails(p, s, i, j, limit)
    else:
        change = cross_heads(p, s, i, j, limit)
    if change < limit:
        s.costs[COST] += change
        if s.costs[COST] < s.costs[BEST_COST] - move.tolerance:
            keep_best(s)
