"""Compiled moves of segments: turned in their route, or shifted.

A move is judged before anything changes, at the temperature of the annealing,
so that nothing has to be undone.
"""

from __future__ import annotations

from numba import njit

from ncc_routing.core.compiling import INNER
from ncc_routing.vrp.polishing._layout import NUM_FREE, Routes, RoutingProblem
from ncc_routing.vrp.polishing._penalty_kernels import (
    change_route,
    has_penalties,
    move_path,
    take_back,
)
from ncc_routing.vrp.polishing._route_kernels import (
    length,
    mark_dirty,
    random_unit,
    set_edge,
)

MAX_SEGMENT = 30.0
"""Customers of a shifted segment at most."""


@njit(**INNER)
def way(p: RoutingProblem, s: Routes, i: int, j: int) -> float:
    """Return the distance between two nodes.

    Not merged into its callers, which saves a second of compilation.
    """
    return length(p, s.nodes, i, j)


@njit(**INNER)
def turning_cost(p: RoutingProblem, s: Routes, first: int, last: int) -> float:
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
    p: RoutingProblem, s: Routes, first: int, last: int, route: int
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
def is_longer(s: Routes, first: int, last: int, other: int, end: int) -> bool:
    """Whether a path has more nodes than the one from ``other`` to ``end``."""
    while first != last:
        if other == end:
            return True
        first = s.nodes[first]["next"]
        other = s.nodes[other]["next"]
    return False


@njit(**INNER)
def turn_segment(
    p: RoutingProblem, s: Routes, i: int, j: int, limit: float
) -> float:
    """Join ``i`` to ``j`` and the nodes that follow them (2-opt).

    Both lie in one route, a ring with the depot: where ways back are as long,
    the shorter of the two paths between them is turned round. Returns the
    change of the length, or ``limit`` where nothing changed.
    """
    after_i = s.nodes[i]["next"]
    after_j = s.nodes[j]["next"]
    if after_i == j or after_j == i:
        return limit
    near = way(p, s, i, j)
    lost = s.nodes[i]["to_next"] + s.nodes[j]["to_next"]
    far = way(p, s, after_i, after_j)
    change = near + far - lost
    if change >= limit:
        return limit
    change += turning_cost(p, s, after_i, j)
    if change >= limit:
        return limit
    if p.is_symmetric and is_longer(s, after_i, j, after_j, i):
        i, j, after_i, after_j = j, i, after_j, after_i
    mark_dirty(s, i)
    reverse_path(p, s, after_i, j, s.route_of[i])
    set_edge(s, i, j, near)
    set_edge(s, after_i, after_j, far)
    return change


@njit(**INNER)
def shift_segment(
    p: RoutingProblem, s: Routes, i: int, j: int, forward: bool, limit: float
) -> float:
    """Move a segment that begins with ``i`` next to ``j`` (Or-opt).

    It is the first one, from ``i`` alone to a random length, whose move
    passes. It is turned round where that makes ``i`` and ``j`` neighbours.

    Parameters
    ----------
    p, s
        Problem and routes.
    i, j
        Customers of any routes.
    forward
        Whether the segment goes on along the route or against it.
    limit
        What the change has to stay below.

    Returns
    -------
    float
        The change of the length, or ``limit`` where nothing changed.
    """
    num_nodes = p.demands.shape[0]
    a = s.route_of[i]
    b = s.route_of[j]
    # The other end goes to the successor or the predecessor of j.
    follows = random_unit(s.rng) < 0.5
    other = s.nodes[j]["next"] if follows else s.nodes[j]["prev"]
    if other == i:
        return limit
    outer = s.nodes[i]["prev"] if forward else s.nodes[i]["next"]
    # The way counts: with a matrix it may differ from the way back.
    near = way(p, s, j, i) if follows else way(p, s, i, j)
    change = near
    change -= s.nodes[j]["to_next"] if follows else s.nodes[j]["to_prev"]
    change -= s.nodes[i]["to_prev"] if forward else s.nodes[i]["to_next"]
    is_turned = forward != follows
    most = 1 + int(random_unit(s.rng) * MAX_SEGMENT)
    load = 0
    size = 0
    total = limit
    k = node = i
    while True:
        load += p.demands[node]
        if a != b and s.loads[b] + load > p.capacity:
            break
        k = node
        size += 1
        if has_penalties(p) and a != b:
            change += move_path(p, s, k, k, a, b)
        node = s.nodes[k]["next"] if forward else s.nodes[k]["prev"]
        edge = s.nodes[k]["to_next"] if forward else s.nodes[k]["to_prev"]
        far = way(p, s, k, other) if follows else way(p, s, other, k)
        gap = 0.0
        if node != outer:
            gap = way(p, s, outer, node) if forward else way(p, s, node, outer)
        total = change + far + gap - edge
        if total < limit or size >= most:
            break
        if node >= num_nodes or node in (j, other):
            break
        if is_turned and not p.is_symmetric:
            back = way(p, s, node, k) if forward else way(p, s, k, node)
            change += back - edge
    first, last = (i, k) if forward else (k, i)
    if has_penalties(p) and a != b and size > 0:
        take_back(p, s, first, last, a, b)
    if total >= limit:
        return limit
    mark_dirty(s, j)
    mark_dirty(s, other)
    if forward:
        mark_dirty(s, outer)
        set_edge(s, outer, node, gap)
    else:
        mark_dirty(s, node)
        set_edge(s, node, outer, gap)
    # After j comes i; before j it is the last one.
    if is_turned:
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
    return total
