"""Every declared column: its names, and the refusal of a wrong cell."""

from __future__ import annotations

from typing import Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.fields import (
    CUSTOMER_COLUMNS,
    LABEL,
    OWN_PLACES,
    POINT_COLUMNS,
    STOP_COLUMNS,
    TEXT,
    VEHICLE_COLUMNS,
    WORDS,
    field_of,
)
from ncc_routing.desk.vehicles import read_vehicles
from ncc_routing.desk.words import entry_of

CUSTOMERS: dict[str, list[Any]] = {
    "id": ["yard", "a", "b"],
    "x": [0, 3, 6],
    "y": [0, 4, 8],
    "demand": [0, 1, 1],
}
FREE = (TEXT, LABEL, WORDS)
"""Kinds of columns in which any text is right, or which name something."""


def with_column(field: str, cell: object) -> dict[str, list[Any]]:
    """Return customers with a cell in a column of a field."""
    columns = {**CUSTOMERS, field: [None, cell, None]}
    if field == "demand":
        columns[field] = [0, cell, 1]
    if field in ("lon", "lat"):
        columns |= {"lon": [0, 1, 2], "lat": [0, 1, 2], field: [0, cell, 2]}
        del columns["x"], columns["y"]
    if field in ("x", "y"):
        columns[field] = [0, cell, 2]
    return columns


@pytest.mark.parametrize("columns", [CUSTOMER_COLUMNS, VEHICLE_COLUMNS])
def test_each_name_stands_for_its_field(columns: dict[str, Any]) -> None:
    """In capitals, with blanks or hyphens; no name stands for two fields."""
    for field, column in columns.items():
        for name in column.names:
            assert field_of(name, columns) == field
            assert field_of(name.upper().replace("_", "-"), columns) == field


def test_each_entry_of_names_is_that_of_a_column() -> None:
    """A field that is misspelt in the file of words would count for none."""
    tables = (CUSTOMER_COLUMNS, VEHICLE_COLUMNS, POINT_COLUMNS, STOP_COLUMNS)
    columns = [column for table in tables for column in table.values()]
    assert all(column.names for column in columns)
    entries = {
        f"{table}.{field}"
        for table in ("places", "customers", "vehicles", "points", "stops")
        for field in entry_of(table)
    }
    assert entries <= {column.words for column in columns}


@pytest.mark.parametrize(
    "field",
    [name for name, one in CUSTOMER_COLUMNS.items() if one.kind not in FREE],
)
def test_wrong_cells_of_customers_are_refused(field: str) -> None:
    """The error names the table, the row, its id and the column."""
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(with_column(field, "wrong"), capacity=9)
    error = caught.value
    assert (error.source, error.value) == ("mapping", "wrong")
    assert error.field == f"row 2 (id a), column {field}"
    assert error.rule.startswith("must ")


@pytest.mark.parametrize(
    "field",
    [
        name
        for name, one in VEHICLE_COLUMNS.items()
        if one.kind not in FREE and name not in (*OWN_PLACES, "speed")
    ],
)
def test_wrong_cells_of_vehicles_are_refused(field: str) -> None:
    """The same for a table of vehicles, of which a depot is named."""
    table = {"name": ["van"], "capacity": [9], field: ["wrong"]}
    with pytest.raises(nr.InstanceError) as caught:
        read_vehicles(table)
    error = caught.value
    assert (error.source, error.value) == ("mapping", "wrong")
    assert error.field == f"row 1 (id van), column {field}"
    assert error.rule.startswith("must ")


@pytest.mark.parametrize(
    "field", [name for name, one in CUSTOMER_COLUMNS.items() if one.most]
)
def test_bounds_of_customers(field: str) -> None:
    """The largest number is read, and a larger one is refused."""
    column = CUSTOMER_COLUMNS[field]
    assert column.most is not None
    with pytest.raises(nr.InstanceError) as caught:
        nr.read(with_column(field, 1.5 * column.most), capacity=9)
    assert caught.value.field == f"row 2 (id a), column {field}"
    if column.least == -column.most:
        for cell in (column.least, column.most):
            found = nr.read(with_column(field, cell), capacity=9)
            assert cell in found.require_coords("test")[1]
