"""The method "ckm": the search of this package that suits the objective."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.local_search.search import cluster_by_search
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.clustering.capacitated_kmeans import capacitated_kmeans
from ncc_routing.core.exceptions import InfeasibleError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.ccp.plan import Plan
    from ncc_routing.ccp.search_params import AnnealingParams, SearchParams
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet


def cluster_ckm(  # noqa: PLR0913 - a deadline and a criterion
    points: PointSet,
    num_clusters: int,
    *,
    objective: str = "inertia",
    start: Priority | np.ndarray | None = None,
    effort: SearchParams | AnnealingParams | None = None,
    rng: np.random.Generator,
    deadline: Deadline | None = None,
    stop: Stop | None = None,
    plan: Plan | None = None,
) -> Clustering:
    """Cluster points under a capacity: capacitated k-means, then a search.

    "inertia" takes the local search, "cccp" and "cpmp" the annealing, with the
    phases of ``plan_clustering`` unless there are others. ``start`` is a label
    for each point, or the priority that makes the first clusters.
    ``InfeasibleError`` where a point stays without a cluster.
    """
    if start is not None and not isinstance(start, np.ndarray):
        try:
            start = capacitated_kmeans(
                *(points, num_clusters),
                priority=start,
                rng=rng,
                deadline=deadline,
            ).labels
        except InfeasibleError:
            start = None
    search: Callable[..., Clustering] = cluster_by_search
    if objective != "inertia":
        search = partial(cluster_by_annealing, objective=objective)
    return search(
        points,
        num_clusters,
        start=start,
        params=effort,
        rng=rng,
        deadline=deadline,
        stop=stop,
        plan=plan,
    )
