"""Tables in files of Excel, as cells."""

from __future__ import annotations

import logging
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.extras import require_extra
from ncc_routing.core.text import shortened
from ncc_routing.core.text_files import EXCEL_SUFFIX
from ncc_routing.io.arrays import refusing_damage

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from ncc_routing.desk._excel_sheet import Book

logger = logging.getLogger(__name__)

Lines = list[tuple[int, list[Any]]]
"""Number and cells of each row."""

_FIRST_DATES: Final = 60
"""Days from 1900 on of a number that is no date but hours: 25:00 is 1.04."""


def is_excel(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of Excel, by its suffix."""
    return Path(path).suffix.lower() == EXCEL_SUFFIX


def read_cells(file: Path) -> Lines:
    """Return the rows of the first sheet, as ``read_cells_beside``."""
    return read_cells_beside(file, lambda _: False)[0]


def read_cells_beside(
    file: Path, is_other: Callable[[str], bool]
) -> tuple[Lines, dict[str, Lines]]:
    """Return number and cells of each row of the first sheet but empty ones.

    Empty cells at the end of a row are left out, ``None`` stands for others.
    Formulas are their values as saved. Warnings name hidden rows and other
    sheets. Those whose titles say that they have other things are not the
    first one, if there is one without, and follow by their titles.

    Raises
    ------
    InstanceError
        If it is no such file or too large, cells are merged, or a formula has
        no value.
    MissingDependencyError
        If openpyxl is not installed.
    """
    with _opened(file) as book:
        places = range(len(book.titles))
        others = [at for at in places if is_other(book.titles[at])]
        first = min({*places}.difference(others), default=0)
        beside = {
            book.titles[at]: rows
            for at in others
            if at != first and (rows := _lines_of(file, book, at))
        }
        lines = _lines_of(file, book, first)
        unread = [
            title
            for at, title in enumerate(book.titles)
            if at != first and title not in beside
        ]
        if unread:
            names = ", ".join(unread)
            logger.warning("%s: sheets not read: %s.", file, names)
    return lines, beside


def sheet_titles(file: Path) -> list[str]:
    """Return the titles of all sheets, as ``read_cells`` reads the file."""
    with _opened(file) as book:
        return book.titles


def read_sheets(file: Path) -> Iterator[list[tuple[int, list[Any]]]]:
    """Yield the rows of each sheet, as ``read_cells`` those of the first."""
    with _opened(file) as book:
        for place in range(len(book.titles)):
            yield _lines_of(file, book, place)


@contextmanager
def _opened(file: Path) -> Iterator[Book]:
    require_extra("openpyxl")
    from ncc_routing.desk._excel_sheet import Book

    with (
        refusing_damage(file, "is not an Excel file (.xlsx)"),
        closing(Book(file)) as book,
    ):
        yield book


def _lines_of(
    file: Path, book: Book, place: int
) -> list[tuple[int, list[Any]]]:
    lines: list[tuple[int, list[Any]]] = []
    for number, cells in book.rows(place):
        line: list[Any] = []
        for column, cell in cells:
            value = _value_of(cell, book.epoch)
            if value != "":
                line += [None] * (column - 1 - len(line))
                line.append(value)
        if line:
            lines.append((number, line))
    if book.hidden:
        numbers = shortened(", ".join(map(str, book.hidden)))
        logger.warning("%s: hidden rows are read too: %s.", file, numbers)
    return lines


def _value_of(cell: Any, epoch: datetime) -> Any:
    """Return a value as Excel shows it; a day without an hour is a date."""
    from openpyxl.utils.datetime import to_excel

    value = cell.value
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, datetime):
        days = to_excel(value, epoch)
        if days < _FIRST_DATES:
            return timedelta(seconds=round(86400 * days))
        if "h" not in cell.number_format.lower():
            return value.date()
    return value
