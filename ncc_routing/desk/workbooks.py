"""Workbooks of Excel: sheets of columns, and the plan of a day."""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections import defaultdict
from datetime import datetime, timedelta
from functools import cache
from itertools import chain, count
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ncc_routing.core.extras import require_extra
from ncc_routing.core.text_files import MOST_BYTES, write_bytes
from ncc_routing.desk.fields import PAST
from ncc_routing.desk.times import time_of
from ncc_routing.problems.routes.comparison import (
    difference_lines,
    list_differences,
)
from ncc_routing.problems.routes.summary import (
    list_heads,
    list_routes,
    summarise,
)
from ncc_routing.problems.routes.timetable import (
    ARRIVAL,
    BREAK,
    DEPARTURE,
    KIND,
    ROUTE,
    SERVICE_START,
    VEHICLE_NAME,
    WAITING,
    list_stops,
    list_unserved,
)
from ncc_routing.problems.routes.unserved import unserved_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.comparison import Differences
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved
    from ncc_routing.problems.time_form import TimeForm

OVERVIEW: Final = "overview"
CHANGES: Final = "changes"
"""The first sheets of a plan, which have no stops; the one of changes before
the other, after a plan."""

RESULT: Final = "result"
"""The last sheet, which is hidden."""

_KEPT: Final = "The plan and its problem, for ncc-route replan: do not change"
"""The head of the hidden sheet with the whole result."""

_FIRST: Final = "eJ"
"""How the first cell below it begins."""

_EMPTY: Final = "row {}: is empty, and has a part of the plan"

_PART: Final = 32_000
"""Characters of a cell there."""

_LONGEST_TITLE: Final = 31
_LONGEST_TEXT: Final = 32_767
"""Characters of the title of a sheet, and of a cell."""

_NO_TITLE: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_NO_TEXT: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
)
"""Characters that neither may have."""

_MARKS: Final = ("=", "+", "-", "@")
"""How texts begin that Excel would compute once they are edited."""

_WIDEST: Final = 36
_HEIGHT: Final = 15.0
_HIGHEST: Final = 409.0
"""Characters of the widest column, points of a line and of the highest row."""

_TOP: Final = {"valign": "top"}
_LEFT: Final = (("align", "left"), ("indent", 1))
_RIGHT: Final = (("align", "right"),)
_HAIRLINE: Final = 7
"""How cells look: texts have a gap to the numbers before them."""

_MOMENTS: Final = (
    *(ARRIVAL, SERVICE_START, DEPARTURE, "start", "end"),
    *("time", "time_before"),
)
"""Columns of moments."""

_NUMBERS: Final = {"_min": "0", "_km": "0.0", "cost": "0.00"}
"""Formats of numbers, by how the names of their columns end."""

_LARGEST: Final = 10**15
"""Whole numbers of 16 digits lose the last ones in Excel: they are texts."""


def write_plan(
    file: Path,
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    result: str = "",
    differences: Differences | None = None,
) -> None:
    """Write an overview, a sheet of stops for each vehicle, and the unserved.

    The columns of stops are those of ``problems.routes.timetable.list_stops``,
    those that a driver does not need last; he prints the others. Their head
    says who drives, and what the day takes. A hidden sheet has the text of the
    ``result``, for ``kept_in``. The first one has ``differences`` from the
    plan before, if given.
    """
    form = instance.source.time_form
    stops, num_shown = _for_drivers(list_stops(instance, solution))
    totals = summarise(instance, solution, unserved)
    of_routes = _as_times(list_routes(instance, solution), form)
    lines = [*totals.lines(), *unserved_lines(unserved)]
    sheets = [Sheet(OVERVIEW, of_routes, below=lines)]
    if differences is not None:
        of = totals, solution.cost, unserved
        lines = difference_lines(differences, *of, has_stops=False)
        changed = _as_times(list_differences(instance, differences), form)
        sheets.insert(0, Sheet(CHANGES, changed, below=lines))
    stops = _as_times(stops, form)
    rows_of = defaultdict[int, list[int]](list)
    for row in _by_arrival(stops):
        rows_of[stops[ROUTE][row]].append(row)
    heads = list_heads(instance, solution)
    for number, (title, *head) in enumerate(heads, start=1):
        columns = {
            name: [cells[row] for row in rows_of[number]]
            for name, cells in stops.items()
        }
        sheets.append(Sheet(title, columns, head, num_shown=num_shown))
    if unserved:
        sheets.append(Sheet("unserved", list_unserved(instance, unserved)))
    # In base64 no program changes blanks or signs.
    packed = base64.b64encode(zlib.compress(result.encode())).decode()
    parts = [packed[k : k + _PART] for k in range(0, len(packed), _PART)]
    if result:
        sheets.append(Sheet(RESULT, {_KEPT: parts}, is_hidden=True))
    write_workbook(file, sheets)


