"""Compiled recreate: removed customers return one by one."""

from __future__ import annotations

from numba import njit

from ncc_routing.core.compiling import INLINED
from ncc_routing.vrp.polishing._layout import (
    COST,
    NUM_FREE,
    NUM_INSERTED,
    NUM_REMOVED,
    NUM_STRINGS,
    KernelParams,
    Routes,
    RoutingProblem,
)
from ncc_routing.vrp.polishing._penalty_kernels import (
    bind_empty,
    count_mate,
    least_penalty,
    penalty,
)
from ncc_routing.vrp.polishing._route_kernels import (
    length,
    near_length,
    random_unit,
    set_edge,
)


@njit(**INLINED)
def rank_customer(s: Routes, count: int, customer: int, key: float) -> None:
    """Put a customer among the first ``count`` of ``inserted``, by the key."""
    spot = count
    while spot > 0 and s.inserted[spot - 1]["key"] > key:
        s.inserted[spot]["key"] = s.inserted[spot - 1]["key"]
        s.inserted[spot]["customer"] = s.inserted[spot - 1]["customer"]
        spot -= 1
    s.inserted[spot]["key"] = key
    s.inserted[spot]["customer"] = customer


@njit(**INLINED)
def sort_removed(p: RoutingProblem, s: Routes) -> None:
    """Fill ``inserted`` with the removed customers in a random order.

    At random, by demand, far first or close first, with the weights 4, 4,
    2 and 1 of the paper.
    """
    rule = random_unit(s.rng) * 11.0
    for idx in range(s.counts[NUM_REMOVED]):
        customer = s.removed[idx]["customer"]
        if rule < 4.0:
            key = random_unit(s.rng)
        elif rule < 8.0:
            key = -float(p.demands[customer])
        elif rule < 10.0:
            key = -p.round_trip[customer]
        else:
            key = p.round_trip[customer]
        rank_customer(s, idx, customer, key)


@njit(**INLINED)
def find_gap(
    p: RoutingProblem,
    s: Routes,
    move: KernelParams,
    customer: int,
    budget: float,
) -> tuple[int, float, float, float]:
    """Return the gap to insert ``customer`` into, the new edges and the cost.

    Gaps are where the strings were, and an empty route. The edge across a
    gap is long, so that it may be the best one for customers who are near
    neither of its ends. The position returned is the node before the gap,
    0 where none has a detour below ``budget``.
    """
    room = p.capacity - p.demands[customer]
    best = budget
    position = 0
    edge_in = edge_out = 0.0
    num_free = s.counts[NUM_FREE]
    opening = p.round_trip[customer] + least_penalty(p, customer)
    if num_free > 0 and opening < best:
        position = p.demands.shape[0] + s.free[num_free - 1]
        best = opening
        edge_in = length(p, s.nodes, position, customer)
        edge_out = p.round_trip[customer] - edge_in
    for number in range(s.counts[NUM_STRINGS]):
        before = s.strings[number]["before"]
        route = s.route_of[before]
        if s.loads[route] > room:
            continue
        first = length(p, s.nodes, before, customer)
        second = length(p, s.nodes, customer, s.nodes[before]["next"])
        edge = s.nodes[before]["to_next"] - penalty(p, s, customer, route)
        detour = first + second - edge
        if detour < best and random_unit(s.rng) >= move.blink:
            best = detour
            position = before
            edge_in = first
            edge_out = second
    return position, edge_in, edge_out, best


@njit(**INLINED)
def find_position(
    p: RoutingProblem,
    s: Routes,
    move: KernelParams,
    customer: int,
    budget: float,
) -> tuple[int, float, float]:
    """Return the node to insert ``customer`` after, and the two new edges.

    The gaps that the ruin left, and the positions next to the nearest
    customers whose routes have room, at a detour below ``budget``.
    Neighbours much further away than the least detour so far are left out:
    where the vehicles are nearly full, most of the time would go into
    looking for room there. Each position is overlooked with probability
    ``blink``; rolling that only for those which would be taken changes
    nothing in distribution. Node 0 stands for none.
    """
    room = p.capacity - p.demands[customer]
    best = budget
    position, edge_in, edge_out, best = find_gap(p, s, move, customer, best)
    to_depot = 0.5 * p.round_trip[customer]
    left = p.num_candidates
    for idx in range(p.neighbours.shape[1]):
        near = p.near[customer, idx]
        if near > move.reach * best:
            break
        node = p.neighbours[customer, idx]
        route = s.route_of[node]
        if s.loads[route] > room:
            continue
        # The other end of an edge of this neighbour is the depot, or no
        # nearer than the neighbour, or it came before.
        least = near + min(near, to_depot)
        extra = penalty(p, s, customer, route)
        edge = s.nodes[node]["to_next"] - extra
        if least - edge < best:
            first = near_length(p, s, node, customer, near)
            second = length(p, s.nodes, customer, s.nodes[node]["next"])
            detour = first + second - edge
            if detour < best and random_unit(s.rng) >= move.blink:
                best = detour
                position = node
                edge_in = first
                edge_out = second
        edge = s.nodes[node]["to_prev"] - extra
        if least - edge < best:
            before = s.nodes[node]["prev"]
            first = length(p, s.nodes, before, customer)
            second = near_length(p, s, customer, node, near)
            detour = first + second - edge
            if detour < best and random_unit(s.rng) >= move.blink:
                best = detour
                position = before
                edge_in = first
                edge_out = second
        left -= 1
        if left == 0:
            break
    return position, edge_in, edge_out


@njit(**INLINED)
def recreate(
    p: RoutingProblem, s: Routes, move: KernelParams, limit: float
) -> bool:
    """Insert the removed customers one by one at the cheapest position.

    Returns
    -------
    bool
        False where no position is left that keeps the cost below
        ``limit``. ``undo`` restores the routes.
    """
    num_inserted = 0
    for idx in range(s.counts[NUM_REMOVED]):
        customer = s.inserted[idx]["customer"]
        budget = limit - s.costs[COST]
        before, edge_in, edge_out = find_position(p, s, move, customer, budget)
        if before == 0:
            break
        route = s.route_of[before]
        num_free = s.counts[NUM_FREE]
        if num_free > 0 and s.free[num_free - 1] == route:
            s.counts[NUM_FREE] = num_free - 1
            bind_empty(p, s, route, customer)
        after = s.nodes[before]["next"]
        edge = s.nodes[before]["to_next"]
        s.inserted[idx]["edge"] = edge
        set_edge(s, before, customer, edge_in)
        set_edge(s, customer, after, edge_out)
        s.route_of[customer] = route
        s.loads[route] += p.demands[customer]
        s.routes[route]["size"] += 1
        edge -= penalty(p, s, customer, route)
        count_mate(p, s, customer, route, 1)
        s.costs[COST] += edge_in + edge_out - edge
        num_inserted += 1
    s.counts[NUM_INSERTED] = num_inserted
    return num_inserted == s.counts[NUM_REMOVED]
