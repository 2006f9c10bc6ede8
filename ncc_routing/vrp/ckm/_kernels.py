"""Compiled re-clustering of regions of a cluster-first solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from ncc_routing.clustering.assignment_kernels import (
    assign_by_regret,
)
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
from ncc_routing.problems.distances import fill_block
from ncc_routing.vrp.tours.tour_kernels import (
    RELATIVE_TOLERANCE,
    descend,
    nearest_neighbour_tour,
    tour_length,
)

if TYPE_CHECKING:
    from ncc_routing.vrp.ckm._layout import (
        Block,
        Knobs,
        Memo,
        Plan,
        Problem,
        Region,
    )

# The arguments hold forty arrays: wrappers for calls from Python, which only
# the last kernel needs, would take as long to compile as the kernels.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True}
_INNER: dict[str, Any] = {
    **_OPTIONS,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}

MAX_EXCHANGES = 200
IMPROVEMENT = 1e-9


@njit(**_INNER)
def route_cost(
    problem: Problem,
    region: Region,
    memo: Memo,
    size: int,
    key: int,
) -> float:
    """Return the cost of a good tour of ``region.cluster[1:size]``.

    ``region.cluster[0]`` is the depot. A set seen before keeps the cost of
    the tour found then.
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
    memo.hashes[spot] = key
    memo.costs[spot] = cost
    return cost


@njit(**_INNER)
def gather_region(
    problem: Problem, plan: Plan, region: Region, center: int, max_slots: int
) -> tuple[int, int]:
    """Collect the clusters around a customer, nearest first.

    Returns
    -------
    tuple[int, int]
        Number of slots and number of customers. The clusters of the
        neighbours are added while they fit into the buffers.
    """
    max_points = len(region.nodes)
    num_slots, size = 0, 0
    for a in range(-1, problem.neighbours.shape[1]):
        node = center if a < 0 else problem.neighbours[center, a]
        slot = plan.slot_of[node]
        known = False
        for b in range(num_slots):
            if region.slots[b] == slot:
                known = True
        if known or size + plan.sizes[slot] > max_points:
            continue
        region.slots[num_slots] = slot
        num_slots += 1
        for b in range(plan.sizes[slot]):
            region.nodes[size] = plan.members[slot, b]
            size += 1
        if num_slots == max_slots:
            break
    return num_slots, size


@njit(**_INNER)
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


@njit(**_INNER)
def cluster_region(
    problem: Problem,
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


@njit(**_INNER)
def price_region(
    problem: Problem,
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


@njit(**_INNER)
def replace_region(
    plan: Plan,
    region: Region,
    num_slots: int,
    size: int,
    num_clusters: int,
) -> bool:
    """Write the clusters of the region into the plan; False: no slot left."""
    spare = num_slots
    search = 0
    while spare < num_clusters:
        while search < len(plan.sizes) and plan.sizes[search] > 0:
            search += 1
        if search == len(plan.sizes):
            return False
        region.slots[spare] = search
        spare += 1
        search += 1
    for a in range(spare):
        plan.sizes[region.slots[a]] = 0
    for i in range(size):
        slot = region.slots[region.labels[i]]
        plan.members[slot, plan.sizes[slot]] = region.nodes[i]
        plan.sizes[slot] += 1
        plan.slot_of[region.nodes[i]] = slot
    for k in range(num_clusters):
        slot = region.slots[k]
        plan.loads[slot] = region.loads[k]
        plan.costs[slot] = region.costs[k]
    return True


@njit(**_INNER)
def copy_plan(source: Plan, target: Plan) -> None:
    """Copy the clusters of a plan into one of the same shape."""
    for slot in range(len(source.sizes)):
        for a in range(source.sizes[slot]):
            target.members[slot, a] = source.members[slot, a]
        target.sizes[slot] = source.sizes[slot]


@njit(**_INNER)
def load_region(problem: Problem, region: Region, size: int) -> None:
    """Copy the data of the customers of the region into its buffers."""
    for i in range(size):
        node = region.nodes[i]
        region.place[node] = i
        copy_point(problem.coords, node, region.coords, i)
        region.weights[i] = problem.demands[node]


@njit(**_INNER)
def leave_region(region: Region, size: int) -> None:
    """Mark the customers of the region as outside again."""
    for i in range(size):
        region.place[region.nodes[i]] = -1


@njit(**_INNER)
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


@njit(**_INNER)
def start_block(
    problem: Problem,
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
        problem,
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


@njit(**_INNER)
def gain_in_fullness(
    problem: Problem,
    plan: Plan,
    region: Region,
    num_slots: int,
    num_clusters: int,
) -> float:
    """Return the change of the sum of squared loads, in loads of a vehicle.

    That sum grows when room is moved from a fuller to an emptier cluster.
    """
    total = 0.0
    for k in range(num_clusters):
        total += (region.loads[k] / problem.capacity) ** 2
    for a in range(num_slots):
        total -= (plan.loads[region.slots[a]] / problem.capacity) ** 2
    return total


@njit(**_INNER)
def try_region(
    problem: Problem,
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
        problem,
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


@njit(**_OPTIONS)
def recluster(
    problem: Problem,
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
