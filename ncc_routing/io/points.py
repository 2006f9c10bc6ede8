"""Point sets and labels as text files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text_files import read_text, replacing
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    import os

    from ncc_routing.problems.clusters import Clustering

_LARGEST_WHOLE: Final = 2**53
"""Below it every whole number is one in float64 as well."""


class _Line(NamedTuple):
    """The cells of a line that is neither empty nor a comment."""

    number: int
    parts: list[str]


def read_points(
    path: str | os.PathLike[str],
    capacity: float | None = None,
    num_clusters: int | None = None,
    rounding: str = "none",
) -> PointSet:
    """Read weighted points.

    Two formats are told apart by themselves. The benchmark format has a
    first line ``n p`` and n lines ``x y capacity demand``. A table (CSV,
    separated by commas, semicolons, tabs or blanks) has the columns x, y
    and, optionally, the weight (1 where missing), with or without a header.
    Lines that start with # are comments.

    Parameters
    ----------
    path
        The file.
    capacity
        Capacity of every cluster. Needed for a table; it replaces the
        capacities of the benchmark format.
    num_clusters
        Number of clusters; it replaces the p of the benchmark format.
    rounding
        "none" (default) or "floor", see ``PointSet``.

    Returns
    -------
    PointSet
        Named by the file. Whole weights stay integers.

    Raises
    ------
    InstanceError
        If the file does not follow either format; the message names the
        line.
    """
    file = Path(path)
    lines = [
        _Line(number, _split(line))
        for number, line in enumerate(read_text(file).splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    point_capacities = None
    if [len(line.parts) for line in lines[:2]] == [2, 4]:
        stated, table = _read_benchmark(file, lines)
        num_clusters = stated if num_clusters is None else num_clusters
        if capacity is None:
            capacity = _whole(table[:, 2].max())
            if table[:, 2].min() < capacity:
                point_capacities = table[:, 2]
    else:
        table = _read_table(file, lines)
    if capacity is None:
        rule = "is not in the file and must be given"
        raise InstanceError(file, "capacity", rule)
    return PointSet(
        table[:, :2],
        _weights_of(table),
        capacity,
        file.stem,
        num_clusters=num_clusters,
        point_capacities=point_capacities,
        rounding=rounding,
    )


def write_points(path: str | os.PathLike[str], points: PointSet) -> None:
    """Write points in a form that ``read_points`` takes.

    The benchmark format, with the capacity, where the number of clusters is
    known; else a table of x, y, weight with a header.

    Parameters
    ----------
    path
        The file; an existing one is replaced.
    points
        Points in the plane.

    Raises
    ------
    ParameterError
        If the points are not in the plane, or have a matrix or a capacity
        for each cluster: no format holds them.
    NccRoutingError
        If the file cannot be written.
    """
    if points.coords.shape[1] != 2 or (
        points.matrix is not None or points.capacities is not None
    ):
        raise ParameterError(
            f"{points.name}: only points in the plane, with one capacity or "
            "one for each medoid, can be written."
        )
    capacities = points.point_capacities
    if capacities is None:
        capacities = np.full(points.num_points, points.capacity)
    mark, lines = ",", ["x,y,weight"]
    columns = [points.coords[:, 0], points.coords[:, 1], points.weights]
    if points.num_clusters is not None:
        mark, lines = " ", [f"{points.num_points} {points.num_clusters}"]
        columns.insert(2, capacities)
    for row in zip(*(column.tolist() for column in columns), strict=True):
        lines.append(mark.join(map(repr, row)))
    with replacing(path) as written:
        written.write_text("\n".join([*lines, ""]), encoding="utf-8")


def write_labels(
    path: str | os.PathLike[str], points: PointSet, clustering: Clustering
) -> None:
    """Write x, y, weight, cluster of every point as CSV with a header.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    axes = ["x", "y"]
    if points.coords.shape[1] != 2:
        axes = [f"x{axis}" for axis in range(points.coords.shape[1])]
    writer.writerow([*axes, "weight", "cluster"])
    for place, weight, label in zip(
        points.coords.tolist(),
        points.weights.tolist(),
        clustering.labels.tolist(),
        strict=True,
    ):
        writer.writerow([*place, weight, label])
    with replacing(path) as written:
        written.write_text(text.getvalue(), encoding="utf-8")


def _read_benchmark(file: Path, lines: list[_Line]) -> tuple[int, np.ndarray]:
    """Return the number of clusters and the rows x, y, capacity, demand."""
    head = _row(file, lines[0])
    if not np.isfinite(head).all() or (head != np.rint(head)).any():
        rule = "must hold the number of points and that of clusters"
        text = " ".join(lines[0].parts)
        raise InstanceError(file, f"line {lines[0].number}", rule, text)
    rule = "must have the columns x, y, capacity, demand"
    table = _rows(file, lines[1:], (4,), rule)
    if len(table) != head[0]:
        rule = f"must hold {head[0]:g} points, as its first line says"
        raise InstanceError(file, "file", rule, len(table))
    return int(head[1]), table


def _read_table(file: Path, lines: list[_Line]) -> np.ndarray:
    """Return the rows x, y and perhaps the weight, without a header."""
    if lines and _values(lines[0].parts) is None:
        lines = lines[1:]
    if not lines:
        raise InstanceError(file, "file", "has no points")
    rule = "must have the columns x, y and perhaps the weight"
    return _rows(file, lines, (2, 3), rule)


def _rows(
    file: Path, lines: list[_Line], widths: tuple[int, ...], rule: str
) -> np.ndarray:
    """Return rows of one width, one of those allowed."""
    rows = [_row(file, line) for line in lines]
    for line, row in zip(lines, rows, strict=True):
        if len(row) not in widths or len(row) != len(rows[0]):
            field = f"line {line.number}"
            raise InstanceError(file, field, rule, len(row))
    return np.array(rows)


def _weights_of(table: np.ndarray) -> np.ndarray:
    """Return the last column, 1 where there is none, as integers if whole."""
    weights = np.ones(len(table)) if table.shape[1] == 2 else table[:, -1]
    is_whole = (weights == np.round(weights)).all()
    if is_whole and np.abs(weights).max() < _LARGEST_WHOLE:
        return weights.astype(np.int64)
    return weights


def _split(line: str) -> list[str]:
    """Return the cells of a line; separators at its end count for nothing."""
    text = line.strip()
    for mark in (";", ",", "\t"):
        if mark in text:
            return [part.strip() for part in text.rstrip(mark).split(mark)]
    return text.split()


def _values(parts: list[str]) -> list[float] | None:
    try:
        return [float(part) for part in parts]
    except ValueError:
        return None


def _row(file: Path, line: _Line) -> np.ndarray:
    """Return the numbers of a line; an empty cell is none."""
    values = _values([p for part in line.parts for p in part.split() or [""]])
    if values is None:
        field, text = f"line {line.number}", " ".join(line.parts)
        raise InstanceError(file, field, "must hold numbers", text)
    return np.array(values)


def _whole(value: float) -> float:
    return int(value) if float(value).is_integer() else float(value)