def table_in(
    lines: Sequence[tuple[int, list[Any]]], name: str
) -> list[tuple[int, list[Any]]]:
    """Return the rows of a sheet from the one that names a column on.

    There are none where no row does.
    """
    named = (at for at, (_, cells) in enumerate(lines) if name in cells)
    return [*lines[next(named, len(lines)) :]]


def _for_drivers(
    stops: Mapping[str, list[Any]],
) -> tuple[dict[str, list[Any]], int]:
    """Return the columns of stops, the last of them behind, and how many not.

    Whose sheet it is stands in its head, and a service starts at the arrival
    where nobody waits.
    """
    behind = {ROUTE, VEHICLE_NAME}
    if not any(
        any(cells) for n, cells in stops.items() if n.startswith(WAITING)
    ):
        behind |= {name for name in stops if name.startswith(SERVICE_START)}
    shown = [name for name in stops if name not in behind]
    order = [*shown, *(name for name in stops if name in behind)]
    return {name: stops[name] for name in order}, shown.index(KIND)


def _by_arrival(stops: Mapping[str, list[Any]]) -> list[int]:
    """Return the rows, with breaks at a stop behind it."""
    arrivals = (c for name, c in stops.items() if name.startswith(ARRIVAL))
    at: list[Any] = next(arrivals, [None] * len(stops[KIND]))
    order: list[int] = []
    breaks: list[int] = []
    for row, kind in enumerate(stops[KIND]):
        if kind == BREAK:
            breaks.append(row)
            continue
        there = []
        if at[row] is not None:
            there = [one for one in breaks if at[one] > at[row]]
        before = [one for one in breaks if one not in there]
        order += [*before, row, *there]
        breaks = []
    return order + breaks


def _as_times(
    columns: Mapping[str, list[Any]], form: TimeForm
) -> dict[str, list[Any]]:
    """Return moments as Excel has them; a date with an offset stays."""
    if not form.is_clock:
        return {**columns}
    return {
        name: [_as_time(cell) for cell in cells] if name in _MOMENTS else cells
        for name, cells in columns.items()
    }


def _as_time(cell: Any) -> Any:
    time = time_of(cell, PAST)
    return cell if time is None or getattr(time, "tzinfo", None) else time


def place_of_overview(titles: Sequence[str]) -> int | None:
    """Return which sheet of a plan is its overview, ``None`` of others."""
    heads = [OVERVIEW], [CHANGES, OVERVIEW]
    sizes = [len(head) for head in heads if [*titles[: len(head)]] == head]
    return sizes[0] - 1 if sizes else None


def kept_in(lines: Sequence[tuple[int, Sequence[Any]]]) -> str | None:
    """Return the result in the rows of a sheet, ``None`` where none is.

    A ``ValueError`` says what is damaged.
    """
    head = lines[0][1] if lines else ()
    is_part = len(head) == 1 and str(head[0]).startswith(_FIRST)
    if head != [_KEPT] and not is_part:
        return None
    for wanted, (number, _) in enumerate(lines, start=1):
        if number > wanted:
            raise ValueError(_EMPTY.format(wanted))
    packed = "".join(str(cell) for _, cells in lines[1:] for cell in cells)
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(
            base64.b64decode(packed, validate=True), MOST_BYTES
        )
        if unpacking.eof or unpacking.unconsumed_tail:
            return content.decode()
    except (zlib.error, ValueError):
        raise ValueError("is damaged") from None
    raise ValueError(_EMPTY.format(len(lines) + 1))


class Sheet(NamedTuple):
    """A sheet: its title, its columns, and lines above and below these.

    ``num_shown`` columns are printed, 0 for all. Some have ``hints``.
    """

    title: str
    columns: Mapping[str, Sequence[Any]]
    above: Sequence[str] = ()
    below: Sequence[str] = ()
    num_shown: int = 0
    is_hidden: bool = False
    hints: Mapping[str, str] = MappingProxyType({})


