"""Routes as two arrays."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance


class PackedRoutes(NamedTuple):
    """Routes as two arrays, small enough to be sent to other processes.

    Route r is ``nodes[starts[r]:starts[r + 1]]``, uint32 customers.
    """

    nodes: np.ndarray
    starts: np.ndarray

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
        return PackedRoutes(names[self.nodes].astype(np.uint32), self.starts)

    def take(self, routes: Sequence[int] | np.ndarray) -> PackedRoutes:
        """Return some of the routes, given by their numbers."""
        chosen = np.asarray(routes, dtype=np.int64)
        sizes = self.sizes[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        shifts = np.repeat(self.starts[chosen] - starts[:-1], sizes)
        return PackedRoutes(self.nodes[np.arange(starts[-1]) + shifts], starts)

    def cost(self, instance: Instance) -> float:
        """Return the length of all routes, whose nodes are the instance's."""
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

    def to_solution(
        self, instance: Instance, cost: float | None = None
    ) -> Solution:
        """Return the routes as a solution.

        A known cost is taken where distances are rounded, else added up anew.
        """
        visits, bounds = self.nodes.tolist(), self.starts.tolist()
        routes = tuple(
            tuple(visits[low:high]) for low, high in itertools.pairwise(bounds)
        )
        if cost is not None and instance.is_integral:
            return Solution(routes, cost)
        return Solution.from_routes(instance, routes)

    @classmethod
    def of(cls, routes: Sequence[Sequence[int] | np.ndarray]) -> PackedRoutes:
        """Pack routes given as one sequence of nodes each."""
        sizes = np.fromiter(map(len, routes), np.int64, len(routes))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        nodes = np.fromiter(
            itertools.chain.from_iterable(routes), np.uint32, int(starts[-1])
        )
        return cls(nodes, starts)

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
        )
