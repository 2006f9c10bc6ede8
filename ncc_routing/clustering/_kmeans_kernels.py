"""Compiled capacitated k-means: many starts, of which the best counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.clustering.assignment_kernels import (
    assign_by_regret,
    assign_cyclic,
    assign_sorted,
    complete,
)
from ncc_routing.clustering.center_kernels import (
    TOP_WEIGHTS,
    find_medoids,
    inertia_of,
    score,
    seed_centers,
    update_centers,
)

if TYPE_CHECKING:
    from ncc_routing.clustering.priority import PriorityTable

SORTED, CYCLIC, REGRET = range(3)


@njit(cache=True, nogil=True)
def run_starts(
    coords: np.ndarray,
    weights: np.ndarray,
    capacity: float,
    num_clusters: int,
    depot: np.ndarray,
    table: PriorityTable,
    heaviest: np.ndarray,
    rules: np.ndarray,
    last_fraction: float,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, float]:
    """Run many starts of capacitated k-means and keep the best round.

    Parameters
    ----------
    coords
        Float64 array of shape (num_points, 2).
    weights
        Int64 or float64 array of shape (num_points,).
    heaviest
        Points by falling weight.
    rules
        Seeding rule, assignment rule, number of samples, number of starts,
        limit on the rounds of a start.
    last_fraction
        Share of the points left to the completion of the cyclic rule.

    Returns
    -------
    tuple[np.ndarray, np.ndarray, float]
        Labels, centers and inertia (``inf`` where nothing was feasible).
    """
    size = len(coords)
    xs, ys = coords[:, 0].copy(), coords[:, 1].copy()
    nodes = np.arange(size)
    capacities = np.full(num_clusters, capacity)
    centers = np.empty((num_clusters, 2))
    medoids = np.zeros(num_clusters, dtype=np.int64)
    scores = np.empty((num_clusters, size))
    loads = np.zeros(num_clusters, dtype=weights.dtype)
    labels = np.full(size, -1)
    counts = np.empty(num_clusters)
    mass = np.empty(size)
    queue = np.empty(size, dtype=np.int64)
    best_labels, best_centers, best = labels.copy(), centers.copy(), np.inf
    num_left = int(np.ceil(last_fraction * size))
    for _ in range(rules[3]):
        if rules[0] == TOP_WEIGHTS:
            for k in range(num_clusters):
                centers[k] = coords[heaviest[k]]
        else:
            seed_centers(
                rules[0], xs, ys, weights, size, num_clusters, centers, mass,
                rng,
            )  # fmt: skip
        for _ in range(rules[4]):
            if table.affinity_weight != 0.0:
                find_medoids(xs, ys, size, num_clusters, centers, medoids)
            score(
                table, nodes, nodes, xs, ys, weights, size, num_clusters,
                depot, centers, medoids, scores,
            )  # fmt: skip
            if rules[1] == SORTED:
                unplaced = assign_sorted(
                    scores, weights, size, num_clusters, capacities, loads,
                    labels,
                )  # fmt: skip
            elif rules[1] == CYCLIC:
                unplaced = assign_cyclic(
                    scores, weights, size, num_clusters, capacities, num_left,
                    loads, labels, rng,
                )  # fmt: skip
                if num_left > 0 and unplaced > 0:
                    unplaced = complete(
                        scores, xs, ys, weights, size, num_clusters,
                        capacities, centers, rules[2], loads, labels, rng,
                    )  # fmt: skip
            else:
                unplaced = assign_by_regret(
                    scores, weights, size, num_clusters, capacities, 0.0,
                    loads, labels, mass, queue,
                )  # fmt: skip
            if unplaced == 0:
                spread = inertia_of(xs, ys, size, num_clusters, labels)
                if spread < best:
                    best = spread
                    best_labels[:] = labels
                    best_centers[:] = centers
            moved = update_centers(
                xs, ys, size, num_clusters, depot, labels, centers, counts
            )
            if moved == 0.0:
                break
    return best_labels, best_centers, best
