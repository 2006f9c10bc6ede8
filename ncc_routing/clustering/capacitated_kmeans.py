"""Capacitated k-means: the algorithms of the paper in one compiled loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering._kmeans_kernels import run_starts
from ncc_routing.clustering.priority import DistancePriority
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.problems.clusters import Clustering

if TYPE_CHECKING:
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.problems.points import PointSet

INITS = ("random", "k-means++", "ckm++", "topk")
ASSIGNMENTS = ("sorted", "cyclic", "regret")


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
        cluster with room. In [0, 1], default 0.
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
    last_fraction: float = 0.0
    num_samples: int = 1
    num_starts: int = 8
    max_iterations: int = 50

    def __post_init__(self) -> None:
        for field, names in (("init", INITS), ("assignment", ASSIGNMENTS)):
            value = getattr(self, field)
            if value not in names:
                raise ParameterError(
                    f"{field} must be one of {', '.join(names)}, "
                    f"got {value!r}."
                )
        if not 0.0 <= self.last_fraction <= 1.0:
            raise ParameterError(
                f"last_fraction must lie in [0, 1], got {self.last_fraction}."
            )
        for field in ("num_samples", "num_starts", "max_iterations"):
            if getattr(self, field) < 1:
                raise ParameterError(
                    f"{field} must be >= 1, got {getattr(self, field)}."
                )


def capacitated_kmeans(
    points: PointSet,
    num_clusters: int,
    *,
    priority: Priority | None = None,
    params: KMeansParams | None = None,
    depot: np.ndarray | None = None,
    rng: np.random.Generator,
) -> Clustering:
    """Cluster weighted points under a capacity, with a given number.

    Each start alternates an assignment by priority and a move of the
    centers to the mean of their members. The feasible clustering of least
    inertia over all rounds of all starts is kept.

    Parameters
    ----------
    points
        The points.
    num_clusters
        Number of clusters K, at most one per point.
    priority
        How strongly a point belongs to a cluster. Default
        ``DistancePriority()``.
    params
        How to run. Default ``KMeansParams()``.
    depot
        Coordinates of a depot, which then counts as a member of every
        cluster in the mean and takes part in the priority (section 5.2 of
        the paper). Default: none.
    rng
        Source of the seeds and samples.

    Returns
    -------
    Clustering
        Every point is placed and every load is within the capacity.

    Raises
    ------
    InfeasibleError
        If no round of any start placed every point.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering,
    Algorithms 1 and 2.
    """
    params = params or KMeansParams()
    if not 1 <= num_clusters <= points.num_points:
        raise ParameterError(
            f"num_clusters must lie in 1..{points.num_points}, "
            f"got {num_clusters}."
        )
    place = np.zeros(3)
    if depot is not None:
        place[:2], place[2] = depot, 1.0
    rules = np.array(
        [
            INITS.index(params.init),
            ASSIGNMENTS.index(params.assignment),
            params.num_samples,
            params.num_starts,
            params.max_iterations,
        ]
    )
    labels, centers, inertia = run_starts(
        np.array(points.coords),
        np.array(points.weights),
        points.capacity,
        num_clusters,
        place,
        (priority or DistancePriority()).table(),
        np.argsort(-points.weights, kind="stable"),
        rules,
        params.last_fraction,
        rng,
    )
    if not np.isfinite(inertia):
        raise InfeasibleError(
            f"{points.name}: {params.num_starts} starts found no way to "
            f"place every point in {num_clusters} clusters of capacity "
            f"{points.capacity}."
        )
    return describe(points, labels, centers)


def describe(
    points: PointSet, labels: np.ndarray, centers: np.ndarray
) -> Clustering:
    """Return a clustering with its medoids, loads and inertia.

    Parameters
    ----------
    points
        The points.
    labels
        Cluster of each point.
    centers
        Centers, which empty clusters keep; the others are recomputed as the
        mean of the members.
    """
    num_clusters = len(centers)
    counts = np.bincount(labels, minlength=num_clusters)
    centers = centers.copy()
    used = counts > 0
    for axis in range(2):
        sums = np.bincount(labels, points.coords[:, axis], num_clusters)
        centers[used, axis] = sums[used] / counts[used]
    squares = ((points.coords - centers[labels]) ** 2).sum(axis=1)
    order = np.lexsort((squares, labels))
    first = np.searchsorted(labels[order], np.arange(num_clusters))
    medoids = np.where(used, order[np.minimum(first, len(order) - 1)], -1)
    loads = np.zeros(num_clusters, dtype=points.weights.dtype)
    np.add.at(loads, labels, points.weights)
    return Clustering(labels, centers, medoids, loads, float(squares.sum()))
