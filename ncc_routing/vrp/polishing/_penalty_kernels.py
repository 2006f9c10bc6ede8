"""Compiled penalties of any kind: what the moves of a search ask for.

A problem without penalties has none of this in its kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit
from numba.extending import overload

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing._layout import SameRouteTable, ZoneTable
from ncc_routing.vrp.polishing._mate_kernels import count_parted
from ncc_routing.vrp.polishing._zone_kernels import look_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.vrp.polishing._layout import Routes, RoutingProblem


def _kind_of(p: Any) -> type | None:
    """Return the class of the penalties of a type of problem."""
    kinds = dict(zip(p.fields, p.types, strict=True))
    return getattr(kinds.get("zones"), "instance_class", None)


def has_penalties(p: Any) -> bool:
    """Return whether there are any, known when compiling."""
    raise NotImplementedError


@overload(has_penalties, jit_options=INLINED, strict=False)
def _has_penalties(p: Any) -> Callable[[Any], bool]:
    is_bound = _kind_of(p) is not None
    return lambda p: is_bound


def penalty(p: Any, s: Any, customer: int, route: int) -> float:
    """Return what a customer on a route costs beside the ways.

    Where parted customers cost, it must not be counted on the route.
    """
    raise NotImplementedError


@overload(penalty, jit_options=INLINED, strict=False)
def _penalty(
    p: Any, s: Any, customer: Any, route: Any
) -> Callable[..., float]:
    kind = _kind_of(p)
    if kind is ZoneTable:
        return lambda p, s, customer, route: look_up(
            p.zones, customer, s.zone_of[route]
        )
    if kind is SameRouteTable:
        return lambda p, s, customer, route: count_parted(
            p.zones, s.num_same_route, customer, route
        )
    return lambda p, s, customer, route: 0.0


def least_penalty(p: Any, customer: int) -> float:
    """Return what a customer costs on a route of its own."""
    raise NotImplementedError


@overload(least_penalty, jit_options=INLINED, strict=False)
def _least_penalty(p: Any, customer: Any) -> Callable[..., float]:
    kind = _kind_of(p)
    if kind is ZoneTable:
        return lambda p, customer: p.zones.penalties[customer, 0]
    if kind is SameRouteTable:
        return lambda p, customer: p.zones.unit * p.zones.num_others[customer]
    return lambda p, customer: 0.0


def bind_empty(p: Any, s: Any, route: int, customer: int) -> None:
    """Bind an empty route to the zone of its first customer."""
    raise NotImplementedError


@overload(bind_empty, jit_options=INLINED, strict=False)
def _bind_empty(
    p: Any, s: Any, route: Any, customer: Any
) -> Callable[..., None]:
    if _kind_of(p) is not ZoneTable:
        return lambda p, s, route, customer: None

    def bind(p: Any, s: Any, route: Any, customer: Any) -> None:
        s.zone_of[route] = p.zones.ids[customer, 0]

    return bind


def count_mate(p: Any, s: Any, customer: int, route: int, change: int) -> None:
    """Count a customer on a route, by 1, or no longer, by -1."""
    raise NotImplementedError


@overload(count_mate, jit_options=INLINED, strict=False)
def _count_mate(
    p: Any, s: Any, customer: Any, route: Any, change: Any
) -> Callable[..., None]:
    if _kind_of(p) is not SameRouteTable:
        return lambda p, s, customer, route, change: None

    def count(p: Any, s: Any, customer: Any, route: Any, change: Any) -> None:
        zone = p.zones.zones[customer]
        if zone >= 0:
            s.num_same_route[route, zone] += change

    return count


@njit(**INLINED)
def change_route(p: RoutingProblem, s: Routes, node: int, route: int) -> None:
    """Let a node belong to another route."""
    if node < p.demands.shape[0]:
        count_mate(p, s, node, s.route_of[node], -1)
        count_mate(p, s, node, route, 1)
    s.route_of[node] = route


@njit(**INNER)
def move_path(
    p: RoutingProblem, s: Routes, first: int, last: int, a: int, b: int
) -> float:
    """Count the customers of a path on route ``b`` instead of ``a``.

    Returns by how much the penalties rise.
    """
    change = 0.0
    num_nodes = p.demands.shape[0]
    node = first
    while True:
        if node < num_nodes:
            count_mate(p, s, node, a, -1)
            change += penalty(p, s, node, b) - penalty(p, s, node, a)
            count_mate(p, s, node, b, 1)
        if node == last:
            return change
        node = s.nodes[node]["next"]


def take_back(p: Any, s: Any, first: int, last: int, a: int, b: int) -> None:
    """Count the customers of a path on route ``a`` again."""
    raise NotImplementedError


@overload(take_back, jit_options=INLINED, strict=False)
def _take_back(
    p: Any, s: Any, first: Any, last: Any, a: Any, b: Any
) -> Callable[..., None]:
    if _kind_of(p) is not SameRouteTable:
        return lambda p, s, first, last, a, b: None

    def move(p: Any, s: Any, first: Any, last: Any, a: Any, b: Any) -> None:
        move_path(p, s, first, last, b, a)

    return move


@njit(**INNER)
def penalty_of_exchange(
    p: RoutingProblem, s: Routes, first: int, last: int, other: int, end: int
) -> float:
    """Return what two paths of different routes cost more, exchanged.

    Parameters
    ----------
    p, s
        Problem and routes; they are as before at the end.
    first, last
        Ends of a path; depots do not count.
    other, end
        Ends of the other one.
    """
    a, b = s.route_of[first], s.route_of[other]
    change = move_path(p, s, first, last, a, b)
    change += move_path(p, s, other, end, b, a)
    take_back(p, s, first, last, a, b)
    take_back(p, s, other, end, b, a)
    return change
