"""From an instance beyond the CVRP to arrays and back."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems.ccp.graph import curve_order
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.preferences.penalties import (
    RoutePenalties,
    Tables,
    hulls_of,
)
from ncc_routing.vrp.search.fleets._arcs import Arcs
from ncc_routing.vrp.search.fleets._neighbours import rank_neighbours
from ncc_routing.vrp.search.fleets._records import (
    Visits,
    break_ties,
    calls_of,
    counts_only_vehicles,
    features_of,
    set_done,
    vehicles_of,
    visits_of,
)
from ncc_routing.vrp.search.fleets._rules import (
    settled_customers,
    with_in_progress_types,
)
from ncc_routing.vrp.search.fleets._traits import Traits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute
    from ncc_routing.vrp.packed_routes import PackedRoutes

ROUNDING_ERROR: Final = 1e-7
"""Least improvement of unrounded costs, in units of the longest distance."""


class FleetRoutes(NamedTuple):
    """Customers by slot: each slot is a vehicle, and may be empty."""

    customers: np.ndarray  # uint32: of all slots, one after another
    starts: np.ndarray  # int64 (slots + 1,): where each slot begins


@dataclass(frozen=True, eq=False)
class FleetSpace:
    """An instance as the kernels see it.

    ``order[i]`` is the place of the instance that the kernels know as i, and
    ``ranks`` is the inverse. Customers are along a curve: an insertion waits
    for distances most of the time, and those of near customers share lines of
    the cache. Depots keep their places.
    """

    instance: Instance
    order: np.ndarray  # int64 (places,)
    ranks: np.ndarray  # uint32 (places,)
    members: np.ndarray  # uint32: nodes of the customers to be served
    problem: kernels.FleetProblem
    vehicles: list[kernels.VehicleType]
    visits: Visits
    arcs: Arcs

    @classmethod
    def of(
        cls, instance: Instance, degree: int, num_candidates: int
    ) -> FleetSpace:
        """Build it.

        Memory grows with the square of the customers where arcs are matrices.
        """
        given, instance = instance, with_in_progress_types(instance)
        size = instance.num_customers + 1
        calls = calls_of(instance)
        num_nodes = size + len(calls)
        order, ranks = _places_of(instance, calls)
        nodes = order[:num_nodes]
        depots = ranks[list(instance.depots)].tolist()
        arcs = Arcs.of(instance, order)
        back = arcs.back()
        visits = visits_of(instance, arcs).of(nodes)
        vehicles = vehicles_of(instance, arcs, depots)
        if counts_only_vehicles(instance):
            break_ties(vehicles, arcs)
        neighbours, near = rank_neighbours(
            vehicles,
            arcs,
            visits.of(np.arange(size)),
            min(degree, size - 1),
            ranks[:size],
            num_nodes,
        )
        demands = instance.demands[nodes]
        if calls:
            demands = np.zeros_like(demands)  # each trip has its own load
        # Nobody drives over the ends of open routes.
        is_place = np.ones(len(order), dtype=bool)
        if isinstance(arcs.roads, np.ndarray):
            is_place[depots] = arcs.roads[:, depots].any(axis=(0, 2))
        is_symmetric = all(map(operator.is_, back, arcs.both))
        traits = Traits.of(
            arcs,
            vehicles,
            visits,
            ranks[is_place[ranks]],
            is_symmetric=is_symmetric,
        )
        traits = traits.timed_by(instance.features)
        settled = settled_customers(given)
        on_the_road = vehicles[len(vehicles) - len(given.in_progress) :]
        set_done(given, on_the_road, visits, arcs, ranks)
        problem = kernels.FleetProblem(
            distances=arcs.distances,
            distances_back=back[0],
            durations=arcs.durations,
            durations_back=back[1],
            lengths=arcs.roads,
            demands=demands,
            round_trip=arcs.round_trips(
                [depot for depot in depots if is_place[depot]] or depots,
                num_nodes,
            ),
            neighbours=neighbours,
            near=near,
            num_candidates=num_candidates,
            vehicles=vehicles,
            features=features_of(
                instance,
                given,
                nodes,
                ranks,
                calls,
                arcs,
                visits,
            ),
            in_progress=_by_type(instance, given.in_progress, ranks),
            settled=ranks[sorted(settled)].tolist(),
            **traits._asdict(),
            **visits._asdict(),
        )
        is_open = [node not in settled for node in range(1, size)]
        members = ranks[1:size][is_open]
        return cls(
            given, order, ranks, members, problem, vehicles, visits, arcs
        )

    @property
    def num_slots(self) -> int:
        """Number of vehicles that can be used."""
        return self.problem.num_routes

    @cached_property
    def breaks_ties(self) -> bool:
        """Whether costs in the search are those of ``break_ties``."""
        return counts_only_vehicles(self.instance)

    @property
    def has_members(self) -> bool:
        """Whether customers are to be served, besides those in progress."""
        return len(self.members) > 0

    @property
    def is_large(self) -> bool:
        """Whether a matrix would be too large."""
        return not isinstance(self.arcs.distances, np.ndarray)

    def best_cost(self, state: kernels.FleetSearch) -> float:
        """Return the cost of the best solution of a state."""
        if not self.breaks_ties:
            return state.best_cost
        size = self.problem.num_nodes
        after = state.best_next
        is_used = after[size:] != np.arange(size, len(after))
        # In-progress routes have paid theirs, with further customers or not.
        fixed = [
            vehicle_type.fixed_cost
            for vehicle_type in self.instance.vehicle_types
        ]
        fixed += [
            0.0 if one.customers else fixed[one.vehicle_type]
            for one in self.instance.in_progress
        ]
        return float(np.take(fixed, self.problem.type_of[:-1][is_used]).sum())

    @cached_property
    def tolerance(self) -> float:
        """Least improvement; sums of unrounded costs have rounding errors."""
        costs = [
            np.array(
                [
                    vehicle_type.fixed_cost,
                    vehicle_type.distance_cost,
                    vehicle_type.duration_cost,
                ]
            )
            for vehicle_type in self.vehicles
        ]
        if self.instance.selection is not None:
            costs.append(self.instance.selection.prizes)
        if all(self.arcs.are_whole) and all(
            (values == np.rint(values)).all() for values in costs
        ):
            return 0.0
        return ROUNDING_ERROR * self.arcs.longest

    def empty_plan(self) -> FleetRoutes:
        """Return a plan without a customer on any route."""
        starts = np.zeros(self.num_slots + 1, dtype=np.int64)
        return FleetRoutes(np.zeros(0, dtype=np.uint32), starts)

    def by_customer(self, values: np.ndarray) -> np.ndarray:
        """Return values of kernel nodes, customers in the instance's order."""
        size = self.instance.num_customers + 1
        rest = values[self.problem.num_nodes :]
        return np.concatenate([values[self.ranks[:size]], rest])

    def pack(self, packed: PackedRoutes) -> FleetRoutes:
        """Return routes, each in a slot of its vehicle type."""
        left = [
            iter(range(vehicle.first_route, vehicle.end_route))
            for vehicle in self.vehicles
        ]
        in_progress = {
            node: (number, len(each.customers) + len(each.reloads))
            for number, each in enumerate(
                self.instance.in_progress, len(self.instance.vehicle_types)
            )
            for node in each.customers[:1] or each.on_board
        }
        driven: list[tuple[int, tuple[int, ...]]] = []
        for route, vehicle_type in packed.driven():
            type_of_route, num_served = next(
                (in_progress[node] for node in route if node in in_progress),
                (vehicle_type, 0),
            )
            driven.append((next(left[type_of_route]), route[num_served:]))
        driven.sort()
        sizes = np.zeros(self.num_slots, dtype=np.int64)
        sizes[[slot for slot, _ in driven]] = [len(r) for _, r in driven]
        customers = [customer for _, route in driven for customer in route]
        return FleetRoutes(
            self._nodes_of(customers),
            np.concatenate([[0], np.cumsum(sizes)]),
        )

    def route_cost(self, route: list[int], vehicle_type: int) -> float:
        """Return the cost of a route; infinite if it breaks a limit."""
        return self.problem.path_cost(self._nodes_of(route), vehicle_type)

    def _nodes_of(self, visits: list[int]) -> np.ndarray:
        """Return the nodes of the kernels, each call at a depot its own."""
        size = self.instance.num_customers + 1
        nodes = self.ranks[visits]
        stops = range(size, self.problem.num_nodes)
        for depot in self.instance.depots:
            places = [idx for idx, node in enumerate(visits) if node == depot]
            calls = (stop for stop in stops if self.order[stop] == depot)
            for place, call in zip(places, calls, strict=False):
                nodes[place] = call
        return nodes

    def unpack(self, successors: np.ndarray) -> Solution:
        """Return the solution with these successors of the nodes."""
        return Solution.from_routes(self.instance, *self.routes_of(successors))

    def routes_of(
        self, successors: np.ndarray
    ) -> tuple[list[list[int]], list[int]]:
        """Return the routes with these successors, and their types."""
        size = self.problem.num_nodes
        after, order = successors.tolist(), self.order.tolist()
        vehicle_types = [*range(len(self.instance.vehicle_types))]
        starts: list[tuple[int, ...]] = [()] * len(vehicle_types)
        for each in self.instance.in_progress:
            vehicle_types.append(each.vehicle_type)
            starts.append(each.stops(self.instance.depots))
        types = self.problem.type_of[:-1]
        is_used = successors[size:] != np.arange(size, len(successors))
        is_used |= np.isin(types, [i for i, s in enumerate(starts) if s])
        used = types[is_used].tolist()
        routes = []
        for slot, vehicle_type in zip(
            np.flatnonzero(is_used).tolist(), used, strict=True
        ):
            route = [*starts[vehicle_type]]
            node = after[size + slot]
            while node < size:
                route.append(order[node])
                node = after[node]
            routes.append(route)
        return routes, [vehicle_types[each] for each in used]

    def load(
        self,
        plan: FleetRoutes,
        max_removed: int,
        seed: list[int],
        penalties: RoutePenalties | None = None,
        spare: Sequence[int] | None = None,
        absent: Sequence[int] | np.ndarray = (),
    ) -> kernels.FleetSearch:
        """Return a state of feasible routes; other customers are absent.

        With ``spare`` the routes are a part: other customers do not count but
        those of ``absent``, and so many further vehicles of each type can be
        used.
        """
        [word] = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        tables, hulls = Tables(), None
        if penalties is not None:
            tables = penalties.tables(self.order[: self.problem.num_nodes])
            hulls = hulls_of(penalties)
        customers = self.order[: self.instance.num_customers + 1]
        members, closed = self.members, np.zeros(0, dtype=np.uint8)
        if spare is not None:
            own = np.append(
                plan.customers, self.ranks[np.asarray(absent, int)]
            )
            members = members[np.isin(members, own)]
            closed = self._closed(plan, spare)
        return kernels.FleetSearch(
            *(self.problem, plan.customers, plan.starts, members, closed),
            *(max_removed, max(1, int(word))),
            hulls=None if hulls is None else hulls.table(customers),
            **tables,
        )

    def _closed(self, plan: FleetRoutes, spare: Sequence[int]) -> np.ndarray:
        """Return the slots that a part may not use, uint8 (slots,)."""
        is_used = np.diff(plan.starts) > 0
        closed = np.zeros(self.num_slots, dtype=np.uint8)
        for vehicle, more in zip(self.vehicles, spare, strict=True):
            slots = slice(vehicle.first_route, vehicle.end_route)
            idle = np.flatnonzero(~is_used[slots]) + vehicle.first_route
            closed[idle[more:]] = 1
        return closed


def _places_of(
    instance: Instance, calls: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    size = instance.num_customers + 1
    rest = np.arange(size, len(instance.demands))
    order = np.concatenate(
        [np.arange(size), np.array(instance.depots)[calls], rest]
    )
    if instance.coords is not None:
        order[:size] = curve_order(instance.coords[:size])
    ranks = np.empty(len(instance.demands), dtype=np.uint32)
    ranks[order[:size]] = np.arange(size)
    ranks[rest] = np.arange(size + len(calls), len(order))
    return order, ranks


def _by_type(
    instance: Instance,
    in_progress: tuple[InProgressRoute, ...],
    ranks: np.ndarray,
) -> list[list[int]]:
    first = len(instance.vehicle_types) - len(in_progress)
    served = [ranks[list(each.trip)].tolist() for each in in_progress]
    return [[] for _ in range(first)] + served
