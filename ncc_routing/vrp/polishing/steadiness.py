"""Steady routes: what customers on another route than before cost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ncc_routing.problems.features import MATRIX_ONLY
from ncc_routing.problems.references import nearest_zones, reference_labels
from ncc_routing.problems.steadiness import zone_groups
from ncc_routing.vrp.polishing.zones import Zones, refuse_features

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.polishing._packed import PackedRoutes

SHARE_OF_COST: Final = 0.1
"""What a moved customer costs at a weight of 1, as a share of the mean cost
of a customer: such that steady routes are about one percent longer
(``docs/benchmarks/steadiness.md``)."""


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

    def require(self, instance: Instance) -> None:
        """Refuse what is more than a CVRP, and a reference of another."""
        refuse_features(self.name, instance, {MATRIX_ONLY})
        reference_labels(instance, self.reference)

    def priced(self, instance: Instance, start: Solution) -> StayPenalties:
        """Return the cost of customers on another route than before."""
        labels = reference_labels(instance, self.reference)
        return StayPenalties.of(instance, labels, start.cost, self.weight)


@dataclass(frozen=True, eq=False)
class StayPenalties:
    """The cost of customers that are not where they were.

    Each customer of a zone costs something on the routes of other zones, in
    proportion to the others of its zone: they are the pairs that it parts.
    A route belongs to the zone that makes its penalties least. Several may
    belong to one zone, as in a district with several vehicles.

    Parameters
    ----------
    labels
        Int32 array of shape (n + 1,): zone of each node, negative for none.
    homes
        Int32 array of shape (n + 1,): the zone of a route whose first
        customer the node is. That of the nearest customer for those without
        a zone.
    prices
        Float64 array of shape (zones,): cost of a customer of each zone on
        the route of another. Multiples of one power of two: sums of them
        and of whole lengths have no rounding errors.
    """

    labels: np.ndarray
    homes: np.ndarray
    prices: np.ndarray

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
            Positive; at 1 the routes become about one percent longer.
        """
        mates = np.bincount(labels[labels >= 0]) - 1
        typical = weight * SHARE_OF_COST * cost / instance.num_customers
        mean = (mates * (mates + 1)).sum() / (mates + 1).sum()
        prices = np.zeros(len(mates))
        if typical > 0.0 and mean > 0.0:
            step = 2.0 ** (math.floor(math.log2(typical)) - 16)
            prices = np.rint(typical / mean * mates / step) * step
        return cls(labels, nearest_zones(instance, labels), prices)

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs beside its length, shape (routes,)."""
        sizes = np.diff(routes.starts)
        owners = np.repeat(np.arange(routes.num_routes), sizes)
        groups = zone_groups(self.labels[routes.nodes], owners)
        prices = groups.sizes * self.prices[groups.zones]
        at_home = np.zeros(routes.num_routes)
        np.maximum.at(at_home, groups.routes, prices)
        total = np.bincount(groups.routes, prices, routes.num_routes)
        return np.asarray(total - at_home)

    def zones(self, routes: PackedRoutes) -> Zones:
        """Return the zones, which stay where they are."""
        far = np.where(self.labels < 0, 0.0, self.prices[self.labels])
        return Zones(self.homes[:, None], np.zeros((len(far), 1)), far)
