"""Clustering by the sum of distances to medoids or means, by annealing."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import medians as kernels
from ncc_routing.ccp.medians.growth import first_labels
from ncc_routing.ccp.phases import Phase, Phases, Step, choose_phases
from ncc_routing.ccp.search_params import AnnealingParams
from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.objectives import medoid_limits, summarize
from ncc_routing.clustering.starts import (
    bisect,
    limits_for_kernels,
    not_placed,
    place_all,
    spread_seeds,
)
from ncc_routing.core.budget import Budget
from ncc_routing.core.cooling import Cooling
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.methods import require_name
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.stopping import MaxIterations, Pace
from ncc_routing.problems.ccp.cluster_limits import limits_of
from ncc_routing.problems.features import OBJECTIVES

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.adjacency import Adjacency
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.normal_rules import NormalRules
    from ncc_routing.problems.ccp.points import PointSet

_NUM_NEAR: Final = 24
"""Other points that each point is compared with."""

_NUM_AT_PLACE: Final = 4
"""Points of one place among them, where there are enough places."""

_LEAST_UNIT: Final = 0.25
"""Least unit of temperatures, as a share of the mean distance to the second
seed: where a place has a seed of its own, the first distances are 0."""

_GLOBAL_RISE, _LOCAL_RISE, _FALL = 1.05, 1.1, 0.97
"""Factors on the price of a load over the capacity, batch by batch."""

_MIN_PRICE, _MAX_PRICE = 0.1, 1e4
"""Bounds of the price of a load over the capacity, in first prices."""

_MOST_NEIGHBOURS: Final = 64
"""Neighbours in the graph that each point is compared with."""

_FIRST_VALUE: Final = 0.3
"""First value of a cluster, as a share of the mean cost of a cluster."""


def cluster_by_annealing(  # noqa: PLR0913 - the phases on top
    points: PointSet,
    num_clusters: int,
    rng: np.random.Generator,
    budget: Budget = Budget(),
    *,
    objective: str = "cpmp",
    start: np.ndarray | None = None,
    params: AnnealingParams | None = None,
    phases: Phases | None = None,
) -> Clustering:
    """Cluster points with a small sum of distances to their centers.

    Simulated annealing by relocations, swaps, and closing and opening
    clusters: first on all clusters, then on groups of them. Loads may exceed
    the capacity at a price that rises while it is paid. Only the nearest
    points of each point are stored. ``phases`` are other ones than those of
    ``choose_phases``. ``InfeasibleError`` if no partition within the
    capacities was found.
    """
    require_name("objective", objective, OBJECTIVES)
    params = params or AnnealingParams()
    rules = limits_of(points, num_clusters).rules
    if phases is None:
        phases = choose_phases(
            *(points, num_clusters, objective, params),
            seconds=budget.remaining(),
            counts_iterations=budget.counts_iterations,
        )
    if phases[0].step is Step.GATHER:
        labels = np.zeros(points.num_points, dtype=np.int64)
        return summarize(points, labels, num_clusters, objective)
    problem = make_problem(points, num_clusters, objective)
    search = _Search(points, problem, rules, objective, params, rng)
    if start is not None:
        search.begin_at(start)
    for phase in phases:
        if phase.step is Step.ANNEAL:
            search.anneal_all(phase, budget)
        elif phase.step is Step.GROUPS and not budget.is_met(search.best):
            search.anneal_groups(phase, budget)
        elif phase.step is Step.RETRY:
            search.retry(phase, phases, budget)
    if search.best_labels is None:
        raise not_placed(points, num_clusters)
    return summarize(points, search.best_labels, num_clusters, objective)


def make_problem(
    points: PointSet, num_clusters: int, objective: str
) -> kernels.Problem:
    """Return the points in the form of the kernels."""
    limits = limits_of(points, num_clusters)
    is_cpmp, squares = objective == "cpmp", objective == "inertia"
    point_limits = np.full(points.num_points, np.inf)
    if is_cpmp:
        point_limits = medoid_limits(points)
    matrix = points.matrix if is_cpmp else None
    near = _near_points(points.coords, matrix)
    coords, masses = points.coords, points.masses
    if limits.rules is not None:
        if squares:
            coords, masses = limits.rules.united(coords, masses)
        if limits.rules.graph is not None:
            near = _rows_of(limits.rules.graph)
    if matrix is None:
        matrix = np.zeros((0, 0))
    return kernels.Problem(
        np.ascontiguousarray(coords),
        # A medoid adds up the distances to it: they lie in one row.
        np.ascontiguousarray(matrix.T),
        rounds_down=is_cpmp and points.rounding == "floor",
        uses_means=not is_cpmp,
        squares=squares,
        limits=limits_for_kernels(limits, masses),
        point_limits=point_limits,
        near=near,
    )


def _rows_of(graph: Adjacency) -> np.ndarray:
    """Return the neighbours of each point, again and again in its row."""
    counts = np.diff(graph.begins)
    width = min(max(1, int(counts.max(initial=0))), _MOST_NEIGHBOURS)
    at = np.arange(width) % np.maximum(counts, 1)[:, None]
    itself = np.arange(len(counts))[:, None]
    if len(graph.others) == 0:
        return np.ascontiguousarray(itself)
    places = np.minimum(graph.begins[:-1, None] + at, len(graph.others) - 1)
    return np.where(counts[:, None] > 0, graph.others[places], itself)


def _near_points(coords: np.ndarray, matrix: np.ndarray | None) -> np.ndarray:
    """Return other points close to each one, the closest first.

    Of coinciding points few are taken, so that other places are among them.
    """
    size = len(coords)
    firsts, place = _places(coords, matrix)
    degree = min(_NUM_NEAR + 1, len(firsts))
    if matrix is None:
        places = coords[firsts]
        _, near = nearest_points(places)(places, degree)
    else:
        between = matrix[np.ix_(firsts, firsts)]
        near = np.argsort(between, axis=1, kind="stable")[:, :degree]
    # The members of the places one after the other.
    members, counts = np.argsort(place, kind="stable"), np.bincount(place)
    begins = np.cumsum(counts) - counts
    rank = np.empty(size, dtype=np.int64)
    rank[members] = np.arange(size) - begins[place[members]]
    each = max(_NUM_AT_PLACE, _NUM_NEAR // len(firsts) + 2)
    nearest = np.empty((size, _NUM_NEAR), dtype=np.int64)
    filled = np.zeros(size, dtype=np.int64)
    for other in near[place].T:
        for turn in range(min(each, int(counts.max()))):
            at = members[begins[other] + (rank + turn) % counts[other]]
            is_new = (turn < counts[other]) & (filled < _NUM_NEAR)
            is_new &= at != np.arange(size)
            nearest[is_new, filled[is_new]] = at[is_new]
            filled += is_new
    return np.ascontiguousarray(nearest[:, : filled.min()])


def _places(
    coords: np.ndarray, matrix: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the first point of each place, and the place of each point."""
    if matrix is None:
        order = np.lexsort(coords.T)
        is_new = np.ones(len(coords), dtype=bool)
        is_new[1:] = np.diff(coords[order], axis=0).any(axis=1)
        first = np.empty(len(coords), dtype=np.int64)
        first[order] = order[is_new][np.cumsum(is_new) - 1]
    else:
        is_same = (matrix == 0.0) | np.eye(len(matrix), dtype=bool)
        first = is_same.argmax(axis=1)
    firsts, place = np.unique(first, return_inverse=True)
    return firsts, place


