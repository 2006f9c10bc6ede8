"""The arrays on which the compiled ruin and recreate works.

Nodes 1..n are the customers, in an order of the caller's choice; node
n + 1 + r stands for the depot at both ends of route r, so that each route is
a ring and no position is a special case.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

# The records of the arrays in ``Routes``. Unsigned indices spare the kernels
# the treatment of negative ones.
NODE = np.dtype(
    [
        ("x", np.float64),
        ("y", np.float64),
        ("to_prev", np.float64),
        ("to_next", np.float64),
        ("prev", np.uint32),
        ("next", np.uint32),
    ],
    align=True,
)
"""A node of the rings: its place, its edges and its neighbours."""

ROUTE = np.dtype([("size", np.int64), ("ruined", np.int64)], align=True)
"""A route: customers on it, and the iteration that last ruined it."""

REMOVAL = np.dtype(
    [
        ("customer", np.uint32),
        ("to_prev", np.float64),
        ("to_next", np.float64),
    ],
    align=True,
)
"""A removed customer with the edges that it lost."""

INSERTION = np.dtype(
    [("customer", np.uint32), ("key", np.float64), ("edge", np.float64)],
    align=True,
)
"""A customer to insert, its rank, and the edge that it broke."""

STRING = np.dtype(
    [
        ("first", np.int64),
        ("end", np.int64),
        ("before", np.uint32),
        ("after", np.uint32),
    ],
    align=True,
)
"""Positions in ``Routes.removed``, and the nodes around the gap."""

# Places in ``Routes.counts``, and how many there are.
NUM_FREE, NUM_REMOVED, NUM_INSERTED, NUM_STRINGS, NUM_DIRTY = range(5)
NUM_ITERATIONS, NUM_COUNTS = 5, 6

COST, BEST_COST = range(2)
"""Places in ``Routes.costs``."""


class ZoneTable(NamedTuple):
    """Penalties of customers on routes that are bound to zones.

    Attributes
    ----------
    ids
        Int32 array of shape (n + 1, k): the zones of each node with the
        least penalties, these first; -1 where there are fewer.
    penalties
        Float64 array of shape (n + 1, k): what they cost, in units of cost.
    far
        Float64 array of shape (n + 1,): what every other zone costs.
    """

    ids: np.ndarray
    penalties: np.ndarray
    far: np.ndarray


class MateTable(NamedTuple):
    """What it costs to part customers of one zone.

    Attributes
    ----------
    zones
        Int32 array of shape (n + 1,): the zone of each node, negative for
        none.
    num_others
        Int32 array of shape (n + 1,): further customers of that zone.
    unit
        Cost of each of them on another route.
    """

    zones: np.ndarray
    num_others: np.ndarray
    unit: float


class Problem(NamedTuple):
    """What does not change during the search.

    Attributes
    ----------
    matrix
        Float64 distances of shape (n + 1, n + 1), or (0, 0).
    rounding
        Kind of the ``LengthRule``.
    scale, shift
        Its numbers.
    demands
        Int64 array of shape (n + 1,).
    capacity
        Capacity of each vehicle.
    neighbours
        Uint32 array of shape (n + 1, k), nearest first.
    near
        Float64 array of shape (n + 1, k): distances to the neighbours;
        -inf where a matrix holds them and the triangle inequality may not
        hold.
    num_candidates
        Neighbours in routes with room next to which a customer is tried.
    round_trip
        Float64 array of shape (n + 1,): depot -> customer -> depot.
    is_symmetric
        Whether the way back is as long as the way there.
    zones
        Penalties of customers on routes, or of parted ones; ``None`` where
        there are none. Kernels are compiled apart for each.
    """

    matrix: np.ndarray
    rounding: int
    scale: float
    shift: float
    demands: np.ndarray
    capacity: int
    neighbours: np.ndarray
    near: np.ndarray
    num_candidates: int
    round_trip: np.ndarray
    is_symmetric: bool
    zones: ZoneTable | MateTable | None = None


class Move(NamedTuple):
    """Sizes and probabilities of a move.

    Attributes
    ----------
    mean_removed
        Mean number of removed customers, as the paper's formula takes it.
    max_string
        Longest string.
    split
        Probability that customers inside a string stay.
    blink
        Probability that a position is overlooked.
    reach
        Neighbours further away than this many times the least detour so
        far are not tried.
    tolerance
        What a best cost has to improve by.
    num_tail_moves
        Customers that moves of tails and segments join to others after each
        ruin and recreate, on average.
    """

    mean_removed: float
    max_string: float
    split: float
    blink: float
    reach: float
    tolerance: float
    num_tail_moves: float

    @property
    def most_removed(self) -> int:
        """Customers that a ruin removes at most."""
        return math.ceil(4.0 * self.mean_removed + self.max_string) + 1


class Routes(NamedTuple):
    """The current routes, the best ones, and what an undo needs.

    Attributes
    ----------
    nodes
        ``NODE`` array of shape (nodes,): place, and neighbours in the ring.
    route_of
        Uint32 array of shape (nodes,): route of each node, the number of
        slots for a customer without a place. Beside ``nodes``, and the
        loads beside ``routes``, since an insertion looks up these two far
        more often than all else: they have to stay in the nearest cache.
    routes
        ``ROUTE`` array of shape (slots + 1,).
    loads
        Int64 array of shape (slots + 1,): load of each route. That of the
        extra one exceeds every capacity: nothing fits beside a customer
        without a place.
    zone_of
        Int32 array of shape (slots,): the zone that each route is bound to.
        That of an empty one is chosen by its first customer. ``None``
        where there are no zones: kernels that looked one up would not
        compile.
    num_mates
        Int32 array of shape (slots, zones): customers of each zone on each
        route, where parted ones cost. Else ``None``.
    free
        Uint32 array of shape (slots,): a stack of the empty routes.
    best_next
        Uint32 array of shape (nodes,): next nodes of the best solution.
    dirty
        Uint32 array of shape (nodes,): nodes whose successor may differ
        from the best solution's.
    is_dirty
        Uint8 array of shape (nodes,).
    removed
        ``REMOVAL`` array: customers with the edges that they lost.
    inserted
        ``INSERTION`` array of the same shape: customers in the order of
        their insertion, with the length of the edge that each broke.
    strings
        ``STRING`` array of the same shape: first and end position in
        ``removed``, and the nodes before and after the string.
    counts
        Int64 array of shape (NUM_COUNTS,).
    costs
        Float64 array of shape (2,): cost of the current and the best.
    members
        Uint32 array: the customers on these routes, from whom a ruin picks
        its first; all other customers are without a place.
    rng
        Uint64 array of shape (1,): state of the random numbers, not 0.
    """

    nodes: np.ndarray
    route_of: np.ndarray
    routes: np.ndarray
    loads: np.ndarray
    zone_of: np.ndarray | None
    num_mates: np.ndarray | None
    free: np.ndarray
    best_next: np.ndarray
    dirty: np.ndarray
    is_dirty: np.ndarray
    removed: np.ndarray
    inserted: np.ndarray
    strings: np.ndarray
    counts: np.ndarray
    costs: np.ndarray
    members: np.ndarray
    rng: np.ndarray
