"""Matrices of distances and durations from NumPy, CSV and JSON files."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted, may_be_number, number_of
from ncc_routing.core.text_files import read_text, require_path
from ncc_routing.core.units import METRES_OF
from ncc_routing.desk.excel import is_excel, read_cells
from ncc_routing.desk.tables import (
    Line,
    columns_in_arrow,
    decimal_point,
    hold_decimal_commas,
    is_arrow,
    is_blank,
    is_frame,
    layout_of,
    parse_json,
    say_decimal_points,
    split_cells,
    text_of,
)
from ncc_routing.desk.words import units_in
from ncc_routing.io.arrays import read_arrays, read_shapes
from ncc_routing.problems.matrices import is_forbidden_arc, marks_in
from ncc_routing.problems.values import numbers

if TYPE_CHECKING:
    from pathlib import Path


_MATRIX_NAMES: Final[tuple[str, ...]] = ("matrix", "distances")
"""Names of the array in an .npz file that holds several."""

_DURATIONS: Final = "durations"

_VALHALLA: Final = "sources_to_targets"
"""Key of the matrices of Valhalla."""

_BESIDE: Final = (
    *("code", "error", "message", "data_version", "fallback_speed_cells"),
    *("sources", "destinations", "targets", "algorithm", "id", "warnings"),
    *("shapes", "shape_format", "metadata", "name", "comment"),
)
"""Keys that say nothing about arcs, of routing engines and of people."""


_INFINITE: Final = ("inf", "+inf", "infinity")
"""Cells of CSV and Excel that stand for a forbidden arc, as blank ones do."""


class NamedMatrix(NamedTuple):
    """A square matrix, and the ids of its rows, or ``None``.

    An arc that no vehicle may take is inf; ``marks`` stood for it.
    """

    values: np.ndarray
    ids: tuple[str, ...] | None
    marks: tuple[str, ...] = ()

    def ordered(self, source: object, ids: Sequence[str]) -> np.ndarray:
        """Return the matrix in the order of some ids; refuse missing ones."""
        _require_shape(source, self.values.shape, len(ids))
        if self.ids is None:
            return self.values
        place = {name: row for row, name in enumerate(self.ids)}
        for wanted in ids:
            if wanted not in place:
                rule = "must have a row for each id, but has none for"
                raise InstanceError(source, "matrix", f"{rule} {wanted!r}")
        rows = [place[wanted] for wanted in ids]
        return self.values[np.ix_(rows, rows)]


class Travel(NamedTuple):
    """Distances and durations of all arcs, ``None`` where not known.

    Those of a routing engine are metres and seconds. A matrix that is not
    called distances may be one of durations.
    """

    distances: NamedMatrix | None
    durations: NamedMatrix | None = None
    in_seconds: bool = False
    names_distances: bool = False

    @property
    def marks(self) -> set[str]:
        """What stood for an arc that no vehicle may take."""
        both = (self.distances, self.durations)
        return {mark for each in both if each for mark in each.marks}


def read_travel(source: object, size: int | None = None) -> Travel:
    """Read distances, durations or both; they need not be symmetric.

    Parameters
    ----------
    source
        An array, nested list, data frame or Arrow table; a ``.npy`` file; a
        ``.npz`` file with one array, or one named "matrix" or "distances",
        and perhaps "durations"; a CSV or Excel file of numbers, perhaps with
        ids in the first line and column; the answer of a matrix service as a
        ``.json`` file or a mapping (OSRM, Valhalla, openrouteservice,
        GraphHopper, Google, HERE); or an object of JSON with "distances" and
        "durations". What has no name are distances.
    size
        Number of rows that it must have. NumPy files of another size are not
        loaded: a small file may hold gigabytes. Default: any.

    Raises
    ------
    InstanceError
        If it is not square, not of that size, a value is not a number, or
        JSON holds no matrix.

    Notes
    -----
    An arc is forbidden that is inf, nan, ``None`` (null in JSON), an empty
    cell or a word for none, or the largest number of a type
    (``problems.matrices.MARKS``): 2147483647, 4294967295,
    9223372036854775807.
    """
    if isinstance(source, Mapping):
        return _from_content("matrix", source, size)
    if is_frame(source):
        return Travel(_from_frame(source))
    if is_arrow(source):
        return Travel(_from_columns(columns_in_arrow(source)))
    if not isinstance(source, (str, os.PathLike)):
        return Travel(_square("matrix", source))
    file = require_path(source, "a matrix")
    suffix = file.suffix.lower()
    if suffix == ".json":
        content = parse_json(str(file), read_text(file))
        return _from_content(str(file), content, size)
    if suffix in (".npy", ".npz"):
        return _from_arrays(file, size)
    return Travel(_parse(file))


def _from_arrays(file: Path, size: int | None) -> Travel:
    shapes = read_shapes(file)
    durations = None
    if _DURATIONS in shapes:
        durations = _loaded(file, shapes, _DURATIONS, size)
        if len(shapes) == 1:
            return Travel(None, durations)
    known = [name for name in _MATRIX_NAMES if name in shapes]
    if len(shapes) == 1:
        known = list(shapes)
    if len(known) != 1:
        rule = f"must hold one array, or one named {_MATRIX_NAMES[0]}"
        raise InstanceError(file, "file", rule, ", ".join(shapes))
    names_distances = durations is None and "distances" in shapes
    distances = _loaded(file, shapes, known[0], size)
    return Travel(distances, durations, names_distances=names_distances)


def _loaded(
    file: Path,
    shapes: Mapping[str, tuple[int, ...]],
    name: str,
    size: int | None,
) -> NamedMatrix:
    _require_shape(file, shapes[name], size)
    return _square(str(file), read_arrays(file, only=name)[name])


def _from_content(source: str, content: Any, size: int | None) -> Travel:
    if isinstance(content, list) and _is_of(content, "originIndex"):
        content = _of_elements(source, content)
    if not isinstance(content, Mapping):
        return Travel(_from_lists(source, content, size))
    for field in ("code", "error"):
        if content.get(field, "Ok") != "Ok":
            said = content.get("message", content[field])
            rule = f"is not an answer of a routing engine: {said}"
            raise InstanceError(source, field, rule)
    _require_one_order(source, content)
    in_seconds, scale = "code" in content, 1.0
    for keys, read in _ENGINES.items():
        if content.keys() >= set(keys):
            in_seconds, content = True, read(source, content)
    if isinstance(content.get("metadata"), Mapping):  # of openrouteservice
        in_seconds = True
        query = content["metadata"].get("query", {})
        scale = _metres_of(source, query.get("units", "m"))
    if _VALHALLA in content:
        _refuse_unknown(source, content, (_VALHALLA, "units"))
        in_seconds = True
        scale = _metres_of(source, content.get("units", "kilometers"))
        content = _of_valhalla(source, content[_VALHALLA])
    named = [name for name in _MATRIX_NAMES if name in content]
    if len(named) > 1 or not (named or _DURATIONS in content):
        rule = "must hold distances or durations"
        raise InstanceError(source, "matrix", rule, ", ".join(content))
    _refuse_unknown(source, content, (*named, _DURATIONS))
    matrices = [
        _from_lists(source, content[name], size) if name in content else None
        for name in ((named or _MATRIX_NAMES)[0], _DURATIONS)
    ]
    distances, durations = matrices
    if distances is not None:
        distances = distances._replace(values=scale * distances.values)
    return Travel(distances, durations, in_seconds, named == ["distances"])


def _metres_of(source: str, unit: object) -> float:
    known = units_in("length")
    if unit not in known:
        rule = f"must be one of {', '.join(known)}"
        raise InstanceError(source, "units", rule, str(unit))
    return METRES_OF[known[str(unit)]]


def _is_of(entries: object, key: str) -> bool:
    return isinstance(entries, list) and all(
        isinstance(each, Mapping) and key in each for each in entries
    )


def _of_graphhopper(
    source: str, content: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the matrices of GraphHopper, whose times are seconds."""
    beside = ("times", "weights", "info", "hints")
    rest = {k: v for k, v in content.items() if k not in beside}
    return {**rest, _DURATIONS: content["times"]}


