"""Customers that no route can serve.

A route takes no less than the shortest paths to a customer and back, which
may visit others. The condition is necessary: it never refuses a customer
that some route can serve.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.vrp.search.fleets._state import RichSpace


def out_of_reach(space: RichSpace, suspects: Sequence[int]) -> list[int]:
    """Return those of some kernel nodes that no vehicle can serve."""
    if not suspects:
        return []
    customers = np.array(suspects)
    served = np.zeros(len(customers), dtype=bool)
    demands = space.instance.demands[space.order[customers]]
    early, _, limit, service, release = space.visits.of(customers)

    @cache
    def paths(
        field: str, profile: int, depot: int, is_back: bool = False
    ) -> np.ndarray:
        """Return the lengths of shortest paths from a depot, or to it."""
        arcs = getattr(space, field)[profile]
        lengths = _shortest_paths(arcs.T if is_back else arcs, depot)
        return np.asarray(lengths[customers])

    types = space.instance.vehicle_types
    for kind, vehicle in zip(types, space.vehicles, strict=True):
        start, end = vehicle.start, vehicle.end
        profile = vehicle.profile
        distance = paths("distances", profile, start)
        distance = distance + paths("distances", profile, end, True)
        there = paths("durations", profile, start)
        back = paths("durations", profile, end, True)
        work = vehicle.start_duration + there + service
        work += back + vehicle.end_duration
        leave = np.maximum(vehicle.start_early, release)
        if kind.can_reload:  # it may come back for the goods
            leave = np.full_like(release, vehicle.start_early)
        arrive = leave + vehicle.start_duration + there
        begin = np.maximum(arrive, early)
        served |= (
            (demands <= vehicle.capacity)
            & (distance <= vehicle.max_distance)
            & (work <= vehicle.max_duration)
            & (leave <= vehicle.start_late)
            & (begin <= limit)
            & (begin + service + back <= vehicle.end_late)
        )
    return list(map(int, customers[~served]))


def _shortest_paths(lengths: np.ndarray, depot: int) -> np.ndarray:
    """Return the lengths of shortest paths from a depot (Dijkstra)."""
    best: np.ndarray = lengths[depot].astype(np.float64)
    best[depot] = 0.0
    is_open = np.ones(len(best), dtype=bool)
    for _ in range(len(best)):
        place = int(np.argmin(np.where(is_open, best, np.inf)))
        is_open[place] = False
        np.minimum(best, best[place] + lengths[place], out=best)
    return best
