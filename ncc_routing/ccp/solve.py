"""Clustering from points to a checked answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.ccp.methods import run_method
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import (
    InfeasibleError,
    InstanceError,
    NccRoutingError,
    ParameterError,
)
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    from ncc_routing.problems.clusters import Clustering

COUNT_RULES = ("fewest", "random")
PAPER_SEEDS = (1, 2, 3)
"""Seeds over which the paper looks for the least K that random reaches."""


def cluster(
    points: PointSet | np.ndarray,
    num_clusters: int | str | None = None,
    capacity: float | None = None,
    weights: np.ndarray | None = None,
    **options: Any,
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
    options
        ``method`` (a key of ``ccp.methods.CLUSTER_METHODS``, default
        "ckm"), ``objective`` ("inertia", "cccp" or "cpmp", default
        "inertia"), ``seed`` (default 1), ``time_limit`` (seconds; default
        none).

    Returns
    -------
    Clustering
        It has passed ``check_clustering``.

    Raises
    ------
    InstanceError, ParameterError
        If an input is wrong; said before any work.
    InfeasibleError
        If no feasible clustering was found, which proves nothing.
    """
    settings: dict[str, Any] = {
        "method": "ckm", "objective": "inertia", "seed": 1, "time_limit": None,
    }  # fmt: skip
    for name in options:
        if name not in settings:
            raise ParameterError(
                f"there is no option {name!r}; the options are "
                f"{', '.join(settings)}."
            )
    settings.update(options)
    limit = settings["time_limit"]
    if limit is not None and not limit > 0:
        raise ParameterError(f"time_limit must be positive, got {limit}.")
    if settings["seed"] < 0:
        raise ParameterError(f"seed must be >= 0, got {settings['seed']}.")
    data = _point_set(points, capacity, weights)
    deadline = Deadline(limit)

    def run(count: int) -> Clustering:
        return run_method(
            data,
            count,
            settings["method"],
            objective=settings["objective"],
            seed=settings["seed"],
            deadline=deadline,
        )

    if num_clusters is None:
        num_clusters = data.num_clusters or "fewest"
    if isinstance(num_clusters, str):
        found = _choose_number(data, num_clusters, run)
    else:
        found = run(num_clusters)
    for violation in check_clustering(data, found)[:1]:
        raise NccRoutingError(
            f"{data.name}: {settings['method']} broke a rule: "
            f"{violation.message}. Please report this."
        )
    return found


def fewest_by_random(points: PointSet) -> int:
    """Return the least K that the random assignment reaches (the paper).

    K grows from the whole part of sum q / Q for each of three seeds, and
    the least of the three counts.

    Raises
    ------
    InfeasibleError
        If not even one cluster per point works.
    """
    found = [
        count
        for seed in PAPER_SEEDS
        if (count := _first_by_random(points, seed)) is not None
    ]
    if not found:
        raise InfeasibleError(f"{points.name}: random places no point set.")
    return min(found)


def _first_by_random(points: PointSet, seed: int) -> int | None:
    low = points.min_num_clusters
    for count in range(low, points.num_points + 1):
        try:
            run_method(points, count, "random", seed=seed)
        except (InfeasibleError, InstanceError):
            continue
        return count
    return None


def _choose_number(points: PointSet, rule: str, run: Any) -> Clustering:
    from ncc_routing.ccp.num_clusters import fewest_clusters

    if rule not in COUNT_RULES:
        raise ParameterError(
            f"num_clusters must be a number or one of "
            f"{', '.join(COUNT_RULES)}, got {rule!r}."
        )
    if points.capacities is not None:
        raise ParameterError(
            f"{points.name}: one capacity per cluster fixes the number of "
            f"clusters."
        )
    if rule == "random":
        found: Clustering = run(fewest_by_random(points))
        return found
    return fewest_clusters(points, run)


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
