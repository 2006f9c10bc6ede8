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

    from ncc_routing.vrp.polishing.fleets._layout import RichProblem


def out_of_reach(problem: RichProblem, suspects: Sequence[int]) -> list[int]:
    """Return those of some customers that no vehicle can serve."""
    customers = np.array(suspects, dtype=np.int64)

    @cache
    def paths(field: str, profile: int, depot: int) -> np.ndarray:
        """Return the lengths of shortest paths from a depot (Dijkstra)."""
        lengths = getattr(problem, field)[profile]
        best = lengths[depot].copy()
        best[depot] = 0.0
        is_open = np.ones(len(best), dtype=bool)
        for _ in range(len(best)):
            place = int(np.argmin(np.where(is_open, best, np.inf)))
            is_open[place] = False
            np.minimum(best, best[place] + lengths[place], out=best)
        return np.asarray(best[customers])

    served = np.zeros(len(customers), dtype=bool)
    visits = problem.visits[customers]
    for vehicle in problem.vehicles if len(customers) else ():
        start, end = int(vehicle["start"]), int(vehicle["end"])
        profile = int(vehicle["profile"])
        distance = paths("distances", profile, start)
        distance = distance + paths("distances_back", profile, end)
        there = paths("durations", profile, start)
        back = paths("durations_back", profile, end)
        work = vehicle["start_duration"] + there + visits["service"]
        work += back + vehicle["end_duration"]
        leave = np.maximum(vehicle["start_early"], visits["release"])
        arrive = leave + vehicle["start_duration"] + there
        begin = np.maximum(arrive, visits["early"])
        served |= (
            (problem.demands[customers] <= vehicle["capacity"])
            & (distance <= vehicle["max_distance"])
            & (work <= vehicle["max_duration"])
            & (leave <= vehicle["start_late"])
            & (begin <= visits["limit"])
            & (begin + visits["service"] + back <= vehicle["end_late"])
        )
    return list(map(int, customers[~served]))
