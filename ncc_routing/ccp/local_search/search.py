"""Capacitated k-means with local search on the true inertia."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.local_search._descent_kernels import (
    descend,
    mark_all,
    relieve,
)
from ncc_routing.ccp.local_search._kick_kernels import kick_and_descend, reseed
from ncc_routing.ccp.local_search._partition_kernels import (
    Partition,
    Problem,
    new_partition,
    rebuild,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import bisect, pack
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.stopping import (
    MaxIterations,
    NoImprovement,
    Pace,
    TimeLimit,
    counts_iterations,
    first_of,
    is_met,
)

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

DENSE_PAIRS = 200_000
"""Pairs of points and clusters up to which every pair is looked at."""

NUM_NEAR = 8
"""Centers that each point may join beyond that."""

_MAX_PASSES = 1000
"""Passes of a descent at most."""
_SPARSE_ROUNDS = 12
_SPARSE_PASSES = 4
_NUM_KICKS = 100
"""Kicks where nothing limits the time or the kicks."""
_KICK_BATCH = 20
"""Rounds and passes where pairs are too many to look at each, and kicks
between two looks at the clock."""


@dataclass(frozen=True)
class SearchParams:
    """How much the search tries.

    Parameters
    ----------
    num_starts
        Independent starts, each followed by a descent. Default 2.
    num_kicks
        Number of times that two to four neighbouring clusters of the best
        partition are clustered anew, followed by a descent. Default 100.
        Large problems (more than ``DENSE_PAIRS`` pairs) take none. With a
        time limit or another criterion it goes on beyond the default.
    patience
        Kicks without a gain after which the search ends. Default 1000.
    """

    num_starts: int = bounded(2, 1, MAX_EFFORT)
    num_kicks: int | None = bounded(None, 0, MAX_EFFORT)
    patience: int = bounded(1000, 1, MAX_EFFORT)

    def __post_init__(self) -> None:
        check_bounds(self)


def cluster_by_search(
    points: PointSet,
    num_clusters: int,
    *,
    start: np.ndarray | None = None,
    params: SearchParams | None = None,
    rng: np.random.Generator,
    deadline: Deadline | None = None,
    stop: Stop | None = None,
) -> Clustering:
    """Cluster points under capacities with small inertia.

    After ckm++ seeds and an assignment by regret a descent by relocations,
    swaps and ejections follows, each judged by its exact effect; then groups
    of neighbouring clusters are clustered anew.

    Parameters
    ----------
    points, num_clusters
        The points and the number of clusters K.
    start
        Cluster of each point where the first descent begins.
    params
        How much to try. Default ``SearchParams()``.
    rng
        Source of the seeds.
    deadline, stop
        When to stop: asked between starts and every 20 kicks.

    Returns
    -------
    Clustering
        Within the limits of ``points.cluster_limits``.

    Raises
    ------
    InfeasibleError
        If no start placed every point.
    InstanceError
        If K is out of range or too small for the total weight.
    """
    params = params or SearchParams()
    deadline = deadline or Deadline()
    problem = problem_of(points, points.cluster_limits(num_clusters))
    part = new_partition(problem)
    if points.num_points * num_clusters > DENSE_PAIRS and start is None:
        labels = _search_sparse(points, problem, part, deadline)
        return summarize(points, labels, num_clusters, "inertia")
    near = np.tile(np.arange(num_clusters), (points.num_points, 1))
    best, best_labels = np.inf, part.labels
    for number in range(params.num_starts):
        if number > 0 and (deadline.passed() or is_met(stop, best)):
            break
        if number == 0 and start is not None:
            part.labels[:] = start
        elif not _start(points, problem, part, near, rng):
            continue
        inertia = _descend_from(problem, part, near)
        if inertia < best:
            best, best_labels = inertia, part.labels.copy()
    if not np.isfinite(best):
        raise InfeasibleError(
            f"{points.name}: {params.num_starts} starts placed not every "
            f"point in {num_clusters} clusters of {points.capacity:g}."
        )
    part.labels[:] = best_labels
    limit = _kick_limit(params, deadline, stop)
    _kick(problem, part, near, best, limit, rng)
    return summarize(points, part.labels, num_clusters, "inertia")


def _descend_from(
    problem: Problem, part: Partition, near: np.ndarray
) -> float:
    """Improve the labels as far as single moves can; return the inertia."""
    inertia = float(rebuild(problem, part))
    mark_all(part, 1)
    return inertia + float(descend(problem, part, near, _MAX_PASSES, np.inf))


def _kick_limit(
    params: SearchParams, deadline: Deadline, stop: Stop | None
) -> Stop:
    """Return when the kicks end."""
    limits: list[Stop] = [NoImprovement(params.patience)]
    if stop is not None:
        limits.append(stop)
    num_kicks = params.num_kicks
    is_limited = deadline.is_limited() or counts_iterations(stop)
    if num_kicks is None and not is_limited:
        num_kicks = _NUM_KICKS
    if num_kicks is not None:
        limits.append(MaxIterations(num_kicks))
    return first_of(TimeLimit(deadline), *limits)


def _kick(
    problem: Problem,
    part: Partition,
    near: np.ndarray,
    inertia: float,
    stop: Stop,
    rng: np.random.Generator,
) -> None:
    """Cluster groups of neighbouring clusters anew, until told to stop."""
    if len(problem.limits) == 1:
        return
    pace = Pace(stop, _KICK_BATCH, inertia)
    while pace.progress < 1.0:
        count, _ = pace.next_batch()
        # The patience counts across the batches: none ends early.
        inertia = kick_and_descend(problem, part, near, count, count + 1, rng)
        pace.advance(count, inertia)


def problem_of(points: PointSet, limits: np.ndarray) -> Problem:
    """Return the problem in the form of the kernels."""
    coords = np.array(points.coords)
    spread = float(((coords - coords.mean(axis=0)) ** 2).sum())
    return Problem(
        coords,
        points.weights.astype(np.float64),
        limits,
        spread / len(coords),
    )


def _start(
    points: PointSet,
    problem: Problem,
    part: Partition,
    near: np.ndarray,
    rng: np.random.Generator,
) -> bool:
    """Fill the labels with a feasible partition, if one is found."""
    num_clusters = len(problem.limits)
    region = np.zeros(num_clusters, dtype=np.int64)
    if reseed(problem, part, region, -1, 2, True, rng):
        return True
    part.labels[:] = bisect(points, problem.limits)
    rebuild(problem, part)
    if relieve(problem, part, near, _MAX_PASSES) <= 0.0:
        return True
    packed = pack(points, problem.limits)
    if packed is None:
        return False
    part.labels[:] = packed
    return True


def _search_sparse(
    points: PointSet,
    problem: Problem,
    part: Partition,
    deadline: Deadline,
) -> np.ndarray:
    """Descend from a bisection; each point looks at its nearest centers."""
    num_clusters = len(problem.limits)
    degree = min(NUM_NEAR, num_clusters)
    labels = bisect(points, problem.limits)
    # Members of a cluster lie side by side in memory: less time is lost
    # waiting for it where there are a million of them.
    order = np.argsort(labels, kind="stable")
    problem = problem._replace(
        coords=problem.coords[order], weights=problem.weights[order]
    )
    part.labels[:] = labels[order]
    inertia = rebuild(problem, part)
    for turn in range(_SPARSE_ROUNDS):
        _, near = nearest_points(part.means)(problem.coords, degree)
        near = np.ascontiguousarray(near, dtype=np.int64)
        if relieve(problem, part, near, _MAX_PASSES) > 0.0:
            break
        mark_all(part, 1)
        last = turn + 1 == _SPARSE_ROUNDS
        passes = 2 * _SPARSE_PASSES if last else _SPARSE_PASSES
        change = descend(problem, part, near, passes, np.inf)
        inertia = rebuild(problem, part)
        if -change < 1e-4 * inertia or deadline.passed():
            break
    if (part.loads > problem.limits).any():
        packed = pack(points, problem.limits)
        if packed is None:
            raise InfeasibleError(
                f"{points.name}: found no way to place every point in "
                f"{num_clusters} clusters of capacity {points.capacity:g}."
            )
        return packed
    labels[order] = part.labels
    return labels
