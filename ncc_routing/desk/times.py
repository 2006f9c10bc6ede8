"""Times in the cells of tables, and what they count in."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.text import counted, number_of
from ncc_routing.core.units import SECONDS_OF, TIME_UNITS
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.fields import (
    BREAK,
    MOMENT,
    MOMENTS,
    NUMBER,
    PAST,
    SERVICE,
    WINDOW,
    Column,
)
from ncc_routing.desk.tables import Table, is_blank, is_too_long
from ncc_routing.desk.words import phrases_of, units_in
from ncc_routing.problems.time_form import AM_PM, CLOCK, DATES, TimeForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


_COLONS, _HALVES, _HOURS = "colons", "halves", "hours"
_DOTS, _BARE, _ZEROS = "dots", "bare", "zeros"
_FORMS: Final = {
    _COLONS: r"\d{1,5}(:[0-5]\d){1,2}",
    _HALVES: r"\d{1,5}(:[0-5]\d){0,2}\s*[ap]\.?m\.?",
    _HOURS: r"\d{1,2}(\s*WORD\s*([0-5]\d)?|[:.][0-5]\d\s*WORD)",
    _DOTS: r"[0-2]?\d\.[0-5]\d",
    _BARE: r"[0-2]\d[0-5]\d",
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

_BARE_WINDOW: Final = re.compile(r"(?<![\d:])0\d[0-5]\d(?![\d:])", re.ASCII)
"""A time such as 0830 in a window."""

_DASH: Final = (r"[-\u2010-\u2015\u2212]|\sWORD\s", "to")
_BETWEEN: Final = (r"[,;/|&+\n]|\sWORD\s", "also")
"""What stands between the ends of a window, and between windows."""

_HALF_WINDOWS: Final = (
    (r"WORD\s*(.+)", "after", True),
    (r"(.+?)\s*(?:[-\u2010-\u2015]|WORD)", "onwards", True),
    (r"WORD\s*(.+)", "before", False),
)
"""Windows with one end, and whether it is the opening."""

_LINES: Final = re.compile(r"[;\n]")
_BRACKETS: Final = re.compile(r"[()\[\]]|,(?=\s)|(?<=\D),|\s*:\s+")
"""What stands between breaks, and in them."""

MOST_CELLS_FIT: Final = 0.8
"""Part of the filled cells that says what a column holds."""

_FIRST: Final = timedelta(hours=4)
"""From 4:00 on, hours and minutes are no length of a break."""

_HOURS_OF_DAY: Final = 24
"""Numbers of windows up to it may be hours."""

_LONGEST_NIGHT: Final = timedelta(hours=12)
"""Windows past midnight, such as 22:00-06:00; longer ones are mistakes."""

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
def _pattern(text: str, key: str) -> re.Pattern[str]:
    """Return a regular expression in which WORD is one of an entry."""
    words = sorted(phrases_of(f"times.{key}"), key=len, reverse=True)
    known = f"(?:{'|'.join(map(re.escape, words))})"
    return re.compile(text.replace("WORD", known), re.IGNORECASE)


class Hours(float):
    """A number that counts hours of a day where times have units."""

    is_next_day = False

    def __str__(self) -> str:
        """Return the number as it was written."""
        return f"{float(self):g}"


Ends = tuple[float | str | None, float | str | None]
"""Opening and closing of a window: numbers, or texts that are times."""


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


def split_windows(
    table: Table, columns: Mapping[str, Column], problems: Problems
) -> Table:
    """Return a table with columns of both ends for one of whole windows.

    A cell such as 08:00-12:00 is one window, one such as 8-10; 14-16 two, and
    an empty one is none. Breaks become their lengths and windows.
    """
    for name, column in columns.items():
        if column.kind not in (WINDOW, BREAK) or name not in table.columns:
            continue
        title = table.titles[name]
        size = 3 if column.kind == BREAK else 2
        ends: list[list[Any]] = [[None] * table.num_rows] * size
        with problems.collected():
            if column.kind == BREAK:
                ends = _breaks_of(table, name, len(column.target) // 3)
            else:
                most = len(column.target) // 2
                has_unit = column.unit_in(title) is not None
                ends = _windows_of(table, name, most, has_unit=has_unit)
        cells = {k: v for k, v in table.columns.items() if k != name}
        fields = column.target[: len(ends)]
        cells |= zip(fields, ends, strict=True)
        titles = {**table.titles, **dict.fromkeys(fields, title)}
        table = replace(table, columns=cells, titles=titles)
    return table


def _windows_of(
    table: Table, name: str, most: int, *, has_unit: bool
) -> list[list[Any]]:
    """Return openings and closings of the first windows, the second, ..."""
    cells = table.columns[name]
    texts = [" ".join(str(cell).split()) for cell in cells]
    has_bare = any(map(_BARE_WINDOW.search, texts))

    def windows_in(row: int) -> list[tuple[Any, ...]]:
        cell, text = cells[row], texts[row]
        if is_blank(cell) or _is_any_time(text):
            return []
        windows = _windows_in(text, table.number, has_bare=has_bare)
        if len(windows) == 1:
            return windows
        parts = [
            part
            for part in _pattern(*_BETWEEN).split(str(cell))
            if part.strip()
        ]
        each = [
            _windows_in(part, table.number, has_bare=has_bare)
            for part in parts
        ]
        if not each or any(len(ways) != 1 for ways in each):
            rule = "must be a window such as 08:00-12:00"
            raise table.error(row, name, rule)
        if len(each) > most:
            rule = f"must have at most {counted(most, 'window')}"
            raise table.error(row, name, rule, UnsupportedProblemError)
        return [ways[0] for ways in each]

    rows = _rows_of(table, name, windows_in)
    numbers = [
        end
        for windows in rows
        for pair in windows
        for end in pair
        if isinstance(end, float)
    ]
    if not has_unit and all(
        number <= _HOURS_OF_DAY and number.is_integer() for number in numbers
    ):
        rows = [[_in_hours(*pair) for pair in windows] for windows in rows]
    return _apart(rows, 2)


def _breaks_of(table: Table, name: str, most: int) -> list[list[Any]]:
    """Return lengths and both ends of the first breaks, the second, ..."""

    def breaks_in(row: int) -> list[tuple[Any, ...]]:
        cell = str(table.columns[name][row])
        if is_blank(cell):
            return []
        for between in (_LINES, _pattern(*_BETWEEN)):
            parts = [part for part in between.split(cell) if part.strip()]
            breaks = [_break_in(part, table.number) for part in parts]
            known = [one for one in breaks if one is not None]
            if len(known) == len(parts) <= most:
                return known
            if len(known) == len(parts):
                rule = f"must have at most {counted(most, 'break')}"
                raise table.error(row, name, rule, UnsupportedProblemError)
        rule = "must be breaks such as 30 min 11:30-13:30, or 12:00-12:30"
        raise table.error(row, name, rule)

    return _apart(_rows_of(table, name, breaks_in), 3)


def _rows_of(
    table: Table, name: str, read: Callable[[int], list[tuple[Any, ...]]]
) -> list[list[tuple[Any, ...]]]:
    problems = Problems()
    rows = table.read_rows(name, read, problems)
    problems.refuse()
    return [row or [] for row in rows]


def _apart(
    rows: Sequence[Sequence[tuple[Any, ...]]], size: int
) -> list[list[Any]]:
    """Return the parts of the first entries of rows, of the second, ..."""
    return [
        [row[idx][part] if idx < len(row) else None for row in rows]
        for idx in range(max([1, *map(len, rows)]))
        for part in range(size)
    ]


def _break_in(
    text: str, number: Callable[[str], float]
) -> tuple[Any, ...] | None:
    """Return the length of a break and when it may begin.

    The length stands before or after; 12-13 is the hour from 12.
    """
    words = _BRACKETS.sub(" ", text).split()
    for cut in (*range(len(words), 0, -1), *range(-1, -len(words), -1)):
        first, last = " ".join(words[:cut]), " ".join(words[cut:])
        length, when = (first, last) if cut > 0 else (last, first)
        if _is_clock(length) or not is_time(length, SERVICE):
            continue
        if not when or _is_any_time(when):
            return length, None, None
        ends = _one_window(when, number)
        if ends is not None:
            return (length, *ends)
    ends = _one_window(" ".join(words), number)
    return None if ends is None else _whole_break(*ends)


def _is_clock(text: str) -> bool:
    """Whether a text says when rather than how long: 12:00, 0900."""
    form, time = _clock_of(text)
    is_late = form == _COLONS and time >= _FIRST
    return is_late or any(map(_has_leading_zero, text.split()))


def _one_window(text: str, number: Callable[[str], float]) -> Ends | None:
    """Return the window that a text is, or the time alone, if it is one."""
    has_bare = _BARE_WINDOW.search(text) is not None
    windows = _windows_in(text, number, has_bare=has_bare)
    if not windows:
        bare = _pattern(r"WORD\s+", "at").sub("", text)
        windows = _windows_in(f"{bare}-{bare}", number, has_bare=has_bare)
    if len(windows) != 1:
        return None
    numbers = [end for end in windows[0] if isinstance(end, float)]
    if all(n <= _HOURS_OF_DAY and n.is_integer() for n in numbers):
        return _in_hours(*windows[0])
    return windows[0]


def _whole_break(
    first: float | str | None, last: float | str | None
) -> tuple[Any, ...] | None:
    """Return the break from one time to another."""
    if isinstance(first, float) and isinstance(last, float):
        number = Hours if isinstance(first, Hours) else float
        last += _HOURS_OF_DAY * getattr(last, "is_next_day", 0)
        return (number(last - first), first, first) if last > first else None
    begin, end = (
        cast("datetime | None", _time_of(each, MOMENT))
        for each in (first, last)
    )
    if begin is None or end is None or type(begin) is not type(end):
        return None
    return (end - begin, first, first) if end > begin else None


def holds_windows(
    cells: Iterable[object], *, with_hours: bool = False
) -> bool:
    """Whether most cells are windows of a clock, and none is anything else.

    Two small numbers may be a window ``with_hours``, or something else.
    """
    texts = [" ".join(str(cell).split()) for cell in cells]
    texts = [t for t in texts if not is_blank(t) and not _is_any_time(t)]
    num_windows = 0
    for text in texts:
        if is_time(text, MOMENT) or is_too_long(text):
            return False
        has_bare = _BARE_WINDOW.search(text) is not None
        windows = _windows_in(text, has_bare=has_bare)
        several = [
            _windows_in(part) for part in _pattern(*_BETWEEN).split(text)
        ]
        if len(several) > 1 and all(len(ways) == 1 for ways in several):
            windows = several[0]
        if len(windows) == 1:
            numbers = [end for end in windows[0] if isinstance(end, float)]
            if numbers and max(numbers) > _HOURS_OF_DAY:
                return False
            num_windows += with_hours or not numbers
    return num_windows >= max(1, MOST_CELLS_FIT * len(texts))


def is_time(cell: object, kind: str) -> bool:
    """Whether a cell is a time of a kind of columns, or a number."""
    is_number = math.isfinite(number_of(str(cell)))
    return is_number or _time_of(cell, kind) is not None


def _windows_in(
    text: str,
    number: Callable[[str], float] = number_of,
    *,
    has_bare: bool = False,
) -> list[Ends]:
    """Return the ways to read a text as a window; dates have dashes too.

    With ``has_bare``, 0800 and 1030 are times of a clock.
    """

    def end_of(text: str) -> float | str | None:
        text = text.strip()
        form, _ = _clock_of(text)
        if has_bare and form == _BARE:
            return f"{text[:2]}:{text[2:]}"
        value = number(text)
        if math.isfinite(value) and not _has_leading_zero(text):
            return value
        if form == _DOTS:  # beside decimal commas
            return text.replace(".", ":")
        return None if _time_of(text, MOMENT) is None else text

    text = text.strip()
    for form, key, is_opening in _HALF_WINDOWS:
        match = _pattern(form, key).fullmatch(text)
        if match is not None and (end := end_of(match[1])) is not None:
            return [(end, None) if is_opening else (None, end)]
    dashes = list(_pattern(*_DASH).finditer(text))
    start = _pattern(r"WORD\s+", "between").match(text)
    if start is not None:
        dashes += _pattern(r"\sWORD\s", "and").finditer(text)
    windows: list[Ends] = []
    for dash in dashes:
        first = text[start.end() if start else 0 : dash.start()].strip()
        last = text[dash.end() :].strip()
        suffix = _pattern(r"\s*WORD$", "o_clock").search(last)
        if suffix is not None and first.isdecimal():
            first += suffix[0]
        pair = end_of(first), end_of(last)
        if None not in pair and _kind_of(pair[0]) == _kind_of(pair[1]):
            windows.append((pair[0], _after_midnight(*pair)))
    return windows


def _is_any_time(text: str) -> bool:
    return text.lower() in phrases_of("times.any")


def _kind_of(end: float | str | None) -> type:
    return type(_time_of(end, MOMENT)) if isinstance(end, str) else float


def _after_midnight(
    first: float | str | None, last: float | str | None
) -> float | str | None:
    """Return the end of a window, on the next day where it ends a night."""
    begin, end = (_time_of(each, MOMENT) for each in (first, last))
    if isinstance(begin, timedelta) and isinstance(end, timedelta):
        next_day = end + timedelta(days=1)
        if end < begin and next_day - begin <= _LONGEST_NIGHT:
            minutes = int(next_day.total_seconds()) // 60
            return f"{minutes // 60}:{minutes % 60:02}"
    return last


def _in_hours(first: float | str | None, last: float | str | None) -> Ends:
    """Return a window whose numbers count hours where a unit is needed."""
    opens, closes = (
        Hours(end) if isinstance(end, float) else end for end in (first, last)
    )
    if isinstance(opens, Hours) and isinstance(closes, Hours):
        night = timedelta(hours=closes + _HOURS_OF_DAY - opens)
        closes.is_next_day = closes < opens and night <= _LONGEST_NIGHT
    return opens, closes


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
    is_half = _clock_of(str(text).strip())[0] == _HALVES
    return TimeForm(AM_PM if is_half else CLOCK, has_seconds)


def _of_clock(cell: _Cell) -> _Cell:
    if isinstance(cell, Hours):
        return timedelta(days=cell.is_next_day, hours=cell)
    return cell


def _parsed(column: TimeColumn, row: int) -> _Cell:
    table, name, kind = column.table, column.name, column.kind
    cell = table.columns[name][row]
    if is_blank(cell) or isinstance(cell, Hours):
        return None if is_blank(cell) else cell
    number = table.number(cell)
    is_clock = kind in MOMENTS and _has_leading_zero(str(cell).strip())
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
    if not isinstance(cell, str) or is_too_long(cell):
        return None
    text = cell.strip()
    if is_moment and _DATE.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    form, clock = _clock_of(text)
    if form == _COLONS:
        return clock if clock < _LATEST or kind == PAST else None
    if not is_moment:
        return _length_of(text)
    return clock if form in (_HALVES, _HOURS) and clock < _LATEST else None


@lru_cache(maxsize=4096)
def _clock_of(text: str) -> tuple[str, timedelta]:
    """Return the form of a time of day and the time, "" where it is none."""
    match = _pattern(*_CLOCK).fullmatch(text)
    form = match.lastgroup if match is not None else None
    if form is None:
        return "", timedelta()
    digits = r"\d\d" if form in (_BARE, _ZEROS) else r"\d+"
    hour, minute, second = [*map(int, re.findall(digits, text)), 0, 0][:3]
    if form == _HALVES:
        if not 1 <= hour <= 12:
            return "", timedelta()
        hour = hour % 12 + 12 * ("p" in text.lower())
    return form, timedelta(hours=hour, minutes=minute, seconds=second)


def _has_leading_zero(text: str) -> bool:
    """Whether a text is a number as nobody writes one but for 08:30: 0830."""
    return text[:1] == "0" and _clock_of(text)[0] in (_BARE, _ZEROS)


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
        error.options = ("--time-unit min",)
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
