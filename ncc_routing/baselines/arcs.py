"""Costs of the routes that a sweep can cut out of the giant tour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.routing._kernels import route_members
from ncc_routing.routing.tsp import solve_tsp
from ncc_routing.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.deadline import Deadline
    from ncc_routing.instance import Instance

_CHUNK_WORK = 200_000
"""Squared route sizes to work through between two looks at the clock."""


def price_arcs(
    instance: Instance,
    ring: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    rng: np.random.Generator,
    deadline: Deadline,
) -> np.ndarray:
    """Return the cost of a good route through each arc.

    The route is a local optimum of 2-opt and Or-opt: on sweeps and petals
    of generated instances kicks change the final cost by less than 0.1 %.

    Parameters
    ----------
    instance
        The instance.
    ring
        Customers in the order of the beam, twice, shape (2n,).
    starts, ends
        The arcs ``ring[start:end]``, int64 arrays of one length.
    rng
        Generator that the router takes; without kicks it draws nothing.
    deadline
        When to stop.

    Returns
    -------
    numpy.ndarray
        Costs, float64; infinite for the arcs that the deadline cut off.
    """
    costs = np.full(len(starts), np.inf)
    sizes = ends - starts
    work = np.cumsum(sizes * sizes)
    low = 0
    while low < len(starts) and not deadline.passed():
        done = work[low - 1] if low > 0 else 0
        high = max(low + 1, int(np.searchsorted(work, done + _CHUNK_WORK)))
        offsets = np.concatenate([[0], np.cumsum(sizes[low:high])])
        shifts = np.repeat(starts[low:high] - offsets[:-1], sizes[low:high])
        members = ring[np.arange(offsets[-1]) + shifts]
        route_members(
            instance.metric,
            members,
            offsets,
            0,
            rng,
            costs[low:high],
        )
        low = high
    return costs


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
        Routes that it cuts off keep their order.

    Returns
    -------
    Solution
        No route is longer than the given one.
    """
    finished: list[tuple[int, ...]] = []
    for given in routes:
        route = tuple(int(customer) for customer in given)
        if not deadline.passed():
            tour = solve_tsp(instance, route, router=router, seed=seed)
            route = min(route, tour, key=instance.route_cost)
        finished.append(route)
    return Solution.from_routes(instance, finished)
