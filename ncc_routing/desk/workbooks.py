"""Workbooks of Excel: sheets of columns, and the plan of a day."""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections import defaultdict
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.extras import require_extra
from ncc_routing.core.text_files import MOST_BYTES, write_bytes
from ncc_routing.problems.routes.comparison import (
    difference_lines,
    list_differences,
)
from ncc_routing.problems.routes.summary import list_routes, summarise
from ncc_routing.problems.routes.timetable import (
    ROUTE,
    list_stops,
    list_unserved,
    route_titles,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.comparison import Differences
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved

OVERVIEW: Final = "overview"
CHANGES: Final = "changes"
"""The first sheets of a plan, which have no stops; the one of changes before
the other, after a plan."""

RESULT: Final = "result"
"""The last sheet, which is hidden."""

_KEPT: Final = "The plan and its problem, for ncc-route replan: do not change"
"""The head of the hidden sheet with the whole result."""

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

_WIDEST: Final = 40
"""Characters of the widest column."""

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

    The columns of stops are those of ``problems.routes.timetable.list_stops``.
    A hidden sheet has the text of the ``result``, for ``kept_in``. The first
    one has ``differences`` from the plan before, if given.
    """
    stops = list_stops(instance, solution)
    titles = route_titles(instance, solution)
    totals = summarise(instance, solution, unserved)
    sheets: list[tuple[str, Mapping[str, Sequence[Any]]]] = [
        (OVERVIEW, list_routes(instance, solution))
    ]
    lines = [totals.lines()]
    if differences is not None:
        sheets.insert(0, (CHANGES, list_differences(instance, differences)))
        of = totals, solution.cost, unserved
        lines.insert(0, difference_lines(differences, *of, has_stops=False))
    rows_of = defaultdict[int, list[int]](list)
    for row, number in enumerate(stops[ROUTE]):
        rows_of[number].append(row)
    for number, title in enumerate(titles, start=1):
        rows = rows_of[number]
        columns = {
            name: [cells[row] for row in rows] for name, cells in stops.items()
        }
        sheets.append((title, columns))
    if unserved:
        sheets.append(("unserved", list_unserved(instance, unserved)))
    # In base64 no program changes blanks or signs.
    packed = base64.b64encode(zlib.compress(result.encode())).decode()
    parts = [packed[k : k + _PART] for k in range(0, len(packed), _PART)]
    hidden = [(RESULT, {_KEPT: parts})] if result else []
    write_workbook(file, sheets, below=lines, hidden=hidden)


def place_of_overview(titles: Sequence[str]) -> int | None:
    """Return which sheet of a plan is its overview, ``None`` of others."""
    heads = [OVERVIEW], [CHANGES, OVERVIEW]
    sizes = [len(head) for head in heads if [*titles[: len(head)]] == head]
    return sizes[0] - 1 if sizes else None


def kept_in(lines: Sequence[tuple[int, Sequence[Any]]]) -> str | None:
    """Return the result in the rows of a sheet, ``None`` where none is.

    A ``ValueError`` is raised for one that is damaged.
    """
    if not lines or lines[0][1] != [_KEPT]:
        return None
    packed = "".join(str(cell) for _, cells in lines[1:] for cell in cells)
    try:
        content = zlib.decompressobj().decompress(
            base64.b64decode(packed, validate=True), MOST_BYTES
        )
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return content.decode()


def write_workbook(
    file: Path,
    sheets: Iterable[tuple[str, Mapping[str, Sequence[Any]]]],
    below: Sequence[Sequence[str]] = (),
    hidden: Sequence[tuple[str, Mapping[str, Sequence[Any]]]] = (),
) -> None:
    """Write sheets, each with a title and columns.

    Texts stay texts, also those that Excel would compute. Titles become valid
    and different. ``below`` has the lines below each of the first sheets.
    Those ``hidden`` come last.

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
        bold = book.add_format({"bold": True})
        quoted = book.add_format({"quote_prefix": True})
        taken: set[str] = {"history"}  # Excel keeps this title
        shown = [*sheets]
        for place, (title, columns) in enumerate([*shown, *hidden]):
            sheet = book.add_worksheet(_title(title, taken))
            if place >= len(shown):
                sheet.hide()
            _lay_out(sheet, columns)
            for column, name in enumerate(columns):
                sheet.write_string(0, column, _text(name), bold)
            lines = below[place] if place < len(below) else ()
            more = [[], *([line] for line in lines)] if lines else []
            rows = chain(zip(*columns.values(), strict=True), more)
            for number, row in enumerate(rows, start=1):
                _write_row(sheet, number, row, quoted)
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


def _lay_out(sheet: Worksheet, columns: Mapping[str, Sequence[Any]]) -> None:
    for place, (name, cells) in enumerate(columns.items()):
        texts = (str(value) for value in cells if value is not None)
        width = max(map(len, texts), default=0)
        width = min(max(width, len(name)), _WIDEST) + 2
        sheet.set_column(place, place, width)
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def _write_row(
    sheet: Worksheet, number: int, row: Sequence[object], quoted: Format
) -> None:
    """Write what Excel shows as the values; nothing for an empty text."""
    for place, value in enumerate(row):
        # Not a number is not less either.
        if isinstance(value, int | float) and not abs(value) < _LARGEST:
            value = str(value)
        if not isinstance(value, str):
            sheet.write(number, place, value)
        elif value.startswith(_MARKS):
            sheet.write_string(number, place, _text(value), quoted)
        elif value:
            sheet.write_string(number, place, _text(value))


def _text(value: str) -> str:
    return _NO_TEXT.sub("\ufffd", value)[:_LONGEST_TEXT]
