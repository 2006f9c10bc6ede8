"""Compiled re-clustering of regions of a cluster-first solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.clustering.center_kernels import seed_centers
from ncc_routing.core.compiling import DRAWING, INNER
from ncc_routing.vrp.ckm._clustering_kernels import (
    cluster_region,
    place_centers,
    with_detour,
)
from ncc_routing.vrp.ckm._pricing_kernels import price_region
from ncc_routing.vrp.ckm._region_kernels import (
    copy_plan,
    gain_in_fullness,
    gather_region,
    leave_region,
    load_region,
    replace_region,
)

if TYPE_CHECKING:
    from ncc_routing.vrp.ckm._layout import (
        Block,
        Knobs,
        Memo,
        Plan,
        Region,
        RegionProblem,
    )

IMPROVEMENT = 1e-9
"""Relative gain from which on a plan is a new best one: less is rounding."""


@njit(**INNER)
def start_block(
    problem: RegionProblem,
    plan: Plan,
    region: Region,
    memo: Memo,
    block: Block,
    rng: np.random.Generator,
) -> float:
    """Cluster a block of customers that are in no cluster yet.

    Returns the cost of the new clusters, or, where customers are left over,
    minus their demand; the plan is then as before.
    """
    size, num_clusters = block.size, block.num_clusters
    load_region(problem, region, size)
    seed_centers(
        block.seeding,
        region.coords,
        region.weights,
        size,
        num_clusters,
        region.centers,
        region.mass,
        rng,
    )
    left, cost = 0, 0.0
    if cluster_region(
        region,
        size,
        num_clusters,
        problem.formula,
        block.num_rounds,
        block.weight_power,
    ):
        cost = price_region(problem, region, memo, size, num_clusters, np.inf)
        replace_region(plan, region, block.num_old, size, num_clusters)
    else:
        for i in range(size):
            if region.labels[i] < 0:
                left += region.weights[i]
    leave_region(region, size)
    return cost if left == 0 else -float(left)


@njit(**INNER)
def try_region(
    problem: RegionProblem,
    plan: Plan,
    region: Region,
    memo: Memo,
    knobs: Knobs,
    temperature: float,
    rng: np.random.Generator,
) -> float:
    """Re-cluster one random region; return the accepted change of cost.

    The new clusters replace the old ones where the routes do not get longer
    by more than an exponential draw of mean ``temperature``, and by more
    still where the loads get more uneven: free room in one place is what
    saves a route later. One cluster more must not make them longer at all.
    """
    center = 1 + int(rng.random() * (len(problem.demands) - 1))
    max_slots = 2 + int(rng.random() * (knobs.max_clusters - 1))
    num_slots, size = gather_region(problem, plan, region, center, max_slots)
    if size == 0:
        return 0.0
    load, before = 0, 0.0
    for a in range(num_slots):
        load += plan.loads[region.slots[a]]
        before += plan.costs[region.slots[a]]
    num_clusters = num_slots
    fewest = -(-load // problem.capacity)
    if fewest < num_slots and rng.random() < knobs.fewer_share:
        num_clusters = max(1, fewest)
    elif num_slots < size and rng.random() < knobs.more_share:
        num_clusters += 1
    load_region(problem, region, size)
    place_centers(plan, region, num_slots, size, num_clusters, rng)
    share = rng.random() * knobs.max_detour_share
    feasible = cluster_region(
        region,
        size,
        num_clusters,
        with_detour(problem.formula, share),
        1 + int(rng.random() * knobs.max_rounds),
        rng.random() * knobs.max_weight_power,
    )
    change = 0.0
    if feasible:
        limit = before
        if num_clusters <= num_slots:
            limit -= temperature * np.log(1.0 - rng.random())
        gain = gain_in_fullness(problem, plan, region, num_slots, num_clusters)
        limit += temperature * knobs.fullness_bonus * gain
        after = price_region(problem, region, memo, size, num_clusters, limit)
        if after <= limit and replace_region(
            plan, region, num_slots, size, num_clusters
        ):
            change = after - before
    leave_region(region, size)
    return change


@njit(**DRAWING)
def recluster(
    problem: RegionProblem,
    plan: Plan,
    best: Plan,
    region: Region,
    memo: Memo,
    knobs: Knobs,
    block: Block,
    costs: np.ndarray,
    temperature: float,
    num_trials: int,
    rng: np.random.Generator,
) -> float:
    """Cluster a block afresh, or re-cluster regions and keep the best plan.

    Both are one kernel, because what they share is compiled once that way.

    Parameters
    ----------
    plan, best
        Present and best plan. Modified in place.
    block
        Customers to cluster afresh; of size 0 for none.
    costs
        Total cost of the present and of the best plan. Modified in place.
    temperature
        Mean of the worsening that a trial may cost.
    num_trials
        Number of regions to try.

    Returns
    -------
    float
        The answer of ``start_block``; 0 without fresh customers.
    """
    if block.size > 0:
        return start_block(problem, plan, region, memo, block, rng)
    for _ in range(num_trials):
        costs[0] += try_region(
            problem, plan, region, memo, knobs, temperature, rng
        )
        if costs[0] < costs[1] * (1.0 - IMPROVEMENT):
            costs[1] = costs[0]
            copy_plan(plan, best)
    return 0.0
