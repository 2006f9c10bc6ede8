"""Tables with named columns, from CSV, JSON, data frames and mappings."""

from __future__ import annotations

import csv
import io
import json
import logging
import math
import os
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import time, timedelta
from functools import cache
from itertools import chain
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Protocol,
    TypeAlias,
    TypeGuard,
    TypeVar,
)

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.text import (
    counted,
    may_be_number,
    number_of,
    shortened,
    unique_keys,
    with_id,
)
from ncc_routing.core.text_files import (
    EXCEL_SUFFIX,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_LENGTHS,
    describe_value,
    name_of,
    read_text,
    require_path,
    require_size,
)
from ncc_routing.desk.excel import is_excel, read_cells_beside
from ncc_routing.desk.fields import (
    CUSTOMER_COLUMNS,
    VEHICLE_COLUMNS,
    field_of,
    pieces_of,
)
from ncc_routing.desk.words import words_of
from ncc_routing.problems.given_columns import GivenCell, GivenColumn
from ncc_routing.problems.values import LARGEST_WHOLE

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from ncc_routing.desk.collecting import Problems

Entry = TypeVar("Entry")

TABLE_SUFFIXES: Final = (".csv", ".tsv", ".json", EXCEL_SUFFIX)
"""Files of these kinds hold a table."""

_DELIMITERS: Final = (";", "\t", ",", "|")
"""What may stand between the cells of a line, the surest sign first."""

_STATED: Final = re.compile(r"sep=([;\t,|])", re.IGNORECASE)
"""The first line of a file of Excel that says what separates its cells."""

_OTHER: Final = {"customers": "vehicles", "vehicles": "customers"}
"""Keys of lists in JSON, neither of which stands for the other one."""

THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+", re.ASCII)
"""A number whose points may part thousands."""

_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d+,\d+(\s*[^\W\d_].*)?", re.ASCII)
_POINT: Final = re.compile(r"[+-]?\d+\.\d+(\s*[^\W\d_].*)?", re.ASCII)
_SURE_COMMA: Final = re.compile(
    r"[+-]?(\d+,(\d{1,2}|\d{4,})|\d{4,},\d+)(\s*[^\W\d_].*)?", re.ASCII
)


logger = logging.getLogger(__name__)

_NAME_MARKS: Final = re.compile(r"[;,|]")
"""What stands between several names in one cell."""

_SEVERAL: Final = (list, tuple, set, frozenset, Mapping)
"""What no cell of a text or a number may be."""

LONGEST_CELL: Final = 500
"""Characters of a cell with numbers, times or dates."""

_MOST_TITLES: Final = 10
"""Rows that may stand above the names of the columns."""

_TOTAL_ERROR: Final = 1e-3
"""How far a total may be rounded."""

_MOST_ROWS_SAID: Final = 5
"""Further rows that a message about a column names."""


