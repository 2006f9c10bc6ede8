"""Compact routes: what the spread of a route costs besides its length."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.neighbours import nearest_points
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.penalties import (
    HullOverlap,
    RouteCenters,
    travel_cost_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

SHARE_OF_COST: Final = 0.036
"""Penalties of ideal routes as a share of the cost, at compactness 1: routes
get about one percent longer (``docs/benchmarks/preferences.md``)."""

FLEET_SHARE: Final = 0.11
"""The same beyond the CVRP, where distances cost, and not squared ones.

Routes that part in time or by vehicle have to spread, and a few customers far
away would cost more than all others."""

HULL_SHARE: Final = 0.1
"""Cost of a customer inside the hull of another route beyond the CVRP, at
compactness 1, as a share of the mean cost of a customer.

Set on 40 generated problems with windows, fleets or depots, of other seeds
than those of the record (``docs/benchmarks/preferences.md``)."""

BESIDE_HULLS: Final = 0.05
"""Weight of distances where hulls count, as a share of their weight alone:
they tell an insertion which route is near."""

RADIAL_SHARE: Final = 0.45
"""Weight of a step to or from the only depot, as a share of one across: the
shortest routes are drawn out towards it."""

WIDEST: Final = 4.0
"""Most that given routes may spread, in ideal ones, to cost what these would:
a route of several clusters is never round."""

NUM_NEAR: Final = 8
"""Centers whose penalties are told apart for each customer."""

FLEET_NEAR: Final = 24
"""The same beyond the CVRP: centers of wide routes are near one another."""

FAR_FACTOR: Final = 1.5
"""Penalty at any other center, as a multiple of that in the last of those."""

SAMPLE_SIZE: Final = 1000
"""Customers at most who tell how wide an ideal route is."""


@dataclass(frozen=True, eq=False)
class Compactness:
    """The cost of routes that spread.

    Each customer costs ``rate`` times the squared distance between its place,
    with one depot on the ``squeezed`` map, and the mean place of its route:
    moving centers to the means never costs more. Beyond the CVRP it is the
    distance (``is_linear``), and the overlap of routes costs besides
    (``hulls``). Penalties are multiples of ``step``, a power of two, so their
    sums have no rounding errors.

    Source: Aurenhammer, Hoffmann and Aronov (1998), Minkowski-type theorems
    and least-squares clustering, Algorithmica 20: lines separate the best
    clusters of given sizes.
    """

    places: np.ndarray
    rate: float
    step: float
    depots: tuple[int, ...] = (0,)
    is_linear: bool = False
    hulls: HullOverlap | None = None

    @classmethod
    def of(
        cls, instance: Instance, start: Solution, weight: float
    ) -> Compactness:
        """Return the cost of routes, scaled by any solution."""
        coords = instance.plane_coords("compactness")
        places = coords if instance.num_depots > 1 else squeezed(coords)
        customers = np.delete(places, instance.depots, axis=0)
        search = nearest_points(customers)

        def radii(picked: np.ndarray, size: int) -> np.ndarray:
            return np.asarray(search(customers[picked], size)[0][:, -1])

        ideal = _ideal_spread(radii, instance, start)
        scaled = cls(places, 1.0, 1.0, instance.depots)
        rate, step = _rate_and_step(instance, start, weight, ideal, scaled)
        scaled = replace(scaled, rate=rate, step=step)
        if instance.is_cvrp:
            return scaled
        unit = weight * HULL_SHARE * travel_cost_of(instance, start)
        unit = step * round(unit / instance.num_customers / step)
        return replace(
            scaled,
            rate=BESIDE_HULLS * rate,
            is_linear=True,
            hulls=HullOverlap(coords, unit),
        )

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs besides its length, (routes,)."""
        routes = _customers_of(routes, self.depots)
        places = self.places[routes.nodes]
        gaps = places - self._centers(routes)[_owners(routes)]
        gaps = _spread((gaps**2).sum(axis=1), self.is_linear)
        costs = self.rate * np.add.reduceat(gaps, routes.starts[:-1])
        if self.hulls is not None:
            costs += self.hulls.penalties(routes)
        return costs

    def around(self, routes: PackedRoutes) -> RouteCenters:
        """Return penalties around the mean places of some routes."""
        routes = _at_least_one(_customers_of(routes, self.depots))
        count = _num_near(routes, self.is_linear)
        search = nearest_points(self._centers(routes))
        gaps, ids = search(self.places, count)
        costs = self.rate * _spread(gaps**2, self.is_linear)
        centers = _centers(ids, costs, self.step, self.depots)
        return replace(centers, hulls=self.hulls)

    def _centers(self, routes: PackedRoutes) -> np.ndarray:
        """Return the mean place of each route, shape (routes, 2)."""
        places = self.places[routes.nodes]
        sums = np.add.reduceat(places, routes.starts[:-1])
        return np.asarray(sums / np.diff(routes.starts)[:, None])


