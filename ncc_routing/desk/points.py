"""Point sets and labels as text files."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import counted, may_be_number, number_of
from ncc_routing.core.text_files import (
    name_of,
    read_text,
    require_path,
    write_text,
)
from ncc_routing.desk.areas import has_areas, read_areas, table_of_areas
from ncc_routing.desk.cells import read_values, require_places
from ncc_routing.desk.columns import NO_NAMING, Naming, name_columns
from ncc_routing.desk.excel import is_excel
from ncc_routing.desk.fields import POINT_COLUMNS, field_of
from ncc_routing.desk.tables import (
    Line,
    Table,
    csv_text,
    parse_json,
    parse_table,
    read_table,
    split_cells,
    whole_if_possible,
)
from ncc_routing.io.builder import in_words_of
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ncc_routing.problems.ccp.clusters import Clustering


class _Stated(NamedTuple):
    """What is said beside the points; ``is_limited``: with other limits."""

    capacity: Any
    num_clusters: int | None
    rounding: str
    is_limited: bool

    def facts(
        self, source: str, capacity: Any, num_clusters: Any
    ) -> dict[str, Any]:
        """Return what is said, else what the source says."""
        if self.capacity is not None:
            capacity = self.capacity
        if capacity is None and not self.is_limited:
            rule = "is not in the file: give it, or another limit"
            raise InstanceError(source, "capacity", rule)
        if self.num_clusters is not None:
            num_clusters = self.num_clusters
        return {"capacity": capacity, "num_clusters": num_clusters}


_EXTRAS: Final = ("capacity", "num_clusters", "name", "comment")
"""What JSON may say beside the points."""


def read_points(
    source: object,
    capacity: float | Sequence[float] | None = None,
    num_clusters: int | None = None,
    rounding: str = "none",
    *,
    columns: Mapping[str, str] | str | os.PathLike[str] | Naming | None = None,
    ignore_columns: Sequence[str] = (),
    **limits: Any,
) -> PointSet:
    """Read weighted points.

    The format is detected. The benchmark format has a first line ``n p`` and n
    lines ``x y capacity demand``. A table names its columns in the first line,
    in any case and order: ``x`` and ``y``, or ``lon`` and ``lat`` in degrees;
    ``weight``, 1 without the column; ``weight 2`` and ``weight 3``, which have
    limits of their own; ``id``; ``capacity``, that of a cluster whose medoid
    is that point. Other names are those of ``problem.read``.
    Lines that start with # are comments above the first line of a table, and
    anywhere in the benchmark format.

    Parameters
    ----------
    source
        A CSV, JSON or Excel file (.xlsx; "-" for standard input), a pandas
        or polars DataFrame, an Arrow table, a mapping from names to columns,
        or a list of mappings. Polygons of GeoJSON, or of a GeoDataFrame, are
        points within them; their properties are the columns.
    capacity
        Capacity of every cluster, or one for each cluster; with several
        weights, one for each weight. Required for a table without it; it
        replaces the capacities of the benchmark format.
    num_clusters
        Number of clusters; it replaces the p of the benchmark format.
    rounding
        "none" (default) or "floor", see ``PointSet``.
    columns, ignore_columns
        As for ``problem``, of a table. Columns may be a file as well.
    limits
        Fields of ``PointSet`` such as ``max_size``; with one a table needs no
        capacity. ``min_load`` is as ``capacity``.

    Returns
    -------
    PointSet
        Named by the file. Whole weights stay integers. Longitudes and
        latitudes become a map in metres (``PointSet.from_lonlat``).

    Raises
    ------
    InstanceError
        If the file does not follow either format; the message names the
        line.
    ParameterError
        If the source is not a table.
    UnsupportedProblemError
        If a column may be a constraint that is not read.
    """
    naming = (
        columns
        if isinstance(columns, Naming)
        else Naming.of(columns, ignore_columns)
    )
    is_list = capacity is not None and np.ndim(capacity) > 0
    most: Any = None if is_list else capacity
    is_limited = is_list or bool(limits)
    stated = _Stated(most, num_clusters, rounding, is_limited)
    points = _read(source, naming, stated)
    has_several = points.other_weights is not None
    return points.limited(
        capacity if is_list or has_several else None, **limits
    )


def _read(source: object, naming: Naming, stated: _Stated) -> PointSet:
    if has_areas(source) and not _names_places(source, naming):
        areas = table_of_areas(source, read_areas(source))
        return _from_table(areas, naming, stated)
    if not isinstance(source, (str, os.PathLike)) or is_excel(source):
        table = read_table(source, "points")
        if not isinstance(source, (str, os.PathLike)) and not table.extras:
            _require_places_named(table, naming)
        return _from_table(table, naming, stated)
    file = require_path(source, "points")
    text = read_text(file)
    if text.lstrip()[:1] not in ("{", "["):
        lines = split_cells(file, text)
        if not lines:
            raise InstanceError(file, "file", "has no points")
        rows = [line for line in lines if not line[1][0].startswith("#")]
        widths = [len(cells) for _, cells in rows[:2]]
        if widths == [2, 4] and all(map(may_be_number, rows[0][1])):
            if naming != NO_NAMING:
                raise ParameterError(f"{file} has no columns with names.")
            return _from_benchmark(file, rows, stated)
    elif has_areas(parse_json(str(file), text)):
        areas = table_of_areas(file, read_areas(file, text))
        return _from_table(areas, naming, stated)
    return _from_table(parse_table(file, text, "points"), naming, stated)


def _names_places(table: Any, naming: Naming) -> bool:
    """Whether columns are places, by their names or as is said."""
    titles = map(str, getattr(table, "columns", ()))
    fields = {field_of(title, POINT_COLUMNS) for title in titles}
    return not {*fields, *naming.columns}.isdisjoint(("x", "y", "lon", "lat"))


def _require_places_named(table: Table, naming: Naming) -> None:
    """Refuse a table in memory that has features, not places."""
    if not _names_places(table, naming):
        raise ParameterError(
            f"points: the {table.source} has no columns x and y, or lon and "
            "lat; give features as an array, such as points.to_numpy(), or "
            'name the places: nr.read_points(points, columns={"x": "NAME", '
            '"y": "NAME"}).'
        )


def write_points(path: str | os.PathLike[str], points: PointSet) -> None:
    """Write points in a form that ``read_points`` takes.

    It is the benchmark format, with the capacity, if the number of clusters is
    known, and there are no ids and no further weights; else a table with a
    header: id (if there are ids), x and y or lon and lat, weight, weight 2.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    points
        Points in the plane.

    Raises
    ------
    ParameterError
        If the points are not in the plane, or have a matrix or a capacity for
        each cluster, which no format can express.
    NccRoutingError
        If the file cannot be written.
    """
    target = require_path(path, "points")
    if points.coords.shape[1] != 2 or (
        points.matrix is not None or points.capacities is not None
    ):
        raise ParameterError(
            f"{points.name}: only points in the plane, with one capacity or "
            "one for each medoid, can be written."
        )
    if (
        points.num_clusters is None
        or points.ids is not None
        or points.lonlat is not None
        or points.other_weights is not None
    ):
        columns = {**_named_places(points), **_named_weights(points)}
        if points.point_capacities is not None:
            columns["capacity"] = points.point_capacities.tolist()
        write_text(target, csv_text(columns))
        return
    capacities = points.point_capacities
    if capacities is None:
        capacities = np.full(points.num_points, points.capacity)
    values = [*points.coords.T, capacities, points.weights]
    lines = [f"{points.num_points} {points.num_clusters}"]
    for row in zip(*(column.tolist() for column in values), strict=True):
        lines.append(" ".join(map(repr, row)))
    write_text(target, "\n".join([*lines, ""]))


def write_labels(
    path: str | os.PathLike[str], points: PointSet, clustering: Clustering
) -> None:
    """Write the cluster of every point as CSV with a header.

    The columns are id (if the points have ids), x and y or lon and lat,
    weight (weight 2, ...), cluster.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    points
        The points.
    clustering
        Their clusters, from 0.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    columns = {
        **_named_places(points),
        **_named_weights(points),
        "cluster": clustering.labels.tolist(),
    }
    write_text(path, csv_text(columns))


