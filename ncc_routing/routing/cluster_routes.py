"""Clusters turned into routes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.routing.tsp import (
    check_customers,
    resolve_router,
    route_with_kernel,
    solve_lkh,
)
from ncc_routing.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.instance import Instance


def route_clusters(
    instance: Instance,
    clusters: Sequence[Sequence[int] | np.ndarray],
    router: str = "lkh",
    seed: int = 1,
) -> Solution:
    """Return one route per cluster: a short round trip from the depot.

    Parameters
    ----------
    instance
        The instance.
    clusters
        The customers (1..n) of each cluster. Clusters may be empty; they
        get no route. ``Clustering.members()`` has this form.
    router
        As in ``solve_tsp``. "local-search" routes all clusters in one
        compiled call.
    seed
        Seed of "local-search".

    Returns
    -------
    Solution
        Routes in the order of the clusters. Capacities and the coverage of
        the customers are those of the clusters: they are not checked here.

    Raises
    ------
    ParameterError
        If the router is unknown, or a customer is repeated within all
        clusters or not one of the instance.
    """
    router = resolve_router(router)
    sizes = [len(cluster) for cluster in clusters]
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    parts = [np.asarray(cluster, dtype=np.int64) for cluster in clusters]
    members = check_customers(
        instance, np.concatenate(parts) if parts else np.empty(0)
    )
    spans = [slice(low, high) for low, high in pairwise(offsets.tolist())]
    if router == "lkh":
        return Solution.from_routes(
            instance, (solve_lkh(instance, members[span]) for span in spans)
        )
    costs = np.empty(len(spans))
    route_with_kernel(instance, members, offsets, seed, costs)
    order = members.tolist()
    routes = tuple(tuple(order[span]) for span in spans)
    return Solution(
        tuple(route for route in routes if route), float(costs.sum())
    )
