"""Compiled ruin and recreate for fleets, depots and time windows."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, OUTER
from ncc_routing.vrp.polishing._annealing_kernels import commit, undo
from ncc_routing.vrp.polishing._layout import (
    BEST_COST,
    COST,
    NUM_FREE,
    NUM_ITERATIONS,
    NUM_REMOVED,
    NUM_STRINGS,
    KernelParams,
)
from ncc_routing.vrp.polishing._route_kernels import (
    keep_best,
    random_unit,
    set_edge,
)
from ncc_routing.vrp.polishing._ruin_kernels import ruin
from ncc_routing.vrp.polishing.fleets._layout import (
    NUM_ABSENT,
    NUM_TOUCHED,
    RichProblem,
    RichRoutes,
)
from ncc_routing.vrp.polishing.fleets._move_kernels import move_routes
from ncc_routing.vrp.polishing.fleets._recreate_kernels import (
    order_customers,
    recreate,
)
from ncc_routing.vrp.polishing.fleets._rewriting_kernels import install
from ncc_routing.vrp.polishing.fleets._route_kernels import (
    all_keep_limits,
    settle_ruined,
    settle_undone,
)

_FULL = np.int64(1) << 62
"""A load above every capacity."""


@njit(**INLINED)
def begin_iteration(s: RichRoutes) -> None:
    """Forget what the last iteration changed."""
    s.counts[NUM_ITERATIONS] += 1
    s.counts[NUM_REMOVED] = 0
    s.counts[NUM_STRINGS] = 0
    s.counts[NUM_TOUCHED] = 0


@njit(**INLINED)
def move_often(
    p: RichProblem, s: RichRoutes, move: KernelParams, temperature: float
) -> None:
    """Try the moves that follow a ruin and recreate."""
    left = move.num_tail_moves
    while left > 0.0:
        if left >= 1.0 or random_unit(s.rng) < left:
            move_routes(p, s, move, temperature)
        left -= 1.0


@njit(**OUTER)
def anneal(
    p: RichProblem,
    s: RichRoutes,
    move: KernelParams,
    num_iterations: int,
    temperature: float,
    cooling: float,
) -> int:
    """Run iterations; return how many ruins and recreates were accepted.

    No customer is absent. After each ruin and recreate come some moves.

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
    num_accepted = 0
    for _ in range(num_iterations):
        begin_iteration(s)
        num_free = s.counts[NUM_FREE]
        cost = s.costs[COST]
        limit = cost - temperature * np.log(1.0 - random_unit(s.rng))
        temperature *= cooling
        ruin(p, s, move)
        settle_ruined(p, s, cost)
        num_customers = order_customers(p, s)
        bound = limit if p.is_metric else np.inf
        is_complete = recreate(p, s, move, num_customers, bound, False)
        if is_complete and s.costs[COST] < limit and all_keep_limits(p, s):
            num_accepted += 1
            commit(s)
            if s.costs[COST] < s.costs[BEST_COST] - move.tolerance:
                keep_best(s)
        else:
            undo(p, s)
            s.counts[NUM_FREE] = num_free
            settle_undone(p, s, cost)
        move_often(p, s, move, temperature)
    return num_accepted


