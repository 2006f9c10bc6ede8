"""Clustering by the sum of distances to medoids or means, by annealing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.medians import _annealing_kernels as kernels
from ncc_routing.ccp.medians._opening_kernels import exchange_centers
from ncc_routing.ccp.medians._state_kernels import (
    Problem,
    State,
    evaluate,
    rebuild,
)
from ncc_routing.ccp.medians.arrays import (
    make_problem,
    nearest_labels,
    new_log,
    new_state,
)
from ncc_routing.clustering.capacitated_kmeans import (
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.objectives import require_objective, summarize
from ncc_routing.clustering.starts import bisect, pack, spread_seeds
from ncc_routing.core.cooling import TEMPERATURES, Cooling, require_cooling
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.stopping import (
    MaxIterations,
    Pace,
    Stop,
    TimeLimit,
    counts_iterations,
    first_of,
    is_met,
)

if TYPE_CHECKING:
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

_GLOBAL_RISE, _LOCAL_RISE, _FALL = 1.05, 1.1, 0.97
"""Factors on the price of a load over the capacity, batch by batch."""

_MIN_PRICE, _MAX_PRICE = 0.1, 1e4
"""Bounds of the price of a load over the capacity, in first prices."""

_MAX_REGRET_PAIRS = 10_000_000
"""Pairs of points and clusters up to which an assignment by regret, which
stores them all, makes up for too little time."""

_FIRST_VALUE = 0.3
"""What a cluster is worth at first, as a share of its mean cost."""


@dataclass(frozen=True)
class AnnealingParams:
    """How the annealing runs; temperatures are shares of the mean distance.

    Parameters
    ----------
    start_temperature, end_temperature
        First and last temperature of the whole. Defaults 0.1 and 0.01.
    local_start_temperature
        Highest first temperature of a neighbourhood. Default 0.3.
    global_share
        Share of the time for annealing the whole; the rest goes to one
        neighbourhood after the other. Default 0.5.
    openings
        While the whole is annealed: number of times that a cluster is
        closed or opened, per cluster and move of each point. Default 0.3.
    price
        First price of a unit of load over the capacity, in mean distances
        per mean weight. Default 1.
    excess
        While the whole is annealed: load over the capacity up to which the
        price falls, as a share of all weight; it shrinks to 0 as time goes
        by. Default 0.003. With many clusters one of them is nearly always
        too full, and 0 would raise the price until hardly anything moves.
    local_price
        Price at the start of a neighbourhood, as a share of that at its
        end. Default 0.01.
    effort
        Moves per point and neighbourhood. Default 60.
    global_moves
        Moves per point of the whole, without a deadline. Default 300.
    num_trials
        Neighbourhoods without a deadline. Default: 200 and 4 per cluster.
    """

    start_temperature: float = bounded(0.1, *TEMPERATURES)
    end_temperature: float = bounded(0.01, *TEMPERATURES)
    local_start_temperature: float = bounded(0.3, *TEMPERATURES)
    global_share: float = bounded(0.5, 0.0, 1.0)
    openings: float = bounded(0.3, 0.0, 10.0)
    price: float = bounded(1.0, 1e-6, 1e6)
    excess: float = bounded(0.003, 0.0, 1.0)
    local_price: float = bounded(0.01, 1e-6, 1.0)
    effort: int = bounded(60, 1, 10_000)
    global_moves: int = bounded(300, 0, MAX_EFFORT)
    num_trials: int | None = bounded(None, 0, MAX_EFFORT)

    def __post_init__(self) -> None:
        check_bounds(self)
        end = self.end_temperature
        require_cooling(self.start_temperature, end)
        require_cooling(
            self.local_start_temperature, end, "local_start_temperature"
        )


def cluster_by_annealing(  # noqa: PLR0913 - two ways to say when to stop
    points: PointSet,
    num_clusters: int,
    *,
    objective: str = "cpmp",
    start: np.ndarray | None = None,
    params: AnnealingParams | None = None,
    rng: np.random.Generator,
    deadline: Deadline | None = None,
    stop: Stop | None = None,
) -> Clustering:
    """Cluster points with a small sum of distances to their centers.

    Simulated annealing by relocations and swaps between points that are
    close to each other, and by closing clusters and opening others: first
    on all clusters, then on groups of clusters, half of the time after one
    of them was moved elsewhere. Loads may exceed the capacity on the way,
    at a price that rises as long as it is paid and falls otherwise. Only
    the nearest points of each point are stored, never all distances.

    Parameters
    ----------
    points
        The points; a matrix, capacities of points and the rounding count
        for "cpmp".
    num_clusters
        Number of clusters K.
    objective
        "cpmp" (distance to the medoid, default) or "cccp" (to the mean).
    start
        Cluster of each point at the start. Default: the nearest of seeds
        that lie far from each other.
    params
        How to run. Default ``AnnealingParams()``.
    rng
        Source of all randomness.
    deadline
        When to stop. Default: the numbers of moves in ``params`` count.
    stop
        Another criterion of each phase, in moves and in neighbourhoods.

    Raises
    ------
    InfeasibleError
        If no partition within the capacities was found.
    """
    require_objective(objective, ("cpmp", "cccp"))
    params = params or AnnealingParams()
    deadline = deadline or Deadline()
    problem = make_problem(points, num_clusters, objective)
    if num_clusters == 1 or points.num_points == 1:
        labels = np.zeros(points.num_points, dtype=np.int64)
        return summarize(points, labels, num_clusters, objective)
    seeds = spread_seeds(points.coords, num_clusters, rng)
    run = _Run(
        points, problem, params, nearest_labels(points.coords, seeds), rng
    )
    if start is not None:
        run.begin_at(start)
    run.anneal_all(deadline, stop)
    if not is_met(stop, run.best):
        run.anneal_parts(deadline, stop)
    if not run.has_feasible:
        run.assign_by_regret(points, rng)
    if run.best_labels is None:
        raise InfeasibleError(
            f"{points.name}: found no way to place every point in "
            f"{num_clusters} clusters of capacity {points.capacity:g}."
        )
    return summarize(points, run.best_labels, num_clusters, objective)


class _Run:
    """The state of one annealing, and the best feasible labels so far."""

    def __init__(
        self,
        points: PointSet,
        problem: Problem,
        params: AnnealingParams,
        start: np.ndarray,
        rng: np.random.Generator,
    ) -> None:
        self._problem = problem
        self._params = params
        self._rng = rng
        self._size = points.num_points
        self.best = np.inf
        self.best_labels: np.ndarray | None = None
        num_clusters = len(problem.cluster_limits)
        num_dims = points.coords.shape[1]
        self._state = new_state(start, num_clusters, num_dims)
        rebuild(problem, self._state, 0.0)
        total, _ = evaluate(problem, self._state)
        self._log = new_log(
            self._size, num_clusters, _FIRST_VALUE * total / num_clusters
        )
        self._unit = max(total / self._size, 1e-12)
        weight = float(problem.weights.mean())
        self._price = params.price * self._unit / max(weight, 1e-12)
        self._prices = (_MIN_PRICE * self._price, _MAX_PRICE * self._price)
        # Something feasible to fall back on.
        limits = np.minimum(problem.cluster_limits, problem.point_limits.min())
        for labels in (bisect(points, limits), pack(points, limits)):
            if labels is not None:
                trial = new_state(labels, num_clusters, num_dims)
                rebuild(problem, trial, self._prices[1])
                self._note(trial)
        self._fallback = self.best

    def begin_at(self, labels: np.ndarray) -> None:
        """Begin at other labels, with the prices and heat of the first."""
        self._state.labels[:] = labels
        rebuild(self._problem, self._state, self._price)
        self._note(self._state)

    @property
    def has_feasible(self) -> bool:
        """Whether anything but the first, far too long, fallback was kept."""
        return bool(self.best < self._fallback)

    def assign_by_regret(
        self, points: PointSet, rng: np.random.Generator
    ) -> None:
        """Make up for a time too short to become feasible by annealing."""
        num_clusters = len(self._problem.cluster_limits)
        special = (points.matrix, points.capacities, points.point_capacities)
        is_large = self._size * num_clusters > _MAX_REGRET_PAIRS
        if is_large or any(rule is not None for rule in special):
            return
        params = KMeansParams(num_starts=1)
        try:
            found = capacitated_kmeans(
                points, num_clusters, params=params, rng=rng
            )
        except InfeasibleError:
            return
        self.begin_at(found.labels)

    def _note(self, state: State) -> float:
        """Keep the labels if they are the best; return the excess."""
        total, over = evaluate(self._problem, state)
        if over <= 0.0 and total < self.best:
            self.best, self.best_labels = total, state.labels.copy()
        return float(over)

    def _note_and_price(self, rise: float, allowed: float = 0.0) -> None:
        """Raise the price if more than allowed is over the capacity."""
        change = rise if self._note(self._state) > allowed else _FALL
        low, high = self._prices
        self._price = min(max(change * self._price, low), high)

    def anneal_all(self, deadline: Deadline, other: Stop | None) -> None:
        """Cool the whole down once."""
        params = self._params
        everything = np.arange(self._size)
        batch = max(2000, 2 * self._size)
        num_clusters = len(self._problem.cluster_limits)
        openings = params.openings * num_clusters * batch / self._size
        weight = float(self._problem.weights.sum())
        limit = params.global_share * deadline.remaining()
        num_moves = params.global_moves * self._size
        stop = _limit(deadline.within(limit), num_moves, other)
        cooling = Cooling(params.start_temperature, params.end_temperature)
        pace, progress = Pace(stop, batch), 0.0
        # Once in any case, and the last batch is a whole one too.
        while progress < 1.0:
            heat = cooling.at(progress) * self._unit
            kernels.anneal(
                self._problem,
                self._state,
                everything,
                self._size,
                heat,
                self._price,
                batch,
                self._rng,
            )
            if num_clusters > 1:
                exchange_centers(
                    self._problem,
                    self._state,
                    self._log,
                    heat,
                    self._price,
                    int(np.ceil(openings)),
                    self._rng,
                )
            allowed = params.excess * max(0.0, 1.0 - 1.25 * progress) * weight
            self._note_and_price(_GLOBAL_RISE, allowed)
            progress = pace.advance(batch, self.best)

    def anneal_parts(self, deadline: Deadline, other: Stop | None) -> None:
        """Anneal groups of clusters until the time is over."""
        params = self._params
        num_clusters = len(self._problem.cluster_limits)
        num_trials = params.num_trials
        if num_trials is None:
            num_trials = 200 + 4 * num_clusters
        batch = max(1, 1000 // params.effort)
        if self._size > 50 * num_clusters:
            batch = 1
        pace = Pace(_limit(deadline, num_trials, other), batch)
        while pace.progress < 1.0:
            count, _ = pace.next_batch()
            kernels.anneal_locally(
                self._problem,
                self._state,
                self._log,
                params.local_start_temperature * self._unit,
                params.end_temperature * self._unit,
                self._price,
                params.local_price,
                params.effort,
                count,
                self._rng,
            )
            self._note_and_price(_LOCAL_RISE)
            pace.advance(count, self.best)


def _limit(deadline: Deadline, iterations: int, other: Stop | None) -> Stop:
    """Return when a phase ends.

    Its own number of iterations counts where nothing else limits it.
    """
    limits: list[Stop] = [] if other is None else [other]
    if not (deadline.is_limited() or counts_iterations(other)):
        limits.append(MaxIterations(iterations))
    return first_of(TimeLimit(deadline), *limits)
