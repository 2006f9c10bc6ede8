"""Compiled capacitated k-means: the rounds of one start."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import njit

from ncc_routing.clustering.assignment_kernels import (
    assign_by_regret,
    assign_cyclic,
    assign_sorted,
    complete,
)
from ncc_routing.clustering.center_kernels import (
    TOP_WEIGHTS,
    copy_point,
    find_medoids,
    inertia_of,
    score,
    seed_centers,
    update_centers,
)
from ncc_routing.core.compiling import DRAWING, INNER

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.clustering.priority import PriorityFormula

# How points are assigned, in the order of ``capacitated_kmeans.ASSIGNMENTS``.
SORTED, CYCLIC, REGRET = range(3)


class Rules(NamedTuple):
    """How a start runs; see ``capacitated_kmeans.KMeansParams``.

    Attributes
    ----------
    seeding, assignment
        Numbers of the rules.
    num_left
        Points that the cyclic assignment leaves to its completion.
    num_samples
        Completions drawn at random.
    """

    seeding: int
    assignment: int
    num_left: int
    num_samples: int


class Work(NamedTuple):
    """The points, the clusters of a start, and the best clusters of all.

    Attributes
    ----------
    coords
        Float64 array of shape (num_points, num_dims).
    weights
        Int64 or float64 array of shape (num_points,).
    nodes, heaviest
        Points by their number, and by falling weight.
    depot
        See ``center_kernels``.
    capacities, loads, counts, medoids, centers
        One entry per cluster.
    scores
        Float64 array of shape (num_clusters, num_points).
    labels, mass, queue
        One entry per point.
    best_labels, best
        Labels of the best round of all, and its inertia as the only entry.
    """

    coords: np.ndarray
    weights: np.ndarray
    nodes: np.ndarray
    heaviest: np.ndarray
    depot: np.ndarray
    capacities: np.ndarray
    loads: np.ndarray
    counts: np.ndarray
    medoids: np.ndarray
    centers: np.ndarray
    scores: np.ndarray
    labels: np.ndarray
    mass: np.ndarray
    queue: np.ndarray
    best_labels: np.ndarray
    best: np.ndarray


@njit(**INNER)
def assign(work: Work, rules: Rules, rng: np.random.Generator) -> int:
    """Assign all points by the scores; return how many fit nowhere."""
    num_clusters, size = work.scores.shape
    if rules.assignment == SORTED:
        return assign_sorted(
            work.scores,
            work.weights,
            size,
            num_clusters,
            work.capacities,
            work.loads,
            work.labels,
        )
    if rules.assignment == REGRET:
        return assign_by_regret(
            work.scores,
            work.weights,
            size,
            num_clusters,
            work.capacities,
            0.0,
            work.loads,
            work.labels,
            work.mass,
            work.queue,
        )
    unplaced = assign_cyclic(
        work.scores,
        work.weights,
        size,
        num_clusters,
        work.capacities,
        rules.num_left,
        work.loads,
        work.labels,
        rng,
    )
    if rules.num_left == 0 or unplaced == 0:
        return unplaced
    return complete(
        work.scores,
        work.coords,
        work.weights,
        size,
        num_clusters,
        work.capacities,
        work.centers,
        rules.num_samples,
        work.loads,
        work.labels,
        rng,
    )


@njit(**DRAWING)
def run_rounds(
    work: Work,
    formula: PriorityFormula,
    rules: Rules,
    is_fresh: bool,
    num_rounds: int,
    rng: np.random.Generator,
) -> bool:
    """Assign points and move centers in turn; keep the best round.

    Parameters
    ----------
    work
        Modified in place.
    is_fresh
        Whether to choose first centers, or to go on from those there are.
    num_rounds
        Number of rounds to run at most.

    Returns
    -------
    bool
        Whether no center moved any more.
    """
    num_clusters, size = work.scores.shape
    if is_fresh and rules.seeding == TOP_WEIGHTS:
        for k in range(num_clusters):
            copy_point(work.coords, work.heaviest[k], work.centers, k)
    elif is_fresh:
        seed_centers(
            rules.seeding,
            work.coords,
            work.weights,
            size,
            num_clusters,
            work.centers,
            work.mass,
            rng,
        )
    for _ in range(num_rounds):
        if formula.affinity_weight != 0.0:
            find_medoids(
                work.coords, size, num_clusters, work.centers, work.medoids
            )
        score(
            formula,
            work.nodes,
            work.nodes,
            work.coords,
            work.weights,
            size,
            num_clusters,
            work.depot,
            work.centers,
            work.medoids,
            work.scores,
        )
        if assign(work, rules, rng) == 0:
            spread = inertia_of(work.coords, size, num_clusters, work.labels)
            if spread < work.best[0]:
                work.best[0] = spread
                for i in range(size):
                    work.best_labels[i] = work.labels[i]
        moved = update_centers(
            work.coords,
            size,
            num_clusters,
            work.depot,
            work.labels,
            work.centers,
            work.counts,
        )
        if moved == 0.0:
            return True
    return False
