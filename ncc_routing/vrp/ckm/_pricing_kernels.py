"""Compiled costs of clusters: the length of a good route through each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INNER
from ncc_routing.problems.distances import fill_block
from ncc_routing.vrp.preferences.cluster_kernels import cluster_penalty
from ncc_routing.vrp.tours.tour_kernels import (
    RELATIVE_TOLERANCE,
    descend,
    nearest_neighbour_tour,
    tour_length,
)

if TYPE_CHECKING:
    from ncc_routing.vrp.ckm._layout import Memo, Region, RegionProblem


@njit(**INNER)
def route_cost(
    problem: RegionProblem,
    region: Region,
    memo: Memo,
    size: int,
    key: int,
) -> float:
    """Return the cost of a good tour of ``region.cluster[1:size]``.

    What the members cost beside it is added. ``region.cluster[0]`` is the
    depot. A set seen before keeps the cost of the tour found then.
    """
    spot = key & np.uint64(len(memo.hashes) - 1)
    if memo.hashes[spot] == key:
        return memo.costs[spot]
    fill_block(problem.metric, region.cluster, size, region.dist)
    tour = region.tour[:size]
    nearest_neighbour_tour(region.dist, size, tour)
    if size > 3 or not problem.is_symmetric:
        for i in range(size):
            region.position[tour[i]] = i
            region.active[i] = True
        descend(
            region.dist,
            tour,
            region.position,
            region.active,
            size,
            problem.is_symmetric,
            RELATIVE_TOLERANCE * tour_length(region.dist, tour, size),
        )
    cost = tour_length(region.dist, tour, size)
    cost += cluster_penalty(problem.penalties, region.cluster, size)
    memo.hashes[spot] = key
    memo.costs[spot] = cost
    return cost


@njit(**INNER)
def price_region(
    problem: RegionProblem,
    region: Region,
    memo: Memo,
    size: int,
    num_clusters: int,
    limit: float,
) -> float:
    """Return the cost of routing the clusters, or inf beyond ``limit``."""
    total = 0.0
    for k in range(num_clusters):
        # A literal 1 would make numba compile every callee twice.
        count = np.int64(1)
        key = np.uint64(0)
        region.cluster[0] = 0
        for i in range(size):
            if region.labels[i] == k:
                region.cluster[count] = region.nodes[i]
                key ^= problem.keys[region.nodes[i]]
                count += 1
        region.costs[k] = 0.0
        # A cluster beyond the buffers is never part of a region again.
        if 1 < count <= len(region.dist):
            region.costs[k] = route_cost(problem, region, memo, count, key)
        total += region.costs[k]
        if total > limit:
            return np.inf
    return total
