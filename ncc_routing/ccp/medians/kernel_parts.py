"""The kernels of the annealing for centers, in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.medians import _annealing_kernels as kernels
from ncc_routing.ccp.medians._opening_kernels import (
    MoveLog,
    exchange_centers,
)
from ncc_routing.ccp.medians._state_kernels import (
    MedianProblem,
    State,
    evaluate,
    rebuild,
)
from ncc_routing.ccp.medians.annealing import (
    make_problem,
    new_log,
    new_state,
)

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet


def call_annealing(
    points: PointSet, num_clusters: int, objective: str
) -> None:
    """Anneal the whole."""
    problem, state, _ = _arguments(points, num_clusters, objective)
    rebuild(problem, state, 0.0)
    evaluate(problem, state)
    everything = np.arange(points.num_points)
    rng = np.random.default_rng(1)
    size = points.num_points
    kernels.anneal(problem, state, everything, size, 1.0, 1.0, 1, rng)


def call_exchange(points: PointSet, num_clusters: int, objective: str) -> None:
    """Close clusters and open others."""
    problem, state, log = _arguments(points, num_clusters, objective)
    rebuild(problem, state, 0.0)
    rng = np.random.default_rng(1)
    exchange_centers(problem, state, log, 1.0, 1.0, 1, rng)


def call_local_annealing(
    points: PointSet, num_clusters: int, objective: str
) -> None:
    """Anneal a group of clusters."""
    problem, state, log = _arguments(points, num_clusters, objective)
    rebuild(problem, state, 0.0)
    rng = np.random.default_rng(1)
    kernels.anneal_locally(problem, state, log, 1.0, 0.5, 1.0, 0.5, 1, 1, rng)


def _arguments(
    points: PointSet, num_clusters: int, objective: str
) -> tuple[MedianProblem, State, MoveLog]:
    """Return what the kernels take."""
    problem = make_problem(points, num_clusters, objective)
    labels = np.arange(points.num_points) % num_clusters
    state = new_state(labels, num_clusters, points.coords.shape[1])
    return problem, state, new_log(points.num_points, num_clusters, 1.0)
