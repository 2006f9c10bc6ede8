"""Capacitated k-means of Geetha et al., as the paper's baseline runs it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.run import Run

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet


def cluster_capkmeans(
    points: PointSet,
    num_clusters: int,
    run: Run = Run(),
    *,
    alternative: bool = False,
    objective: str = "inertia",
    params: KMeansParams | None = None,
) -> Clustering:
    """Cluster points by capacitated k-means with the priority q / d.

    With ``alternative`` the clusters take turns (CapKMeans-alt); the centers
    "topk" are deterministic and run once. Geetha, Poonthalir and Vanathi
    (2009), Improved k-means algorithm for capacitated clustering problem.
    """
    points.cluster_limits(num_clusters)
    params = params or KMeansParams()
    params = replace(
        params,
        assignment="cyclic" if alternative else "sorted",
        num_starts=1 if params.init == "topk" else params.num_starts,
    )
    clustering = capacitated_kmeans(
        *(points, num_clusters),
        params=params,
        rng=run.generator(),
        deadline=run.budget.time_limit,
    )
    return summarize(points, clustering.labels, num_clusters, objective)
