"""Li and Lim's form of pickup and delivery problems, as VRPLIB's.

The form of Li and Lim (2001), as SINTEF publishes it: a line with the number
of vehicles, their capacity and their speed, and a line with nine columns for
the depot, number 0, and for each stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.numerals import number_of
from ncc_routing.core.text_files import name_of
from ncc_routing.io._vrplib_shipments import SHIPMENTS, shipment_pairs
from ncc_routing.io._vrplib_text import excerpt, leading_numbers

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


def li_lim_as_vrplib(source: Path, content: str) -> str:
    """Return the text of the same problem in VRPLIB form.

    Distances are Euclidean, and a duration is a distance, whatever the speed
    says: the benchmark does not use it. The stops of a
    file have the numbers 0, 1, 2, ..., so those in VRPLIB form are one more.
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
            field, found = f"row {number}", excerpt(" ".join(row))
            raise InstanceError(source, field, rule, found)
        numbers[number] = cells
        if numbers[number, 0] != number:
            rule = "rows must be numbered 0, 1, 2, ..."
            field, found = f"row {number}", excerpt(row[0])
            raise InstanceError(source, field, rule, found)
    shipment_pairs(source, "row {}", numbers[:, 3:], num_depots=1, start=0)
    lines = [
        f"NAME: {name_of(source)}",
        "TYPE: PDPTW",
        f"DIMENSION: {len(rows)}",
        f"VEHICLES: {vehicles}",
        f"CAPACITY: {capacity}",
        "EDGE_WEIGHT_TYPE: EUC_2D",
        "NODE_COORD_SECTION",
    ]
    for number, row in enumerate(rows, start=1):
        lines.append(" ".join([str(number), *row[1:3]]))
    lines.append(f"{SHIPMENTS}_SECTION")
    for number, row in enumerate(rows, start=1):
        ends = (int(number_of(cell)) for cell in row[7:])
        partners = (str(end + 1 if end else 0) for end in ends)
        lines.append(" ".join([str(number), *row[3:7], *partners]))
    return "\n".join([*lines, "DEPOT_SECTION", "1", "-1", "EOF"])
