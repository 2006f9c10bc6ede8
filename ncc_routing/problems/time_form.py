"""How a user writes times: as a clock, as dates, as numbers in a unit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.problems.values import NO_LIMIT

CLOCK, AM_PM, DATES = "clock", "am/pm", "dates"
"""Forms of times that are no numbers."""

_DAY: Final = 86400

_NOISE: Final = 1e-6
"""What sums of real times may be off by."""

_DECIMALS: Final = 10
"""Those of hours and minutes, which have parts of seconds."""


@dataclass(frozen=True)
class TimeForm:
    """How times are written, which count in seconds from a midnight.

    Parameters
    ----------
    kind
        "clock" (08:30, and 25:00 for one o'clock of the next day),
        "am/pm" (8:30 a.m., and 25:00), "dates" (2026-05-04T08:30), or the
        unit of numbers: "s", "min" or "h". Default "": times are numbers in
        a unit of their own, and stay as they are.
    has_seconds
        Whether clocks and dates have seconds throughout. Default: only in
        messages, where a time has some.
    midnight
        Of dates, the moment that is 0: an ISO date with its time, perhaps
        with an offset from UTC.

    Raises
    ------
    InstanceError
        If the kind is none of these, or midnight is no such date.
    """

    kind: str = ""
    has_seconds: bool = False
    midnight: str = ""

    def __post_init__(self) -> None:
        kinds = ("", *SECONDS_OF, CLOCK, AM_PM, DATES)
        for name, wanted in (("kind", str), ("has_seconds", bool)):
            if not isinstance(getattr(self, name), wanted):
                rule = f"must be a {wanted.__name__}"
                value = getattr(self, name)
                raise InstanceError("time_form", name, rule, value)
        if self.kind not in kinds:
            rule = f"must be one of {', '.join(filter(None, kinds))}"
            raise InstanceError("time_form", "kind", rule, self.kind)
        if self.kind == DATES:
            try:
                datetime.fromisoformat(self.midnight)
            except (TypeError, ValueError):
                rule = "must be an ISO date with its time"
                value = self.midnight
                raise InstanceError(
                    "time_form", "midnight", rule, value
                ) from None

    @property
    def is_clock(self) -> bool:
        """Whether times are texts, and durations hours and minutes."""
        return self.kind in (CLOCK, AM_PM, DATES)

    @property
    def unit_of_numbers(self) -> str:
        """Unit of moments in tables, "" where they are texts or have none."""
        if not self.kind or self.is_clock:
            return ""
        return self.kind if self.kind == "h" else "min"

    def cell(self, time: float | None) -> float | str | None:
        """Return a moment for a table; ``None`` stays.

        Clocks and dates show the minutes, or seconds, that are over, so that
        routes that have begun as a table says are not late.
        """
        if time is None or not self.kind:
            return time
        if self.is_clock:
            seconds = _whole_seconds(time)
            over = 0 if self.has_seconds else seconds % 60
            return self.text(seconds - over)
        number = round(time / SECONDS_OF[self.unit_of_numbers], _DECIMALS)
        return int(number) if number.is_integer() else number

    def text(self, time: float, *, is_duration: bool = False) -> str:
        """Return a moment or a duration for a message, with its unit.

        Durations in seconds are hours, minutes and seconds: 1 h 5 min.
        """
        if time >= NO_LIMIT:
            return "no limit"
        if is_duration and self.kind == "s":
            return _in_words(time)
        if not self.is_clock:
            number = f"{time / SECONDS_OF.get(self.kind, 1.0):.12g}"
            return f"{number} {self.kind}".rstrip()
        time = round(float(time), 3)
        if is_duration:
            return self._clock(time, "")
        if self.kind == AM_PM and time < _DAY:
            half = "a.m." if time < _DAY / 2 else "p.m."
            hour = int(time // 3600 - 1) % 12 + 1
            return f"{self._clock(3600 * hour + time % 3600, '')} {half}"
        if self.kind == DATES:
            try:
                date = datetime.fromisoformat(self.midnight)
                date += timedelta(seconds=time)
            except OverflowError:  # after the year 9999
                return self._clock(time)
            has_minutes = not (self.has_seconds or time % 60)
            return date.isoformat(
                timespec="minutes" if has_minutes else "auto"
            )
        return self._clock(time)

    def _clock(self, time: float, width: str = "02") -> str:
        minutes, seconds = divmod(time, 60)
        hours, minutes = divmod(int(minutes), 60)
        text = f"{hours:{width}}:{minutes:02}"
        if self.has_seconds or seconds:
            text += f":{seconds:06.3f}".rstrip("0").rstrip(".")
        return text


def _in_words(seconds: float) -> str:
    """Return a duration as hours, minutes and seconds: 1 h 5 min."""
    minutes, rest = divmod(round(seconds, 3), 60)
    hours, minutes = divmod(int(minutes), 60)
    parts = {"h": hours, "min": minutes, "s": rest}
    given = [f"{value:.12g} {unit}" for unit, value in parts.items() if value]
    return " ".join(given) or "0 s"


def _whole_seconds(time: float) -> int:
    return math.floor(time + _NOISE)
