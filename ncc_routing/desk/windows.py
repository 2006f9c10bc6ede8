"""Time windows and breaks in cells, as people write them."""

from __future__ import annotations

import logging
import math
import re
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from ncc_routing.core.exceptions import (
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.text import counted, number_of
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.fields import (
    BREAK,
    MOMENT,
    SERVICE,
    WINDOW,
    Column,
    pieces_of,
)
from ncc_routing.desk.tables import Table, is_blank, is_too_long
from ncc_routing.desk.times import (
    BARE,
    COLONS,
    DOTS,
    HALVES,
    Hours,
    clock_of,
    has_leading_zero,
    is_time,
    pattern,
    time_of,
)
from ncc_routing.desk.words import entry_of, phrases_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

logger = logging.getLogger(__name__)

_BARE_WINDOW: Final = re.compile(r"(?<![\d:])0\d[0-5]\d(?![\d:])", re.ASCII)
"""A time such as 0830 in a window."""

_DASH: Final = (r"[-\u2010-\u2015\u2212]|\sWORD\s", "to")
_BETWEEN: Final = (r"[,;/|&+\n]|\sWORD\s", "also")
_NEXT: Final = re.compile(r"(?<=[\w.])\s+(?=\d)")
"""What stands between the ends of a window, and between windows."""

_HALF_WINDOWS: Final = (
    (r"WORD\s*(.+)", "after", True),
    (r"(.+?)\s*(?:[-\u2010-\u2015]|WORD)", "onwards", True),
    (r"WORD\s*(.+)", "before", False),
)
"""Windows with one end, and whether it is the opening."""

_POINTS: Final = ((r"WORD\s*(.+)", "about"), (r"WORD\s+(.+)", "at"))
_WITHIN: Final = re.compile(r"(.+?)\s*(?:\+/?-|\u00b1)\s*(.+)")
"""Moments with a tolerance that is usual, and with one that is said."""

_TOLERANCES: Final = {"about": 30, "at": 15}
"""Minutes before and after a moment that is no window."""

_HALF_DAY: Final = re.compile(r"(\d{1,2}(?::[0-5]\d)?)\s*([ap])", re.ASCII)
"""A time such as 9a."""

_DAYS: Final = (
    r"(WORD)\b\.?(?:\s*(?:[-\u2010-\u2015]|TO)\s*(WORD)\b\.?)?\s*:?\s*"
)
_WORKDAYS: Final = (r"(WORD)\b\.?\s*:?\s*", "workdays")
_DATES: Final = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"|(?P<d>\d{1,2})(?P<point>[./])(?P<m>\d{1,2})(?P=point)(?P<y>\d{4}))"
    r"\s*:?\s+(?=\S)",
    re.ASCII,
)
"""Weekdays and dates before a window."""

_LINES: Final = re.compile(r"[;\n]")
_BRACKETS: Final = re.compile(r"[()\[\]]|,(?=\s)|(?<=\D),|\s*:\s+")
"""What stands between breaks, and in them."""

MOST_CELLS_FIT: Final = 0.8
"""Part of the filled cells that says what a column holds."""

_FIRST: Final = timedelta(hours=4)
"""From 4:00 on, hours and minutes are no length of a break."""

_HOURS_OF_DAY: Final = 24
"""Numbers of windows up to it may be hours."""

_EARLY: Final = 6
"""Hours before it, behind a window of a morning, are those of an afternoon."""

_LONGEST_NIGHT: Final = timedelta(hours=12)
"""Windows past midnight, such as 22:00-06:00; longer ones are mistakes."""

_MOST_TOLD: Final = 5
"""Readings that a message names."""

_SHAPE: Final = "must be a window such as 08:00-12:00"
_DAY_NEEDED: Final = (
    "has windows of weekdays: state the day that is planned (day=, --day "
    "monday or 2026-05-04)"
)

Ends = tuple[float | str | None, float | str | None]
"""Opening and closing of a window: numbers, or texts that are times."""


