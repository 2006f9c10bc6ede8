"""Clustering by the sum of distances to medoids or means, by annealing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import medians as kernels
from ncc_routing.ccp.plan import Phase, Step, plan_clustering
from ncc_routing.ccp.search_params import AnnealingParams
from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.objectives import medoid_limits, summarize
from ncc_routing.clustering.starts import bisect, pack, spread_seeds
from ncc_routing.core.budget import Budget
from ncc_routing.core.cooling import Cooling
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.methods import require_name
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.stopping import MaxIterations, Pace

if TYPE_CHECKING:
    from ncc_routing.ccp.plan import Plan
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

_NUM_NEAR: Final = 24
"""Other points that each point is compared with."""

_GLOBAL_RISE, _LOCAL_RISE, _FALL = 1.05, 1.1, 0.97
"""Factors on the price of a load over the capacity, batch by batch."""

_MIN_PRICE, _MAX_PRICE = 0.1, 1e4
"""Bounds of the price of a load over the capacity, in first prices."""

_FIRST_VALUE: Final = 0.3
"""First value of a cluster, as a share of the mean cost of a cluster."""


def cluster_by_annealing(  # noqa: PLR0913 - the plan on top
    points: PointSet,
    num_clusters: int,
    rng: np.random.Generator,
    budget: Budget = Budget(),
    *,
    objective: str = "cpmp",
    start: np.ndarray | None = None,
    params: AnnealingParams | None = None,
    plan: Plan | None = None,
) -> Clustering:
    """Cluster points with a small sum of distances to their centers.

    Simulated annealing by relocations, swaps, and closing and opening
    clusters: first on all clusters, then on groups of them. Loads may exceed
    the capacity at a price that rises while it is paid. Only the nearest
    points of each point are stored. ``plan`` holds other phases than those of
    ``plan_clustering``. ``InfeasibleError`` if no partition within the
    capacities was found.
    """
    require_name("objective", objective, ("cpmp", "cccp"))
    params = params or AnnealingParams()
    points.cluster_limits(num_clusters)
    if plan is None:
        plan = plan_clustering(
            *(points, num_clusters, objective, params),
            seconds=budget.remaining(),
            counts_iterations=budget.counts_iterations,
        )
    if plan[0].step is Step.GATHER:
        labels = np.zeros(points.num_points, dtype=np.int64)
        return summarize(points, labels, num_clusters, objective)
    problem = make_problem(points, num_clusters, objective)
    search = _Search(points, problem, params, rng)
    if start is not None:
        search.begin_at(start)
    for phase in plan:
        if phase.step is Step.ANNEAL:
            search.anneal_all(phase, budget)
        elif phase.step is Step.GROUPS and not budget.is_met(search.best):
            search.anneal_groups(phase, budget)
        elif phase.step is Step.REGRET and not search.has_feasible:
            search.assign_by_regret()
    if search.best_labels is None:
        raise InfeasibleError(
            f"{points.name}: found no way to place every point in "
            f"{num_clusters} clusters of capacity {points.capacity:.10g}."
        )
    return summarize(points, search.best_labels, num_clusters, objective)


def make_problem(
    points: PointSet, num_clusters: int, objective: str
) -> kernels.Problem:
    """Return the points in the form of the kernels."""
    limits = points.cluster_limits(num_clusters)
    is_cpmp = objective == "cpmp"
    point_limits = np.full(points.num_points, np.inf)
    if is_cpmp:
        point_limits = medoid_limits(points)
    matrix = points.matrix if is_cpmp else None
    degree = min(_NUM_NEAR, points.num_points - 1)
    if matrix is not None:
        near = np.argsort(matrix, axis=1, kind="stable")[:, : degree + 1]
    else:
        _, near = nearest_points(points.coords)(points.coords, degree + 1)
    near = near[:, 1:] if degree > 0 else near
    if matrix is None:
        matrix = np.zeros((0, 0))
    return kernels.Problem(
        np.ascontiguousarray(points.coords),
        # A medoid adds up the distances to it: they lie in one row.
        np.ascontiguousarray(matrix.T),
        rounds_down=is_cpmp and points.rounding == "floor",
        uses_means=not is_cpmp,
        weights=points.weights.astype(np.float64),
        cluster_limits=limits,
        point_limits=point_limits,
        near=np.ascontiguousarray(near, dtype=np.int64),
    )


class _Search:
    """The state of one annealing, and the best feasible labels so far."""

    def __init__(
        self,
        points: PointSet,
        problem: kernels.Problem,
        params: AnnealingParams,
        rng: np.random.Generator,
    ) -> None:
        self._points, self._problem = points, problem
        self._params, self._rng = params, rng
        self._size = points.num_points
        self._num_clusters = count = len(problem.cluster_limits)
        self.best = np.inf
        self.best_labels: np.ndarray | None = None
        seeds = spread_seeds(points.coords, count, rng)
        _, near = nearest_points(points.coords[seeds])(points.coords, 1)
        self._clusters = _clusters_of(problem, near[:, 0], 0.0)
        total, _ = self._clusters.evaluate()
        value = _FIRST_VALUE * total / count
        self._openings = kernels.Openings(self._clusters, value)
        self._unit = max(total / self._size, 1e-12)
        local = kernels.LocalParams(
            highest_temperature=params.local_start_temperature * self._unit,
            lowest_temperature=params.end_temperature * self._unit,
            price_share=params.local_price,
            effort=params.effort,
        )
        self._annealing = kernels.Annealing(self._openings, local)
        weight = float(problem.weights.mean())
        self._price = params.price * self._unit / max(weight, 1e-12)
        self._prices = (_MIN_PRICE * self._price, _MAX_PRICE * self._price)
        # Something feasible to fall back on.
        limits = np.minimum(problem.cluster_limits, problem.point_limits.min())
        for labels in (bisect(points, limits), pack(points, limits)):
            if labels is not None:
                self._note(_clusters_of(problem, labels, self._prices[1]))
        self._fallback = self.best

    def begin_at(self, labels: np.ndarray) -> None:
        """Begin at other labels, at the same prices and temperatures."""
        self._clusters.assign(_whole(labels), self._price)
        self._note(self._clusters)

    @property
    def has_feasible(self) -> bool:
        """Whether anything better than the fallback was found."""
        return bool(self.best < self._fallback)

    def assign_by_regret(self) -> None:
        """Assign by regret where the annealing did not become feasible."""
        try:
            found = capacitated_kmeans(
                *(self._points, self._num_clusters),
                params=KMeansParams(num_starts=1),
                rng=self._rng,
            )
        except InfeasibleError:
            return
        self.begin_at(found.labels)

    def _note(self, clusters: kernels.Clusters) -> float:
        """Keep the labels if they are the best; return the excess."""
        total, over = clusters.evaluate()
        if over <= 0.0 and total < self.best:
            self.best, self.best_labels = total, clusters.labels
        return over

    def _note_and_price(self, rise: float, allowed: float = 0.0) -> None:
        """Raise the price if more than allowed is over the capacity."""
        change = rise if self._note(self._clusters) > allowed else _FALL
        low, high = self._prices
        self._price = min(max(change * self._price, low), high)

    def anneal_all(self, phase: Phase, budget: Budget) -> None:
        """Cool the whole down once."""
        params, rng, batch = self._params, self._rng, phase.batch
        openings = params.openings * self._num_clusters * batch / self._size
        weight = float(self._problem.weights.sum())
        part = budget.within(phase.end * budget.remaining())
        if phase.times is not None:
            num_moves = params.global_moves * self._size
            part = part.until(MaxIterations(num_moves))
        stop = part.criterion("the annealing")
        cooling = Cooling(params.start_temperature, params.end_temperature)
        pace, progress = Pace(stop, batch), 0.0
        # Once in any case, and the last batch is a whole one too.
        while progress < 1.0:
            level = (cooling.at(progress) * self._unit, self._price)
            self._annealing.anneal(*level, batch, rng)
            self._openings.exchange(*level, int(np.ceil(openings)), rng)
            allowed = params.excess * max(0.0, 1.0 - 1.25 * progress) * weight
            self._note_and_price(_GLOBAL_RISE, allowed)
            progress = pace.advance(batch, self.best)

    def anneal_groups(self, phase: Phase, budget: Budget) -> None:
        """Anneal groups of clusters until the limits end it."""
        if phase.times is not None:
            budget = budget.until(MaxIterations(phase.times))
        pace = Pace(budget.criterion("the annealing"), phase.batch)
        while pace.progress < 1.0:
            count, _ = pace.next_batch()
            self._annealing.anneal_locally(self._price, count, self._rng)
            self._note_and_price(_LOCAL_RISE)
            pace.advance(count, self.best)


def _clusters_of(
    problem: kernels.Problem, labels: np.ndarray, price: float
) -> kernels.Clusters:
    """Return points in clusters, each with its best center."""
    clusters = kernels.Clusters(problem)
    clusters.assign(_whole(labels), price)
    return clusters


def _whole(labels: np.ndarray) -> np.ndarray:
    """Return labels as the kernels take them."""
    return np.ascontiguousarray(labels, dtype=np.int64)
