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
    Problem,
    new_partition,
    rebuild,
)
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
    near = np.tile(np.arange(num_clusters), (points.num_points, 1))
    part.labels[:] = np.arange(points.num_points) % num_clusters
    rebuild(problem, part)
    relieve(problem, part, near, 1)
    mark_all(part, 1)
    descend(problem, part, near, 1, np.inf)


def _arguments(
    points: PointSet, num_clusters: int
) -> tuple[Problem, Partition]:
    """Return what the kernels take."""
    problem = problem_of(points, points.cluster_limits(num_clusters))
    return problem, new_partition(problem)
