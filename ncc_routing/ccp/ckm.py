"""The method "ckm": the search of this package that suits the objective."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ncc_routing.ccp.local_search.search import cluster_by_search
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.run import ClusterRun
from ncc_routing.clustering.capacitated_kmeans import capacitated_kmeans
from ncc_routing.core.exceptions import InfeasibleError

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet


def cluster_ckm(
    points: PointSet, num_clusters: int, run: ClusterRun = ClusterRun()
) -> Clustering:
    """Cluster points under a capacity: capacitated k-means, then a search.

    The priority of the run, where it has one, makes the first clusters.
    ``InfeasibleError`` where a point stays without a cluster.
    """
    rng, start = run.generator(), None
    if run.priority is not None:
        with suppress(InfeasibleError):
            start = capacitated_kmeans(
                *(points, num_clusters),
                priority=run.priority,
                rng=rng,
                deadline=run.budget.time_limit,
            ).labels
    return improve_clusters(points, num_clusters, run, rng, start)


def improve_clusters(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun,
    rng: np.random.Generator,
    start: np.ndarray | None,
) -> Clustering:
    """Search from a label for each point, or from clusters of its own.

    "inertia" takes the local search, "cccp" and "cpmp" the annealing, with the
    phases of the run, or those of ``plan_clustering``.
    """
    if run.objective == "inertia":
        search = partial(
            cluster_by_search,
            *(points, num_clusters, rng, run.budget),
            params=run.search,
            plan=run.plan,
        )
        try:
            return search(start=start)
        except InfeasibleError:
            if not points.more_limits:
                raise
        # The annealing may leave the limits on its way.
        clustering = cluster_by_annealing(
            *(points, num_clusters, rng, run.budget), objective="cccp"
        )
        return search(start=clustering.labels)
    return cluster_by_annealing(
        *(points, num_clusters, rng, run.budget),
        objective=run.objective,
        start=start,
        params=run.annealing,
        plan=run.plan,
    )
