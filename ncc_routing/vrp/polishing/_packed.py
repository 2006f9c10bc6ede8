"""Routes as arrays, for handing them around."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class PackedRoutes(NamedTuple):
    """Routes as two arrays, small enough to be handed around.

    Attributes
    ----------
    nodes
        Uint32 array: the customers of all routes, one route after another.
    starts
        Int64 array of shape (number of routes + 1,): where each begins.
    """

    nodes: np.ndarray
    starts: np.ndarray

    @property
    def num_routes(self) -> int:
        """Number of routes."""
        return len(self.starts) - 1

    def route_of(self, num_nodes: int) -> np.ndarray:
        """Return the route of each node as int64 array; -1 for none."""
        routes = np.full(num_nodes, -1, dtype=np.int64)
        numbers = np.arange(self.num_routes)
        routes[self.nodes] = np.repeat(numbers, np.diff(self.starts))
        return routes

    def take(self, routes: list[int]) -> PackedRoutes:
        """Return some of the routes, given by their numbers."""
        return PackedRoutes.of(
            [self.nodes[self.starts[r] : self.starts[r + 1]] for r in routes]
        )

    @classmethod
    def of(cls, routes: list[np.ndarray]) -> PackedRoutes:
        """Pack routes given as one array of nodes each."""
        sizes = np.array([len(route) for route in routes], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        nodes = np.concatenate([np.zeros(0, dtype=np.uint32), *routes])
        return cls(nodes.astype(np.uint32), starts)

    @classmethod
    def joined(cls, parts: list[PackedRoutes]) -> PackedRoutes:
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
