"""The instance as the compiled search sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import ckm as kernels
from ncc_routing.clustering.priority import Priority, formula_of
from ncc_routing.problems.graph import knn_graph

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

NUM_NEIGHBOURS: Final = 40
"""Customers around which a region looks for clusters to take in."""


def make_problem(
    instance: Instance, priority: Priority, rng: np.random.Generator
) -> kernels.Problem:
    """Return the instance in the form that the kernels take."""
    coords = instance.plane_coords("method ckm")
    keys = rng.integers(1, 2**64, size=len(instance.demands), dtype=np.uint64)
    formula = formula_of(priority, len(coords), has_depot=True)
    if formula.affinity_weight > 0.0:
        # Regions grow along the affinity: its rows are best first.
        near = np.ascontiguousarray(formula.neighbours[:, :NUM_NEIGHBOURS])
    else:
        near = knn_graph(instance, NUM_NEIGHBOURS).neighbours
    return kernels.Problem(
        instance.metric,
        coords,
        instance.demands,
        instance.capacity,
        near,
        keys,
        formula,
        instance.is_symmetric,
    )


def max_route_size(instance: Instance) -> int:
    """Return the largest number of customers that one vehicle can serve."""
    lightest = np.cumsum(np.sort(instance.demands[1:]))
    return int(np.searchsorted(lightest, instance.capacity, side="right"))
