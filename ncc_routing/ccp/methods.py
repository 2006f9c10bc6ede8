"""The clustering methods by name: one signature for all of them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.objectives import require_objective
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.problems.constants import CLUSTER_METHOD_NAMES, OBJECTIVES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

    ClusterMethod = Callable[[PointSet, int, str, int, Deadline], Clustering]

MATHEURISTIC_SECONDS = 60.0
"""Time of gb21 and pack where the caller sets no limit."""

SCORED_PAIRS = 4_000_000
"""Pairs of points and clusters up to which ``ncc`` scores them; for the
inertia those of the dense search, ``local_search.search.DENSE_PAIRS``."""

SCORING_SECONDS_PER_POINT = 2.5e-4
"""Time that the shipped scorer takes. It cannot be cut short."""

logger = logging.getLogger(__name__)


def _ckm(
    points: PointSet, count: int, objective: str, seed: int, deadline: Deadline
) -> Clustering:
    rng = np.random.default_rng(seed)
    return _search(points, count, objective, None, rng, deadline)


def _ncc(sampling: bool) -> ClusterMethod:
    def run(
        points: PointSet,
        count: int,
        objective: str,
        seed: int,
        deadline: Deadline,
    ) -> Clustering:
        rng = np.random.default_rng(seed)
        start = None
        problem = _why_unscored(points, count, objective, deadline)
        if problem:
            logger.warning("%s %s: ckm instead of ncc.", points.name, problem)
        else:
            from ncc_routing.ccp.ncc import first_clustering
            from ncc_routing.scoring.predictor import shipped_predictor

            start = first_clustering(
                shipped_predictor("ncc-ccp"), points, count,
                sampling=sampling, rng=rng,
            )  # fmt: skip
        return _search(points, count, objective, start, rng, deadline)

    return run


def _why_unscored(
    points: PointSet, count: int, objective: str, deadline: Deadline
) -> str | None:
    """Return why the network cannot be used, or None."""
    from ncc_routing.ccp.local_search.search import DENSE_PAIRS

    limit = DENSE_PAIRS if objective == "inertia" else SCORED_PAIRS
    if points.coords.shape[1] != 2:
        return "has other than two coordinates"
    if points.matrix is not None or points.capacities is not None:
        return "has a matrix, or capacities of its clusters"
    if points.num_points * count > limit:
        return "has too many points and clusters"
    if deadline.remaining() < SCORING_SECONDS_PER_POINT * points.num_points:
        return "has too little time to score pairs"
    return None


def _search(
    points: PointSet,
    count: int,
    objective: str,
    start: np.ndarray | None,
    rng: np.random.Generator,
    deadline: Deadline,
) -> Clustering:
    """Search for clusters, perhaps from those of the scorer."""
    medoid_rules = (points.matrix, points.point_capacities)
    if objective == "inertia":
        from ncc_routing.ccp.local_search.search import cluster_by_search

        if any(rule is not None for rule in medoid_rules):
            raise ParameterError(
                f"{points.name}: a matrix and capacities of points count "
                f"for the objective cpmp alone."
            )
        return cluster_by_search(
            points, count, start=start, rng=rng, deadline=deadline
        )
    from ncc_routing.ccp.medians.annealing import cluster_by_annealing

    return cluster_by_annealing(
        points, count, objective=objective, start=start, rng=rng,
        deadline=deadline,
    )  # fmt: skip


def _capkmeans(alternative: bool) -> ClusterMethod:
    def run(
        points: PointSet,
        count: int,
        objective: str,
        seed: int,
        _deadline: Deadline,
    ) -> Clustering:
        from ncc_routing.ccp.baselines.capkmeans import cluster_capkmeans

        return cluster_capkmeans(
            points,
            count,
            alternative=alternative,
            objective=objective,
            rng=np.random.default_rng(seed),
        )

    return run


def _simple(rule: str) -> ClusterMethod:
    def run(
        points: PointSet,
        count: int,
        objective: str,
        seed: int,
        _deadline: Deadline,
    ) -> Clustering:
        from ncc_routing.ccp.baselines.simple import cluster_simple

        return cluster_simple(
            points,
            count,
            rule,
            objective=objective,
            rng=np.random.default_rng(seed),
        )

    return run


def _gb21(
    points: PointSet, count: int, objective: str, seed: int, deadline: Deadline
) -> Clustering:
    from ncc_routing.ccp.baselines.gb21 import cluster_gb21

    return cluster_gb21(
        points,
        count,
        objective=objective,
        rng=np.random.default_rng(seed),
        deadline=_limited(deadline),
    )


def _pack(
    points: PointSet, count: int, objective: str, seed: int, deadline: Deadline
) -> Clustering:
    from ncc_routing.ccp.baselines.pack import cluster_pack

    return cluster_pack(
        points,
        count,
        objective=objective,
        rng=np.random.default_rng(seed),
        deadline=_limited(deadline),
    )


def _limited(deadline: Deadline) -> Deadline:
    if deadline.is_limited():
        return deadline
    return Deadline(MATHEURISTIC_SECONDS)


CLUSTER_METHODS: dict[str, ClusterMethod] = {
    "ckm": _ckm,
    "ncc": _ncc(sampling=False),
    "ncc-sampling": _ncc(sampling=True),
    "capkmeans": _capkmeans(alternative=False),
    "capkmeans-alt": _capkmeans(alternative=True),
    "gb21": _gb21,
    "pack": _pack,
    "random": _simple("random"),
    "rnd-nn": _simple("rnd-nn"),
    "topk-nn": _simple("topk-nn"),
}
"""Every method by name; the names are ``constants.CLUSTER_METHOD_NAMES``."""


def run_method(
    points: PointSet,
    num_clusters: int,
    method: str,
    *,
    objective: str = "inertia",
    seed: int = 1,
    deadline: Deadline | None = None,
) -> Clustering:
    """Cluster points by the method of a name.

    Raises
    ------
    ParameterError
        If the method or the objective is unknown.
    InfeasibleError
        If the method could not place every point.
    """
    if method not in CLUSTER_METHODS:
        names = ", ".join(CLUSTER_METHOD_NAMES)
        raise ParameterError(f"method must be one of {names}, got {method!r}.")
    require_objective(objective, OBJECTIVES)
    run = CLUSTER_METHODS[method]
    return run(points, num_clusters, objective, seed, deadline or Deadline())
