"""What of a plan has happened at a moment."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.desk.routes import with_in_progress
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.route_constraints import (
    BreakTaken,
    InProgressRoute,
)
from ncc_routing.problems.routes.driven_hours import DrivenStop, so_far_after
from ncc_routing.problems.routes.schedules import measure_route, schedule_route
from ncc_routing.problems.routes.timetable import route_titles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.schedules import DriverBreak, Schedule
    from ncc_routing.problems.routes.solution import Solution


@dataclass(eq=False)
class DrivenRoute:
    """A route of a plan, and what of it has happened.

    ``departures`` has those of the depot and of the ``stops``, ``begins`` when
    these services begin; both are empty where the vehicle has not left. The
    last stop may be the next one. ``number`` is that of the vehicle, 0 where
    it has none, and ``title`` what it is called. ``rests`` are those before
    these stops; ``hours`` is what the driver had done after the first
    ``known`` ones, -1 for before the depot. ``undelivered`` is that of
    ``InProgressRoute``, an array for each trip; ``unloaded`` are goods of the
    last trip that come off the vehicle at the depot that is its next stop.
    ``end`` is when the vehicle is home.
    """

    route: list[int]
    vehicle_type: int
    number: int
    name: str
    start: float
    stops: list[int] = field(default_factory=list)
    departures: list[float] = field(default_factory=list)
    begins: list[float] = field(default_factory=list)
    on_board: list[int] = field(default_factory=list)
    is_over: bool = False
    waits: bool = False  # at its last stop, until somebody says more
    breaks_taken: tuple[BreakTaken, ...] = ()
    breaks_ahead: tuple[BreakTaken, ...] = ()  # after these stops
    distances: tuple[float, ...] = ()  # driven before each break
    rests: tuple[DriverBreak, ...] = ()
    known: int = -1
    hours: HoursSoFar = field(default=HoursSoFar())
    delays: tuple[tuple[int, float], ...] = ()
    jam: float = 0.0  # what of them is driving on the way to the last stop
    undelivered: list[np.ndarray] = field(default_factory=list)
    unloaded: list[int] = field(default_factory=list)
    title: str = ""
    end: float = math.inf

    @property
    def rest(self) -> list[int]:
        """The stops after those that have happened."""
        return self.route[len(self.stops) :]

    def is_begun(self, depots: Sequence[int]) -> bool:
        """Whether somebody is served, next, or has goods on board."""
        return bool(self.on_board or set(self.stops) - set(depots))

    def goods(self) -> tuple[tuple[int, ...], ...]:
        """Return ``undelivered`` if there is any."""
        is_any = any(goods.any() for goods in self.undelivered)
        trips = self.undelivered if is_any else ()
        return tuple(tuple(goods.tolist()) for goods in trips)

    def is_home(self, now: float) -> bool:
        """Whether the route is over, and its vehicle at its end."""
        return self.is_over and self.end < now

    def delay(self, place: int, time: float) -> None:
        """Let the way after some first stops take longer."""
        if time > 0:
            self.delays = (*self.delays, (place, time))

    def drop_breaks(self, now: float) -> None:
        """Let breaks after these stops that have not begun be owed again."""
        self.breaks_taken = tuple(
            each
            for each in self.breaks_taken
            if each[1] < len(self.stops) or each[2] is None or each[2] < now
        )

    def is_served(self, node: int, now: float) -> bool:
        """Whether the service of a customer has begun."""
        return any(
            stop == node and begin < now
            for stop, begin in zip(self.stops, self.begins, strict=True)
        )

    def hours_so_far(self, instance: Instance) -> HoursSoFar:
        """Return what the driver has done, with hours of service."""
        vehicle = instance.vehicle_types[self.vehicle_type]
        if vehicle.hours is None or not self.departures:
            return HoursSoFar()
        parts = measure_route(instance, self.stops, self.vehicle_type)
        travel = parts.travel[: len(self.stops)]
        if travel:
            travel[-1] += self.jam
        stops = []
        if self.known < 0 and vehicle.start_depot is not None:
            begin = max(0.0, self.departures[0] - parts.services[0])
            times = begin, self.departures[0]
            stops.append(DrivenStop(begin, 0.0, (), *times))
        stops += [
            DrivenStop(
                self.departures[place],
                travel[place],
                self.rests_before(place, vehicle),
                self.begins[place],
                self.departures[place + 1],
            )
            for place in range(max(0, self.known), len(self.stops))
        ]
        return so_far_after(vehicle.hours, self.hours, stops)

    def setup_before(self, instance: Instance, place: int) -> float:
        """Return the set-up at a stop, 0 where the vehicle was there."""
        parts = measure_route(instance, self.stops, self.vehicle_type)
        return parts.setups[1 + place]

    def rests_before(
        self, place: int, vehicle: VehicleType
    ) -> list[DriverBreak]:
        """Return the rests and breaks on the way to a stop."""
        visit = place + (vehicle.start_depot is not None)
        return [each for each in self.rests if each.place == visit]

    def continues(self, one: InProgressRoute) -> bool:
        """Whether it is the rest of a route in progress."""
        bound = {*one.customers, *one.on_board}
        is_type = one.vehicle_type == self.vehicle_type
        return is_type and not bound.isdisjoint(self.route)


def driven_routes(
    instance: Instance,
    plan: Solution,
    numbers: Sequence[int],
    now: float,
    actual: object,
) -> list[DrivenRoute]:
    """Return what of each route has happened, as planned or as told."""
    stated = instance.in_progress
    if actual is not None:
        stated = with_in_progress(instance, actual, plan).in_progress
        told = chain(*(one.cancelled for one in stated))
        if others := sorted(set(told) - instance.passed_by):
            name = instance.node_ids[others[0]]
            raise ParameterError(
                f"actual: order {name} is cancelled: say so by a change."
            )
    routes = []
    titles = route_titles(instance, plan)
    for place, (route, idx) in enumerate(
        zip(plan.routes, plan.vehicle_types, strict=True)
    ):
        name = instance.vehicle_types[idx].name or f"route {place + 1}"
        title = titles[place]
        if name not in title and numbers[place]:  # the routes' change
            title = f"vehicle {numbers[place]}"
        schedule = schedule_route(instance, route, idx)
        one = DrivenRoute(
            *(list(route), idx, numbers[place], name, schedule.start),
            title=title,
        )
        before = next(filter(one.continues, stated), None)
        one.breaks_taken = before.breaks_taken if before else ()
        one.delays = before.delays if before else ()
        if actual is None:
            _drive_as_planned(instance, one, before, now, schedule)
        elif before is not None:
            _drive_as_told(instance, one, before, now)
        if before is not None and (
            before.hours_so_far != HoursSoFar() or actual is None
        ):
            one.hours = before.hours_so_far
            one.known = len(before.stops(instance.depots))
        facts = next(filter(one.continues, instance.in_progress), None)
        if one.departures:
            _set_goods(instance, one, facts, route, now)
        routes.append(one)
    if actual is not None:
        _require_routes(instance, stated, routes)
    return routes


def _require_routes(
    instance: Instance,
    stated: Sequence[InProgressRoute],
    routes: Sequence[DrivenRoute],
) -> None:
    """Refuse what was driven by no vehicle of the plan, or stated twice."""
    continued = [next(filter(one.continues, stated), None) for one in routes]
    for told in stated:
        if all(told is not one for one in continued):
            vehicle = instance.describe_type(told.vehicle_type)
            nodes = told.customers or told.on_board
            names = ", ".join(instance.node_ids[node] for node in nodes)
            raise ParameterError(
                f"actual: no route of {vehicle} in the plan has {names}, or "
                "it is stated twice."
            )


def _drive_as_planned(
    instance: Instance,
    one: DrivenRoute,
    before: InProgressRoute | None,
    now: float,
    schedule: Schedule,
) -> None:
    """Take the stops that have happened from the schedule."""
    if schedule.start >= now and before is None:
        return
    left = _departures(schedule)
    # Who has left a stop before now drives on to the next one.
    num_left = bisect_left(left, now)
    count = min(num_left, len(one.route))
    if before is not None:
        count = max(count, len(before.stops(instance.depots)))
    if count == 0:  # it is loaded
        one.departures = [max(left[0], now)]
        return
    one.stops = one.route[:count]
    one.is_over = num_left > len(one.route) or (
        before is not None and before.is_over
    )
    _set_times(instance, one, schedule)


def _drive_as_told(
    instance: Instance, one: DrivenRoute, told: InProgressRoute, now: float
) -> None:
    """Take the stops and times of a route as they were."""
    stops = list(told.stops(instance.depots))
    others = instance.passed_by.union(told.customers)
    rest = [node for node in one.route if node not in others]
    calls = [node for node in rest if node in instance.depots]
    for node in calls[: len(told.reloads)]:
        rest.remove(node)
    departures = list(told.departures)
    if all(time is None for time in departures):
        raise ParameterError(
            f"actual: the route of {one.name} has no departure."
        )
    last = departures[-1]
    if last is not None and last < now and rest:
        stops.append(rest.pop(0))
        departures.append(None)
    one.route, one.stops = [*stops, *rest], stops
    in_progress = InProgressRoute.of_stops(
        *(told.vehicle_type, stops, departures, instance.depots),
        breaks_taken=told.breaks_taken,
        delays=told.delays,
    )
    driven = Draft.of(instance).set(in_progress=(in_progress,)).build()
    schedule = schedule_route(driven, stops, told.vehicle_type)
    _set_times(instance, one, schedule)
    one.waits = departures[-1] is None and one.departures[-1] < now
    one.is_over = not rest and not one.waits and one.departures[-1] < now


def _set_times(
    instance: Instance, one: DrivenRoute, schedule: Schedule
) -> None:
    if not math.isfinite(schedule.cost):
        raise ParameterError(f"the route of {one.name} takes a forbidden arc.")
    size = len(one.stops)
    one.end = schedule.end
    one.departures = _departures(schedule)[: 1 + size]
    one.begins = list(schedule.begins[schedule.stops][:size])
    ahead = schedule.stops.start + size
    one.rests = tuple(each for each in schedule.breaks if each.place < ahead)
    num_had = max(len(one.rests), len(one.breaks_taken))
    breaks = tuple(
        (each.number, each.place - schedule.stops.start, *each[2:4])
        for each in schedule.breaks
    )
    one.breaks_taken = breaks[:num_had]
    one.distances = tuple(each.distance for each in schedule.breaks)
    one.breaks_ahead = breaks[num_had:]


def _set_goods(
    instance: Instance,
    one: DrivenRoute,
    before: InProgressRoute | None,
    planned: Sequence[int],
    now: float,
) -> None:
    """Say what has been on board, and is.

    Goods come on board at a depot, for the trip that is ``planned`` there.
    They come off at the next one, unless they are delivered before.
    """
    num = instance.num_load_dimensions
    trips = _trips_of(instance, one.stops)
    plans = [*_trips_of(instance, planned), *([] for _ in trips)]
    plans[len(trips) - 1 :] = _trips_of(instance, one.rest)[:1]
    first = len(before.reloads) if before is not None else 0
    for number, (stops, plan) in enumerate(zip(trips, plans, strict=True)):
        goods = np.zeros(num, dtype=np.int64)
        loaded = {node for node in plan if instance.deliveries[node].any()}
        if before is not None and number <= first:
            goods += before.goods_of(number, num)
            loaded.update(before.on_board if number == first else ())
        one.undelivered.append(goods)
        left = sorted(loaded.difference(stops))
        if number == len(trips) - 1:
            one.on_board = left
        elif number >= first:
            one.unloaded = left
            goods += instance.deliveries[left].sum(axis=0)
    is_ahead = bool(one.begins) and one.begins[-1] >= now
    if is_ahead and one.stops[-1] in instance.depots:
        one.on_board = []  # there it loads the next goods
    else:
        one.unloaded = []
    vehicle = instance.vehicle_types[one.vehicle_type]
    if one.is_home(now) and vehicle.end_depot is not None:
        goods += instance.deliveries[one.on_board].sum(axis=0)
        one.on_board = []


def _trips_of(instance: Instance, stops: Sequence[int]) -> list[list[int]]:
    trips: list[list[int]] = [[]]
    for node in stops:
        if node in instance.depots:
            trips.append([])
        else:
            trips[-1].append(node)
    return trips


def _departures(schedule: Schedule) -> list[float]:
    """Return those of the start, which may be no depot, and of each stop."""
    pairs = zip(schedule.begins, schedule.services, strict=True)
    left = [begin + service for begin, service in pairs]
    return left if schedule.stops.start else [schedule.start, *left]