class _Meant(str):
    """An end of a window that a part of the day stands for."""

    __slots__ = ()


class _OnDay(NamedTuple):
    """A window, and the weekdays or the date on which it holds.

    Without both ends any time is good.
    """

    ends: Ends
    days: frozenset[int] | None = None
    date: date | None = None


class Day(NamedTuple):
    """The day that is planned: its weekday, from Monday, 0, and its date."""

    weekday: int
    date: date | None

    def has(self, window: _OnDay) -> bool:
        """Whether a window holds on it."""
        if window.date is not None:
            if self.date is not None:
                return window.date == self.date
            return window.date.weekday() == self.weekday
        return window.days is None or self.weekday in window.days


def day_of(day: str | None) -> Day | None:
    """Return a weekday or a date; other texts raise ``ParameterError``."""
    if day is None:
        return None
    known, text = _weekdays(), str(day).strip()  # perhaps a datetime.date
    if text.lower() in known:
        return Day(known[text.lower()], None)
    try:
        found = date.fromisoformat(text)
        return Day(found.weekday(), found)
    except ValueError:
        raise ParameterError(
            f"day must be a weekday or a date such as 2026-05-04, got {day!r}."
        ) from None


@cache
def _weekdays() -> dict[str, int]:
    names = entry_of("times.weekdays")
    return {
        word: number
        for number, name in enumerate(names)
        for word in phrases_of(f"times.weekdays.{name}")
    }


@cache
def _parts_of_day() -> dict[str, Ends]:
    """Return the window that words such as "morning" stand for."""
    return {
        word: (_Meant(entry["opens"]), _Meant(entry["closes"]))
        for name, entry in entry_of("times.parts").items()
        for word in phrases_of(f"times.parts.{name}")
    }


@cache
def _days_pattern() -> re.Pattern[str]:
    days = "|".join(map(re.escape, sorted(_weekdays(), key=len, reverse=True)))
    to = "|".join(map(re.escape, phrases_of("times.to")))
    text = _DAYS.replace("WORD", days).replace("TO", to)
    return re.compile(text, re.IGNORECASE)


def _unclear_days(
    texts: Iterable[str], title: str, names: str
) -> frozenset[str]:
    """Return the weekdays in cells that may be of several languages.

    They are German below a German name of a column, and beside other German,
    or English, weekdays, or an "Uhr".
    """
    german = map(pieces_of, entry_of(names).get("de", "").split())
    if "".join(pieces_of(title)) in map("".join, german):
        return frozenset()
    words = _words_of(" ".join(texts))
    unclear = words & {*phrases_of("times.unclear_days")}
    entries = [*entry_of("times.weekdays").values()]
    entries += [entry_of("times.o_clock"), entry_of("times.to")]
    clear = {
        word
        for entry in entries
        for language in ("en", "de")
        for word in entry[language].split()
    }
    clear -= unclear | {*phrases_of("times.shared_days")}
    return frozenset() if len(unclear) > 1 or words & clear else unclear


def _words_of(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text.lower()))