@dataclass(frozen=True, eq=False)
class MatrixCompactness:
    """The same cost where only distances are known, not places.

    The center of a route is its medoid: the customer who makes it cheapest.
    Distances, the mean of both directions, are squeezed as on a map.
    """

    instance: Instance
    rate: float
    step: float
    is_linear: bool = False

    @classmethod
    def of(
        cls, instance: Instance, start: Solution, weight: float
    ) -> MatrixCompactness:
        """Return the cost of routes, scaled by any solution."""
        plain = cls(instance, 1.0, 1.0)
        customers = np.arange(1, instance.num_customers + 1)

        def radii(picked: np.ndarray, size: int) -> np.ndarray:
            squares = plain.squares(customers, customers[picked])
            squared = np.partition(squares, size - 1, axis=0)[size - 1]
            return np.asarray(np.sqrt(squared))

        ideal = _ideal_spread(radii, instance, start)
        rate, step = _rate_and_step(instance, start, weight, ideal, plain)
        is_linear = not instance.is_cvrp
        return replace(plain, rate=rate, step=step, is_linear=is_linear)

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return what each route costs besides its length, (routes,)."""
        return self.rate * self._medoids(routes)[1]

    def around(self, routes: PackedRoutes) -> RouteCenters:
        """Return penalties around the medoids of some routes."""
        routes = _at_least_one(routes)
        medoids, _ = self._medoids(routes)
        nodes = np.arange(len(self.instance.demands))
        squares = self.squares(nodes, medoids)
        count = _num_near(routes, self.is_linear)
        ids = np.argpartition(squares, count - 1, axis=1)[:, :count]
        squares = np.take_along_axis(squares, ids, axis=1)
        order = np.argsort(squares, axis=1)
        ids = np.take_along_axis(ids, order, axis=1)
        squares = np.take_along_axis(squares, order, axis=1)
        costs = self.rate * _spread(squares, self.is_linear)
        return _centers(ids, costs, self.step, self.instance.depots)

    @cached_property
    def _radii(self) -> np.ndarray:
        nodes = np.arange(len(self.instance.demands))
        return np.asarray(self._mean_distances([0], nodes)[0])

    @cached_property
    def _factors(self) -> np.ndarray:
        return _squeeze_factors(self._radii)

    def _medoids(self, routes: PackedRoutes) -> tuple[np.ndarray, np.ndarray]:
        """Return the medoid of each route, and what counts to it, summed."""
        routes = _customers_of(routes, self.instance.depots)
        medoids = np.zeros(routes.num_routes, dtype=np.int64)
        totals = np.zeros(routes.num_routes)
        for idx in range(routes.num_routes):
            members = routes.nodes[routes.starts[idx] : routes.starts[idx + 1]]
            gaps = _spread(self.squares(members, members), self.is_linear)
            sums = gaps.sum(axis=0)
            medoids[idx] = members[sums.argmin()]
            totals[idx] = sums.min()
        return medoids, totals

    def squares(self, nodes: np.ndarray, centers: np.ndarray) -> np.ndarray:
        """Return squared distances, (nodes, centers).

        With one depot they are squeezed: by the law of cosines the distances
        of both ends to it tell the way across.
        """
        squares = self._mean_distances(nodes, centers) ** 2
        if self.instance.num_depots > 1:
            return np.asarray(squares)
        near, far = self._radii[centers], self._radii[nodes][:, None]
        factors = self._factors[nodes][:, None]
        center_factors = self._factors[centers]
        across = np.maximum(squares - (far - near) ** 2, 0.0)
        across *= factors * center_factors
        along = factors * far - center_factors * near
        return np.asarray(along**2 + across)

    def _mean_distances(
        self, rows: Sequence[int] | np.ndarray, cols: np.ndarray
    ) -> np.ndarray:
        there = self.instance.distances(rows, cols)
        return np.asarray(
            0.5 * (there + self.instance.distances(cols, rows).T)
        )


def squeezed(coords: np.ndarray) -> np.ndarray:
    """Return places, (nodes, 2), in which distances to the depot count less.

    The distance r of a customer to it becomes m (r / m)^c, where m is the mean
    of r and c is ``RADIAL_SHARE``: a short radial step then counts c times as
    much as one across.
    """
    arms = coords - coords[0]
    factors = _squeeze_factors(np.hypot(arms[:, 0], arms[:, 1]))
    return np.asarray(arms * factors[:, None])


def _squeeze_factors(radii: np.ndarray) -> np.ndarray:
    """Return by how much distances to the depot, (nodes,), grow."""
    shares = radii / max(radii[1:].mean(), np.finfo(float).tiny)
    factors = np.zeros_like(radii)
    np.power(shares, RADIAL_SHARE - 1.0, out=factors, where=shares > 0.0)
    return factors


def _ideal_spread(
    radii: Callable[[np.ndarray, int], np.ndarray],
    instance: Instance,
    start: Solution,
) -> float:
    """Return the mean squared distance to the center of a round route.

    Half the squared radius of the disc that holds a mean route's customers.
    ``radii`` tells it for some of the customers.
    """
    count = instance.num_customers
    size = max(2, round(count / max(1, start.num_routes)))
    picked = np.linspace(0, count - 1, SAMPLE_SIZE).astype(int)
    spread = radii(np.unique(picked), min(size, count))
    return float((spread**2).mean() / 2.0)


def _rate_and_step(
    instance: Instance,
    start: Solution,
    weight: float,
    ideal: float,
    squares: Compactness | MatrixCompactness,
) -> tuple[float, float]:
    """Return the cost of a distance or its square, and its least step."""
    spread = squares.penalties(PackedRoutes.of(start.routes)).sum()
    ideal = max(ideal, float(spread) / (WIDEST * instance.num_customers))
    travel = travel_cost_of(instance, start)
    is_linear = not instance.is_cvrp
    share = FLEET_SHARE if is_linear else SHARE_OF_COST
    typical = weight * share * travel / instance.num_customers
    if not (ideal > 0.0 and typical > 0.0):  # all are at one place
        return 0.0, 1.0
    unit = math.sqrt(ideal) if is_linear else ideal
    return typical / unit, 2.0 ** (math.floor(math.log2(typical)) - 16)


def _spread(squares: np.ndarray, is_linear: bool) -> np.ndarray:
    return np.sqrt(squares) if is_linear else squares


def _num_near(routes: PackedRoutes, is_linear: bool) -> int:
    return min(FLEET_NEAR if is_linear else NUM_NEAR, routes.num_routes)


def _centers(
    ids: np.ndarray,
    penalties: np.ndarray,
    step: float,
    depots: tuple[int, ...],
) -> RouteCenters:
    penalties = np.rint(penalties / step) * step
    far = np.ceil(FAR_FACTOR * penalties[:, -1] / step) * step
    # Vehicles that reload pay nothing for the depot.
    at = list(depots)
    ids[at], penalties[at], far[at] = -1, 0.0, 0.0
    return RouteCenters(ids.astype(np.int32), penalties, far)


def _customers_of(
    routes: PackedRoutes, depots: tuple[int, ...]
) -> PackedRoutes:
    is_customer = ~np.isin(routes.nodes, depots)
    if is_customer.all():
        return routes
    counts = np.concatenate([[0], np.cumsum(is_customer)])
    return PackedRoutes(routes.nodes[is_customer], counts[routes.starts])


def _at_least_one(routes: PackedRoutes) -> PackedRoutes:
    return routes if routes.num_routes else PackedRoutes.of([[1]])


def _owners(routes: PackedRoutes) -> np.ndarray:
    """Return the number of the route of each entry of ``nodes``."""
    sizes = np.diff(routes.starts)
    return np.repeat(np.arange(routes.num_routes), sizes)
