"""Consistent routes: what customers on another route than before cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.routes.references import (
    DistrictGroups,
    district_groups,
)
from ncc_routing.vrp.preferences.penalties import SameRoutePairs

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.packed_routes import PackedRoutes

SHARE_OF_COST: Final = 0.14
"""Cost, at weight 1, of a customer who leaves all others of its district, as a
share of the mean cost of a customer: routes get about half a percent longer
(``docs/benchmarks/preferences.md``)."""

FLEET_SHARE: Final = 0.44
"""The same beyond the CVRP, where a customer has fewer routes to go to. Set on
23 generated pairs of days, of other seeds than those of the record: routes
get about one percent longer."""

FREE_SHARE: Final = 0.2
"""Share of the time for the shortest routes of a CVRP first: no district then
keeps a route more than the customers of today need."""


@dataclass(frozen=True, eq=False)
class ConsistencyPenalties:
    """The cost of pairs of customers of one district on two routes.

    Every such pair costs ``unit``. So a broken district is not defended as a
    whole one, customers who leave it together stay together, and several
    routes may serve one district. Negative labels are no district. ``unit`` is
    a multiple of a power of two, so that sums have no rounding errors.
    """

    labels: np.ndarray
    unit: float

    @classmethod
    def of(
        cls, instance: Instance, labels: np.ndarray, cost: float, weight: float
    ) -> ConsistencyPenalties:
        """Return the penalties, scaled by what travel costs in a solution."""
        sizes = np.bincount(labels[labels >= 0])
        share = SHARE_OF_COST if instance.is_cvrp else FLEET_SHARE
        typical = weight * share * cost / instance.num_customers
        others = float((sizes * (sizes - 1)).sum() / sizes.sum())
        unit = typical / others if others > 0.0 else 0.0
        if unit > 0.0:
            step = 2.0 ** (math.floor(math.log2(unit)) - 16)
            unit = round(unit / step) * step
        return cls(labels, unit)

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs besides its length, (routes,).

        It is half the cost of each pair of which it serves one customer.
        """
        groups = self._groups(routes)
        others = self._sizes[groups.districts] - groups.sizes
        parted = np.bincount(
            groups.routes, groups.sizes * others, routes.num_routes
        )
        return np.asarray(0.5 * self.unit * parted)

    def pairs(self) -> SameRoutePairs:
        """Return the pairs, which are the same for all routes."""
        return SameRoutePairs(self.labels, self.num_others, self.unit)

    @cached_property
    def num_others(self) -> np.ndarray:
        """Further customers of the district of each node, int32."""
        others = np.where(self.labels < 0, 0, self._sizes[self.labels] - 1)
        return others.astype(np.int32)

    @cached_property
    def _sizes(self) -> np.ndarray:
        return np.bincount(self.labels[self.labels >= 0])

    def _groups(self, routes: PackedRoutes) -> DistrictGroups:
        sizes = np.diff(routes.starts)
        owners = np.repeat(np.arange(routes.num_routes), sizes)
        return district_groups(self.labels[routes.nodes], owners)
