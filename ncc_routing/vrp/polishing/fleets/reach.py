"""Customers that no route can serve.

A route takes no less than the shortest paths to a customer and back, which
may lead by way of others. The condition is necessary: it never refuses a
customer that some route can serve.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.vrp.polishing.fleets._layout import RichProblem


def out_of_reach(problem: RichProblem, suspects: Sequence[int]) -> list[int]:
    """Return those of some customers that no vehicle can serve.

    Parameters
    ----------
    problem
        The problem of the search.
    suspects
        Customers, for example those with no route of their own.
    """
    if not suspects:
        return []
    customers = np.array(suspects, dtype=np.int64)
    ways = _Ways(problem, customers)
    served = np.zeros(len(customers), dtype=bool)
    visits = problem.visits[customers]
    for vehicle in problem.vehicles:
        start, end = int(vehicle["start"]), int(vehicle["end"])
        profile = int(vehicle["profile"])
        distance = ways.distances(profile, start, end)
        there, back = ways.durations(profile, start, end)
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


class _Ways:
    """The shortest ways between depots and some customers."""

    def __init__(self, problem: RichProblem, customers: np.ndarray) -> None:
        self._problem = problem
        self._customers = customers
        self._from = cache(self._shortest)

    def distances(self, profile: int, start: int, end: int) -> np.ndarray:
        """Return the distances from the start to the end by each customer."""
        there = self._from("distances", profile, start)
        back = self._from("distances_back", profile, end)
        return np.asarray(there + back)

    def durations(
        self, profile: int, start: int, end: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the times from the start to each customer, and to the end."""
        there = self._from("durations", profile, start)
        return there, self._from("durations_back", profile, end)

    def _shortest(self, field: str, profile: int, source: int) -> np.ndarray:
        """Return the lengths of shortest ways from a place (Dijkstra)."""
        lengths = getattr(self._problem, field)[profile]
        best = lengths[source].copy()
        best[source] = 0.0
        is_open = np.ones(len(best), dtype=bool)
        for _ in range(len(best)):
            place = int(np.argmin(np.where(is_open, best, np.inf)))
            is_open[place] = False
            np.minimum(best, best[place] + lengths[place], out=best)
        return np.asarray(best[self._customers])
