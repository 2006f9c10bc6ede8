"""The best plans of small problems, by a look at every one."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, permutations
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
    """Return the least cost of at most ``count`` clusters."""
    best = np.inf
    limit = points.largest_load() * (1 + 1e-9)
    for labels in partitions(points.num_points, count):
        chosen = np.array(labels)
        loads = np.bincount(chosen, points.weights, minlength=count)
        if (loads <= limit).all():
            cost = sum(
                _cluster_cost(points.coords[chosen == label], objective)
                for label in set(labels)
            )
            best = min(best, cost)
    return best


def _cluster_cost(coords: np.ndarray, objective: str) -> float:
    """Return what one cluster costs, by definition."""
    offsets = coords - coords.mean(axis=0)
    if objective == "inertia":
        return float((offsets**2).sum())
    if objective == "cccp":
        return float(np.sqrt((offsets**2).sum(axis=1)).sum())
    pairs = coords[:, None] - coords[None]
    return float(np.sqrt((pairs**2).sum(axis=2)).sum(axis=1).min())
