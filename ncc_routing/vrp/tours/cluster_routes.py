"""Clusters turned into routes until a deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import tours as kernels
from ncc_routing.core.run import Run
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER, require_router
from ncc_routing.vrp.tours.tsp import check_customers, solve_lkh

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance

KICKS_PER_NODE = 20
"""Kicks of the built-in router per node: as good as LKH up to 30 nodes."""

ROUTER_SHARE = 0.9
"""Share of the time for the router; local search improves the routes that
the router does not reach."""

_CHUNK_WORK = 200_000
"""Squared route sizes to work through between two looks at the clock."""


def route_clusters(
    instance: Instance,
    clusters: Sequence[Sequence[int] | np.ndarray],
    run: Run = Run(),
    router: str = DEFAULT_ROUTER,
) -> Solution:
    """Return one route per cluster, in their order; empty ones get none.

    "lkh" calls LKH through elkai and is the default where that is installed.
    LKH has a fixed seed of its own. Its tours equal those of "local-search" up
    to 30 nodes, and are about 0.03 % (60 nodes) to 0.6 % (200 nodes) shorter
    beyond. Capacities and the coverage of the customers are not checked;
    unknown and repeated customers raise ``ParameterError``.
    """
    parts = [np.array(cluster, dtype=np.int64) for cluster in clusters]
    check_customers(instance, np.concatenate(parts) if parts else np.empty(0))
    routes = shorten(instance, parts, run, router)
    return Solution.from_routes(instance, routes)


def shorten(
    instance: Instance, routes: Sequence[np.ndarray], run: Run, router: str
) -> list[tuple[int, ...]]:
    """Return the customers of each route in the order of a good route.

    The router stops a little before the deadline; 2-opt and Or-opt improve the
    int64 routes it has not reached. Those that neither reaches stay.
    """
    deadline = run.budget.time_limit
    limit = deadline.within(ROUTER_SHARE * deadline.remaining())
    shortened: list[tuple[int, ...]] = []
    require_router(router)
    if router == "lkh":
        for route in routes:
            if limit.passed():
                break
            shortened.append(solve_lkh(instance, route))
    else:
        orders, _ = improve_routes(instance, routes, limit, run.generator())
        shortened += [tuple(order.tolist()) for order in orders]
    orders, _ = improve_routes(instance, routes[len(shortened) :], deadline)
    shortened += [tuple(order.tolist()) for order in orders]
    shortened += [tuple(route.tolist()) for route in routes[len(shortened) :]]
    return shortened


def improve_routes(
    instance: Instance,
    routes: Sequence[np.ndarray],
    deadline: TimeLimit,
    rng: np.random.Generator | None = None,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return routes in a good order, by the compiled router, and their costs.

    Both hold the first routes, as far as the time allows; see
    ``improve_members``.
    """
    orders: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    sizes = np.array([len(route) for route in routes], dtype=np.int64)
    kicks = 0 if rng is None else KICKS_PER_NODE
    for low, high in chunks(sizes * sizes * (1 + kicks)):
        if low > 0 and deadline.passed():
            break
        offsets = np.concatenate([[0], np.cumsum(sizes[low:high])])
        members = np.concatenate(routes[low:high])
        costs.append(improve_members(instance, members, offsets, rng))
        orders += np.split(members, offsets[1:-1])
    return orders, np.concatenate(costs) if costs else np.empty(0)


def improve_members(
    instance: Instance,
    members: np.ndarray,
    offsets: np.ndarray,
    rng: np.random.Generator | None = None,
) -> np.ndarray:
    """Reorder routes in place by 2-opt and Or-opt; return their costs.

    Route r holds ``members[offsets[r]:offsets[r + 1]]``. Without ``rng``, no
    kicks follow the local search.
    """
    costs = np.empty(len(offsets) - 1)
    kernels.route_members(
        instance.metric, members, offsets, KICKS_PER_NODE, rng, costs
    )
    return costs


def chunks(work: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield ranges of routes of about equal work, the sum of squared sizes."""
    total = np.cumsum(work)
    low = 0
    while low < len(work):
        done = total[low - 1] if low > 0 else 0
        high = int(np.searchsorted(total, done + _CHUNK_WORK, side="right"))
        high = max(low + 1, high)
        yield low, high
        low = high


def members_of(labels: np.ndarray) -> list[np.ndarray]:
    """Return the customers (1..n) of each cluster that is not empty."""
    order = np.argsort(labels, kind="stable") + 1
    sizes = np.bincount(labels)
    return np.split(order, np.cumsum(sizes[sizes > 0])[:-1])