class Frame(Protocol):
    """Columns by name, as in a DataFrame of pandas or polars."""

    @property
    def columns(self) -> Any:
        """Names of the columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """Return a column."""


TableSource: TypeAlias = (
    Frame | Mapping[str, Any] | Sequence[Mapping[str, Any]]
)
"""A table in memory: columns by name, or rows."""

Line = tuple[int, list[str]]
"""Number and cells of a line that is neither empty nor a comment."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length by their names in lower case.

    Cells from a CSV file are texts. ``places`` says where each row stands
    ("line 3"), ``extras`` what JSON says beside the table, ``titles`` what
    the file calls a column that has another name here. Between semicolons,
    numbers may have decimal commas. ``given`` are the titles as given.
    """

    source: str
    name: str
    columns: dict[str, list[Any]]
    places: list[str]
    extras: dict[str, Any] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    has_semicolons: bool = False
    has_decimal_commas: bool = False
    given: dict[str, str] = field(default_factory=dict)

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self.places)

    def find(self, names: Sequence[str]) -> str | None:
        """Return the one column that has one of the names, refusing two."""
        given = [name for name in names if name in self.columns]
        if len(given) > 1:
            rule = f"the columns {' and '.join(given)} name the same field"
            raise InstanceError(self.source, "columns", rule)
        return given[0] if given else None

    def require(self, names: Sequence[str]) -> str:
        """Return the one column that has one of the names, refusing none."""
        column = self.find(names)
        if column is None:
            rule = f"there must be one of {', '.join(names)}"
            raise InstanceError(self.source, "columns", rule)
        return column

    def numbers(self, column: str, blank: float | None = None) -> np.ndarray:
        """Return finite float64 cells; empty ones are ``blank`` or refused."""
        values = np.array(
            [
                blank if blank is not None and is_blank(cell) else number
                for cell, number in zip(
                    self.columns[column],
                    map(self.number, self.columns[column]),
                    strict=True,
                )
            ],
            dtype=float,
        )
        is_wrong = ~np.isfinite(values)
        if blank is not None:
            is_wrong &= ~np.array(list(map(is_blank, self.columns[column])))
        wrong = [self.columns[column][row] for row in np.flatnonzero(is_wrong)]
        rule = "must be a finite number"
        if self.has_decimal_commas and any("." in str(cell) for cell in wrong):
            rule += " without points, as the table has decimal commas"
        self.refuse(is_wrong, column, rule)
        return values

    def number(self, cell: object) -> float:
        """Return the number of a cell, nan where it holds none."""
        if not isinstance(cell, str):
            return _number(cell)
        if self.has_decimal_commas:
            cell = decimal_point(cell)
        return number_of(cell)

    def error(
        self,
        row: int,
        column: str,
        rule: str,
        kind: type[InstanceError] = InstanceError,
    ) -> InstanceError:
        """Return the error about a cell, to be raised."""
        cell = self.columns[column][row]
        where = f"{self.where(row)}, {self.called(column)}"
        shown = None if is_missing(cell) else str(cell)
        return kind(self.source, where, rule, shown)

    def refuse(
        self,
        is_wrong: ArrayLike,
        column: str,
        rule: str,
        kind: type[InstanceError] = InstanceError,
        options: tuple[str, ...] = (),
    ) -> None:
        """Refuse some rows, of which each says if it is wrong."""
        wrong = np.flatnonzero(is_wrong).tolist()
        if not wrong:
            return
        error = self.error(wrong[0], column, rule, kind)
        cells = self.columns[column]
        more = [
            f"{self.places[row]} ({shortened(text_of(cells[row]), 24)})"
            for row in wrong[1 : _MOST_ROWS_SAID + 1]
        ]
        if len(wrong) > _MOST_ROWS_SAID + 1:
            more.append(f"{len(wrong) - 1 - _MOST_ROWS_SAID} more")
        if more:
            error.details = (f"  likewise {', '.join(more)}",)
        error.options = options
        raise error

    def read_rows(
        self, column: str, read: Callable[[int], Entry], problems: Problems
    ) -> list[Entry | None]:
        """Return what each row says, and collect what is wrong by rules."""
        values: list[Entry | None] = [None] * self.num_rows
        wrong: dict[tuple[Any, ...], list[int]] = {}
        for row in range(self.num_rows):
            try:
                values[row] = read(row)
            except InstanceError as error:
                what = error.rule, type(error), error.options
                wrong.setdefault(what, []).append(row)
        for what, rows in wrong.items():
            with problems.collected():
                is_wrong = np.isin(np.arange(self.num_rows), rows)
                self.refuse(is_wrong, column, *what)
        return values

    def lookup(
        self,
        column: str,
        known: Mapping[str, Entry],
        rule: str,
        blank: Entry | None = None,
        takes_blank: bool = True,
        fold: Callable[[str], str] = str,
    ) -> list[Entry]:
        """Return what the text in each cell stands for, as ``fold`` makes it.

        ``rule`` is that of the texts which nothing is known of, ``blank`` what
        an empty cell stands for.
        """
        texts = list(map(fold, self.texts(column)))
        is_wrong = [
            text not in known and not (takes_blank and is_blank(text))
            for text in texts
        ]
        self.refuse(is_wrong, column, rule)
        return [known.get(text, blank) for text in texts]  # type: ignore[misc]

    def called(self, column: str) -> str:
        """Return the name of a column in the file, for messages."""
        return f"column {self.titles.get(column, column)}"

    def take(self, rows: Sequence[int]) -> Table:
        """Return a table of some rows, in their order."""
        columns = {
            name: [cells[row] for row in rows]
            for name, cells in self.columns.items()
        }
        places = [self.places[row] for row in rows]
        return replace(self, columns=columns, places=places)

    def where(self, row: int) -> str:
        """Return the place of a row, with the id of a known column."""
        for column in ("id", "vehicle"):
            if column in self.titles:
                cell = self.columns[column][row]
                if not is_missing(cell):
                    return with_id(self.places[row], text_of(cell))
        return self.places[row]

    def beside(self, purpose: str) -> Table | None:
        """Return the table beside this one, ``None`` where none is."""
        content = self.extras.get(purpose)
        if content is None or isinstance(content, Table):
            return content
        return _from_content(f"{self.source}: {purpose}", purpose, content)

    def refuse_extras(self, known: Sequence[str], beside: str) -> None:
        """Refuse what JSON says beside the table and no reader knows."""
        for key in self.extras:
            if key not in known:
                rule = (
                    f"is not known beside {beside}; known: {', '.join(known)}"
                )
                raise InstanceError(self.source, key, rule)

    def given_columns(
        self, titles: Container[str], rows: Sequence[int]
    ) -> tuple[GivenColumn, ...]:
        """Return columns as given, of some rows; -1 is one without cells."""
        return tuple(
            GivenColumn(
                self.given.get(name, name),
                tuple(
                    None if row < 0 else given_cell(cells[row]) for row in rows
                ),
            )
            for name, cells in self.columns.items()
            if name in titles
        )

    def texts(self, column: str) -> list[str]:
        """Return the cells of a column as texts without outer blanks.

        An id may be an empty word, such as "no". Without the column, there are
        none. Lists and objects of JSON are refused.
        """
        cells = self.columns.get(column, ())
        if _has_several(cells):
            rule = "must be a text or a number"
            wrong = [isinstance(cell, _SEVERAL) for cell in cells]
            self.refuse(wrong, column, rule)
        return ["" if is_missing(cell) else text_of(cell) for cell in cells]

    def labels(self, column: str) -> list[str]:
        """Return the cells of a column as texts, "" for empty words."""
        texts = self.texts(column)
        self._say_empty(column, texts)
        return ["" if is_blank(text) else text for text in texts]

    def words(
        self, column: str, known: Container[str] = ()
    ) -> list[list[str]]:
        """Return the names in each cell: a list of JSON, or between marks.

        These are semicolons, commas and bars. A known name may have one, or
        be an empty word.
        """
        lists: list[list[str]] = []
        for cell in self.columns[column]:
            parts: Sequence[object] = [cell]
            if isinstance(cell, list | tuple):
                parts = cell
            elif isinstance(cell, str) and cell.strip() not in known:
                parts = _NAME_MARKS.split(cell)
            if _has_several(parts):
                row = len(lists)
                raise self.error(row, column, "must be a list of names")
            lists.append(
                [text_of(each) for each in parts if not is_missing(each)]
            )
        named = set(chain.from_iterable(lists))
        empty = {w for w in named if is_blank(w) and w not in known}
        self._say_empty(column, empty)
        return [[w for w in words if w not in empty] for words in lists]

    def _say_empty(self, column: str, words: Iterable[str]) -> None:
        """Log an empty word that may be a code, such as NO."""
        codes = [w for w in words if w.isupper() and w.isalpha()]
        for code in sorted(filter(is_blank, codes))[:1]:
            rule = f"{self.called(column)}: {code} is read as empty"
            logger.warning("%s: %s.", self.source, rule)


def is_blank(cell: object) -> bool:
    """Whether a cell is missing, or says so in a word."""
    return is_missing(cell) or (
        isinstance(cell, str) and cell.strip().lower() in _empty_words()
    )


@cache
def _empty_words() -> frozenset[str]:
    return frozenset((*words_of("cells.empty"), *words_of("cells.none")))


def is_too_long(cell: object) -> bool:
    """Whether a cell is a text in which no number or time is looked for."""
    return isinstance(cell, str) and len(cell) > LONGEST_CELL


def is_missing(cell: object) -> bool:
    """Whether a cell is no text, ``None``, or a missing number."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return True
    if type(cell).__name__ in ("NaTType", "NAType"):  # of pandas
        return True
    return isinstance(cell, (float, np.floating)) and math.isnan(cell)


