"""Times in the cells of tables, and what they count in."""

from __future__ import annotations

import math
import re
from datetime import datetime, time, timedelta
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

import numpy as np

from ncc_routing.core.exceptions import (
    ParameterError,
)
from ncc_routing.core.text import number_of
from ncc_routing.core.units import SECONDS_OF, TIME_UNITS
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.fields import (
    MOMENT,
    MOMENTS,
    NUMBER,
    PAST,
    SERVICE,
    Column,
)
from ncc_routing.desk.tables import Table, is_blank, is_too_long
from ncc_routing.desk.words import phrases_of, units_in
from ncc_routing.problems.time_form import AM_PM, CLOCK, DATES, TimeForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


COLONS, HALVES, _HOURS = "colons", "halves", "hours"
DOTS, BARE, _ZEROS = "dots", "bare", "zeros"
_FORMS: Final = {
    COLONS: r"\d{1,5}(:[0-5]\d){1,2}",
    HALVES: r"\d{1,5}(:[0-5]\d){0,2}\s*[ap]\.?m\.?",
    _HOURS: r"\d{1,2}(\s*WORD\s*([0-5]\d)?|[:.][0-5]\d\s*WORD)",
    DOTS: r"[0-2]?\d\.[0-5]\d",
    BARE: r"[0-2]\d[0-5]\d",
    _ZEROS: r"0\d{3}(\d\d)?",
}
_GROUPS: Final = (f"(?P<{name}>{form})" for name, form in _FORMS.items())
_CLOCK: Final = (f"(?a:{'|'.join(_GROUPS)})", "o_clock")
"""Forms of times of day: 8:30:15; 8 a.m.; 8h30, 8 Uhr, 8.30 Uhr; 8.30; 0830;
other numbers that begin with a zero. "WORD" is one of the file of words."""

_LATEST: Final = timedelta(hours=48)
"""Hours from 24 on are those of the next day, or of days that have begun."""

_LENGTH: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\W\d_]+|')?", re.ASCII)
_LENGTHS: Final = re.compile(
    r"(\d+([.,]\d+)?\s*([^\W\d_]+|')\.?\s*)+(\d+)?", re.ASCII
)
"""A part of a duration, and one such as 1 h 30 min."""

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}.*", re.ASCII)

_HAS_SECONDS: Final = re.compile(r":\d\d:\d\d", re.ASCII)

_WHOLE: Final = 1e-6
"""How far a time may be from a whole number: 0.1 h are 360 s."""

_DECIMALS: Final = 6
"""Those of seconds in another unit."""

UNIT_NEEDED: Final = (
    "has numbers without a unit, but other times have one: state the unit "
    "(5 min; for all numbers time_unit=, --time-unit s, min or h)"
)
_PRICE_NEEDS_UNIT: Final = (
    "is a price of time without a unit, but other times have one: state it "
    "in the name, such as {} per hour (for all numbers time_unit=, "
    "--time-unit s, min or h)"
)
"""The rules for numbers beside times whose unit is known."""


@cache
def pattern(text: str, key: str) -> re.Pattern[str]:
    """Return a regular expression in which WORD is one of an entry."""
    words = sorted(phrases_of(f"times.{key}"), key=len, reverse=True)
    known = f"(?:{'|'.join(map(re.escape, words))})"
    return re.compile(text.replace("WORD", known), re.IGNORECASE)


class Hours(float):
    """A number that stands for ``hours`` of a day where times have units."""

    hours: float

    def __new__(cls, number: float, hours: float) -> Self:
        """Return the number with its hours, which may be of the next day."""
        made = super().__new__(cls, number)
        made.hours = hours
        return made

    def __str__(self) -> str:
        """Return the number as it was written."""
        return f"{float(self):g}"


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
    return SECONDS_OF[time_unit]


def is_time(cell: object, kind: str) -> bool:
    """Whether a cell is a time of a kind of columns, or a number."""
    is_number = math.isfinite(number_of(str(cell)))
    return is_number or time_of(cell, kind) is not None


