"""What a route takes: its distance, its times, its cost.

For checks, costs and outputs. Kernels plan the times of routes with several
windows, breaks, hours of service or preferred windows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import add
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.timing import (
    Day,
    OwedBreak,
    Preference,
    TakenBreak,
    TimedStop,
    Window,
    breaks_at,
    first_windows,
    needs_rest,
    plan_times,
    window_of,
)
from ncc_routing.problems.values import NO_LIMIT, exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute


class DriverBreak(NamedTuple):
    """A break before a visit, and the share of the arc driven before it.

    ``number`` is -1 for a rest that hours of service need. ``place`` is that
    of the visit; an open end has the one after the last. ``distance`` is that
    driven since the visit before. The share of a past break is above 1 where
    the vehicle has gone on to a nearer stop since then.
    """

    number: int
    place: int
    begin: float
    duration: float
    share: float
    distance: float = 0.0


@dataclass(frozen=True)
class Schedule:
    """A route of a vehicle, and when it is where.

    The vehicle starts so that its route takes the shortest time, and as early
    as that allows; with preferred windows, so that its times cost least.
    ``visits`` are its nodes, from depot to depot; ``begins``,
    ``services`` (their durations, 0 at the end), ``waits`` and ``lateness``
    belong to these, ``legs`` are the distances between them; ``start`` and
    ``end`` are those of the vehicle. A late visit begins at the end of its
    window: such a route is infeasible. A route that has begun at known times
    keeps these, and nothing of what has happened is late. ``loads`` are what
    is on board after each visit, an entry for each load dimension. ``breaks``
    are no waits; a route that ``misses_break`` has no place for one, one that
    ``misses_rest`` none for those of its hours of service. ``cost``
    is the fixed cost, and unit costs times distance, duration, driving and
    overtime; infinite with a forbidden arc. ``driving`` is the sum of the
    durations of its arcs, whatever they took. ``stops`` are the places of its
    customers and reloads among the visits. ``services`` include ``setups``.
    ``is_late`` is whether a visit is, or the end of a route without a depot.
    ``window_cost`` is that of visits outside their preferred windows, a part
    of ``cost``; 0 where the route is infeasible.
    """

    visits: tuple[int, ...]
    start: float
    end: float
    begins: tuple[float, ...]
    services: tuple[float, ...]
    setups: tuple[float, ...]
    waits: tuple[float, ...]
    lateness: tuple[float, ...]
    legs: tuple[float, ...]
    distance: float
    duration: float
    driving: float
    loads: tuple[tuple[int, ...], ...]
    cost: float
    stops: slice
    breaks: tuple[DriverBreak, ...] = ()
    misses_break: bool = False
    misses_rest: bool = False
    window_cost: float = 0.0
    is_late: bool = False

    @property
    def load(self) -> int:
        """Largest load on board, in the first dimension."""
        return max(first for first, *_ in self.loads)


def arc_distances(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the distance of each arc for a profile; shapes broadcast."""
    if profile == 0:
        return instance.lengths(tails, heads)
    return np.asarray(instance.profiles[profile - 1].matrix[tails, heads])