def _named_places(points: PointSet) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {}
    if points.ids is not None:
        columns["id"] = list(points.ids)
    for name, values in points.axes.items():
        columns[name] = values.tolist()
    return columns


def _named_weights(points: PointSet) -> dict[str, list[object]]:
    further = () if points.other_weights is None else points.other_weights.T
    columns = [points.weights, *further]
    names = ["weight", *(f"weight {k + 2}" for k in range(len(further)))]
    return {n: w.tolist() for n, w in zip(names, columns, strict=True)}


def _from_table(table: Table, naming: Naming, stated: _Stated) -> PointSet:
    table.refuse_extras(_EXTRAS, "points")
    naming.require_all(table, table)
    table = name_columns(table, POINT_COLUMNS, naming)
    is_geographic = require_places(table)
    columns = dict(POINT_COLUMNS)
    if stated.capacity is not None:
        del columns["capacity"]
    values = read_values(table, columns)
    coords = [
        values[axis] for axis in ("x", "y", "lon", "lat") if axis in values
    ]
    if not coords:
        rule = "x and y, or lon and lat, are needed"
        raise InstanceError(table.source, "columns", rule)
    capacities, capacity = None, table.extras.get("capacity")
    if "capacity" in values:
        capacities = whole_if_possible(values["capacity"])
        capacity = capacities.max().item()
        capacities = None if (capacities == capacity).all() else capacities
    weights = values.get("demand", np.ones(table.num_rows))
    facts: dict[str, Any] = {
        "weights": whole_if_possible(weights),
        "name": table.name,
        "ids": values.get("id"),
        **stated.facts(
            table.source, capacity, table.extras.get("num_clusters")
        ),
    }
    more = [values[n] for n in ("demand_2", "demand_3") if n in values]
    weights = whole_if_possible(np.column_stack(more)) if more else None
    with in_words_of(table.source):
        if not is_geographic:
            return PointSet(
                np.column_stack(coords),
                point_capacities=capacities,
                rounding=stated.rounding,
                other_weights=weights,
                **facts,
            )
        if capacities is not None or stated.rounding != "none":
            what = "rounding" if capacities is None else "capacities of points"
            raise ParameterError(
                f"{what} goes with x and y, not with lon, lat."
            )
        points = PointSet.from_lonlat(np.column_stack(coords), **facts)
        return points.limited(other_weights=weights)


