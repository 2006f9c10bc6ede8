"""When a vehicle is where: windows, breaks and rests of its stops."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.values import NO_LIMIT, exceeds, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.hours_of_service import HoursOfService

Window = tuple[float, float]


class OwedBreak(NamedTuple):
    """A break: its number, length, when it may begin, before which stops."""

    number: int
    duration: float
    windows: Sequence[Window]
    may_precede: Sequence[bool]


class TakenBreak(NamedTuple):
    """A break in one of its windows, and its number."""

    early: float
    late: float
    duration: float
    number: int


class Preference(NamedTuple):
    """When a service should begin, and the prices of time before and after."""

    early: float = 0.0
    late: float = NO_LIMIT
    early_cost: float = 0.0
    late_cost: float = 0.0

    def price(self, begin: float) -> float:
        """Return what it costs to begin at a time."""
        before, after = max(0, self.early - begin), max(0, begin - self.late)
        return self.early_cost * before + self.late_cost * after


class TimedStop(NamedTuple):
    """A stop: its windows in their order, its service, the travel to it."""

    windows: Sequence[Window]
    service: float
    travel: float
    preference: Preference = Preference()


class Rest(NamedTuple):
    """A rest before a stop, or a break by its number, which is -1 of others.

    ``share`` is that of the arc before the stop which is driven first.
    """

    number: int
    stop: int
    begin: float
    duration: float
    share: float


class Day(NamedTuple):
    """When a route starts, each service begins, and the driver rests."""

    start: float
    begins: list[float]
    rests: list[Rest]


@lru_cache(maxsize=16)
def compiled_hours(
    hours: HoursOfService | None, *, are_whole: bool
) -> kernels.Hours:
    """Return hours of service as the kernels see them."""
    if hours is None:
        return kernels.Hours()

    def most(limit: float) -> float:
        if limit >= NO_LIMIT:
            return np.inf
        return limit if are_whole else float(widened(np.array(limit)))

    return kernels.Hours(
        driving_block=most(hours.driving_block),
        rest=hours.rest,
        first_part=hours.first_part,
        second_part=hours.second_part,
        service_counts=hours.service_counts,
        work_block=most(hours.work_block),
        least_rest=hours.least_rest,
        work_of_rests=[most(work) for work, _ in hours.rest_in_all],
        rests_in_all=[rest for _, rest in hours.rest_in_all],
    )


def compiled_windows(
    pairs: Sequence[Window], *, are_whole: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return openings, and what arrivals are compared with."""
    ends = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    late = np.where(ends[:, 1] >= NO_LIMIT, np.inf, ends[:, 1])
    return ends[:, 0].copy(), late if are_whole else widened(late)


def compiled_break(
    duration: float,
    windows: Sequence[Window],
    most_load: Sequence[int] = (),
    *,
    are_whole: bool,
) -> kernels.Break:
    """Return a break as the kernels see it."""
    early, limit = compiled_windows(windows, are_whole=are_whole)
    return kernels.Break(
        duration=duration,
        early=early,
        limit=limit,
        most_load=list(most_load),
    )


def compiled_so_far(so_far: HoursSoFar) -> kernels.HoursSoFar:
    """Return what a driver has done as the kernels see it."""
    return kernels.HoursSoFar(
        driven=so_far.driven,
        worked=so_far.worked,
        work=so_far.work,
        rested=so_far.rested,
        has_first=so_far.has_first_part,
    )


def needs_rest(
    hours: HoursOfService, stops: Sequence[TimedStop], so_far: HoursSoFar
) -> bool:
    """Whether a driver has to rest on a route, or what is left of it."""
    driving = sum(stop.travel for stop in stops)
    work = driving + sum(stop.service for stop in stops)
    compiled = compiled_hours(hours, are_whole=_are_whole(stops))
    return compiled.needs_rest(driving, work, compiled_so_far(so_far))


