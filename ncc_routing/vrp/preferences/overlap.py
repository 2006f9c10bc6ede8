"""What it costs that customers lie inside the hulls of other routes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core.shapes import HullTable
from ncc_routing.problems.route_shapes import inside_other_hulls

if TYPE_CHECKING:
    from ncc_routing.vrp.packed_routes import PackedRoutes


@dataclass(frozen=True, eq=False)
class HullOverlap:
    """The cost of routes that overlap.

    Each customer inside the convex hull of another route costs ``unit``: the
    hull of its customers at ``places``, (nodes, 2), the depots not among them.
    """

    places: np.ndarray
    unit: float

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs for its own customers, (routes,)."""
        is_inside = inside_other_hulls(self.places, *routes)
        counts = np.add.reduceat(
            is_inside[routes.nodes], routes.starts[:-1], dtype=np.int64
        )
        return self.unit * counts

    def table(self, order: np.ndarray) -> HullTable:
        """Return it for the kernels, whose node i is ``order[i]``."""
        return HullTable(
            places=np.ascontiguousarray(self.places[order]), unit=self.unit
        )
