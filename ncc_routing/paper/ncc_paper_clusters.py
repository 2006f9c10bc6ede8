"""Clusters of points as the paper makes them: its network, Algorithm 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.ccp.run import ClusterRun
from ncc_routing.clustering.objectives import inertia_of, summarize
from ncc_routing.core.exceptions import InfeasibleError, OutOfTimeError
from ncc_routing.core.text import counted
from ncc_routing.paper.scored_kmeans import ScoredKMeans
from ncc_routing.paper.scored_params import ScoredKMeansParams
from ncc_routing.paper.scoring.center_predictor import (
    MAX_PAIRS,
    SECONDS_PER_NODE,
    center_scorer,
)
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.problems.ccp.clusters import Clustering


def why_unscored(
    points: PointSet, num_clusters: int, run: ClusterRun
) -> str | None:
    """Return why the method cannot be used, or ``None`` where it can."""
    for feature in points.features:
        return f"{points.name} has {feature}"
    if points.num_points * num_clusters > MAX_PAIRS:
        return f"{points.name} has too many points and clusters"
    if run.budget.remaining() < SECONDS_PER_NODE * points.num_points:
        return f"{points.name} has too little time to score centers"
    return None


def cluster_ncc_paper(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun = ClusterRun(),
    *,
    sampling: bool = False,
    params: ScoredKMeansParams | None = None,
) -> Clustering:
    """Cluster points by scores for centers; the objective judges the rounds.

    The deadline does not cut the network short. Algorithm 2 of Falkner and
    Schmidt-Thieme (2023), Neural Capacitated Clustering.
    """
    deadline, objective = run.budget.time_limit, run.objective
    scaled = PointSet(
        *(points.coords, points.weights, points.capacity, points.name),
        num_clusters=num_clusters,
    )

    def price(labels: np.ndarray, count: int) -> float:
        if objective == "inertia":
            return inertia_of(points.coords, labels, count)
        return summarize(scaled, labels, count, objective).cost

    scores = center_scorer(run.scorer, "ncc-paper-ccp").encode(scaled)
    params = params or ScoredKMeansParams()
    search = ScoredKMeans(scaled, scores, price, params, is_sampled=sampling)
    clustering = search.run(
        num_clusters, num_clusters, run.generator(), deadline
    )
    if clustering is None:
        kind = OutOfTimeError if deadline.passed() else InfeasibleError
        raise kind(
            f"{points.name}: no start placed every point in "
            f"{counted(num_clusters, 'cluster')} of capacity "
            f"{points.capacity}."
        )
    return summarize(points, clustering.labels, num_clusters, objective)