def plan_times(
    start: Window,
    stops: Sequence[TimedStop],
    owed: Sequence[OwedBreak],
    first: int = 1,
    hours: HoursOfService | None = None,
    so_far: HoursSoFar | None = None,
    paid_by: VehicleType | None = None,
) -> Day | None:
    """Return the shortest day, as early as that allows; ``None`` for none.

    Or the one of least cost, where it is ``paid_by`` a vehicle: of the
    duration and of visits outside what the stops prefer. Of equal costs the
    least duration counts, and then the earliest end.

    ``start`` is the earliest and the latest one; the last stop is the end, and
    the first one has the place ``first``.

    References
    ----------
    Goel (2012), EURO Journal on Transportation and Logistics 1(4), 285: hours
    of service. Vidal, Crainic, Gendreau and Prins (2015), Networks 65(2), 102:
    prices.
    """
    travel = sum(stop.travel for stop in stops)
    if exceeds(*start) or not math.isfinite(travel):
        return None
    # What is priced is at the very ends of windows.
    are_whole = paid_by is not None or _are_whole(stops)
    early, late = compiled_windows(
        [pair for stop in stops for pair in stop.windows], are_whole=are_whole
    )
    prices = {} if paid_by is None else _prices(stops, paid_by)
    begin, begins, rests = kernels.plan_day(
        hours=compiled_hours(hours, are_whole=are_whole),
        breaks=[
            compiled_break(one.duration, one.windows, are_whole=are_whole)
            for one in owed
        ],
        early=start[0],
        late=start[1] if start[1] < NO_LIMIT else np.inf,
        first_window=np.cumsum([0, *(len(s.windows) for s in stops)]).tolist(),
        open=early,
        close=late,
        service=np.array([stop.service for stop in stops], dtype=np.float64),
        travel=np.array([stop.travel for stop in stops], dtype=np.float64),
        breaks_before=[
            sum(one.may_precede[place] << bit for bit, one in enumerate(owed))
            for place in range(first, first + len(stops))
        ],
        so_far=compiled_so_far(so_far or HoursSoFar()),
        **prices,
    )
    if not begins:
        return None
    numbers = [one.number for one in owed]
    taken = [
        Rest(numbers[number] if number >= 0 else -1, stop, *times)
        for number, stop, *times in rests
    ]
    return Day(begin, begins, taken)


def _prices(
    stops: Sequence[TimedStop], vehicle: VehicleType
) -> dict[str, Any]:
    """Return what the kernel takes of preferences, and of a vehicle."""
    each = np.array([stop.preference for stop in stops], dtype=np.float64)
    named = dict(zip(Preference._fields, each.T.copy(), strict=True))
    limits = vehicle.shift_duration, vehicle.max_duration
    ends = [float(e) if e < NO_LIMIT else np.inf for e in limits]
    return {
        "preferred": kernels.PreferredWindows(**named),
        "duration_cost": float(vehicle.unit_duration_cost),
        "overtime_cost": float(vehicle.unit_overtime_cost),
        "regular_duration": ends[0],
        "max_duration": ends[1],
    }


def breaks_at(
    day: Day, owed: Sequence[OwedBreak], num_stops: int
) -> list[tuple[TakenBreak, ...]]:
    """Return the breaks on the way to each stop, in their windows."""
    by_number = {one.number: one for one in owed}
    found: list[tuple[TakenBreak, ...]] = [()] * num_stops
    for rest in day.rests:
        if rest.number < 0:  # a wait, as short as sums are rounded by
            continue
        window = window_of(rest.begin, by_number[rest.number].windows)
        taken = TakenBreak(*window, rest.duration, rest.number)
        found[rest.stop + num_stops - len(day.begins)] += (taken,)
    return found


def window_of(time: float, windows: Sequence[Window]) -> Window:
    """Return the first window that a time does not exceed, or the last."""
    return next((w for w in windows if not exceeds(time, w[1])), windows[-1])


def first_windows(start: float, stops: Sequence[TimedStop]) -> list[Window]:
    """Return the first window of each stop that is open, or else the last."""
    chosen = []
    now = start
    for stop in stops:
        now += stop.travel
        early, late = window_of(now, stop.windows)
        now = min(max(now, early), late) + stop.service
        chosen.append((early, late))
    return chosen


def _are_whole(stops: Sequence[TimedStop]) -> bool:
    return all(
        float(stop.travel).is_integer() and float(stop.service).is_integer()
        for stop in stops
    )