def _of_here(source: str, content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the matrices of HERE, which are rows after one another."""
    matrix = content["matrix"]
    try:
        num_rows, width = matrix["numOrigins"], matrix["numDestinations"]
        names = {"distances": "distances", _DURATIONS: "travelTimes"}
        given = {k: matrix[v] for k, v in names.items() if v in matrix}
        errors = matrix.get("errorCodes") or [0] * (num_rows * width)
        return {
            name: [
                [
                    None if errors[at + k] else cells[at + k]
                    for k in range(width)
                ]
                for at in range(0, num_rows * width, width)
            ]
            for name, cells in given.items()
        }
    except (TypeError, KeyError, IndexError, ValueError):
        rule = "must be a matrix of HERE with numOrigins and numDestinations"
        raise InstanceError(source, "matrix", rule) from None


def _of_google(source: str, content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the matrices of Google's Distance Matrix API."""
    status = content.get("status", "OK")
    if status != "OK":
        said = content.get("error_message", status)
        rule = f"is not an answer of a routing engine: {said}"
        raise InstanceError(source, "status", rule)
    ends = [content.get(f"{k}_addresses") for k in ("origin", "destination")]
    if ends[0] != ends[1]:
        rule = "must be the origin_addresses, in the same order"
        raise InstanceError(source, "destination_addresses", rule)
    try:
        cells = [row["elements"] for row in content["rows"]]
        return {
            name: [
                [
                    cell[key]["value"] if cell["status"] == "OK" else None
                    for cell in row
                ]
                for row in cells
            ]
            for name, key in (
                ("distances", "distance"),
                (_DURATIONS, "duration"),
            )
        }
    except (TypeError, KeyError):
        rule = "must be rows of elements with status, distance and duration"
        raise InstanceError(source, "rows", rule) from None


def _of_elements(source: str, elements: list[Any]) -> Mapping[str, Any]:
    """Return the matrices of Google's Routes API: an element for each arc."""
    try:
        size = 1 + max(each["originIndex"] for each in elements)
        names = ("distances", _DURATIONS)
        matrices: dict[str, list[list[Any]]] = {
            name: [[None] * size for _ in range(size)] for name in names
        }
        for each in elements:
            row, column = each["originIndex"], each["destinationIndex"]
            if each.get("condition", "ROUTE_EXISTS") == "ROUTE_EXISTS":
                far = each.get("distanceMeters", 0)
                matrices["distances"][row][column] = far
                seconds = str(each["duration"]).removesuffix("s")
                matrices[_DURATIONS][row][column] = float(seconds)
    except (TypeError, KeyError, IndexError, ValueError):
        rule = "must be elements with originIndex, destinationIndex, duration"
        raise InstanceError(source, "matrix", rule) from None
    return {"code": "Ok", **matrices}


_ENGINES: Final = {
    ("rows", "origin_addresses"): _of_google,
    ("matrix", "matrixId"): _of_here,
    ("times", "weights"): _of_graphhopper,
    ("times", "distances"): _of_graphhopper,
}
"""Keys that only one routing engine writes, and what reads its answer."""


def _require_one_order(source: str, content: Mapping[str, Any]) -> None:
    """Refuse an answer of OSRM whose columns are other places than its rows.

    Both lists tell the places; a place that is not told may be any.
    """
    lists = [content.get(name) for name in ("sources", "destinations")]
    if not all(isinstance(places, list) for places in lists):
        return
    rows, columns = (
        [
            each.get("location") if isinstance(each, Mapping) else None
            for each in places or ()
        ]
        for places in lists
    )
    for number, pair in enumerate(zip(rows, columns, strict=False), start=1):
        if None not in pair and pair[0] != pair[1]:
            rule = "must be the sources, in the same order"
            field = f"destinations, entry {number}"
            raise InstanceError(source, field, rule, str(pair[1]))


def _of_valhalla(source: str, cells: Any) -> Mapping[str, Any]:
    """Return Valhalla's matrices, given as such or as one of objects."""
    if isinstance(cells, Mapping):
        return cells
    try:
        for row, cells_of_row in enumerate(cells):
            for column, cell in enumerate(cells_of_row):
                tail = cell.get("from_index", row)
                head = cell.get("to_index", column)
                if (tail, head) != (row, column):
                    rule = f"must be of the places {row} and {column}"
                    field = f"{_VALHALLA}, row {row + 1}, cell {column + 1}"
                    place = f"{tail} and {head}"
                    raise InstanceError(source, field, rule, place)
        return {
            name: [[cell[key] for cell in row] for row in cells]
            for name, key in (("distances", "distance"), (_DURATIONS, "time"))
        }
    except (TypeError, KeyError, AttributeError):
        rule = "must be rows of objects with distance and time"
        raise InstanceError(source, _VALHALLA, rule) from None


def _refuse_unknown(
    source: str, content: Mapping[str, Any], known: Sequence[str]
) -> None:
    for key in content:
        if key not in (*known, *_BESIDE):
            rule = f"is not known beside {known[0]}"
            raise InstanceError(source, str(key), rule)


def _from_lists(source: str, rows: Any, size: int | None) -> NamedMatrix:
    if not isinstance(rows, list):
        raise InstanceError(source, "matrix", "must be a list of lists")
    matrix = _square(source, rows)
    _require_shape(source, matrix.values.shape, size)
    return matrix


def _from_frame(frame: Any) -> NamedMatrix:
    """Return the matrix of a data frame; its labels are ids.

    They name the rows, the columns, or both, unless they only count.
    """
    values = frame.to_numpy()
    _require_shape("DataFrame", values.shape)
    columns = list(frame.columns)
    index = getattr(frame, "index", range(len(columns)))  # polars has none
    rows = list(index)
    counted = [_only_count(labels) for labels in (rows, columns)]
    kinds = {type(axis).__name__ for axis in (index, frame.columns)}
    if all(counted) and not kinds.isdisjoint({"RangeIndex", "range"}):
        return _square("DataFrame", values)
    rows, columns = list(map(text_of, rows)), list(map(text_of, columns))
    if counted[0]:
        rows = columns
    elif not counted[1]:
        place = {label: column for column, label in enumerate(columns)}
        if len(place) < len(columns) or place.keys() != set(rows):
            rule = "must have the same labels on rows and columns, each once"
            raise InstanceError("DataFrame", "matrix", rule)
        values = values[:, [place[label] for label in rows]]
    return _square("DataFrame", values, tuple(rows))


def _from_columns(columns: Mapping[str, list[Any]]) -> NamedMatrix:
    """Return the matrix of columns whose names are ids, or only count."""
    source, labels = "Arrow table", list(columns)
    rows = list(zip(*columns.values(), strict=True))
    _require_shape(source, (len(rows), len(labels)))
    return _square(source, rows, None if _only_count(labels) else (*labels,))


def _only_count(labels: list[Any]) -> bool:
    """Whether labels are those of a data frame that nobody has named."""
    return labels == [*range(len(labels))] or labels == [
        f"column_{place}" for place in range(len(labels))
    ]


def _parse(file: Path) -> NamedMatrix:
    word, text, mark = "row", "", None
    if is_excel(file):
        rows = read_cells(file)
        width = max((len(cells) for _, cells in rows), default=0)
        lines = [
            (
                row,
                ["" if cell is None else str(cell) for cell in cells]
                + [""] * (width - len(cells)),
            )
            for row, cells in rows
        ]
    else:
        word, text = "line", read_text(file)
        lines = _trimmed(split_cells(file, text, keeps_ends=True))
        _, mark = layout_of(text)
    ids, lines = _ids_of(file, word, lines)
    size = len(lines)
    if ids is None:
        _refuse_ids_as_comment(file, text, size)
    elif "" in ids or len(ids) != size:
        rule = f"must be {size}, one for each row, none of them empty"
        raise InstanceError(file, "ids", rule, ",".join(ids))
    has_commas = mark == ";" and hold_decimal_commas(
        cell for _, cells in lines for cell in cells
    )
    if mark == ";" and not has_commas:
        cells = [cell for _, line in lines for cell in line]
        say_decimal_points(str(file), cells)
    values = []
    for number, cells in lines:
        if len(cells) != size:
            rule = f"must have {counted(size, 'cell')}, as there are rows"
            raise InstanceError(file, f"{word} {number}", rule, len(cells))
        pointed = map(decimal_point, cells) if has_commas else cells
        values.append([number_of(cell) for cell in pointed])
        for cell, value in zip(cells, values[-1], strict=True):
            if not (math.isfinite(value) or _says_forbidden(cell)):
                rule = "must hold finite numbers"
                raise InstanceError(file, f"{word} {number}", rule, cell)
    matrix = _square(str(file), np.array(values), ids)
    _refuse_half(file, matrix.values)
    return matrix


def _trimmed(lines: list[Line]) -> list[Line]:
    used = (k for _, line in lines for k, cell in enumerate(line) if cell)
    width = max(1 + max(used, default=0), len(lines))
    return [(number, cells[:width]) for number, cells in lines]


def _refuse_half(file: Path, matrix: np.ndarray) -> None:
    """Refuse a matrix all of whose arcs are forbidden in one direction."""
    for side, rows, columns in (
        ("above", *np.triu_indices(len(matrix), 1)),
        ("below", *np.tril_indices(len(matrix), -1)),
    ):
        if len(matrix) > 2 and np.isinf(matrix[rows, columns]).all():
            rule = f"must have numbers on both sides, and has none {side} it"
            raise InstanceError(file, "diagonal", rule)


def _ids_of(
    file: Path, word: str, lines: list[Line]
) -> tuple[tuple[str, ...] | None, list[Line]]:
    """Return the ids above a matrix, ``None`` without any, and its lines."""
    rows = [cells for _, cells in lines]
    # As many lines as columns are a plain matrix; one more is a first line.
    if rows and len(rows) == len(rows[-1]) + 1:
        ids = tuple(rows[0])
        known = [number_of(cell.replace(",", ".")) for cell in ids]
        if len(set(map(math.isfinite, known))) > 1:
            rule = (
                "must name the columns or hold numbers: where some ids are "
                "numbers, a first column must name the rows as well"
            )
            shown = ",".join(ids)
            raise InstanceError(file, f"{word} {lines[0][0]}", rule, shown)
        return ids, lines[1:]
    if not rows:
        return None, lines
    ids = tuple(rows[0][-(len(rows) - 1) :])
    names_rows = tuple(cells[0] for cells in rows[1:]) == ids
    if all(
        may_be_number(cell.replace(",", ".")) or _says_forbidden(cell)
        for cell in rows[0]
    ) and not (names_rows and rows[0][0] == ""):
        return None, lines
    if not names_rows:
        rule = "the first column must have the names of the first line"
        raise InstanceError(file, "ids", rule)
    return ids, [(number, cells[1:]) for number, cells in lines[1:]]


def _refuse_ids_as_comment(file: Path, text: str, size: int) -> None:
    """Refuse a comment above a matrix that may be the ids of its columns."""
    start, mark = layout_of(text)
    for number, line in enumerate(text.splitlines()[:start], start=1):
        if line.lstrip(" ").startswith("#") and len(line.split(mark)) == size:
            rule = (
                "may be a comment or name the columns: where ids start with "
                "#, a first column must name the rows as well"
            )
            raise InstanceError(file, f"line {number}", rule, line)


def _says_forbidden(cell: str) -> bool:
    return is_blank(cell) or cell.strip().lower() in _INFINITE


def _square(
    source: str, value: object, ids: tuple[str, ...] | None = None
) -> NamedMatrix:
    """Return a square matrix whose forbidden arcs are inf."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        # pandas has missing values of its own.
        value = np.where(np.vectorize(is_blank)(value), math.nan, value)
    matrix = numbers(source, "matrix", value)
    _require_shape(source, matrix.shape)
    is_forbidden = is_forbidden_arc(matrix)
    marks = tuple(marks_in(matrix[is_forbidden]))
    matrix[is_forbidden] = np.inf
    np.fill_diagonal(matrix, 0.0)
    return NamedMatrix(matrix, ids, marks)


def _require_shape(
    source: object, shape: tuple[int, ...], size: int | None = None
) -> None:
    rule = ""
    if len(shape) != 2 or shape[0] != shape[1]:
        rule = "must be square"
    elif size is not None and shape[0] != size:
        rule = f"must have {counted(size, 'row')}, one for each place"
    elif shape[0] < 2:
        rule = "must have a depot and a customer"
    if rule:
        raise InstanceError(source, "matrix", rule, shape)
