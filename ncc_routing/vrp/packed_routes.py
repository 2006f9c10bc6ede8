"""Routes as arrays."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance


class PackedRoutes(NamedTuple):
    """Routes as arrays, small enough to be sent to other processes.

    Route r is ``nodes[starts[r]:starts[r + 1]]``, uint32 customers, driven by
    vehicle type ``vehicle_types[r]``; ``None`` where there is one type.
    """

    nodes: np.ndarray
    starts: np.ndarray
    vehicle_types: np.ndarray | None = None

    @property
    def num_routes(self) -> int:
        """Number of routes."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> np.ndarray:
        """Number of customers of each route, int64."""
        return np.diff(self.starts)

    @property
    def middles(self) -> np.ndarray:
        """The middle customer of each route, uint32."""
        places = (self.starts[:-1] + self.starts[1:]) // 2
        middles: np.ndarray = self.nodes[places]
        return middles

    def renamed(self, names: np.ndarray) -> PackedRoutes:
        """Return the routes with node i called ``names[i]``."""
        return self._replace(nodes=names[self.nodes].astype(np.uint32))

    def take(self, routes: Sequence[int] | np.ndarray) -> PackedRoutes:
        """Return some of the routes, given by their numbers."""
        chosen = np.asarray(routes, dtype=np.int64)
        sizes = self.sizes[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        shifts = np.repeat(self.starts[chosen] - starts[:-1], sizes)
        types = self.vehicle_types
        return PackedRoutes(
            self.nodes[np.arange(starts[-1]) + shifts],
            starts,
            None if types is None else types[chosen],
        )

    def cost(self, instance: Instance) -> float:
        """Return the cost of all routes, whose nodes are the instance's."""
        if self.vehicle_types is not None:
            return self.to_solution(instance).cost
        stops = self.starts[1:-1]
        tails = np.concatenate([[0], np.insert(self.nodes, stops, 0)])
        return float(instance.lengths(tails, np.roll(tails, -1)).sum())

    def mean_edge(self, instance: Instance) -> float:
        """Return the mean length of the edges between two customers.

        Without such an edge it is that from the depot.
        """
        is_inner = np.ones(len(self.nodes) - 1, dtype=np.bool_)
        is_inner[self.starts[1:-1] - 1] = False
        tails, heads = self.nodes[:-1][is_inner], self.nodes[1:][is_inner]
        if len(tails) == 0:
            tails, heads = np.zeros_like(self.nodes), self.nodes
        return float(instance.lengths(tails, heads).mean())

    def driven(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield each route, and its vehicle type."""
        visits, bounds = self.nodes.tolist(), self.starts.tolist()
        types = itertools.repeat(0)
        if self.vehicle_types is not None:
            types = self.vehicle_types.tolist()
        for (low, high), vehicle_type in zip(
            itertools.pairwise(bounds), types, strict=False
        ):
            yield tuple(visits[low:high]), vehicle_type

    def to_solution(
        self, instance: Instance, cost: float | None = None
    ) -> Solution:
        """Return the routes as a solution.

        A known cost is taken where distances are rounded, else added up anew.
        """
        routes = tuple(route for route, _ in self.driven())
        if self.vehicle_types is not None:
            types = self.vehicle_types.tolist()
            return Solution.from_routes(instance, routes, types)
        if cost is not None and instance.is_integral:
            return Solution(routes, cost)
        return Solution.from_routes(instance, routes)

    @classmethod
    def of(
        cls,
        routes: Sequence[Sequence[int] | np.ndarray],
        vehicle_types: Sequence[int] | None = None,
    ) -> PackedRoutes:
        """Pack routes given as one sequence of nodes each."""
        sizes = np.fromiter(map(len, routes), np.int64, len(routes))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        nodes = np.fromiter(
            itertools.chain.from_iterable(routes), np.uint32, int(starts[-1])
        )
        if vehicle_types is None:
            return cls(nodes, starts)
        return cls(nodes, starts, np.array(vehicle_types, dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[PackedRoutes]) -> PackedRoutes:
        """Pack the routes of several packs into one."""
        offsets = np.cumsum([0, *(len(part.nodes) for part in parts)])
        starts = [
            part.starts[:-1] + offset
            for part, offset in zip(parts, offsets, strict=False)
        ]
        return cls(
            np.concatenate([part.nodes for part in parts]),
            np.concatenate([*starts, offsets[-1:]]),
            None
            if any(part.vehicle_types is None for part in parts)
            else np.concatenate([part.vehicle_types for part in parts]),
        )
