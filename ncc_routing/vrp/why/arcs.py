"""Arcs between the places of a problem, and the shortest paths."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.problems.distances import (
    ARC_UNROUNDED,
    LARGEST_MATRIX,
    UNROUNDED,
)
from ncc_routing.problems.fleet import COSTS, Fleet, VehicleType
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.routes.schedules import (
    arc_distances,
    arc_durations,
)
from ncc_routing.problems.routes.types_as_arcs import (
    with_types_as_arcs,
    without_shared_setups,
)
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.instance import Instance

DISTANCE, DURATION, DRIVING = 0, 1, 2
"""What an arc is measured in; services count in durations of paths alone."""

_BLOCK: Final = 256
"""Rows of all arcs that are computed at once."""


class Arcs:
    """The arcs of a relaxed instance; shortest paths are kept.

    An arc that may not be driven is infinite in both measures. ``customers``
    are those who must be served and fit into a vehicle; ``given`` is not
    relaxed.
    """

    def __init__(self, instance: Instance) -> None:
        self.given = given = with_types_as_arcs(
            without_shared_setups(instance)
        )
        self.instance = instance = relaxed(given)
        types = instance.vehicle_types
        services = [np.add(*instance.work_of(each)) for each in types]
        least = np.min(services, axis=0)
        self.windows = self._windows_with(least)
        # A profile, and what is done there; first with the least of all types.
        self._roads = [(n, least) for n in range(1 + len(instance.profiles))]
        self._road_of: dict[tuple[int, bytes], int] = {}
        for each, own in zip(types, services, strict=True):
            key = each.profile, own.tobytes()
            if (own != least).any() and key not in self._road_of:
                self._road_of[key] = len(self._roads)
                self._roads.append((each.profile, own))
        required = np.flatnonzero(instance.required)
        self.customers = np.setdiff1d(required, list(given.oversized))
        vehicle_types = (
            vehicle_type
            for vehicle_type in instance.vehicle_types
            if vehicle_type.can_reload
        )
        reloads = {
            depot
            for vehicle_type in vehicle_types
            for depot in vehicle_type.reload_depots
        }
        self._reloads = np.array(instance.depots)[sorted(reloads)]
        self._paths: dict[tuple[int, int, int, bool], np.ndarray] = {}

    def road_of(self, vehicle_type: VehicleType) -> int:
        """Return the road of a type: its profile, unless services differ."""
        work = np.add(*self.instance.work_of(vehicle_type))
        key = vehicle_type.profile, work.tobytes()
        return self._road_of.get(key, vehicle_type.profile)

    def windows_of(self, vehicle_type: VehicleType) -> TimeWindows:
        """Return the windows with what a vehicle does; others do the least."""
        work = self.instance.work_of(vehicle_type)
        return self._windows_with(np.add(*work))

    def _windows_with(self, services: np.ndarray) -> TimeWindows:
        size = len(self.instance.demands)
        windows = self.instance.windows or TimeWindows.of(size)
        return replace(windows, service_durations=services)

    @cached_property
    def types(self) -> dict[VehicleType, list[int]]:
        """One of the types that drive alike, and all that do by index."""
        numbers_of: dict[VehicleType, list[int]] = {}
        for idx, vehicle_type in enumerate(self.instance.vehicle_types):
            numbers_of.setdefault(_as_driven(vehicle_type), []).append(idx)
        return numbers_of

    @cached_property
    def is_metric(self) -> bool:
        """Whether no path is shorter than the arc between its ends."""
        instance = self.instance
        given = (instance.matrix, instance.durations)
        return (
            all(part is None for part in (*given, instance.speed))
            and not instance.profiles
            and instance.length_rule.kind in (UNROUNDED, ARC_UNROUNDED)
        )

    def arcs(
        self, measure: int, profile: int, tails: np.ndarray, heads: np.ndarray
    ) -> np.ndarray:
        """Return the lengths of arcs; shapes broadcast."""
        between = (self.instance, profile, tails, heads)
        distances = arc_distances(*between)
        durations = arc_durations(*between)
        lengths = distances if measure == DISTANCE else durations
        if not self.instance.has_forbidden_arcs:
            return lengths
        return np.where(np.isinf(distances + durations), np.inf, lengths)

    def least_arcs(self, measure: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the shortest arc to each place on a route, and from it.

        It is 0 where there are too many places to look at all arcs.
        """
        size = len(self.instance.demands)
        into, out = np.zeros((2, size))
        if self.instance.matrix is None and size > LARGEST_MATRIX:
            return into, out
        depots = np.array(self.instance.depots)
        both = [self.instance.ends_of(each) for each in self.types]
        starts, ends = (
            np.append(nodes, self._reloads)
            for nodes in zip(*both, strict=True)
        )
        into[:], out[:] = np.inf, np.inf
        for profile in {vehicle_type.profile for vehicle_type in self.types}:
            for rows, arcs in self._blocks(measure, profile):
                arcs[np.arange(len(rows)), rows] = np.inf
                arcs[np.ix_(np.isin(rows, depots), depots)] = np.inf
                arcs[np.isin(rows, np.setdiff1d(depots, starts))] = np.inf
                arcs[:, np.setdiff1d(depots, ends)] = np.inf
                np.minimum(into, arcs.min(axis=0), out=into)
                out[rows] = np.minimum(out[rows], arcs.min(axis=1))
        return into, out

    def direct(
        self, measure: int, road: int, place: int, is_back: bool = False
    ) -> np.ndarray:
        """Return the arcs from a place to all places, or back from them."""
        ends = np.array(place), np.arange(len(self.instance.demands))
        tails, heads = ends[::-1] if is_back else ends
        return self.arcs(measure, self._roads[road][0], tails, heads)

    def shortest(
        self, measure: int, road: int, place: int, is_back: bool = False
    ) -> np.ndarray:
        """Return the shortest paths over customers from a place, or back.

        The service of the customers on the way counts (Dijkstra).
        """
        key = (measure, road, place, is_back)
        if key not in self._paths:
            self._paths[key] = self._search(*key)
        return self._paths[key]

    def between(
        self, measure: int, road: int, nodes: np.ndarray, *, by_paths: bool
    ) -> np.ndarray:
        """Return the arcs, or the shortest paths, between some nodes."""
        if not by_paths:
            profile, _ = self._roads[road]
            return self.arcs(measure, profile, nodes[:, None], nodes)
        paths = (self.shortest(measure, road, node) for node in nodes)
        return np.array([lengths[nodes] for lengths in paths])

    def _blocks(
        self, measure: int, profile: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield some rows, and a copy of the arcs from them to all places."""
        nodes = np.arange(len(self.instance.demands))
        for low in range(0, len(nodes), _BLOCK):
            rows = nodes[low : low + _BLOCK]
            arcs = self.arcs(measure, profile, rows[:, None], nodes)
            yield rows, np.array(arcs, dtype=np.float64)

    def _search(
        self, measure: int, road: int, place: int, is_back: bool
    ) -> np.ndarray:
        best = np.array(self.direct(measure, road, place, is_back), float)
        if self.is_metric:
            return best
        service = np.zeros(len(best))
        if measure == DURATION:
            service = self._roads[road][1].astype(np.float64)
        is_closed = np.ones(len(best), dtype=bool)
        is_closed[1 : self.instance.num_customers + 1] = False
        is_closed[self._reloads] = False
        is_closed[place] = True
        for _ in range(len(best)):
            ahead = np.where(is_closed, np.inf, best)
            near = int(np.argmin(ahead))
            if not np.isfinite(ahead[near]):
                break
            is_closed[near] = True
            arcs = self.direct(measure, road, near, is_back)
            np.minimum(best, best[near] + service[near] + arcs, out=best)
        return best


class Driven(NamedTuple):
    """What a route takes at least: numbers, or arrays of many routes."""

    arrivals: list[Any]
    returned: Any
    duration: Any


def drive(
    windows: TimeWindows,
    vehicle_type: VehicleType,
    ends: Sequence[int],
    stops: Sequence[Any],
    travel: Sequence[Any],
    release: Any,
) -> Driven:
    """Return when stops are reached at the earliest, and the duration.

    ``ends`` are the depots, ``travel`` leads to each stop and to the end, and
    ``release`` is that of all goods. The shapes of nodes and times broadcast.
    """
    fields = ("tw_early", "tw_late", "service_durations")
    early, late, service = (getattr(windows, f).astype(float) for f in fields)
    first, last = ends
    work = service[first]
    now = (
        np.maximum(np.maximum(vehicle_type.tw_early, release), early[first])
        + work
    )
    arrivals, latest = [], min(vehicle_type.tw_late, late[last]) - travel[-1]
    for nodes, duration in zip(stops, travel[:-1], strict=True):
        arrivals.append(now + duration)
        now = np.maximum(arrivals[-1], early[nodes]) + service[nodes]
        work = work + duration + service[nodes]
    # The latest start that reaches all in time: who starts before it waits.
    for nodes, duration in zip(stops[::-1], travel[-2::-1], strict=True):
        latest = np.minimum(latest - service[nodes], late[nodes]) - duration
    start_late = min(vehicle_type.start_late, late[first])
    latest = np.minimum(latest - service[first], start_late)
    returned = np.maximum(
        now + travel[-1], max(early[last], vehicle_type.tw_early)
    )
    with np.errstate(invalid="ignore"):  # of a forbidden arc
        waited = returned - latest
    return Driven(arrivals, returned, np.fmax(work + travel[-1], waited))


def relaxed(instance: Instance) -> Instance:
    """Return an instance that has a plan wherever the given one has.

    Overtime is part of the shift. A vehicle that reloads carries anything, and
    waits for no goods. Where one is on its way at known times, which may be
    ahead of all that arcs allow, no time counts.
    """
    if any(one.departures for one in instance.in_progress):
        instance = _without_times(instance)
    given = instance.fleet
    if given is None:
        return instance
    types = tuple(
        replace(
            vehicle_type,
            shift_duration=vehicle_type.max_duration,
            max_overtime=0,
            capacity=NO_LIMIT
            if vehicle_type.can_reload
            else vehicle_type.capacity,
        )
        for vehicle_type in given.types
    )
    fleet = Fleet(types, given.vehicles)
    windows = instance.windows
    if windows is not None and any(
        vehicle_type.can_reload for vehicle_type in types
    ):
        none = np.zeros_like(windows.release_times)
        windows = replace(windows, release_times=none)
    elif types == given.types:
        return instance
    return instance.derived(
        fleet=fleet, capacity=fleet.capacity, windows=windows
    )


def _without_times(instance: Instance) -> Instance:
    fleet = instance.fleet
    if fleet is not None:
        types = tuple(
            replace(
                vehicle_type,
                tw_early=0,
                tw_late=NO_LIMIT,
                start_late=NO_LIMIT,
                shift_duration=NO_LIMIT,
                max_overtime=0,
                breaks=(),
                service_durations=(),
                setup_durations=(),
            )
            for vehicle_type in fleet.types
        )
        fleet = Fleet(types, fleet.vehicles)
    rules = instance.constraints or RouteConstraints()
    begun = (
        replace(one, breaks_taken=(), break_distances=())
        for one in rules.in_progress
    )
    rules = replace(rules, in_progress=tuple(begun))
    return instance.derived(fleet=fleet, windows=None, constraints=rules)


_OF_FLEETS: Final = (
    *("num_available", "name", "skills", *COSTS),
    *("other_capacities", "initial_load", "reload_depots", "max_reloads"),
    *("max_overtime", "max_stops", "min_stops", "min_load"),
    *("hours_of_service", "max_waiting", "max_wait"),
)
"""Fields of a vehicle type that say nothing of how long a way takes."""


def _as_driven(vehicle_type: VehicleType) -> VehicleType:
    """Return a type without what limits no single route."""
    changes: dict[str, Any] = {
        each.name: each.default
        for each in fields(vehicle_type)
        if each.name in _OF_FLEETS
    }
    changes["breaks"] = tuple(
        replace(each, max_load=None) for each in vehicle_type.breaks
    )
    return replace(vehicle_type, **changes)
