"""From an instance and solutions to the arrays of the kernels and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.graph import knn_graph
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing.genetic import _layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance

NUM_NEIGHBOURS: Final = 20
"""Near customers of each one, and it of each of these."""

SPARE_SHARE: Final = 1.3
SPARE_ROUTES: Final = 3
"""Routes at most: as many as the load fills times this share, and some."""

MOST_FIRST_PENALTY: Final = 1000.0
"""Cost of a unit of load above the capacity at most, to begin with."""


def make_problem(instance: Instance) -> _layout.GeneticProblem:
    """Return what does not change; memory grows with the square."""
    nodes = np.arange(instance.num_customers + 1)
    graph = knn_graph(instance, min(NUM_NEIGHBOURS, instance.num_customers))
    neighbours, bounds = _mutual(graph.neighbours, instance)
    coords = np.zeros((len(nodes), 2))
    if instance.coords is not None:
        coords = np.asarray(instance.coords - instance.coords[0], np.float64)
    return _layout.GeneticProblem(
        matrix=np.ascontiguousarray(instance.distances(nodes, nodes), float),
        demands=np.asarray(instance.demands, dtype=np.int64),
        capacity=instance.capacity,
        neighbours=neighbours,
        bounds=bounds,
        coords=coords,
    )


def count_slots(instance: Instance, num_routes: int) -> int:
    """Return how many routes are allowed, given those of a solution."""
    filled = float(instance.demands.sum()) / instance.capacity
    return max(num_routes, math.ceil(SPARE_SHARE * filled) + SPARE_ROUTES)


def make_routes(
    problem: _layout.GeneticProblem, slots: int
) -> _layout.LinkedRoutes:
    """Return empty routes."""
    num_nodes = len(problem.demands)
    nodes = np.zeros(num_nodes + slots, dtype=_layout.NODE)
    nodes["demand"][:num_nodes] = problem.demands
    nodes["place"][:num_nodes] = np.arange(num_nodes)
    depots = np.arange(num_nodes, num_nodes + slots)
    nodes["prev"][num_nodes:] = nodes["next"][num_nodes:] = depots
    nodes["route"][num_nodes:] = np.arange(slots)
    spots = slots, num_nodes
    return _layout.LinkedRoutes(
        nodes=nodes,
        routes=np.zeros(slots, dtype=_layout.ROUTE),
        spot_costs=np.zeros((*spots, _layout.NUM_SPOTS)),
        spot_nodes=np.zeros((*spots, _layout.NUM_SPOTS), dtype=np.uint32),
        spots_made=np.zeros(spots, dtype=np.int64),
        order=np.arange(1, num_nodes, dtype=np.uint32),
        gains=np.zeros(num_nodes),
        stamps=np.zeros(slots, dtype=np.int64),
        path=np.zeros(2 * num_nodes, dtype=np.uint32),
        ranks=np.zeros(slots),
        sorted_routes=np.zeros(slots, dtype=np.uint32),
        counts=np.zeros(_layout.NUM_ROUTE_COUNTS, dtype=np.int64),
    )


def make_tour(problem: _layout.GeneticProblem, slots: int) -> _layout.Tour:
    """Return the buffers of a giant tour."""
    num_nodes = len(problem.demands)
    return _layout.Tour(
        visits=np.arange(1, num_nodes, dtype=np.uint32),
        is_taken=np.zeros(num_nodes, dtype=np.uint8),
        lengths=np.zeros(num_nodes),
        loads=np.zeros(num_nodes, dtype=np.int64),
        least=np.zeros((slots + 1, num_nodes)),
        cuts=np.zeros((slots + 1, num_nodes), dtype=np.uint32),
    )


def make_population(
    problem: _layout.GeneticProblem, seed: int | Sequence[int]
) -> _layout.Population:
    """Return an empty population."""
    num_nodes = len(problem.demands)
    rows = 2 * (_layout.MAX_SIZE + 1)
    links = rows + 1, num_nodes
    penalty = problem.matrix.max() / max(1, problem.demands.max())
    state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    counts = np.zeros(_layout.NUM_COUNTS, dtype=np.int64)
    counts[_layout.NUM_FREE] = rows
    costs = np.zeros(_layout.NUM_COSTS)
    costs[_layout.PENALTY] = np.clip(penalty, 0.1, MOST_FIRST_PENALTY)
    costs[_layout.BEST_LENGTH] = np.inf
    return _layout.Population(
        visits=np.zeros((rows, num_nodes - 1), dtype=np.uint32),
        nexts=np.zeros(links, dtype=np.uint32),
        prevs=np.zeros(links, dtype=np.uint32),
        lengths=np.zeros(rows),
        excesses=np.zeros(rows, dtype=np.int64),
        fitness=np.zeros(rows),
        distances=np.zeros((rows, rows), dtype=np.int64),
        members=np.zeros((2, _layout.MAX_SIZE + 1), dtype=np.int64),
        free=np.arange(rows),
        ranks=np.zeros(_layout.MAX_SIZE + 1),
        near=np.zeros(_layout.NUM_CLOSE),
        counts=counts,
        costs=costs,
        rng=np.maximum(state, 1),
    )


def read_best(population: _layout.Population) -> PackedRoutes:
    """Return the shortest routes within the capacity met so far."""
    nexts = population.nexts[-1].tolist()
    heads = np.flatnonzero(population.prevs[-1, 1:] == 0) + 1
    routes = []
    for head in heads.tolist():
        route = [head]
        while nexts[route[-1]] != 0:
            route.append(nexts[route[-1]])
        routes.append(route)
    return PackedRoutes.of(routes)


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
