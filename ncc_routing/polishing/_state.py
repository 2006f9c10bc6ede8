"""From an instance and a solution to the arrays of the kernels and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.graph import knn_graph
from ncc_routing.polishing import _layout
from ncc_routing.polishing._kernels import load_routes
from ncc_routing.solution import Solution

if TYPE_CHECKING:
    from ncc_routing.instance import Instance

SPARE_ROUTES: Final = 64
"""Empty routes beyond those of the start and the lower bound."""

_LENGTH_RULES: Final = {
    "nearest": (_layout.FLOORED, 1.0, 0.5),
    "ceil": (_layout.CEILED, 1.0, 0.0),
    "floor": (_layout.FLOORED, 1.0, 0.0),
    "exact": (_layout.FLOORED, 1000.0, 0.5),
    "none": (_layout.EXACT_LENGTH, 1.0, 0.0),
}
_MORTON_BITS: Final = 16


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """An instance as the kernels see it.

    Parameters
    ----------
    instance
        The instance.
    order
        Int array of shape (n + 1,): the customer that each kernel node
        stands for. Nodes that are near each other in the plane are near
        each other in memory.
    problem
        Distances, demands and neighbours, in that order.
    """

    instance: Instance
    order: np.ndarray
    problem: _layout.Problem

    @classmethod
    def of(
        cls, instance: Instance, degree: int, num_candidates: int
    ) -> SearchSpace:
        """Build it; memory is linear in the customers but for a matrix.

        Parameters
        ----------
        instance
            The instance.
        degree
            Number of neighbours of each customer.
        num_candidates
            Neighbours in routes with room next to which one is tried.
        """
        order = spatial_order(instance)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        found = knn_graph(instance, degree).neighbours[order]
        neighbours = rank[found].astype(np.uint32)
        near = np.zeros(neighbours.shape, dtype=np.float32)
        if instance.matrix is None:
            for column in range(near.shape[1]):
                near[:, column] = _lengths(instance, order, found[:, column])
        depot = np.zeros_like(order)
        round_trip = _lengths(instance, depot, order)
        round_trip += _lengths(instance, order, depot)
        rule, scale, shift = _LENGTH_RULES[instance.rounding]
        problem = _layout.Problem(
            matrix=instance.metric.matrix,
            rounding=rule,
            scale=scale,
            shift=shift,
            demands=instance.demands[order],
            capacity=instance.capacity,
            neighbours=neighbours,
            near=near,
            num_candidates=num_candidates,
            round_trip=round_trip,
        )
        return cls(instance, order, problem)

    def routes_of(
        self, solution: Solution, max_removed: int, seed: int
    ) -> _layout.Routes:
        """Return the state that starts from a solution.

        Parameters
        ----------
        solution
            A feasible solution.
        max_removed
            Most customers that one ruin removes.
        seed
            Seed of the random numbers.
        """
        instance, order = self.instance, self.order
        num_customers = instance.num_customers
        slots = SPARE_ROUTES + max(
            solution.num_routes, instance.min_num_routes
        )
        nodes = np.zeros(num_customers + 1 + slots, dtype=_layout.NODE)
        coords = instance.metric.coords
        for axis, name in enumerate(("x", "y")):
            nodes[name][: len(order)] = coords[order, axis]
            nodes[name][len(order) :] = coords[0, axis]
        state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        routes = _layout.Routes(
            nodes=nodes,
            routes=np.zeros(slots + 1, dtype=_layout.ROUTE),
            free=np.zeros(slots, dtype=np.uint32),
            best_next=np.zeros(len(nodes), dtype=np.uint32),
            dirty=np.zeros(len(nodes), dtype=np.uint32),
            is_dirty=np.zeros(len(nodes), dtype=np.uint8),
            removed=np.zeros(max_removed, dtype=_layout.REMOVAL),
            inserted=np.zeros(max_removed, dtype=_layout.INSERTION),
            strings=np.zeros(max_removed, dtype=_layout.STRING),
            counts=np.zeros(_layout.NUM_COUNTS, dtype=np.int64),
            costs=np.zeros(2),
            rng=np.maximum(state, 1),
        )
        rank = np.empty(len(order), dtype=np.uint32)
        rank[order] = np.arange(len(order), dtype=np.uint32)
        visits = np.concatenate([np.array(r) for r in solution.routes])
        sizes = np.array([len(route) for route in solution.routes])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        load_routes(self.problem, routes, rank[visits], starts)
        return routes

    def solution_of(self, next_nodes: np.ndarray, cost: float) -> Solution:
        """Return the solution that successors describe.

        Parameters
        ----------
        next_nodes
            Uint32 array: the node that follows each node.
        cost
            The cost, where it is known to be exact.
        """
        num_nodes = len(self.order)
        followers = next_nodes.tolist()
        order = self.order.tolist()
        routes = []
        for depot in range(num_nodes, len(followers)):
            route = []
            node = followers[depot]
            while node < num_nodes:
                route.append(order[node])
                node = followers[node]
            if route:
                routes.append(tuple(route))
        if self.instance.is_integral:
            return Solution(tuple(routes), cost)
        return Solution.from_routes(self.instance, routes)


def _lengths(
    instance: Instance, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the distances from each tail to the head beside it."""
    if instance.matrix is not None:
        return np.asarray(instance.matrix[tails, heads])
    coords = instance.metric.coords
    dx, dy = (axis[heads] - axis[tails] for axis in coords.T)
    lengths = np.sqrt(dx * dx + dy * dy)
    rule, scale, shift = _LENGTH_RULES[instance.rounding]
    if rule == _layout.FLOORED:
        lengths = np.floor(scale * lengths + shift)
    elif rule == _layout.CEILED:
        lengths = np.ceil(lengths)
    return np.asarray(lengths)


def spatial_order(instance: Instance) -> np.ndarray:
    """Return the nodes along a Z-shaped curve through the plane.

    Parameters
    ----------
    instance
        The instance.

    Returns
    -------
    numpy.ndarray
        Int64 array of shape (n + 1,), the depot first. The nodes in their
        given order where a matrix holds the distances.

    References
    ----------
    G. M. Morton (1966). A computer oriented geodetic data base and a new
    technique in file sequencing. IBM, Ottawa.
    """
    num_nodes = instance.num_customers + 1
    if instance.matrix is not None or instance.coords is None:
        return np.arange(num_nodes)
    points = instance.coords[1:]
    corner = points.min(axis=0)
    side = float((points.max(axis=0) - corner).max()) or 1.0
    cells = (points - corner) / side * (2**_MORTON_BITS - 1)
    code = np.zeros(num_nodes - 1, dtype=np.int64)
    for axis in (0, 1):
        cell = cells[:, axis].astype(np.int64)
        for bit in range(_MORTON_BITS):
            code |= ((cell >> bit) & 1) << (2 * bit + axis)
    return np.concatenate([[0], np.argsort(code, kind="stable") + 1])