def whole_if_possible(values: np.ndarray) -> np.ndarray:
    """Return numbers as int64 where all of them are whole."""
    is_whole = (values == np.round(values)).all()
    if is_whole and np.abs(values).max(initial=0.0) < LARGEST_WHOLE:
        return values.astype(np.int64)
    return values


def is_arrow(source: object) -> bool:
    """Whether an object gives its columns to Arrow alone.

    Those of pandas and polars are read without it.
    """
    gives = hasattr(source, "__arrow_c_stream__")
    return gives and not hasattr(source, "to_numpy")


def is_frame(source: object) -> TypeGuard[Frame]:
    """Whether an object has columns by name, as a pandas DataFrame."""
    has_columns = hasattr(source, "columns") and hasattr(source, "__getitem__")
    return has_columns and not is_arrow(source)


def is_table(source: object) -> TypeGuard[TableSource]:
    """Whether an object is a table in memory, with named columns."""
    return (
        is_frame(source)
        or is_arrow(source)
        or isinstance(source, Mapping)
        or _is_list_of_mappings(source)
    )


def read_table(source: object, purpose: str) -> Table:
    """Return the table in a CSV, JSON or Excel file ("-": stdin) or an object.

    ``purpose`` says what its rows are, for messages: "customers".
    """
    if isinstance(source, (str, os.PathLike)):
        file = require_path(source, purpose)
        if is_excel(file):
            return _of_workbook(file, purpose)
        return parse_table(file, read_text(file), purpose)
    if isinstance(source, Table):
        return source
    _refuse_other_frames(source, purpose)
    if is_frame(source):
        return _from_columns("DataFrame", purpose, _columns_of(source))
    if is_arrow(source):
        return _from_columns("Arrow table", purpose, columns_in_arrow(source))
    if isinstance(source, Mapping) and source:
        return _from_content("mapping", purpose, source)
    if _is_list_of_mappings(source):
        return _from_content("list", purpose, source)
    raise ParameterError(
        f"{purpose} must be a file, a DataFrame, an Arrow table, or a mapping "
        f"from names to columns, got {describe_value(source)}."
    )


