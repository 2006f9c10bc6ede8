"""Compact routes: what the spread of a route costs besides its length."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ncc_routing.core.neighbours import nearest_points
from ncc_routing.problems.features import (
    MATRIX_ONLY,
    RELOAD_DEPOTS,
    SEVERAL_DEPOTS,
)
from ncc_routing.vrp.preferences.clusters import NO_PENALTIES
from ncc_routing.vrp.preferences.zones import Zones, refuse_features

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.packed_routes import PackedRoutes
    from ncc_routing.vrp.preferences.clusters import ClusterPenalties

SHARE_OF_COST: Final = 0.036
"""Penalties of ideal routes as a share of the cost, at compactness 1: routes
get about one percent longer (``docs/benchmarks/routes.md``)."""

RADIAL_SHARE: Final = 0.45
"""Weight of a step to or from the depot, as a share of one across: the
shortest routes are drawn out towards the depot."""

NUM_NEAR: Final = 8
"""Zones whose penalties are told apart for each customer."""

FAR_FACTOR: Final = 1.5
"""Penalty in any other zone, as a multiple of that in the last of those."""

SAMPLE_SIZE: Final = 1000
"""Customers at most who tell how wide an ideal route is."""


@dataclass(frozen=True)
class CompactRoutes:
    """The preference for compact routes, by the weight of ``SolveParams``."""

    weight: float
    name: ClassVar[str] = "compactness"
    free_share: ClassVar[float] = 0.0

    def require(self, instance: Instance) -> None:
        """Refuse an instance with more than a depot, or without coordinates.

        Routes that reload are refused as well.
        """
        refused = {MATRIX_ONLY, SEVERAL_DEPOTS, RELOAD_DEPOTS}
        refuse_features(self.name, instance, refused)

    def priced(self, instance: Instance, start: Solution) -> Compactness:
        """Return the cost of routes that spread."""
        return Compactness.of(instance, start, self.weight)

    def adjusted(self, instance: Instance) -> Instance:
        """Return the instance; its distances stay."""
        return instance

    def for_clusters(
        self, instance: Instance, start: Solution
    ) -> ClusterPenalties:
        """Return the cost of clusters that spread."""
        found = self.priced(instance, start)
        return NO_PENALTIES._replace(places=found.places, rate=found.rate)


@dataclass(frozen=True, eq=False)
class Compactness:
    """The cost of routes that spread.

    Each customer costs ``rate`` times the squared distance between its place
    on the ``squeezed`` map and the mean place of its route: moving centers to
    the means never costs more. Penalties are multiples of ``step``, a power of
    two, so their sums have no rounding errors.

    Source: Aurenhammer, Hoffmann and Aronov (1998), Minkowski-type theorems
    and least-squares clustering, Algorithmica 20: lines separate the best
    clusters of given sizes.
    """

    places: np.ndarray
    rate: float
    step: float

    @classmethod
    def of(
        cls, instance: Instance, start: Solution, weight: float
    ) -> Compactness:
        """Return the cost of routes, scaled by any solution."""
        coords = instance.plane_coords("compactness")
        places = squeezed(coords)
        ideal = _ideal_spread(places, start.num_routes)
        typical = weight * SHARE_OF_COST * start.cost / len(places[1:])
        if not (ideal > 0.0 and typical > 0.0):  # all are at one place
            return cls(places, 0.0, 1.0)
        step = 2.0 ** (math.floor(math.log2(typical)) - 16)
        return cls(places, typical / ideal, step)

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs besides its length, (routes,)."""
        places = self.places[routes.nodes]
        gaps = places - self._centers(routes)[_owners(routes)]
        squares = np.add.reduceat((gaps**2).sum(axis=1), routes.starts[:-1])
        return np.asarray(self.rate * squares)

    def zones(self, routes: PackedRoutes) -> Zones:
        """Return zones around the mean places of some routes."""
        count = min(NUM_NEAR, routes.num_routes)
        search = nearest_points(self._centers(routes))
        gaps, ids = search(self.places, count)
        penalties = np.rint(self.rate * gaps**2 / self.step) * self.step
        far = np.ceil(FAR_FACTOR * penalties[:, -1] / self.step) * self.step
        return Zones(ids.astype(np.int32), penalties, far)

    def _centers(self, routes: PackedRoutes) -> np.ndarray:
        """Return the mean place of each route, shape (routes, 2)."""
        places = self.places[routes.nodes]
        sums = np.add.reduceat(places, routes.starts[:-1])
        return np.asarray(sums / np.diff(routes.starts)[:, None])


def squeezed(coords: np.ndarray) -> np.ndarray:
    """Return places, (n + 1, 2), in which distances to the depot count less.

    The distance r of a customer to the depot becomes m (r / m)^c, where m is
    the mean of r and c is ``RADIAL_SHARE``: a short radial step then counts c
    times as much as one across.
    """
    arms = coords - coords[0]
    radii = np.hypot(*arms.T)
    shares = radii / max(radii[1:].mean(), np.finfo(float).tiny)
    factors = np.zeros_like(radii)
    np.power(shares, RADIAL_SHARE - 1.0, out=factors, where=shares > 0.0)
    return np.asarray(arms * factors[:, None])


def _ideal_spread(places: np.ndarray, num_routes: int) -> float:
    """Return the mean squared distance to the center of a round route.

    Half the squared radius of the disc that holds a mean route's customers.
    """
    customers = places[1:]
    size = max(2, round(len(customers) / num_routes))
    picked = np.linspace(0, len(customers) - 1, SAMPLE_SIZE).astype(int)
    search = nearest_points(customers)
    radii, _ = search(customers[np.unique(picked)], min(size, len(customers)))
    return float((radii[:, -1] ** 2).mean() / 2.0)


def _owners(routes: PackedRoutes) -> np.ndarray:
    """Return the number of the route of each entry of ``nodes``."""
    sizes = np.diff(routes.starts)
    return np.repeat(np.arange(routes.num_routes), sizes)
