"""Costs of the routes that a sweep can cut out of the giant tour."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.routing._kernels import route_members
from ncc_routing.routing.tsp import solve_tsp
from ncc_routing.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ncc_routing.deadline import Deadline
    from ncc_routing.instance import Instance

logger = logging.getLogger(__name__)

MAX_TOUR = 2000
"""Routes of more customers are not improved: their matrix is too large."""

SEARCH_SHARE = 0.7
"""Share of the time for the choice of routes; the rest improves them."""

_CHUNK_WORK = 200_000
"""Squared route sizes to work through between two looks at the clock."""


def price_arcs(
    instance: Instance,
    ring: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    deadline: Deadline,
) -> np.ndarray:
    """Return the cost of a good route through each arc.

    The route is a local optimum of 2-opt and Or-opt: on generated instances
    kicks change the cost of the best petals by less than 0.1 %.

    Parameters
    ----------
    instance
        The instance.
    ring
        Customers in the order of the beam, twice, shape (2n,).
    starts, ends
        The arcs ``ring[start:end]``, int64 arrays of one length.
    deadline
        When to stop.

    Returns
    -------
    numpy.ndarray
        Costs, float64; infinite for the arcs that the deadline cut off, and
        for those of more than ``MAX_TOUR`` customers.
    """
    costs = np.full(len(starts), np.inf)
    kept = np.flatnonzero(ends - starts <= MAX_TOUR)
    starts, sizes = starts[kept], (ends - starts)[kept]
    for low, high in _chunks(sizes):
        if deadline.passed():
            break
        offsets = np.concatenate([[0], np.cumsum(sizes[low:high])])
        shifts = np.repeat(starts[low:high] - offsets[:-1], sizes[low:high])
        members = ring[np.arange(offsets[-1]) + shifts]
        costs[kept[low:high]] = _improve(instance, members, offsets)
    return costs


def improve_routes(
    instance: Instance, routes: Sequence[np.ndarray], deadline: Deadline
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return routes in a good order, by the compiled router, and their costs.

    Parameters
    ----------
    instance
        The instance.
    routes
        Customers of each route.
    deadline
        When to stop.

    Returns
    -------
    tuple[list[numpy.ndarray], numpy.ndarray]
        The routes that were reached in time, and their costs. All have to
        be of at most ``MAX_TOUR`` customers.
    """
    orders: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    sizes = np.array([len(route) for route in routes])
    for low, high in _chunks(sizes):
        if deadline.passed():
            break
        offsets = np.concatenate([[0], np.cumsum(sizes[low:high])])
        members = np.concatenate(routes[low:high])
        costs.append(_improve(instance, members, offsets))
        orders += np.split(members, offsets[1:-1])
    return orders, np.concatenate(costs) if costs else np.empty(0)


def finish_routes(
    instance: Instance,
    routes: Iterable[Iterable[int]],
    router: str,
    seed: int,
    deadline: Deadline,
) -> Solution:
    """Return a solution with each route replaced by a shorter round trip.

    Parameters
    ----------
    instance
        The instance.
    routes
        Customers of each route in the order of a visit.
    router, seed
        See ``routing.tsp.solve_tsp``.
    deadline
        Routes that it cuts off are only improved by 2-opt and Or-opt.

    Returns
    -------
    Solution
        No route is longer than the given one. One of more than ``MAX_TOUR``
        customers stays as it is.
    """
    finished: list[tuple[int, ...]] = []
    for given in routes:
        members = np.fromiter(given, dtype=np.int64)
        route = tuple(members.tolist())
        if len(route) > MAX_TOUR:
            logger.info("a route of %d customers is kept.", len(route))
        elif deadline.passed():
            _improve(instance, members, np.array([0, len(members)]))
            tour = tuple(members.tolist())
            route = min(route, tour, key=instance.route_cost)
        else:
            tour = solve_tsp(instance, route, router=router, seed=seed)
            route = min(route, tour, key=instance.route_cost)
        finished.append(route)
    return Solution.from_routes(instance, finished)


def search_deadline(deadline: Deadline) -> Deadline:
    """Return when to stop choosing routes, to leave time for improving."""
    return deadline.within(SEARCH_SHARE * deadline.remaining())


def _improve(
    instance: Instance, members: np.ndarray, offsets: np.ndarray
) -> np.ndarray:
    """Reorder routes in place by 2-opt and Or-opt; return their costs."""
    costs = np.empty(len(offsets) - 1)
    # Without kicks the router draws nothing from the generator.
    rng = np.random.default_rng(0)
    route_members(instance.metric, members, offsets, 0, rng, costs)
    return costs


def _chunks(sizes: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield stretches of routes that take about equally long."""
    work = np.cumsum(sizes * sizes)
    low = 0
    while low < len(sizes):
        done = work[low - 1] if low > 0 else 0
        high = int(np.searchsorted(work, done + _CHUNK_WORK, side="right"))
        high = max(low + 1, high)
        yield low, high
        low = high
