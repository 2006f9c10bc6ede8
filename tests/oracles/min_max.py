"""The largest amount of a route, and plans with at most so much."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import ncc_routing as nr
from tests.oracles.brute_force import cheapest_plan
from tests.oracles.checker import Checker

if TYPE_CHECKING:
    from collections.abc import Callable

LIMITS: Final[dict[str, Callable[[nr.VehicleType, int], dict[str, Any]]]] = {
    "duration": lambda kind, most: {
        "shift_duration": min(kind.shift_duration, most),
        "max_overtime": max(
            0,
            min(kind.shift_duration + kind.max_overtime, most)
            - min(kind.shift_duration, most),
        ),
    },
    "distance": lambda kind, most: {
        "max_distance": min(kind.max_distance, most)
    },
    "stops": lambda kind, most: {"max_stops": min(kind.max_stops, most)},
}
"""Fields of a vehicle type whose routes have at most so much."""


def cost_within(instance: nr.Instance, what: str, most: int) -> float:
    """Return the least cost of plans whose routes have at most so much.

    It is infinite where there is none.
    """
    types = tuple(
        replace(kind, **LIMITS[what](kind, most))
        for kind in instance.vehicle_types
    )
    fleet = instance.fleet or nr.Fleet(types)
    return cheapest_plan(replace(instance, fleet=replace(fleet, types=types)))


def largest(instance: nr.Instance, plan: nr.Solution, what: str) -> float:
    """Return the largest amount of a route of a plan."""
    judge = Checker(instance)
    return max(
        amount_of(judge, route, idx, what)
        for route, idx in zip(plan.routes, plan.vehicle_types, strict=True)
    )


def amount_of(
    judge: Checker, route: tuple[int, ...], idx: int, what: str
) -> float:
    """Return what a route has of an amount."""
    if what == "driving_time":
        return judge.driving(route, idx)
    if what == "duration":
        return judge.duration(route, idx)
    if what == "load":
        return judge.load_of([n for n in route if n not in judge.depots])
    if what == "stops":
        return sum(node not in judge.depots for node in route)
    distances, _ = judge.arcs_of(idx)
    kind = judge.types[idx]
    ends = judge.depot_of(kind.start_depot), judge.depot_of(kind.end_depot)
    path = [ends[0], *route, ends[1]]
    return sum(distances[tail][head] for tail, head in pairwise(path))
