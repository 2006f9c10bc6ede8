"""The arrays that the re-clustering kernels work in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.priority import formula_of
from ncc_routing.problems.graph import knn_graph
from ncc_routing.vrp.ckm._layout import Memo, Plan, Region, RegionProblem
from ncc_routing.vrp.preferences.clusters import NO_PENALTIES

if TYPE_CHECKING:
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.problems.instance import Instance

NUM_NEIGHBOURS = 40
"""Customers around which a region looks for clusters to take in."""

MEMO_SIZE = 1 << 17
"""Places of the memo of route costs: 2 MiB, about a second-level cache."""

MAX_ROUTE = 1000
"""Most customers of a re-clustered route: it is priced on a square matrix."""


def make_problem(
    instance: Instance, priority: Priority, rng: np.random.Generator
) -> RegionProblem:
    """Return the instance in the form that the kernels take."""
    coords = instance.plane_coords("method ckm")
    keys = rng.integers(1, 2**64, size=len(instance.demands), dtype=np.uint64)
    formula = formula_of(priority, len(coords), has_depot=True)
    if formula.affinity_weight > 0.0:
        # Regions grow along the affinity: its rows are best first.
        near = np.ascontiguousarray(formula.neighbours[:, :NUM_NEIGHBOURS])
    else:
        near = knn_graph(instance, NUM_NEIGHBOURS).neighbours
    return RegionProblem(
        instance.metric,
        coords.copy(),
        instance.demands.copy(),
        instance.capacity,
        near,
        keys,
        formula,
        instance.is_symmetric,
        NO_PENALTIES,
    )


def max_route_size(instance: Instance) -> int:
    """Return the largest number of customers that one vehicle can serve."""
    lightest = np.cumsum(np.sort(instance.demands[1:]))
    return int(np.searchsorted(lightest, instance.capacity, side="right"))


def make_plan(instance: Instance, num_slots: int) -> Plan:
    """Return a plan without clusters."""
    return Plan(
        np.zeros((num_slots, max_route_size(instance)), dtype=np.int32),
        np.zeros(num_slots, dtype=np.int64),
        np.zeros(num_slots, dtype=np.int64),
        np.zeros(num_slots),
        np.full(instance.num_customers + 1, -1, dtype=np.int32),
    )


def members_of(plan: Plan) -> list[np.ndarray]:
    """Return the customers of each cluster, int64, slot by slot."""
    return [
        plan.members[slot, : plan.sizes[slot]].astype(np.int64)
        for slot in np.flatnonzero(plan.sizes)
    ]


def make_region(
    instance: Instance, max_points: int, max_clusters: int, num_slots: int
) -> Region:
    """Return buffers for ``max_points`` customers in ``max_clusters``."""
    longest = min(max_route_size(instance), MAX_ROUTE, max_points) + 1
    return Region(
        nodes=np.zeros(max_points, dtype=np.int64),
        slots=np.zeros(num_slots, dtype=np.int64),
        place=np.full(instance.num_customers + 1, -1, dtype=np.int32),
        coords=np.zeros((max_points, 2)),
        weights=np.zeros(max_points, dtype=np.int64),
        labels=np.zeros(max_points, dtype=np.int64),
        loads=np.zeros(max_clusters, dtype=np.int64),
        capacities=np.full(max_clusters, instance.capacity),
        centers=np.zeros((max_clusters, 2)),
        medoids=np.zeros(max_clusters, dtype=np.int64),
        counts=np.zeros(max_clusters),
        scores=np.zeros((max_clusters, max_points)),
        mass=np.zeros(max_points),
        queue=np.zeros(max_points, dtype=np.int64),
        tour=np.zeros(longest, dtype=np.int64),
        position=np.zeros(longest, dtype=np.int64),
        active=np.zeros(longest, dtype=np.bool_),
        dist=np.zeros((longest, longest)),
        cluster=np.zeros(max_points + 1, dtype=np.int64),
        costs=np.zeros(max_clusters),
        depot=np.array([*instance.plane_coords("method ckm")[0], 1.0]),
        no_depot=np.zeros(3),
    )


def make_memo() -> Memo:
    """Return an empty memo of route costs."""
    return Memo(np.zeros(MEMO_SIZE, dtype=np.uint64), np.zeros(MEMO_SIZE))
