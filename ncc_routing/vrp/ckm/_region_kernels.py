"""Compiled regions: clusters taken out of a plan, and put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.clustering.center_kernels import copy_point
from ncc_routing.core.compiling import INNER

if TYPE_CHECKING:
    from ncc_routing.vrp.ckm._layout import Plan, Region, RegionProblem


@njit(**INNER)
def gather_region(
    problem: RegionProblem,
    plan: Plan,
    region: Region,
    center: int,
    max_slots: int,
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


@njit(**INNER)
def load_region(problem: RegionProblem, region: Region, size: int) -> None:
    """Copy the data of the customers of the region into its buffers."""
    for i in range(size):
        node = region.nodes[i]
        region.place[node] = i
        copy_point(problem.coords, node, region.coords, i)
        region.weights[i] = problem.demands[node]


@njit(**INNER)
def leave_region(region: Region, size: int) -> None:
    """Mark the customers of the region as outside again."""
    for i in range(size):
        region.place[region.nodes[i]] = -1


@njit(**INNER)
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


@njit(**INNER)
def copy_plan(source: Plan, target: Plan) -> None:
    """Copy the clusters of a plan into one of the same shape."""
    for slot in range(len(source.sizes)):
        for a in range(source.sizes[slot]):
            target.members[slot, a] = source.members[slot, a]
        target.sizes[slot] = source.sizes[slot]


@njit(**INNER)
def gain_in_fullness(
    problem: RegionProblem,
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