def _of_workbook(file: Path, purpose: str) -> Table:
    """Return the table of a workbook, which may have one of vehicles beside.

    Its sheet says so by its title.
    """
    names = [pieces_of(word) for word in words_of("sheets.vehicles")]

    def is_other(title: str) -> bool:
        return purpose == "customers" and pieces_of(title) in names

    lines, beside = read_cells_beside(file, is_other)
    table = table_of_lines(file, lines, purpose)
    if len(beside) > 1:
        rule = f"{' and '.join(beside)} say that they have the vehicles"
        raise InstanceError(file, "sheets", rule)
    for title, rows in beside.items():
        source = f"{file}: sheet {title}"
        other = _from_lines(source, title, "vehicles", "row", rows)
        table = replace(table, extras={"vehicles": other})
    return table


def _refuse_other_frames(source: object, purpose: str) -> None:
    """Refuse tables of other libraries, with the call that makes them ours."""
    kind, cure = type(source).__name__, ""
    if kind == "LazyFrame":
        cure = f"{purpose}.collect()"
    elif kind == "GeoDataFrame" and is_frame(source):
        fields = {
            field_of(str(each), CUSTOMER_COLUMNS) for each in source.columns
        }
        if fields.isdisjoint(("x", "lon")):
            cure = (
                "its points as columns, such as places = "
                f"{purpose}.to_crs(4326).geometry and {purpose}.assign("
                "lon=places.x, lat=places.y)"
            )
    if cure:
        raise ParameterError(f"{purpose}: a {kind} is not read; give {cure}.")


def table_of_lines(
    file: Path, lines: Sequence[tuple[int, list[Any]]], purpose: str
) -> Table:
    """Return the table in rows of cells, the first of which names columns."""
    return _from_lines(str(file), name_of(file), purpose, "row", lines)


def _columns_of(frame: Frame) -> dict[str, Any]:
    """Return the columns of a data frame, and the levels of its index.

    Rows that are counted, or numbered without a name, have no further column.
    """
    columns = [(str(name), frame[name]) for name in frame.columns]
    index: Any = getattr(frame, "index", [])
    levels = list(getattr(index, "names", []))
    if any(name is not None for name in levels):
        columns += [
            (str(name), index.get_level_values(level))
            for level, name in enumerate(levels)
        ]
    elif any(isinstance(label, (str, tuple)) for label in index):
        rule = "must have a name, or be reset"
        raise InstanceError("DataFrame", "index", rule)
    return _named("DataFrame", columns)


def columns_in_arrow(source: Any) -> dict[str, list[Any]]:
    """Return the columns of what gives them to Arrow."""
    require_extra("pyarrow")
    import pyarrow

    table = pyarrow.table(source)
    cells = (column.to_pylist() for column in table.columns)
    pairs = zip(table.column_names, cells, strict=True)
    return _named("Arrow table", list(pairs))


