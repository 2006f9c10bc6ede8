"""From an instance and a solution to a compiled search and back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import iterated
from ncc_routing._core import search as kernels
from ncc_routing.problems.ccp.graph import KnnGraph, spatial_order
from ncc_routing.vrp.preferences.penalties import RoutePenalties, Tables

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.packed_routes import PackedRoutes

SPARE_ROUTES: Final = 64
"""Empty routes beyond those of the start."""

_BLOCK: Final = 1024
"""Nodes whose neighbours are renumbered at once: they fit into the cache."""


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """An instance as the kernels see it.

    ``order[i]`` is the customer of kernel node i: near nodes are near in
    memory. ``max_routes`` is the room of a search, ``tables`` have its
    penalties.
    """

    instance: Instance
    order: np.ndarray
    problem: kernels.RoutingProblem
    max_routes: int | None = None
    tables: Tables = field(default_factory=Tables)

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
        metric = instance.metric
        problem = kernels.RoutingProblem(
            metric=metric._replace(coords=metric.coords[order]),
            demands=instance.demands[order],
            capacity=instance.capacity,
            neighbours=neighbours,
            near=near,
            num_candidates=num_candidates,
            round_trip=round_trip,
            is_symmetric=instance.is_symmetric,
        )
        return cls(instance, order, problem, max_routes)

    def with_penalties(self, penalties: RoutePenalties | None) -> SearchSpace:
        """Return the same space with penalties; ``None`` for none."""
        tables = (
            Tables() if penalties is None else penalties.tables(self.order)
        )
        return replace(self, tables=tables)

    def pack(self, routes: PackedRoutes) -> PackedRoutes:
        """Return routes of customers as routes of kernel nodes."""
        return routes.renamed(_ranks(self.order))

    def unpack(self, routes: PackedRoutes) -> PackedRoutes:
        """Return routes of kernel nodes as routes of customers."""
        return routes.renamed(self.order)

    def load(
        self,
        packed: PackedRoutes,
        params: kernels.SearchParams,
        seed: list[int],
    ) -> kernels.RoutingSearch:
        """Return a search that starts from some routes of kernel nodes.

        Other customers are absent; ``seed`` is that of a ``SeedSequence``.
        """
        return kernels.RoutingSearch(
            self.problem, params, *self._start(packed, seed), **self.tables
        )

    def load_iterated(
        self, packed: PackedRoutes, params: iterated.Params, seed: list[int]
    ) -> iterated.IteratedSearch:
        """Return an iterated local search; the arguments are as in ``load``.

        Penalties do not count.
        """
        return iterated.IteratedSearch(
            self.problem, params, *self._start(packed, seed)
        )

    def _start(
        self, packed: PackedRoutes, seed: list[int]
    ) -> tuple[np.ndarray, np.ndarray, int, int]:
        slots = SPARE_ROUTES + packed.num_routes
        if self.max_routes is not None:
            # Parts of the routes have none to spare for each other.
            is_part = len(packed.nodes) < len(self.order) - 1
            most = packed.num_routes if is_part else self.max_routes
            slots = min(slots, max(most, packed.num_routes))
        [word] = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        return packed.nodes, packed.starts, slots, max(1, int(word))


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
        nearest = graph.neighbours[order[block]]
        neighbours[block] = ranks[nearest]
        if instance.matrix is None:
            lengths = instance.lengths(nodes, nearest)
            near[block] = np.where(nearest == nodes, np.inf, lengths)
    return neighbours, near
