"""What a driver has done on the part of a route that is behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.problems.routes._following import DRIVE, IDLE, SERVE, Activity
from ncc_routing.problems.routes._hours_checks import hours_after

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.hours_of_service import (
        HoursOfService,
        HoursSoFar,
    )
    from ncc_routing.problems.routes.schedules import DriverBreak


class DrivenStop(NamedTuple):
    """A stop: when its driver left the one before, and the rests between."""

    left: float
    travel: float
    rests: Sequence[DriverBreak]
    begin: float
    departure: float


def so_far_after(
    hours: HoursOfService,
    before: HoursSoFar,
    stops: Sequence[DrivenStop],
) -> HoursSoFar:
    """Return what a driver has done after some more stops.

    Time on the way that is neither driving nor a rest is spent at the stop.
    """
    day = []
    for stop in stops:
        now, driven = stop.left, 0.0
        rested = sum(rest.duration for rest in stop.rests)
        travel = max(0.0, min(stop.travel, stop.begin - now - rested))
        for rest in stop.rests:
            far = rest.share * travel
            day.append(Activity(DRIVE, far - driven))
            now, driven = now + far - driven, far
            end = max(now, rest.begin) + rest.duration
            day.append(Activity(IDLE, end - now))
            now = end
        day.append(Activity(DRIVE, travel - driven))
        now += travel - driven
        day.append(Activity(IDLE, max(0.0, stop.begin - now)))
        day.append(Activity(SERVE, stop.departure - stop.begin))
    return hours_after(hours, day, before)
