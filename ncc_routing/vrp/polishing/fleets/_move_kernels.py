"""Compiled moves of tails, segments and vehicles, judged route by route.

The new routes are written down, and their schedules and costs found by one
walk each; most moves fall out before that by the edges that they exchange.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing._layout import BEST_COST, COST, KernelParams
from ncc_routing.vrp.polishing._route_kernels import keep_best, random_unit
from ncc_routing.vrp.polishing._segment_kernels import MAX_SEGMENT
from ncc_routing.vrp.polishing._tail_kernels import NUM_NEAR, SEGMENT_SHARE
from ncc_routing.vrp.polishing.fleets._path_kernels import path_cost
from ncc_routing.vrp.polishing.fleets._recreate_kernels import empty_route
from ncc_routing.vrp.polishing.fleets._rewriting_kernels import (
    append,
    append_segment,
    install,
    replace_routes,
)
from ncc_routing.vrp.polishing.fleets._route_kernels import distance

if TYPE_CHECKING:
    from ncc_routing.vrp.polishing.fleets._layout import (
        RichProblem,
        RichRoutes,
    )

VEHICLE_SHARE = 0.1
"""Share of the moves that exchange vehicles, where there are several types."""


@njit(**INLINED)
def costs_alike(p: RichProblem, a: int, b: int) -> bool:
    """Whether edges alone tell what an exchange between two routes costs."""
    one = p.vehicles[p.type_of[a]]
    other = p.vehicles[p.type_of[b]]
    return (
        one["duration_cost"] == 0.0
        and other["duration_cost"] == 0.0
        and one["distance_cost"] == other["distance_cost"]
        and one["profile"] == other["profile"]
        and one["end"] == other["end"]
        and one["start"] == other["start"]
    )


@njit(**INLINED)
def is_late(p: RichProblem, s: RichRoutes, route: int, i: int, j: int) -> bool:
    """Whether no vehicle of a type can go from ``i`` on to ``j`` in time."""
    if not p.is_timed:
        return False
    num_nodes = p.demands.shape[0]
    if i >= num_nodes or j >= num_nodes:
        return False
    way = p.durations[p.vehicles[p.type_of[route]]["profile"], i, j]
    return s.nodes[i]["ready"] + way > s.nodes[j]["latest"]


@njit(**INNER)
def swap_tails(
    p: RichProblem, s: RichRoutes, i: int, j: int, limit: float
) -> float:
    """Join ``i`` to ``j`` and what came before ``j`` to what came after ``i``.

    Returns the change of the cost, or ``limit`` where nothing changed.
    """
    num_nodes = p.demands.shape[0]
    a = s.route_of[i]
    b = s.route_of[j]
    after = s.nodes[i]["next"]
    before = s.nodes[j]["prev"]
    if costs_alike(p, a, b):
        lost = s.nodes[i]["to_next"] + s.nodes[j]["to_prev"]
        unit = p.vehicles[p.type_of[a]]["distance_cost"]
        near = distance(p, a, i, j)
        if unit * (near - lost) >= limit and p.is_metric:
            return limit
        far = 0.0
        if before < num_nodes or after < num_nodes:
            far = distance(p, b, before, after)
        if unit * (near + far - lost) >= limit and (
            before < num_nodes or after < num_nodes
        ):
            return limit
    if is_late(p, s, a, i, j) or is_late(p, s, b, before, after):
        return limit
    depot_a = num_nodes + a
    depot_b = num_nodes + b
    size = append(s, s.path, 0, s.nodes[depot_a]["next"], i, True)
    size = append(s, s.path, size, j, s.nodes[depot_b]["prev"], True)
    other = append(s, s.other_path, 0, s.nodes[depot_b]["next"], before, True)
    other = append(
        s, s.other_path, other, after, s.nodes[depot_a]["prev"], True
    )
    return replace_routes(p, s, (size, other), (a, b), limit)


@njit(**INNER)
def cross_heads(
    p: RichProblem, s: RichRoutes, i: int, j: int, limit: float
) -> float:
    """Join ``i`` to ``j`` and what follows ``i`` to what follows ``j``.

    The way from the depot to ``j`` is turned round, and so is the way that
    followed ``i``. Returns the change of the cost, or ``limit`` where
    nothing changed.
    """
    num_nodes = p.demands.shape[0]
    a = s.route_of[i]
    b = s.route_of[j]
    after_i = s.nodes[i]["next"]
    after_j = s.nodes[j]["next"]
    if costs_alike(p, a, b) and p.is_metric:
        lost = s.nodes[i]["to_next"] + s.nodes[j]["to_next"]
        unit = p.vehicles[p.type_of[a]]["distance_cost"]
        if unit * (distance(p, a, i, j) - lost) >= limit:
            return limit
    depot_a = num_nodes + a
    depot_b = num_nodes + b
    size = append(s, s.path, 0, s.nodes[depot_a]["next"], i, True)
    size = append(s, s.path, size, j, s.nodes[depot_b]["next"], False)
    other = append(
        s, s.other_path, 0, s.nodes[depot_a]["prev"], after_i, False
    )
    other = append(
        s, s.other_path, other, after_j, s.nodes[depot_b]["prev"], True
    )
    return replace_routes(p, s, (size, other), (a, b), limit)


@njit(**INNER)
def turn_segment(
    p: RichProblem, s: RichRoutes, i: int, j: int, limit: float
) -> float:
    """Join ``i`` to ``j`` in their route, and the nodes behind them (2-opt).

    Returns the change of the cost, or ``limit`` where nothing changed.
    """
    route = s.route_of[i]
    depot = p.demands.shape[0] + route
    first = s.nodes[depot]["next"]
    size = append(s, s.path, 0, first, s.nodes[depot]["prev"], True)
    low = high = 0
    for idx in range(size):
        if s.path[idx] == i:
            low = idx
        elif s.path[idx] == j:
            high = idx
    low, high = min(low, high) + 1, max(low, high)
    if low >= high:
        return limit
    while low < high:
        s.path[low], s.path[high] = s.path[high], s.path[low]
        low += 1
        high -= 1
    change = path_cost(p, s.path, size, p.type_of[route])
    change -= s.routes[route]["cost"]
    if change >= limit:
        return limit
    install(p, s, s.path, size, route)
    return change


@njit(**INNER)
def shift_segment(
    p: RichProblem, s: RichRoutes, i: int, j: int, limit: float
) -> float:
    """Move a random segment that begins or ends with ``i`` next to ``j``.

    It is turned round where that makes ``i`` and ``j`` neighbours. Returns
    the change of the cost, or ``limit`` where nothing changed (Or-opt).
    """
    num_nodes = p.demands.shape[0]
    a = s.route_of[i]
    b = s.route_of[j]
    forward = random_unit(s.rng) < 0.5
    span = random_unit(s.rng)
    left = int(span * span * MAX_SEGMENT)
    k = i
    load = p.demands[i]
    while left > 0:
        node = s.nodes[k]["next"] if forward else s.nodes[k]["prev"]
        if node >= num_nodes or node == j:
            break
        k = node
        load += p.demands[k]
        left -= 1
    if a != b and s.loads[b] + load > p.capacities[b]:
        return limit
    first = i if forward else k
    last = k if forward else i
    # Behind j comes i, or before it: the segment is turned where it must.
    follows = random_unit(s.rng) < 0.5
    if p.is_timed or not p.is_symmetric:
        follows = forward
    spot = j if follows else s.nodes[j]["prev"]
    behind = s.nodes[j]["next"] if follows else j
    if a == b and (spot in (first, last) or behind in (first, last)):
        return limit
    if costs_alike(p, a, b):
        unit = p.vehicles[p.type_of[a]]["distance_cost"]
        near = distance(p, b, j, i) if follows else distance(p, b, i, j)
        lost = s.nodes[first]["to_prev"] + s.nodes[last]["to_next"]
        lost += s.nodes[spot]["to_next"]
        if p.is_metric and unit * (near - lost) >= limit:
            return limit
    if a != b and (
        follows == forward
        and (is_late(p, s, b, spot, first) or is_late(p, s, b, last, behind))
    ):
        return limit
    # The rest of the route of i, then the route of j with the segment.
    depot_a = num_nodes + a
    size = append(
        s, s.path, 0, s.nodes[depot_a]["next"], s.nodes[first]["prev"], True
    )
    size = append(
        s,
        s.path,
        size,
        s.nodes[last]["next"],
        s.nodes[depot_a]["prev"],
        True,
    )
    if a != b:
        depot_b = num_nodes + b
        other = append(
            s, s.other_path, 0, s.nodes[depot_b]["next"], spot, True
        )
        other = append_segment(s, other, first, last, follows == forward)
        other = append(
            s, s.other_path, other, behind, s.nodes[depot_b]["prev"], True
        )
        return replace_routes(p, s, (size, other), (a, b), limit)
    other = 0
    if spot >= num_nodes:
        other = append_segment(s, other, first, last, follows == forward)
    is_found = spot >= num_nodes
    for idx in range(size):
        s.other_path[other] = s.path[idx]
        other += 1
        if s.path[idx] == spot:
            other = append_segment(s, other, first, last, follows == forward)
            is_found = True
    if not is_found:  # j lies inside the segment
        return limit
    change = path_cost(p, s.other_path, other, p.type_of[a])
    change -= s.routes[a]["cost"]
    if change >= limit:
        return limit
    install(p, s, s.other_path, other, a)
    return change


@njit(**INNER)
def exchange_vehicles(
    p: RichProblem, s: RichRoutes, i: int, limit: float
) -> float:
    """Split the route of ``i`` behind it, or exchange it with another one.

    The vehicles that suit the new routes best drive them. Returns the
    change of the cost, or ``limit`` where nothing changed.
    """
    num_nodes = p.demands.shape[0]
    slots = s.free.shape[0]
    a = s.route_of[i]
    depot = num_nodes + a
    first = s.nodes[depot]["next"]
    last = s.nodes[depot]["prev"]
    if random_unit(s.rng) < 0.5:
        kind = int(random_unit(s.rng) * p.vehicles.shape[0])
        b = empty_route(p, s, kind)
        if b == slots:
            return limit
        size = append(s, s.path, 0, first, i, True)
        other = append(s, s.other_path, 0, s.nodes[i]["next"], last, True)
        return replace_routes(p, s, (size, other), (a, b), limit)
    j = s.members[int(random_unit(s.rng) * s.members.shape[0])]
    b = s.route_of[j]
    if b == slots or p.type_of[b] == p.type_of[a]:
        return limit
    size = append(s, s.path, 0, first, last, True)
    depot = num_nodes + b
    first = s.nodes[depot]["next"]
    last = s.nodes[depot]["prev"]
    other = append(s, s.other_path, 0, first, last, True)
    return replace_routes(p, s, (size, other), (a, b), limit)


@njit(**INNER)
def move_routes(
    p: RichProblem, s: RichRoutes, move: KernelParams, temperature: float
) -> None:
    """Try one move at the temperature of the annealing.

    Parameters
    ----------
    p
        The problem.
    s
        The routes. Modified in place.
    move
        Its tolerance counts for the best solution.
    temperature
        Temperature, in units of cost.
    """
    slots = s.free.shape[0]
    i = s.members[int(random_unit(s.rng) * s.members.shape[0])]
    width = min(NUM_NEAR, p.neighbours.shape[1])
    j = p.neighbours[i, int(random_unit(s.rng) * width)]
    a = s.route_of[i]
    b = s.route_of[j]
    if a == slots or b == slots or i == j:
        return
    limit = -temperature * np.log(1.0 - random_unit(s.rng))
    turns = p.is_symmetric and not p.is_timed
    kind = random_unit(s.rng)
    if p.vehicles.shape[0] > 1 and random_unit(s.rng) < VEHICLE_SHARE:
        change = exchange_vehicles(p, s, i, limit)
    elif kind < SEGMENT_SHARE:
        change = shift_segment(p, s, i, j, limit)
    elif a == b:
        change = turn_segment(p, s, i, j, limit) if turns else limit
    elif turns and kind < SEGMENT_SHARE + 0.5 * (1.0 - SEGMENT_SHARE):
        change = cross_heads(p, s, i, j, limit)
    else:
        change = swap_tails(p, s, i, j, limit)
    if change < limit:
        s.costs[COST] += change
        if s.costs[COST] < s.costs[BEST_COST] - move.tolerance:
            keep_best(s)
