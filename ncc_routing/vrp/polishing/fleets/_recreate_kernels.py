"""Compiled recreate for fleets, depots and time windows."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing._layout import (
    COST,
    NUM_FREE,
    NUM_INSERTED,
    NUM_ITERATIONS,
    NUM_REMOVED,
    NUM_STRINGS,
    KernelParams,
)
from ncc_routing.vrp.polishing._recreate_kernels import rank_customer
from ncc_routing.vrp.polishing._route_kernels import random_unit, set_edge
from ncc_routing.vrp.polishing.fleets._layout import (
    NUM_ABSENT,
    RichProblem,
    RichRoutes,
)
from ncc_routing.vrp.polishing.fleets._path_kernels import path_cost
from ncc_routing.vrp.polishing.fleets._route_kernels import (
    distance,
    insertion_cost,
    push_latest,
    push_ready,
    refresh,
    touch,
)

RULES = 11.0
RULES_OF_TIME = 6.0
"""Weights of the orders of insertion: of all, and of those by windows."""

TOGETHER_SHARE = 0.2
"""Share of the ruins after which some customers come on a vehicle together,
where there are short cuts."""

MOST_TOGETHER = 7
"""Most of these customers."""


@njit(**INLINED)
def order_key(
    p: RichProblem, s: RichRoutes, customer: int, rule: float
) -> float:
    """Return the rank of a customer in an order of insertion.

    At random, by demand, far first or close first with the weights 4, 4, 2
    and 1; with windows also the narrow, the early and the late ones first,
    with the weight 2 each.
    """
    if rule < 4.0:
        return random_unit(s.rng)
    if rule < 8.0:
        return -float(p.demands[customer])
    if rule < 10.0:
        return -p.round_trip[customer]
    if rule < 11.0:
        return p.round_trip[customer]
    if rule < 13.0:
        return p.visits[customer]["late"] - p.visits[customer]["early"]
    if rule < 15.0:
        return p.visits[customer]["early"]
    return -p.visits[customer]["late"]


@njit(**INNER)
def order_customers(p: RichProblem, s: RichRoutes) -> int:
    """Fill ``inserted`` with the removed and absent customers; count them."""
    rules = RULES + (RULES_OF_TIME if p.is_timed else 0.0)
    rule = random_unit(s.rng) * rules
    num_removed = s.counts[NUM_REMOVED]
    num_customers = num_removed + s.counts[NUM_ABSENT]
    for idx in range(num_customers):
        if idx < num_removed:
            customer = s.removed[idx]["customer"]
        else:
            customer = s.absent[idx - num_removed]
        key = order_key(p, s, customer, rule)
        rank_customer(s, idx, customer, key)
    return num_customers


@njit(**INNER)
def empty_route(p: RichProblem, s: RichRoutes, kind: int) -> int:
    """Return an empty route of a vehicle type, or the number of routes."""
    route = s.open_route[kind]
    slots = s.free.shape[0]
    if route < slots and s.routes[route]["size"] > 0:
        route = slots
        for other in range(
            p.vehicles[kind]["first_route"], p.vehicles[kind]["end_route"]
        ):
            if s.routes[other]["size"] == 0:
                route = other
                break
        s.open_route[kind] = route
    return route


@njit(**INLINED)
def find_opening(
    p: RichProblem,
    s: RichRoutes,
    move: KernelParams,
    customer: int,
    budget: float,
) -> tuple[int, float]:
    """Return an empty vehicle or a gap of the ruin for a customer, the cost.

    The position is the node before it, 0 where none costs less than
    ``budget``.
    """
    best = budget
    position = 0
    num_nodes = p.demands.shape[0]
    slots = s.free.shape[0]
    for kind in range(p.vehicles.shape[0]):
        cost = p.singles[kind, customer]
        if cost < best and random_unit(s.rng) >= move.blink:
            route = empty_route(p, s, kind)
            if route < slots:
                best = cost
                position = num_nodes + route
    for number in range(s.counts[NUM_STRINGS]):
        before = s.strings[number]["before"]
        route = s.route_of[before]
        if s.routes[route]["size"] == 0:
            continue
        if s.loads[route] + p.demands[customer] > p.capacities[route]:
            continue
        cost = insertion_cost(p, s, customer, before, best)
        if cost < best and random_unit(s.rng) >= move.blink:
            best = cost
            position = before
    return position, best


@njit(**INLINED)
def find_position(
    p: RichProblem,
    s: RichRoutes,
    move: KernelParams,
    customer: int,
    budget: float,
) -> tuple[int, float]:
    """Return the node to insert a customer behind, and the cost.

    Empty vehicles, the gaps that the ruin left, and the positions next to
    the nearest customers, as in the plain problem. Node 0 stands for none
    that costs less than ``budget``.
    """
    position, best = find_opening(p, s, move, customer, budget)
    left = p.num_candidates
    demand = p.demands[customer]
    for idx in range(p.neighbours.shape[1]):
        if p.near[customer, idx] > move.reach * best:
            break
        node = p.neighbours[customer, idx]
        route = s.route_of[node]
        if s.loads[route] + demand > p.capacities[route]:
            continue
        cost = insertion_cost(p, s, customer, node, best)
        if cost < best and random_unit(s.rng) >= move.blink:
            best = cost
            position = node
        before = s.nodes[node]["prev"]
        cost = insertion_cost(p, s, customer, before, best)
        if cost < best and random_unit(s.rng) >= move.blink:
            best = cost
            position = before
        left -= 1
        if left == 0:
            break
    return position, best


@njit(**INNER)
def search_everywhere(
    p: RichProblem, s: RichRoutes, customer: int
) -> tuple[int, float]:
    """Return the node to insert a customer behind, of all, and the cost."""
    best = np.inf
    position = 0
    demand = p.demands[customer]
    slots = s.free.shape[0]
    for idx in range(s.members.shape[0]):
        node = s.members[idx]
        route = s.route_of[node]
        if route == slots or s.loads[route] + demand > p.capacities[route]:
            continue
        cost = insertion_cost(p, s, customer, node, best)
        if cost < best:
            best = cost
            position = node
        if s.nodes[node]["prev"] >= p.demands.shape[0]:
            before = s.nodes[node]["prev"]
            cost = insertion_cost(p, s, customer, before, best)
            if cost < best:
                best = cost
                position = before
    return position, best


@njit(**INLINED)
def insert(
    p: RichProblem, s: RichRoutes, customer: int, before: int, cost: float
) -> float:
    """Insert a customer behind a node; return the edge that breaks."""
    route = s.route_of[before]
    after = s.nodes[before]["next"]
    edge = s.nodes[before]["to_next"]
    if s.routes[route]["size"] == 0:
        edge = 0.0
        # A route that the ruin emptied does not count as free yet.
        if s.routes[route]["ruined"] != s.counts[NUM_ITERATIONS]:
            s.counts[NUM_FREE] -= 1
    touch(s, route)
    set_edge(s, before, customer, distance(p, route, before, customer))
    set_edge(s, customer, after, distance(p, route, customer, after))
    s.route_of[customer] = route
    s.loads[route] += p.demands[customer]
    s.routes[route]["size"] += 1
    s.costs[COST] += cost
    if p.counts_duration:
        refresh(p, s, route)
        return edge
    s.routes[route]["cost"] += cost
    if p.limits_distance:
        added = s.nodes[customer]["to_prev"] + s.nodes[customer]["to_next"]
        s.routes[route]["distance"] += added - edge
    if p.is_timed:
        push_ready(p, s, route, customer)
        push_latest(p, s, route, customer)
    return edge


@njit(**INNER)
def open_together(
    p: RichProblem, s: RichRoutes, num_customers: int, budget: float
) -> int:
    """Give an empty vehicle some of the first customers, as they come.

    Where a way is short by way of another customer alone, the two may have
    a place together and none one after the other.

    Returns
    -------
    int
        How many they are: none where their route breaks a limit, or costs
        not less than ``budget``.
    """
    if num_customers < 2:
        return 0
    span = min(num_customers, MOST_TOGETHER) - 1
    size = 2 + int(random_unit(s.rng) * span)
    kind = int(random_unit(s.rng) * p.vehicles.shape[0])
    route = empty_route(p, s, kind)
    if route == s.free.shape[0]:
        return 0
    for idx in range(size):
        s.other_path[idx] = s.inserted[idx]["customer"]
    cost = path_cost(p, s.other_path, size, kind)
    if not cost < budget:
        return 0
    before = p.demands.shape[0] + route
    for idx in range(size):
        customer = s.inserted[idx]["customer"]
        part = cost if idx == size - 1 else 0.0
        s.inserted[idx]["edge"] = insert(p, s, customer, before, part)
        before = customer
    return size


@njit(**INLINED)
def recreate(
    p: RichProblem,
    s: RichRoutes,
    move: KernelParams,
    num_customers: int,
    limit: float,
    may_miss: bool,
) -> bool:
    """Insert customers one by one at the cheapest position.

    Returns
    -------
    bool
        Whether each has a place that keeps the cost below ``limit``. With
        ``may_miss`` those without one are the absent ones of now.
    """
    num_inserted = 0
    num_absent = 0
    if not p.is_metric and random_unit(s.rng) < TOGETHER_SHARE:
        budget = limit - s.costs[COST]
        num_inserted = open_together(p, s, num_customers, budget)
    for idx in range(num_inserted, num_customers):
        customer = s.inserted[idx]["customer"]
        budget = limit - s.costs[COST]
        before, cost = find_position(p, s, move, customer, budget)
        if before == 0 and may_miss:
            before, cost = search_everywhere(p, s, customer)
        if before == 0:
            if not may_miss:
                break
            s.absent[num_absent] = customer
            num_absent += 1
            continue
        edge = insert(p, s, customer, before, cost)
        s.inserted[num_inserted]["customer"] = customer
        s.inserted[num_inserted]["edge"] = edge
        num_inserted += 1
    s.counts[NUM_INSERTED] = num_inserted
    if may_miss:
        s.counts[NUM_ABSENT] = num_absent
    return num_inserted == num_customers