def holds_moments(cells: Iterable[object]) -> bool:
    """Whether cells are times of day or dates with times, and some is one."""
    given = [cell for cell in cells if not is_blank(cell)]
    return bool(given) and all(
        not math.isfinite(number_of(str(cell)))
        and time_of(cell, MOMENT) is not None
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
    problems = Problems()
    cells: dict[TimeColumn, list[_Cell]] = {
        column: column.table.read_rows(
            column.name, partial(_parsed, column), problems
        )
        for column in columns
    }
    problems.refuse()
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
    if in_seconds:
        cells = {
            column: list(map(_of_clock, each))
            for column, each in cells.items()
        }
    first, needs_dates = _first_day(cells)
    values = {}
    for column, each in cells.items():
        unit = units[column] if in_seconds else 1.0
        count = partial(_counted, column, unit, each, first)
        counted = column.table.read_rows(column.name, count, problems)
        values[column] = np.array(counted, dtype=float)
        if column.kind in MOMENTS and needs_dates:
            rule = f"must have a date, as the other times {needs_dates}"
            is_bare = [not isinstance(cell, datetime | None) for cell in each]
            with problems.collected():
                column.table.refuse(is_bare, column.name, rule)
    problems.refuse()
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
    is_half = clock_of(str(text).strip())[0] == HALVES
    return TimeForm(AM_PM if is_half else CLOCK, has_seconds)


def _of_clock(cell: _Cell) -> _Cell:
    if isinstance(cell, Hours):
        return timedelta(hours=cell.hours)
    return cell


def _parsed(column: TimeColumn, row: int) -> _Cell:
    table, name, kind = column.table, column.name, column.kind
    cell = table.columns[name][row]
    if is_blank(cell) or isinstance(cell, Hours):
        return None if is_blank(cell) else cell
    number = table.number(cell)
    is_clock = kind in MOMENTS and has_leading_zero(str(cell).strip())
    if math.isfinite(number) and not is_clock:
        return number
    time = None if kind == NUMBER else time_of(cell, kind)
    if time is None:
        wanted = {
            MOMENT: ", 08:30, 8:30 a.m. or 2026-05-04T08:30",
            PAST: ", 08:30, 8:30 a.m. or 2026-05-04T08:30",
            NUMBER: "",
        }.get(kind, ", or hours and minutes such as 0:15")
        raise table.error(row, name, f"must be a number{wanted}")
    return time


def time_of(cell: Any, kind: str) -> timedelta | datetime | None:
    """Return the time that is no number, ``None`` where it is none."""
    is_moment = kind in MOMENTS
    if isinstance(cell, timedelta):
        return cell
    if isinstance(cell, (datetime, time)):
        cell = cell.isoformat()
    if not isinstance(cell, str) or is_too_long(cell):
        return None
    text = cell.strip()
    if is_moment and _DATE.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    form, clock = clock_of(text)
    if form == COLONS:
        return clock if clock < _LATEST or kind == PAST else None
    if not is_moment:
        return _length_of(text)
    return clock if form in (HALVES, _HOURS) and clock < _LATEST else None


@lru_cache(maxsize=4096)
def clock_of(text: str) -> tuple[str, timedelta]:
    """Return the form of a time of day and the time, "" where it is none."""
    match = pattern(*_CLOCK).fullmatch(text)
    form = match.lastgroup if match is not None else None
    if form is None:
        return "", timedelta()
    digits = r"\d\d" if form in (BARE, _ZEROS) else r"\d+"
    hour, minute, second = [*map(int, re.findall(digits, text)), 0, 0][:3]
    if form == HALVES:
        if not 1 <= hour <= 12:
            return "", timedelta()
        hour = hour % 12 + 12 * ("p" in text.lower())
    return form, timedelta(hours=hour, minutes=minute, seconds=second)


def has_leading_zero(text: str) -> bool:
    """Whether a text is a number as nobody writes one but for 08:30: 0830."""
    return text[:1] == "0" and clock_of(text)[0] in (BARE, _ZEROS)


@lru_cache(maxsize=4096)
def _length_of(text: str) -> timedelta | None:
    """Return a duration such as 5 min or 1 h 30, ``None`` where it is none."""
    if _LENGTHS.fullmatch(text) is None:
        return None
    seconds, unit = 0.0, ""
    for number, word in _LENGTH.findall(text):
        # A number behind hours counts minutes.
        following = "min" if unit == "h" else ""
        known = {"": following, "'": "min", **units_in("time")}
        unit = known.get(word.lower(), "")
        size = SECONDS_OF.get(unit, math.nan)
        seconds += float(number.replace(",", ".")) * size
    return timedelta(seconds=seconds) if math.isfinite(seconds) else None


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
                    "must have an offset from UTC if, and only if, the other "
                    "dates have one"
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
    unit: float | None,
    cells: Sequence[_Cell],
    first: datetime | None,
    row: int,
) -> float:
    """Return a time in the unit of all times; ``unit`` is that of numbers."""
    table, name, kind = column.table, column.name, column.kind
    cell = cells[row]
    if cell is None:
        return math.nan
    if isinstance(cell, datetime):
        value = (cell - (first or cell)).total_seconds()
    elif isinstance(cell, timedelta):
        value = cell.total_seconds()
    elif unit is None and cell != 0.0 and kind == NUMBER:
        title = table.titles.get(name, name)
        raise table.error(row, name, _PRICE_NEEDS_UNIT.format(title))
    elif unit is None and cell != 0.0:
        error = table.error(row, name, UNIT_NEEDED)
        error.options = ('--time-unit "?"',)
        raise error
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
