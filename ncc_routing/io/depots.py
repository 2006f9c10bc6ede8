"""Which row of a table, or which place beside it, is the depot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.numerals import number_of
from ncc_routing.core.text_files import describe_value
from ncc_routing.io.columns import DEPOT_NAMES, read_places
from ncc_routing.io.tables import Table, is_blank

if TYPE_CHECKING:
    from ncc_routing.io.columns import Places

_YES: Final = ("1", "1.0", "true", "yes", "y", "x", "depot")
_NO: Final = ("", "0", "0.0", "false", "no", "n", "customer")
"""Cells of a column that marks the depot, in lower case."""

_DEPOT_ID: Final = "depot"
"""Id of a depot that has none of its own."""


class Depot(NamedTuple):
    """The depot: a row of the table, or a place beside it with a name."""

    row: int | None
    place: tuple[float, float] | None = None
    name: str = _DEPOT_ID


def find_depot(table: Table, places: Places, depot: object) -> Depot:
    """Return the depot: as given, as marked, or the first row.

    ``depot`` is an id, a place ``(x, y)`` or "x,y"; default: what JSON says.
    """
    marks = table.find(DEPOT_NAMES)
    if depot is None:
        depot = table.extras.get("depot")
    if depot is not None:
        return _given_depot(table, places, depot)
    if marks is not None:
        rows = _marked_rows(table, marks)
        if len(rows) > 1:
            rule = "several depots are not supported"
            field = f"column {marks}"
            raise UnsupportedProblemError(table.source, field, rule, len(rows))
        if rows:
            return Depot(rows[0])
    weights = places.weights
    if weights is None or weights[0] == 0:
        return Depot(0)
    rule = (
        "cannot tell which row it is: mark it in a column depot, put it "
        "first with demand 0, or give its id or place (--depot ID|X,Y)"
    )
    raise InstanceError(table.source, "depot", rule)


def _marked_rows(table: Table, column: str) -> list[int]:
    """Return the rows that a column marks as the depot."""
    rows = []
    for row, cell in enumerate(table.columns[column]):
        text = "" if is_blank(cell) else str(cell).strip().lower()
        if text == _DEPOT_ID or (text in _YES and column != "type"):
            rows.append(row)
        elif column != "type" and text not in _NO:
            field = f"{table.places[row]}, column {column}"
            rule = "must say yes or no, as 1 or 0"
            raise InstanceError(table.source, field, rule, str(cell))
    return rows


def _given_depot(table: Table, places: Places, depot: object) -> Depot:
    """Return the depot that an id, a place, or an object of JSON names."""
    if isinstance(depot, dict):
        inner = read_places(
            Table(
                table.source,
                "depot",
                {str(key).lower(): [value] for key, value in depot.items()},
                ["depot"],
                {},
            )
        )
        if inner.coords is None:
            rule = "must have coordinates"
            raise InstanceError(table.source, "depot", rule)
        if inner.is_geographic != places.is_geographic:
            rule = "must have coordinates of the same kind as the customers"
            raise InstanceError(table.source, "depot", rule)
        x, y = inner.coords[0].tolist()
        own = _DEPOT_ID if inner.ids is None else inner.ids[0]
        return Depot(None, (x, y), own)
    place = _place_of(depot)
    text = str(depot).strip()
    if places.ids is not None and text in places.ids:
        return Depot(places.ids.index(text))
    if place is not None:
        return Depot(None, place)
    if not isinstance(depot, (str, int)):
        raise ParameterError(
            "depot must be an id or a place (x, y), got "
            f"{describe_value(depot)}."
        )
    rule = "must be an id of the table, or a place X,Y"
    raise InstanceError(table.source, "depot", rule, text)


def _place_of(depot: object) -> tuple[float, float] | None:
    """Return the two numbers of a place, None where it is none."""
    parts: Any = depot
    if isinstance(depot, str):
        parts = map(number_of, depot.split(","))
    try:
        x, y = (float(part) for part in parts)
    except (TypeError, ValueError):
        return None
    return (x, y) if np.isfinite([x, y]).all() else None
