"""Capacitated k-means with local search on the true inertia.

Small problems look at every pair of points and clusters. Large ones balance
k-means by prices (``balance``), relieve full clusters, and end in a descent.
``ccp.phases`` says which are large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import partition as kernels
from ncc_routing._core.clustering import Limits, Rules
from ncc_routing.ccp.local_search.balance import (
    Priced,
    balance,
    clusters_near,
    unpriced,
)
from ncc_routing.ccp.phases import (
    DENSE_PAIRS,
    Phase,
    Phases,
    Step,
    choose_phases,
)
from ncc_routing.ccp.search_params import SearchParams
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import (
    bisect,
    limits_for_kernels,
    not_placed,
    place_all,
    spread_seeds,
)
from ncc_routing.core.budget import Budget
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.stopping import (
    MaxIterations,
    NoImprovement,
    Pace,
    TimeLimit,
    first_of,
)
from ncc_routing.problems.ccp.cluster_limits import ClusterLimits, limits_of

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.ccp.points import PointSet

_MAX_PASSES: Final = 1000
"""Passes of a descent at most."""

_MEMBER_VALUES: Final = 3200
_MEMBERS: Final = (32, 400)
"""Coordinates of the members of a cluster that are looked at as partners of a
swap, and least and largest number of them."""

_RELIEF_PASSES: Final = 300
_RELIEF_BLOCK: Final = 500
"""Passes over the full clusters, and points between looks at the clock."""

_DESCENTS: Final = 12
_DESCENT_PASSES: Final = 4
_LEAST_GAIN: Final = 1e-4
"""Descents, their passes, and the relative gain for another to follow."""

_SEED_SAMPLE: Final = 20
"""Points for each cluster among which the seeds of a start are drawn."""

_FINISH: Final = 5e-7
"""Seconds for each point that the summary and the check take."""


def cluster_by_search(
    points: PointSet,
    num_clusters: int,
    rng: np.random.Generator,
    budget: Budget = Budget(),
    *,
    start: np.ndarray | None = None,
    params: SearchParams | None = None,
    phases: Phases | None = None,
) -> Clustering:
    """Cluster points under capacities with small inertia.

    After ckm++ seeds and an assignment by regret a descent by relocations,
    swaps and ejections follows, each judged by its exact effect; then groups
    of neighbouring clusters are clustered anew. ``phases`` are other ones
    than those of ``choose_phases``.
    """
    params = params or SearchParams()
    problem = problem_of(points, limits_of(points, num_clusters))
    if start is not None:
        start = np.ascontiguousarray(start, dtype=np.int64)
    if phases is None:
        phases = choose_phases(
            *(points, num_clusters, "inertia", params),
            seconds=budget.remaining(),
            counts_iterations=budget.counts_iterations,
        )
    labels: np.ndarray | None = np.zeros(points.num_points, dtype=np.int64)
    if phases[0].step is Step.DESCEND:
        budget = budget.until(NoImprovement(params.patience))
        labels = _cluster_small(points, problem, phases, start, rng, budget)
    elif phases[0].step is Step.BISECT:
        kicked = NoImprovement(params.patience)
        labels = _cluster_large(
            *(points, problem, phases, start, rng, budget), kicked
        )
    if labels is None:
        raise not_placed(points, num_clusters)
    return summarize(points, labels, num_clusters, "inertia")


def _cluster_small(
    points: PointSet,
    problem: kernels.Problem,
    phases: Phases,
    start: np.ndarray | None,
    rng: np.random.Generator,
    budget: Budget,
) -> np.ndarray | None:
    num_clusters = problem.num_clusters
    part = kernels.Partition(problem)
    size, most = points.num_points, points.num_points
    near = np.tile(np.arange(num_clusters), (num_clusters, 1))
    if size * num_clusters > DENSE_PAIRS and start is not None:
        part.assign(start)
        most = _most_members(problem)
        near = clusters_near(part.means, np.zeros(num_clusters))
    best, best_labels = np.inf, None
    kicks = [phase for phase in phases if phase.step is Step.KICK]
    starts = (
        phase
        for phase in phases
        if phase.step is not Step.KICK
        for _ in range(phase.times or 1)
    )
    seconds = budget.remaining()
    for number, phase in enumerate(starts):
        is_late = seconds - budget.remaining() > phase.end * seconds
        if number > 0 and (is_late or budget.is_spent(best)):
            break
        labels = start
        if phase.step is Step.BALANCE:
            labels = _balanced(points, problem, rng, budget.time_limit)
        elif number > 0 or start is None:
            labels = _start(points, part, near, rng)
        if labels is None:
            continue
        inertia = part.assign(labels)
        if problem.limits.are_several:
            if not _settled(part, near):
                continue
            inertia = part.rebuild()
        inertia += _descend(part, near, most, _MAX_PASSES, budget.time_limit)
        if inertia < best:
            best, best_labels = inertia, part.labels
    if best_labels is None:
        return None
    part.assign(best_labels)
    prices = np.zeros(num_clusters)
    for phase in kicks:
        _kick(part, prices, best, phase, rng, budget)
    return part.labels


def _balanced(
    points: PointSet,
    problem: kernels.Problem,
    rng: np.random.Generator,
    deadline: TimeLimit,
) -> np.ndarray | None:
    """Return labels within the limits by k-means under prices, or none."""
    priced = balance(problem, _labels_by_seeds(problem, rng), 1, deadline)
    found = priced and _relieved(points, problem, priced, deadline)
    return found.labels if found else None


def problem_of(points: PointSet, limits: ClusterLimits) -> kernels.Problem:
    """Return the points in the form of the kernels."""
    coords, masses = points.coords, points.masses
    spread = float(((coords - coords.mean(axis=0)) ** 2).sum())
    if limits.rules is not None:
        coords, masses = limits.rules.united(coords, masses)
    return kernels.Problem(
        np.ascontiguousarray(coords),
        limits_for_kernels(limits, masses),
        spread / len(coords),
    )


def _settled(part: kernels.Partition, near: np.ndarray) -> bool:
    """Move points until the limits are kept; return whether they are."""
    size = part.problem.num_points
    relief = kernels.Relief(part, near, size)
    return relief.settle(np.arange(size))


def _start(
    points: PointSet,
    part: kernels.Partition,
    near: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray | None:
    problem, size = part.problem, points.num_points
    labels = np.empty(size, dtype=np.int64)
    if kernels.reseed(problem, labels, rng):
        return labels
    limits = problem.limits
    part.assign(bisect(points, limits.upper[:, 0]))
    if _settled(part, near):
        return part.labels
    return place_all(points, limits)


def _descend(
    part: kernels.Partition,
    near: np.ndarray,
    most: int,
    max_passes: int,
    deadline: TimeLimit,
) -> float:
    """Improve a partition by single moves; return the change of inertia."""
    descent = kernels.Descent(part, near, most)
    limit = MaxIterations(max_passes * part.problem.num_points)
    pace, total = Pace(first_of(deadline.within(None), limit)), 0.0
    while pace.progress < 1.0 and not descent.is_complete:
        count, _ = pace.next_batch()
        total += descent.run(count, np.inf)
        pace.advance(count)
    return total


class _Feasible(NamedTuple):
    """A partition within the limits, and the points in another order."""

    part: kernels.Partition
    order: np.ndarray
    prices: np.ndarray
    inertia: float

    @property
    def labels(self) -> np.ndarray:
        """The clusters of the points as they were given."""
        labels = np.empty(len(self.order), dtype=np.int64)
        labels[self.order] = self.part.labels
        return labels


def _cluster_large(
    points: PointSet,
    problem: kernels.Problem,
    phases: Phases,
    start: np.ndarray | None,
    rng: np.random.Generator,
    budget: Budget,
    kicked: NoImprovement,
) -> np.ndarray | None:
    bisection, balanced, *later = phases
    size = points.num_points
    budget = budget.within(budget.remaining() - _FINISH * size)
    deadline, labels = budget.time_limit, start
    if labels is None:
        first = deadline.within(bisection.end * deadline.remaining())
        labels = bisect(points, problem.limits.upper[:, 0], first)
    # First something to fall back on.
    best = _relieved(*(points, problem, unpriced(problem, labels), deadline))
    for number in range(balanced.times or 1):
        if number > 0:
            if budget.is_spent(np.inf if best is None else best.inertia):
                break
            labels = _labels_by_seeds(problem, rng)
        priced = balance(problem, labels, balanced.stride, deadline)
        if priced is not None:
            best = _better(best, _relieved(points, problem, priced, deadline))
    if best is None:
        return place_all(points, problem.limits)
    best = _descended(best, deadline)
    for phase in later:
        _kick(
            *(best.part, best.prices, best.inertia, phase, rng),
            budget.until(kicked),
        )
    return best.labels


def _kick(
    part: kernels.Partition,
    prices: np.ndarray,
    inertia: float,
    phase: Phase,
    rng: np.random.Generator,
    budget: Budget,
) -> None:
    """Improve a partition by kicks; it is modified."""
    if phase.times is not None:
        budget = budget.until(MaxIterations(phase.times))
    pace = Pace(budget.criterion("the search"), phase.batch, inertia)
    while pace.progress < 1.0:
        # Clusters move, and with them what is near.
        near = clusters_near(part.means, prices)
        kicks = kernels.Kicks(part, near)
        count, _ = pace.next_batch()
        pace.advance(count, kicks.run(count, rng))


def _better(
    one: _Feasible | None, other: _Feasible | None
) -> _Feasible | None:
    """Return the one of less inertia of those that there are."""
    if one is None or (other is not None and other.inertia < one.inertia):
        return other
    return one


def _labels_by_seeds(
    problem: kernels.Problem, rng: np.random.Generator
) -> np.ndarray:
    coords, num_clusters = problem.coords, problem.num_clusters
    size = min(len(coords), _SEED_SAMPLE * num_clusters)
    places = coords[rng.choice(len(coords), size, replace=False)]
    seeds = places[spread_seeds(places, num_clusters, rng)]
    _, labels = nearest_points(seeds)(coords, 1)
    return np.asarray(labels[:, 0], dtype=np.int64)


def _relieved(
    points: PointSet,
    problem: kernels.Problem,
    start: Priced,
    deadline: TimeLimit,
) -> _Feasible | None:
    order = _in_memory_order(start)
    limits = problem.limits
    upper, lower = limits.upper, limits.lower
    rules = None
    if points.rules.weights_in_objective:
        rules = Rules()
        rules.masses = points.masses[order].tolist()
    ordered = Limits(limits.weights[order], lower, upper, limits.units, rules)
    part = kernels.Partition(
        kernels.Problem(problem.coords[order], ordered, problem.scale)
    )
    part.assign(start.labels[order])
    margins = start.margins[order]
    near = clusters_near(part.means, start.prices)
    relief = kernels.Relief(part, near, _most_members(problem))
    lightest = np.maximum(limits.weights.min(axis=0), 1e-300)
    total = limits.weights[:, 0].sum()
    free = float(upper[:, 0].sum() - total) / len(upper)
    spare = 0.0
    for _ in range(_RELIEF_PASSES):
        if not part.excess.any():
            break
        loads = part.loads
        heights = (
            _heights(near, (upper - loads >= lightest).all(axis=1)),
            _heights(near, (loads - lower >= lightest).all(axis=1)),
        )
        # Those that break limits, and those that can give to them.
        is_over = np.any(loads > upper, axis=1)
        is_under = np.any(loads < lower, axis=1)
        touched = is_over | np.any(is_under[near], axis=1)
        inside = np.flatnonzero(touched[part.labels])
        inside = inside[np.argsort(margins[inside], kind="stable")]
        changed = False
        for low in range(0, len(inside), _RELIEF_BLOCK):
            block = inside[low : low + _RELIEF_BLOCK]
            changed |= relief.run(block, *heights, start.prices, spare)
            if deadline.passed() or not part.excess.any():
                break
        if deadline.passed() or not (changed or spare == 0.0 < free):
            break
        spare = 0.0 if changed else free
    if part.excess.any():
        return None
    return _Feasible(part, order, start.prices, part.rebuild())


def _most_members(problem: kernels.Problem) -> int:
    low, high = _MEMBERS
    num_dims = int(problem.coords.shape[1])
    return min(max(low, _MEMBER_VALUES // num_dims), high)


def _in_memory_order(start: Priced) -> np.ndarray:
    """Return the points by cluster, those of the widest margin first.

    The member lists, which are made backwards, then begin with the points that
    lose least by leaving.
    """
    margins = np.sqrt(start.margins / max(float(start.margins.max()), 1e-300))
    # NumPy sorts small whole numbers in linear time.
    order = np.argsort(
        ((1.0 - margins) * 65535.0).astype(np.uint16), kind="stable"
    )
    kind = np.min_scalar_type(len(start.prices))
    labels = start.labels[order].astype(kind)
    return np.asarray(order[np.argsort(labels, kind="stable")])


def _heights(near: np.ndarray, has_room: np.ndarray) -> np.ndarray:
    """Return the steps from each cluster to one with room, inf for none."""
    height = np.where(has_room, 0.0, np.inf)
    while True:
        lower = np.minimum(height, height[near].min(axis=1) + 1.0)
        if (lower == height).all():
            return height
        height = lower


def _descended(start: _Feasible, deadline: TimeLimit) -> _Feasible:
    """Improve a partition by single moves; it is modified."""
    part, inertia = start.part, start.inertia
    for turn in range(_DESCENTS):
        near = clusters_near(part.means, start.prices)
        last = turn + 1 == _DESCENTS
        passes = 2 * _DESCENT_PASSES if last else _DESCENT_PASSES
        most = _most_members(part.problem)
        change = _descend(part, near, most, passes, deadline)
        inertia = part.rebuild()
        if deadline.passed() or -change < _LEAST_GAIN * inertia:
            break
    return start._replace(inertia=inertia)
