"""The arrays on which the compiled genetic search works.

Its nodes are those of ruin and recreate (``polishing._layout``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Unsigned indices spare the kernels the treatment of negative ones.
NODE = np.dtype(
    [
        ("to_prev", np.float64),
        ("to_next", np.float64),
        ("demand", np.int64),
        ("load", np.int64),
        ("tested", np.int64),
        ("prev", np.uint32),
        ("next", np.uint32),
        ("route", np.uint32),
        ("position", np.uint32),
        ("place", np.uint32),
    ],
    align=True,
)
"""A node of the linked routes: its edges, its demand, the load of its route up
to it, the number of moves at its last trial, its neighbours, its route, its
number on it, and its row of the matrix. It fills one cache line."""

ROUTE = np.dtype(
    [
        ("load", np.int64),
        ("changed", np.int64),
        ("tested", np.int64),
        ("size", np.int64),
    ],
    align=True,
)
"""A route: its load, the number of moves at its last change and at the last
trial of its exchanges, and its customers."""

LEAST_GAIN = 1e-5
"""What a move or a best length improves by at least: above rounding errors."""

NUM_SPOTS = 3
"""Best places of a customer in another route that SWAP* remembers."""

# Places in ``LinkedRoutes.counts``, and how many there are.
NUM_MOVES, STAMP, NUM_ROUTE_COUNTS = 0, 1, 2

# Places in ``Population.counts``: members of both kinds, free rows, offspring
# since the population began and since it last got a shorter solution, those
# since the penalty was last adapted and how many of them kept the capacity.
NUM_FEASIBLE, NUM_INFEASIBLE, NUM_FREE, NUM_BORN, NUM_IDLE = range(5)
NUM_WATCHED, NUM_WITHIN, NUM_COUNTS = 5, 6, 7

PENALTY, BEST_LENGTH, NUM_COSTS = 0, 1, 2
"""Places in ``Population.costs``: cost of a unit of load above the capacity,
and the length of the best solution."""

MIN_SIZE = 25
"""Members of a kind that survive (mu of the paper)."""

GENERATION = 40
"""Members of a kind beyond them before the worst go (lambda)."""

MAX_SIZE = MIN_SIZE + GENERATION

NUM_CLOSE = 5
"""Nearest members of its kind that the diversity of one is measured to."""


class GeneticProblem(NamedTuple):
    """What does not change during the search."""

    matrix: np.ndarray  # float64 distances (n + 1, n + 1), symmetric
    demands: np.ndarray  # int64 (n + 1,)
    capacity: int
    # uint32: the near customers of each customer, one customer after another.
    # Each is near to those that are near to it.
    neighbours: np.ndarray
    bounds: np.ndarray  # int64 (n + 2,): where those of each begin
    coords: np.ndarray  # float64 (n + 1, 2), relative to the depot, or zeros


class LinkedRoutes(NamedTuple):
    """The routes of the offspring that is being improved."""

    nodes: np.ndarray  # ``NODE`` (n + 1 + slots,)
    routes: np.ndarray  # ``ROUTE`` (slots,)
    # float64 (slots, n + 1, NUM_SPOTS): costs of the cheapest places of a
    # customer in a route; uint32 of that shape: the nodes before them.
    spot_costs: np.ndarray
    spot_nodes: np.ndarray
    # int64 (slots, n + 1): the number of moves when they were found.
    spots_made: np.ndarray
    order: np.ndarray  # uint32 (n,): customers in the order of their moves
    # float64 (n + 1,): what the removal of a customer changes, for SWAP*.
    gains: np.ndarray
    stamps: np.ndarray  # int64 (slots,): the last stamp of each route
    path: np.ndarray  # uint32 (2n + 2,): customers between two forms
    ranks: np.ndarray  # float64 (slots,): what routes are sorted by
    sorted_routes: np.ndarray  # uint32 (slots,)
    counts: np.ndarray  # int64 (NUM_ROUTE_COUNTS,)


class Tour(NamedTuple):
    """The giant tour of an offspring, and what cuts it into routes."""

    visits: np.ndarray  # uint32 (n,): all customers
    is_taken: np.ndarray  # uint8 (n + 1,): whether each is on it already
    # float64 and int64 (n + 1,): length and load up to each customer.
    lengths: np.ndarray
    loads: np.ndarray
    # float64 (slots + 1, n + 1): least cost of the first customers with some
    # number of routes; uint32 of that shape: where the last of them begins.
    least: np.ndarray
    cuts: np.ndarray


class Population(NamedTuple):
    """Solutions within the capacity and others, the best first in each."""

    visits: np.ndarray  # uint32 (rows, n): the giant tour of each
    # uint32 (rows + 1, n + 1): successor and predecessor of each customer, 0
    # for the depot. The last row is the best solution met.
    nexts: np.ndarray
    prevs: np.ndarray
    lengths: np.ndarray  # float64 (rows,)
    excesses: np.ndarray  # int64 (rows,): load above the capacity
    # float64 (rows,): rank by cost and by diversity, the lower the better.
    fitness: np.ndarray
    # int64 (rows, rows): edges that differ, among solutions of one kind.
    distances: np.ndarray
    members: np.ndarray  # int64 (2, MAX_SIZE + 1): the rows of both kinds
    free: np.ndarray  # int64 (rows,): a stack of the unused rows
    ranks: np.ndarray  # float64 (MAX_SIZE + 1,), while members are ranked
    near: np.ndarray  # float64 (NUM_CLOSE,): distances to the nearest others
    counts: np.ndarray  # int64 (NUM_COUNTS,)
    costs: np.ndarray  # float64 (NUM_COSTS,)
    rng: np.ndarray  # uint64 (1,): state of the random numbers, not 0
