"""Customers of a routing problem as a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.io import vrplib
from ncc_routing.io._vrplib_text import looks_like_vrplib
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.columns import DEMAND_NAMES, read_places
from ncc_routing.io.depots import find_depot
from ncc_routing.io.matrices import read_matrix
from ncc_routing.io.solomon import looks_like_solomon
from ncc_routing.io.tables import (
    TABLE_SUFFIXES,
    is_blank,
    parse_table,
    read_table,
)
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding_loss import require_distances

if TYPE_CHECKING:
    from ncc_routing.io.columns import Places
    from ncc_routing.io.depots import Depot
    from ncc_routing.io.tables import Table

_EXTRAS: Final = ("capacity", "depot", "name", "comment")
"""What JSON may say beside the customers."""


def read_customers(
    source: object,
    capacity: float | None = None,
    *,
    depot: object = None,
    matrix: object = None,
    rounding: str | None = None,
    name: str | None = None,
) -> Instance:
    """Read the customers of a CVRP from a table with named columns.

    Columns are known by these names, in any case: ``id`` (name, customer,
    customer_id, node); ``x`` and ``y`` (x_coord, xcoord), or ``lon`` (lng,
    long, longitude) and ``lat`` (latitude) in degrees; ``demand`` (weight,
    quantity, amount), 1 where there is none; ``depot`` (is_depot, type),
    which marks one row as the depot: 1, true, yes, x or the word depot.
    Other columns are left out, a warning names them, and they stand in
    ``Instance.unused_columns``. One whose name may be that of a constraint,
    as of time windows, is refused, unless it is empty or 0 throughout.

    Parameters
    ----------
    source
        A CSV or JSON file ("-" for standard input), a pandas or polars
        DataFrame, a mapping from names to columns, or a list of mappings.
        JSON is a list of objects, or an object with such a list and perhaps
        "capacity", "depot" and "name".
    capacity
        Capacity of each vehicle, in the unit of the demands. Needed unless
        JSON says it.
    depot
        The id of a row, or its place ``(x, y)``, as a text "x,y" too.
        Default: the marked row; else the first one, where its demand is 0
        or nothing has a demand.
    matrix
        Distances for all rows in their order, a depot that is none of the
        rows left out: see ``matrices.read_matrix``. Default: they follow
        from the coordinates.
    rounding
        Default: distances in a plane are not rounded, and great circles
        between longitudes and latitudes are whole metres ("nearest").
    name
        Name of the instance. Default: that of the file.

    Returns
    -------
    Instance
        The depot first, then the customers in the order of the rows, with
        the ids of the table.

    Raises
    ------
    InstanceError
        If the table is wrong or ambiguous; the message names the file, the
        line and the column.
    ParameterError
        If the source is no table, or the capacity is missing.
    UnsupportedProblemError
        If there are several depots, or a column may hold a constraint.
    """
    table = read_table(source, "customers")
    return _build(table, capacity, depot, matrix, rounding, name)


def read_problem(
    path: str | os.PathLike[str],
    capacity: float | None = None,
    *,
    depot: object = None,
    matrix: object = None,
    metric: str = "cvrplib",
    rounding: str | None = None,
) -> Instance:
    """Read an instance from a file of VRPLIB, or a table of customers.

    The suffixes .csv, .tsv and .json stand for a table. Standard input is a
    table unless it looks like a file of VRPLIB or Solomon.

    Parameters
    ----------
    path
        A file, "-", or the name of a known instance.
    capacity, depot, matrix, rounding
        As for :func:`read_customers`, for a table alone.
    metric
        As for :func:`ncc_routing.read`, for a VRPLIB file alone.

    Raises
    ------
    InstanceError, UnsupportedProblemError
        If the file is wrong.
    ParameterError
        If an argument does not go with the kind of file.
    """
    file = require_path(path, "an instance")
    text = None
    is_table = file.suffix.lower() in TABLE_SUFFIXES
    if is_standard_input(file):
        text = read_text(file)
        is_table = not (looks_like_vrplib(text) or looks_like_solomon(text))
    if is_table:
        if metric != "cvrplib":
            raise ParameterError(f"metric {metric} goes with a VRPLIB file.")
        table = parse_table(file, text or read_text(file), "customers")
        return _build(table, capacity, depot, matrix, rounding, None)
    for option, value in (
        ("capacity", capacity),
        ("depot", depot),
        ("matrix", matrix),
        ("rounding", rounding),
    ):
        if value is not None:
            raise ParameterError(
                f"{option} goes with a table of customers; {path} is a "
                "VRPLIB file, which says it itself."
            )
    if text is not None:
        return vrplib.parse_instance(file, text, metric)
    return vrplib.read(path, metric)


def _build(
    table: Table,
    capacity: float | None,
    depot: object,
    matrix: object,
    rounding: str | None,
    name: str | None,
) -> Instance:
    """Return the instance that a table and the arguments describe."""
    table.refuse_extras(_EXTRAS, "customers")
    places = read_places(table, blank_weight=True)
    home = find_depot(table, places, depot)
    size = table.num_rows
    order = [row for row in range(size) if row != home.row]
    if home.row is not None:
        order = [home.row, *order]
    demands = np.ones(size, dtype=np.int64)
    if places.weights is not None:
        demands = _whole_demands(table, places.weights, home)
    elif home.row is not None:
        demands[home.row] = 0
    demands = demands[order]
    ids = None
    if places.ids is not None:
        ids = tuple(places.ids[row] for row in order)
    coords = None if places.coords is None else places.coords[order]
    if home.row is None:
        demands = np.concatenate([[0], demands])
        if coords is None:
            rule = "a place of the depot needs coordinates of the customers"
            raise InstanceError(table.source, "depot", rule)
        coords = np.concatenate([[home.place], coords])
        if ids is not None:
            name_of_depot = home.name
            while name_of_depot in ids:
                name_of_depot += "_"
            ids = (name_of_depot, *ids)
    lengths = None
    if matrix is not None:
        lengths = _matrix_of(table, matrix, places, order, home)
    is_geographic = places.is_geographic
    usual = "nearest" if is_geographic and lengths is None else "none"
    stated = _capacity_of(table, capacity)
    if coords is None and lengths is None:
        rule = "columns x and y, or lon and lat, or a matrix must be given"
        raise InstanceError(table.source, "columns", rule)
    with in_words_of(table.source):
        instance = Instance(
            name=name or table.name,
            demands=demands,
            capacity=stated,
            coords=coords,
            rounding=rounding or usual,
            matrix=lengths,
            is_geographic=is_geographic,
            ids=ids,
            unused_columns=places.unused,
        )
    require_distances(instance)
    return instance


def _capacity_of(table: Table, capacity: Any) -> Any:
    """Return the capacity that is given, or that JSON says."""
    if capacity is None:
        capacity = table.extras.get("capacity")
    if capacity is None:
        raise ParameterError(
            f"{table.source}: the capacity of a vehicle is not in the table "
            "and must be given."
        )
    return capacity


def _whole_demands(
    table: Table, weights: np.ndarray, home: Depot
) -> np.ndarray:
    """Return demands that are whole numbers; the depot alone may have none."""
    column = table.require(DEMAND_NAMES)
    for row, cell in enumerate(table.columns[column]):
        if row != home.row and is_blank(cell):
            field = f"{table.places[row]}, column {column}"
            raise InstanceError(table.source, field, "must not be empty")
    for row in np.flatnonzero(weights != np.rint(weights))[:1]:
        rule = (
            "demands must be whole numbers: give them, and the capacity, in "
            "a smaller unit"
        )
        value = float(weights[row])
        raise InstanceError(table.source, table.places[row], rule, value)
    return weights


def _matrix_of(
    table: Table,
    matrix: object,
    places: Places,
    order: list[int],
    home: Depot,
) -> np.ndarray:
    """Return the distances in the order of the nodes."""
    if home.row is None:
        rule = "a matrix needs a depot that is a row of the table"
        raise InstanceError(table.source, "depot", rule)
    found = read_matrix(matrix, table.num_rows)
    source = matrix if isinstance(matrix, (str, os.PathLike)) else "matrix"
    rows = tuple(map(str, range(table.num_rows)))
    if found.ids is not None:
        if places.ids is None:
            rule = "has ids, so the table needs a column id"
            raise InstanceError(source, "matrix", rule)
        rows = places.ids
    return found.ordered(source, rows)[np.ix_(order, order)]
