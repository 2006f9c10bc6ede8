"""Plans as tables of stops, with the whole result inside or beside them."""

from __future__ import annotations

import logging
import math
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import shortened, with_id
from ncc_routing.core.text_files import is_standard_input, read_text
from ncc_routing.desk.excel import is_excel, read_sheets, sheet_titles
from ncc_routing.desk.fields import PAST
from ncc_routing.desk.routes import STOP_SUFFIXES
from ncc_routing.desk.tables import given_cell, is_missing, split_cells
from ncc_routing.desk.times import time_of
from ncc_routing.desk.workbooks import RESULT, kept_in, table_in
from ncc_routing.problems.routes.timetable import BREAK, KIND

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)

_Lines = list[tuple[int, list[Any]]]
"""Number and cells of each row."""


def is_table_of_stops(file: Path) -> bool:
    """Whether a file has stops in rows, and its result inside or beside."""
    return not is_standard_input(file) and file.suffix.lower() in STOP_SUFFIXES


def has_result(file: Path) -> bool:
    """Whether a workbook has a result in its last sheet."""
    titles = sheet_titles(file)
    if not titles or not titles[-1].startswith(RESULT):
        return False
    return _kept_in(file) is not None


def result_text(file: Path) -> str:
    """Return the JSON of the result in a file that ``solve`` wrote.

    That of a workbook is inside it, that of another table of stops beside it,
    with the suffix .json.

    Raises
    ------
    InstanceError
        If a file is missing or unreadable.
    ParameterError
        If there is no result in it.
    """
    if not is_table_of_stops(file):
        return read_text(file)
    if not is_excel(file):
        read_text(file)  # which names a missing one
        beside = file.with_suffix(".json")
        if not beside.exists():
            raise ParameterError(
                f"{file} has the stops alone, and {beside}, which would have "
                "their problem, does not exist: write it as well (solve "
                f"--also {beside.name}), or write the plan as .xlsx, which "
                "has it inside."
            )
        return read_text(beside)
    text = _kept_in(file)
    if text is not None:
        return text
    raise ParameterError(
        f"{file} is no result: it has no hidden sheet with its problem, as a "
        "workbook of solve --output has."
    )


def _kept_in(file: Path) -> str | None:
    """Return the result in a workbook, ``None`` where none is."""
    for title, lines in zip(
        sheet_titles(file), read_sheets(file), strict=True
    ):
        try:
            text = kept_in(lines)
        except ValueError as error:
            where = f"sheet {title}, which is hidden"
            raise InstanceError(file, where, str(error)) from None
        if text is not None:
            return text
    return None


def require_unchanged(file: Path, written: Path) -> None:
    """Refuse a table of stops that people have changed.

    ``written`` is the file as its result is written. A stop that is another
    one, or none, is an ``InstanceError``; a log line says other cells.
    """
    found, wanted = _tables_of(file), _tables_of(written)
    wrong: list[InstanceError] = []
    others: list[str] = []
    for title, lines in wanted.items():
        where = f"sheet {title}, " if title else ""
        head, *rows = lines
        if title not in found:
            rule = "is missing, or its column kind: it has stops of the plan"
            wrong.append(InstanceError(file, f"sheet {title}", rule))
            continue
        given_head, *given = found[title]
        at = head[1].index("id")
        if "id" not in given_head[1]:
            wrong.append(
                InstanceError(file, f"{where}column id", "is missing")
            )
            continue
        of = given_head[1].index("id")
        pairs = zip_longest(
            _with_ids(head[1], rows), _with_ids(given_head[1], given)
        )
        last = given_head[0]
        for right, one in pairs:
            last = one[0] if one else last + 1
            ids = [_cell(row, k) for row, k in ((right, at), (one, of))]
            place = f"{where}row {last}" if title else f"line {last}"
            if ids[0] != ids[1]:
                rule = f"must be {ids[0]}, the next stop of the plan"
                if not ids[0]:
                    rule = "is no stop of the plan there"
                field = f"{place}, id"
                wrong.append(InstanceError(file, field, rule, ids[1] or None))
                break
            others += [
                f"{with_id(place, ids[0])}, {name}"
                for name in _differences(head[1], right, given_head[1], one)
            ]
    for title in found.keys() - wanted.keys():
        rule = "has stops, and is no sheet of the plan"
        wrong.append(InstanceError(file, f"sheet {title}", rule))
    if wrong:
        first, *more = wrong
        problem = file if is_excel(file) else file.with_suffix(".json")
        first.details = (
            *(f"  also: {each}" for each in more),
            "  undo this, or take it as a start of another plan: solve "
            f"{problem.name} --start {file.name}",
        )
        raise first
    if others:
        names = shortened("; ".join(others))
        logger.warning("%s: changed by hand, and not read: %s.", file, names)


def _tables_of(file: Path) -> dict[str, _Lines]:
    """Return the sheets of stops and of unserved orders, "" of a text."""
    if not is_excel(file):
        lines = split_cells(file, read_text(file))
        return {"": [(number, [*cells]) for number, cells in lines]}
    sheets = zip(sheet_titles(file), read_sheets(file), strict=True)
    found = ((title, table_in(lines, KIND)) for title, lines in sheets)
    return {title: lines for title, lines in found if lines}


def _with_ids(head: list[Any], rows: _Lines) -> _Lines:
    """Return the rows of stops; that of a break had no id in 0.3."""
    at = head.index("id")
    kind = head.index(KIND) if KIND in head else len(head)
    return [
        row
        for row in rows
        if _cell(row, at) and (_cell(row, kind) or _cell(row, at)) != BREAK
    ]


def _cell(row: tuple[int, list[Any]] | None, place: int) -> str:
    """Return a cell as a text, "" where there is none."""
    if row is None or place >= len(row[1]) or is_missing(row[1][place]):
        return ""
    return str(given_cell(row[1][place])).strip()


def _differences(
    head: list[Any],
    right: tuple[int, list[Any]],
    given_head: list[Any],
    given: tuple[int, list[Any]],
) -> list[str]:
    """Return the names of cells of a row that another row has otherwise."""
    names = []
    for place, name in enumerate(head):
        if name not in given_head:
            continue
        cells = _cell(right, place), _cell(given, given_head.index(name))
        if cells[0] != cells[1] and not _are_close(*cells):
            names.append(str(name))
    return names


def _are_close(first: str, second: str) -> bool:
    """Whether texts are the same number, perhaps with a decimal comma."""
    try:
        return math.isclose(float(first), float(second.replace(",", ".")))
    except ValueError:
        time = time_of(first, PAST)
        return time is not None and time == time_of(second, PAST)
