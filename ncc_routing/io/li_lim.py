"""Li and Lim's form of pickup and delivery problems, in its fields.

The form of Li and Lim (2001), as SINTEF publishes it: a line with the number
of vehicles, their capacity and their speed, and a line with nine columns for
the depot, number 0, and for each stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.numerals import number_of
from ncc_routing.core.text_files import name_of
from ncc_routing.io._vrplib_text import VrplibFields, leading_numbers, refuse
from ncc_routing.io.sections import SHIPMENTS

if TYPE_CHECKING:
    from pathlib import Path

_COLUMNS: Final = (
    *("number", "x", "y", "demand", "ready time", "due date"),
    *("service time", "pickup", "delivery"),
)
"""Columns of a stop."""


def looks_like_li_lim(content: str) -> bool:
    """Whether a text begins with lines of three and of nine numbers."""
    head = leading_numbers(content, 2)
    has_sizes = [len(line) for line in head] == [3, 9]
    return has_sizes and all(np.isfinite(line).all() for line in head)


def li_lim_fields(source: Path, content: str) -> VrplibFields:
    """Return the problem in the keys and sections of VRPLIB.

    Distances are Euclidean, and a duration is a distance, whatever the speed
    says: the benchmark does not use it. The stops have the numbers 0, 1, 2,
    ...
    """
    head, *rows = (
        line.split() for line in content.splitlines() if line.strip()
    )
    vehicles, capacity, _ = head  # the speed is not used
    numbers = np.zeros((len(rows), len(_COLUMNS)))
    for number, row in enumerate(rows):
        cells = [number_of(cell) for cell in row]
        if len(row) != len(_COLUMNS) or not np.isfinite(cells).all():
            rule = f"must hold {', '.join(_COLUMNS)}"
            refuse(source, f"row {number}", rule, " ".join(row))
        numbers[number] = cells
        if numbers[number, 0] != number:
            rule = "rows must be numbered 0, 1, 2, ..."
            refuse(source, f"row {number}", rule, row[0])
    keys = {
        "NAME": name_of(source),
        "TYPE": "PDPTW",
        "DIMENSION": str(len(rows)),
        "VEHICLES": vehicles,
        "CAPACITY": capacity,
        "EDGE_WEIGHT_TYPE": "EUC_2D",
    }
    sections = {"NODE_COORD": numbers[:, 1:3], SHIPMENTS: numbers[:, 3:]}
    return VrplibFields(source, keys, sections, first_row=0)
