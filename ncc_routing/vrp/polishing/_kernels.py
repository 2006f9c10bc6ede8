"""Compiled ruin and recreate on routes held as linked lists.

A change is undone edge by edge: the work of an iteration does not depend on
the number of customers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ncc_routing.problems.rounding import CEILED, FLOORED
from ncc_routing.vrp.polishing._layout import (
    BEST_COST,
    COST,
    NUM_DIRTY,
    NUM_FREE,
    NUM_INSERTED,
    NUM_ITERATIONS,
    NUM_REMOVED,
    NUM_STRINGS,
    Move,
    Problem,
    Routes,
)

# Kernels that only other kernels call are merged into their caller, and
# arrays are not reference-counted (nothing here allocates): together that
# is four times as fast. Without wrappers for Python they compile in two
# thirds of the time.
_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
}
_INNER: dict[str, Any] = {
    **_OPTIONS,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}

_UNIT = 1.0 / (1 << 53)
_FULL = np.int64(1) << 62


@njit(**_INNER)
def random_unit(rng: np.ndarray) -> float:
    """Return a number in [0, 1) by xorshift64*.

    Several times as fast as a call into ``numpy.random.Generator``.

    Parameters
    ----------
    rng
        Uint64 array of shape (1,), not 0. Modified in place.

    References
    ----------
    S. Vigna (2016). An experimental exploration of Marsaglia's xorshift
    generators, scrambled. ACM Transactions on Mathematical Software 42(4).
    """
    bits = rng[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    rng[0] = bits
    bits *= np.uint64(2685821657736338717)
    return np.float64(np.int64(bits >> np.uint64(11))) * _UNIT


@njit(**_INNER)
def length(p: Problem, nodes: np.ndarray, i: int, j: int) -> float:
    """Return the distance between two nodes, depots of routes included."""
    num_nodes = p.matrix.shape[0]
    if num_nodes > 0:
        return p.matrix[i if i < num_nodes else 0, j if j < num_nodes else 0]
    dx = nodes[i]["x"] - nodes[j]["x"]
    dy = nodes[i]["y"] - nodes[j]["y"]
    euclidean = np.sqrt(dx * dx + dy * dy)
    if p.rounding == FLOORED:
        return np.floor(p.scale * euclidean + p.shift)
    if p.rounding == CEILED:
        return np.ceil(euclidean)
    return euclidean


@njit(**_INNER)
def near_length(p: Problem, s: Routes, i: int, j: int, near: float) -> float:
    """Return the distance between two nodes, known as ``near`` or -inf."""
    return near if near >= 0.0 else length(p, s.nodes, i, j)


@njit(**_INNER)
def set_edge(s: Routes, i: int, j: int, edge: float) -> None:
    """Let ``j`` follow ``i`` at the distance ``edge``."""
    s.nodes[i]["next"] = j
    s.nodes[j]["prev"] = i
    s.nodes[i]["to_next"] = edge
    s.nodes[j]["to_prev"] = edge


@njit(**_INNER)
def link(p: Problem, s: Routes, i: int, j: int) -> float:
    """Let ``j`` follow ``i``; return the length of the edge."""
    # The ring of an empty route must cost nothing in any metric.
    edge = 0.0 if i == j else length(p, s.nodes, i, j)
    set_edge(s, i, j, edge)
    return edge


@njit(**_OPTIONS)
def load_routes(p: Problem, s: Routes, starts: np.ndarray) -> None:
    """Set the current and the best solution.

    Parameters
    ----------
    p
        The problem.
    s
        The state, with coordinates in ``nodes``, and in ``members`` the
        routes, one after another. Modified in place.
    starts
        Int64 array of shape (number of routes + 1,): where each begins.
    """
    num_nodes = p.demands.shape[0]
    slots = s.free.shape[0]
    num_routes = starts.shape[0] - 1
    for node in range(num_nodes):
        s.route_of[node] = slots
    s.loads[slots] = _FULL
    cost = 0.0
    for r in range(slots):
        depot = num_nodes + r
        last = depot
        load = 0
        size = 0
        s.route_of[depot] = r
        if r < num_routes:
            for idx in range(starts[r], starts[r + 1]):
                node = s.members[idx]
                cost += link(p, s, last, node)
                s.route_of[node] = r
                load += p.demands[node]
                size += 1
                last = node
        cost += link(p, s, last, depot)
        s.loads[r] = load
        s.routes[r]["size"] = size
        s.routes[r]["ruined"] = -1
    s.counts[NUM_FREE] = slots - num_routes
    for idx in range(slots - num_routes):
        s.free[idx] = slots - 1 - idx
    for node in range(num_nodes + slots):
        s.best_next[node] = s.nodes[node]["next"]
        s.is_dirty[node] = 0
    s.counts[NUM_DIRTY] = 0
    s.costs[COST] = cost
    s.costs[BEST_COST] = cost


@njit(**_OPTIONS)
def read_routes(
    followers: np.ndarray,
    num_nodes: int,
    nodes: np.ndarray,
    starts: np.ndarray,
) -> int:
    """Write the routes one after another; return their number.

    Parameters
    ----------
    followers
        Uint32 array: the node that follows each node.
    num_nodes
        Number of customers + 1; the nodes from there on are depots.
    nodes
        Uint32 array of shape (customers on the routes,). Filled in place.
    starts
        Int64 array of shape (slots + 1,): where each route begins. Filled
        in place.
    """
    num_routes = 0
    end = 0
    for depot in range(num_nodes, followers.shape[0]):
        node = followers[depot]
        if node >= num_nodes:
            continue
        while node < num_nodes:
            nodes[end] = node
            end += 1
            node = followers[node]
        num_routes += 1
        starts[num_routes] = end
    return num_routes


@njit(**_INNER)
def remove_string(
    p: Problem, s: Routes, first: int, num_customers: int
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
        lost += s.nodes[node]["to_next"]
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


@njit(**_INNER)
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


@njit(**_INNER)
def ruin_route(
    p: Problem, s: Routes, centre: int, max_length: float, split: float
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


@njit(**_INNER)
def ruin(p: Problem, s: Routes, move: Move) -> None:
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


@njit(**_INNER)
def sort_removed(p: Problem, s: Routes) -> None:
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
        spot = idx
        while spot > 0 and s.inserted[spot - 1]["key"] > key:
            s.inserted[spot]["key"] = s.inserted[spot - 1]["key"]
            s.inserted[spot]["customer"] = s.inserted[spot - 1]["customer"]
            spot -= 1
        s.inserted[spot]["key"] = key
        s.inserted[spot]["customer"] = customer


@njit(**_INNER)
def find_gap(
    p: Problem, s: Routes, move: Move, customer: int, budget: float
) -> tuple[int, float, float]:
    """Return the gap to insert ``customer`` into, and the two new edges.

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
    if num_free > 0 and p.round_trip[customer] < best:
        position = p.demands.shape[0] + s.free[num_free - 1]
        best = p.round_trip[customer]
        edge_in = length(p, s.nodes, position, customer)
        edge_out = best - edge_in
    for number in range(s.counts[NUM_STRINGS]):
        before = s.strings[number]["before"]
        if s.loads[s.route_of[before]] > room:
            continue
        first = length(p, s.nodes, before, customer)
        second = length(p, s.nodes, customer, s.nodes[before]["next"])
        detour = first + second - s.nodes[before]["to_next"]
        if detour < best and random_unit(s.rng) >= move.blink:
            best = detour
            position = before
            edge_in = first
            edge_out = second
    return position, edge_in, edge_out


