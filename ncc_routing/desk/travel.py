"""Distances and durations of the arcs between the rows of a table."""

from __future__ import annotations

import math
import os
import re
from numbers import Real
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import number_of
from ncc_routing.core.text_files import describe_value
from ncc_routing.core.units import METRES_A_SECOND
from ncc_routing.desk.matrices import NamedMatrix, read_travel
from ncc_routing.desk.osrm import read_roads
from ncc_routing.desk.times import UNIT_NEEDED, seconds_in
from ncc_routing.problems.matrices import say_forbidden

if TYPE_CHECKING:
    from ncc_routing.desk.tables import Table

_SPEED: Final = re.compile(r"([0-9.]+) *(km/h|m/s|mph)", re.IGNORECASE)

_LONGEST_DETOUR: Final = 10.0


class ArcMatrices(NamedTuple):
    """Distances and durations between rows, ``None`` where not known."""

    matrix: np.ndarray | None = None
    durations: np.ndarray | None = None
    in_seconds: bool = False
    costs_are_durations: bool = False
    in_metres: bool = False


def read_arcs(
    table: Table, matrix: object, durations: object, *, is_depot_added: bool
) -> ArcMatrices:
    """Return the matrices for the rows of a table, in their order."""
    if matrix is None and durations is None:
        return ArcMatrices()
    if is_depot_added:
        rule = "a matrix needs a depot that is a row of the table"
        raise InstanceError(table.source, "depot", rule)
    arcs, marks = ArcMatrices(), set[str]()
    if matrix is not None:
        read = read_travel(matrix, table.num_rows)
        marks |= read.marks
        in_time = _ordered(table, matrix, read.durations)
        lengths = _ordered(table, matrix, read.distances)
        is_same = lengths is None
        lengths = in_time if lengths is None else lengths
        in_metres = read.in_seconds and not is_same
        arcs = ArcMatrices(
            lengths, in_time, read.in_seconds, is_same, in_metres
        )
    if durations is not None:
        if arcs.durations is not None:
            raise ParameterError("the matrix holds durations already.")
        read = read_travel(durations, table.num_rows)
        if read.durations is not None and read.distances is not None:
            raise ParameterError(
                "durations hold distances as well: give them as the matrix."
            )
        if read.names_distances:
            raise ParameterError("durations has only distances.")
        matrices = read.durations or read.distances
        in_time = _ordered(table, durations, matrices)
        marks |= read.marks
        has_places = not {"x", "lon"}.isdisjoint(table.columns)
        is_alone = arcs.matrix is None and not has_places
        lengths = in_time if is_alone else arcs.matrix
        is_known = read.in_seconds and read.durations is not None
        arcs = ArcMatrices(
            lengths, in_time, is_known, is_alone, arcs.in_metres
        )
    if marks:
        _say_forbidden(table, arcs, marks)
    return arcs


def read_road_arcs(table: Table, address: str) -> ArcMatrices:
    """Return what OSRM says between the rows of a table."""
    if not {"lon", "lat"} <= table.columns.keys():
        rule = "OSRM needs the columns lon and lat"
        raise InstanceError(table.source, "columns", rule)
    coords = np.column_stack([table.numbers("lon"), table.numbers("lat")])
    roads = read_roads(address, coords)
    arcs = ArcMatrices(*roads, True, False, True)
    if np.isinf(roads.durations).any():
        _say_forbidden(table, arcs, {"null"})
    return arcs


def _say_forbidden(table: Table, arcs: ArcMatrices, marks: set[str]) -> None:
    is_forbidden = np.zeros((table.num_rows, table.num_rows), dtype=bool)
    for matrix in (arcs.matrix, arcs.durations):
        if matrix is not None:
            is_forbidden |= np.isinf(matrix)
    names = [f"row {row + 1}" for row in range(table.num_rows)]
    if "id" in table.columns:
        names = table.texts("id")
    tail, head = np.argwhere(is_forbidden)[0].tolist()
    example = f"that from {names[tail]} to {names[head]}"
    count = int(is_forbidden.sum())
    say_forbidden(table.source, count, sorted(marks), example)


def _ordered(
    table: Table, source: object, matrix: NamedMatrix | None
) -> np.ndarray | None:
    if matrix is None:
        return None
    name = source if isinstance(source, (str, os.PathLike)) else "matrix"
    rows = list(map(str, range(table.num_rows)))
    if matrix.ids is not None:
        if "id" not in table.columns:
            rule = "has ids, so the table needs a column id"
            raise InstanceError(name, "matrix", rule)
        rows = table.texts("id")
    return matrix.ordered(name, rows)


def durations_of(
    source: str, arcs: ArcMatrices, time_unit: str | None, *, in_seconds: bool
) -> np.ndarray | None:
    """Return the durations in the unit of all times."""
    if arcs.durations is None or arcs.in_seconds or not in_seconds:
        return arcs.durations
    unit = seconds_in(time_unit)
    if unit is None:
        raise InstanceError(source, "durations", UNIT_NEEDED)
    return unit * arcs.durations


def speed_in(cell: object) -> float | None:
    """Return a speed such as "40km/h" in m/s, ``None`` where it is none."""
    match = _SPEED.fullmatch(str(cell).strip())
    value = number_of(match[1]) if match else math.nan
    if match is None or not 0.0 < value < math.inf:
        return None
    return value * METRES_A_SECOND[match[2].lower()]


def metres_a_second(speed: object) -> float:
    """Return a speed such as "40km/h"; ``ParameterError`` where it is none."""
    value = speed_in(speed)
    if value is None:
        raise ParameterError(
            "speed must be a positive number and its unit, km/h, m/s or mph, "
            f"such as 40km/h; got {speed!r}."
        )
    return value


def checked_detour(detour: object) -> float:
    """Return a detour; ``ParameterError`` where it is none."""
    if isinstance(detour, bool) or not isinstance(detour, Real):
        raise ParameterError(
            f"detour must be a number, got {describe_value(detour)}."
        )
    factor = float(detour)
    if not 1.0 <= factor <= _LONGEST_DETOUR:
        raise ParameterError(
            f"detour must lie in 1..{_LONGEST_DETOUR:g}, got {factor:g}."
        )
    return factor
