"""From an instance with more than a capacity to arrays and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems.graph import curve_order
from ncc_routing.problems.schedules import arc_distances, arc_durations
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.search.fleets._neighbours import rank_neighbours
from ncc_routing.vrp.search.fleets._records import (
    Visits,
    break_ties,
    calls_of,
    counts_only_vehicles,
    loads_of,
    options_of,
    pairs_of,
    reloads_of,
    set_done,
    vehicles_of,
    visits_of,
)
from ncc_routing.vrp.search.fleets._rules import (
    rules_of,
    settled_customers,
    with_begun_types,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_rules import BegunRoute
    from ncc_routing.vrp.preferences.zones import AnyZones

SAMPLE_SIZE: Final = 10_000
"""Detours by which distances are judged."""

SAMPLE_QUANTILE: Final = 0.001
"""Share of them that may be short cuts."""

ROUNDING_SLACK: Final = 0.01
"""What they may save, in units of the mean distance."""

ROUNDING_ERROR: Final = 1e-7
"""Least improvement of unrounded costs, in units of the longest distance."""

_LARGEST_WHOLE: Final = 2.0**53
"""Sums of whole numbers below it are exact."""

_BLOCK: Final = 256
"""Rows of a matrix that are filled at once."""


class RichPlan(NamedTuple):
    """Customers by slot: each slot is a vehicle, and may be empty."""

    customers: np.ndarray  # uint32: of all slots, one after another
    starts: np.ndarray  # int64 (slots + 1,): where each slot begins


@dataclass(frozen=True, eq=False)
class RichSpace:
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
    # (profiles, places, places): float32 where that is exact, else float64.
    distances: np.ndarray
    durations: np.ndarray  # likewise; the same array where times are lengths

    @classmethod
    def of(
        cls, instance: Instance, degree: int, num_candidates: int
    ) -> RichSpace:
        """Build it; memory grows with the square of the customers."""
        size = instance.num_customers + 1
        user_instance, instance = instance, with_begun_types(instance)
        begun = user_instance.begun
        settled = settled_customers(user_instance)
        calls = calls_of(instance)
        num_nodes = size + len(calls)
        order = np.concatenate(
            [
                np.arange(size),
                np.array(instance.depots)[calls],
                np.arange(size, len(instance.demands)),
            ]
        )
        if instance.coords is not None:
            order[:size] = curve_order(instance.coords[:size])
        ranks = np.empty(len(instance.demands), dtype=np.uint32)
        ranks[order[:size]] = np.arange(size)
        ranks[order[num_nodes:]] = np.arange(num_nodes, len(order))
        depots = ranks[list(instance.depots)].tolist()
        distances = _stack(instance, arc_distances, order)
        durations = distances
        if instance.durations is not None or instance.profiles:
            durations = _stack(instance, arc_durations, order)
            common = np.result_type(distances, durations)
            distances = distances.astype(common, copy=False)
            durations = durations.astype(common, copy=False)
        visits = visits_of(instance, durations).of(order[:num_nodes])
        vehicles = vehicles_of(instance, distances, durations, depots)
        if counts_only_vehicles(instance):
            break_ties(vehicles, distances)
        round_trip = distances[0, depots, :num_nodes].astype(np.float64)
        round_trip += distances[0, :num_nodes, depots]
        back, late_back = _back(distances), _back(durations)
        neighbours, near = rank_neighbours(
            vehicles,
            distances,
            durations,
            visits.of(np.arange(size)),
            min(degree, size - 1),
            ranks[:size],
            num_nodes,
        )
        counts_duration = bool(visits.release.any()) or any(
            vehicle.max_duration < np.inf
            or vehicle.duration_cost > 0.0
            or vehicle.overtime_cost > 0.0
            for vehicle in vehicles
        )
        is_timed = (
            counts_duration
            or bool(np.isfinite(visits.late[1:]).any())
            or any(
                np.isfinite((vehicle.start_late, vehicle.end_late)).any()
                for vehicle in vehicles
            )
        )
        demands = instance.demands[order[:num_nodes]]
        if calls:
            demands = np.zeros_like(demands)  # each trip has its own load
        # Longer arcs, which are on no route, save nothing.
        longest = max(vehicle.max_distance for vehicle in vehicles)
        measures = [distances]
        if durations is not distances:
            measures.append(durations)

        def has_short_cuts(most: float) -> bool:
            return any(_has_short_cuts(arcs, ranks, most) for arcs in measures)

        own = vehicles[len(vehicles) - len(begun) :]
        set_done(user_instance, own, visits, durations, ranks)
        problem = kernels.FleetProblem(
            distances=distances,
            distances_back=back,
            durations=durations,
            durations_back=back if durations is distances else late_back,
            demands=demands,
            round_trip=round_trip.min(axis=0),
            neighbours=neighbours,
            near=near,
            num_candidates=num_candidates,
            vehicles=vehicles,
            loads=loads_of(instance, order[:num_nodes]),
            options=options_of(user_instance, order[:num_nodes], ranks),
            pairs=pairs_of(user_instance, num_nodes, ranks),
            reloads=reloads_of(instance, calls),
            rules=rules_of(user_instance, order[:num_nodes], ranks),
            begun=_by_type(instance, begun, ranks),
            settled=ranks[sorted(settled)].tolist(),
            is_metric=all(
                vehicle.fixed_cost >= 0.0 and not has_short_cuts(longest)
                for vehicle in vehicles
            ),
            has_short_cuts=has_short_cuts(np.inf),
            is_symmetric=back is distances and late_back is durations,
            is_timed=is_timed,
            counts_duration=counts_duration,
            limits_distance=any(
                vehicle.max_distance < np.inf for vehicle in vehicles
            ),
            has_exact_lengths=_has_exact_sums(distances),
            **visits._asdict(),
        )
        is_open = [node not in settled for node in range(1, size)]
        return cls(
            user_instance,
            order,
            ranks,
            ranks[1:size][is_open],
            problem,
            vehicles,
            visits,
            distances,
            durations,
        )

    @property
    def num_slots(self) -> int:
        """Number of vehicles that can be used."""
        return self.problem.num_routes

    @property
    def breaks_ties(self) -> bool:
        """Whether costs in the search are those of ``break_ties``."""
        return counts_only_vehicles(self.instance)

    def best_cost(self, state: kernels.FleetSearch) -> float:
        """Return the cost of the best solution of a state."""
        if not self.breaks_ties:
            return state.best_cost
        size = self.problem.num_nodes
        after = state.best_next
        is_used = after[size:] != np.arange(size, len(after))
        # Those of begun routes are paid for, whoever else comes.
        fixed = [kind.fixed_cost for kind in self.instance.vehicle_types]
        fixed += [0.0] * len(self.instance.begun)
        return float(np.take(fixed, self.problem.type_of[:-1][is_used]).sum())

    @cached_property
    def tolerance(self) -> float:
        """Least improvement; sums of unrounded costs have rounding errors."""
        costs = [self.distances, self.durations]
        costs += [
            np.array([kind.fixed_cost, kind.distance_cost, kind.duration_cost])
            for kind in self.vehicles
        ]
        if self.instance.selection is not None:
            costs.append(self.instance.selection.prizes)
        if all((values == np.rint(values)).all() for values in costs):
            return 0.0
        return ROUNDING_ERROR * float(self.distances.max())

    def empty_plan(self) -> RichPlan:
        """Return a plan without a customer on any route."""
        starts = np.zeros(self.num_slots + 1, dtype=np.int64)
        return RichPlan(np.zeros(0, dtype=np.uint32), starts)

    def by_customer(self, values: np.ndarray) -> np.ndarray:
        """Return values of kernel nodes, customers in the instance's order."""
        size = self.instance.num_customers + 1
        rest = values[self.problem.num_nodes :]
        return np.concatenate([values[self.ranks[:size]], rest])

    def pack(self, solution: Solution) -> RichPlan:
        """Return a solution's routes, each in a slot of its vehicle type."""
        left = [
            iter(range(vehicle.first_route, vehicle.end_route))
            for vehicle in self.vehicles
        ]
        begun = {
            each.customers[0]: (number, len(each.customers))
            for number, each in enumerate(
                self.instance.begun, len(self.instance.vehicle_types)
            )
        }
        routes: list[tuple[int, ...]] = [()] * self.num_slots
        for route, kind in zip(
            solution.routes, solution.vehicle_types, strict=True
        ):
            own, num_served = begun.get(route[0], (kind, 0))
            routes[next(left[own])] = route[num_served:]
        sizes = [len(route) for route in routes]
        customers = [customer for route in routes for customer in route]
        return RichPlan(
            self._nodes_of(customers),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )

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
        size = self.problem.num_nodes
        after, order = successors.tolist(), self.order.tolist()
        kinds = [*range(len(self.instance.vehicle_types))]
        starts: list[tuple[int, ...]] = [()] * len(kinds)
        for each in self.instance.begun:
            kinds.append(each.vehicle_type)
            starts.append(each.customers)
        types = self.problem.type_of[:-1].tolist()
        routes = []
        for depot, kind in enumerate(types, size):
            route = [*starts[kind]]
            node = after[depot]
            while node < size:
                route.append(order[node])
                node = after[node]
            routes.append(route)
        return Solution.from_routes(
            self.instance, routes, [kinds[kind] for kind in types]
        )

    def load(
        self,
        plan: RichPlan,
        max_removed: int,
        seed: list[int],
        zones: AnyZones | None = None,
    ) -> kernels.FleetSearch:
        """Return a state of feasible routes; other customers are absent."""
        [word] = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        start = (
            self.problem,
            plan.customers,
            plan.starts,
            self.members,
            max_removed,
            max(1, int(word)),
        )
        if zones is None:
            return kernels.FleetSearch(*start)
        table = zones.table(self.order[: self.problem.num_nodes])
        return kernels.FleetSearch(*start, table)


