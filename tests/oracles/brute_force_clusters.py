"""The cheapest clusters of few points, by a look at every partition."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ncc_routing as nr


def partitions(size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield each partition once: sets in the order of first members."""
    if size == 0:
        yield ()
        return
    for labels in partitions(size - 1, count):
        for label in range(min(count, max(labels, default=-1) + 2)):
            yield (*labels, label)


def cheapest_clusters(
    points: nr.PointSet, count: int, objective: str
) -> float:
    """Return the least cost of ``count`` clusters, inf for none.

    All limits of a ``PointSet`` hold, in any order of the clusters where
    they differ; a cluster may be empty unless a limit forbids it.
    """
    columns = [points.weights, np.ones(points.num_points)]
    if points.other_weights is not None:
        columns += [*points.other_weights.T]
    measures = np.column_stack(columns).astype(float)
    least, most = _limits(points, measures, count)
    is_alike = (least == least[0]).all() and (most == most[0]).all()
    orders = [range(count)] if is_alike else [*permutations(range(count))]

    @cache
    def cluster(members: tuple[int, ...]) -> tuple[float, np.ndarray]:
        loads = measures[[*members]].sum(axis=0)
        if not members:
            return 0.0, loads
        load = float(loads[0])
        return _cluster_cost(points, [*members], load, objective), loads

    best = np.inf
    for labels in partitions(points.num_points, count):
        groups: list[list[int]] = [[] for _ in range(count)]
        for point, label in enumerate(labels):
            groups[label].append(point)
        costs, loads = zip(*(cluster(tuple(g)) for g in groups), strict=True)
        if sum(costs) < best and any(
            all(
                (least[k] <= loads[place]).all()
                and (loads[place] <= most[k]).all()
                for k, place in enumerate(order)
            )
            for order in orders
        ):
            best = sum(costs)
    return best


def _limits(
    points: nr.PointSet, measures: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return least and largest loads, each of shape (count, measures)."""
    least = np.zeros((count, len(measures.T)))
    most = np.full((count, len(measures.T)), np.inf)
    most[:, 0] = points.capacity
    for field, array, measure in (
        ("capacities", most, 0),
        ("min_load", least, 0),
        ("min_size", least, 1),
        ("max_size", most, 1),
        ("other_capacities", most, slice(2, None)),
        ("other_min_loads", least, slice(2, None)),
    ):
        if getattr(points, field) is not None:
            array[:, measure] = getattr(points, field)
    if points.tolerance is not None:
        means = measures.sum(axis=0) / count
        means[1] = np.nan  # no tolerance is asked of the sizes
        least = np.fmax(least, means * (1 - points.tolerance))
        most = np.fmin(most, means * (1 + points.tolerance))
    return least * (1 - 1e-9) - 1e-12, most * (1 + 1e-9) + 1e-12


def _cluster_cost(
    points: nr.PointSet, members: list[int], load: float, objective: str
) -> float:
    """Return what one cluster costs, by definition."""
    coords = points.coords[members]
    offsets = coords - coords.mean(axis=0)
    if objective == "inertia":
        return float((offsets**2).sum())
    if objective == "cccp":
        return float(np.sqrt((offsets**2).sum(axis=1)).sum())
    lengths = np.sqrt(((coords[:, None] - coords[None]) ** 2).sum(axis=2))
    if points.matrix is not None:
        lengths = points.matrix[np.ix_(members, members)]
    if points.rounding == "floor":
        lengths = np.floor(lengths)
    sums = lengths.sum(axis=0)
    if points.point_capacities is not None:
        rooms = points.point_capacities[members].astype(float)
        sums[load > points.largest_load(1) * rooms * (1 + 1e-9)] = np.inf
    return float(sums.min())
