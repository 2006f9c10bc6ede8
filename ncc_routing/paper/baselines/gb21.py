"""GB21: the matheuristic for the capacitated p-median problem."""

from __future__ import annotations

from dataclasses import dataclass
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
    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet


GROUP_GAP: Final = 1e-2
"""Relative gap at which the program of a group counts as solved."""


@dataclass(frozen=True)
class Gb21Params:
    """Parameters of the matheuristic.

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
        Relative gain that counts (0.1 in absolute terms in the authors'
        program). Default 1e-4.
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


def cluster_gb21(
    points: PointSet,
    num_clusters: int,
    run: Run,
    *,
    params: Gb21Params | None = None,
    objective: str = "cpmp",
) -> Clustering:
    """Cluster points by GB21, with HiGHS in the place of Gurobi.

    The global phase alternates an assignment to the nearest medians (first by
    regret, then as a 0/1 program) and a choice of the best median of each
    cluster. The local phase solves the p-median problem of groups of
    neighbouring clusters; it is left out where each cluster has a capacity of
    its own, because a candidate belongs to no cluster yet.

    Gnägi and Baumann (2021), https://doi.org/10.1016/j.cor.2021.105304
    """
    params = params or Gb21Params()
    limits = points.cluster_limits(num_clusters)
    rng, deadline = run.generator(), run.budget.time_limit
    search = _Search(points, limits, params, deadline)
    share = params.global_share * deadline.remaining()
    phase = deadline.within(share) if deadline.is_limited() else deadline
    for start in range(params.num_starts):
        if start > 0 and phase.passed() and np.isfinite(search.cost):
            break
        if deadline.passed():
            break
        search.start(rng)
    if not np.isfinite(search.cost):
        kind = OutOfTimeError if deadline.passed() else InfeasibleError
        raise kind(
            f"{points.name}: gb21 found no feasible assignment to "
            f"{num_clusters} medians in time."
        )
    if num_clusters > 1 and (limits == limits[0]).all():
        search.improve()
    return summarize(points, search.labels, num_clusters, objective)


class _Search:
    """The data of one search, and the best medians and labels so far."""

    def __init__(
        self,
        points: PointSet,
        limits: np.ndarray,
        params: Gb21Params,
        deadline: TimeLimit,
    ) -> None:
        self._points, self._limits = points, limits
        self._params, self._deadline = params, deadline
        self._weights = points.weights.astype(np.float64)
        self._medoid_limits = medoid_limits(points)
        self.cost = np.inf
        self.medians = self.labels = np.empty(0, dtype=np.int64)

    def start(self, rng: np.random.Generator) -> None:
        num_clusters = len(self._limits)
        medians = spread_seeds(self._points.coords, num_clusters, rng)
        least = min(self._params.num_medians, num_clusters)
        degree, exact, last = least, False, np.inf
        while not self._deadline.passed():
            labels = self._assign(medians, degree, exact)
            if labels is None:
                if degree < num_clusters:
                    degree = min(2 * degree, num_clusters)
                    continue
                if exact:
                    return
                exact, degree = True, least
                continue
            medians, cost = self._note(labels, medians)
            if cost < last * (1.0 - self._params.improvement):
                last = cost
            elif exact:
                return
            else:
                exact = True
            degree = least

    def _note(
        self, labels: np.ndarray, medians: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return the best medians of labels, and keep both if best so far."""
        clustering = summarize(self._points, labels, len(medians), "cpmp")
        medians = np.where(
            clustering.medoids >= 0, clustering.medoids, medians
        )
        # The old median of an empty cluster may be that of another one now.
        for k in np.flatnonzero(clustering.medoids < 0):
            others = np.delete(medians, k)
            if medians[k] in others:
                nodes = np.arange(self._points.num_points)
                medians[k] = np.setdiff1d(nodes, others)[0]
        if clustering.cost < self.cost:
            self.cost, self.labels, self.medians = (
                clustering.cost,
                labels,
                medians,
            )
        return medians, clustering.cost

    def _assign(
        self, medians: np.ndarray, degree: int, exact: bool
    ) -> np.ndarray | None:
        points, weights = self._points, self._weights
        each = np.arange(len(medians))
        rows = np.arange(points.num_points)
        lengths = distances_between(points, rows, medians)
        # A median belongs to its own cluster.
        lengths[medians] = 1e12
        lengths[medians, each] = 0.0
        order = np.argsort(lengths, axis=1, kind="stable")[:, :degree]
        costs = np.take_along_axis(lengths, order, axis=1)
        room = np.minimum(self._limits, self._medoid_limits[medians])
        if exact:
            costs = np.minimum(costs, 1e6 * (1.0 + np.median(costs)))
            assigned, _ = assign_exactly(
                costs, order, weights, room, self._deadline
            )
            return assigned
        labels = np.full(points.num_points, -1)
        labels[medians] = each
        np.subtract.at(room, each, weights[medians])
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

    def improve(self) -> None:
        points, params, deadline = self._points, self._params, self._deadline
        num_clusters = len(self._limits)
        ratio = -(-params.target_size * num_clusters // points.num_points)
        width = min(max(ratio, 2), num_clusters)
        tabu: set[int] = set()
        while not deadline.passed():
            free = [
                k for k in range(num_clusters) if self.medians[k] not in tabu
            ]
            if not free:
                if width == num_clusters:
                    return
                tabu.clear()
                width = min(2 * width, num_clusters)
                continue
            loads = np.bincount(self.labels, points.weights, num_clusters)
            seed = min(free, key=lambda k: float(loads[k]))
            lengths = distances_between(
                points, self.medians[[seed]], self.medians
            )[0]
            group = np.argsort(lengths, kind="stable")[:width]
            before = self.cost
            self._solve_group(group, deadline.within(params.local_seconds))
            medians = {int(self.medians[k]) for k in group}
            if self.cost < before * (1.0 - params.improvement):
                tabu -= medians
            elif width == num_clusters:
                return
            else:
                tabu |= medians

    def _solve_group(self, group: np.ndarray, deadline: TimeLimit) -> None:
        members = np.flatnonzero(np.isin(self.labels, group))
        medians = self.medians[group]
        lengths = distances_between(self._points, members, medians)
        near = np.argsort(lengths.T, axis=1, kind="stable")
        near = near[:, : self._params.num_candidates]
        candidates = np.union1d(members[near], medians)
        costs = distances_between(self._points, members, candidates)
        size, width = costs.shape
        weights = self._weights[members]
        # Columns: x_ij by rows of points, then y_j.
        pairs = np.arange(size * width).reshape(size, width)
        opened = size * width + np.arange(width)
        capacities = self._medoid_limits[candidates]
        capacities = np.minimum(self._limits[0], capacities)
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
        counts = np.concatenate(
            [np.full(len(i), i.shape[1]) for i, *_ in parts]
        )
        rows = SparseRows(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([i.ravel() for i, *_ in parts]),
            np.concatenate([v.ravel() for _, v, *_ in parts]),
        )
        lower = np.concatenate([np.full(len(i), b) for i, _, b, _ in parts])
        upper = np.concatenate([np.full(len(i), b) for i, *_, b in parts])
        start = np.zeros(size * width + width, dtype=bool)
        present = np.searchsorted(
            candidates, self.medians[self.labels[members]]
        )
        start[pairs[np.arange(size), present]] = True
        start[opened[np.searchsorted(candidates, medians)]] = True
        values = np.concatenate([costs.ravel(), np.zeros(width)])
        result = solve_binary_program(
            values, rows, lower, upper, deadline, start, GROUP_GAP
        )
        if result.values is None:
            return
        served = result.values[: size * width].reshape(size, width).argmax(1)
        used = np.flatnonzero(result.values[opened])
        labels = self.labels.copy()
        labels[members] = group[np.searchsorted(used, served)]
        self._note(labels, self.medians)