def _by_type(
    instance: Instance, begun: tuple[BegunRoute, ...], ranks: np.ndarray
) -> list[list[int]]:
    """Return the nodes that the vehicles of each type have served."""
    first = len(instance.vehicle_types) - len(begun)
    served = [ranks[list(each.customers)].tolist() for each in begun]
    return [[] for _ in range(first)] + served


def _stack(
    instance: Instance,
    measure: Callable[..., np.ndarray],
    order: np.ndarray,
    dtype: type[np.floating] = np.float32,
) -> np.ndarray:
    """Return distances or durations between places in an order, by profile."""
    size = len(order)
    arcs = np.empty((1 + len(instance.profiles), size, size), dtype)
    for profile, block in enumerate(arcs):
        for low in range(0, size, _BLOCK):
            part = order[low : low + _BLOCK]
            lengths = measure(instance, profile, part[:, None], order)
            with np.errstate(over="ignore"):
                block[low : low + _BLOCK] = lengths
            if (block[low : low + _BLOCK] != lengths).any():
                return _stack(instance, measure, order, np.float64)
    return arcs


def _back(arcs: np.ndarray) -> np.ndarray:
    """Return the transposed arcs, the same array if they are symmetric."""
    back = arcs.transpose(0, 2, 1)
    return arcs if np.array_equal(arcs, back) else np.ascontiguousarray(back)


def _has_exact_sums(arcs: np.ndarray) -> bool:
    """Whether the length of all routes is a whole number in float64."""
    longest = 2.0 * arcs.shape[1] * float(arcs.max())
    return longest < _LARGEST_WHOLE and bool((arcs == np.rint(arcs)).all())


def _has_short_cuts(
    arcs: np.ndarray, ranks: np.ndarray, longest: float
) -> bool:
    """Whether a sample breaks the triangle inequality, beside rounding.

    Arcs above the longest one do not count.
    """
    rng = np.random.default_rng(1)
    i, j, k = ranks[rng.integers(len(ranks), size=(3, SAMPLE_SIZE))]
    longer = arcs[:, i, j].astype(np.float64) + arcs[:, j, k] - arcs[:, i, k]
    longer[arcs[:, i, k] > longest] = 0.0
    slack = ROUNDING_SLACK * arcs.mean(dtype=np.float64)
    return bool(np.quantile(longer, SAMPLE_QUANTILE) < -slack)
