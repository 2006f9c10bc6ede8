"""Point sets and labels as text files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text_files import read_text, replacing
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    import os

    from ncc_routing.problems.clusters import Clustering


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
        (number, _split(line))
        for number, line in enumerate(read_text(file).splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    is_benchmark = len(lines) > 1 and len(lines[0][1]) == 2 and (
        len(lines[1][1]) == 4
    )  # fmt: skip
    if not is_benchmark and _values(lines[0][1]) is None:
        lines = lines[1:]  # a header
    if not lines:
        raise InstanceError(file, "file", "has no points")
    head = _row(file, *lines[0]) if is_benchmark else np.empty(0)
    rows = [_row(file, *line) for line in lines[is_benchmark:]]
    width = 4 if is_benchmark else len(rows[0])
    for (number, _), row in zip(lines[is_benchmark:], rows, strict=True):
        if len(row) != width or (not is_benchmark and width not in (2, 3)):
            rule = "must have the columns x, y and perhaps the weight"
            if is_benchmark:
                rule = "must have the columns x, y, capacity, demand"
            raise InstanceError(file, f"line {number}", rule, len(row))
    table = np.array(rows)
    weights = np.ones(len(table)) if width == 2 else table[:, -1]
    if (weights == np.round(weights)).all() and np.abs(weights).max() < 2**53:
        weights = weights.astype(np.int64)
    point_capacities = None
    if is_benchmark:
        if len(table) != head[0]:
            rule = f"must hold {head[0]:g} points, as its first line says"
            raise InstanceError(file, "file", rule, len(table))
        num_clusters = int(head[1]) if num_clusters is None else num_clusters
        if capacity is None:
            capacity = _whole(table[:, 2].max())
            if table[:, 2].min() < capacity:
                point_capacities = table[:, 2]
    if capacity is None:
        rule = "is not in the file and must be given"
        raise InstanceError(file, "capacity", rule)
    return PointSet(
        table[:, :2],
        weights,
        capacity,
        file.stem,
        num_clusters=num_clusters,
        point_capacities=point_capacities,
        rounding=rounding,
    )


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


def _split(line: str) -> list[str]:
    for mark in (";", ",", "\t"):
        if mark in line.strip():
            return [part.strip() for part in line.strip().split(mark) if part]
    return line.split()


def _values(parts: list[str]) -> list[float] | None:
    try:
        return [float(part) for part in parts]
    except ValueError:
        return None


def _row(file: Path, number: int, parts: list[str]) -> np.ndarray:
    values = _values([p for part in parts for p in part.split()])
    if values is None:
        rule = "must hold numbers"
        raise InstanceError(file, f"line {number}", rule, " ".join(parts))
    return np.array(values)


def _whole(value: float) -> float:
    return int(value) if float(value).is_integer() else float(value)
