"""Zones: what a customer costs on a route that is bound to one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ncc_routing.vrp.polishing import _layout


@dataclass(frozen=True, eq=False)
class Zones:
    """Penalties of customers in zones, sparse.

    A search binds each route of its start to the zone where its customers
    cost least, and a new one to the zone that suits its first customer.
    Sums of penalties are exact where all are multiples of one power of two,
    as those of ``Compactness.zones`` are.

    Parameters
    ----------
    ids
        Int32 array of shape (n + 1, k): zones with the least penalties for
        each node, least first; -1 where there are fewer, though each
        customer has one at least.
    penalties
        Float64 array of shape (n + 1, k): what they cost, at least 0, in
        units of cost.
    far
        Float64 array of shape (n + 1,): what any other zone costs, no less.
    """

    ids: np.ndarray
    penalties: np.ndarray
    far: np.ndarray

    def table(self, order: np.ndarray) -> _layout.ZoneTable:
        """Return the arrays of the kernels for nodes in some order."""
        return _layout.ZoneTable(
            np.ascontiguousarray(self.ids[order]),
            np.ascontiguousarray(self.penalties[order]),
            np.ascontiguousarray(self.far[order]),
        )

    def part(self, customers: np.ndarray) -> Zones:
        """Return the penalties of the depot and some customers."""
        names = np.concatenate([[0], customers])
        return Zones(self.ids[names], self.penalties[names], self.far[names])
