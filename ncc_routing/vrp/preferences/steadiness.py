"""Steady routes: what customers on another route than before cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ncc_routing.problems.features import MATRIX_ONLY
from ncc_routing.problems.references import reference_labels
from ncc_routing.problems.steadiness import ZoneGroups, zone_groups
from ncc_routing.vrp.preferences.clusters import NO_PENALTIES
from ncc_routing.vrp.preferences.zones import Mates, refuse_features

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.packed_routes import PackedRoutes
    from ncc_routing.vrp.preferences.clusters import ClusterPenalties

SHARE_OF_COST: Final = 0.14
"""What a customer costs at a weight of 1 who leaves all others of its zone, as
a share of the mean cost of a customer: such that steady routes are about half
a percent longer (``docs/benchmarks/steadiness.md``)."""

FREE_SHARE: Final = 0.2
"""Share of a search for steady routes that looks for the shortest ones first:
no zone then keeps a route more than the customers of today need."""


@dataclass(frozen=True)
class SteadyRoutes:
    """The preference for the routes of a reference.

    Parameters
    ----------
    reference
        What ``problems.references.reference_labels`` takes.
    weight
        The ``stay`` of ``SolveParams``, positive.
    """

    reference: object = field(repr=False)
    weight: float
    name: ClassVar[str] = "stay"
    free_share: ClassVar[float] = FREE_SHARE

    def require(self, instance: Instance) -> None:
        """Refuse what is more than a CVRP, and a reference of another."""
        refuse_features(self.name, instance, {MATRIX_ONLY})
        reference_labels(instance, self.reference)

    def priced(self, instance: Instance, start: Solution) -> StayPenalties:
        """Return the cost of customers on another route than before."""
        labels = reference_labels(instance, self.reference)
        return StayPenalties.of(instance, labels, start.cost, self.weight)

    def as_seen(self, instance: Instance) -> Instance:
        """Return the instance: ways are as long as they are."""
        return instance

    def for_clusters(
        self, instance: Instance, start: Solution
    ) -> ClusterPenalties:
        """Return the cost of customers in another cluster than before."""
        found = self.priced(instance, start)
        return NO_PENALTIES._replace(
            zones=found.labels,
            zone_sizes=found.num_others + np.int32(1),
            unit=found.unit,
        )


@dataclass(frozen=True, eq=False)
class StayPenalties:
    """The cost of pairs of customers who are parted.

    Each pair of one zone that does not share a route costs the same. So a
    zone that is broken anyway is not defended as one that is whole, those
    who leave it together stay together, and several routes may serve one
    zone, as in a district with several vehicles.

    Parameters
    ----------
    labels
        Int32 array of shape (n + 1,): zone of each node, negative for none.
    unit
        Cost of a parted pair. A power of two times a whole number, so that
        sums of it and of whole lengths have no rounding errors.
    """

    labels: np.ndarray
    unit: float

    @classmethod
    def of(
        cls,
        instance: Instance,
        labels: np.ndarray,
        cost: float,
        weight: float,
    ) -> StayPenalties:
        """Return the penalties.

        Parameters
        ----------
        instance
            A CVRP.
        labels
            Zone of each node, negative for none; one at least has a zone.
        cost
            Cost of any solution, which tells the scale.
        weight
            Positive; at 1 the routes become about half a percent longer.
        """
        sizes = np.bincount(labels[labels >= 0])
        typical = weight * SHARE_OF_COST * cost / instance.num_customers
        mates = float((sizes * (sizes - 1)).sum() / sizes.sum())
        unit = typical / mates if mates > 0.0 else 0.0
        if unit > 0.0:
            step = 2.0 ** (math.floor(math.log2(unit)) - 16)
            unit = round(unit / step) * step
        return cls(labels, unit)

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs beside its length, shape (routes,).

        Half of the cost of each pair that only one of the two is of.
        """
        groups = self._groups(routes)
        others = self._sizes[groups.zones] - groups.sizes
        parted = np.bincount(
            groups.routes, groups.sizes * others, routes.num_routes
        )
        return np.asarray(0.5 * self.unit * parted)

    def zones(self, routes: PackedRoutes) -> Mates:
        """Return what it costs to part customers, which does not change."""
        del routes
        return Mates(self.labels, self.num_others, self.unit)

    @cached_property
    def num_others(self) -> np.ndarray:
        """Further customers of the zone of each node, int32."""
        others = np.where(self.labels < 0, 0, self._sizes[self.labels] - 1)
        return others.astype(np.int32)

    @cached_property
    def _sizes(self) -> np.ndarray:
        """The number of customers of each zone."""
        return np.bincount(self.labels[self.labels >= 0])

    def _groups(self, routes: PackedRoutes) -> ZoneGroups:
        """Return the customers of one zone on one route, for all."""
        sizes = np.diff(routes.starts)
        owners = np.repeat(np.arange(routes.num_routes), sizes)
        return zone_groups(self.labels[routes.nodes], owners)
