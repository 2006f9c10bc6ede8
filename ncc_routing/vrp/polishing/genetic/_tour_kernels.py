"""Compiled giant tours: crossing two of them, and cutting one into routes."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing._route_kernels import random_unit
from ncc_routing.vrp.polishing.genetic._layout import (
    NUM_MOVES,
    GeneticProblem,
    LinkedRoutes,
    Tour,
)
from ncc_routing.vrp.polishing.genetic._route_kernels import (
    lay_route,
    overload,
)

MOST_FILLED = 1.5
"""Load of a route at most, in capacities, when a tour is cut."""


@njit(**INNER)
def cross_tours(
    first: np.ndarray, second: np.ndarray, t: Tour, rng: np.ndarray
) -> None:
    """Take a piece of one tour, and the others in the order of a second.

    References
    ----------
    Order crossover (OX); C. Prins (2004). A simple and effective
    evolutionary algorithm for the vehicle routing problem. Computers &
    Operations Research 31(12).
    """
    size = first.shape[0]
    begin = int(random_unit(rng) * size)
    length = 1 + int(random_unit(rng) * size)
    t.is_taken[:] = 0
    for step in range(length):
        idx = (begin + step) % size
        t.visits[idx] = first[idx]
        t.is_taken[first[idx]] = 1
    place = begin + length
    for step in range(size):
        customer = second[(begin + length + step) % size]
        if t.is_taken[customer] == 0:
            t.visits[place % size] = customer
            place += 1


@njit(**INLINED)
def measure_tour(w: GeneticProblem, t: Tour) -> None:
    """Add up ways and loads along the tour, from its first customer on."""
    t.lengths[0] = 0.0
    t.loads[0] = 0
    last = t.visits[0]
    for idx in range(t.visits.shape[0]):
        customer = t.visits[idx]
        step = w.matrix[last, customer] if idx > 0 else 0.0
        t.lengths[idx + 1] = t.lengths[idx] + step
        t.loads[idx + 1] = t.loads[idx] + w.demands[customer]
        last = customer


@njit(**INNER)
def extend_routes(
    w: GeneticProblem, t: Tour, before: int, after: int, penalty: float
) -> None:
    """Let a route follow every way to serve the first customers.

    Parameters
    ----------
    w
        The instance.
    t
        The tour; the row ``before`` of ``least`` is read, ``after`` written.
    before, after
        Rows; the same one where the number of routes does not count.
    penalty
        Cost of a unit of load above the capacity.
    """
    size = t.visits.shape[0]
    most = MOST_FILLED * w.capacity
    for begin in range(size):
        if t.least[before, begin] == np.inf:
            continue
        first = t.visits[begin]
        fixed = t.least[before, begin] + w.matrix[0, first]
        fixed -= t.lengths[begin + 1]
        for end in range(begin + 1, size + 1):
            load = t.loads[end] - t.loads[begin]
            if load > most:
                break
            cost = fixed + t.lengths[end] + w.matrix[t.visits[end - 1], 0]
            cost += penalty * overload(w, load)
            if cost < t.least[after, end]:
                t.least[after, end] = cost
                t.cuts[after, end] = begin


@njit(**INNER)
def count_cuts(t: Tour) -> int:
    """Return how many routes the cuts of row 0 make."""
    end = t.visits.shape[0]
    number = 0
    while end > 0:
        end = t.cuts[0, end]
        number += 1
    return number


@njit(**INNER)
def cut_tour(
    w: GeneticProblem, s: LinkedRoutes, t: Tour, penalty: float
) -> None:
    """Cut the tour into routes at the least cost, and lay them out.

    Where the best cut makes too many routes, the best one with as many as
    there may be; they carry all that is left if need be.

    References
    ----------
    C. Prins (2004), procedure Split.
    """
    size = t.visits.shape[0]
    slots = s.routes.shape[0]
    # What was looked up for other routes counts no more.
    s.counts[NUM_MOVES] += 1
    measure_tour(w, t)
    t.least[0, 0] = 0.0
    t.least[0, 1:] = np.inf
    extend_routes(w, t, 0, 0, penalty)
    number = count_cuts(t)
    is_limited = number > slots
    if is_limited:
        t.least[0, 1:] = np.inf
        number = 0
        for row in range(1, slots + 1):
            t.least[row, :] = np.inf
            extend_routes(w, t, row - 1, row, penalty)
            if t.least[row, size] < t.least[number, size]:
                number = row
    is_cut = number > 0
    used = 0
    end = size
    for idx in range(size):
        s.path[idx] = t.visits[idx]
    while is_cut and end > 0:
        begin = t.cuts[number, end] if is_limited else t.cuts[0, end]
        lay_route(w, s, used, begin, end)
        end = begin
        number -= 1
        used += 1
    if not is_cut:
        # Too few routes even where each is overfull: as even as it goes.
        for used in range(slots):
            lay_route(
                w, s, used, used * size // slots, (used + 1) * size // slots
            )
        used = slots
    for route in range(used, slots):
        lay_route(w, s, route, 0, 0)


@njit(**INNER)
def join_routes(
    w: GeneticProblem, s: LinkedRoutes, visits: np.ndarray
) -> None:
    """Write all routes as one tour, by the direction of their middles."""
    num_nodes = w.demands.shape[0]
    for route in range(s.routes.shape[0]):
        x = 0.0
        y = 0.0
        node = s.nodes[num_nodes + route]["next"]
        while node < num_nodes:
            x += w.coords[node, 0]
            y += w.coords[node, 1]
            node = s.nodes[node]["next"]
        rank = np.arctan2(y, x)
        s.ranks[route] = rank
        place = route
        while place > 0 and rank < s.ranks[s.sorted_routes[place - 1]]:
            s.sorted_routes[place] = s.sorted_routes[place - 1]
            place -= 1
        s.sorted_routes[place] = route
    end = 0
    for place in range(s.routes.shape[0]):
        node = s.nodes[num_nodes + s.sorted_routes[place]]["next"]
        while node < num_nodes:
            visits[end] = node
            end += 1
            node = s.nodes[node]["next"]
