"""Capacitated k-means: the algorithms of the paper in one compiled loop."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core.clustering import (
    AssignmentRule,
    KMeans,
    KMeansRules,
    Seeding,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.priority import (
    DistancePriority,
    Priority,
    formula_of,
)
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.core.text import counted

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

INITS: Final = {
    "random": Seeding.RANDOM,
    "k-means++": Seeding.KMEANS,
    "ckm++": Seeding.CKM,
    "topk": Seeding.TOP_WEIGHTS,
}
"""How first centers are chosen."""

ASSIGNMENTS: Final = {
    "sorted": AssignmentRule.SORTED,
    "cyclic": AssignmentRule.CYCLIC,
    "regret": AssignmentRule.REGRET,
}
"""How points are assigned."""


@dataclass(frozen=True)
class KMeansParams:
    """How capacitated k-means runs.

    Parameters
    ----------
    init
        First centers: "ckm++" (default; squared distance times weight),
        "k-means++", "topk" (heaviest points) or "random".
    assignment
        "sorted": pairs of point and cluster in the order of their priority
        (Algorithm 1 of the paper, Geetha et al. 2009). "cyclic": the
        clusters take turns (Algorithm 2; without a completion the paper's
        CapKMeans-alt). "regret" (default): points in the order of what they
        lose without their best cluster (Mulvey and Beck 1984).
    last_fraction
        Share alpha of the points that the cyclic assignment leaves to its
        completion: in the order of their best priority, each to the nearest
        cluster with room. Default 0.
    num_samples
        Number of completions drawn at random, softmax of the priorities,
        of which the one of least inertia counts. 1 (default) is greedy.
    num_starts
        Number of independent starts. Default 8.
    max_iterations
        Limit on the rounds of each start. Default 50.
    """

    init: str = "ckm++"
    assignment: str = "regret"
    last_fraction: float = bounded(0.0, 0.0, 1.0)
    num_samples: int = bounded(1, 1, 10_000)
    num_starts: int = bounded(8, 1, MAX_EFFORT)
    max_iterations: int = bounded(50, 1, MAX_EFFORT)

    def __post_init__(self) -> None:
        check_bounds(self)
        for field, names in (("init", INITS), ("assignment", ASSIGNMENTS)):
            require_name(field, getattr(self, field), tuple(names))

    def rules(self, num_points: int) -> KMeansRules:
        """Return what the kernels need to know."""
        return KMeansRules(
            seeding=INITS[self.init],
            assignment=ASSIGNMENTS[self.assignment],
            num_left=ceil(self.last_fraction * num_points),
            num_samples=self.num_samples,
        )


def capacitated_kmeans(
    points: PointSet,
    num_clusters: int,
    *,
    priority: Priority | None = None,
    params: KMeansParams | None = None,
    depot: np.ndarray | None = None,
    rng: np.random.Generator,
    deadline: TimeLimit | None = None,
) -> Clustering:
    """Cluster weighted points under a capacity, with a given number.

    Each start alternates an assignment by priority and a move of the
    centers to the mean of their members. The feasible clustering of least
    inertia over all rounds of all starts counts.

    Parameters
    ----------
    points
        The points, of any number of dimensions.
    num_clusters
        Number of clusters K, at most one per point.
    priority
        How strongly a point belongs to a cluster. Default
        ``DistancePriority()``.
    params
        How to run. Default ``KMeansParams()``.
    depot
        Coordinates of a depot, which counts in the mean of every cluster
        and in the priority (section 5.2 of the paper). Default: none.
    rng
        Source of the seeds and samples.
    deadline
        When to stop, checked between rounds: the first start goes on until
        a round has placed every point. Default: no limit.

    Raises
    ------
    InfeasibleError
        If no round of any start placed every point.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Algorithms 1 and 2.
    """
    params = params or KMeansParams()
    deadline = deadline or TimeLimit()
    if not 1 <= num_clusters <= points.num_points:
        raise ParameterError(
            f"num_clusters must lie in 1..{points.num_points}, "
            f"got {num_clusters}."
        )
    priority = priority or DistancePriority()
    formula = formula_of(priority, points.num_points, has_depot=False)
    search = KMeans(
        np.array(points.coords, dtype=np.float64, order="C"),
        points.weights.astype(np.float64),
        np.full(num_clusters, points.capacity, dtype=np.float64),
        None if depot is None else np.array(depot, dtype=np.float64),
        formula,
        params.rules(points.num_points),
    )
    step = 1 if deadline.is_limited() else params.max_iterations
    num_starts = 0
    while num_starts < params.num_starts:
        num_starts += 1
        search.seed(rng)
        for _ in range(0, params.max_iterations, step):
            if np.isfinite(search.best_inertia) and deadline.passed():
                break
            if search.run_rounds(step, rng):
                break
        if deadline.passed():
            break
    if not np.isfinite(search.best_inertia):
        raise InfeasibleError(
            f"{points.name}: {counted(num_starts, 'start')} found no way to "
            f"place every point in {counted(num_clusters, 'cluster')} of "
            f"capacity {points.capacity}."
        )
    return summarize(points, search.best_labels, num_clusters, "inertia")
