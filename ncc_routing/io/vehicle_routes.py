"""Routes as solution files list them: by vehicle, and by row of the file.

Route k belongs to vehicle k, and a vehicle that stays has an empty route.
Numbers count the rows of the instance from 0, so that with several depots
the first customer is not 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


class TypedRoutes(NamedTuple):
    """Routes in the terms of an instance.

    Attributes
    ----------
    routes
        Customers 1..n of each route.
    vehicle_types
        Type of each route.
    """

    routes: tuple[tuple[int, ...], ...]
    vehicle_types: tuple[int, ...]


def from_file(
    instance: Instance, routes: Sequence[Sequence[int]]
) -> TypedRoutes:
    """Return the routes of a file in the terms of an instance.

    Nothing is checked: what is no customer stays none. A route beyond the
    last vehicle gets its type. Without a fleet the routes stay as they are.

    Parameters
    ----------
    instance
        The instance.
    routes
        The routes as the file lists them, empty ones included.
    """
    if instance.fleet is None:
        kept = tuple(map(tuple, routes))
        return TypedRoutes(kept, (0,) * len(kept))
    vehicles = instance.fleet.all_vehicles(instance.num_customers)
    shift = instance.num_depots - 1
    used = [
        (
            tuple(number - shift for number in route),
            vehicles[min(place, len(vehicles) - 1)],
        )
        for place, route in enumerate(routes)
        if route
    ]
    return TypedRoutes(
        tuple(route for route, _ in used), tuple(kind for _, kind in used)
    )


def for_file(instance: Instance, solution: Solution) -> list[list[int]]:
    """Return the routes as a file lists them.

    The inverse of ``from_file``: with an empty route for each vehicle that
    stays while a later one drives.

    Parameters
    ----------
    instance
        The instance.
    solution
        Its solution. Routes for which there is no vehicle come last.
    """
    if instance.fleet is None:
        return [list(route) for route in solution.routes]
    shift = instance.num_depots - 1
    waiting: dict[int, list[list[int]]] = {}
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for route, kind in driven:
        numbers = [customer + shift for customer in route]
        waiting.setdefault(kind, []).append(numbers)
    listed: list[list[int]] = []
    left = len(solution.routes)
    for kind in instance.fleet.all_vehicles(instance.num_customers):
        if left == 0:
            break
        own = waiting.get(kind)
        listed.append(own.pop(0) if own else [])
        left -= bool(listed[-1])
    return listed + [route for own in waiting.values() for route in own]
