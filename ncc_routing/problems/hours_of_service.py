"""Rules on driving times and rests of drivers within one day."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.declared import (
    Declared,
    declared,
    flag,
    number,
    whole,
)
from ncc_routing.problems.values import NO_LIMIT, whole_tuple

_SOURCE: Final = "hours of service"
_HOUR: Final = 3600
_MINUTE: Final = 60

_REQUEST: Final = re.compile(
    r"\s*(\d+(?:\.\d+)?)\s*h(?:ours?)?\s+(driving|span)\s*", re.IGNORECASE
)
"""What a text says beside the name of the rules: 10 h driving, 15 h span."""


def _pairs(source: str, name: str, given: Any) -> tuple[tuple[int, int], ...]:
    rule = "must be pairs of a work and a rest"
    if not isinstance(given, list | tuple):
        raise InstanceError(source, name, rule)
    pairs = [whole_tuple(source, name, pair) for pair in given]
    if any(len(pair) != 2 for pair in pairs):
        raise InstanceError(source, name, rule)
    return tuple((work, rest) for work, rest in pairs)


@dataclass(frozen=True, kw_only=True)
class HoursOfService(Declared):
    """Limits on the driving and the work of a route, and rests between them.

    A rest is time between two services in which the driver neither drives
    nor serves: waiting, breaks, and what the schedule adds. It counts as the
    longest of the rests below that it reaches, and only with work before and
    after it. It may interrupt an arc, but no service. Work is driving and
    service.

    Parameters
    ----------
    max_driving
        Longest driving time of a route. Default: no limit.
    max_span
        Longest duration of a route. Default: no limit.
    driving_block
        Longest driving time without a ``rest``. Default: no limit.
    rest
        Length of such a rest, at least 1.
    first_part, second_part
        Lengths of two rests that count as one, the first before the second.
        Default 0 each: a rest has no parts.
    service_counts
        Whether service counts as rest: a whole stay at one stop does, from
        arrival to departure. Default ``False``.
    work_block
        Longest work without a rest of ``least_rest``. Default: no limit.
    least_rest
        Length of such a rest. Default: ``first_part``, or ``rest``.
    rest_in_all
        Pairs of a work and a rest: a route of more work has rests of at least
        so much in all, each at least ``least_rest``. Default: none.
    in_seconds
        Whether all of these are seconds: an instance must then have times of
        a known unit. Default ``False``: they are in its unit.

    Raises
    ------
    InstanceError
        If a number is negative or no whole number, a rest is missing, or
        service counts beside parts of rests, or rests of work.
    """

    max_driving: int = whole(NO_LIMIT, is_limit=True)
    max_span: int = whole(NO_LIMIT, is_limit=True)
    driving_block: int = whole(NO_LIMIT, is_limit=True, least=1)
    rest: int = whole(least=1)
    first_part: int = whole(0)
    second_part: int = whole(0)
    service_counts: bool = flag(False)
    work_block: int = whole(NO_LIMIT, is_limit=True, least=1)
    least_rest: int = whole(0)
    rest_in_all: tuple[tuple[int, int], ...] = declared(_pairs, ())
    in_seconds: bool = flag(False)

    def __post_init__(self) -> None:
        self.read_fields(_SOURCE)
        if (self.first_part == 0) != (self.second_part == 0):
            rule = "must be given with first_part, and only then"
            value = self.second_part
            raise InstanceError(_SOURCE, "second_part", rule, value)
        if self.service_counts and (
            self.first_part or self.rest_in_all or self.work_block < NO_LIMIT
        ):
            rule = "must not be given with parts of rests or rests of work"
            raise InstanceError(_SOURCE, "service_counts", rule)
        least_rest = self.least_rest or self.first_part or self.rest
        self.keep(least_rest=least_rest)

    @property
    def free_work(self) -> int:
        """Work up to which no route needs a rest."""
        thresholds = (work for work, _ in self.rest_in_all)
        return min(self.driving_block, self.work_block, *thresholds)


@dataclass(frozen=True, kw_only=True)
class HoursSoFar(Declared):
    """What a driver has driven, worked and rested at a moment.

    Numbers are durations in the unit of the instance, fractions allowed. Who
    has driven or worked longer than a rule allows rests first.

    Parameters
    ----------
    driven
        Driving since the last ``rest`` of the rules. Default 0.
    worked
        Work since the last rest of ``least_rest``. Default 0.
    work
        Work in all. Default 0.
    rested
        Rests of at least ``least_rest`` in all. Default 0.
    has_first_part
        Whether the first part of a rest has been had since. Default no.

    Raises
    ------
    InstanceError
        If a duration is negative or no number.
    """

    driven: float = number(0)
    worked: float = number(0)
    work: float = number(0)
    rested: float = number(0)
    has_first_part: bool = flag(False)

    def __post_init__(self) -> None:
        self.read_fields("hours so far")


EU: Final = HoursOfService(
    max_driving=9 * _HOUR,
    max_span=13 * _HOUR,
    driving_block=4 * _HOUR + 30 * _MINUTE,
    rest=45 * _MINUTE,
    first_part=15 * _MINUTE,
    second_part=30 * _MINUTE,
    work_block=6 * _HOUR,
    rest_in_all=(
        (6 * _HOUR, 30 * _MINUTE),
        (9 * _HOUR, 45 * _MINUTE),
    ),
    in_seconds=True,
)
"""Regulation (EC) 561/2006 and directive 2002/15/EC, within one day."""

US: Final = HoursOfService(
    max_driving=11 * _HOUR,
    max_span=14 * _HOUR,
    driving_block=8 * _HOUR,
    rest=30 * _MINUTE,
    service_counts=True,
    in_seconds=True,
)
"""49 CFR 395.3, property-carrying vehicles, within one day."""

NAMED: Final = {"EU": EU, "US": US}
"""Rules by their names."""

RULE: Final = (
    'must be "EU" or "US", perhaps with "10 h driving" or "15 h span"'
)


def parse_hours(text: str) -> HoursOfService | None:
    """Return the rules that a text names, ``None`` where it names none.

    A text such as "EU, 10 h driving, 15 h span" has other limits.
    """
    name, *requests = re.split(r"[,;]", text)
    hours = NAMED.get(name.strip().upper())
    for request in requests:
        match = _REQUEST.fullmatch(request)
        if match is None or hours is None:
            return None
        limit = round(float(match[1]) * _HOUR)
        changes: dict[str, Any] = {f"max_{match[2].lower()}": limit}
        hours = replace(hours, **changes)
    return hours
