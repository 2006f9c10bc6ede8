"""Whether a driver's day keeps the hours of service."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.routes._following import DRIVE, IDLE, SERVE, Activity
from ncc_routing.problems.values import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.hours_of_service import HoursOfService


@dataclass
class _Driver:
    """How long a driver has driven and worked since the last rests."""

    hours: HoursOfService
    driven: float
    worked: float
    has_first: bool
    rested: float
    done: float  # work in all

    @classmethod
    def of(cls, hours: HoursOfService, so_far: HoursSoFar) -> _Driver:
        """Return one who may have driven and worked too long before."""
        return cls(
            hours,
            min(so_far.driven, hours.driving_block),
            min(so_far.worked, hours.work_block),
            so_far.has_first_part,
            so_far.rested,
            so_far.work,
        )

    def do(self, one: Activity) -> None:
        if one.kind == IDLE:
            if self.done > 0 or self.hours.service_counts:
                self.rest(one.duration + 1e-9 * one.duration)
            return
        self.done += one.duration
        self.worked += one.duration
        self.driven += one.duration if one.kind == DRIVE else 0

    def rest(self, duration: float) -> None:
        hours = self.hours
        if duration >= hours.rest or (
            self.has_first and duration >= hours.second_part
        ):
            self.driven, self.has_first = 0.0, False
        elif 0 < hours.first_part <= duration:
            self.has_first = True
        if duration >= hours.least_rest:
            self.worked = 0.0
            self.rested += duration


def broken_hours(
    hours: HoursOfService, day: Sequence[Activity], so_far: HoursSoFar
) -> tuple[str, dict[str, float]] | None:
    """Return the rule that a day breaks first, and its values."""
    ahead = sum(one.duration for one in day if one.kind != IDLE)
    if ahead == 0:
        return None  # nobody rests before nothing
    work = so_far.work + ahead
    driver = _Driver.of(hours, so_far)
    for one in _merged(day, hours.service_counts):
        if one.kind == IDLE and driver.done >= work:
            continue
        driver.do(one)
        if one.kind == IDLE:
            continue
        for what, value, limit, rest in (
            ("", driver.driven, hours.driving_block, hours.rest),
            ("work", driver.worked, hours.work_block, hours.least_rest),
        ):
            if exceeds(value, limit):
                return what, {"value": value, "limit": limit, "rest": rest}
    totals = (rest for most, rest in hours.rest_in_all if exceeds(work, most))
    needed = max(totals, default=0)
    if exceeds(needed, driver.rested * (1 + 1e-9)):
        values = {"value": driver.rested, "limit": needed, "work": work}
        return "in_all", values
    return None


def hours_after(
    hours: HoursOfService, day: Sequence[Activity], so_far: HoursSoFar
) -> HoursSoFar:
    """Return what a driver has done after a part of a day that goes on."""
    driver = _Driver.of(hours, so_far)
    for one in _merged((*day, Activity(DRIVE, 1.0)), hours.service_counts):
        last = replace(driver)
        driver.do(one)
    return HoursSoFar(
        driven=last.driven,
        worked=last.worked,
        work=last.done,
        rested=last.rested,
        has_first_part=last.has_first,
    )


def _merged(
    day: Sequence[Activity], service_counts: bool
) -> Iterator[Activity]:
    """Yield drives, services and the rests between, each in one piece."""
    idle = 0.0
    for kind, duration in day:
        if kind == IDLE or (kind == SERVE and service_counts):
            idle += duration
        elif kind == SERVE or duration > 0:
            yield Activity(IDLE, idle)
            yield Activity(kind, duration)
            idle = 0.0