def split_windows(
    table: Table,
    columns: Mapping[str, Column],
    problems: Problems,
    day: str | None = None,
    time_unit: str | None = None,
) -> Table:
    """Return a table with columns of both ends for one of whole windows.

    A cell such as 08:00-12:00 is one window, one such as 8-10; 14-16 two, and
    an empty one is none. Of windows of weekdays those of ``day`` count;
    with a ``time_unit`` 8.30 is a number. Breaks become their lengths and
    windows.
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
                states = time_unit is not None or column.unit_in(title)
                ends = _windows_of(
                    table, name, column, day_of(day), has_unit=bool(states)
                )
        cells = {k: v for k, v in table.columns.items() if k != name}
        fields = column.target[: len(ends)]
        cells |= zip(fields, ends, strict=True)
        titles = {**table.titles, **dict.fromkeys(fields, title)}
        table = replace(table, columns=cells, titles=titles)
    return table


def _windows_of(
    table: Table,
    name: str,
    column: Column,
    day: Day | None,
    *,
    has_unit: bool,
) -> list[list[Any]]:
    """Return openings and closings of the first windows, the second, ..."""
    cells, most = table.columns[name], len(column.target) // 2
    texts = [" ".join(str(cell).split()) for cell in cells]
    reader = _Reader(
        table.number,
        has_bare=any(map(_BARE_WINDOW.search, texts)),
        of_visits="shift_start" not in column.target,
        has_unit=has_unit,
    )

    unclear = _unclear_days(texts, table.titles[name], column.words)

    def windows_in(row: int) -> list[tuple[Any, ...]]:
        if is_blank(cells[row]):
            return []
        windows = reader.windows_in(str(cells[row]))
        if windows is None:
            raise table.error(row, name, _SHAPE)
        ends, rule = _ends_on(day, windows)
        unsure = unclear and unclear & _words_of(texts[row])
        if unsure and any(one.days is not None for one in windows):
            rule = f"must have its weekday in full: {min(unsure)} is of two"
            rule += " languages"
        if rule:
            raise table.error(row, name, rule)
        if len(ends) > most:
            rule = f"must have at most {counted(most, 'window')}"
            raise table.error(row, name, rule, UnsupportedProblemError)
        return list(ends)

    rows = _rows_of(table, name, windows_in)
    numbers = [
        end
        for windows in rows
        for pair in windows
        for end in pair
        if isinstance(end, float)
    ]
    states = column.unit_in(table.titles[name]) is not None
    if not states and all(map(_may_be_hours, numbers)):
        rows = [[*reader.hours_of(windows)] for windows in rows]

    def apart_in(row: int) -> list[tuple[Any, ...]]:
        windows = _joined(rows[row])
        if windows is None:
            raise table.error(row, name, _SHAPE)
        return list(windows)

    rows = _rows_of(table, name, apart_in)
    if reader.told:
        named = [f"{text!r} as {way}" for text, way in reader.told.items()]
        more = len(named) - _MOST_TOLD
        named[_MOST_TOLD:] = [f"and {more} more"] if more > 0 else []
        logger.warning(
            "%s: %s: read %s.",
            *(table.source, table.called(name), ", ".join(named)),
        )
    return _apart(rows, 2)


def _ends_on(
    day: Day | None, windows: Sequence[_OnDay]
) -> tuple[list[Ends], str]:
    """Return the windows of a day, and the rule that they break."""
    if day is None and any(one.days is not None for one in windows):
        return [], _DAY_NEEDED
    if day is not None:
        windows = [one for one in windows if day.has(one)]
    if not windows:
        return [], "must have a window on the day that is planned"
    if len({one.days for one in windows} - {None}) > 1:
        return [], "must list the windows of a weekday together"
    ends = [one.ends for one in windows]
    return [] if (None, None) in ends else ends, ""


def _joined(windows: Sequence[tuple[Any, ...]]) -> list[Ends] | None:
    """Return windows of a cell, ``None`` where nobody knows what they mean.

    An opening before a closing, such as after 8 and before 12, are one. Other
    windows without an end, and parts of the day, overlap with none.
    """
    spans = sorted(
        (
            -math.inf if first is None else _moment_of(first),
            math.inf if last is None else _moment_of(last),
        )
        for first, last in windows
    )
    is_clear = not any(
        end is None or isinstance(end, _Meant)
        for ends in windows
        for end in ends
    )
    known = not any(math.isnan(end) for ends in spans for end in ends)
    if len(spans) < 2 or is_clear or not known:
        return list(windows)
    until = spans[0][1]
    is_between = spans[0][0] == -math.inf and spans[-1][1] == math.inf
    if len(spans) == 2 and is_between and spans[1][0] <= until:
        (opening,) = (one for one in windows if one[0] is not None)
        (closing,) = (one for one in windows if one[0] is None)
        return [(opening[0], closing[1])]
    for begin, end in spans[1:]:
        if begin < until:
            return None
        until = max(until, end)
    return list(windows)


def _moment_of(end: float | str) -> float:
    """Return when an end is, to compare it; nan where nothing is known."""
    if isinstance(end, Hours):
        return 3600 * end.hours
    if isinstance(end, float):
        return end
    time = time_of(end, MOMENT)
    if isinstance(time, timedelta):
        return time.total_seconds()
    return math.nan if time is None else time.timestamp()


def _may_be_hours(number: float) -> bool:
    is_hour = number <= _HOURS_OF_DAY and number.is_integer()
    return is_hour or isinstance(number, Hours)


def _breaks_of(table: Table, name: str, most: int) -> list[list[Any]]:
    """Return lengths and both ends of the first breaks, the second, ..."""

    def breaks_in(row: int) -> list[tuple[Any, ...]]:
        cell = str(table.columns[name][row])
        if is_blank(cell):
            return []
        for between in (_LINES, pattern(*_BETWEEN)):
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
    form, time = clock_of(text)
    is_late = form == COLONS and time >= _FIRST
    return is_late or any(map(has_leading_zero, text.split()))


def _one_window(text: str, number: Callable[[str], float]) -> Ends | None:
    """Return the window that a text is, or the time alone, if it is one."""
    reader = _Reader(number, has_bare=_BARE_WINDOW.search(text) is not None)
    windows = reader.ways_of(text)
    if not windows:
        bare = pattern(r"WORD\s+", "at").sub("", text)
        windows = reader.ways_of(f"{bare}-{bare}")
    if len(windows) != 1:
        return None
    numbers = [end for end in windows[0] if isinstance(end, float)]
    if all(map(_may_be_hours, numbers)):
        return reader.in_hours(*windows[0])
    return windows[0]


def _whole_break(
    first: float | str | None, last: float | str | None
) -> tuple[Any, ...] | None:
    """Return the break from one time to another."""
    if isinstance(first, Hours) and isinstance(last, Hours):
        size = last.hours - first.hours
        return (Hours(size, size), first, first) if size > 0 else None
    if isinstance(first, float) and isinstance(last, float):
        return (last - first, first, first) if last > first else None
    begin, end = (
        cast("datetime | None", time_of(each, MOMENT))
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
        windows = _Reader(has_bare=has_bare).ways_of(text)
        several = [
            _Reader().ways_of(part) for part in pattern(*_BETWEEN).split(text)
        ]
        if len(several) > 1 and all(len(ways) == 1 for ways in several):
            windows = several[0]
        if len(windows) == 1:
            numbers = [end for end in windows[0] if isinstance(end, float)]
            if numbers and max(numbers) > _HOURS_OF_DAY:
                return False
            num_windows += with_hours or not numbers
    return num_windows >= max(1, MOST_CELLS_FIT * len(texts))


def _is_any_time(text: str) -> bool:
    return text.strip().lower() in phrases_of("times.any")


@dataclass
class _Reader:
    """Reads cells as windows.

    ``number`` reads numbers. With ``has_bare``, 0800 and 1030 are times of a
    clock; with ``has_unit``, 8.30 is a number. ``of_visits`` says that a
    moment or a part of the day is a window: for a shift it is not. ``told`` is
    what was read otherwise than it stands.
    """

    number: Callable[[str], float] = number_of
    has_bare: bool = False
    of_visits: bool = True
    has_unit: bool = False
    told: dict[str, str] = field(default_factory=dict)
    _read: dict[str, list[_OnDay] | None] = field(default_factory=dict)

    def windows_in(self, cell: str) -> list[_OnDay] | None:
        """Return the windows of a cell, ``None`` where it is something else.

        An empty list says that any time is good. Few cells are different.
        """
        if cell not in self._read:
            self._read[cell] = self._windows_in(cell)
            word = pattern(*_WORKDAYS).search(cell)
            if word is not None and self._read[cell] is not None:
                self.told[word[1]] = "Monday to Friday"
        return self._read[cell]

    def _windows_in(self, cell: str) -> list[_OnDay] | None:
        text = " ".join(cell.split())
        whole = self._window_of(text)
        if whole is not None:
            return whole
        for between in (pattern(*_BETWEEN), _NEXT):
            parts = [part for part in between.split(cell) if part.strip()]
            if between is _NEXT and not all(map(self._has_ends, parts)):
                break
            windows = list(self._windows_of(parts))
            if None not in windows:
                return [one for each in windows for one in each or ()]
        return None

    def _has_ends(self, part: str) -> bool:
        """Whether a text is a window with both ends and nothing else."""
        ways = self.ways_of(_days_of(part)[1])
        return len(ways) == 1 and None not in ways[0]

    def _windows_of(self, parts: list[str]) -> Iterator[list[_OnDay] | None]:
        """Yield the windows of each part; days hold until the next ones."""
        days: frozenset[int] | None = None
        waiting: frozenset[int] = frozenset()
        for part in parts:
            found, rest = _days_of(part.strip())
            if found is not None and not rest and ":" not in part:
                waiting |= found
                yield []
                continue
            if found is not None:
                days, waiting = found | waiting, frozenset()
            elif waiting:
                yield None
                continue
            windows = self._window_of(rest, len(parts) == 1)
            yield (
                None
                if windows is None
                else [one._replace(days=days) for one in windows]
            )
        if waiting:
            yield None

    def _window_of(
        self, text: str, is_whole: bool = True
    ) -> list[_OnDay] | None:
        """Return the one window of a text, with its day or date.

        A moment is one if it is the whole cell: else an end may be missing.
        """
        text = pattern(r"^WORD:?\s+|\s+WORD$", "only").sub("", text.strip())
        days, rest = _days_of(text)
        if days is not None:
            windows = self._window_of(rest, is_whole) if rest else None
            if windows is None or any(one.days for one in windows):
                return None
            return [one._replace(days=days) for one in windows]
        if _is_any_time(text):
            return [_OnDay((None, None))]
        found = self._part_of_day(text)
        if found is None:
            ways = self.ways_of(text)
            found = ways[0] if len(ways) == 1 else None
            if not ways and (dated := self._dated(text)) is not None:
                return [dated]
            if not ways and is_whole:
                found = self._about(text) or self._moment(text)
        return None if found is None else [_OnDay(found)]

    def ways_of(self, text: str) -> list[Ends]:
        """Return the ways to read a text as a window of two times, or one.

        Dates have dashes too.
        """
        text = text.strip()
        for form, key, is_opening in _HALF_WINDOWS:
            match = pattern(form, key).fullmatch(text)
            end = None if match is None else self._end_of(match[1])
            if end is not None:
                return [(end, None) if is_opening else (None, end)]
        dashes = list(pattern(*_DASH).finditer(text))
        start = pattern(r"WORD\s+", "between").match(text)
        if start is not None:
            dashes += pattern(r"\sWORD\s", "and").finditer(text)
        windows: list[Ends] = []
        for dash in dashes:
            first = text[start.end() if start else 0 : dash.start()].strip()
            last = text[dash.end() :].strip()
            suffix = pattern(r"\s*WORD$", "o_clock").search(last)
            if suffix is not None and re.fullmatch(r"\d+([.:]\d\d)?", first):
                first += suffix[0]
            pair = self._alike(self._end_of(first), self._end_of(last))
            if pair is not None:
                windows.append((pair[0], _after_midnight(*pair)))
        return windows

    def _end_of(self, text: str) -> float | str | None:
        text = text.strip()
        if _is_noon(text):
            return "12:00"
        if (half := _HALF_DAY.fullmatch(text.lower())) is not None:
            return f"{half[1]} {half[2]}m"
        form, time = clock_of(text)
        if self.has_bare and form == BARE:
            return f"{text[:2]}:{text[2:]}"
        value = self.number(text)
        if math.isfinite(value) and not has_leading_zero(text):
            if form == DOTS and not self.has_unit:
                return Hours(value, time.total_seconds() / 3600)
            return value
        if form == DOTS:  # beside decimal commas
            return text.replace(".", ":")
        return None if time_of(text, MOMENT) is None else text

    def _alike(
        self, first: float | str | None, last: float | str | None
    ) -> tuple[float | str, float | str] | None:
        """Return both ends as numbers or as times; 8:30-12 ends at 12:00."""
        if first is None or last is None:
            return None
        if _kind_of(first) == _kind_of(last):
            return first, last
        ends = [first, last]
        for this, other in ((0, 1), (1, 0)):
            number, text = ends[this], ends[other]
            if not isinstance(number, float) or isinstance(text, float):
                continue
            if not _may_be_hours(number) or isinstance(number, Hours):
                return None
            form, time = clock_of(text)
            hour = f"{number:g}"
            ways = [f"{hour}:00"]
            if form == HALVES:
                half = "p" if "p" in text.lower() else "a"
                ways = [f"{hour} {half}m", f"{hour} {'ap'[half == 'a']}m"]
            for way in ways:
                clock = clock_of(way)[1]
                if clock <= time if this == 0 else time <= clock:
                    ends[this] = way
                    return ends[0], ends[1]
        return None

    def in_hours(
        self, first: float | str | None, last: float | str | None
    ) -> Ends:
        """Return a window whose numbers count hours where a unit is needed.

        9-5 ends in the afternoon, and 22-6 on the next day.
        """
        opens, closes = (
            end
            if isinstance(end, Hours) or not isinstance(end, float)
            else Hours(end, end)
            for end in (first, last)
        )
        if isinstance(opens, Hours) and isinstance(closes, Hours):
            begin, end = opens.hours, closes.hours
            night = timedelta(hours=end + _HOURS_OF_DAY - begin)
            if end < begin and night <= _LONGEST_NIGHT:
                closes = Hours(closes, end + _HOURS_OF_DAY)
            elif end < begin <= _HOURS_OF_DAY / 2:
                closes = Hours(closes, end + _HOURS_OF_DAY / 2)
                window = _clock(begin), _clock(closes.hours)
                self.told[f"{opens}-{closes}"] = "-".join(window)
        return opens, closes

    def hours_of(self, windows: Iterable[Ends]) -> Iterator[Ends]:
        """Yield the windows of a cell in hours; 8-12, 1-5 ends at 17:00."""
        begin = end = math.nan
        for pair in windows:
            first, last = self.in_hours(*pair)
            if isinstance(first, Hours) and isinstance(last, Hours):
                noon = _HOURS_OF_DAY / 2
                is_early = first.hours < min(begin, _EARLY)
                if is_early and begin < noon and end <= first.hours + noon:
                    given = f"{first}-{last}"
                    first, last = (
                        Hours(each, each.hours + noon)
                        for each in (first, last)
                    )
                    window = _clock(first.hours), _clock(last.hours)
                    self.told[given] = "-".join(window)
                begin, end = first.hours, last.hours
            yield first, last

    def _dated(self, text: str) -> _OnDay | None:
        """Return a window behind a date: its ends are dates with times."""
        match = _DATES.match(text)
        if match is None:
            return None
        year, month, day = match["year"], match["month"], match["day"]
        if year is None:
            year, month, day = match["y"], match["m"], match["d"]
            if match["point"] == "/" and int(day) <= 12 and day != month:
                return None
        ways = self.ways_of(text[match.end() :])
        if len(ways) != 1:
            return None
        try:
            midnight = datetime(int(year), int(month), int(day))
        except ValueError:
            return None
        ends: list[str | None] = []
        for end in ways[0]:
            time = end if end is None else _of_day(end)
            if end is not None and time is None:
                return None
            moment = None if time is None else midnight + time
            ends.append(None if moment is None else moment.isoformat())
        return _OnDay((ends[0], ends[1]), None, midnight.date())

    def _part_of_day(self, text: str) -> Ends | None:
        """Return the window of a word such as "morning", and tell it."""
        ends = _parts_of_day().get(text.lower()) if self.of_visits else None
        if ends is not None:
            self.told[text] = "-".join(cast("tuple[str, str]", ends))
        return ends

    def _about(self, text: str) -> Ends | None:
        """Return a window that is about so, and tell it without the word."""
        match = pattern(*_POINTS[0]).fullmatch(text)
        ways = [] if match is None else self.ways_of(match[1])
        if match is None or len(ways) != 1 or None in ways[0]:
            return None
        self.told[text] = match[1]
        return ways[0]

    def _moment(self, text: str) -> Ends | None:
        """Return the window around a moment, and tell it."""
        if not self.of_visits:
            return None
        moment, minutes = text, float(_TOLERANCES["at"])
        for form, key in _POINTS:
            if (match := pattern(form, key).fullmatch(text)) is not None:
                moment, minutes = match[1], float(_TOLERANCES[key])
                break
        else:
            if (match := _WITHIN.fullmatch(text)) is not None:
                said = time_of(match[2], SERVICE)
                minutes = number_of(match[2])
                if isinstance(said, timedelta):
                    minutes = said.total_seconds() / 60
                moment = match[1]
            elif not _is_noon(text) and (
                clock_of(text)[0] in ("", BARE, DOTS)
            ):
                return None
        end = self._end_of(moment)
        time = None if end is None else _of_day(end)
        if time is None or not 0.0 <= minutes <= 24 * 60:
            return None
        size = timedelta(minutes=minutes)
        opens, closes = max(time - size, timedelta()), time + size
        self.told[text] = f"{_clock_at(opens)}-{_clock_at(closes)}"
        return _clock_at(opens), _clock_at(closes)


def _is_noon(text: str) -> bool:
    return text.lower() in phrases_of("times.noon")


def _days_of(text: str) -> tuple[frozenset[int] | None, str]:
    """Return the weekdays with which a text begins, and the rest."""
    match = pattern(*_WORKDAYS).match(text)
    if match is not None:
        return frozenset(range(5)), text[match.end() :]
    match = _days_pattern().match(text)
    if match is None or (match.end() < len(text) and match[0][-1:].isalpha()):
        return None, text
    known = _weekdays()
    first = known[match[1].lower()]
    last = first if match[2] is None else known[match[2].lower()]
    count = (last - first) % 7 + 1
    days = frozenset((first + step) % 7 for step in range(count))
    return days, text[match.end() :]


def _of_day(end: float | str) -> timedelta | None:
    """Return the time of day that an end is, if it is one."""
    if isinstance(end, float):
        if not _may_be_hours(end):
            return None
        return timedelta(hours=getattr(end, "hours", end))
    time = time_of(end, MOMENT)
    return time if isinstance(time, timedelta) else None


def _clock(hours: float) -> str:
    return _clock_at(timedelta(hours=hours))


def _clock_at(time: timedelta) -> str:
    minutes = round(time.total_seconds() / 60)
    return f"{minutes // 60}:{minutes % 60:02}"


def _kind_of(end: float | str) -> type:
    return type(time_of(end, MOMENT)) if isinstance(end, str) else float


def _after_midnight(first: float | str, last: float | str) -> float | str:
    """Return the end of a window, on the next day where it ends a night."""
    begin, end = (time_of(each, MOMENT) for each in (first, last))
    if isinstance(begin, timedelta) and isinstance(end, timedelta):
        next_day = end + timedelta(days=1)
        if end < begin and next_day - begin <= _LONGEST_NIGHT:
            return _clock_at(next_day)
    return last
