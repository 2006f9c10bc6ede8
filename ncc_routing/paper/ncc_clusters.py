"""Clusters by the trained scorer: its answers, a first clustering, ckm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.ccp.ckm import improve_clusters
from ncc_routing.ccp.phases import SCORED_PAIRS
from ncc_routing.ccp.run import ClusterRun
from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.paper.scoring.predictor import SECONDS_PER_NODE, pair_scorer
from ncc_routing.paper.scoring.priority import ScorerPriority
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.clustering.scorers import PairScorer
    from ncc_routing.problems.ccp.clusters import Clustering


def point_priority(
    scorer: PairScorer,
    points: PointSet,
    num_clusters: int,
    *,
    weight: float | None = None,
) -> ScorerPriority:
    """Run the network once and return the priority of points.

    The default weight is the one calibrated with the network.
    """
    plain = PointSet(
        points.coords,
        points.weights,
        points.capacity,
        points.name,
        num_clusters=num_clusters,
    )
    return ScorerPriority.of(scorer, plain, weight=weight)


GREEDY: Final = KMeansParams(num_starts=1)
"""One start, with an assignment by regret."""
SAMPLING: Final = KMeansParams(
    assignment="cyclic", last_fraction=0.2, num_samples=64, max_iterations=20
)
"""The paper's Algorithm 2: cyclic, with a sampled order of the last fifth."""


def first_clustering(
    scorer: PairScorer,
    points: PointSet,
    num_clusters: int,
    *,
    sampling: bool = False,
    rng: np.random.Generator,
) -> np.ndarray | None:
    """Return clusters by the scorer alone; ``None`` if a point is left."""
    priority = point_priority(scorer, points, num_clusters)
    try:
        clustering = capacitated_kmeans(
            points,
            num_clusters,
            priority=priority,
            params=SAMPLING if sampling else GREEDY,
            rng=rng,
        )
    except InfeasibleError:
        return None
    return clustering.labels


def why_unscored(
    points: PointSet, num_clusters: int, run: ClusterRun
) -> str | None:
    """Return why the network cannot be used, or ``None`` where it can."""
    for feature in points.features:
        return f"{points.name} has {feature}"
    if points.num_points * num_clusters > SCORED_PAIRS[run.objective]:
        return f"{points.name} has too many points and clusters"
    if run.budget.remaining() < SECONDS_PER_NODE * points.num_points:
        return f"{points.name} has too little time to score pairs"
    return None


def cluster_ncc(
    points: PointSet,
    num_clusters: int,
    run: ClusterRun = ClusterRun(),
    *,
    sampling: bool = False,
) -> Clustering:
    """Cluster points by a trained scorer, then by the search of ckm.

    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering.
    """
    rng = run.generator()
    start = first_clustering(
        pair_scorer(run.scorer, "ncc-ccp"),
        points,
        num_clusters,
        sampling=sampling,
        rng=rng,
    )
    return improve_clusters(points, num_clusters, run, rng, start)
