"""Workbooks of Excel: sheets of columns, and the plan of a day."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.extras import require_extra
from ncc_routing.core.text_files import write_bytes
from ncc_routing.problems.summary import list_routes, summarise
from ncc_routing.problems.timetable import (
    ROUTE,
    list_stops,
    list_unserved,
    route_titles,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.problems.unserved import Unserved

OVERVIEW: Final = "overview"
"""The first sheet of a plan, which has no stops."""

_LONGEST_TITLE: Final = 31
_LONGEST_TEXT: Final = 32_767
"""Characters of the title of a sheet, and of a cell."""

_NO_TITLE: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_NO_TEXT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that neither may have."""

_WIDEST: Final = 40
"""Characters of the widest column."""

_LARGEST_EXACT: Final = 10**15
"""Whole numbers of 16 digits lose the last ones in Excel."""


def write_plan(
    file: Path,
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
) -> None:
    """Write an overview, a sheet of stops for each vehicle, and the unserved.

    The columns of stops are those of ``problems.timetable.list_stops``.
    """
    stops = list_stops(instance, solution)
    titles = route_titles(instance, solution)
    sheets: list[tuple[str, Mapping[str, Sequence[Any]]]] = [
        (OVERVIEW, list_routes(instance, solution))
    ]
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
    lines = summarise(instance, solution, unserved).lines()
    write_workbook(file, sheets, below_first=lines)


def write_workbook(
    file: Path,
    sheets: Iterable[tuple[str, Mapping[str, Sequence[Any]]]],
    below_first: Sequence[str] = (),
) -> None:
    """Write sheets, each with a title and columns, and lines in the first one.

    Texts stay texts, also those that Excel would compute. Titles become valid
    and different.

    Raises
    ------
    MissingDependencyError
        If openpyxl is not installed.
    NccRoutingError
        If the file cannot be written.
    """
    require_extra("openpyxl")
    from openpyxl import Workbook

    book = Workbook(write_only=True)  # keeps no cells
    taken: set[str] = {"history"}  # Excel keeps this title
    below = [[], *([line] for line in below_first)] if below_first else []
    for title, columns in sheets:
        _fill(book.create_sheet(_title(title, taken)), columns, below)
        below = []
    content = io.BytesIO()
    book.save(content)
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


def _fill(
    sheet: WriteOnlyWorksheet,
    columns: Mapping[str, Sequence[Any]],
    below: Iterable[Sequence[str]],
) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    for place, (name, cells) in enumerate(columns.items(), start=1):
        texts = (str(value) for value in cells if value is not None)
        width = max(map(len, texts), default=0)
        letter = get_column_letter(place)
        width = min(max(width, len(name)), _WIDEST) + 2
        sheet.column_dimensions[letter].width = width
    sheet.freeze_panes = "A2"
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    head, bold = [_text(sheet, name) for name in columns], Font(bold=True)
    for cell in head:
        cell.font = bold
    sheet.append(head)
    for row in chain(zip(*columns.values(), strict=True), below):
        sheet.append([_cell(sheet, value) for value in row])


def _cell(sheet: WriteOnlyWorksheet, value: object) -> object:
    """Return what Excel shows as the value; nothing for an empty text."""
    if isinstance(value, int) and abs(value) >= _LARGEST_EXACT:
        value = str(value)
    if not isinstance(value, str):
        return value
    return _text(sheet, value) if value else None


def _text(sheet: WriteOnlyWorksheet, value: str) -> WriteOnlyCell:
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, _NO_TEXT.sub("\ufffd", value)[:_LONGEST_TEXT])
    cell.data_type = "s"
    if value[:1] in "=+-@":
        cell.quotePrefix = True
    return cell
