"""Distance matrices from NumPy and CSV files."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.numerals import number_of
from ncc_routing.core.text_files import read_text, require_path
from ncc_routing.io.arrays import read_arrays, read_shapes
from ncc_routing.io.tables import is_frame, split_cells
from ncc_routing.problems.values import numbers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MATRIX_NAMES = ("matrix", "distances")
"""Names of the array in an .npz file that holds several."""


class NamedMatrix(NamedTuple):
    """A square matrix, and the ids of its rows, or ``None``."""

    values: np.ndarray
    ids: tuple[str, ...] | None

    def ordered(self, source: object, ids: Sequence[str]) -> np.ndarray:
        """Return the matrix in the order of some ids; refuse missing ones."""
        _require_shape(source, self.values.shape, len(ids))
        if self.ids is None:
            return self.values
        place = {own: row for row, own in enumerate(self.ids)}
        for wanted in ids:
            if wanted not in place:
                rule = "must have a row for each id, there is none for"
                raise InstanceError(source, "matrix", f"{rule} {wanted!r}")
        rows = [place[wanted] for wanted in ids]
        return self.values[np.ix_(rows, rows)]


def read_matrix(source: object, size: int | None = None) -> NamedMatrix:
    """Read a square matrix of distances; it need not be symmetric.

    Parameters
    ----------
    source
        An array, nested list or data frame; a ``.npy`` file; a ``.npz`` file
        with one array, or one named "matrix" or "distances"; or a CSV file of
        numbers, perhaps with ids in the first line and column.
    size
        Number of rows that it must have. NumPy files of another size are not
        loaded: a small file may hold gigabytes. Default: any.

    Raises
    ------
    InstanceError
        If it is not square, not of that size, or a value is no finite number.
    """
    if is_frame(source):
        return _from_frame(source)
    if not isinstance(source, (str, os.PathLike)):
        return NamedMatrix(_square("matrix", source), None)
    file = require_path(source, "a matrix")
    if file.suffix.lower() in (".npy", ".npz"):
        return NamedMatrix(_square(str(file), _load(file, size)), None)
    return _parse(file)


def _from_frame(frame: Any) -> NamedMatrix:
    """Return the matrix of a data frame; texts that name it are its ids."""
    values = _square("DataFrame", frame.to_numpy())
    columns = list(frame.columns)
    is_named = all(isinstance(column, str) for column in columns)
    if is_named and list(getattr(frame, "index", ())) == columns:
        return NamedMatrix(values, tuple(columns))
    return NamedMatrix(values, None)


def _load(file: Path, size: int | None) -> np.ndarray:
    """Return the array of a file of NumPy."""
    shapes = read_shapes(file)
    names = list(shapes)
    known = [name for name in _MATRIX_NAMES if name in names]
    if len(names) == 1:
        known = names
    if len(known) != 1:
        rule = f"must hold one array, or one named {_MATRIX_NAMES[0]}"
        raise InstanceError(file, "file", rule, ", ".join(names))
    _require_shape(file, shapes[known[0]], size)
    return read_arrays(file, only=known[0])[known[0]]


def _parse(file: Path) -> NamedMatrix:
    """Return the matrix of a CSV file."""
    lines = split_cells(file, read_text(file))
    rows = [cells for _, cells in lines]
    ids = None
    # As many lines as columns are a plain matrix; one more is a first line.
    if rows and len(rows) == len(rows[-1]) + 1:
        ids = tuple(rows[0])
        if len({_is_number(cell) for cell in ids}) > 1:
            rule = (
                "must name the columns or hold numbers: where some ids are "
                "numbers, a first column must name the rows as well"
            )
            text = ",".join(ids)
            raise InstanceError(file, f"line {lines[0][0]}", rule, text)
        lines, rows = lines[1:], rows[1:]
    elif rows and not all(map(_is_number, rows[0])):
        ids = tuple(rows[0][-(len(rows) - 1) :])
        lines, rows = lines[1:], [cells[1:] for cells in rows[1:]]
        named = tuple(cells[0] for _, cells in lines)
        if named != ids:
            rule = "the first column must name the rows as the first line"
            raise InstanceError(file, "ids", rule)
    if ids is not None and ("" in ids or len(ids) != len(rows)):
        rule = f"must be {len(rows)}, one for each row, none of them empty"
        raise InstanceError(file, "ids", rule, ",".join(ids))
    for (number, _), cells in zip(lines, rows, strict=True):
        if len(cells) != len(rows):
            rule = f"must have {len(rows)} cells, as there are rows"
            raise InstanceError(file, f"line {number}", rule, len(cells))
        for cell in cells:
            if not _is_number(cell):
                rule = "must hold finite numbers"
                raise InstanceError(file, f"line {number}", rule, cell)
    values = np.array([[number_of(cell) for cell in cells] for cells in rows])
    return NamedMatrix(_square(str(file), values), ids)


def _is_number(cell: str) -> bool:
    return math.isfinite(number_of(cell))


def _square(source: str, value: object) -> np.ndarray:
    matrix = numbers(source, "matrix", value)
    _require_shape(source, matrix.shape)
    return matrix


def _require_shape(
    source: object, shape: tuple[int, ...], size: int | None = None
) -> None:
    """Refuse a matrix that is not square, or not of a size."""
    rule = ""
    if len(shape) != 2 or shape[0] != shape[1]:
        rule = "must be square"
    elif size is not None and shape[0] != size:
        rule = f"must have {size} rows, one for each place"
    elif shape[0] < 2:
        rule = "must have a depot and a customer"
    if rule:
        raise InstanceError(source, "matrix", rule, shape)
