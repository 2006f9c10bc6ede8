"""Compiled penalties of customers on routes that are bound to zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.core.compiling import INLINED, OUTER

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.vrp.polishing._layout import ZoneTable


@njit(**INLINED)
def look_up(zones: ZoneTable, customer: int, zone: int) -> float:
    """Return the penalty of a customer in a zone."""
    for idx in range(zones.ids.shape[1]):
        if zones.ids[customer, idx] == zone:
            return zones.penalties[customer, idx]
    return zones.far[customer]


@njit(**OUTER)
def bind_routes(
    zones: ZoneTable,
    nodes: np.ndarray,
    starts: np.ndarray,
    bound: np.ndarray,
    gains: np.ndarray,
) -> float:
    """Bind each route to the zone where its customers cost least.

    Parameters
    ----------
    zones
        The penalties.
    nodes, starts
        The routes, as in ``PackedRoutes``.
    bound
        Int32 array of shape (routes,): the zone of each. Filled in place.
    gains
        Zeros of shape (zones,), for the work; zeros again at the end.

    Returns
    -------
    float
        Sum of the penalties.
    """
    total = 0.0
    width = zones.ids.shape[1]
    for route in range(starts.shape[0] - 1):
        low, high = starts[route], starts[route + 1]
        bound[route] = zones.ids[nodes[low], 0]
        for idx in range(low, high):
            node = nodes[idx]
            total += zones.far[node]
            for k in range(width):
                zone = zones.ids[node, k]
                if zone < 0:
                    break
                gains[zone] += zones.far[node] - zones.penalties[node, k]
                if gains[zone] > gains[bound[route]]:
                    bound[route] = zone
        total -= gains[bound[route]]
        for idx in range(low, high):
            for k in range(width):
                zone = zones.ids[nodes[idx], k]
                if zone >= 0:
                    gains[zone] = 0.0
    return total
