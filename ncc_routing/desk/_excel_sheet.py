"""Sheets of a file of Excel, row by row and without their empty cells.

The rows that openpyxl itself makes reach up to the last cell, of which a sheet
may have 17 billion, and say nothing of merged cells and hidden rows.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, Final

from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._reader import FORMULA_TAG, WorkSheetParser
from openpyxl.xml.constants import (
    ARC_CONTENT_TYPES,
    ARC_STYLE,
    ARC_WORKBOOK,
    ARC_WORKBOOK_RELS,
)

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import MOST_BYTES, MOST_CELLS, require_size

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHEETS: Final = "xl/worksheets/"
_MOST_BYTES_BESIDE: Final = 2**26
"""Bytes of a part that is no sheet: texts, styles."""

_WHOLE_PARTS: Final = (
    ARC_CONTENT_TYPES,
    ARC_STYLE,
    ARC_WORKBOOK,
    ARC_WORKBOOK_RELS,
)
"""Parts that are held whole, element by element."""

_MOST_ROWS: Final = 2**20
"""Rows of a sheet of Excel."""

_MOST_ELEMENTS: Final = 1_000_000
"""Tags of one row, of all that follows the last one, or of a part that is held
whole."""


class Book:
    """A file of Excel; ``titles`` are those of its sheets."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._reader = reader = ExcelReader(
            file, read_only=True, data_only=True, keep_links=False
        )
        # zipfile reads no more than what a part is said to hold.
        for part in reader.archive.infolist():
            is_sheet = part.filename.startswith(_SHEETS)
            most = MOST_BYTES if is_sheet else _MOST_BYTES_BESIDE
            source = f"{file}: {part.filename}"
            require_size(source, part.file_size, most=most)
            if part.filename in _WHOLE_PARTS:
                tags = reader.archive.read(part).count(b"<")
                require_size(source, tags, "elements", _MOST_ELEMENTS)
        reader.read_manifest()
        reader.read_strings()
        reader.read_workbook()
        apply_stylesheet(reader.archive, reader.wb)
        sheets = [
            (sheet.name, relation.target)
            for sheet, relation in reader.parser.find_sheets()
            if "chartsheet" not in relation.Type
        ]
        self._targets = [target for _, target in sheets]
        self.titles = [title for title, _ in sheets]
        self.epoch = reader.wb.epoch
        self.hidden: list[int] = []

    def rows(
        self, place: int
    ) -> Iterator[tuple[int, list[tuple[int, ReadOnlyCell]]]]:
        """Yield number and cells of each row of a sheet, by their columns.

        Rows and cells without anything are left out. ``hidden`` are the
        numbers of its hidden rows so far. Merged cells are refused.
        """
        book, self.hidden = self._reader.wb, []
        parent, last, num_cells = SimpleNamespace(parent=book), 0, 0
        with self._reader.archive.open(self._targets[place]) as stream:
            source = _Metered(self._file, stream)
            parser = _Parser(
                source,
                self._reader.shared_strings,
                data_only=True,
                epoch=self.epoch,
                date_formats=book._date_formats,  # noqa: SLF001
                timedelta_formats=book._timedelta_formats,  # noqa: SLF001
            )
            parser.file = self._file
            for count, (number, cells) in enumerate(parser.parse(), start=1):
                source.elements = 0
                require_size(self._file, count, "rows", _MOST_ROWS)
                if number <= last:
                    raise ValueError("rows must follow one another")
                last = number
                looks = parser.row_dimensions.pop(str(number), {})
                rows = {
                    cell["column"]: ReadOnlyCell(parent, **cell)
                    for cell in cells
                    if cell["value"] not in (None, "")
                }
                if not rows:
                    continue
                num_cells += max(rows)
                require_size(self._file, num_cells, "cells", MOST_CELLS)
                if looks.get("hidden") in ("1", "true"):
                    self.hidden.append(number)
                yield number, sorted(rows.items())
        for merged in (
            parser.merged_cells.mergeCell if parser.merged_cells else ()
        ):
            rule = "are merged, and each row of a table needs its own"
            raise InstanceError(self._file, f"cells {merged.coord}", rule)

    def close(self) -> None:
        self._reader.archive.close()


class _Metered:
    """A stream of XML that ends where one row has too many elements."""

    def __init__(self, file: Path, stream: IO[bytes]) -> None:
        self._file, self._stream = file, stream
        self.elements = 0

    def read(self, size: int = -1) -> bytes:
        content = self._stream.read(size)
        self.elements += content.count(b"<")
        what = "elements in a row"
        require_size(self._file, self.elements, what, _MOST_ELEMENTS)
        return content


class _Parser(WorkSheetParser):  # type: ignore[misc]
    """The parser of openpyxl without empty cells.

    A formula without a value is refused.
    """

    file: Path

    def parse_row(self, row: Any) -> tuple[int, list[dict[str, Any]]]:
        # A cell that does not say its place follows the one before.
        if all("r" in cell.attrib for cell in row):
            row[:] = [cell for cell in row if len(cell) > 0]
        cells: tuple[int, list[dict[str, Any]]] = super().parse_row(row)
        return cells

    def parse_cell(self, element: Any) -> dict[str, Any]:
        cell: dict[str, Any] = super().parse_cell(element)
        if cell["value"] is None and element.find(FORMULA_TAG) is not None:
            name = f"{get_column_letter(cell['column'])}{cell['row']}"
            rule = "holds a formula without a value: save it in Excel"
            raise InstanceError(self.file, f"cell {name}", rule)
        return cell
