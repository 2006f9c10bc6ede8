"""Times in the cells of tables, and what they count in."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.text import number_of
from ncc_routing.core.units import SECONDS_IN, SECONDS_OF, TIME_UNITS
from ncc_routing.io.fields import (
    MOMENT,
    MOMENTS,
    NUMBER,
    PAST,
    SERVICE,
    WAY_OUT,
    Column,
)
from ncc_routing.io.tables import Table, is_blank
from ncc_routing.problems.time_form import AM_PM, CLOCK, DATES, TimeForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_CLOCK: Final = re.compile(
    r"(\d{1,5})(?::([0-5]\d))?(?::([0-5]\d))?\s*(?:([ap])\.?m\.?)?",
    re.ASCII | re.IGNORECASE,
)
_BARE_CLOCK: Final = re.compile(r"0\d{3}(\d\d)?", re.ASCII)
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}.*", re.ASCII)

_LATEST_HOUR: Final = 47
"""Hours from 24 on are those of the next day, or of days that have begun."""

_DASH: Final = re.compile(r"[-\u2010-\u2015\u2212]|\sto\s", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[,;/|&+\n]|\sand\s", re.IGNORECASE)
"""What stands between the ends of a window, and between windows."""

_HAS_SECONDS: Final = re.compile(r":\d\d:\d\d", re.ASCII)

_WHOLE: Final = 1e-6
"""How far a time may be from a whole number: 0.1 h are 360 s."""

_DECIMALS: Final = 6
"""Those of seconds in another unit."""

UNIT_NEEDED: Final = (
    "holds plain numbers, and other times are in seconds or of a clock: say "
    "the unit of numbers (time_unit=, --time-unit s, min or h)"
)
"""The rule for numbers beside times whose unit is known."""


_WINDOW: Final = "window"
_ENDS: Final = ("open", "close")
"""Fields of a whole window, and of its ends."""


class TimeColumn(NamedTuple):
    """A column of a table with times, or costs of a time."""

    table: Table
    name: str
    column: Column

    @property
    def kind(self) -> str:
        """How its cells are read."""
        return self.column.kind


def time_columns(
    table: Table, columns: Mapping[str, Column]
) -> list[TimeColumn]:
    """Return the columns of a table that hold times, or costs of a time."""
    return [
        TimeColumn(table, name, column)
        for name, column in columns.items()
        if column.is_time and name in table.columns
    ]


class Times(NamedTuple):
    """The times of some columns, nan where a cell is empty.

    They count in seconds, or in a unit that nothing says; ``form`` is how
    the table writes them.
    """

    values: dict[TimeColumn, np.ndarray]
    in_seconds: bool
    form: TimeForm = TimeForm()


_Cell = float | timedelta | datetime | None
"""A number, a time of day or a duration, a moment, nothing."""


def seconds_in(time_unit: str | None) -> float | None:
    """Return the seconds of a unit that a user names."""
    if time_unit is None:
        return None
    if time_unit not in TIME_UNITS:
        known = ", ".join(TIME_UNITS)
        raise ParameterError(
            f"time_unit must be one of {known}, got {time_unit!r}."
        )
    return SECONDS_IN[time_unit]


def split_windows(table: Table) -> Table:
    """Return a table with columns open and close for one of whole windows.

    A cell such as 08:00-12:00 is one window, and an empty one is none.
    """
    title = table.titles.get(_WINDOW)
    if title is None:
        return table
    for end in _ENDS:
        if end in table.columns:
            rule = f"the columns {title} and {table.titles[end]} say the same"
            raise InstanceError(table.source, "columns", f"{rule}: {WAY_OUT}")
    windows = [_ends_of(table, row) for row in range(table.num_rows)]
    columns = dict(
        zip(_ENDS, map(list, zip(*windows, strict=True)), strict=True)
    )
    columns |= {k: v for k, v in table.columns.items() if k != _WINDOW}
    titles = {**table.titles, **dict.fromkeys(_ENDS, title)}
    return replace(table, columns=columns, titles=titles)


def _ends_of(table: Table, row: int) -> tuple[str | None, str | None]:
    """Return the two times of a window, which are of the same kind."""
    cell = table.columns[_WINDOW][row]
    if is_blank(cell):
        return None, None
    windows = _windows_in(table, str(cell))
    if len(windows) == 1:
        return windows[0]
    parts = _BETWEEN.split(str(cell))
    if sum(bool(_windows_in(table, part)) for part in parts) > 1:
        rule = "has a second window, and no method here respects one"
        raise table.error(row, _WINDOW, rule, UnsupportedProblemError)
    rule = "must be a window such as 08:00-12:00"
    raise table.error(row, _WINDOW, rule)


def _windows_in(table: Table, text: str) -> list[tuple[str, str]]:
    """Return the ways to read a text as a window; dates have dashes too."""
    splits = [
        (text[: dash.start()].strip(), text[dash.end() :].strip())
        for dash in _DASH.finditer(text)
    ]
    return [
        (first, last)
        for first, last in splits
        if (kind := _kind_of(table, first)) and kind == _kind_of(table, last)
    ]


def _kind_of(table: Table, text: str) -> type | None:
    """Return what a moment is: a number, a time of day, a date, nothing."""
    if math.isfinite(table.number(text)) and not _BARE_CLOCK.fullmatch(text):
        return float
    moment = _time_of(text, MOMENT)
    return None if moment is None else type(moment)


def holds_moments(cells: Iterable[object]) -> bool:
    """Whether cells are times of day or dates with times, and some is one."""
    given = [cell for cell in cells if not is_blank(cell)]
    return bool(given) and all(
        not math.isfinite(number_of(str(cell)))
        and _time_of(cell, MOMENT) is not None
        for cell in given
    )


def read_times(
    columns: Sequence[TimeColumn],
    time_unit: str | None = None,
    in_seconds: bool = False,
) -> Times:
    """Return the times of columns, in one unit.

    Numbers count in the unit that the name of a column says, else in
    ``time_unit``. As soon as a unit, a time of day or a date is there, or
    where travel times are ``in_seconds``, all count in seconds, from the
    midnight before the first date; a number without a unit is refused then.
    """
    cells = {
        column: [_parsed(column, row) for row in range(column.table.num_rows)]
        for column in columns
    }
    usual = seconds_in(time_unit)
    units = {
        each: each.column.unit_in(each.table.titles[each.name]) or usual
        for each in columns
    }
    in_seconds = (
        in_seconds
        or usual is not None
        or any(unit is not None for unit in units.values())
        or any(
            isinstance(cell, (timedelta, datetime))
            for each in cells.values()
            for cell in each
        )
    )
    first, needs_dates = _first_day(cells)
    values = {}
    for column, each in cells.items():
        unit = units[column] if in_seconds else 1.0
        counted = [
            _counted(column, row, unit, cell, first)
            for row, cell in enumerate(each)
        ]
        values[column] = np.array(counted)
        if column.kind in MOMENTS and needs_dates:
            rule = f"must have a date, as the other times {needs_dates}"
            is_bare = [not isinstance(cell, datetime | None) for cell in each]
            column.table.refuse(is_bare, column.name, rule)
    form = TimeForm()
    if in_seconds:
        form = _form_of(cells, units, first, usual)
    return Times(values, in_seconds, form)


def _form_of(
    cells: Mapping[TimeColumn, Sequence[_Cell]],
    units: Mapping[TimeColumn, float | None],
    first: datetime | None,
    usual: float | None,
) -> TimeForm:
    """Return how moments are written: as the first one that is no number.

    Numbers alone have the unit of the first column that has one.
    """
    moments = [column for column in cells if column.kind in MOMENTS]
    written = [
        (column.table.columns[column.name][row], cell)
        for column in moments
        for row, cell in enumerate(cells[column])
        if isinstance(cell, (timedelta, datetime))
    ]
    if not written:
        known = [unit for each in moments if (unit := units[each])]
        unit = next(iter((*known, usual or 1.0)))
        return TimeForm({s: name for name, s in SECONDS_OF.items()}[unit])
    has_seconds = any(
        _HAS_SECONDS.search(text)
        if isinstance(text, str)
        else getattr(cell, "seconds", 0) % 60 or getattr(cell, "second", 0)
        for text, cell in written
    )
    text, cell = written[0]
    if isinstance(cell, datetime):
        return TimeForm(DATES, has_seconds, (first or cell).isoformat())
    clock = _CLOCK.fullmatch(str(text).strip())
    is_half = clock is not None and clock[4] is not None
    return TimeForm(AM_PM if is_half else CLOCK, has_seconds)


def _parsed(column: TimeColumn, row: int) -> _Cell:
    table, name, kind = column.table, column.name, column.kind
    cell = table.columns[name][row]
    if is_blank(cell):
        return None
    number = table.number(cell)
    # 0830 is no 830 minutes; nobody writes a number so.
    is_clock = kind in MOMENTS and _BARE_CLOCK.fullmatch(str(cell).strip())
    if math.isfinite(number) and not is_clock:
        return number
    time = None if kind == NUMBER else _time_of(cell, kind)
    if time is None:
        wanted = {
            MOMENT: ", 08:30, 8:30 a.m. or 2026-05-04T08:30",
            PAST: ", 08:30, 8:30 a.m. or 2026-05-04T08:30",
            NUMBER: "",
        }.get(kind, ", or hours and minutes such as 0:15")
        raise table.error(row, name, f"must be a number{wanted}")
    return time


def _time_of(cell: Any, kind: str) -> timedelta | datetime | None:
    """Return the time that is no number, ``None`` where it is none."""
    is_moment = kind in MOMENTS
    if isinstance(cell, timedelta):
        return cell
    if isinstance(cell, (datetime, time)):
        cell = cell.isoformat()
    if not isinstance(cell, str):
        return None
    text = cell.strip()
    if is_moment and _DATE.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    hour, half = int(match[1]), (match[4] or "").lower()
    if half:
        if not is_moment or not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half == "p")
    elif match[2] is None or (hour > _LATEST_HOUR and kind != PAST):
        return None
    minutes, seconds = int(match[2] or 0), int(match[3] or 0)
    return timedelta(hours=hour, minutes=minutes, seconds=seconds)


def _first_day(
    cells: Mapping[TimeColumn, Sequence[_Cell]],
) -> tuple[datetime | None, str]:
    """Return the midnight before all dates, and why a time needs a date.

    Dates with and without an offset from UTC cannot be compared.
    """
    dates: list[datetime] = []
    for column, each in cells.items():
        for row, cell in enumerate(each):
            if not isinstance(cell, datetime):
                continue
            if dates and (cell.tzinfo is None) != (dates[0].tzinfo is None):
                rule = (
                    "must have an offset from UTC as the other dates, or not"
                )
                raise column.table.error(row, column.name, rule)
            dates.append(cell)
    if not dates:
        return None, ""
    first = min(dates)
    why = ""
    if len({date.utcoffset() for date in dates}) > 1:
        why = "have several offsets from UTC"
    if first.tzinfo is not None:
        dates = [date.astimezone(first.tzinfo) for date in dates]
    if len({date.date() for date in dates}) > 1:
        why = "are of several days"
    return first.replace(hour=0, minute=0, second=0, microsecond=0), why


def _counted(
    column: TimeColumn,
    row: int,
    unit: float | None,
    cell: _Cell,
    first: datetime | None,
) -> float:
    """Return a time in the unit of all times; ``unit`` is that of numbers."""
    table, name, kind = column.table, column.name, column.kind
    if cell is None:
        return math.nan
    if isinstance(cell, datetime):
        value = (cell - (first or cell)).total_seconds()
    elif isinstance(cell, timedelta):
        value = cell.total_seconds()
    elif unit is None and cell != 0.0:
        raise table.error(row, name, UNIT_NEEDED)
    else:
        value = (
            cell / (unit or 1.0) if kind == NUMBER else cell * (unit or 1.0)
        )
    if value < 0.0:
        raise table.error(row, name, "must not be negative")
    if kind in (MOMENT, SERVICE):
        if abs(value - round(value)) > _WHOLE:
            rule = "must be a whole number of seconds"
            if unit == 1.0:
                rule = "must be a whole number: take a smaller unit"
            raise table.error(row, name, rule)
        value = float(round(value))
    if kind == PAST and unit != 1.0:
        value = round(value, _DECIMALS)
    return value
