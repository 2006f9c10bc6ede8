"""Solomon's form of problems with time windows, in its fields.

The form of Solomon (1987) and of Gehring and Homberger: a name, a table
VEHICLE with the number of vehicles and their capacity, and a table CUSTOMER
with seven columns, the depot as number 0 first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ncc_routing.io._vrplib_text import VrplibFields, numbers_in, refuse

if TYPE_CHECKING:
    from pathlib import Path

_COLUMNS: Final = "number, x, y, demand, ready time, due date, service time"
"""Columns of the table of customers."""

_NUMBER: Final = re.compile(r"[-+.\d]")
"""What a row begins with."""

_SECTIONS: Final = {
    "NODE_COORD": (1, 2),
    "DEMAND": (3,),
    "TIME_WINDOW": (4, 5),
    "SERVICE_TIME": (6,),
}
"""Columns that make each section of VRPLIB."""


def looks_like_solomon(content: str) -> bool:
    """Whether a text has the tables VEHICLE and CUSTOMER, in this order."""
    heads = [line.strip() for line in content.splitlines()]
    if "VEHICLE" not in heads:
        return False
    return "CUSTOMER" in heads[heads.index("VEHICLE") :]


def solomon_fields(source: Path, content: str) -> VrplibFields:
    """Return the problem in the keys and sections of VRPLIB.

    Distances are Euclidean, and a duration is a distance.
    """
    lines = [line.strip() for line in content.splitlines()]
    start = lines.index("VEHICLE")
    middle = lines.index("CUSTOMER", start)
    vehicles = _rows(source, "VEHICLE", lines[start:middle])
    if len(vehicles) != 1 or len(vehicles[0]) != 2:
        rule = "must have one row: the number of vehicles and the capacity"
        refuse(source, "VEHICLE", rule)
    rows = _rows(source, "CUSTOMER", lines[middle:])
    for number, row in enumerate(rows):
        if len(row) != len(_COLUMNS.split(", ")):
            rule = f"a row must hold {_COLUMNS}"
            refuse(source, "CUSTOMER", rule, " ".join(row))
        if row[0] != str(number):
            rule = f"rows must be numbered 0, 1, 2, ...: here {number}"
            refuse(source, "CUSTOMER", rule, row[0])
    keys = {
        "NAME": next(line for line in lines if line),
        "TYPE": "VRPTW",
        "DIMENSION": str(len(rows)),
        "VEHICLES": vehicles[0][0],
        "CAPACITY": vehicles[0][1],
        "EDGE_WEIGHT_TYPE": "EUC_2D",
    }
    sections = {
        name: numbers_in(
            source,
            f"{name}_SECTION",
            [[row[column] for column in columns] for row in rows],
        )
        for name, columns in _SECTIONS.items()
    }
    return VrplibFields(source, keys, sections)


def _rows(source: Path, table: str, lines: list[str]) -> list[list[str]]:
    """Return the rows of a table; the first one begins with a number."""
    found = [line for line in lines if line]
    while found and not _NUMBER.match(found[0]):
        found.pop(0)
    if found and found[-1] == "EOF":
        found.pop()
    for line in found:
        if not _NUMBER.match(line):
            rule = "must end with its last row, and hold nothing else"
            refuse(source, table, rule, line)
    return [line.split() for line in found]