def write_workbook(file: Path, sheets: Iterable[Sheet]) -> None:
    """Write sheets.

    Texts stay texts, also those that Excel would compute; times and dates
    become those of Excel. Titles become valid and different.

    Raises
    ------
    MissingDependencyError
        If XlsxWriter is not installed.
    NccRoutingError
        If the file cannot be written.
    """
    require_extra("xlsxwriter")
    from xlsxwriter import Workbook

    content = io.BytesIO()
    with Workbook(content) as book:
        looks = cache(lambda *facts: book.add_format({**_TOP, **dict(facts)}))
        ruled = book.add_format({"bottom": _HAIRLINE})
        bold = looks(("bold", True))
        taken: set[str] = {"history"}  # Excel keeps this title
        for one in sheets:
            sheet = book.add_worksheet(_title(one.title, taken))
            if one.is_hidden:
                sheet.hide()
            top = len(one.above)
            for number, line in enumerate(one.above):
                sheet.write_string(number, 0, _text(line), bold)
            _lay_out(sheet, one, ruled)
            for column, (name, cells) in enumerate(one.columns.items()):
                side = _RIGHT if _has_numbers(cells) else _LEFT
                head = looks(("bold", True), *side)
                sheet.write_string(top, column, _text(name), head)
                if name in one.hints:
                    sheet.write_comment(top, column, one.hints[name])
            more = [[], *([line] for line in one.below)] if one.below else []
            numbers = [*map(_form_of_numbers, one.columns)]
            rows = chain(zip(*one.columns.values(), strict=True), more)
            for number, row in enumerate(rows, start=top + 1):
                _write_row(sheet, number, row, numbers, looks)
    write_bytes(file, content.getvalue())


def _title(given: str, taken: set[str]) -> str:
    """Return a valid title of a sheet that none of ``taken`` has."""
    base = _NO_TITLE.sub(" ", given).strip(" '")[:_LONGEST_TITLE].strip(" '")
    title = base = base or "sheet"
    for number in count(2):
        if title.casefold() not in taken:
            break
        end = f" ({number})"
        title = base[: _LONGEST_TITLE - len(end)] + end
    taken.add(title.casefold())
    return title


def _lay_out(sheet: Worksheet, one: Sheet, ruled: Format) -> None:
    top, size = len(one.above), 0
    for place, (name, cells) in enumerate(one.columns.items()):
        texts = (str(value) for value in cells if value is not None)
        width = max(map(len, texts), default=0) + len(_form_of_numbers(name))
        width = min(max(width, len(name)), _WIDEST) + 2
        sheet.set_column(place, place, width)
        size = len(cells)
    whole = top, 0, top + size, max(0, len(one.columns) - 1)
    sheet.conditional_format(*whole, {"type": "no_errors", "format": ruled})
    sheet.freeze_panes(top + 1, 0)
    sheet.repeat_rows(top)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.7)
    sheet.set_footer("&L&A&R&P / &N")
    if one.num_shown:
        sheet.print_area(0, 0, top + size, one.num_shown - 1)


def _has_numbers(cells: Iterable[object]) -> bool:
    return any(
        isinstance(cell, int | float | datetime | timedelta) for cell in cells
    )


def _form_of_numbers(name: str) -> str:
    """Return the format of the numbers of a column: minutes, km, money."""
    ends = (end for end in _NUMBERS if name.endswith(end))
    return _NUMBERS.get(next(ends, ""), "")


def _write_row(
    sheet: Worksheet,
    number: int,
    row: Sequence[object],
    numbers: Sequence[str],
    looks: Callable[..., Format],
) -> None:
    """Write what Excel shows as the values; nothing for an empty text."""
    texts = [value for value in row if isinstance(value, str)]
    lines = max(map(_num_lines, texts), default=1)
    if len(row) > 1 and lines > 1:
        sheet.set_row(number, min(_HEIGHT * lines, _HIGHEST))
    side = _LEFT if len(row) > 1 else ()
    for place, value in enumerate(row):
        # Not a number is not less either.
        if isinstance(value, int | float) and not abs(value) < _LARGEST:
            value = str(value)
        if isinstance(value, datetime | timedelta):
            form = looks(("num_format", _form_of_time(value)))
            sheet.write_datetime(number, place, value, form)
        elif type(value) in (int, float) and numbers[place]:
            form = looks(("num_format", numbers[place]))
            sheet.write_number(number, place, value, form)
        elif not isinstance(value, str):
            sheet.write(number, place, value, looks())
        elif value:
            is_long = len(row) > 1 and (len(value) > _WIDEST or "\n" in value)
            wrapped = (("text_wrap", True),) * is_long
            quoted = (("quote_prefix", True),) * value.startswith(_MARKS)
            form = looks(*quoted, *wrapped, *side)
            sheet.write_string(number, place, _text(value), form)


def _num_lines(text: str) -> int:
    """Return how many lines a text takes in the widest column."""
    return sum(len(wrap(line, _WIDEST + 4)) or 1 for line in text.split("\n"))


def _form_of_time(value: datetime | timedelta) -> str:
    if isinstance(value, datetime):
        return "yyyy-mm-dd hh:mm" + ":ss" * (value.second > 0)
    hours = "[hh]" if value >= timedelta(days=1) else "hh"
    return f"{hours}:mm" + ":ss" * (value.seconds % 60 > 0)


def _text(value: str) -> str:
    return _NO_TEXT.sub("\ufffd", value)[:_LONGEST_TEXT]
