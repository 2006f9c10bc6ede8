"""Tables in files of Excel, as cells."""

from __future__ import annotations

import logging
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.extras import require_extra
from ncc_routing.core.text import shortened
from ncc_routing.core.text_files import EXCEL_SUFFIX
from ncc_routing.io.arrays import refusing_damage

if TYPE_CHECKING:
    import os

logger = logging.getLogger(__name__)

_FIRST_DATES: Final = 60
"""Days from 1900 on of a number that is no date but hours: 25:00 is 1.04."""


def is_excel(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one of Excel, by its suffix."""
    return Path(path).suffix.lower() == EXCEL_SUFFIX


def read_cells(
    file: Path, place: int | None = None
) -> list[tuple[int, list[Any]]]:
    """Return number and cells of each row of a sheet but empty ones.

    It is the first one unless a ``place`` is given. Empty cells at the end of
    a row are left out, ``None`` stands for others. Formulas are their values
    as saved. Warnings name hidden rows and other sheets.

    Raises
    ------
    InstanceError
        If it is no such file or too large, cells are merged, or a formula has
        no value.
    MissingDependencyError
        If openpyxl is not installed.
    """
    require_extra("openpyxl")
    from ncc_routing.io._excel_sheet import Sheet

    lines: list[tuple[int, list[Any]]] = []
    with (
        refusing_damage(file, "is not an Excel file (.xlsx)"),
        closing(Sheet(file, place or 0)) as sheet,
    ):
        for number, cells in sheet.rows():
            line: list[Any] = []
            for column, cell in cells:
                value = _value_of(cell, sheet.epoch)
                if value != "":
                    line += [None] * (column - 1 - len(line))
                    line.append(value)
            if line:
                lines.append((number, line))
    if place is None and len(sheet.titles) > 1:
        names = ", ".join(sheet.titles[1:])
        logger.warning("%s: sheets not read: %s.", file, names)
    if sheet.hidden:
        numbers = shortened(", ".join(map(str, sheet.hidden)))
        logger.warning("%s: hidden rows are read too: %s.", file, numbers)
    return lines


def sheet_titles(file: Path) -> list[str]:
    """Return the titles of all sheets, as ``read_cells`` reads the file."""
    require_extra("openpyxl")
    from ncc_routing.io._excel_sheet import Sheet

    with (
        refusing_damage(file, "is not an Excel file (.xlsx)"),
        closing(Sheet(file)) as sheet,
    ):
        return sheet.titles


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
