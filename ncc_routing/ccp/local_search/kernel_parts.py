"""The kernels of the search for the inertia, in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.local_search._descent_kernels import (
    descend,
    mark_all,
    relieve,
)
from ncc_routing.ccp.local_search._kick_kernels import reseed
from ncc_routing.ccp.local_search._partition_kernels import (
    Partition,
    PartitionProblem,
    new_partition,
    rebuild,
)
from ncc_routing.ccp.local_search._price_kernels import assign_by_price
from ncc_routing.ccp.local_search.balance import NUM_NEAR, clusters_near
from ncc_routing.ccp.local_search.search import problem_of

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet


def call_reseed(points: PointSet, num_clusters: int) -> None:
    """Cluster the points afresh."""
    problem, part = _arguments(points, num_clusters)
    region = np.zeros(num_clusters, dtype=np.int64)
    rng = np.random.default_rng(1)
    reseed(problem, part, region, -1, 2, True, rng)


def call_descent(points: PointSet, num_clusters: int) -> None:
    """Improve clusters, and relieve those that are too full."""
    problem, part = _arguments(points, num_clusters)
    size = points.num_points
    near = np.tile(np.arange(num_clusters), (num_clusters, 1))
    part.labels[:] = np.arange(size) % num_clusters
    rebuild(problem, part)
    level = np.zeros(num_clusters)
    relieve(problem, part, near, size, np.arange(size), level, level, 0.0)
    mark_all(part, 1)
    descend(problem, part, near, size, size, np.inf)


def call_prices(points: PointSet, num_clusters: int) -> None:
    """Give points to clusters under prices."""
    problem, _ = _arguments(points, num_clusters)
    assign_by_price(
        problem,
        problem.coords[:num_clusters].copy(),
        np.zeros(num_clusters),
        np.tile(np.arange(num_clusters), (num_clusters, 1)),
        np.zeros(points.num_points, dtype=np.int64),
        np.zeros(points.num_points),
        np.zeros((num_clusters, problem.coords.shape[1] + 3)),
        0,
        points.num_points,
        1,
    )
    # Loads the search for near centers.
    num_dims = problem.coords.shape[1]
    clusters_near(np.zeros((NUM_NEAR + 1, num_dims)), np.zeros(NUM_NEAR + 1))


def _arguments(
    points: PointSet, num_clusters: int
) -> tuple[PartitionProblem, Partition]:
    """Return what the kernels take."""
    problem = problem_of(points, points.cluster_limits(num_clusters))
    return problem, new_partition(problem)
