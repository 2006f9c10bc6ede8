"""Costs of the routes that a sweep can cut out of the giant tour."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.tours.cluster_routes import (
    chunks,
    improve_members,
    shorten,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

MAX_TOUR = 2000
"""Routes of more customers are not improved: their matrix is too large."""

SEARCH_SHARE = 0.7
"""Share of the time for the choice of routes; the rest improves them."""


def price_arcs(
    instance: Instance,
    ring: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    deadline: TimeLimit,
) -> np.ndarray:
    """Return the cost of a good route through each arc ``ring[start:end]``.

    It is that of a local optimum of 2-opt and Or-opt: kicks change the best
    petals by less than 0.1 %. Arcs beyond ``MAX_TOUR`` customers, or after the
    deadline, cost inf.
    """
    costs = np.full(len(starts), np.inf)
    kept = np.flatnonzero(ends - starts <= MAX_TOUR)
    starts, sizes = starts[kept], (ends - starts)[kept]
    for low, high in chunks(sizes * sizes):
        if deadline.passed():
            break
        offsets = np.concatenate([[0], np.cumsum(sizes[low:high])])
        shifts = np.repeat(starts[low:high] - offsets[:-1], sizes[low:high])
        members = ring[np.arange(offsets[-1]) + shifts]
        costs[kept[low:high]] = improve_members(instance, members, offsets)
    return costs


def finish_routes(
    instance: Instance, routes: Iterable[Iterable[int]], run: Run, router: str
) -> Solution:
    """Return a solution whose routes are shorter or as they were.

    Routes of more than ``MAX_TOUR`` customers stay.
    """
    finished = [tuple(map(int, route)) for route in routes]
    numbers = [k for k, r in enumerate(finished) if len(r) <= MAX_TOUR]
    if len(numbers) < len(finished):
        logger.info("routes of over %d customers are kept.", MAX_TOUR)
    given = [finished[k] for k in numbers]
    parts = [np.array(route, dtype=np.int64) for route in given]
    tours = shorten(instance, parts, run, router)
    is_shorter = instance.route_costs(tours) < instance.route_costs(given)
    for position in np.flatnonzero(is_shorter).tolist():
        finished[numbers[position]] = tours[position]
    return Solution.from_routes(instance, finished)


def search_deadline(deadline: TimeLimit) -> TimeLimit:
    """Return when to stop choosing routes, to leave time for improving."""
    return deadline.within(SEARCH_SHARE * deadline.remaining())
