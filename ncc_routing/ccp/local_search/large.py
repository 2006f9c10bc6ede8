"""The search for the inertia where pairs or members are too many.

Prices balance k-means (``balance``), what is left over the limits moves point
by point, and a descent ends the search. No step looks at more than some
clusters near that of a point and some members of each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.ccp.local_search._descent_kernels import relieve
from ncc_routing.ccp.local_search._partition_kernels import (
    Problem,
    new_partition,
    rebuild,
)
from ncc_routing.ccp.local_search.balance import (
    Priced,
    balance,
    clusters_near,
    unpriced,
)
from ncc_routing.ccp.local_search.descent import descend_until
from ncc_routing.clustering.starts import bisect, pack, spread_seeds
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.stopping import is_met

if TYPE_CHECKING:
    from ncc_routing.ccp.local_search._partition_kernels import Partition
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.points import PointSet

MOST_MEMBERS: Final = 400
"""Members of a cluster that are looked at as partners of a swap."""

_RELIEF_PASSES: Final = 300
"""Passes over the clusters that are too full, at most."""

_RELIEF_BLOCK: Final = 500
"""Points between two looks at the clock."""

_DESCENTS: Final = 12
_DESCENT_PASSES: Final = 4
_LEAST_GAIN: Final = 1e-4
"""Descents, passes of each over all points, and the share of the inertia
that one has to gain for another to follow."""

_START_SHARE: Final = 0.6
"""Share of the time that the bisection may take."""

_START_PAIRS: Final = 2_000_000
"""Pairs of points and clusters of all starts together."""

_SEED_SAMPLE: Final = 20
"""Points for each cluster among which the seeds of a start are drawn."""

_FINISH: Final = 5e-7
"""Seconds for each point that the summary and the check take."""


class _Feasible(NamedTuple):
    """A partition within the limits, and the points in another order."""

    problem: Problem
    part: Partition
    order: np.ndarray
    prices: np.ndarray
    inertia: float


def cluster_large(
    points: PointSet,
    problem: Problem,
    *,
    start: np.ndarray | None,
    rng: np.random.Generator,
    deadline: Deadline,
    stop: Stop | None = None,
) -> np.ndarray | None:
    """Return labels of small inertia within the limits.

    Parameters
    ----------
    points, problem
        The points, and the same for the kernels.
    start
        Cluster of each point at first. Default: a bisection.
    rng
        Source of the seeds of further starts.
    deadline
        When to stop.

    stop
        Another criterion: asked between starts.

    Returns
    -------
    numpy.ndarray or None
        Cluster of each point; ``None`` where no way was found to place all.
    """
    size, num_clusters = points.num_points, len(problem.limits)
    if num_clusters == 1:
        return np.zeros(size, dtype=np.int64)
    deadline = deadline.within(deadline.remaining() - _FINISH * size)
    labels = start
    if labels is None:
        first = deadline.within(_START_SHARE * deadline.remaining())
        labels = bisect(points, problem.limits, first)
    # First something to fall back on.
    best = _relieved(problem, unpriced(problem, labels), deadline)
    num_starts = max(1, _START_PAIRS // (size * num_clusters))
    for number in range(num_starts):
        if number > 0:
            cost = np.inf if best is None else best.inertia
            if deadline.passed() or is_met(stop, cost):
                break
            labels = _labels_by_seeds(problem, rng)
        trial = None
        priced = balance(problem, labels, deadline)
        if priced is not None:
            trial = _relieved(problem, priced, deadline)
        trials = [best, trial] if number == 0 else [trial]
        if num_starts == 1:
            trials = [_better(best, trial)]
        for one in trials:
            if one is not None:
                best = _better(best, _descended(one, deadline))
    if best is None:
        return pack(points, problem.limits)
    labels = np.empty_like(best.part.labels)
    labels[best.order] = best.part.labels
    return labels


def _better(
    one: _Feasible | None, other: _Feasible | None
) -> _Feasible | None:
    """Return the one of less inertia of those that there are."""
    if one is None or (other is not None and other.inertia < one.inertia):
        return other
    return one


def _labels_by_seeds(problem: Problem, rng: np.random.Generator) -> np.ndarray:
    """Return the nearest of seeds that lie far from each other."""
    coords, num_clusters = problem.coords, len(problem.limits)
    size = min(len(coords), _SEED_SAMPLE * num_clusters)
    places = coords[rng.choice(len(coords), size, replace=False)]
    seeds = places[spread_seeds(places, num_clusters, rng)]
    _, labels = nearest_points(seeds)(coords, 1)
    return np.asarray(labels[:, 0], dtype=np.int64)


def _relieved(
    problem: Problem, start: Priced, deadline: Deadline
) -> _Feasible | None:
    """Bring the loads within the limits, if that is found."""
    order = _in_order(start)
    problem = problem._replace(
        coords=problem.coords[order], weights=problem.weights[order]
    )
    part = new_partition(problem)
    part.labels[:] = start.labels[order]
    rebuild(problem, part)
    margins = start.margins[order]
    near = clusters_near(part.means, start.prices)
    limits = problem.limits
    lightest = float(problem.weights.min())
    free = float(limits.sum() - problem.weights.sum()) / len(limits)
    spare = 0.0
    for _ in range(_RELIEF_PASSES):
        if (part.loads <= limits).all():
            break
        height = _heights(near, limits - part.loads >= max(lightest, 1e-300))
        inside = np.flatnonzero((part.loads > limits)[part.labels])
        inside = inside[np.argsort(margins[inside], kind="stable")]
        changed = False
        for low in range(0, len(inside), _RELIEF_BLOCK):
            block = inside[low : low + _RELIEF_BLOCK]
            most = MOST_MEMBERS
            changed |= relieve(
                *(
                    problem,
                    part,
                    near,
                    most,
                    block,
                    height,
                    start.prices,
                    spare,
                )
            )
            if deadline.passed() or (part.loads <= limits).all():
                break
        if deadline.passed() or not (changed or spare == 0.0 < free):
            break
        spare = 0.0 if changed else free
    if (part.loads > limits).any():
        return None
    inertia = float(rebuild(problem, part))
    return _Feasible(problem, part, order, start.prices, inertia)


def _in_order(start: Priced) -> np.ndarray:
    """Return the points cluster by cluster, as they lie in memory.

    Those that lose most by leaving come first: the list of the members of a
    cluster, which is made backwards, begins with the others.
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


def _descended(found: _Feasible, deadline: Deadline) -> _Feasible:
    """Improve a partition by single moves; it is modified."""
    problem, part, inertia = found.problem, found.part, found.inertia
    for turn in range(_DESCENTS):
        near = clusters_near(part.means, found.prices)
        last = turn + 1 == _DESCENTS
        passes = 2 * _DESCENT_PASSES if last else _DESCENT_PASSES
        change = descend_until(
            problem, part, near, MOST_MEMBERS, passes, deadline
        )
        inertia = float(rebuild(problem, part))
        if deadline.passed() or -change < _LEAST_GAIN * inertia:
            break
    return found._replace(inertia=inertia)
