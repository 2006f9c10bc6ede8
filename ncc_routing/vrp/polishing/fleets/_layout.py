"""The arrays of ruin and recreate for fleets, depots and time windows.

As for the plain problem (``_layout``): nodes 1..n are the customers, and node
n + 1 + r stands for the depots at both ends of route r. A route belongs to
one vehicle, and a vehicle to one type, whatever becomes of its customers.
Places are nodes 0..n and then the further depots.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NODE = np.dtype(
    [
        ("to_prev", np.float64),
        ("to_next", np.float64),
        ("ready", np.float64),
        ("latest", np.float64),
        ("lead", np.float64),
        ("prev", np.uint32),
        ("next", np.uint32),
        ("lead_from", np.uint32),
    ],
    align=True,
)
"""A node of the rings: the distances to its neighbours, and its times.

Its vehicle can leave it at ``ready`` at the earliest, and has to begin the
service at ``latest`` at the latest if the rest of the route is to be in time.
``lead`` is the time of the way from ``lead_from``, mostly the predecessor.
"""

SEGMENT = np.dtype(
    [
        ("head_duration", np.float64),
        ("head_late", np.float64),
        ("head_limit", np.float64),
        ("tail_duration", np.float64),
        ("tail_early", np.float64),
    ],
    align=True,
)
"""What the way from the depot to a node, and that from the node to the
depot, take at least, and when they begin at the latest or the earliest for
it. After ``head_limit`` the way to the node is late somewhere."""

VISIT = np.dtype(
    [
        ("early", np.float64),
        ("late", np.float64),
        ("limit", np.float64),
        ("service", np.float64),
        ("release", np.float64),
    ],
    align=True,
)
"""When the service of a customer may begin, how long it takes, and when the
goods are at the depot. Arrivals are compared with ``limit``: that is ``late``
and the tolerance for sums that are rounded."""

ROUTE = np.dtype(
    [
        ("size", np.int64),
        ("ruined", np.int64),
        ("touched", np.int64),
        ("cost", np.float64),
        ("duration", np.float64),
        ("distance", np.float64),
        ("release", np.float64),
    ],
    align=True,
)
"""A route: its customers, the iterations that last ruined and touched it,
and what it costs and takes."""

VEHICLE = np.dtype(
    [
        ("capacity", np.int64),
        ("fixed_cost", np.float64),
        ("distance_cost", np.float64),
        ("duration_cost", np.float64),
        ("max_distance", np.float64),
        ("max_duration", np.float64),
        ("start_duration", np.float64),
        ("start_early", np.float64),
        ("start_late", np.float64),
        ("end_duration", np.float64),
        ("end_early", np.float64),
        ("end_late", np.float64),
        ("start", np.uint32),
        ("end", np.uint32),
        ("profile", np.uint32),
        ("first_route", np.int64),
        ("end_route", np.int64),
    ],
    align=True,
)
"""A vehicle type: costs and limits, what leaving the depot and coming back
take and when they may begin, the places of both, and its routes. Where sums
are rounded, ``end_late`` and the largest distance and duration include the
tolerance."""

# Places in ``RichRoutes.counts`` behind those of ``_layout``.
NUM_TOUCHED, NUM_ABSENT, NUM_RICH_COUNTS = 6, 7, 8


class RichProblem(NamedTuple):
    """What does not change during the search.

    Attributes
    ----------
    distances, distances_back
        Float64 arrays of shape (profiles, places, places): the way from the
        first place to the second one, and the way back. One array if the
        distances are symmetric.
    durations, durations_back
        The times of these ways; the same arrays where times are distances.
    demands
        Int64 array of shape (n + 1,).
    visits
        ``VISIT`` array of shape (n + 1,).
    vehicles
        ``VEHICLE`` array of shape (types,).
    type_of
        Uint32 array of shape (routes + 1,): type of each route.
    capacities
        Int64 array of shape (routes + 1,).
    singles
        Float64 array of shape (types, n + 1): cost of a customer alone on a
        route, inf where that breaks a limit.
    round_trip
        Float64 array of shape (n + 1,): the least of the ways from a depot
        to the customer and back.
    neighbours
        Uint32 array of shape (n + 1, k), nearest first.
    near
        Float64 array of shape (n + 1, k): how near they are, in costs.
    num_candidates
        Neighbours in routes with room next to which a customer is tried.
    is_metric
        Whether no insertion saves anything.
    is_symmetric
        Whether a way back is as long as the way there.
    is_timed
        Whether there are times at all.
    counts_duration
        Whether durations cost something or are limited, or goods are
        released later on.
    limits_distance
        Whether distances are limited.
    """

    distances: np.ndarray
    distances_back: np.ndarray
    durations: np.ndarray
    durations_back: np.ndarray
    demands: np.ndarray
    visits: np.ndarray
    vehicles: np.ndarray
    type_of: np.ndarray
    capacities: np.ndarray
    singles: np.ndarray
    round_trip: np.ndarray
    neighbours: np.ndarray
    near: np.ndarray
    num_candidates: int
    is_metric: bool
    is_symmetric: bool
    is_timed: bool
    counts_duration: bool
    limits_distance: bool


class RichRoutes(NamedTuple):
    """The current routes, the best ones, and what an undo needs.

    Attributes
    ----------
    nodes
        ``NODE`` array of shape (nodes,).
    segments
        ``SEGMENT`` array of shape (nodes,).
    routes
        ``ROUTE`` array of shape (routes + 1,).
    touched
        Uint32 array of shape (routes,): those touched by an iteration.
    open_route
        Uint32 array of shape (types,): an empty route of each type, if
        it still is, or the number of routes.
    absent
        Uint32 array of shape (n + 1,): customers without a place.
    absences
        Int64 array of shape (n + 1,): how often each was absent.
    path, other_path
        Uint32 arrays of shape (n + 1,): customers of a route in the making.
    route_of, loads, free, best_next, dirty, is_dirty, removed, inserted,
    strings, counts, costs, members, rng
        As in ``_layout.Routes``.
    """

    nodes: np.ndarray
    segments: np.ndarray
    route_of: np.ndarray
    routes: np.ndarray
    loads: np.ndarray
    free: np.ndarray
    touched: np.ndarray
    open_route: np.ndarray
    absent: np.ndarray
    absences: np.ndarray
    path: np.ndarray
    other_path: np.ndarray
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
