"""Compiled ruin and recreate, accepted by simulated annealing.

A change is undone edge by edge: the work of an iteration does not depend on
the number of customers.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, OUTER
from ncc_routing.vrp.polishing._layout import (
    BEST_COST,
    COST,
    NUM_FREE,
    NUM_INSERTED,
    NUM_ITERATIONS,
    NUM_REMOVED,
    NUM_STRINGS,
    KernelParams,
    Routes,
    RoutingProblem,
)
from ncc_routing.vrp.polishing._penalty_kernels import count_mate
from ncc_routing.vrp.polishing._recreate_kernels import recreate, sort_removed
from ncc_routing.vrp.polishing._route_kernels import (
    keep_best,
    mark_dirty,
    random_unit,
    set_edge,
)
from ncc_routing.vrp.polishing._ruin_kernels import ruin
from ncc_routing.vrp.polishing._tail_kernels import move_tails


@njit(**INLINED)
def undo(p: RoutingProblem, s: Routes) -> None:
    """Take back the insertions and removals, the last one first.

    ``counts[NUM_FREE]`` and the cost are the caller's to restore.
    """
    for idx in range(s.counts[NUM_INSERTED] - 1, -1, -1):
        customer = s.inserted[idx]["customer"]
        node = s.nodes[customer]
        route = s.route_of[customer]
        s.loads[route] -= p.demands[customer]
        s.routes[route]["size"] -= 1
        count_mate(p, s, customer, route, -1)
        set_edge(s, node["prev"], node["next"], s.inserted[idx]["edge"])
    for number in range(s.counts[NUM_STRINGS] - 1, -1, -1):
        string = s.strings[number]
        last = string["before"]
        route_idx = s.route_of[last]
        load = 0
        for idx in range(string["first"], string["end"]):
            customer = s.removed[idx]["customer"]
            set_edge(s, last, customer, s.removed[idx]["to_prev"])
            s.route_of[customer] = route_idx
            count_mate(p, s, customer, route_idx, 1)
            load += p.demands[customer]
            last = customer
        edge = s.removed[string["end"] - 1]["to_next"]
        set_edge(s, last, string["after"], edge)
        s.loads[route_idx] += load
        s.routes[route_idx]["size"] += string["end"] - string["first"]


@njit(**INLINED)
def commit(s: Routes) -> None:
    """Keep the change: note what differs from the best, free empty routes."""
    for number in range(s.counts[NUM_STRINGS]):
        before = s.strings[number]["before"]
        mark_dirty(s, before)
        route = s.route_of[before]
        # Two strings of one route must not free it twice.
        if s.routes[route]["size"] == 0 and s.routes[route]["ruined"] >= 0:
            s.routes[route]["ruined"] = -1
            s.free[s.counts[NUM_FREE]] = route
            s.counts[NUM_FREE] += 1
    for idx in range(s.counts[NUM_INSERTED]):
        customer = s.inserted[idx]["customer"]
        mark_dirty(s, customer)
        mark_dirty(s, s.nodes[customer]["prev"])


@njit(**OUTER)
def anneal(
    p: RoutingProblem,
    s: Routes,
    move: KernelParams,
    num_iterations: int,
    temperature: float,
    cooling: float,
) -> int:
    """Run iterations; return how many ruins and recreates were accepted.

    After each come some moves of tails and segments.

    Parameters
    ----------
    p
        The problem.
    s
        The routes. Modified in place.
    move
        Sizes and probabilities of a move.
    num_iterations
        Number of iterations.
    temperature
        Temperature of the first iteration, in units of cost.
    cooling
        Factor on the temperature from one iteration to the next.
    """
    # Without the triangle inequality an insertion may save length, so that
    # no partial cost says anything about the final one.
    is_metric = p.matrix.shape[0] == 0
    num_accepted = 0
    for _ in range(num_iterations):
        s.counts[NUM_ITERATIONS] += 1
        s.counts[NUM_REMOVED] = 0
        s.counts[NUM_STRINGS] = 0
        num_free = s.counts[NUM_FREE]
        cost = s.costs[COST]
        limit = cost - temperature * np.log(1.0 - random_unit(s.rng))
        temperature *= cooling
        ruin(p, s, move)
        sort_removed(p, s)
        bound = limit if is_metric else np.inf
        if recreate(p, s, move, bound) and s.costs[COST] < limit:
            num_accepted += 1
            commit(s)
            if s.costs[COST] < s.costs[BEST_COST] - move.tolerance:
                keep_best(s)
        else:
            undo(p, s)
            s.counts[NUM_FREE] = num_free
            s.costs[COST] = cost
        left = move.num_tail_moves
        while left > 0.0:
            if left >= 1.0 or random_unit(s.rng) < left:
                move_tails(p, s, move, temperature)
            left -= 1.0
    return num_accepted
