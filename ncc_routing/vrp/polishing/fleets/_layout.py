"""The arrays of ruin and recreate for fleets, depots and time windows.

As in ``_layout``, node n + 1 + r is the depots of route r. A route always
belongs to one vehicle, and a vehicle to one type. Places are nodes 0..n and
then the further depots.
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
"""A node of the linked routes: the distances to its neighbours, and its times.
Its vehicle can leave it at ``ready`` at the earliest, and serves it by
``latest`` if the rest of the route is to be in time. ``lead`` is the travel
time from ``lead_from``, mostly the predecessor."""

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
"""The least durations of the path from the depot to a node (head) and from it
to the depot (tail), and the latest and the earliest start that keep them. A
start after ``head_limit`` is late somewhere."""

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
"""When a service may begin, its length, and when goods are at the depot;
arrivals are compared with ``limit``: ``late`` and the tolerance of rounded
sums."""

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
"""A vehicle type: costs and limits, the times and places of both ends, and its
routes. Where sums are rounded, ``end_late`` and the largest distance and
duration include the tolerance."""

# Places in ``RichRoutes.counts`` behind those of ``_layout``.
NUM_TOUCHED, NUM_ABSENT, NUM_RICH_COUNTS = 6, 7, 8


class RichProblem(NamedTuple):
    """What does not change during the search."""

    # float64 (profiles, places, places): from the first place to the second
    # and from the second to the first; one array if they are symmetric.
    distances: np.ndarray
    distances_back: np.ndarray
    durations: np.ndarray  # likewise; the same arrays where times are lengths
    durations_back: np.ndarray
    demands: np.ndarray  # int64 (n + 1,)
    visits: np.ndarray  # ``VISIT`` (n + 1,)
    vehicles: np.ndarray  # ``VEHICLE`` (types,)
    type_of: np.ndarray  # uint32 (routes + 1,): type of each route
    capacities: np.ndarray  # int64 (routes + 1,)
    # float64 (types, n + 1): cost of a customer alone on a route, inf where
    # that breaks a limit.
    singles: np.ndarray
    round_trip: np.ndarray  # float64 (n + 1,): depot -> customer -> depot
    neighbours: np.ndarray  # uint32 (n + 1, k), nearest first
    near: np.ndarray  # float64 (n + 1, k): how near they are, in costs
    # Neighbours in routes with room next to which a customer is tried.
    num_candidates: int
    is_metric: bool  # whether no insertion saves anything
    is_symmetric: bool
    is_timed: bool  # whether there are times at all
    # Whether durations cost something or are limited, or goods are released
    # later on.
    counts_duration: bool
    limits_distance: bool


class RichRoutes(NamedTuple):
    """The routes, the best ones, and an undo; see ``_layout.Routes``."""

    nodes: np.ndarray  # ``NODE`` (nodes,)
    segments: np.ndarray  # ``SEGMENT`` (nodes,)
    route_of: np.ndarray
    routes: np.ndarray  # ``ROUTE`` (routes + 1,)
    loads: np.ndarray
    free: np.ndarray
    touched: np.ndarray  # uint32 (routes,): those touched by an iteration
    # uint32 (types,): an empty route of each type, or the number of routes.
    open_route: np.ndarray
    absent: np.ndarray  # uint32 (n + 1,): customers without a place
    absences: np.ndarray  # int64 (n + 1,): how often each was absent
    path: np.ndarray  # uint32 (n + 1,): customers of a route in the making
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
