"""Compiled SWAP*: two customers change routes, each to its best place there.

References
----------
T. Vidal (2022). Hybrid genetic search for the CVRP: open-source
implementation and SWAP* neighborhood. Computers & Operations Research 140.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INNER
from ncc_routing.vrp.polishing.genetic._layout import (
    LEAST_GAIN,
    NUM_MOVES,
    NUM_SPOTS,
    GeneticProblem,
    LinkedRoutes,
)
from ncc_routing.vrp.polishing.genetic._move_kernels import extra_of
from ncc_routing.vrp.polishing.genetic._route_kernels import (
    overload,
    renew_route,
    shift_node,
    way,
)


@njit(**INNER)
def look_up_spots(w: GeneticProblem, s: LinkedRoutes, a: int, b: int) -> None:
    """Measure what the customers of route ``a`` cost there and in ``b``."""
    num_nodes = w.demands.shape[0]
    depot = num_nodes + b
    u = s.nodes[num_nodes + a]["next"]
    while u < num_nodes:
        p = s.nodes[u]["prev"]
        x = s.nodes[u]["next"]
        gain = way(w, s, p, x) - s.nodes[u]["to_prev"] - s.nodes[u]["to_next"]
        s.gains[u] = gain
        if s.routes[b]["changed"] > s.spots_made[b, u]:
            s.spots_made[b, u] = s.counts[NUM_MOVES]
            costs = s.spot_costs[b, u]
            afters = s.spot_nodes[b, u]
            costs[:] = np.inf
            v = depot
            to_v = way(w, s, u, v)
            while True:
                y = s.nodes[v]["next"]
                to_y = way(w, s, u, y)
                cost = to_v + to_y - s.nodes[v]["to_next"]
                rank = NUM_SPOTS
                while rank > 0 and cost < costs[rank - 1]:
                    if rank < NUM_SPOTS:
                        costs[rank] = costs[rank - 1]
                        afters[rank] = afters[rank - 1]
                    rank -= 1
                if rank < NUM_SPOTS:
                    costs[rank] = cost
                    afters[rank] = v
                v = y
                to_v = to_y
                if v == depot:
                    break
        u = s.nodes[u]["next"]


@njit(**INNER)
def cheapest_spot(
    w: GeneticProblem, s: LinkedRoutes, u: int, v: int, route: int
) -> tuple[float, int]:
    """Return cost and place of ``u`` in the route of ``v`` without ``v``."""
    q = s.nodes[v]["prev"]
    y = s.nodes[v]["next"]
    # The gap that v leaves.
    best = way(w, s, q, u) + way(w, s, u, y)
    best -= s.nodes[v]["to_prev"] + s.nodes[v]["to_next"] + s.gains[v]
    place = q
    for rank in range(NUM_SPOTS):
        after = s.spot_nodes[route, u, rank]
        if after != v and s.nodes[after]["next"] != v:
            cost = s.spot_costs[route, u, rank]
            if cost < best:
                best = cost
                place = after
            break
    return best, place


@njit(**INNER)
def exchange_between(
    w: GeneticProblem, s: LinkedRoutes, a: int, b: int, penalty: float
) -> bool:
    """Make the best exchange or shift between two routes.

    Returns whether there was one that shortens.
    """
    num_nodes = w.demands.shape[0]
    look_up_spots(w, s, a, b)
    look_up_spots(w, s, b, a)
    load_a = s.routes[a]["load"]
    load_b = s.routes[b]["load"]
    before = penalty * (overload(w, load_a) + overload(w, load_b))
    best = -LEAST_GAIN
    best_u = best_v = num_nodes
    place_u = place_v = num_nodes
    u = s.nodes[num_nodes + a]["next"]
    while u < num_nodes:
        demand = s.nodes[u]["demand"]
        gain_u = s.gains[u] - before
        v = s.nodes[num_nodes + b]["next"]
        while v < num_nodes:
            moved = demand - s.nodes[v]["demand"]
            change = gain_u + s.gains[v]
            change += penalty * extra_of(w, load_a, load_b, moved)
            # Insertions cost something, at least where ways are metric.
            if change < best:
                cost_u, after_u = cheapest_spot(w, s, u, v, b)
                if change + cost_u < best:
                    cost_v, after_v = cheapest_spot(w, s, v, u, a)
                    change += cost_u + cost_v
                    if change < best:
                        best = change
                        best_u, place_u = u, after_u
                        best_v, place_v = v, after_v
            v = s.nodes[v]["next"]
        change = gain_u + s.spot_costs[b, u, 0]
        change += penalty * extra_of(w, load_a, load_b, demand)
        if change < best:
            best = change
            best_u, place_u = u, s.spot_nodes[b, u, 0]
            best_v = num_nodes
        u = s.nodes[u]["next"]
    v = s.nodes[num_nodes + b]["next"]
    while v < num_nodes:
        change = s.gains[v] - before + s.spot_costs[a, v, 0]
        moved = s.nodes[v]["demand"]
        change += penalty * extra_of(w, load_b, load_a, moved)
        if change < best:
            best = change
            best_v, place_v = v, s.spot_nodes[a, v, 0]
            best_u = num_nodes
        v = s.nodes[v]["next"]
    if best_u == num_nodes and best_v == num_nodes:
        return False
    s.counts[NUM_MOVES] += 1
    if best_u < num_nodes:
        shift_node(w, s, best_u, place_u)
    if best_v < num_nodes:
        shift_node(w, s, best_v, place_v)
    renew_route(w, s, a)
    renew_route(w, s, b)
    return True
