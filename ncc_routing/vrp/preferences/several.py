"""Several preferences in one run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.vrp.preferences.clusters import NO_PENALTIES
from ncc_routing.vrp.preferences.zones import (
    SameRoutePairs,
    Zones,
    ZonesAndPairs,
)

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.packed_routes import PackedRoutes
    from ncc_routing.vrp.preferences.clusters import ClusterPenalties
    from ncc_routing.vrp.preferences.zones import (
        AnyZones,
        Preference,
        RoutePenalties,
    )


@dataclass(frozen=True)
class SeveralPreferences:
    """Preferences that count together, at most one of each kind."""

    parts: tuple[Preference, ...]

    @property
    def has_penalties(self) -> bool:
        """Whether one of them has."""
        return any(each.has_penalties for each in self.parts)

    @property
    def free_share(self) -> float:
        """Share of a search that first only shortens the routes."""
        return max(each.free_share for each in self.parts)

    def require(self, instance: Instance) -> None:
        """Refuse what one of them refuses."""
        for each in self.parts:
            each.require(instance)

    def adjusted(self, instance: Instance) -> Instance:
        """Return the instance with the distances of all of them."""
        return reduce(
            lambda seen, each: each.adjusted(seen), self.parts, instance
        )

    def priced(
        self, instance: Instance, start: Solution
    ) -> RoutePenalties | None:
        """Return the sum of their costs."""
        priced = (each.priced(instance, start) for each in self.parts)
        found = tuple(each for each in priced if each is not None)
        return PenaltySum(found) if found else None

    def for_clusters(
        self, instance: Instance, start: Solution
    ) -> ClusterPenalties:
        """Return what clusters cost in all."""
        found = NO_PENALTIES
        for each in self.parts:
            own = each.for_clusters(instance, start)
            if own.rate > 0.0:
                found = found._replace(places=own.places, rate=own.rate)
            if own.unit > 0.0:
                found = found._replace(
                    zones=own.zones, zone_sizes=own.zone_sizes, unit=own.unit
                )
        return found


@dataclass(frozen=True, eq=False)
class PenaltySum:
    """The cost of routes by one or two preferences."""

    parts: tuple[RoutePenalties, ...]

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs besides its length, (routes,)."""
        costs = [each.penalties(routes) for each in self.parts]
        return np.asarray(np.sum(costs, axis=0))

    def zones(self, routes: PackedRoutes) -> AnyZones:
        """Return the zones around some routes, and the pairs."""
        found = [each.zones(routes) for each in self.parts]
        match found:
            case [Zones() as zones, SameRoutePairs() as pairs]:
                return ZonesAndPairs(zones, pairs)
        return found[0]
