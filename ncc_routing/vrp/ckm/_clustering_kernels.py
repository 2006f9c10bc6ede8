"""Compiled capacitated k-means on a region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.clustering.assignment_kernels import assign_by_regret
from ncc_routing.clustering.center_kernels import (
    CKM,
    KMEANS,
    copy_point,
    find_medoids,
    score,
    seed_centers,
    update_centers,
)
from ncc_routing.clustering.exchange_kernels import place_by_exchange
from ncc_routing.clustering.priority import PriorityFormula
from ncc_routing.core.compiling import INNER

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.vrp.ckm._layout import Plan, Region

MAX_EXCHANGES = 200
"""Customers left over up to which exchanges make room for them."""


@njit(**INNER)
def with_detour(base: PriorityFormula, share: float) -> PriorityFormula:
    """Return the priority with part of its distance counted as detour.

    What the priority counts as detour by itself stays.
    """
    return PriorityFormula(
        base.neighbours,
        base.affinity,
        base.far_affinity,
        base.affinity_weight,
        base.ratio_weight,
        base.depot_weight,
        base.distance_weight * (1.0 - share),
        base.detour_weight + base.distance_weight * share,
    )


@njit(**INNER)
def place_centers(
    plan: Plan,
    region: Region,
    num_slots: int,
    size: int,
    num_clusters: int,
    rng: np.random.Generator,
) -> None:
    """Choose first centers: seeded afresh, or the present ones disturbed."""
    draw = rng.random()
    if draw < 0.5:
        seed_centers(
            CKM if draw < 0.25 else KMEANS,
            region.coords,
            region.weights,
            size,
            num_clusters,
            region.centers,
            region.mass,
            rng,
        )
        return
    start = 0
    for a in range(num_slots):
        count = plan.sizes[region.slots[a]]
        if a < num_clusters:
            for d in range(region.coords.shape[1]):
                total = 0.0
                for i in range(start, start + count):
                    total += region.coords[i, d]
                region.centers[a, d] = total / count
        start += count
    moves = 1 + int(rng.random() * 2.0)
    for a in range(num_slots, num_clusters):
        i = int(rng.random() * size)
        copy_point(region.coords, i, region.centers, a)
    for _ in range(moves):
        k = int(rng.random() * num_clusters)
        i = int(rng.random() * size)
        copy_point(region.coords, i, region.centers, k)


@njit(**INNER)
def cluster_region(
    region: Region,
    size: int,
    num_clusters: int,
    formula: PriorityFormula,
    num_rounds: int,
    weight_power: float,
) -> bool:
    """Run capacitated k-means on a region; whether every customer fits."""
    unplaced = size
    for step in range(num_rounds):
        if formula.affinity_weight != 0.0:
            find_medoids(
                region.coords,
                size,
                num_clusters,
                region.centers,
                region.medoids,
            )
        score(
            formula,
            region.nodes,
            region.place,
            region.coords,
            region.weights,
            size,
            num_clusters,
            region.depot,
            region.centers,
            region.medoids,
            region.scores,
        )
        unplaced = assign_by_regret(
            region.scores,
            region.weights,
            size,
            num_clusters,
            region.capacities,
            weight_power,
            region.loads,
            region.labels,
            region.mass,
            region.queue,
        )
        if step + 1 < num_rounds:
            update_centers(
                region.coords,
                size,
                num_clusters,
                region.no_depot,
                region.labels,
                region.centers,
                region.counts,
            )
    if 0 < unplaced <= MAX_EXCHANGES:
        unplaced = place_by_exchange(
            region.scores,
            region.weights,
            size,
            num_clusters,
            region.capacities,
            region.loads,
            region.labels,
        )
    return unplaced == 0
