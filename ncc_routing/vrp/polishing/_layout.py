"""The arrays on which the compiled ruin and recreate works.

Nodes 1..n are the customers, in the caller's order; node n + 1 + r is the
depot at both ends of route r, so each route is a circular list.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.vrp.polishing.ruin_recreate_params import (
        RuinRecreateParams,
    )

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
"""A node of the linked routes: its place, its edges and its neighbours."""

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
    """Penalties of customers on routes that are bound to zones."""

    # int32 (n + 1, k): zones with the least penalties, least first; -1: none.
    ids: np.ndarray
    penalties: np.ndarray  # float64 (n + 1, k), in units of cost
    far: np.ndarray  # float64 (n + 1,): what every other zone costs


class SameRouteTable(NamedTuple):
    """What it costs that customers of one zone are on different routes."""

    zones: np.ndarray  # int32 (n + 1,): zone of each node, negative for none
    num_others: np.ndarray  # int32 (n + 1,): further customers of that zone
    unit: float  # cost of each of them on another route


class RoutingProblem(NamedTuple):
    """What does not change during the search."""

    matrix: np.ndarray  # float64 distances (n + 1, n + 1), or (0, 0)
    rounding: int  # kind of the ``LengthRule``
    scale: float
    shift: float
    demands: np.ndarray  # int64 (n + 1,)
    capacity: int
    neighbours: np.ndarray  # uint32 (n + 1, k), nearest first
    # float64 (n + 1, k): distances to the neighbours; -inf where a matrix
    # holds them and the triangle inequality may not hold.
    near: np.ndarray
    # Neighbours in routes with room next to which a customer is tried.
    num_candidates: int
    round_trip: np.ndarray  # float64 (n + 1,): depot -> customer -> depot
    is_symmetric: bool
    # Penalties, if any. Kernels are compiled apart for each kind.
    zones: ZoneTable | SameRouteTable | None = None


class KernelParams(NamedTuple):
    """Sizes and probabilities; see ``RuinRecreateParams``."""

    mean_removed: float  # as the formula of the paper takes it
    max_string: float
    split: float
    blink: float
    reach: float
    tolerance: float  # what a best cost has to improve by
    # Customers tried by 2-opt*, 2-opt and segment relocation after each ruin
    # and recreate, on average.
    num_tail_moves: float

    @classmethod
    def of(
        cls,
        params: RuinRecreateParams,
        tolerance: float,
        num_tail_moves: float,
    ) -> KernelParams:
        """Return what the kernels need of some parameters."""
        return cls(
            mean_removed=float(params.mean_removed),
            max_string=float(params.max_string),
            split=float(params.split),
            blink=float(params.blink),
            reach=float(params.reach),
            tolerance=tolerance,
            num_tail_moves=num_tail_moves,
        )

    @property
    def most_removed(self) -> int:
        """Customers that a ruin removes at most."""
        return math.ceil(4.0 * self.mean_removed + self.max_string) + 1


class Routes(NamedTuple):
    """The current routes, the best ones, and what an undo needs."""

    nodes: np.ndarray  # ``NODE`` (nodes,)
    # uint32 (nodes,): route of each node, the number of slots for a customer
    # without a place. Apart from ``nodes``, and the loads from ``routes``,
    # since an insertion reads these two far more often than all else: they
    # have to stay in the nearest cache.
    route_of: np.ndarray
    routes: np.ndarray  # ``ROUTE`` (slots + 1,)
    # int64 (slots + 1,). The last load exceeds every capacity: nothing fits
    # beside a customer without a place.
    loads: np.ndarray
    # int32 (slots,): zone that each route is bound to, chosen by the first
    # customer of an empty one. ``None`` without a ``ZoneTable``, so that
    # kernels that looked a zone up would not compile.
    zone_of: np.ndarray | None
    # int32 (slots, zones): customers of each zone on each route, with a
    # ``SameRouteTable`` only.
    num_same_route: np.ndarray | None
    free: np.ndarray  # uint32 (slots,): a stack of the empty routes
    best_next: np.ndarray  # uint32 (nodes,): next nodes of the best solution
    # uint32 (nodes,): nodes whose successor may differ from the best one's.
    dirty: np.ndarray
    is_dirty: np.ndarray  # uint8 (nodes,)
    removed: np.ndarray  # ``REMOVAL``
    inserted: np.ndarray  # ``INSERTION``, in the order of insertion
    strings: np.ndarray  # ``STRING``
    counts: np.ndarray  # int64 (NUM_COUNTS,)
    costs: np.ndarray  # float64 (2,): cost of the current and the best
    # uint32: the customers on these routes, of which a ruin picks its first;
    # all other customers are without a place.
    members: np.ndarray
    rng: np.ndarray  # uint64 (1,): state of the random numbers, not 0
