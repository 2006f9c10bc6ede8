"""Compiled schedules of linked routes with vehicles of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit
from numba.extending import overload

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing._layout import COST, NUM_ITERATIONS, NUM_STRINGS
from ncc_routing.vrp.polishing._route_kernels import edge_length
from ncc_routing.vrp.polishing.fleets._layout import (
    NUM_TOUCHED,
    RichProblem,
    RichRoutes,
)
from ncc_routing.vrp.polishing.fleets._path_kernels import join, stop_at

if TYPE_CHECKING:
    from collections.abc import Callable


@njit(**INLINED)
def distance(p: RichProblem, route: int, i: int, j: int) -> float:
    """Return the distance from a node to the next one of a route."""
    num_nodes = p.demands.shape[0]
    vehicle = p.vehicles[p.type_of[route]]
    tail = i if i < num_nodes else vehicle["start"]
    head = j if j < num_nodes else vehicle["end"]
    return p.distances[vehicle["profile"], tail, head]


@overload(edge_length, jit_options=INLINED, strict=False)
def _edge_length(
    p: Any, s: Any, i: Any, j: Any
) -> Callable[..., float] | None:
    """Measure an edge by the vehicle of its route."""
    if getattr(p, "instance_class", None) is not RichProblem:
        return None
    return lambda p, s, i, j: distance(p, s.route_of[i], i, j)


@njit(**INLINED)
def lead_time(p: RichProblem, s: RichRoutes, route: int, node: int) -> float:
    """Return the time of the way to a node from its predecessor."""
    before = s.nodes[node]["prev"]
    if s.nodes[node]["lead_from"] != before or p.durations.shape[0] > 1:
        num_nodes = p.demands.shape[0]
        vehicle = p.vehicles[p.type_of[route]]
        tail = before if before < num_nodes else vehicle["start"]
        head = node if node < num_nodes else vehicle["end"]
        s.nodes[node]["lead"] = p.durations[vehicle["profile"], tail, head]
        s.nodes[node]["lead_from"] = before
    return s.nodes[node]["lead"]


@njit(**INLINED)
def push_ready(p: RichProblem, s: RichRoutes, route: int, first: int) -> None:
    """Find the earliest times from ``first`` on until nothing changes."""
    num_nodes = p.demands.shape[0]
    node = first
    ready = s.nodes[s.nodes[node]["prev"]]["ready"]
    while node < num_nodes:
        begin = ready + lead_time(p, s, route, node)
        begin = max(begin, p.visits[node]["early"])
        ready = begin + p.visits[node]["service"]
        if ready == s.nodes[node]["ready"] and node != first:
            return
        s.nodes[node]["ready"] = ready
        node = s.nodes[node]["next"]
    lead_time(p, s, route, node)


@njit(**INLINED)
def push_latest(p: RichProblem, s: RichRoutes, route: int, last: int) -> None:
    """Find the latest times from ``last`` back until nothing changes.

    The ways are known: ``push_ready`` comes first.
    """
    num_nodes = p.demands.shape[0]
    node = last
    after = s.nodes[node]["next"]
    while node < num_nodes:
        latest = s.nodes[after]["latest"] - s.nodes[after]["lead"]
        latest = min(
            latest - p.visits[node]["service"], p.visits[node]["limit"]
        )
        if latest < p.visits[node]["early"]:
            latest = -np.inf  # any arrival here is late further on
        if latest == s.nodes[node]["latest"] and node != last:
            return
        s.nodes[node]["latest"] = latest
        after = node
        node = s.nodes[node]["prev"]


@njit(**INNER)
def measure_heads(p: RichProblem, s: RichRoutes, route: int) -> None:
    """Set what the way to each node takes, and the duration of the route."""
    num_nodes = p.demands.shape[0]
    vehicle = p.vehicles[p.type_of[route]]
    depot = num_nodes + route
    took = vehicle["start_duration"]
    early = vehicle["start_early"]
    late = vehicle["start_late"]
    limit = late
    release = 0.0
    node = s.nodes[depot]["next"]
    while node < num_nodes:
        way = lead_time(p, s, route, node)
        limit = min(limit, p.visits[node]["limit"] - took - way)
        took, early, late = join(took, early, late, way, stop_at(p, node))
        release = max(release, p.visits[node]["release"])
        s.nodes[node]["ready"] = early + took
        s.segments[node]["head_duration"] = took
        s.segments[node]["head_late"] = late
        s.segments[node]["head_limit"] = limit
        node = s.nodes[node]["next"]
    way = lead_time(p, s, route, depot)
    end = vehicle["end_duration"], vehicle["end_early"], vehicle["end_late"]
    took, early, late = join(took, early, late, way, end)
    s.routes[route]["duration"] = took
    s.routes[route]["release"] = release


@njit(**INNER)
def measure_tails(p: RichProblem, s: RichRoutes, route: int) -> None:
    """Set what the way from each node on takes; after ``measure_heads``."""
    num_nodes = p.demands.shape[0]
    vehicle = p.vehicles[p.type_of[route]]
    after = num_nodes + route
    took = vehicle["end_duration"]
    early = vehicle["end_early"]
    latest = vehicle["end_late"]
    node = s.nodes[after]["prev"]
    while node < num_nodes:
        way = s.nodes[after]["lead"]
        service, opens, closes = stop_at(p, node)
        latest = min(p.visits[node]["limit"], latest - (service + way))
        rest = took, early, latest
        took, early, _ = join(service, opens, closes, way, rest)
        if latest < opens:
            latest = -np.inf  # any arrival here is late further on
        s.nodes[node]["latest"] = latest
        s.segments[node]["tail_duration"] = took
        s.segments[node]["tail_early"] = early
        after = node
        node = s.nodes[node]["prev"]


@njit(**INNER)
def refresh(p: RichProblem, s: RichRoutes, route: int) -> None:
    """Set times and cost of a route whose links and edges are right."""
    num_nodes = p.demands.shape[0]
    kind = p.type_of[route]
    vehicle = p.vehicles[kind]
    depot = num_nodes + route
    if s.routes[route]["size"] == 0:
        s.open_route[kind] = route
        s.routes[route]["cost"] = 0.0
        s.routes[route]["distance"] = 0.0
        s.routes[route]["duration"] = 0.0
        s.routes[route]["release"] = 0.0
        return
    length = 0.0
    node = depot
    while True:
        length += s.nodes[node]["to_next"]
        node = s.nodes[node]["next"]
        if node == depot:
            break
    cost = vehicle["fixed_cost"] + vehicle["distance_cost"] * length
    if p.counts_duration:
        measure_heads(p, s, route)
        measure_tails(p, s, route)
        cost += vehicle["duration_cost"] * s.routes[route]["duration"]
    elif p.is_timed:
        # Old values would let the pushes end too early.
        node = s.nodes[depot]["next"]
        while node != depot:
            s.nodes[node]["ready"] = np.nan
            s.nodes[node]["latest"] = np.nan
            node = s.nodes[node]["next"]
        push_ready(p, s, route, s.nodes[depot]["next"])
        push_latest(p, s, route, s.nodes[depot]["prev"])
    s.routes[route]["distance"] = length
    s.routes[route]["cost"] = cost


@njit(**INLINED)
def keeps_limits(p: RichProblem, s: RichRoutes, route: int) -> bool:
    """Whether a route with its times set breaks no limit but the load's."""
    if s.routes[route]["size"] == 0:
        return True
    depot = p.demands.shape[0] + route
    vehicle = p.vehicles[p.type_of[route]]
    if s.routes[route]["distance"] > vehicle["max_distance"]:
        return False
    if not p.is_timed:
        return True
    first = s.nodes[depot]["next"]
    slack = s.nodes[first]["latest"] - s.nodes[first]["lead"]
    if s.nodes[depot]["ready"] > slack:
        return False
    if not p.counts_duration:
        return True
    late = min(vehicle["start_late"], slack - vehicle["start_duration"])
    return (
        s.routes[route]["duration"] <= vehicle["max_duration"]
        and s.routes[route]["release"] <= late
    )


