"""GB21: the matheuristic for the capacitated p-median problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.exact_assignment import assign_exactly
from ncc_routing.clustering.objectives import (
    distances_between,
    medoid_limits,
    summarize,
)
from ncc_routing.clustering.starts import spread_seeds
from ncc_routing.core.exceptions import InfeasibleError, OutOfTimeError
from ncc_routing.core.mip import SparseRows, solve_binary_program
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet


GROUP_GAP: Final = 1e-2
"""Relative gap at which the program of a group counts as solved."""


@dataclass(frozen=True)
class Gb21Params:
    """Parameters of the matheuristic, with the names of its authors' ideas.

    Parameters
    ----------
    num_starts
        Starts of the global phase. Default 8.
    num_medians
        Nearest medians that a point may join at first. Default 10.
    num_candidates
        Nearest points of a median that may become one in the local phase.
        Default 50.
    target_size
        Points of a sub-problem of the local phase. Default 200.
    local_seconds
        Limit of one sub-problem. Default 18.
    global_share
        Share of the time for the global phase. Default 0.5.
    improvement
        Relative gain that counts; the authors' program takes 0.1 in
        absolute terms, whatever the unit. Default 1e-4.
    """

    num_starts: int = bounded(8, 1, MAX_EFFORT)
    num_medians: int = bounded(10, 1, 10_000)
    num_candidates: int = bounded(50, 1, 10_000)
    target_size: int = bounded(200, 1, 10_000)
    local_seconds: float = bounded(18.0, 1e-3, 1e6)
    global_share: float = bounded(0.5, 0.0, 1.0)
    improvement: float = bounded(1e-4, 0.0, 1.0)

    def __post_init__(self) -> None:
        check_bounds(self)


@dataclass
class _Best:
    """The incumbent: medians, labels, cost."""

    cost: float = np.inf
    medians: np.ndarray = field(default_factory=lambda: np.empty(0, int))
    labels: np.ndarray = field(default_factory=lambda: np.empty(0, int))


def cluster_gb21(
    points: PointSet,
    num_clusters: int,
    *,
    params: Gb21Params | None = None,
    objective: str = "cpmp",
    rng: np.random.Generator,
    deadline: Deadline,
) -> Clustering:
    """Cluster points by GB21, with HiGHS in the place of Gurobi.

    The global phase alternates an assignment to the nearest medians (first
    by regret, then as a 0/1 program) and a choice of the best median of
    each cluster. The local phase frees a group of neighbouring clusters at
    a time and solves their p-median problem over candidate medians; groups
    double in size when none improves. It is left out where each cluster has
    a capacity of its own, for a candidate belongs to no cluster yet; a
    capacity that belongs to the median is kept in both phases.

    Parameters
    ----------
    points
        The points.
    num_clusters
        Number of medians.
    params
        Default ``Gb21Params()``.
    objective
        What the cost of the answer measures; GB21 itself minimises the sum
        of the distances to the medians ("cpmp").
    rng
        Source of the seeds.
    deadline
        When to stop.

    Raises
    ------
    InfeasibleError
        If the global phase found no feasible assignment.

    References
    ----------
    Gnägi and Baumann (2021), A matheuristic for large-scale capacitated
    clustering. https://doi.org/10.1016/j.cor.2021.105304
    """
    params = params or Gb21Params()
    limits = points.cluster_limits(num_clusters)
    best = _Best()
    share = params.global_share * deadline.remaining()
    phase = deadline.within(share) if deadline.is_limited() else deadline
    for start in range(params.num_starts):
        if start > 0 and phase.passed() and np.isfinite(best.cost):
            break
        if deadline.passed():
            break
        _global_start(points, limits, params, best, rng, deadline)
    if not np.isfinite(best.cost):
        kind = OutOfTimeError if deadline.passed() else InfeasibleError
        raise kind(
            f"{points.name}: gb21 found no feasible assignment to "
            f"{num_clusters} medians in its time."
        )
    if num_clusters > 1 and (limits == limits[0]).all():
        _local_phase(points, limits, params, best, deadline)
    return summarize(points, best.labels, num_clusters, objective)


def _global_start(
    points: PointSet,
    limits: np.ndarray,
    params: Gb21Params,
    best: _Best,
    rng: np.random.Generator,
    deadline: Deadline,
) -> None:
    """Alternate assignment and medians from one set of seeds."""
    num_clusters = len(limits)
    medians = spread_seeds(points.coords, num_clusters, rng)
    degree = min(params.num_medians, num_clusters)
    exact, last = False, np.inf
    while not deadline.passed():
        labels = _assign(points, limits, medians, degree, exact, deadline)
        if labels is None:
            if degree < num_clusters:
                degree = min(2 * degree, num_clusters)
                continue
            if exact:
                return
            exact, degree = True, min(params.num_medians, num_clusters)
            continue
        medians, cost = _best_medians(points, labels, medians)
        if cost < best.cost:
            best.cost, best.labels = cost, labels
            best.medians = medians.copy()
        if cost < last * (1.0 - params.improvement):
            last = cost
        elif exact:
            return
        else:
            exact = True
        degree = min(params.num_medians, num_clusters)


def _assign(
    points: PointSet,
    limits: np.ndarray,
    medians: np.ndarray,
    degree: int,
    exact: bool,
    deadline: Deadline,
) -> np.ndarray | None:
    """Assign each point to one of its nearest medians with room."""
    everyone = np.arange(points.num_points)
    lengths = distances_between(points, everyone, medians)
    # A median belongs to its own cluster.
    lengths[medians] = 1e12
    lengths[medians, np.arange(len(medians))] = 0.0
    order = np.argsort(lengths, axis=1, kind="stable")[:, :degree]
    costs = np.take_along_axis(lengths, order, axis=1)
    weights = points.weights.astype(np.float64)
    limits = np.minimum(limits, medoid_limits(points)[medians])
    if exact:
        costs = np.minimum(costs, 1e6 * (1.0 + np.median(costs)))
        found, _ = assign_exactly(costs, order, weights, limits, deadline)
        return found
    room = limits.copy()
    labels = np.full(points.num_points, -1)
    labels[medians] = np.arange(len(medians))
    np.subtract.at(room, np.arange(len(medians)), weights[medians])
    regret = costs[:, min(1, degree - 1)] - costs[:, 0]
    for i in np.argsort(-regret, kind="stable"):
        if labels[i] >= 0:
            continue
        fits = np.flatnonzero(room[order[i]] >= weights[i])
        if len(fits) == 0:
            return None
        labels[i] = order[i, fits[0]]
        room[labels[i]] -= weights[i]
    return None if (room < 0).any() else labels


def _best_medians(
    points: PointSet, labels: np.ndarray, medians: np.ndarray
) -> tuple[np.ndarray, float]:
    found = summarize(points, labels, len(medians), "cpmp")
    return np.where(found.medoids >= 0, found.medoids, medians), found.cost


def _local_phase(
    points: PointSet,
    limits: np.ndarray,
    params: Gb21Params,
    best: _Best,
    deadline: Deadline,
) -> None:
    """Free groups of clusters until all of them are free at once."""
    num_clusters = len(limits)
    ratio = -(-params.target_size * num_clusters // points.num_points)
    width = min(max(ratio, 2), num_clusters)
    tabu: set[int] = set()
    while not deadline.passed():
        free = [k for k in range(num_clusters) if best.medians[k] not in tabu]
        if not free:
            if width == num_clusters:
                return
            tabu.clear()
            width = min(2 * width, num_clusters)
            continue
        loads = np.bincount(best.labels, points.weights, num_clusters)
        seed = min(free, key=lambda k: float(loads[k]))
        lengths = distances_between(
            points, best.medians[[seed]], best.medians
        )[0]
        group = np.argsort(lengths, kind="stable")[:width]
        before = best.cost
        limit = deadline.within(params.local_seconds)
        _solve_group(points, limits, params, best, group, limit)
        if best.cost < before * (1.0 - params.improvement):
            tabu -= {int(best.medians[k]) for k in group}
        elif width == num_clusters:
            return
        else:
            tabu |= {int(best.medians[k]) for k in group}


def _solve_group(
    points: PointSet,
    limits: np.ndarray,
    params: Gb21Params,
    best: _Best,
    group: np.ndarray,
    deadline: Deadline,
) -> None:
    """Solve the p-median problem of a few clusters, over candidates."""
    members = np.flatnonzero(np.isin(best.labels, group))
    lengths = distances_between(points, members, best.medians[group])
    near = np.argsort(lengths.T, axis=1, kind="stable")
    near = near[:, : params.num_candidates]
    chosen = np.unique(members[near])
    candidates = np.union1d(chosen, best.medians[group])
    costs = distances_between(points, members, candidates)
    size, width = costs.shape
    weights = points.weights[members].astype(np.float64)
    # Columns: x_ij by rows of points, then y_j.
    pairs = np.arange(size * width).reshape(size, width)
    opened = size * width + np.arange(width)
    capacities = np.minimum(limits[0], medoid_limits(points)[candidates])
    parts = [
        (pairs, np.ones((size, width)), 1.0, 1.0),
        (
            np.column_stack([pairs.T, opened]),
            np.column_stack([np.tile(weights, (width, 1)), -capacities]),
            -np.inf,
            0.0,
        ),
        (opened[None, :], np.ones((1, width)), len(group), len(group)),
        (
            np.column_stack([pairs.ravel(), np.tile(opened, size)]),
            np.tile([1.0, -1.0], (size * width, 1)),
            -np.inf,
            0.0,
        ),
    ]
    counts = np.concatenate([np.full(len(i), i.shape[1]) for i, *_ in parts])
    rows = SparseRows(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([i.ravel() for i, *_ in parts]),
        np.concatenate([v.ravel() for _, v, *_ in parts]),
    )
    lower = np.concatenate([np.full(len(i), low) for i, _, low, _ in parts])
    upper = np.concatenate([np.full(len(i), high) for i, *_, high in parts])
    start = np.zeros(size * width + width, dtype=bool)
    own = best.medians[best.labels[members]]
    start[pairs[np.arange(size), np.searchsorted(candidates, own)]] = True
    start[opened[np.searchsorted(candidates, best.medians[group])]] = True
    values = np.concatenate([costs.ravel(), np.zeros(width)])
    result = solve_binary_program(
        values, rows, lower, upper, deadline, start, GROUP_GAP
    )
    if result.values is None:
        return
    served = result.values[: size * width].reshape(size, width).argmax(1)
    used = np.flatnonzero(result.values[opened])
    labels = best.labels.copy()
    labels[members] = group[np.searchsorted(used, served)]
    medians, cost = _best_medians(points, labels, best.medians)
    if cost < best.cost:
        best.cost, best.labels, best.medians = cost, labels, medians
