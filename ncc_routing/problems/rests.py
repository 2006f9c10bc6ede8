"""Schedules of drivers with hours of service."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems.values import NO_LIMIT, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.hours_of_service import (
        HoursOfService,
        HoursSoFar,
    )
    from ncc_routing.problems.shifts import OwedBreak, ShiftStop, Window


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
    hours: HoursOfService, stops: Sequence[ShiftStop], so_far: HoursSoFar
) -> bool:
    """Whether a driver has to rest on a route, or what is left of it."""
    driving = sum(stop.travel for stop in stops)
    work = driving + sum(stop.service for stop in stops)
    compiled = compiled_hours(hours, are_whole=_are_whole(stops))
    return compiled.needs_rest(driving, work, compiled_so_far(so_far))


def plan_day(
    hours: HoursOfService,
    start: Window,
    stops: Sequence[ShiftStop],
    owed: Sequence[OwedBreak],
    first: int,
    so_far: HoursSoFar,
) -> Day | None:
    """Return the shortest day, as early as that allows; ``None`` for none.

    ``start`` is the earliest and the latest one; the last stop is the end, and
    the first one has the place ``first``.
    """
    are_whole = _are_whole(stops)
    windows = [pair for stop in stops for pair in stop.windows]
    early, late = compiled_windows(windows, are_whole=are_whole)
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
        so_far=compiled_so_far(so_far),
    )
    if not begins:
        return None
    numbers = [one.number for one in owed]
    taken = [
        Rest(numbers[number] if number >= 0 else -1, stop, *times)
        for number, stop, *times in rests
    ]
    return Day(begin, begins, taken)


def _are_whole(stops: Sequence[ShiftStop]) -> bool:
    return all(
        float(stop.travel).is_integer() and float(stop.service).is_integer()
        for stop in stops
    )
