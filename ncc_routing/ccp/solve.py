"""Clustering from points to a checked answer."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.ccp.methods import (
    DEFAULT_METHOD,
    METHODS,
    OBJECTIVE_ACCEPTS,
    PARAMS,
)
from ncc_routing.ccp.num_clusters import cluster_by_rule
from ncc_routing.ccp.preparation import prepare_kernels
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import (
    NccRoutingError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.methods import require_name, runnable
from ncc_routing.core.params import changed, require_limits, resolve_groups
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.objectives import OBJECTIVES
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.ccp.baselines.gb21 import Gb21Params
    from ncc_routing.ccp.local_search.search import SearchParams
    from ncc_routing.ccp.medians.annealing import AnnealingParams
    from ncc_routing.clustering.capacitated_kmeans import KMeansParams
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.problems.clusters import Clustering


@dataclass(frozen=True)
class ClusterParams:
    """What :func:`cluster` may be told.

    Parameters
    ----------
    method
        A key of ``ccp.methods.METHODS``. Default "ckm".
    objective
        What is minimised: "inertia" (default), "cccp" or "cpmp".
    time_limit
        Wall-clock seconds. Default: the effort of the method alone counts,
        "gb21" and "pack" take up to 60 seconds.
    seed
        Seed of every random choice, >= 0. Default 1.
    priority
        How strongly a point belongs to a cluster in the first clustering of
        "ckm". Default: that of the search.
    search, annealing, kmeans, gb21
        Parameters of these algorithms: ``SearchParams`` (objective
        "inertia"), ``AnnealingParams`` ("cccp", "cpmp"), ``KMeansParams``
        ("capkmeans"), ``Gb21Params``, or a mapping with some of their
        fields, ``search={"num_kicks": 500}``. Default: theirs.

    Raises
    ------
    ParameterError
        If a name is unknown or a number out of range.
    """

    method: str = DEFAULT_METHOD
    objective: str = OBJECTIVES[0]
    time_limit: float | None = None
    seed: int = 1
    priority: Priority | None = None
    search: SearchParams | Mapping[str, object] | None = None
    annealing: AnnealingParams | Mapping[str, object] | None = None
    kmeans: KMeansParams | Mapping[str, object] | None = None
    gb21: Gb21Params | Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        require_name("method", self.method, METHODS)
        require_name("objective", self.objective, OBJECTIVES)
        require_limits(self.time_limit, self.seed)
        if self.priority is not None:
            METHODS[self.method].require_priority(self.priority)
        resolve_groups(self, PARAMS)

    def run(self, deadline: Deadline) -> dict[str, object]:
        """Return what the methods take, by name."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        is_inertia = self.objective == "inertia"
        return {
            **known,
            "effort": self.search if is_inertia else self.annealing,
            "rng": np.random.default_rng(self.seed),
            "deadline": deadline,
        }


def cluster(
    points: PointSet | np.ndarray,
    num_clusters: int | str | None = None,
    capacity: float | None = None,
    weights: np.ndarray | None = None,
    params: ClusterParams | None = None,
    *,
    deadline: Deadline | None = None,
    **changes: Any,
) -> Clustering:
    """Cluster weighted points under a capacity.

    Parameters
    ----------
    points
        The points, as a ``PointSet`` or an array of coordinates of shape
        (num_points, num_dims).
    num_clusters
        Number of clusters; "fewest": the least that the method reaches,
        from ceil(sum q / Q) upwards; "random": the paper's rule, the least
        that the random assignment reaches over three seeds. Default: that
        of the points, else "fewest".
    capacity
        Capacity of every cluster. Needed with an array; it replaces that
        of a ``PointSet``.
    weights
        Weight of each point, for an array. Default 1 each.
    params
        Parameters of the run; the defaults of ``ClusterParams`` if missing.
    deadline
        A clock of the caller, who may let it expire at any time: the run
        then ends soon with its best clustering so far. It counts together
        with the ``time_limit``.
    changes
        Single parameters by name, which replace those of ``params``:
        ``cluster(points, 5, method="gb21", objective="cpmp")``.

    Returns
    -------
    Clustering
        It has passed ``check_clustering``.

    Raises
    ------
    InstanceError, ParameterError
        If an input is wrong or does not count; said before any work.
    InfeasibleError
        If no feasible clustering was found, which proves nothing.
    """
    params = changed(params or ClusterParams(), changes)
    deadline = deadline or Deadline()
    data = _point_set(points, capacity, weights)
    _prepare(data, params, deadline)
    if params.time_limit is not None:
        deadline = deadline.within(params.time_limit)
    method = METHODS[params.method]
    if not deadline.is_limited() and method.default_seconds is not None:
        deadline = deadline.within(method.default_seconds)

    def run(count: int) -> Clustering:
        situation = (data, count, params.objective, deadline)
        runs = runnable(method, METHODS, *situation)
        found: Clustering = runs(data, count, run=params.run(deadline))
        return replace(found, method=runs.name)

    if num_clusters is None:
        num_clusters = data.num_clusters or "fewest"
    if isinstance(num_clusters, str):
        return _checked(data, cluster_by_rule(data, num_clusters, run))
    return _checked(data, run(num_clusters))


def _checked(points: PointSet, found: Clustering) -> Clustering:
    """Return a clustering that breaks no rule."""
    for violation in check_clustering(points, found)[:1]:
        raise NccRoutingError(
            f"{points.name}: {found.method} broke a rule: "
            f"{violation.message}. Please report this."
        )
    return found


def _prepare(
    points: PointSet, params: ClusterParams, deadline: Deadline
) -> None:
    """Refuse what would not count, and compile what is missing."""
    _require_accepted(points, params)
    prepare_kernels(
        points,
        params.method,
        params.objective,
        deadline,
        has_priority=params.priority is not None,
    )


def _require_accepted(points: PointSet, params: ClusterParams) -> None:
    """Refuse points with a feature that would not count."""
    for feature in points.features:
        if feature not in OBJECTIVE_ACCEPTS[params.objective]:
            raise UnsupportedProblemError(
                points.name,
                "objective",
                f"{params.objective} does not know {feature}",
            )
    METHODS[params.method].require(points.name, points.features)


def _point_set(
    points: PointSet | np.ndarray,
    capacity: float | None,
    weights: np.ndarray | None,
) -> PointSet:
    if isinstance(points, PointSet):
        if weights is not None:
            raise ParameterError("weights are part of the PointSet.")
        if capacity is None:
            return points
        return replace(
            points, capacity=capacity, capacities=None, point_capacities=None
        )
    if capacity is None:
        raise ParameterError("capacity is needed with an array of points.")
    coords = np.asarray(points)
    if weights is None:
        weights = np.ones(len(np.atleast_1d(coords)), dtype=np.int64)
    return PointSet(coords, weights, capacity)
