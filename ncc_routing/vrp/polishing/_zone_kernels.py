"""Compiled penalties of customers on routes that are bound to zones.

A problem without zones has none of this in its kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit, types
from numba.extending import overload

from ncc_routing.core.compiling import INLINED, INNER, OUTER

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from ncc_routing.vrp.polishing._layout import (
        Problem,
        Routes,
        ZoneTable,
    )


@njit(**INLINED)
def look_up(zones: ZoneTable, customer: int, zone: int) -> float:
    """Return the penalty of a customer in a zone."""
    for idx in range(zones.ids.shape[1]):
        if zones.ids[customer, idx] == zone:
            return zones.penalties[customer, idx]
    return zones.far[customer]


def _knows_zones(p: Any) -> bool:
    """Return whether a type of problem has a table of zones."""
    kinds = dict(zip(p.fields, p.types, strict=True))
    return kinds.get("zones", types.none) is not types.none


def has_zones(p: Any) -> bool:
    """Return whether routes are bound to zones, known when compiling."""
    raise NotImplementedError


@overload(has_zones, jit_options=INLINED, strict=False)
def _has_zones(p: Any) -> Callable[[Any], bool]:
    is_bound = _knows_zones(p)
    return lambda p: is_bound


def penalty(p: Any, s: Any, customer: int, route: int) -> float:
    """Return what a customer on a route costs beside the ways."""
    raise NotImplementedError


@overload(penalty, jit_options=INLINED, strict=False)
def _penalty(
    p: Any, s: Any, customer: Any, route: Any
) -> Callable[..., float]:
    if not _knows_zones(p):
        return lambda p, s, customer, route: 0.0
    return lambda p, s, customer, route: look_up(
        p.zones, customer, s.zone_of[route]
    )


def least_penalty(p: Any, customer: int) -> float:
    """Return what a customer costs in the zone that suits it best."""
    raise NotImplementedError


@overload(least_penalty, jit_options=INLINED, strict=False)
def _least_penalty(p: Any, customer: Any) -> Callable[..., float]:
    if not _knows_zones(p):
        return lambda p, customer: 0.0
    return lambda p, customer: p.zones.penalties[customer, 0]


def bind_empty(p: Any, s: Any, route: int, customer: int) -> None:
    """Bind an empty route to the zone of its first customer."""
    raise NotImplementedError


@overload(bind_empty, jit_options=INLINED, strict=False)
def _bind_empty(
    p: Any, s: Any, route: Any, customer: Any
) -> Callable[..., None]:
    if not _knows_zones(p):
        return lambda p, s, route, customer: None

    def bind(p: Any, s: Any, route: Any, customer: Any) -> None:
        s.zone_of[route] = p.zones.ids[customer, 0]

    return bind


@njit(**INNER)
def penalty_of_moving(
    p: Problem, s: Routes, first: int, last: int, route: int
) -> float:
    """Return what the customers of a path cost more on another route.

    Parameters
    ----------
    p, s
        Problem and routes.
    first, last
        Ends of the path; a depot at the end does not count.
    route
        The other route.
    """
    change = 0.0
    num_nodes = p.demands.shape[0]
    node = first
    while True:
        if node < num_nodes:
            change += penalty(p, s, node, route)
            change -= penalty(p, s, node, s.route_of[node])
        if node == last:
            return change
        node = s.nodes[node]["next"]


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
