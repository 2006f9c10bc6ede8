"""Clusters by the trained scorer: its answers, a first clustering, ckm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.ccp.ckm import cluster_ckm
from ncc_routing.ccp.local_search.search import DENSE_PAIRS
from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.priority import PriorityFormula
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.predictor import shipped_predictor
from ncc_routing.scoring.priority import MIN_CHANCE

if TYPE_CHECKING:
    from ncc_routing.ccp.local_search.search import SearchParams
    from ncc_routing.ccp.medians.annealing import AnnealingParams
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.scoring.pair_scorer import PairScorer


@dataclass(frozen=True, eq=False)
class PointPriority:
    """Log-probability of sharing a cluster, mixed with the distance.

    The priority of point i for a center with medoid m is
    weight * spacing * log P(i, m) - d(i, c).

    Parameters
    ----------
    neighbours
        Points of shape (n, k): row i for point i.
    chances
        Probabilities of the same shape.
    spacing
        Mean distance between near points.
    weight
        Weight of the logarithm, in units of the spacing.
    """

    neighbours: np.ndarray
    chances: np.ndarray
    spacing: float
    weight: float

    @classmethod
    def of(
        cls,
        scorer: PairScorer,
        points: PointSet,
        num_clusters: int,
        *,
        weight: float | None = None,
    ) -> PointPriority:
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
            points.coords, points.weights, points.capacity, points.name,
            num_clusters=num_clusters,
        )  # fmt: skip
        neighbours, chances, spacing = scorer.pair_probabilities(plain)
        if weight is None:
            weight = scorer.calibration.get("weight", 1.0)
        return cls(neighbours, chances, spacing, weight)

    @property
    def far_chance(self) -> float:
        """Probability of pairs that are not listed: that of the last ones.

        Clusters can have more points than a row has entries.
        """
        return max(MIN_CHANCE, float(self.chances[:, -1].mean()))

    def formula(self) -> PriorityFormula:
        """Return the priority in compiled form."""
        chances = np.clip(self.chances, MIN_CHANCE, 1.0)
        return PriorityFormula(
            self.neighbours.astype(np.int32),
            self.spacing * np.log(chances),
            self.spacing * float(np.log(self.far_chance)),
            float(self.weight), 0.0, 0.0, 1.0, 0.0,
        )  # fmt: skip


SCORED_PAIRS: Final = 4_000_000
"""Pairs of points and clusters up to which the scorer is asked; for the
inertia those of the dense search, ``DENSE_PAIRS``."""

SCORING_SECONDS_PER_POINT: Final = 2.5e-4
"""Time that the shipped scorer takes. It cannot be cut short."""

GREEDY: Final = KMeansParams(num_starts=1)
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
        As in ``PointPriority.of``.
    rng
        Source of the seeds and samples.

    Returns
    -------
    numpy.ndarray or None
        Cluster of each point; ``None`` where not every point was placed.
    """
    priority = PointPriority.of(scorer, points, num_clusters, weight=weight)
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


def why_unscored(
    points: PointSet, num_clusters: int, objective: str, deadline: Deadline
) -> str | None:
    """Return why the network cannot be used, or ``None`` where it can."""
    limit = DENSE_PAIRS if objective == "inertia" else SCORED_PAIRS
    for feature in points.features:
        return f"{points.name} has {feature}"
    if points.num_points * num_clusters > limit:
        return f"{points.name} has too many points and clusters"
    if deadline.remaining() < SCORING_SECONDS_PER_POINT * points.num_points:
        return f"{points.name} has too little time to score pairs"
    return None


def cluster_ncc(
    points: PointSet,
    num_clusters: int,
    *,
    objective: str = "inertia",
    sampling: bool = False,
    effort: SearchParams | AnnealingParams | None = None,
    rng: np.random.Generator,
    deadline: Deadline | None = None,
) -> Clustering:
    """Cluster points by the shipped scorer, then by the search of ckm.

    Parameters
    ----------
    points
        Points in the plane, with one capacity for all clusters.
    num_clusters, objective, effort, rng, deadline
        As for ``ckm.cluster_ckm``.
    sampling
        As for ``first_clustering``.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering.
    """
    start = first_clustering(
        shipped_predictor("ncc-ccp"),
        points,
        num_clusters,
        sampling=sampling,
        rng=rng,
    )
    return cluster_ckm(
        points,
        num_clusters,
        objective=objective,
        start=start,
        effort=effort,
        rng=rng,
        deadline=deadline,
    )
