"""From an instance and a solution to the arrays of the kernels and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.graph import spatial_order
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing._mate_kernels import count_mates
from ncc_routing.vrp.polishing._route_kernels import load_routes, read_routes
from ncc_routing.vrp.polishing._zone_kernels import bind_routes
from ncc_routing.vrp.preferences.zones import SameRoutePairs

if TYPE_CHECKING:
    from ncc_routing.problems.graph import KnnGraph
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.preferences.zones import Zones

SPARE_ROUTES: Final = 64
"""Empty routes beyond those of the start."""

_BLOCK: Final = 1024
"""Nodes whose neighbours are renumbered at once: they fit into the cache."""


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """An instance as the kernels see it.

    ``order[i]`` is the customer of kernel node i: near nodes are near in
    memory. ``max_routes`` is the room of a state.
    """

    instance: Instance
    order: np.ndarray
    problem: _layout.RoutingProblem
    max_routes: int | None = None

    @classmethod
    def of(
        cls,
        instance: Instance,
        graph: KnnGraph,
        num_candidates: int,
        max_routes: int | None = None,
    ) -> SearchSpace:
        """Build it; memory is linear in the customers but for a matrix."""
        order = spatial_order(instance)
        neighbours, near = _ranked(instance, order, graph)
        depot = np.zeros_like(order)
        round_trip = instance.lengths(depot, order)
        round_trip += instance.lengths(order, depot)
        rule = instance.metric.rounding
        problem = _layout.RoutingProblem(
            matrix=instance.metric.matrix,
            rounding=rule.kind,
            scale=rule.scale,
            shift=rule.shift,
            demands=instance.demands[order],
            capacity=instance.capacity,
            neighbours=neighbours,
            near=near,
            num_candidates=num_candidates,
            round_trip=round_trip,
            is_symmetric=instance.is_symmetric,
        )
        return cls(instance, order, problem, max_routes)

    def with_zones(self, zones: Zones | SameRoutePairs | None) -> SearchSpace:
        """Return the same space with penalties; ``None`` for none."""
        table = None if zones is None else table_of(zones, self.order)
        return replace(self, problem=self.problem._replace(zones=table))

    def pack(self, routes: PackedRoutes) -> PackedRoutes:
        """Return routes of customers as routes of kernel nodes."""
        return routes.renamed(_ranks(self.order))

    def unpack(self, routes: PackedRoutes) -> PackedRoutes:
        """Return routes of kernel nodes as routes of customers."""
        return routes.renamed(self.order)

    def load(
        self, packed: PackedRoutes, max_removed: int, seed: list[int]
    ) -> _layout.Routes:
        """Return a state that starts from some routes; see ``make_state``."""
        routes = self.make_state(packed, max_removed, seed)
        load_routes(self.problem, routes, packed.starts)
        zones = self.problem.zones
        if isinstance(zones, _layout.SameRouteTable):
            routes.costs[:] += count_mates(
                zones, packed.nodes, packed.starts, routes.num_same_route
            )
        elif zones is not None:
            gains = np.zeros(int(zones.ids.max()) + 1)
            routes.costs[:] += bind_routes(
                zones, packed.nodes, packed.starts, routes.zone_of, gains
            )
        return routes

    def make_state(
        self, packed: PackedRoutes, max_removed: int, seed: list[int]
    ) -> _layout.Routes:
        """Return a state of unlinked routes; other customers are absent."""
        num_nodes = len(self.order)
        slots = SPARE_ROUTES + packed.num_routes
        if self.max_routes is not None:
            # Parts of the routes have none to spare for each other.
            is_part = len(packed.nodes) < num_nodes - 1
            most = packed.num_routes if is_part else self.max_routes
            slots = min(slots, max(most, packed.num_routes))
        nodes = np.zeros(num_nodes + slots, dtype=_layout.NODE)
        coords = self.instance.metric.coords
        for axis, name in enumerate(("x", "y")):
            nodes[name][:num_nodes] = coords[self.order, axis]
            nodes[name][num_nodes:] = coords[0, axis]
        state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        zones = self.problem.zones
        is_bound = isinstance(zones, _layout.ZoneTable)
        num_same_route = None
        if isinstance(zones, _layout.SameRouteTable):
            shape = slots, max(0, int(zones.zones.max())) + 1
            num_same_route = np.zeros(shape, dtype=np.int32)
        return _layout.Routes(
            nodes=nodes,
            route_of=np.zeros(len(nodes), dtype=np.uint32),
            routes=np.zeros(slots + 1, dtype=_layout.ROUTE),
            loads=np.zeros(slots + 1, dtype=np.int64),
            zone_of=np.zeros(slots, dtype=np.int32) if is_bound else None,
            num_same_route=num_same_route,
            free=np.zeros(slots, dtype=np.uint32),
            best_next=np.zeros(len(nodes), dtype=np.uint32),
            dirty=np.zeros(len(nodes), dtype=np.uint32),
            is_dirty=np.zeros(len(nodes), dtype=np.uint8),
            removed=np.zeros(max_removed, dtype=_layout.REMOVAL),
            inserted=np.zeros(max_removed, dtype=_layout.INSERTION),
            strings=np.zeros(max_removed, dtype=_layout.STRING),
            counts=np.zeros(_layout.NUM_COUNTS, dtype=np.int64),
            costs=np.zeros(2),
            members=packed.nodes,
            rng=np.maximum(state, 1),
        )


def table_of(
    zones: Zones | SameRoutePairs, order: np.ndarray
) -> _layout.ZoneTable | _layout.SameRouteTable:
    """Return the arrays of the kernels for nodes in some order."""
    if isinstance(zones, SameRoutePairs):
        return _layout.SameRouteTable(
            np.ascontiguousarray(zones.labels[order], dtype=np.int32),
            np.ascontiguousarray(zones.num_others[order]),
            float(zones.unit),
        )
    return _layout.ZoneTable(
        np.ascontiguousarray(zones.ids[order]),
        np.ascontiguousarray(zones.penalties[order]),
        np.ascontiguousarray(zones.far[order]),
    )


def read_packed(followers: np.ndarray, state: _layout.Routes) -> PackedRoutes:
    """Return the routes of a state, given the successor of each node."""
    slots = len(state.free)
    nodes = np.empty_like(state.members)
    starts = np.zeros(slots + 1, dtype=np.int64)
    num_routes = read_routes(
        np.ascontiguousarray(followers),
        len(state.nodes) - slots,
        nodes,
        starts,
    )
    return PackedRoutes(nodes, starts[: num_routes + 1])


def _ranks(order: np.ndarray) -> np.ndarray:
    """Return the kernel node of each customer, uint32 of shape (n + 1,)."""
    ranks = np.empty(len(order), dtype=np.uint32)
    ranks[order] = np.arange(len(order), dtype=np.uint32)
    return ranks


def _ranked(
    instance: Instance, order: np.ndarray, graph: KnnGraph
) -> tuple[np.ndarray, np.ndarray]:
    """Return the neighbours in kernel numbers, and the distances to them.

    A matrix keeps -inf; a customer that fills its row is out of reach.
    """
    ranks = _ranks(order)
    neighbours = np.empty((len(order), graph.degree), dtype=np.uint32)
    near = np.full(neighbours.shape, -np.inf)
    for low in range(0, len(order), _BLOCK):
        block = slice(low, low + _BLOCK)
        nodes = order[block, None]
        found = graph.neighbours[order[block]]
        neighbours[block] = ranks[found]
        if instance.matrix is None:
            lengths = instance.lengths(nodes, found)
            near[block] = np.where(found == nodes, np.inf, lengths)
    return neighbours, near
