"""Compiled schedules and costs of whole routes, written down as paths.

A part of a route takes a least duration D if it begins within [E, L]; two
parts are joined in constant time (PyVRP calls it a duration segment). Waiting
times follow from the windows as they are; whether a route is in time, from
the limits of the visits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.core.compiling import ALLOCATING, INLINED, INNER

if TYPE_CHECKING:
    from ncc_routing.vrp.polishing.fleets._layout import RichProblem


@njit(**INLINED)
def join(
    took: float,
    early: float,
    late: float,
    way: float,
    other: tuple[float, float, float],
) -> tuple[float, float, float]:
    """Return least duration, earliest and latest start of two parts in turn.

    Parameters
    ----------
    took, early, late
        Those of the first part.
    way
        Time of the way between them.
    other
        Those of the second part, which is reached in time.
    """
    there = took + way
    wait = max(0.0, other[1] - there - late)
    return (
        there + wait + other[0],
        max(early, other[1] - there) - wait,
        min(late, other[2] - there),
    )


@njit(**INLINED)
def stop_at(p: RichProblem, node: int) -> tuple[float, float, float]:
    """Return service time, earliest and latest start of a visit."""
    visit = p.visits[node]
    return visit["service"], visit["early"], visit["late"]


@njit(**INNER)
def path_cost(p: RichProblem, path: np.ndarray, size: int, kind: int) -> float:
    """Return the cost of a route of a vehicle type, inf if it breaks a limit.

    Parameters
    ----------
    p
        The problem.
    path
        Its customers, in ``path[:size]``.
    size
        Number of customers. An empty route costs nothing.
    kind
        The vehicle type.
    """
    if size == 0:
        return 0.0
    vehicle = p.vehicles[kind]
    profile = vehicle["profile"]
    load = 0
    length = 0.0
    took = vehicle["start_duration"]
    early = vehicle["start_early"]
    late = vehicle["start_late"]
    last_start = late
    release = 0.0
    tail = vehicle["start"]
    for idx in range(size):
        node = path[idx]
        load += p.demands[node]
        length += p.distances[profile, tail, node]
        if p.is_timed:
            way = p.durations[profile, tail, node]
            if early + took + way > p.visits[node]["limit"]:
                return np.inf
            last_start = min(last_start, p.visits[node]["limit"] - took - way)
            took, early, late = join(took, early, late, way, stop_at(p, node))
            release = max(release, p.visits[node]["release"])
        tail = node
    length += p.distances[profile, tail, vehicle["end"]]
    if load > vehicle["capacity"] or length > vehicle["max_distance"]:
        return np.inf
    cost = vehicle["fixed_cost"] + vehicle["distance_cost"] * length
    if p.is_timed:
        way = p.durations[profile, tail, vehicle["end"]]
        if early + took + way > vehicle["end_late"]:
            return np.inf
        end = (
            vehicle["end_duration"],
            vehicle["end_early"],
            vehicle["end_late"],
        )
        last_start = min(last_start, vehicle["end_late"] - took - way)
        took, early, late = join(took, early, late, way, end)
        if took > vehicle["max_duration"] or release > last_start:
            return np.inf
        cost += vehicle["duration_cost"] * took
    return cost


@njit(**ALLOCATING)
def fill_singles(p: RichProblem) -> None:
    """Set ``singles``: what each customer costs alone, by vehicle type."""
    path = np.zeros(1, dtype=np.uint32)
    for kind in range(p.vehicles.shape[0]):
        for customer in range(1, p.demands.shape[0]):
            path[0] = customer
            p.singles[kind, customer] = path_cost(p, path, 1, kind)
