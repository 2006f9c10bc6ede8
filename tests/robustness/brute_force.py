"""The best plans of small problems, by a look at every one."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations
from operator import le
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


def cheapest_routes(instance: nr.Instance) -> float:
    """Return the least cost of routes for a plain CVRP."""
    nodes = np.arange(instance.num_customers + 1)
    lengths = instance.distances(nodes, nodes)

    @cache
    def cost(members: tuple[int, ...]) -> float:
        if instance.demands[list(members)].sum() > instance.capacity:
            return np.inf
        return min(
            sum(float(lengths[arc]) for arc in pairwise((0, *order, 0)))
            for order in permutations(members)
        )

    size = instance.num_customers
    return min(
        sum(
            cost(tuple(1 + i for i in range(size) if labels[i] == label))
            for label in set(labels)
        )
        for labels in partitions(size, size)
    )


def cheapest_clusters(
    points: nr.PointSet, count: int, objective: str
) -> float:
    """Return the least cost of at most ``count`` clusters, inf for none.

    Capacities of clusters go to the loads in descending order.
    """
    rooms = [points.capacity] * count
    if points.capacities is not None:
        rooms = sorted(points.capacities.tolist(), reverse=True)
    limits = [points.largest_load(room) * (1 + 1e-9) for room in rooms]

    @cache
    def cost(members: tuple[int, ...]) -> tuple[float, float]:
        chosen = list(members)
        load = float(points.weights[chosen].sum())
        return load, _cluster_cost(points, chosen, load, objective)

    best = np.inf
    for labels in partitions(points.num_points, count):
        groups: dict[int, list[int]] = {}
        for i, label in enumerate(labels):
            groups.setdefault(label, []).append(i)
        found = [cost(tuple(members)) for members in groups.values()]
        loads = sorted((load for load, _ in found), reverse=True)
        if all(map(le, loads, limits)):
            best = min(best, sum(value for _, value in found))
    return best


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
