"""First clusterings of a CCP by the scorer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.priority import ScorerPriority

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.scoring.pair_scorer import PairScorer


def point_priority(
    scorer: PairScorer,
    points: PointSet,
    num_clusters: int,
    *,
    weight: float | None = None,
) -> ScorerPriority:
    """Run the network once and return the priority of points.

    Parameters
    ----------
    scorer
        A scorer of architecture "pairs" for the CCP.
    points
        The points; their coordinates, weights and capacity count.
    num_clusters
        Number of clusters K.
    weight
        Default: the one that was calibrated with the weights.
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
"""The paper's Algorithm 2: the last fifth is sampled 64 times a round, over
eight starts."""


def first_clustering(
    scorer: PairScorer,
    points: PointSet,
    num_clusters: int,
    *,
    sampling: bool = False,
    weight: float | None = None,
    rng: np.random.Generator,
) -> np.ndarray | None:
    """Return clusters by the scorer alone, without any search.

    Parameters
    ----------
    scorer
        A scorer of architecture "pairs" for the CCP.
    points
        Points in the plane, with one capacity for all clusters.
    num_clusters
        Number of clusters K.
    sampling
        Whether the clusters take turns and the last fifth of the points is
        sampled (Algorithm 2 of the paper); else (default) one start with an
        assignment by regret.
    weight
        As in ``point_priority``.
    rng
        Source of the seeds and samples.

    Returns
    -------
    numpy.ndarray or None
        Cluster of each point; ``None`` where not every point was placed.
    """
    priority = point_priority(scorer, points, num_clusters, weight=weight)
    try:
        found = capacitated_kmeans(
            points,
            num_clusters,
            priority=priority,
            params=SAMPLING if sampling else GREEDY,
            rng=rng,
        )
    except InfeasibleError:
        return None
    return found.labels