def arc_durations(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the duration of each arc for a profile; shapes broadcast."""
    if profile == 0:
        return instance.travel_times(tails, heads)
    durations = instance.profiles[profile - 1].durations
    if durations is None:
        return arc_distances(instance, profile, tails, heads)
    return np.asarray(durations[tails, heads])


def arc_driving(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return what of the duration of each arc is driving; shapes broadcast."""
    own = None if profile == 0 else instance.profiles[profile - 1].driving
    if own is None:
        return arc_durations(instance, profile, tails, heads)
    return np.asarray(own[tails, heads])


def arc_lengths(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distance, the duration and the driving of each arc."""
    arcs = instance, profile, tails, heads
    distances = durations = arc_distances(*arcs)
    own = None if profile == 0 else instance.profiles[profile - 1]
    if instance.has_durations if own is None else own.durations is not None:
        durations = arc_durations(*arcs)
    if own is None or own.driving is None:
        return distances, durations, durations
    return distances, durations, arc_driving(*arcs)


def own_durations(instance: Instance, profile: int) -> np.ndarray | None:
    """Return all durations of a profile; ``None``: those of its distances."""
    if profile > 0:
        return instance.profiles[profile - 1].durations
    return instance.own_durations


def route_nodes(
    instance: Instance, route: Sequence[int], vehicle_type: int = 0
) -> tuple[int, ...]:
    """Return the nodes of a route, with the depots of its start and end.

    An open route has none there.
    """
    if instance.fleet is None:
        return (0, *route, 0)
    vehicle, depots = instance.fleet.types[vehicle_type], instance.depots
    start, end = (
        () if depot is None else (depots[depot],)
        for depot in (vehicle.start_depot, vehicle.end_depot)
    )
    return (*start, *route, *end)


def route_costs(
    instance: Instance,
    routes: Sequence[Sequence[int]],
    vehicle_types: Sequence[int],
) -> list[float]:
    """Return the cost of each route."""
    if instance.is_unlimited_cvrp:
        return [float(cost) for cost in instance.route_costs(routes)]
    driven = zip(routes, vehicle_types, strict=True)
    return [_route_cost(instance, *each) for each in driven]


def _route_cost(
    instance: Instance, route: Sequence[int], vehicle_type: int
) -> float:
    """Return the cost of a route, by its schedule only if time costs."""
    vehicle = instance.vehicle_types[vehicle_type]
    if (
        vehicle.unit_duration_cost
        or vehicle.unit_overtime_cost
        or vehicle.unit_driving_cost
        or (instance.windows and instance.windows.preferred is not None)
    ):
        return schedule_route(instance, route, vehicle_type).cost
    visits = np.array(route_nodes(instance, route, vehicle_type))
    tails, heads = visits[:-1], visits[1:]
    legs = arc_distances(instance, vehicle.profile, tails, heads)
    distance = sum(legs.tolist())
    if instance.has_forbidden_arcs:
        travel = arc_durations(instance, vehicle.profile, tails, heads).sum()
        if not math.isfinite(distance + travel):
            return math.inf
    return float(vehicle.fixed_cost + vehicle.unit_distance_cost * distance)


_SCHEDULES: Final[
    WeakKeyDictionary[Instance, dict[tuple[Any, ...], Schedule]]
] = WeakKeyDictionary()
_MOST_SCHEDULES: Final = 1_000


def schedule_route(
    instance: Instance,
    route: Sequence[int],
    vehicle_type: int = 0,
    *,
    has_open_ends: bool = False,
) -> Schedule:
    """Return the schedule of customers, in order, from depot to depot.

    A depot between them is a reload. Open routes begin or end with a customer;
    if it ``has_open_ends``, with the place nowhere of ``Instance.explicit``.
    Check, outputs and questions ask for the same ones: the last are kept.
    """
    known = _SCHEDULES.setdefault(instance, {})
    key = tuple(route), vehicle_type, has_open_ends
    schedule = known.get(key)
    if schedule is None:
        schedule = known[key] = _schedule(instance, *key)
        # Of a list, since other threads may add to them.
        for oldest in [*known][:-_MOST_SCHEDULES]:
            known.pop(oldest, None)
    return schedule


def _schedule(
    instance: Instance,
    route: Sequence[int],
    vehicle_type: int,
    has_open_ends: bool,
) -> Schedule:
    given_type = instance.vehicle_types[vehicle_type]
    explicit = instance.explicit
    vehicle = explicit.vehicle_types[vehicle_type]
    parts = measure_route(instance, route, vehicle_type)
    visits, legs, distance = parts.visits, parts.legs, sum(parts.legs)
    windows = explicit.windows or _always_open(len(explicit.demands))
    begun = instance.begun(route, vehicle_type)
    past = begun if begun is not None and begun.departures else None
    calls, had, lost = _calls_of(explicit, windows, parts, vehicle, past)
    loads = loads_on_board(explicit, visits, vehicle, begun)
    owed = _owed_breaks(vehicle, past, loads)
    times = _planned_times(calls, windows, visits, vehicle, owed, past)
    if past is not None:
        last = len(past.departures)
        calls.service[last] -= lost
        rested = past.rested_after(last - 1)
        if past.is_over and exceeds(lost, rested):  # it waits for a break
            times.waits[-1] += lost - rested
    begins, lateness = times.begins, times.lateness
    # An open route has no stop nowhere.
    has_start = has_open_ends or given_type.start_depot is not None
    has_end = has_open_ends or given_type.end_depot is not None
    first, last = int(not has_start), len(visits) - (not has_end)
    return Schedule(
        visits=tuple(visits.tolist()[first:last]),
        start=times.start,
        end=begins[-1],
        begins=tuple(begins[1:][first:last]),
        services=tuple(calls.service[1:][first:last]),
        setups=tuple(parts.setups[first:last]),
        waits=tuple(times.waits[1:][first:last]),
        lateness=(max(lateness[0], lateness[1]), *lateness[2:])[first:last],
        legs=tuple(legs[first : last - 1]),
        distance=distance,
        duration=times.duration,
        driving=parts.driving,
        loads=loads[first:last],
        cost=_cost_of(vehicle, distance, parts.driving, times),
        breaks=tuple(
            one._replace(place=one.place - first)
            for one in (
                *had,
                *(
                    one._replace(distance=one.share * legs[one.place - 1])
                    for one in times.breaks
                ),
            )
        ),
        misses_break=times.misses_break,
        misses_rest=times.misses_rest,
        window_cost=times.window_cost,
        is_late=any(
            exceeds(begin + more, begin)
            for begin, more in zip(begins, lateness, strict=True)
        ),
        stops=slice(
            1 - first, last - first - (given_type.end_depot is not None)
        ),
    )


def _calls_of(
    instance: Instance,
    windows: TimeWindows,
    parts: RouteParts,
    vehicle: VehicleType,
    past: InProgressRoute | None,
) -> tuple[_Calls, list[DriverBreak], float]:
    """Return the stops of a route, the breaks had, and what they took.

    The latter is the time after the last departure that is known, as of
    ``_Calls.set_done``.
    """
    visits = parts.visits
    # The start of the vehicle comes before that of the work at its depot.
    stops = np.append(visits[0], visits)
    calls = _Calls(
        early=[0, *windows.tw_early[visits].tolist()],
        late=windows.tw_late[stops].tolist(),
        service=[0, *map(add, parts.services, parts.setups)],
        travel=[0, 0, *parts.travel],
        breaks=[() for _ in stops],
    )
    trips = _trips(instance, visits)
    num_done = len(past.departures) if past else 0
    releases = windows.release_times[visits]
    releases[:num_done] = 0
    for trip in trips:
        if past is not None and trip.start > 0 and _has_left(past, trip.start):
            continue  # with what was there
        # No trip starts before all of its goods are there.
        release = int(releases[trip].max())
        first = trip.start and trip.start + 1
        calls.early[first] = max(calls.early[first], release)
    calls.early[0] = max(vehicle.tw_early, calls.early[0])
    calls.late[0] = vehicle.start_late
    calls.early[-1] = max(calls.early[-1], vehicle.tw_early)
    calls.late[-1] = min(calls.late[-1], vehicle.tw_late)
    calls.service[0] = calls.service[-1] = 0
    if past is None:
        return calls, [], 0.0
    current = next(t for t in trips if num_done <= t.stop)
    release = int(releases[current].max())
    lost = calls.set_done(past, current.start, release, parts.legs)
    return calls, list(calls.breaks_had(past, lost, parts.legs)), lost


def _planned_times(
    calls: _Calls,
    windows: TimeWindows,
    visits: np.ndarray,
    vehicle: VehicleType,
    owed: Sequence[OwedBreak],
    past: InProgressRoute | None,
) -> _Times:
    """Return the times of a route that cost least, or last least."""
    hours, is_priced = vehicle.hours, windows.preferred is not None
    is_special = windows.windows is not None or hours is not None or owed
    if not is_special and not is_priced:
        return calls.shortest_times()
    first = 1 + (len(past.departures) if past else 0)
    stops = calls.stops_with(windows, np.append(visits[0], visits), first)
    if is_priced:
        start = calls.early[0], calls.late[0]
        day = plan_times(start, stops[1:], owed, paid_by=vehicle)
        if day is not None:
            return calls.priced_times(day, stops, owed)
    so_far = past.hours_so_far if past else HoursSoFar()
    misses_rest = False
    if hours is not None and needs_rest(hours, stops[first:], so_far):
        ready = calls.ends_before(first)
        day = plan_times(ready, stops[first:], owed, first, hours, so_far)
        if day is not None:
            return calls.times_of(day)
        misses_rest = True
    is_kept = not is_special or calls.choose_windows(stops, owed)
    return calls.shortest_times()._replace(
        misses_break=bool(owed) and not is_kept, misses_rest=misses_rest
    )


def _cost_of(
    vehicle: VehicleType, distance: float, driving: float, times: _Times
) -> float:
    """Return the cost of a route, infinite with a forbidden arc."""
    if not math.isfinite(distance + times.duration):
        return math.inf  # whatever its unit cost is
    cost: float = vehicle.fixed_cost + vehicle.unit_distance_cost * distance
    paid = times.duration - vehicle.unpaid_duration
    cost += vehicle.unit_duration_cost * paid
    cost += vehicle.unit_driving_cost * driving
    overtime = max(0, times.duration - vehicle.shift_duration)
    return cost + vehicle.unit_overtime_cost * overtime + times.window_cost


class RouteParts(NamedTuple):
    """What the arcs and the visits of a route take.

    ``visits`` are nodes of ``Instance.explicit``, with both ends; ``services``
    do not include ``setups``.
    """

    visits: np.ndarray
    legs: list[float]
    travel: list[float]
    driving: float
    services: list[float]
    setups: list[float]


def measure_route(
    instance: Instance, route: Sequence[int], vehicle_type: int
) -> RouteParts:
    """Return what the arcs and the visits of a route take."""
    given = instance.vehicle_types[vehicle_type]
    explicit = instance.explicit
    visits = np.array(route_nodes(explicit, route, vehicle_type))
    profile = explicit.vehicle_types[vehicle_type].profile
    arcs = (explicit, profile, visits[:-1], visits[1:])
    legs, durations, travel = (each.tolist() for each in arc_lengths(*arcs))
    driving = sum(travel)
    if explicit is instance:  # there may be work in the arcs
        travel = durations
    services, setups = (
        np.append(each, 0)[visits].tolist() for each in instance.work_of(given)
    )
    setups[0] = 0
    # Nobody is at an open start, and no work at an open end.
    first = int(given.start_depot is None)
    last = len(visits) - (given.end_depot is None)
    way = visits[first:last]
    places = instance.place_of[way].tolist() if any(setups) else []
    for stop, (before, place) in enumerate(pairwise(places), start=1 + first):
        if before == place:
            setups[stop] = 0
    return RouteParts(visits, legs, travel, driving, services, setups)


def _owed_breaks(
    vehicle_type: VehicleType,
    past: InProgressRoute | None,
    loads: Sequence[tuple[int, ...]],
) -> list[OwedBreak]:
    """Return the breaks that a route still has, and where they may be.

    Places are those of ``_Calls``: none lies before the work at the depot.
    """
    taken = past.breaks_had if past else ()
    first = max(2, 1 + len(past.departures)) if past else 2
    return [
        OwedBreak(
            number,
            one.duration,
            one.windows,
            [
                stop >= first
                and all(
                    load <= most
                    for load, most in zip(
                        loads[stop - 2], one.max_load or (), strict=False
                    )
                )
                for stop in range(len(loads) + 1)
            ],
        )
        for number, one in enumerate(vehicle_type.breaks)
        if number not in taken
    ]


def departures_of(
    one: InProgressRoute,
    travel: Sequence[float],
    service: Sequence[float],
    early: Sequence[float],
) -> tuple[float, list[float]]:
    """Return when an in-progress route started, and all of its departures.

    Before the first known one nobody waited. After it, an unknown one follows
    from ``travel`` to the stop (0 to the depot), the opening (``early``),
    breaks and the service, but is no later than the next known one. A break
    after the last stop delays the last one.
    """
    known = one.departures
    steps = [sum(pair) for pair in zip(travel, service, strict=True)]
    spent = list(accumulate(steps))
    first, left = next(
        (stop, departure)
        for stop, departure in enumerate(known)
        if departure is not None
    )
    start = max(0, left - spent[first])
    departures = [min(left, start + time) for time in spent[:first]]
    for stop in range(first, len(known)):
        there = one.is_there(stop - 1, left + travel[stop])
        begin = max(there, early[stop])
        stated = [time for time in known[stop:] if time is not None]
        latest = min([begin + service[stop], *stated[:1]])
        left = latest if known[stop] is None else stated[0]
        departures.append(left)
    departures[-1] += one.rested_after(len(known) - 1)
    return start, departures


def _has_left(one: InProgressRoute, place: int) -> bool:
    """Whether a vehicle has left a place of its route."""
    last = len(one.departures) - 1
    return place < last or (place == last and one.departures[last] is not None)


def _lost_on_the_way(
    one: InProgressRoute, leave: float, travel: float, leg: float
) -> float:
    """Return how long breaks, waits and delays after the last stop take."""
    last, driven = len(one.departures) - 1, 0.0
    now = leave + one.delay_after(last)
    distances = one.break_distances or [leg for _ in one.breaks_taken]
    for (_, place, begin, duration), far in zip(
        one.breaks_taken, distances, strict=True
    ):
        if place == last:
            share = min(1.0, far / leg) if leg > 0 else 1.0
            now = max(now + share * travel - driven, begin or 0) + duration
            driven = share * travel
    return now - driven - leave


def _trips(instance: Instance, visits: np.ndarray) -> list[slice]:
    """Return the places of each trip: its depot, and the stops after it."""
    depots, between = set(instance.depots), visits[1:-1].tolist()
    reloads = (k for k, node in enumerate(between, 1) if node in depots)
    starts = [0, *reloads]
    ends = [*starts[1:], len(visits) - 1]
    return list(map(slice, starts, ends))


def loads_on_board(
    instance: Instance,
    visits: np.ndarray,
    vehicle_type: VehicleType,
    begun: InProgressRoute | None = None,
) -> tuple[tuple[int, ...], ...]:
    """Return what is on board after each visit, nothing at the end.

    What is on board a route that has ``begun`` stays there until the next
    depot.
    """
    num_dimensions = instance.num_load_dimensions
    loads = np.zeros((len(visits), num_dimensions), dtype=int)
    for number, trip in enumerate(_trips(instance, visits)):
        stops = goods = visits[trip]
        loads[trip] = np.cumsum(instance.load_changes[stops], axis=0)
        if begun is not None and number <= len(begun.reloads):
            loads[trip] += begun.goods_of(number, num_dimensions)
            if number == len(begun.reloads):
                goods = np.union1d(stops, begun.on_board).astype(int)
        loads[trip] += instance.deliveries[goods].sum(axis=0)
        if number == 0 and vehicle_type.initial_load:
            loads[trip] += vehicle_type.initial_load
    return tuple(map(tuple, loads.tolist()))


def _preference_of(windows: TimeWindows, node: int) -> Preference:
    """Return what a node prefers; nobody prefers nowhere."""
    if windows.preferred is None or node >= windows.num_nodes:
        return Preference()
    early, late = windows.preferred[node].tolist()
    costs = windows.early_costs, windows.late_costs
    each = (0.0 if own is None else float(own[node]) for own in costs)
    return Preference(early, late, *each)


@lru_cache(maxsize=1)
def _always_open(num_nodes: int) -> TimeWindows:
    """Return no windows; kept, since every route of an instance asks."""
    return TimeWindows.of(num_nodes)


class _Times(NamedTuple):
    """When a route starts, each service begins, and what is before it."""

    start: float
    begins: list[float]
    waits: list[float]
    lateness: list[float]
    breaks: list[DriverBreak]
    duration: float
    window_cost: float = 0.0
    misses_break: bool = False
    misses_rest: bool = False


class _Calls(NamedTuple):
    """The stops of a route: window, service, and the travel to each."""

    early: list[float]
    late: list[float]
    service: list[float]
    travel: list[float]
    breaks: list[tuple[TakenBreak, ...]]

    def stops_with(
        self, windows: TimeWindows, nodes: np.ndarray, num_done: int
    ) -> list[TimedStop]:
        """Return the stops with all of their windows.

        Those of the past begin when they did, where that has a price.
        """
        stops = []
        has_prices = windows.preferred is not None
        for stop, node in enumerate(nodes.tolist()):
            ends = (self.early[stop], self.late[stop])
            own: Sequence[Window] = [ends]
            if stop >= num_done and windows.has_several[node]:
                own = windows.windows_of(node)
            elif has_prices and 0 < stop < num_done:
                own = [(ends[0],) * 2]
            one = TimedStop(own, self.service[stop], self.travel[stop])
            if has_prices:
                one = one._replace(preference=_preference_of(windows, node))
            stops.append(one)
        return stops

    def choose_windows(
        self, stops: Sequence[TimedStop], owed: Sequence[OwedBreak]
    ) -> bool:
        """Let each stop have one of its windows, and the breaks their places.

        Returns whether that is possible.
        """
        start = self.early[0], self.late[0]
        day = plan_times(start, stops[1:], owed)
        if day is None:
            chosen = first_windows(start[0], stops)
        else:
            begins = [day.start, *day.begins]
            chosen = [
                window_of(begin, stop.windows)
                for stop, begin in zip(stops, begins, strict=True)
            ]
            self.breaks[:] = breaks_at(day, owed, len(stops))
        self.early[:], self.late[:] = map(list, zip(*chosen, strict=True))
        return day is not None

    def set_done(
        self,
        one: InProgressRoute,
        begin: int,
        release: int,
        legs: Sequence[float],
    ) -> float:
        """Let the depot and the first stops be as they were.

        Goods of others that came later, at ``release``, are not on board of
        the trip that began at stop ``begin``, unless it is still there. Breaks
        and delays count as travel, those after the last stop as its service;
        these are returned.
        """
        departures = one.departures
        done = slice(1, 1 + len(departures))
        start, left = departures_of(
            one, self.travel[done], self.service[done], self.early[done]
        )
        last = len(left) - 1
        lost = one.rested_after(last)
        if one.is_over:
            way = self.travel[len(left) + 1]
            lost = _lost_on_the_way(one, left[-1] - lost, way, legs[last])
            left[-1] += lost - one.rested_after(last)
        self.service[len(left)] += lost
        self.early[0] = self.late[0] = start
        now = start
        for stop, departure in enumerate(left, start=1):
            # A driver who was quicker than planned shortened the service.
            self.early[stop] = max(now, departure - self.service[stop])
            self.service[stop] = departure - self.early[stop]
            self.late[stop] = NO_LIMIT
            # It waited, or was quicker than the arcs say.
            travel = self.travel[stop] + one.rested_after(stop - 2)
            self.travel[stop] = min(travel, self.early[stop] - now)
            now = departure
        if begin == 0:
            self.early[0] = max(start, release)
        elif _has_left(one, begin):
            self.late[1 + begin] = self.early[1 + begin]
            self.early[1 + begin] = max(self.early[1 + begin], release)
        return lost

    def breaks_had(
        self, one: InProgressRoute, lost: float, legs: Sequence[float]
    ) -> Iterator[DriverBreak]:
        """Yield the breaks of the past; ``lost`` is of ``set_done``."""
        distances = dict(enumerate(one.break_distances))
        last, rested = len(one.departures) - 1, 0.0
        for idx, (number, place, begin, duration) in enumerate(
            one.breaks_taken
        ):
            if idx == 0 or one.breaks_taken[idx - 1][1] != place:
                rested = 0.0
            leave, travel = self.early[1 + place], self.travel[2 + place]
            leave += self.service[1 + place]
            if place == last:
                leave = self.early[1 + place] + self.service[1 + place] - lost
            else:
                travel = max(0, travel - one.rested_after(place))
            if begin is None:
                begin = leave + rested
            driven = min(travel, max(0, begin - leave - rested))
            share = driven / travel if travel > 0 else 1.0
            far = distances.get(idx, share * legs[place])
            if legs[place] > 0:
                share = far / legs[place]
            yield DriverBreak(number, 1 + place, begin, duration, share, far)
            rested += duration

    def follow(
        self, start: float
    ) -> tuple[list[float], list[float], list[float]]:
        """Return when each service begins, each wait, and each lateness."""
        begins, waits, lateness = [], [], []
        now = start
        for early, late, service, travel, breaks in zip(*self, strict=True):
            leave, arrival = now, now + travel
            for own in breaks:
                now = min(max(now, own.early), own.late) + own.duration
                arrival = max(arrival + own.duration, now)
            ready = max(arrival, early)
            begin, wait = min(ready, late), early - arrival
            if breaks:
                rested = sum(own.duration for own in breaks)
                wait = begin - leave - travel - rested
            waits.append(max(0, wait))
            lateness.append(max(0, ready - late))
            begins.append(begin)
            now = begin + service
        return begins, waits, lateness

    def waits_before(self, begins: Sequence[float]) -> list[float]:
        """Return the wait before each service, by when they begin."""
        ready = [begins[0], *map(add, begins, self.service)]
        rested = [sum(one.duration for one in own) for own in self.breaks]
        return [
            max(0, begin - last - travel - rest)
            for begin, last, travel, rest in zip(
                begins, ready, self.travel, rested, strict=False
            )
        ]

    def breaks_taken(self, begins: Sequence[float]) -> Iterator[DriverBreak]:
        """Yield the breaks between some begins."""
        if not any(self.breaks):
            return
        leave = begins[0]
        for stop, (breaks, travel) in enumerate(
            zip(self.breaks, self.travel, strict=True)
        ):
            now, rested = leave, 0.0
            for own in breaks:
                begin = max(now, own.early)
                driven = min(travel, max(0, begin - leave - rested))
                share = driven / travel if travel > 0 else 1.0
                yield DriverBreak(
                    own.number, stop - 1, begin, own.duration, share
                )
                now, rested = begin + own.duration, rested + own.duration
            leave = begins[stop] + self.service[stop]

    def ends_before(self, first: int) -> Window:
        """Return when a vehicle is ready for the stops from one on.

        The start alone may be open; the others have known times.
        """
        if first == 1:
            return self.early[0], self.late[0]
        ready = self.early[first - 1] + self.service[first - 1]
        return ready, ready

    def times_of(self, day: Day) -> _Times:
        """Return the times of a route whose last stops are those of a day."""
        first = len(self.travel) - len(day.begins)
        start = day.start if first == 1 else self.early[0]
        done = [each[:first] for each in self.follow(start)]
        rested = [0.0] * len(day.begins)
        for rest in day.rests:
            rested[rest.stop] += rest.duration
        now, waits = day.start, list[float]()
        each = zip(
            *(day.begins, self.travel[first:], rested, self.service[first:]),
            strict=True,
        )
        for begin, travel, rest_time, service in each:
            waits.append(max(0, begin - now - travel - rest_time))
            now = begin + service
        return _Times(
            start,
            [*done[0], *day.begins],
            [*done[1], *waits],
            [*done[2], *[0] * len(day.begins)],
            [
                DriverBreak(*rest._replace(stop=rest.stop + first - 1))
                for rest in day.rests
            ],
            day.begins[-1] - start,
        )

    def priced_times(
        self,
        day: Day,
        stops: Sequence[TimedStop],
        owed: Sequence[OwedBreak],
    ) -> _Times:
        """Return the times of a day, and what they cost by preferences."""
        begins = [day.start, *day.begins]
        self.breaks[:] = breaks_at(day, owed, len(begins))
        return _Times(
            day.start,
            begins,
            self.waits_before(begins),
            [0] * len(begins),
            list(self.breaks_taken(begins)),
            begins[-1] - day.start,
            sum(
                stop.preference.price(begin)
                for stop, begin in zip(stops, begins, strict=True)
            ),
        )

    def shortest_times(self) -> _Times:
        """Return the shortest times, as early as that allows."""
        first = self.early[0]
        begins, waits, lateness = self.follow(first)
        latest = max(first, self.latest_start())
        least = sum(self.travel) + sum(self.service)
        least += sum(one.duration for own in self.breaks for one in own)
        duration = max(begins[-1] - latest, least)
        start = max(first, begins[-1] - duration)
        if start > first:
            begins, waits, lateness = self.follow(start)
        breaks = list(self.breaks_taken(begins))
        return _Times(start, begins, waits, lateness, breaks, duration)

    def latest_start(self) -> float:
        latest = math.inf
        after = zip(*(each[::-1] for each in self), strict=True)
        for _, late, service, travel, breaks in after:
            latest = min(late, latest - service)
            latest -= travel
            for own in breaks[::-1]:
                latest = min(latest - own.duration, own.late)
        return latest