def _named(source: str, columns: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(columns)
    if len(named) < len(columns):
        rule = "a name must appear once"
        raise InstanceError(source, "columns", rule)
    return named


def looks_like_table(text: str) -> bool:
    """Whether a text begins as JSON, or with names between delimiters."""
    first = text.lstrip().partition("\n")[0]
    has_names = any(map(str.isalpha, first)) and ":" not in first
    return is_json(text) or (
        has_names and any(mark in first for mark in _DELIMITERS)
    )


def parse_table(file: Path, text: str, purpose: str) -> Table:
    """Return the table that the text of a file holds, JSON or CSV."""
    if is_json(text):
        return table_of_json(file, parse_json(str(file), text), purpose)
    name = name_of(file)
    text = _without_titles(file, text)
    lines = split_cells(str(file), text)
    table = _from_lines(str(file), name, purpose, "line", lines)
    return replace(table, has_semicolons=layout_of(text)[1] == ";")


def is_json(text: str) -> bool:
    """Whether a text begins as an object or a list of JSON."""
    return text.lstrip()[:1] in ("{", "[")


def table_of_json(file: Path, content: Any, purpose: str) -> Table:
    """Return the table that the JSON of a file holds."""
    return _from_content(str(file), purpose, content, name_of(file))


def csv_text(columns: Mapping[str, Sequence[object]]) -> str:
    """Return columns of equal length as the text of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def split_cells(
    source: object, text: str, *, keeps_ends: bool = False
) -> list[Line]:
    """Return number and cells of each line but blank ones and a preamble.

    Lines of empty cells alone are left out, and empty cells at the end of a
    line unless ``keeps_ends``.
    """
    lines = text.splitlines()
    start, mark = layout_of(text)
    kept = [
        number
        for number, line in enumerate(lines)
        if number >= start and line.strip()
    ]
    if mark is None:
        return [(number + 1, lines[number].split()) for number in kept]
    # A quoted cell may hold line breaks: the reader sees all lines.
    skipped = set(range(len(lines))) - set(kept)
    shown = (
        "\n" if number in skipped else f"{line.strip(' ')}\n"
        for number, line in enumerate(lines)
    )
    reader = csv.reader(shown, delimiter=mark, skipinitialspace=True)
    rows, num_cells = [], 0
    try:
        for cells in filter(None, reader):
            stripped = [cell.strip() for cell in cells]
            while not keeps_ends and len(stripped) > 1 and not stripped[-1]:
                stripped.pop()
            num_cells += len(stripped)
            require_size(source, num_cells, "cells", MOST_LENGTHS)
            if any(stripped):
                rows.append((reader.line_num, stripped))
    except csv.Error as error:
        field = f"line {reader.line_num}"
        raise InstanceError(source, field, f"is not CSV ({error})") from None
    return rows


def layout_of(text: str) -> tuple[int, str | None]:
    """Return the number of lines of a preamble, and what separates cells.

    The preamble are comments (#), and perhaps Excel's "sep=;". Without that, a
    semicolon, tab, comma or bar in the first line separates cells, else blanks
    (``None``).
    """
    lines = text.splitlines()
    stated = _STATED.fullmatch(lines[0].strip(" ")) if lines else None
    start = 0 if stated is None else 1
    while start < len(lines) and (
        not lines[start].strip() or lines[start].lstrip(" ").startswith("#")
    ):
        start += 1
    if stated is not None:
        return start, stated[1]
    return start, _mark_in(lines[start]) if start < len(lines) else None


def _mark_in(line: str) -> str | None:
    """Return the surest mark between the cells of a line, if it has one."""
    return next((mark for mark in _DELIMITERS if mark in line.strip()), None)


def with_decimal_commas(table: Table, columns: Iterable[str]) -> Table:
    """Return a table whose columns of numbers say if they have such commas."""
    cells = [c for name in columns for c in table.columns.get(name, ())]
    has_commas = hold_decimal_commas(cells, is_sure=not table.has_semicolons)
    if table.has_semicolons and not has_commas:
        for name in sorted({*columns} - {"lon", "lat"}):
            say_decimal_points(table.source, table.columns.get(name, ()))
    return replace(table, has_decimal_commas=has_commas)


def say_decimal_points(source: str, cells: Iterable[str]) -> None:
    """Warn where every point between semicolons could part thousands."""
    pointed = [cell.strip() for cell in cells if "." in cell]
    if pointed and all(map(THOUSANDS.fullmatch, pointed)):
        logger.warning(
            "%s: %s is read as a number with a decimal point.",
            source,
            pointed[0],
        )


def hold_decimal_commas(
    cells: Iterable[object], *, is_sure: bool = False
) -> bool:
    """Whether some cells are numbers with commas, and no more have points.

    A comma before three digits may part thousands where that is not sure.
    """
    comma = _SURE_COMMA if is_sure else _DECIMAL_COMMA
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    num_commas = sum(comma.fullmatch(text) is not None for text in texts)
    num_points = sum(_POINT.fullmatch(text) is not None for text in texts)
    return num_commas > 0 and num_commas >= num_points


def decimal_point(cell: str) -> str:
    """Return a cell with its decimal comma as a point; a point is no number.

    Beside decimal commas it may part thousands.
    """
    return cell.replace(".", " ").replace(",", ".")


def _from_lines(
    source: str,
    name: str,
    purpose: str,
    word: str,
    lines: Sequence[tuple[int, list[Any]]],
) -> Table:
    if not lines:
        raise InstanceError(source, "file", f"has no {purpose}")
    lines = _without_totals(source, word, lines[_head_of(source, lines) :])
    number, first = lines[0]
    head = ["" if is_missing(cell) else text_of(cell) for cell in first]
    if any(may_be_number(cell) for cell in head):
        rule = (
            "must name the columns, as in 'id,x,y,demand': numbers alone "
            "do not say what they are"
        )
        raise InstanceError(source, f"{word} {number}", rule, ",".join(head))
    rows = lines[1:]
    width = len(head)
    for place, cells in rows:
        if len(cells) > width:
            rule = f"must have {counted(width, 'cell')}, as the first {word}"
            raise InstanceError(source, f"{word} {place}", rule, len(cells))
    require_size(source, width * len(rows), "cells", MOST_CELLS)
    columns = {
        title: [cells[i] if i < len(cells) else "" for _, cells in rows]
        for i, title in enumerate(titles_of(source, head))
    }
    places = [f"{word} {place}" for place, _ in rows]
    return _table(source, name, purpose, columns, places, given=head)


def _head_of(source: object, lines: Sequence[Line]) -> int:
    """Return the place of the row that names the columns, below any titles."""
    known = [
        sum(1 for cell in cells[:MOST_COLUMNS] if _is_name(cell))
        for _, cells in lines[:_MOST_TITLES]
    ]
    width = sum(not is_missing(cell) for cell in lines[0][1])
    for place, (number, cells) in enumerate(lines[:_MOST_TITLES]):
        if known[place] > max(1, known[0]) and width <= len(cells) / 2:
            above = (
                " ".join(text_of(c) for c in cells if not is_missing(c))
                for _, cells in lines[:place]
            )
            logger.warning(
                "%s: the columns are named in line %s; above it: %s.",
                *(source, number, shortened("; ".join(above))),
            )
            return place
    return 0


def _is_name(cell: object) -> bool:
    return isinstance(cell, str) and any(
        field_of(cell, fields)
        for fields in (CUSTOMER_COLUMNS, VEHICLE_COLUMNS)
    )


def _without_titles(file: Path, text: str) -> str:
    """Return a text with empty lines in place of titles above the columns.

    These need not have the mark that separates cells.
    """
    lines = text.splitlines()
    start, _ = layout_of(text)
    first = [
        (number, lines[number - 1].strip())
        for number in range(start + 1, len(lines) + 1)[: 2 * _MOST_TITLES]
        if lines[number - 1].strip()
    ]
    has_marks = any(_mark_in(line) for _, line in first)
    split = []
    for number, line in first:
        mark = _mark_in(line)
        is_whole = has_marks and mark is None
        split.append((number, [line] if is_whole else line.split(mark)))
    place = _head_of(file, split) if split else 0
    if place == 0:
        return text
    head = split[place][0] - 1
    return "\n".join([*lines[:start], *[""] * (head - start), *lines[head:]])


def _without_totals(
    source: object, word: str, lines: Sequence[Line]
) -> Sequence[Line]:
    """Return rows without those at the end that add up the others.

    One that is called a total, and adds up to something else, is refused.
    """
    while len(lines) > 2 and _is_called_total(lines):
        number, cells = lines[-1]
        for at in _numbers_of_total(cells):
            above = [row[at] for _, row in lines[1:-1] if at < len(row)]
            total = _total_of(above, cells[at])
            if total is not None:
                title = text_of(lines[0][1][at])
                rule = (
                    f"is called {_name_of_total(cells)}, but the others add "
                    f"up to {total:.10g}: correct it, or leave the {word} out"
                )
                where = f"{word} {number}, column {title}"
                raise InstanceError(source, where, rule, text_of(cells[at]))
        logger.warning(
            "%s: %s %d is a total, not a row: %s.",
            *(source, word, number),
            shortened(", ".join(text_of(c) for c in cells if c)),
        )
        lines = lines[:-1]
    return lines


def _is_called_total(lines: Sequence[Line]) -> bool:
    """Whether the last row is called a total, and lacks what all others have.

    It has numbers under less than half of the names.
    """
    cells = lines[-1][1]
    given = [at for at, cell in enumerate(cells) if not is_missing(cell)]
    if not _name_of_total(cells) or len(given) > len(lines[0][1]) / 2:
        return False
    numbers = [_leading_number(cells[at]) for at in _numbers_of_total(cells)]
    if None in numbers:
        return False
    return any(
        at not in given
        and all(
            at < len(row) and not is_missing(row[at]) for _, row in lines[1:-1]
        )
        for at in range(len(lines[0][1]))
    ) or all(
        _total_of(
            [row[at] for _, row in lines[1:-1] if at < len(row)], cells[at]
        )
        is None
        for at in _numbers_of_total(cells)
    )


def _name_of_total(cells: Sequence[object]) -> str:
    """Return what a row is called, "" where not a total."""
    texts = [text_of(cell) for cell in cells if not is_missing(cell)]
    return next(filter(_total().match, texts), "")


@cache
def _total() -> re.Pattern[str]:
    """Return how the name of a row of totals begins."""
    words = words_of("cells.total")
    ends = (w[:-1] if w.endswith("*") else rf"{w}\b" for w in words)
    return re.compile(rf"(grand |sub)?({'|'.join(ends)})", re.IGNORECASE)


def _numbers_of_total(cells: Sequence[object]) -> list[int]:
    """Return where a row has something else than its name."""
    return [
        at
        for at, cell in enumerate(cells)
        if not is_missing(cell) and not _total().match(text_of(cell))
    ]


def _total_of(above: Sequence[object], cell: object) -> float | None:
    """Return the sum of some cells, ``None`` where a cell says it.

    It may be their number too.
    """
    numbers = [n for n in map(_leading_number, above) if n is not None]
    number, total = _leading_number(cell), sum(numbers)
    count = len([each for each in above if not is_missing(each)])
    if number is not None and any(
        math.isclose(number, each, rel_tol=_TOTAL_ERROR)
        for each in (total, count)
    ):
        return None
    return total


def _leading_number(cell: object) -> float | None:
    """Return the number that a cell begins with: 12.5 of "12,5 kg"."""
    match = re.match(r"[+-]?\d+([.,]\d+)?", text_of(cell))
    return None if match is None else float(match[0].replace(",", "."))


def parse_json(source: str, text: str) -> Any:
    """Return what a text of JSON says; ``InstanceError`` where it is none."""
    num_values = sum(map(text.count, ",[{"))
    require_size(source, num_values, "values", MOST_LENGTHS)
    try:
        return json.loads(
            text,
            parse_constant=_refuse_constant,
            object_pairs_hook=unique_keys,
        )
    except json.JSONDecodeError as error:
        rule = f"is not JSON ({error.msg})"
        raise InstanceError(source, f"line {error.lineno}", rule) from None
    except (ValueError, RecursionError) as error:
        rule = f"is not JSON that can be read ({error})"
        raise InstanceError(source, "file", rule) from None


def _from_content(
    source: str, purpose: str, content: Any, name: str | None = None
) -> Table:
    """Return the table in a list of rows, or an object with one or columns.

    Of several lists in an object it is that of the purpose; the others are
    ``extras``.
    """
    extras: dict[str, Any] = {}
    if isinstance(content, Mapping):
        keys = titles_of(source, list(content))
        named = dict(zip(keys, content.values(), strict=True))
        lists = [key for key in named if _is_list_of_mappings(named[key])]
        chosen = [purpose] if purpose in lists else lists
        if len(chosen) > 1 or _OTHER.get(purpose) in chosen:
            rule = f"must be a list of objects, not only {', '.join(chosen)}"
            raise InstanceError(source, purpose, rule)
        if chosen:
            extras, content = named, named.pop(chosen[0])
            name = str(extras.pop("name", name or purpose))
    size = 0
    if _is_list_of_mappings(content):
        size = len(content)
        titles = dict.fromkeys(key for row in content for key in row)
        num_cells = len(titles) * size
        require_size(source, num_cells, "cells", MOST_CELLS)
        content = {each: [row.get(each) for row in content] for each in titles}
    if isinstance(content, Mapping) and (content or size):
        return _from_columns(source, purpose, content, name, extras, size)
    rule = "must be a list of objects, or an object with a list or columns"
    raise InstanceError(source, purpose, rule)


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _from_columns(
    source: str,
    purpose: str,
    columns: Mapping[Any, Any],
    name: str | None = None,
    extras: dict[str, Any] | None = None,
    num_rows: int = 0,
) -> Table:
    """Return a table of columns; without any it has a number of rows."""
    cells: dict[str, list[Any]] = {}
    names = titles_of(source, list(columns))
    for title, column in zip(names, columns.values(), strict=True):
        if isinstance(column, str) or not hasattr(column, "__iter__"):
            rule = f"column {shortened(title)} must be a list"
            raise InstanceError(source, "columns", rule, column)
        if isinstance(column, np.ndarray) and column.dtype.kind in "Mm":
            # Of nanoseconds, NumPy makes plain numbers.
            column = column.astype(f"{column.dtype.kind}8[us]")
        to_list = getattr(column, "tolist", None) or column.__iter__
        cells[title] = list(to_list())
    lengths = {len(column) for column in cells.values()}
    if len(lengths) > 1:
        rule = "columns must be of one length"
        raise InstanceError(source, "columns", rule, sorted(lengths))
    size = lengths.pop() if lengths else num_rows
    places = [f"row {row}" for row in range(1, size + 1)]
    return _table(source, name, purpose, cells, places, extras, list(columns))


def _table(
    source: str,
    name: str | None,
    purpose: str,
    columns: dict[str, list[Any]],
    places: list[str],
    extras: dict[str, Any] | None = None,
    given: Sequence[object] = (),
) -> Table:
    if not places:
        raise InstanceError(source, "file", f"has no {purpose}")
    titles = {title_of(title): " ".join(str(title).split()) for title in given}
    return Table(
        *(source, name or purpose, columns, places, extras or {}),
        given=titles,
    )


def given_cell(cell: object) -> GivenCell:
    """Return a cell as JSON holds it: a text, a number, ``None``."""
    if is_missing(cell):
        return None
    value = cell.item() if isinstance(cell, np.generic) else cell
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        return int(value) if value.is_integer() else value
    if isinstance(value, GivenCell):
        return value
    if isinstance(value, time | timedelta):
        return str(value).removesuffix(":00")
    if isinstance(value, list | tuple):
        return "; ".join(map(text_of, value))
    return str(value)


def title_of(given: object) -> str:
    """Return the name of a column in lower case, without spare blanks."""
    return " ".join(str(given).lower().split())


def titles_of(source: str, given: Sequence[object]) -> list[str]:
    """Return names of columns in lower case, each one once."""
    titles = list(map(title_of, given))
    require_size(source, len(titles), "columns", MOST_COLUMNS)
    num_times = Counter(titles)
    for place, title in enumerate(titles, start=1):
        if not title:
            rule = f"column {place} has no name"
            raise InstanceError(source, "columns", rule)
        if num_times[title] > 1:
            rule = "a name must appear once"
            raise InstanceError(source, "columns", rule, title)
    return titles


def _is_list_of_mappings(value: object) -> bool:
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(row, Mapping) for row in value)
    )


def _has_several(cells: Iterable[object]) -> bool:
    """Whether one of some cells is a list or an object."""
    return any(issubclass(kind, _SEVERAL) for kind in set(map(type, cells)))


def _number(cell: object) -> float:
    """Return the number of a cell, nan where it holds none."""
    if isinstance(cell, str):
        return number_of(cell)
    if isinstance(cell, (bool, np.bool_, bytes)):
        return math.nan
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return math.nan


def text_of(cell: object) -> str:
    """Return a cell as a text; 7.0 is 7, as pandas reads ids with gaps."""
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    return str(cell).strip()