@njit(**INLINED)
def all_keep_limits(p: RichProblem, s: RichRoutes) -> bool:
    """Whether no touched route breaks a limit.

    Without the triangle inequality a ruin may leave a longer way.
    """
    for idx in range(s.counts[NUM_TOUCHED]):
        if not keeps_limits(p, s, s.touched[idx]):
            return False
    return True


@njit(**INLINED)
def touch(s: RichRoutes, route: int) -> None:
    """Remember that an iteration changes a route."""
    iteration = s.counts[NUM_ITERATIONS]
    if s.routes[route]["touched"] != iteration:
        s.routes[route]["touched"] = iteration
        s.touched[s.counts[NUM_TOUCHED]] = route
        s.counts[NUM_TOUCHED] += 1


@njit(**INLINED)
def settle_ruined(p: RichProblem, s: RichRoutes, cost: float) -> None:
    """Set times and costs after a ruin; ``cost`` is that before it."""
    for number in range(s.counts[NUM_STRINGS]):
        touch(s, s.route_of[s.strings[number]["before"]])
    for idx in range(s.counts[NUM_TOUCHED]):
        route = s.touched[idx]
        cost -= s.routes[route]["cost"]
        refresh(p, s, route)
        cost += s.routes[route]["cost"]
    s.costs[COST] = cost