def _from_benchmark(
    file: Path, lines: list[Line], stated: _Stated
) -> PointSet:
    head, *rows = [_row(file, line) for line in lines]
    if (head != np.rint(head)).any():
        number, cells = lines[0]
        rule = "must hold the number of points and that of clusters"
        raise InstanceError(file, f"line {number}", rule, " ".join(cells))
    for (number, _), row in zip(lines[1:], rows, strict=True):
        if len(row) != 4:
            rule = "must have the columns x, y, capacity, demand"
            raise InstanceError(file, f"line {number}", rule, len(row))
    if len(rows) != head[0]:
        rule = f"must hold {counted(head[0], 'point')}, as its first line says"
        raise InstanceError(file, "file", rule, len(rows))
    table = np.array(rows)
    capacity = whole_if_possible(table[:, 2]).max().item()
    has_several = stated.capacity is None and table[:, 2].min() < capacity
    return PointSet(
        table[:, :2],
        whole_if_possible(table[:, 3]),
        name=name_of(file),
        point_capacities=table[:, 2] if has_several else None,
        rounding=stated.rounding,
        **stated.facts(str(file), capacity, int(head[1])),
    )


def _row(file: Path, line: Line) -> np.ndarray:
    """Return the numbers of a line; an empty cell is none."""
    number, cells = line
    values = [number_of(cell) for cell in cells]
    if not all(map(math.isfinite, values)):
        field, text = f"line {number}", " ".join(cells)
        raise InstanceError(file, field, "must hold finite numbers", text)
    return np.array(values)
