"""Capacitated k-means with local search on the true inertia."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.local_search._descent_kernels import relieve
from ncc_routing.ccp.local_search._kick_kernels import kick_and_descend, reseed
from ncc_routing.ccp.local_search._partition_kernels import (
    Partition,
    Problem,
    new_partition,
    rebuild,
)
from ncc_routing.ccp.local_search.descent import descend_until
from ncc_routing.ccp.local_search.large import cluster_large
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.starts import bisect, pack
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError
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
DENSE_POINTS = 3_000
"""Pairs of points and clusters, and points, up to which every pair is looked
at; ``large`` does the rest."""

_MAX_PASSES = 1000
"""Passes of a descent at most."""
_NUM_KICKS = 100
"""Kicks where nothing limits the time or the kicks."""
_KICK_BATCH = 20
_KICKED_POINTS = 10_000
"""Kicks between two looks at the clock: so many at most, and with a time
limit so many points times kicks."""


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
        Large problems (more than ``DENSE_PAIRS`` pairs of points and
        clusters, or ``DENSE_POINTS`` points) take none. With a
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
    deadline
        When to stop: asked between short stretches of a descent, and every
        few kicks.
    stop
        Another criterion: asked between starts and every few kicks.

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
    if is_large(points, num_clusters):
        labels = cluster_large(
            *(points, problem),
            start=start,
            rng=rng,
            deadline=deadline,
            stop=stop,
        )
    else:
        labels = _cluster_small(
            *(points, problem, start), params, rng, deadline, stop
        )
    if labels is None:
        raise InfeasibleError(
            f"{points.name}: found no way to place every point in "
            f"{num_clusters} clusters of capacity {points.capacity:g}."
        )
    return summarize(points, labels, num_clusters, "inertia")


def _cluster_small(
    points: PointSet,
    problem: Problem,
    start: np.ndarray | None,
    params: SearchParams,
    rng: np.random.Generator,
    deadline: Deadline,
    stop: Stop | None,
) -> np.ndarray | None:
    """Return labels after starts, descents and kicks, ``None`` for none."""
    num_clusters = len(problem.limits)
    part = new_partition(problem)
    near = np.tile(np.arange(num_clusters), (num_clusters, 1))
    best, best_labels = np.inf, part.labels
    for number in range(params.num_starts):
        if number > 0 and (deadline.passed() or is_met(stop, best)):
            break
        if number == 0 and start is not None:
            part.labels[:] = start
        elif not _start(points, problem, part, near, rng):
            continue
        inertia = float(rebuild(problem, part))
        inertia += descend_until(
            *(problem, part, near, points.num_points, _MAX_PASSES), deadline
        )
        if inertia < best:
            best, best_labels = inertia, part.labels.copy()
    if not np.isfinite(best):
        return None
    part.labels[:] = best_labels
    limit = _kick_limit(params, deadline, stop)
    batch = _KICK_BATCH
    if deadline.is_limited():
        batch = min(batch, max(1, _KICKED_POINTS // points.num_points))
    _kick(problem, part, near, Pace(limit, batch, best), rng)
    return part.labels


def is_large(points: PointSet, num_clusters: int) -> bool:
    """Whether not every pair of points and clusters can be looked at."""
    size = points.num_points
    return size > DENSE_POINTS or size * num_clusters > DENSE_PAIRS


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
    pace: Pace,
    rng: np.random.Generator,
) -> None:
    """Cluster groups of neighbouring clusters anew, until told to stop."""
    if len(problem.limits) == 1:
        return
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
    size = points.num_points
    everyone, level = np.arange(size), np.zeros(num_clusters)
    for _ in range(_MAX_PASSES):
        if not relieve(problem, part, near, size, everyone, level, level, 0.0):
            break
    if (part.loads <= problem.limits).all():
        return True
    packed = pack(points, problem.limits)
    if packed is None:
        return False
    part.labels[:] = packed
    return True
