"""Routes as a table, with the ids that the user gives the customers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.text_files import write_text
from ncc_routing.io.tables import csv_text

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

ROUTE: Final = "route"
STOP: Final = "stop"
VEHICLE_TYPE: Final = "vehicle_type"
"""Columns that say where a customer is visited."""


def write_routes(
    path: str | os.PathLike[str], instance: Instance, solution: Solution
) -> None:
    """Write routes as CSV: one line for each visit to a customer.

    The columns are route, stop (both from 1), id, demand, the coordinates
    as x and y or as lon and lat, and where there is a fleet vehicle_type
    (from 0). ``plans.read_plan`` reads it.

    Ids are written as they are. A spreadsheet takes one that begins with =,
    +, - or @ for a formula: import ids from others as texts.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    instance
        The instance. Customers without an id have their number.
    solution
        Its routes.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    served = [node for route in solution.routes for node in route]
    sizes = [len(route) for route in solution.routes]
    stops = [stop for size in sizes for stop in range(1, size + 1)]
    columns: dict[str, Sequence[object]] = {
        ROUTE: np.repeat(np.arange(1, len(sizes) + 1), sizes).tolist(),
        STOP: stops,
        "id": [instance.node_ids[node] for node in served],
        "demand": instance.demands[served].tolist(),
    }
    if instance.coords is not None:
        axes = ("lon", "lat") if instance.is_geographic else ("x", "y")
        places = instance.coords[served].T.tolist()
        columns |= zip(axes, places, strict=True)
    if instance.fleet is not None:
        kinds = np.repeat(solution.vehicle_types, sizes)
        columns[VEHICLE_TYPE] = kinds.tolist()
    write_text(path, csv_text(columns))


def route_ids(instance: Instance, solution: Solution) -> list[list[str]]:
    """Return the ids of the customers of each route, in order."""
    names = instance.node_ids
    return [[names[node] for node in route] for route in solution.routes]
