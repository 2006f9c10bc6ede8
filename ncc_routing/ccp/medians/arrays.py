"""From a set of points to the arrays of the annealing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.ccp.medians._opening_kernels import MAX_AROUND, MoveLog
from ncc_routing.ccp.medians._state_kernels import Problem, State
from ncc_routing.clustering.objectives import medoid_limits
from ncc_routing.core.neighbours import nearest_points

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet

NUM_NEAR: Final = 24
"""Other points that each point is compared with."""


def make_problem(
    points: PointSet, num_clusters: int, objective: str
) -> Problem:
    """Return the points as the kernels see them."""
    limits = points.cluster_limits(num_clusters)
    is_cpmp = objective == "cpmp"
    point_limits = np.full(points.num_points, np.inf)
    if is_cpmp:
        point_limits = medoid_limits(points)
    matrix = points.matrix if is_cpmp else None
    degree = min(NUM_NEAR, points.num_points - 1)
    if matrix is not None:
        near = np.argsort(matrix, axis=1, kind="stable")[:, : degree + 1]
    else:
        _, near = nearest_points(points.coords)(points.coords, degree + 1)
    near = near[:, 1:] if degree > 0 else near
    return Problem(
        np.array(points.coords),
        np.zeros((0, 0)) if matrix is None else np.array(matrix.T, order="C"),
        is_cpmp and points.rounding == "floor",
        not is_cpmp,
        points.weights.astype(np.float64),
        limits,
        point_limits,
        np.ascontiguousarray(near, dtype=np.int64),
    )


def nearest_labels(coords: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Return the number of the nearest of some points for each point."""
    _, labels = nearest_points(coords[seeds])(coords, 1)
    return np.asarray(labels[:, 0], dtype=np.int64)


def new_state(labels: np.ndarray, num_clusters: int, num_dims: int) -> State:
    """Return a state that has the labels alone; it needs a ``rebuild``."""
    size = len(labels)
    return State(
        np.array(labels, dtype=np.int64),
        np.full(num_clusters, -1),
        np.zeros((num_clusters, num_dims)),
        np.zeros(num_clusters, dtype=np.int64),
        np.zeros(num_clusters),
        np.full(num_clusters, -1, dtype=np.int64),
        np.full(size, -1, dtype=np.int64),
        np.full(size, -1, dtype=np.int64),
        np.zeros(num_clusters + 1, dtype=np.int64),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(num_dims),
    )


def new_log(size: int, num_clusters: int, value: float) -> MoveLog:
    """Return an empty log, with what a cluster is worth at first."""
    return MoveLog(
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(size + 1, dtype=np.int64),
        np.zeros(num_clusters, dtype=np.int64),
        np.zeros(num_clusters, dtype=np.int64),
        np.zeros(MAX_AROUND, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.array([0.0, value]),
    )
