"""The forms of Solomon, of Li and Lim, and of Cordeau, in fields of VRPLIB.

Solomon (1987), Gehring and Homberger: a name, a table VEHICLE with the number
of vehicles and their capacity, and a table CUSTOMER with seven columns, the
depot as number 0 first. Li and Lim (2001), as SINTEF publishes it: a line with
the number of vehicles, their capacity and their speed, and a line with nine
columns for the depot, number 0, and for each stop. Cordeau's form is told and
not read: a line with type, vehicles, customers and days or depots; lines with
a longest duration and a capacity; the customers.

Distances are Euclidean, and a duration is a distance, whatever the speed says:
the benchmarks do not use it.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.core.text import number_of
from ncc_routing.core.text_files import name_of
from ncc_routing.io._vrplib_text import (
    VrplibFields,
    leading_numbers,
    numbers_in,
    refuse,
)
from ncc_routing.io.sections import SHIPMENTS

if TYPE_CHECKING:
    from pathlib import Path

_COLUMNS: Final = "number, x, y, demand, ready time, due date, service time"
"""Columns of Solomon's customers, and the first ones of Li and Lim's stops."""

_STOP_COLUMNS: Final = f"{_COLUMNS}, pickup, delivery"

_NUMBER: Final = re.compile(r"[-+.\d]")
"""What a row begins with."""

_SECTIONS: Final = {
    "NODE_COORD": (1, 2),
    "DEMAND": (3,),
    "TIME_WINDOW": (4, 5),
    "SERVICE_TIME": (6,),
}
"""Columns of Solomon's that make each section of VRPLIB."""

_TYPES: Final = (
    *("VRP", "PVRP", "MDVRP", "SDVRP"),
    *("VRPTW", "PVRPTW", "MDVRPTW", "SDVRPTW"),
)
"""Cordeau's types of problems, by their numbers from 0."""


def looks_like_solomon(content: str) -> bool:
    """Whether a text has the tables VEHICLE and CUSTOMER, in this order."""
    heads = [line.strip() for line in content.splitlines()]
    if "VEHICLE" not in heads:
        return False
    return "CUSTOMER" in heads[heads.index("VEHICLE") :]


def looks_like_li_lim(content: str) -> bool:
    """Whether a text begins with lines of three and of nine numbers."""
    head = leading_numbers(content, 2)
    has_sizes = [len(line) for line in head] == [3, 9]
    return has_sizes and all(np.isfinite(line).all() for line in head)


def looks_like_cordeau(content: str) -> bool:
    """Whether a text begins with lines of four and of two numbers."""
    head = leading_numbers(content, 3)
    if [len(line) for line in head[:2]] != [4, 2] or len(head[-1]) < 2:
        return False
    numbers = list(itertools.chain.from_iterable(head))
    is_whole = all(map(float.is_integer, head[0]))
    return (
        is_whole
        and not np.isnan(numbers).any()
        and int(head[0][0]) in range(len(_TYPES))
    )


def solomon_fields(source: Path, content: str) -> VrplibFields:
    """Return the problem in the keys and sections of VRPLIB."""
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
    name = next(line for line in lines if line)
    sections = {
        section: numbers_in(
            source,
            f"{section}_SECTION",
            [[row[column] for column in columns] for row in rows],
        )
        for section, columns in _SECTIONS.items()
    }
    keys = _keys(name, "VRPTW", len(rows), *vehicles[0])
    return VrplibFields(source, keys, sections)


def _rows(source: Path, table: str, lines: list[str]) -> list[list[str]]:
    """Return the rows of a table; the first one begins with a number."""
    rows = [line for line in lines if line]
    while rows and not _NUMBER.match(rows[0]):
        rows.pop(0)
    if rows and rows[-1] == "EOF":
        rows.pop()
    for line in rows:
        if not _NUMBER.match(line):
            rule = "must end with its last row, and hold nothing else"
            refuse(source, table, rule, line)
    return [line.split() for line in rows]


def li_lim_fields(source: Path, content: str) -> VrplibFields:
    """Return the problem in the keys and sections of VRPLIB.

    The stops have the numbers 0, 1, 2, ...
    """
    head, *rows = (
        line.split() for line in content.splitlines() if line.strip()
    )
    numbers = np.zeros((len(rows), len(_STOP_COLUMNS.split(", "))))
    for number, row in enumerate(rows):
        cells = [number_of(cell) for cell in row]
        if len(row) != numbers.shape[1] or not np.isfinite(cells).all():
            rule = f"must hold {_STOP_COLUMNS}"
            refuse(source, f"row {number}", rule, " ".join(row))
        numbers[number] = cells
        if numbers[number, 0] != number:
            rule = "rows must be numbered 0, 1, 2, ..."
            refuse(source, f"row {number}", rule, row[0])
    sections = {"NODE_COORD": numbers[:, 1:3], SHIPMENTS: numbers[:, 3:]}
    keys = _keys(name_of(source), "PDPTW", len(rows), *head[:2])
    return VrplibFields(source, keys, sections, first_row=0)


def _keys(
    name: str, kind: str, size: int, vehicles: str, capacity: str
) -> dict[str, str]:
    return {
        "NAME": name,
        "TYPE": kind,
        "DIMENSION": str(size),
        "VEHICLES": vehicles,
        "CAPACITY": capacity,
        "EDGE_WEIGHT_TYPE": "EUC_2D",
    }


def refuse_cordeau(source: Path, content: str) -> NoReturn:
    """Refuse a file in this form, by the type of its problem."""
    kind = _TYPES[int(leading_numbers(content, 1)[0][0])]
    rule = (
        f"is in Cordeau's text format ({kind}), which is not read: take "
        "VRPLIB or a table"
    )
    refuse(source, "file", rule, None, UnsupportedProblemError)


FORMS: Final = (
    (looks_like_solomon, solomon_fields, "cvrplib"),
    (looks_like_li_lim, li_lim_fields, "none"),
    (looks_like_cordeau, refuse_cordeau, "cvrplib"),
)
"""How each form is told and read, and its lengths."""
