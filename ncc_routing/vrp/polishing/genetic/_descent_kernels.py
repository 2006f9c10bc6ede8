"""Compiled descent: moves that shorten, until there is none left."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER, OUTER
from ncc_routing.vrp.polishing._route_kernels import random_unit
from ncc_routing.vrp.polishing.genetic._layout import (
    NUM_MOVES,
    STAMP,
    GeneticProblem,
    LinkedRoutes,
)
from ncc_routing.vrp.polishing.genetic._move_kernels import (
    NOTHING,
    best_move,
    make_move,
)
from ncc_routing.vrp.polishing.genetic._route_kernels import find_empty
from ncc_routing.vrp.polishing.genetic._swap_kernels import exchange_between

NUM_TOUCHING = 6
"""Nearest customers whose routes SWAP* tries with one's own."""


@njit(**INLINED)
def shuffle(numbers: np.ndarray, rng: np.ndarray) -> None:
    """Bring numbers into a random order."""
    for idx in range(numbers.shape[0] - 1, 0, -1):
        other = int(random_unit(rng) * (idx + 1))
        number = numbers[idx]
        numbers[idx] = numbers[other]
        numbers[other] = number


@njit(**INNER)
def move_customers(
    w: GeneticProblem, s: LinkedRoutes, penalty: float, is_first: bool
) -> bool:
    """Try the moves of each customer with those near it.

    Returns whether a route changed. Moves into an empty route wait for the
    second round.
    """
    num_nodes = w.demands.shape[0]
    num_routes = s.routes.shape[0]
    has_moved = False
    empty = num_routes if is_first else find_empty(s)
    for number in range(s.order.shape[0]):
        u = s.order[number]
        tested = s.nodes[u]["tested"]
        s.nodes[u]["tested"] = s.counts[NUM_MOVES]
        idx = w.bounds[u]
        end = w.bounds[u + 1]
        if empty < num_routes:
            end += 1
        is_depot = False
        while idx < end:
            if idx == w.bounds[u + 1]:
                v = np.uint32(num_nodes + empty)
            else:
                v = w.neighbours[idx]
                if is_depot:
                    v = s.nodes[v]["prev"]
            changed = max(
                s.routes[s.nodes[u]["route"]]["changed"],
                s.routes[s.nodes[v]["route"]]["changed"],
            )
            if is_first or changed > tested or idx == w.bounds[u + 1]:
                kind, _ = best_move(w, s, u, v, penalty)
                if kind != NOTHING:
                    make_move(w, s, u, v, kind)
                    has_moved = True
                    if not is_first:
                        empty = find_empty(s)
                        end = w.bounds[u + 1]
                        if empty < num_routes:
                            end += 1
                    is_depot = False
                    idx += 1
                    continue
            # The first customer of a route stands for the depot as well.
            if (
                not is_depot
                and v < num_nodes
                and s.nodes[v]["prev"] >= num_nodes
            ):
                is_depot = True
            else:
                is_depot = False
                idx += 1
    return has_moved


@njit(**INNER)
def exchange_customers(
    w: GeneticProblem, s: LinkedRoutes, penalty: float, is_first: bool
) -> bool:
    """Try SWAP* between routes whose customers are near each other.

    Returns whether a route changed.
    """
    num_nodes = w.demands.shape[0]
    has_moved = False
    for a in range(s.routes.shape[0]):
        tested = s.routes[a]["tested"]
        s.routes[a]["tested"] = s.counts[NUM_MOVES]
        s.counts[STAMP] += 1
        stamp = s.counts[STAMP]
        u = s.nodes[num_nodes + a]["next"]
        while u < num_nodes:
            begin = w.bounds[u]
            end = min(begin + NUM_TOUCHING, w.bounds[u + 1])
            # The exchange may move u to another route.
            following = s.nodes[u]["next"]
            for idx in range(begin, end):
                b = s.nodes[w.neighbours[idx]]["route"]
                if b <= a or s.stamps[b] == stamp:
                    continue
                s.stamps[b] = stamp
                changed = max(s.routes[a]["changed"], s.routes[b]["changed"])
                if (is_first or changed > tested) and exchange_between(
                    w, s, a, b, penalty
                ):
                    has_moved = True
            if s.nodes[following]["route"] != a:
                break
            u = following
    return has_moved


@njit(**OUTER)
def descend(
    w: GeneticProblem, s: LinkedRoutes, penalty: float, rng: np.ndarray
) -> None:
    """Shorten the routes of a child until no move does any more.

    Parameters
    ----------
    w
        The instance.
    s
        The routes. Modified in place.
    penalty
        Cost of a unit of load above the capacity.
    rng
        State of the random numbers, for the order of the customers.

    References
    ----------
    T. Vidal (2022), section 3.2.
    """
    for route in range(s.routes.shape[0]):
        s.routes[route]["tested"] = -1
    shuffle(s.order, rng)
    is_first = True
    while True:
        has_moved = move_customers(w, s, penalty, is_first)
        has_moved |= exchange_customers(w, s, penalty, is_first)
        # The first round leaves out the empty routes.
        if not (has_moved or is_first):
            break
        is_first = False