@njit(**OUTER)
def place_absent(
    p: RichProblem,
    s: RichRoutes,
    move: KernelParams,
    num_iterations: int,
    temperature: float,
) -> int:
    """Look for places for absent customers; return how many are left.

    A ruin and recreate is accepted where the customers that it leaves
    absent have been absent more seldom than those before, or where they are
    no more and the cost passes the annealing.

    Parameters
    ----------
    p
        The problem.
    s
        The routes. Modified in place.
    move
        Sizes and probabilities of a move.
    num_iterations
        Iterations at most; it ends with the last absent customer.
    temperature
        Temperature of all iterations, in units of cost.

    References
    ----------
    J. Christiaens, G. Vanden Berghe (2020). Slack induction by string
    removals for vehicle routing problems. Transportation Science 54(2).
    """
    for _ in range(num_iterations):
        before = s.counts[NUM_ABSENT]
        if before == 0:
            break
        begin_iteration(s)
        num_free = s.counts[NUM_FREE]
        cost = s.costs[COST]
        limit = cost - temperature * np.log(1.0 - random_unit(s.rng))
        seldom = 0
        for idx in range(before):
            s.path[idx] = s.absent[idx]
            seldom += s.absences[s.absent[idx]]
        ruin(p, s, move)
        settle_ruined(p, s, cost)
        num_customers = order_customers(p, s)
        recreate(p, s, move, num_customers, np.inf, True)
        often = 0
        now = s.counts[NUM_ABSENT]
        for idx in range(now):
            often += s.absences[s.absent[idx]]
            s.absences[s.absent[idx]] += 1
        is_better = often < seldom or now == 0
        is_close = now <= before and s.costs[COST] < limit
        if (is_better or is_close) and all_keep_limits(p, s):
            commit(s)
        else:
            undo(p, s)
            s.counts[NUM_FREE] = num_free
            s.counts[NUM_ABSENT] = before
            for idx in range(before):
                s.absent[idx] = s.path[idx]
                s.route_of[s.path[idx]] = s.free.shape[0]
            settle_undone(p, s, cost)
        move_often(p, s, move, temperature)
    if s.counts[NUM_ABSENT] == 0:
        keep_best(s)
    return s.counts[NUM_ABSENT]


@njit(**OUTER)
def insert_all(p: RichProblem, s: RichRoutes, move: KernelParams) -> int:
    """Insert all absent customers, in one order; return how many are left.

    Parameters
    ----------
    p
        The problem.
    s
        The routes. Modified in place.
    move
        Probability of a blink, and the reach.
    """
    begin_iteration(s)
    num_customers = order_customers(p, s)
    recreate(p, s, move, num_customers, np.inf, True)
    commit(s)
    if s.counts[NUM_ABSENT] == 0:
        keep_best(s)
    return s.counts[NUM_ABSENT]


@njit(**OUTER)
def load_routes(
    p: RichProblem,
    s: RichRoutes,
    customers: np.ndarray,
    starts: np.ndarray,
) -> None:
    """Set the current and the best solution; all others are absent.

    Parameters
    ----------
    p
        The problem.
    s
        The state. Modified in place.
    customers
        Uint32 array: the customers of all routes, one after another.
    starts
        Int64 array of shape (routes + 1,): where each route begins.
    """
    num_nodes = p.demands.shape[0]
    slots = s.free.shape[0]
    for node in range(num_nodes):
        s.route_of[node] = slots
        s.nodes[node]["lead_from"] = node
    s.loads[slots] = _FULL
    s.counts[NUM_FREE] = slots
    s.costs[COST] = 0.0
    for kind in range(p.vehicles.shape[0]):
        s.open_route[kind] = slots
    for route in range(slots):
        vehicle = p.vehicles[p.type_of[route]]
        depot = num_nodes + route
        s.route_of[depot] = route
        s.nodes[depot]["lead_from"] = depot
        ready = vehicle["start_early"] + vehicle["start_duration"]
        s.nodes[depot]["ready"] = ready
        s.nodes[depot]["latest"] = vehicle["end_late"]
        s.segments[depot]["head_duration"] = vehicle["start_duration"]
        s.segments[depot]["head_late"] = vehicle["start_late"]
        s.segments[depot]["head_limit"] = vehicle["start_late"]
        s.segments[depot]["tail_duration"] = vehicle["end_duration"]
        s.segments[depot]["tail_early"] = vehicle["end_early"]
        set_edge(s, depot, depot, 0.0)
        s.routes[route]["size"] = 0
        s.routes[route]["ruined"] = -1
        s.routes[route]["touched"] = -1
        s.best_next[depot] = depot
        size = 0
        for idx in range(starts[route], starts[route + 1]):
            s.path[size] = customers[idx]
            size += 1
        install(p, s, s.path, size, route)
        s.costs[COST] += s.routes[route]["cost"]
    s.counts[NUM_ABSENT] = 0
    for idx in range(s.members.shape[0]):
        customer = s.members[idx]
        if s.route_of[customer] == slots:
            s.absent[s.counts[NUM_ABSENT]] = customer
            s.counts[NUM_ABSENT] += 1
    keep_best(s)
    if s.counts[NUM_ABSENT] > 0:
        # Nothing incomplete is ever the best solution.
        s.costs[BEST_COST] = -np.inf