@njit(**_INNER)
def find_position(
    p: Problem, s: Routes, move: Move, customer: int, budget: float
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
    position, edge_in, edge_out = find_gap(p, s, move, customer, best)
    if position != 0:
        best = edge_in + edge_out - s.nodes[position]["to_next"]
    to_depot = 0.5 * p.round_trip[customer]
    left = p.num_candidates
    for idx in range(p.neighbours.shape[1]):
        near = p.near[customer, idx]
        if near > move.reach * best:
            break
        node = p.neighbours[customer, idx]
        if s.loads[s.route_of[node]] > room:
            continue
        # The other end of an edge of this neighbour is the depot, or no
        # nearer than the neighbour, or it came before.
        least = near + min(near, to_depot)
        edge = s.nodes[node]["to_next"]
        if least - edge < best:
            first = near_length(p, s, node, customer, near)
            second = length(p, s.nodes, customer, s.nodes[node]["next"])
            detour = first + second - edge
            if detour < best and random_unit(s.rng) >= move.blink:
                best = detour
                position = node
                edge_in = first
                edge_out = second
        edge = s.nodes[node]["to_prev"]
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


@njit(**_INNER)
def recreate(p: Problem, s: Routes, move: Move, limit: float) -> bool:
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
        after = s.nodes[before]["next"]
        edge = s.nodes[before]["to_next"]
        s.inserted[idx]["edge"] = edge
        set_edge(s, before, customer, edge_in)
        set_edge(s, customer, after, edge_out)
        s.route_of[customer] = route
        s.loads[route] += p.demands[customer]
        s.routes[route]["size"] += 1
        s.costs[COST] += edge_in + edge_out - edge
        num_inserted += 1
    s.counts[NUM_INSERTED] = num_inserted
    return num_inserted == s.counts[NUM_REMOVED]


@njit(**_INNER)
def undo(p: Problem, s: Routes) -> None:
    """Take back the insertions and removals, the last one first.

    ``counts[NUM_FREE]`` and the cost are the caller's to restore.
    """
    for idx in range(s.counts[NUM_INSERTED] - 1, -1, -1):
        customer = s.inserted[idx]["customer"]
        node = s.nodes[customer]
        route = s.route_of[customer]
        s.loads[route] -= p.demands[customer]
        s.routes[route]["size"] -= 1
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
            load += p.demands[customer]
            last = customer
        edge = s.removed[string["end"] - 1]["to_next"]
        set_edge(s, last, string["after"], edge)
        s.loads[route_idx] += load
        s.routes[route_idx]["size"] += string["end"] - string["first"]


@njit(**_INNER)
def mark_dirty(s: Routes, node: int) -> None:
    """Remember that the successor of ``node`` may have changed."""
    if s.is_dirty[node] == 0:
        s.is_dirty[node] = 1
        s.dirty[s.counts[NUM_DIRTY]] = node
        s.counts[NUM_DIRTY] += 1


@njit(**_INNER)
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


@njit(**_INNER)
def keep_best(s: Routes) -> None:
    """Copy the changed successors into the best solution."""
    for idx in range(s.counts[NUM_DIRTY]):
        node = s.dirty[idx]
        s.best_next[node] = s.nodes[node]["next"]
        s.is_dirty[node] = 0
    s.counts[NUM_DIRTY] = 0
    s.costs[BEST_COST] = s.costs[COST]


@njit(**_OPTIONS)
def anneal(
    p: Problem,
    s: Routes,
    move: Move,
    num_iterations: int,
    temperature: float,
    cooling: float,
) -> int:
    """Run iterations of ruin and recreate; return how many were accepted.

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
    return num_accepted