@njit(**INLINED)
def settle_undone(p: RichProblem, s: RichRoutes, cost: float) -> None:
    """Set times and costs after an undo; ``cost`` is that of the routes."""
    for idx in range(s.counts[NUM_TOUCHED]):
        refresh(p, s, s.touched[idx])
    s.costs[COST] = cost


@njit(**INLINED)
def insertion_cost(
    p: RichProblem, s: RichRoutes, customer: int, before: int, budget: float
) -> float:
    """Return the cost of inserting a customer behind a node, in O(1).

    The route of that node has room, and is not empty. Infinite where a
    limit of time or distance is broken, or the cost is not below
    ``budget``.
    """
    num_nodes = p.demands.shape[0]
    route = s.route_of[before]
    after = s.nodes[before]["next"]
    vehicle = p.vehicles[p.type_of[route]]
    profile = vehicle["profile"]
    tail = before if before < num_nodes else vehicle["start"]
    head = after if after < num_nodes else vehicle["end"]
    added = (
        p.distances_back[profile, customer, tail]
        + p.distances[profile, customer, head]
        - s.nodes[before]["to_next"]
    )
    cost = vehicle["distance_cost"] * added
    if cost >= budget and not p.counts_duration:
        return np.inf
    length = s.routes[route]["distance"] + added
    if p.limits_distance and length > vehicle["max_distance"]:
        return np.inf
    if not p.is_timed:
        return cost
    there = p.durations_back[profile, customer, tail]
    begin = s.nodes[before]["ready"] + there
    if begin > p.visits[customer]["limit"]:
        return np.inf
    onward = p.visits[customer]["service"]
    onward += p.durations[profile, customer, head]
    begin = max(begin, p.visits[customer]["early"])
    if begin + onward > s.nodes[after]["latest"]:
        return np.inf
    if not p.counts_duration:
        return cost
    took = s.segments[before]["head_duration"]
    limit = p.visits[customer]["limit"] - took - there
    limit = min(limit, s.segments[before]["head_limit"])
    took, early, late = join(
        took,
        s.nodes[before]["ready"] - took,
        s.segments[before]["head_late"],
        there,
        stop_at(p, customer),
    )
    rest = (
        s.segments[after]["tail_duration"],
        s.segments[after]["tail_early"],
        s.nodes[after]["latest"],
    )
    way = p.durations[profile, customer, head]
    limit = min(limit, s.nodes[after]["latest"] - took - way)
    took, early, late = join(took, early, late, way, rest)
    if took > vehicle["max_duration"]:
        return np.inf
    release = max(s.routes[route]["release"], p.visits[customer]["release"])
    if release > limit:
        return np.inf
    cost += vehicle["duration_cost"] * (took - s.routes[route]["duration"])
    return cost if cost < budget else np.inf