class _Search:
    """The state of one annealing, and the best feasible labels so far."""

    def __init__(
        self,
        points: PointSet,
        problem: kernels.Problem,
        rules: NormalRules | None,
        objective: str,
        params: AnnealingParams,
        rng: np.random.Generator,
    ) -> None:
        self._points, self._problem = points, problem
        self._reference = points.rules.reference
        # Whether clusters differ by their numbers in the reference alone.
        self._is_alike = self._reference is not None and (
            points.rules.fixed is points.rules.centers is None
            and not points.has_limits_by_cluster
        )
        self._params, self._rng = params, rng
        self._squares = objective == "inertia"
        self._size = points.num_points
        self._num_clusters = count = len(problem.limits.upper)
        self.best = np.inf
        # Whether the annealing itself was within the capacities.
        self._was_feasible = False
        self.best_labels: np.ndarray | None = None
        seeds = spread_seeds(points.coords, count, rng)
        _, near = nearest_points(points.coords[seeds])(points.coords, 1)
        labels = near[:, 0]
        if rules is not None:
            grown = first_labels(points.coords, rules, count, rng)
            if grown is None:  # of few points every partition is tried
                grown = place_all(points, problem.limits)
            if grown is None:
                raise not_placed(points, count)
            labels = grown
        self._clusters = _clusters_of(problem, labels, 0.0)
        total, _ = self._clusters.evaluate()
        value = _FIRST_VALUE * total / count
        self._openings = kernels.Openings(self._clusters, value)
        least = _LEAST_UNIT * self._second_length(seeds)
        self._unit = max(total / self._size, least) or 1.0
        local = kernels.LocalParams(
            highest_temperature=params.local_start_temperature * self._unit,
            lowest_temperature=params.end_temperature * self._unit,
            price_share=params.local_price,
            effort=params.effort,
        )
        self._annealing = kernels.Annealing(self._openings, local)
        weight = float(problem.limits.weights[:, 0].mean())
        self._price = params.price * self._unit / max(weight, 1e-12)
        self._prices = (_MIN_PRICE * self._price, _MAX_PRICE * self._price)
        # Something feasible to fall back on.
        upper = problem.limits.upper[:, 0]
        limits = np.minimum(upper, max(problem.point_limits.min(), 0.0))
        packed = place_all(points, problem.limits)
        for first in (bisect(points, limits), packed):
            if first is not None:
                self._note(_clusters_of(problem, first, self._prices[1]))
        self._fallback = self.best

    def _second_length(self, seeds: np.ndarray) -> float:
        """Return the mean distance to the second nearest place of a seed."""
        points, matrix = self._points, self._points.matrix
        if matrix is None:
            firsts, _ = _places(points.coords[seeds])
            places = points.coords[seeds[firsts]]
            search = nearest_points(places)
            lengths, _ = search(points.coords, min(2, len(places)))
        else:
            firsts, _ = _places(points.coords[seeds], matrix[seeds][:, seeds])
            lengths = np.sort(matrix[:, seeds[firsts]], axis=1)[:, :2]
        second = lengths[:, -1]
        return float((second * second if self._squares else second).mean())

    def begin_at(self, labels: np.ndarray) -> None:
        self._clusters.assign(_whole(labels), self._price)
        self._note(self._clusters)

    def retry(self, phase: Phase, phases: Phases, budget: Budget) -> None:
        """Go on where the annealing did not become feasible."""
        if self.best == self._fallback:
            self._assign_by_regret()
        groups = [each for each in phases if each.step is Step.GROUPS]
        again = (phase.times or 0) // 2 * groups
        if not self._was_feasible:
            self._anneal_again(again, budget)
        if self.best_labels is not None and not self._was_feasible:
            self.begin_at(self.best_labels)
            self._anneal_again(again, budget)

    def _anneal_again(self, groups: list[Phase], budget: Budget) -> None:
        """Anneal groups until a round that began as a feasible one."""
        is_last = False
        for phase in groups:
            if is_last or budget.is_spent(self.best):
                return
            is_last = self._was_feasible
            self.anneal_groups(phase, budget)

    def _assign_by_regret(self) -> None:
        points = self._points
        special = (points.matrix, points.capacities, points.point_capacities)
        if points.more_limits or any(rule is not None for rule in special):
            return
        with suppress(InfeasibleError):
            clustering = capacitated_kmeans(
                *(points, self._num_clusters),
                params=KMeansParams(num_starts=1),
                rng=self._rng,
            )
            self._note(
                _clusters_of(self._problem, clustering.labels, self._price)
            )

    def _note(self, clusters: kernels.Clusters) -> float:
        """Keep the labels if they are the best; return the excess."""
        if self._is_alike:
            named = _named_as(clusters.labels, self._reference)
            if named is not None:
                clusters.assign(named, self._price)
        total, over = clusters.evaluate()
        if over <= 0.0 and total < self.best:
            self.best, self.best_labels = total, clusters.labels
        return over

    def _note_and_price(self, rise: float, allowed: float = 0.0) -> None:
        """Raise the price if more than allowed is over the capacity."""
        over = self._note(self._clusters)
        self._was_feasible |= over <= 0.0
        change = rise if over > allowed else _FALL
        low, high = self._prices
        self._price = min(max(change * self._price, low), high)

    def anneal_all(self, phase: Phase, budget: Budget) -> None:
        params, rng, batch = self._params, self._rng, phase.batch
        openings = params.openings * self._num_clusters * batch / self._size
        weight = float(self._problem.limits.weights[:, 0].sum())
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
    clusters = kernels.Clusters(problem)
    clusters.assign(_whole(labels), price)
    return clusters


def _named_as(labels: np.ndarray, reference: np.ndarray) -> np.ndarray | None:
    """Return the clusters with numbers closer to the former ones, if any."""
    count = int(max(labels.max(), reference.max())) + 1
    known = reference >= 0
    shared = np.zeros((count, count), dtype=np.int64)
    np.add.at(shared, (labels[known], reference[known]), 1)
    names = np.arange(count)
    while True:
        kept = shared[names]
        agreeing = np.diagonal(kept)
        gains = kept + kept.T - agreeing - agreeing[:, None]
        a, b = np.unravel_index(int(gains.argmax()), gains.shape)
        if gains[a, b] <= 0:
            break
        names[[a, b]] = names[[b, a]]
    if (names == np.arange(count)).all():
        return None
    return np.asarray(np.argsort(names)[labels])


def _whole(labels: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(labels, dtype=np.int64)
