"""Fewer routes: the customers of the emptiest ones go to the others."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.exact_assignment import assign_exactly
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

NUM_CANDIDATES: Final = 12
"""Routes, the cheapest ones, that each customer may go to."""

MAX_PAIRS: Final = 4_000_000
"""Customers times routes up to which routes are saved: 32 MB of costs."""

MAX_SECONDS: Final = 1.0
"""Limit of HiGHS for one number of routes."""

_GAP: Final = 1e-2
"""Relative gap at which HiGHS may stop: the costs are estimates."""


def save_routes(
    instance: Instance, routes: Sequence[np.ndarray], deadline: TimeLimit
) -> list[np.ndarray]:
    """Return int64 routes that are cheaper and fewer, or the same.

    The emptiest routes are dissolved, and HiGHS assigns all customers anew to
    the others at the cost of the cheapest insertion. Where little room is
    left, it is spread over routes far from each other, and a chain of moves
    carries it to where it is needed. The assignment is made twice, since costs
    are estimates once several customers move. At first all routes beyond
    ceil(sum q / Q) are dissolved, then half as many, and so on. HiGHS has
    ``MAX_SECONDS`` for each number of routes; where that strikes, the answer
    depends on the machine.
    """
    best = [np.asarray(route) for route in routes]
    fewest = instance.min_num_routes
    if instance.num_customers * len(best) > MAX_PAIRS:
        logger.info("too many customers and routes for saving routes.")
        return best
    cost = _cost(instance, best)
    step = len(best) - fewest
    while step > 0 and not deadline.passed():
        fewer = _with_fewer(instance, best, len(best) - step, deadline)
        if fewer is not None:
            # The costs were estimates: assign anew with those of the result.
            again = _with_fewer(instance, fewer, len(fewer), deadline)
            if again is not None:
                fewer = min(fewer, again, key=partial(_cost, instance))
        if fewer is not None and _cost(instance, fewer) <= cost:
            best, cost = fewer, _cost(instance, fewer)
            step = min(step, len(best) - fewest)
        else:
            step //= 2
    return best


def _cost(instance: Instance, routes: Sequence[np.ndarray]) -> float:
    visits = [route.tolist() for route in routes]
    return float(instance.route_costs(visits).sum())


def _with_fewer(
    instance: Instance,
    routes: Sequence[np.ndarray],
    num_routes: int,
    deadline: TimeLimit,
) -> list[np.ndarray] | None:
    """Return at most ``num_routes`` routes, ``None`` where none were found."""
    loads = np.array([instance.demands[route].sum() for route in routes])
    fullest = np.sort(np.argsort(-loads, kind="stable")[:num_routes])
    kept = [routes[number] for number in fullest]
    labels = np.full(instance.num_customers, -1)
    for number, route in enumerate(kept):
        labels[route - 1] = number
    costs = _insertion_costs(instance, kept)
    incumbent = place_rest(
        labels,
        instance.demands[1:],
        instance.capacity,
        num_routes,
        costs.__getitem__,
    )
    is_complete = bool((incumbent >= 0).all())
    # The present route is a candidate even where others are cheaper.
    ranks = costs.copy()
    for known in (labels, incumbent) if is_complete else (labels,):
        here = np.flatnonzero(known >= 0)
        ranks[here, known[here]] = -np.inf
    degree = min(NUM_CANDIDATES, num_routes)
    candidates = np.argsort(ranks, axis=1, kind="stable")[:, :degree]
    assigned, _ = assign_exactly(
        np.take_along_axis(costs, candidates, axis=1),
        candidates,
        instance.demands[1:],
        np.full(num_routes, instance.capacity),
        deadline.within(MAX_SECONDS),
        incumbent=incumbent if is_complete else None,
        gap=_GAP,
    )
    if assigned is None:
        return None
    members = [np.flatnonzero(assigned == k) + 1 for k in range(num_routes)]
    members = [cluster for cluster in members if len(cluster) > 0]
    orders, _ = improve_routes(instance, members, deadline)
    return orders if len(orders) == len(members) else None


def place_rest(
    labels: np.ndarray,
    demands: np.ndarray,
    capacity: int,
    num_clusters: int,
    costs_of: Callable[[int], np.ndarray],
) -> np.ndarray:
    """Return labels with the unplaced points, largest first, placed cheaply.

    ``costs_of`` gives the cost of a point in each cluster. Where one has no
    room, it and those after it keep the label -1.
    """
    labels = labels.copy()
    placed = labels >= 0
    room = capacity - np.bincount(
        labels[placed], demands[placed], num_clusters
    )
    left = np.flatnonzero(~placed)
    for i in left[np.argsort(-demands[left], kind="stable")].tolist():
        fitting = np.flatnonzero(room >= demands[i])
        if len(fitting) == 0:
            break
        labels[i] = fitting[costs_of(i)[fitting].argmin()]
        room[labels[i]] -= demands[i]
    return labels


def _insertion_costs(
    instance: Instance, routes: Sequence[np.ndarray]
) -> np.ndarray:
    """Return the cheapest insertion of each customer on each route, (n, K).

    On the customer's own route it is that of the present place.
    """
    customers = np.arange(1, instance.num_customers + 1)
    costs = np.empty((len(customers), len(routes)))
    for k, route in enumerate(routes):
        path = np.concatenate([[0], route, [0]])
        before, after = path[:-1], path[1:]
        detours = instance.distances(before, customers)
        detours += instance.distances(customers, after).T
        detours -= instance.lengths(before, after)[:, None]
        costs[:, k] = detours.min(axis=0)
        costs[route - 1, k] = (
            instance.lengths(before[:-1], route)
            + instance.lengths(route, after[1:])
            - instance.lengths(before[:-1], after[1:])
        )
    return costs
