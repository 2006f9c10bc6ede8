"""Tables in files of Excel, as cells."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.printable import shortened
from ncc_routing.io.arrays import refusing_damage

if TYPE_CHECKING:
    import os

logger = logging.getLogger(__name__)

EXCEL_SUFFIX: Final = ".xlsx"

_FIRST_DATES: Final = 60
"""Days from 1900 on of a number that is no date but hours: 25:00 is 1.04."""


def is_excel(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of Excel, by its suffix."""
    return Path(path).suffix.lower() == EXCEL_SUFFIX


def read_cells(file: Path) -> list[tuple[int, list[Any]]]:
    """Return number and cells of each row of the first sheet but empty ones.

    Empty cells at the end of a row are left out, ``None`` stands for others.
    Formulas are their values as saved. Warnings name hidden rows and other
    sheets.

    Raises
    ------
    InstanceError
        If it is no such file, cells are merged, or a formula has no value.
    MissingDependencyError
        If openpyxl is not installed.
    """
    require_extra("openpyxl")
    from openpyxl import load_workbook

    with refusing_damage(file, "is no file of Excel (.xlsx)"):
        book = load_workbook(file)
        sheet, *others = book.worksheets
        cells = _cells_of(sheet)
        formulas = [place for place in cells if cells[place].data_type == "f"]
        if formulas:
            saved = load_workbook(file, data_only=True).worksheets[0]
            for place in formulas:
                name = cells[place].coordinate
                cells[place] = saved[name]
                if cells[place].value is None:
                    rule = "holds a formula without a value: save it in Excel"
                    raise InstanceError(file, f"cell {name}", rule)
        for merged in sheet.merged_cells.ranges:
            rule = "are merged, and each row of a table needs its own"
            raise InstanceError(file, f"cells {merged.coord}", rule)
        lines: dict[int, list[Any]] = {}
        for (row, column), cell in sorted(cells.items()):
            value = _value_of(cell, book.epoch)
            if value not in (None, ""):
                line = lines.setdefault(row, [])
                line += [None] * (column - 1 - len(line))
                line.append(value)
    if others:
        names = ", ".join(each.title for each in others)
        logger.warning("%s: sheets not read: %s.", file, names)
    hidden = [row for row in lines if sheet.row_dimensions[row].hidden]
    if hidden:
        numbers = shortened(", ".join(map(str, hidden)))
        logger.warning("%s: hidden rows are read too: %s.", file, numbers)
    return list(lines.items())


def _cells_of(sheet: Any) -> dict[tuple[int, int], Any]:
    """Return the cells that a file holds by row and column.

    Asked for its rows, openpyxl makes all cells up to the last one, of which
    a sheet may have 17 billion.
    """
    return dict(sheet._cells)  # noqa: SLF001


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
