"""Compiled cost of customers of one zone who are parted.

Counts of them on each route make it exact, move by move: a route need not be
bound to a zone, and what a customer costs there changes with who joins it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.core.compiling import INLINED, OUTER

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.vrp.polishing._layout import SameRouteTable


@njit(**INLINED)
def count_parted(
    mates: SameRouteTable,
    num_same_route: np.ndarray,
    customer: int,
    route: int,
) -> float:
    """Return what it costs that others of the zone are not on a route."""
    zone = mates.zones[customer]
    if zone < 0:
        return 0.0
    parted = mates.num_others[customer] - num_same_route[route, zone]
    return mates.unit * parted


@njit(**OUTER)
def count_mates(
    mates: SameRouteTable,
    nodes: np.ndarray,
    starts: np.ndarray,
    num_same_route: np.ndarray,
) -> float:
    """Count the customers of each zone on each route.

    Parameters
    ----------
    mates
        The zones.
    nodes, starts
        The routes, as in ``PackedRoutes``.
    num_same_route
        Zeros of shape (slots, zones). Filled in place.

    Returns
    -------
    float
        Cost of the parted pairs.
    """
    for route in range(starts.shape[0] - 1):
        for idx in range(starts[route], starts[route + 1]):
            zone = mates.zones[nodes[idx]]
            if zone >= 0:
                num_same_route[route, zone] += 1
    parted = 0
    for route in range(starts.shape[0] - 1):
        for idx in range(starts[route], starts[route + 1]):
            zone = mates.zones[nodes[idx]]
            if zone >= 0:
                parted += mates.num_others[nodes[idx]] + 1
                parted -= num_same_route[route, zone]
    return 0.5 * mates.unit * parted
