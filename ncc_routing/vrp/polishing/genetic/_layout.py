"""The arrays on which the compiled genetic search works.

Nodes 1..n are the customers; node n + 1 + r stands for the depot at both ends
of route r, so that each route is a ring.
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
"""A node of the rings: its edges, its demand, the load of its route up to it,
the number of moves when its moves were last tried, its neighbours, its route,
its number on it, and its row of the matrix. It fills one line of the cache."""

ROUTE = np.dtype(
    [
        ("load", np.int64),
        ("changed", np.int64),
        ("tested", np.int64),
        ("size", np.int64),
    ],
    align=True,
)
"""A route: its load, the number of moves when it last changed and when its
exchanges were last tried, and its customers."""

LEAST_GAIN = 1e-5
"""What a move or a best length has to improve by: rounding errors are
smaller."""

NUM_SPOTS = 3
"""Best places of a customer in another route that SWAP* remembers."""

# Places in ``Rings.counts``, and how many there are.
NUM_MOVES, STAMP, NUM_RING_COUNTS = 0, 1, 2

# Places in ``Population.counts``: members of both kinds, free rows, children
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


class World(NamedTuple):
    """What does not change during the search.

    Attributes
    ----------
    matrix
        Float64 distances of shape (n + 1, n + 1), symmetric.
    demands
        Int64 array of shape (n + 1,).
    capacity
        Capacity of each vehicle.
    neighbours
        Uint32 array: the near customers of each customer, one customer
        after another. Each is near to those that are near to it.
    bounds
        Int64 array of shape (n + 2,): where those of each begin.
    coords
        Float64 array of shape (n + 1, 2): places, relative to the depot;
        zeros where they are not known.
    """

    matrix: np.ndarray
    demands: np.ndarray
    capacity: int
    neighbours: np.ndarray
    bounds: np.ndarray
    coords: np.ndarray


class Rings(NamedTuple):
    """The routes of the child that is being improved.

    Attributes
    ----------
    nodes
        ``NODE`` array of shape (n + 1 + slots,).
    routes
        ``ROUTE`` array of shape (slots,).
    spot_costs
        Float64 array of shape (slots, n + 1, NUM_SPOTS): what the cheapest
        places of a customer in a route cost.
    spot_nodes
        Uint32 array of that shape: the nodes before them.
    spots_made
        Int64 array of shape (slots, n + 1): the number of moves when they
        were found.
    order
        Uint32 array of shape (n,): the customers, in the order of their
        moves.
    gains
        Float64 array of shape (n + 1,): what the removal of a customer
        changes about the length, as SWAP* looks it up.
    seen
        Int64 array of shape (slots,): the last stamp of each route.
    path
        Uint32 array of shape (2n + 2,): customers on their way from one
        form to another.
    ranks
        Float64 array of shape (slots,): what routes are sorted by.
    sorted_routes
        Uint32 array of shape (slots,).
    counts
        Int64 array of shape (NUM_RING_COUNTS,).
    """

    nodes: np.ndarray
    routes: np.ndarray
    spot_costs: np.ndarray
    spot_nodes: np.ndarray
    spots_made: np.ndarray
    order: np.ndarray
    gains: np.ndarray
    seen: np.ndarray
    path: np.ndarray
    ranks: np.ndarray
    sorted_routes: np.ndarray
    counts: np.ndarray


class Tour(NamedTuple):
    """The giant tour of a child, and what cuts it into routes.

    Attributes
    ----------
    visits
        Uint32 array of shape (n,): all customers.
    is_taken
        Uint8 array of shape (n + 1,): who is on it already.
    ways, loads
        Float64 and int64 arrays of shape (n + 1,): length and load up to
        each customer of the tour.
    least
        Float64 array of shape (slots + 1, n + 1): least cost of the first
        customers with some number of routes.
    cuts
        Uint32 array of that shape: where their last route begins.
    """

    visits: np.ndarray
    is_taken: np.ndarray
    ways: np.ndarray
    loads: np.ndarray
    least: np.ndarray
    cuts: np.ndarray


class Population(NamedTuple):
    """Solutions within the capacity and others, the best first in each.

    Attributes
    ----------
    visits
        Uint32 array of shape (rows, n): the giant tour of each.
    nexts, prevs
        Uint32 arrays of shape (rows + 1, n + 1): who follows and who
        precedes each customer, 0 for the depot. The last row is the best
        solution met.
    lengths, excesses
        Float64 and int64 arrays of shape (rows,): length, and load above
        the capacity.
    fitness
        Float64 array of shape (rows,): rank by cost and by diversity, the
        lower the better.
    distances
        Int64 array of shape (rows, rows): edges that differ, among
        solutions of the same kind.
    members
        Int64 array of shape (2, MAX_SIZE + 1): the rows of both kinds.
    free
        Int64 array of shape (rows,): a stack of the rows in no use.
    ranks
        Float64 array of shape (MAX_SIZE + 1,), while members are ranked.
    near
        Float64 array of shape (NUM_CLOSE,): distances to the nearest others.
    counts
        Int64 array of shape (NUM_COUNTS,).
    costs
        Float64 array of shape (NUM_COSTS,).
    rng
        Uint64 array of shape (1,): state of the random numbers, not 0.
    """

    visits: np.ndarray
    nexts: np.ndarray
    prevs: np.ndarray
    lengths: np.ndarray
    excesses: np.ndarray
    fitness: np.ndarray
    distances: np.ndarray
    members: np.ndarray
    free: np.ndarray
    ranks: np.ndarray
    near: np.ndarray
    counts: np.ndarray
    costs: np.ndarray
    rng: np.ndarray
