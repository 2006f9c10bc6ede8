"""From an instance with more than a capacity to arrays and back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.schedules import arc_distances, arc_durations
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing.fleets import _layout as _rich
from ncc_routing.vrp.polishing.fleets._annealing_kernels import load_routes
from ncc_routing.vrp.polishing.fleets._neighbours import rank_neighbours
from ncc_routing.vrp.polishing.fleets._path_kernels import fill_singles
from ncc_routing.vrp.polishing.fleets._records import (
    break_ties,
    counts_only_vehicles,
    vehicle_records,
    visit_records,
    widen_limits,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.instance import Instance

SAMPLE_SIZE: Final = 10_000
"""Detours by which distances are judged."""

SAMPLE_QUANTILE: Final = 0.001
"""Share of them that may be short cuts."""

ROUNDING_SLACK: Final = 0.01
"""What they may save, in units of the mean distance."""

ROUNDING_ERROR: Final = 1e-7
"""Least improvement of unrounded costs, in units of the longest distance."""

_BLOCK: Final = 256
"""Rows of a matrix that are filled at once."""


class RichPlan(NamedTuple):
    """Customers by slot: each slot is a vehicle, and may be empty."""

    customers: np.ndarray  # uint32: of all slots, one after another
    starts: np.ndarray  # int64 (slots + 1,): where each slot begins


@dataclass(frozen=True, eq=False)
class RichSpace:
    """An instance as the kernels see it."""

    instance: Instance
    problem: _rich.RichProblem

    @classmethod
    def of(
        cls, instance: Instance, degree: int, num_candidates: int
    ) -> RichSpace:
        """Build it; memory grows with the square of the customers."""
        size = instance.num_customers + 1
        visits = visit_records(instance)
        distances = _stack(instance, arc_distances)
        durations = distances
        if instance.durations is not None or instance.profiles:
            durations = _stack(instance, arc_durations)
        vehicles = vehicle_records(instance)
        widen_limits(visits, vehicles, distances, durations)
        if counts_only_vehicles(instance):
            break_ties(vehicles, distances)
        types = np.arange(len(vehicles))
        counts = vehicles["end_route"] - vehicles["first_route"]
        # The last one stands for customers without a place.
        type_of = np.append(np.repeat(types, counts), 0).astype(np.uint32)
        limits_duration = bool(np.isfinite(vehicles["max_duration"]).any())
        counts_duration = (
            limits_duration
            or bool(vehicles["duration_cost"].any())
            or bool(visits["release"].any())
        )
        is_timed = (
            counts_duration
            or bool(np.isfinite(visits["late"][1:]).any())
            or bool(np.isfinite(vehicles["start_late"]).any())
            or bool(np.isfinite(vehicles["end_late"]).any())
        )
        depots = list(instance.depots)
        round_trip = distances[0, depots, :size] + distances[0, :size, depots]
        back, late_back = _back(distances), _back(durations)
        neighbours, near = rank_neighbours(
            vehicles, distances, durations, visits, min(degree, size - 1)
        )
        problem = _rich.RichProblem(
            distances=distances,
            distances_back=back,
            durations=durations,
            durations_back=back if durations is distances else late_back,
            demands=np.array(instance.demands[:size]),
            visits=visits,
            vehicles=vehicles,
            type_of=type_of,
            capacities=vehicles["capacity"][type_of].astype(np.int64),
            singles=np.full((len(vehicles), size), np.inf),
            round_trip=round_trip.min(axis=0),
            neighbours=neighbours,
            near=near,
            num_candidates=num_candidates,
            is_metric=_is_metric(distances)
            and (durations is distances or _is_metric(durations)),
            is_symmetric=back is distances and late_back is durations,
            is_timed=is_timed,
            counts_duration=counts_duration,
            limits_distance=bool(np.isfinite(vehicles["max_distance"]).any()),
        )
        fill_singles(problem)
        return cls(instance, problem)

    @property
    def num_slots(self) -> int:
        """Number of vehicles that can be used."""
        return len(self.problem.type_of) - 1

    @property
    def breaks_ties(self) -> bool:
        """Whether costs in the search are those of ``break_ties``."""
        return counts_only_vehicles(self.instance)

    def best_cost(self, routes: _rich.RichRoutes) -> float:
        """Return the cost of the best solution of a state."""
        if not self.breaks_ties:
            return float(routes.costs[_layout.BEST_COST])
        size = len(self.problem.demands)
        depots = np.arange(size, len(routes.best_next))
        is_used = routes.best_next[size:] != depots
        fixed = [kind.fixed_cost for kind in self.instance.vehicle_types]
        return float(np.take(fixed, self.problem.type_of[:-1][is_used]).sum())

    @cached_property
    def tolerance(self) -> float:
        """Least improvement; sums of unrounded costs have rounding errors."""
        problem = self.problem
        costs = [problem.distances, problem.durations]
        costs += [
            problem.vehicles[name]
            for name in ("fixed_cost", "distance_cost", "duration_cost")
        ]
        if all((values == np.rint(values)).all() for values in costs):
            return 0.0
        return ROUNDING_ERROR * float(problem.distances.max())

    def empty_plan(self) -> RichPlan:
        """Return a plan without a customer on any route."""
        starts = np.zeros(self.num_slots + 1, dtype=np.int64)
        return RichPlan(np.zeros(0, dtype=np.uint32), starts)

    def pack(self, solution: Solution) -> RichPlan:
        """Return a solution's routes, each in a slot of its vehicle type."""
        left = [
            iter(range(kind["first_route"], kind["end_route"]))
            for kind in self.problem.vehicles
        ]
        routes: list[tuple[int, ...]] = [()] * self.num_slots
        for route, kind in zip(
            solution.routes, solution.vehicle_types, strict=True
        ):
            routes[next(left[kind])] = route
        sizes = [len(route) for route in routes]
        customers = [customer for route in routes for customer in route]
        return RichPlan(
            np.array(customers, dtype=np.uint32),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )

    def unpack(self, followers: np.ndarray) -> Solution:
        """Return the solution with these successors of the nodes."""
        size = len(self.problem.demands)
        after = followers.tolist()
        routes = []
        for depot in range(size, len(after)):
            route = []
            node = after[depot]
            while node < size:
                route.append(node)
                node = after[node]
            routes.append(route)
        kinds = self.problem.type_of[:-1].tolist()
        return Solution.from_routes(self.instance, routes, kinds)

    def load(
        self, plan: RichPlan, max_removed: int, seed: list[int]
    ) -> _rich.RichRoutes:
        """Return a state of feasible routes; other customers are absent."""
        size = len(self.problem.demands)
        slots = self.num_slots
        state = np.random.SeedSequence(seed).generate_state(1, np.uint64)
        routes = _rich.RichRoutes(
            nodes=np.zeros(size + slots, dtype=_rich.NODE),
            segments=np.zeros(size + slots, dtype=_rich.SEGMENT),
            route_of=np.zeros(size + slots, dtype=np.uint32),
            routes=np.zeros(slots + 1, dtype=_rich.ROUTE),
            loads=np.zeros(slots + 1, dtype=np.int64),
            free=np.zeros(slots, dtype=np.uint32),
            touched=np.zeros(slots, dtype=np.uint32),
            open_route=np.zeros(len(self.problem.vehicles), dtype=np.uint32),
            absent=np.zeros(size, dtype=np.uint32),
            absences=np.zeros(size, dtype=np.int64),
            path=np.zeros(size, dtype=np.uint32),
            other_path=np.zeros(size, dtype=np.uint32),
            best_next=np.zeros(size + slots, dtype=np.uint32),
            dirty=np.zeros(size + slots, dtype=np.uint32),
            is_dirty=np.zeros(size + slots, dtype=np.uint8),
            removed=np.zeros(max_removed, dtype=_layout.REMOVAL),
            inserted=np.zeros(max_removed + size, dtype=_layout.INSERTION),
            strings=np.zeros(max_removed, dtype=_layout.STRING),
            counts=np.zeros(_rich.NUM_RICH_COUNTS, dtype=np.int64),
            costs=np.zeros(2),
            members=np.arange(1, size, dtype=np.uint32),
            rng=np.maximum(state, 1),
        )
        load_routes(self.problem, routes, plan.customers, plan.starts)
        return routes


def _stack(
    instance: Instance, measure: Callable[..., np.ndarray]
) -> np.ndarray:
    """Return distances or durations between all places, by profile."""
    size = len(instance.demands)
    rows = np.arange(size)
    arcs = np.empty((1 + len(instance.profiles), size, size))
    for profile, block in enumerate(arcs):
        for low in range(0, size, _BLOCK):
            part = rows[low : low + _BLOCK, None]
            block[low : low + _BLOCK] = measure(instance, profile, part, rows)
    return arcs


def _back(arcs: np.ndarray) -> np.ndarray:
    """Return the transposed arcs, the same array if they are symmetric."""
    back = arcs.transpose(0, 2, 1)
    return arcs if np.array_equal(arcs, back) else np.ascontiguousarray(back)


def _is_metric(arcs: np.ndarray) -> bool:
    """Whether a sample keeps the triangle inequality, but for rounding."""
    rng = np.random.default_rng(1)
    i, j, k = rng.integers(arcs.shape[1], size=(3, SAMPLE_SIZE))
    longer = arcs[:, i, j] + arcs[:, j, k] - arcs[:, i, k]
    slack = ROUNDING_SLACK * arcs.mean()
    return bool(np.quantile(longer, SAMPLE_QUANTILE) >= -slack)
