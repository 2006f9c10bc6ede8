"""From an instance to what the kernels of the genetic search take."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import genetic as kernels
from ncc_routing.problems.graph import knn_graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance

NUM_NEIGHBOURS: Final = 20
"""Near customers of each one, and it of each of these."""

SPARE_SHARE: Final = 1.3
SPARE_ROUTES: Final = 3
"""Routes at most: as many as the load fills times this share, and some."""

LEAST_FIRST_PENALTY: Final = 0.1
MOST_FIRST_PENALTY: Final = 1000.0
"""Bounds of the cost of a unit of load above the capacity, to begin with."""


def make_matrix(instance: Instance) -> np.ndarray:
    """Return all distances; memory grows with the square."""
    nodes = np.arange(instance.num_customers + 1)
    return np.ascontiguousarray(instance.distances(nodes, nodes), np.float64)


def make_problem(instance: Instance, matrix: np.ndarray) -> kernels.Problem:
    """Return what does not change during the search."""
    graph = knn_graph(instance, min(NUM_NEIGHBOURS, instance.num_customers))
    neighbours, bounds = _mutual(graph.neighbours, instance)
    coords = np.zeros((len(matrix), 2))
    if instance.coords is not None:
        coords = np.asarray(instance.coords - instance.coords[0], np.float64)
    return kernels.Problem(
        matrix=matrix,
        demands=np.asarray(instance.demands, dtype=np.int64),
        capacity=instance.capacity,
        neighbours=neighbours,
        bounds=bounds,
        coords=coords,
    )


def max_num_routes(instance: Instance, num_routes: int) -> int:
    """Return how many routes are allowed, given those of a solution."""
    filled = float(instance.demands.sum()) / instance.capacity
    return max(num_routes, math.ceil(SPARE_SHARE * filled) + SPARE_ROUTES)


def make_search(
    instance: Instance, max_routes: int, seed: int | Sequence[int]
) -> kernels.GeneticSearch:
    """Return a search without solutions."""
    matrix = make_matrix(instance)
    penalty = float(matrix.max()) / max(1, int(instance.demands.max()))
    state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    return kernels.GeneticSearch(
        make_problem(instance, matrix),
        max_routes=max_routes,
        penalty=min(max(penalty, LEAST_FIRST_PENALTY), MOST_FIRST_PENALTY),
        seed=max(1, int(state[0])),
    )


def _mutual(
    neighbours: np.ndarray, instance: Instance
) -> tuple[np.ndarray, np.ndarray]:
    """Return symmetric neighbours, nearest first, and their bounds.

    Row 0, that of the depot, is not used.
    """
    num_nodes, degree = neighbours.shape
    tails = np.repeat(np.arange(1, num_nodes), degree)
    heads = neighbours[1:].ravel().astype(np.int64)
    both = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    pairs = np.unique(both[0] * num_nodes + both[1])
    tails, heads = np.divmod(pairs, num_nodes)
    is_other = tails != heads
    tails, heads = tails[is_other], heads[is_other]
    lengths = instance.lengths(tails, heads)
    order = np.lexsort((heads, lengths, tails))
    bounds = np.searchsorted(tails, np.arange(num_nodes + 1))
    return heads[order].astype(np.uint32), bounds.astype(np.int64)
