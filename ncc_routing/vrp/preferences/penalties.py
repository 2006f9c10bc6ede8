"""Centers, pairs, overlap, clusters: what routes cost beside their length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Final,
    NamedTuple,
    TypeAlias,
    TypedDict,
)

import numpy as np

from ncc_routing._core.search import CenterTable, SameRouteTable
from ncc_routing._core.shapes import HullTable
from ncc_routing.problems.routes.route_shapes import inside_other_hulls
from ncc_routing.problems.routes.schedules import measure_route

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.packed_routes import PackedRoutes


class ClusterPenalties(NamedTuple):
    """Costs that depend on the members of a cluster alone.

    ``rate`` is the cost of a squared distance to the mean place, and ``unit``
    that of two customers of a district in different clusters. ``places`` or
    ``districts`` and ``district_sizes`` are empty where their cost is 0; a
    negative district is none.
    """

    places: np.ndarray
    rate: float
    districts: np.ndarray
    district_sizes: np.ndarray
    unit: float


NO_PENALTIES: Final = ClusterPenalties(
    np.zeros((0, 2)),
    0.0,
    np.zeros(0, dtype=np.int32),
    np.zeros(0, dtype=np.int32),
    0.0,
)


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
        is_inside = inside_other_hulls(self.places, *routes[:2])
        counts = np.add.reduceat(
            is_inside[routes.nodes], routes.starts[:-1], dtype=np.int64
        )
        return self.unit * counts

    def table(self, order: np.ndarray) -> HullTable:
        """Return it for the kernels, whose node i is ``order[i]``."""
        return HullTable(
            places=np.ascontiguousarray(self.places[order]), unit=self.unit
        )


class Tables(TypedDict, total=False):
    """Penalties as arguments of the kernels."""

    centers: CenterTable
    pairs: SameRouteTable


@dataclass(frozen=True, eq=False)
class RouteCenters:
    """Penalties by the distance of customers to the centers of routes, sparse.

    Row i of ``ids`` and ``penalties``, (n + 1, k), has the centers that cost
    node i least, least first, then -1; any other costs ``far[i]``, no less. A
    depot has none, and costs nothing.
    A search binds a route to the center where its customers cost least, a new
    one by its first customer. Multiples of one power of two sum exactly.
    ``hulls`` counts the overlap of the routes besides.
    """

    ids: np.ndarray
    penalties: np.ndarray
    far: np.ndarray
    hulls: HullOverlap | None = None

    def part(self, customers: np.ndarray) -> RouteCenters:
        """Return the penalties of the depot and some customers."""
        names = np.concatenate([[0], customers])
        return RouteCenters(
            self.ids[names], self.penalties[names], self.far[names]
        )

    def tables(self, order: np.ndarray) -> Tables:
        """Return them for the kernels, whose node i is ``order[i]``."""
        table = CenterTable(
            ids=np.ascontiguousarray(self.ids[order]),
            penalties=np.ascontiguousarray(self.penalties[order]),
            far=np.ascontiguousarray(self.far[order]),
        )
        return {"centers": table}


@dataclass(frozen=True, eq=False)
class SameRoutePairs:
    """Districts of customers that are to share a route, negative for none.

    ``num_others`` counts the further customers of a node's district; two of a
    district on different routes cost ``unit``.
    """

    labels: np.ndarray
    num_others: np.ndarray
    unit: float

    def part(self, customers: np.ndarray) -> SameRoutePairs:
        """Return what concerns the depot and some customers."""
        names = np.concatenate([[0], customers])
        return SameRoutePairs(
            self.labels[names], self.num_others[names], self.unit
        )

    def tables(self, order: np.ndarray) -> Tables:
        """Return them for the kernels, whose node i is ``order[i]``."""
        table = SameRouteTable(
            districts=np.ascontiguousarray(self.labels[order], dtype=np.int32),
            num_others=np.ascontiguousarray(self.num_others[order]),
            unit=float(self.unit),
        )
        return {"pairs": table}


@dataclass(frozen=True, eq=False)
class CentersAndPairs:
    """Penalties by route centers, and of pairs on two routes."""

    centers: RouteCenters
    pairs: SameRoutePairs

    def part(self, customers: np.ndarray) -> CentersAndPairs:
        """Return what concerns the depot and some customers."""
        return CentersAndPairs(
            self.centers.part(customers), self.pairs.part(customers)
        )

    def tables(self, order: np.ndarray) -> Tables:
        """Return them for the kernels, whose node i is ``order[i]``."""
        return {**self.centers.tables(order), **self.pairs.tables(order)}


RoutePenalties: TypeAlias = RouteCenters | SameRoutePairs | CentersAndPairs


def hulls_of(penalties: RoutePenalties) -> HullOverlap | None:
    """Return what counts the overlap of routes."""
    match penalties:
        case CentersAndPairs():
            return penalties.centers.hulls
        case RouteCenters():
            return penalties.hulls
    return None


def travel_cost_of(instance: Instance, solution: Solution) -> float:
    """Return what the distances and the travel of a solution cost.

    Neither vehicles nor waiting nor prizes count. Where travel costs nothing
    it is their length, by which a search then chooses.
    """
    if instance.is_unlimited_cvrp:
        return float(solution.cost)
    total = length = 0.0
    for route, vehicle_type in zip(
        solution.routes, solution.vehicle_types, strict=True
    ):
        vehicle = instance.vehicle_types[vehicle_type]
        parts = measure_route(instance, route, vehicle_type)
        length += (distance := sum(parts.legs))
        total += vehicle.unit_distance_cost * distance
        unit_cost = vehicle.unit_duration_cost + vehicle.unit_driving_cost
        if unit_cost > 0:
            total += unit_cost * sum(parts.travel)
    return total or length
