"""Compiled population: who stays, by cost and by what it adds.

References
----------
T. Vidal, T. Crainic, M. Gendreau, N. Lahrichi, W. Rei (2012). A hybrid
genetic algorithm for multidepot and periodic vehicle routing problems.
Operations Research 60(3).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER, OUTER
from ncc_routing.vrp.polishing._route_kernels import random_unit
from ncc_routing.vrp.polishing.genetic._layout import (
    BEST_LENGTH,
    LEAST_GAIN,
    MAX_SIZE,
    MIN_SIZE,
    NUM_BORN,
    NUM_CLOSE,
    NUM_FEASIBLE,
    NUM_FREE,
    NUM_IDLE,
    NUM_INFEASIBLE,
    PENALTY,
    GeneticProblem,
    LinkedRoutes,
    Population,
)
from ncc_routing.vrp.polishing.genetic._route_kernels import measure
from ncc_routing.vrp.polishing.genetic._tour_kernels import join_routes

NUM_ELITES = 4
"""Members whose cost counts more than their diversity."""


@njit(**INLINED)
def cost_of(c: Population, row: int) -> float:
    """Return length and penalty of a member."""
    return c.lengths[row] + c.costs[PENALTY] * c.excesses[row]


@njit(**INNER)
def count_differences(c: Population, a: int, b: int) -> int:
    """Return how many edges of one solution the other has not.

    Each is counted by the customer that it leads to, an edge to the depot
    where it leads a route in.
    """
    found = 0
    for node in range(1, c.nexts.shape[1]):
        following = c.nexts[a, node]
        before = c.prevs[a, node]
        if following != c.nexts[b, node] and following != c.prevs[b, node]:
            found += 1
        if before == 0 and c.prevs[b, node] != 0 and c.nexts[b, node] != 0:
            found += 1
    return found


@njit(**INLINED)
def sink(c: Population, kind: int, place: int) -> None:
    """Move a member to where its cost belongs among those before it."""
    row = c.members[kind, place]
    cost = cost_of(c, row)
    while place > 0 and cost < cost_of(c, c.members[kind, place - 1]):
        c.members[kind, place] = c.members[kind, place - 1]
        place -= 1
    c.members[kind, place] = row


@njit(**INNER)
def rank_members(c: Population, kind: int) -> None:
    """Reckon the fitness of all members of a kind.

    The lower the better: the rank by cost, and the rank by the distance to
    the nearest others, which counts the more the larger the population.
    """
    size = c.counts[NUM_FEASIBLE + kind]
    for i in range(size):
        row = c.members[kind, i]
        near = c.near
        near[:] = np.inf
        for j in range(size):
            if j == i:
                continue
            distance = float(c.distances[row, c.members[kind, j]])
            place = NUM_CLOSE
            while place > 0 and distance < near[place - 1]:
                if place < NUM_CLOSE:
                    near[place] = near[place - 1]
                place -= 1
            if place < NUM_CLOSE:
                near[place] = distance
        total = 0.0
        num_near = min(NUM_CLOSE, size - 1)
        for place in range(num_near):
            total += near[place]
        c.ranks[i] = -total / max(1, num_near)
    share = max(0.0, 1.0 - NUM_ELITES / max(1, size))
    for i in range(size):
        more_diverse = 0
        for j in range(size):
            if c.ranks[j] < c.ranks[i] or (c.ranks[j] == c.ranks[i] and j < i):
                more_diverse += 1
        fitness = (i + share * more_diverse) / size
        c.fitness[c.members[kind, i]] = fitness


@njit(**INNER)
def drop_member(c: Population, kind: int, place: int) -> None:
    """Take a member out of its kind."""
    row = c.members[kind, place]
    size = c.counts[NUM_FEASIBLE + kind]
    for idx in range(place, size - 1):
        c.members[kind, idx] = c.members[kind, idx + 1]
    c.counts[NUM_FEASIBLE + kind] = size - 1
    c.free[c.counts[NUM_FREE]] = row
    c.counts[NUM_FREE] += 1


@njit(**INNER)
def drop_worst(c: Population, kind: int) -> None:
    """Take out the worst member, a double of another one before all."""
    rank_members(c, kind)
    size = c.counts[NUM_FEASIBLE + kind]
    worst = 1
    worst_fitness = -np.inf
    is_worst_double = False
    for i in range(1, size):
        row = c.members[kind, i]
        is_double = False
        for j in range(size):
            if j != i and c.distances[row, c.members[kind, j]] == 0:
                is_double = True
        fitness = c.fitness[row]
        if (is_double and not is_worst_double) or (
            is_double == is_worst_double and fitness > worst_fitness
        ):
            worst = i
            worst_fitness = fitness
            is_worst_double = is_double
    drop_member(c, kind, worst)


@njit(**INNER)
def begin_anew(c: Population) -> None:
    """Drop all members; the best solution stays known."""
    for kind in range(2):
        while c.counts[NUM_FEASIBLE + kind] > 0:
            drop_member(c, kind, 0)
    c.counts[NUM_BORN] = 0
    c.counts[NUM_IDLE] = 0


@njit(**OUTER)
def add_member(w: GeneticProblem, s: LinkedRoutes, c: Population) -> bool:
    """Let the current routes join the population.

    Returns whether they are the shortest within the capacity so far.

    Parameters
    ----------
    w
        The instance.
    s
        The routes.
    c
        The population. Modified in place.
    """
    num_nodes = w.demands.shape[0]
    length, excess = measure(w, s)
    kind = 0 if excess == 0 else 1
    c.counts[NUM_FREE] -= 1
    row = c.free[c.counts[NUM_FREE]]
    c.lengths[row] = length
    c.excesses[row] = excess
    join_routes(w, s, c.visits[row])
    for node in range(1, num_nodes):
        c.nexts[row, node] = s.nodes[s.nodes[node]["next"]]["place"]
        c.prevs[row, node] = s.nodes[s.nodes[node]["prev"]]["place"]
    size = c.counts[NUM_FEASIBLE + kind]
    for idx in range(size):
        other = c.members[kind, idx]
        found = count_differences(c, row, other)
        c.distances[row, other] = found
        c.distances[other, row] = found
    c.members[kind, size] = row
    c.counts[NUM_FEASIBLE + kind] = size + 1
    sink(c, kind, size)
    is_best = kind == 0 and length < c.costs[BEST_LENGTH] - LEAST_GAIN
    if is_best:
        c.costs[BEST_LENGTH] = length
        best = c.nexts.shape[0] - 1
        for node in range(1, num_nodes):
            c.nexts[best, node] = c.nexts[row, node]
            c.prevs[best, node] = c.prevs[row, node]
    if size + 1 > MAX_SIZE:
        while c.counts[NUM_FEASIBLE + kind] > MIN_SIZE:
            drop_worst(c, kind)
    return is_best


@njit(**INLINED)
def draw_member(c: Population, rng: np.ndarray) -> int:
    """Return the row of the fitter one of two random members."""
    num_feasible = c.counts[NUM_FEASIBLE]
    total = num_feasible + c.counts[NUM_INFEASIBLE]
    chosen = 0
    for turn in range(2):
        number = int(random_unit(rng) * total)
        if number < num_feasible:
            row = c.members[0, number]
        else:
            row = c.members[1, number - num_feasible]
        if turn == 0 or c.fitness[row] < c.fitness[chosen]:
            chosen = row
    return chosen


@njit(**INLINED)
def change_penalty(c: Population, factor: float) -> None:
    """Change the cost of load above the capacity; sort who has some."""
    c.costs[PENALTY] *= factor
    for place in range(c.counts[NUM_INFEASIBLE]):
        sink(c, 1, place)
