"""Routes as a table, with the ids that the user gives the customers."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    import os

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
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    axes: tuple[str, ...] = ()
    places: list[list[float]] = [[]] * len(instance.demands)
    if instance.coords is not None:
        axes = ("lon", "lat") if instance.is_geographic else ("x", "y")
        places = instance.coords.tolist()
    is_typed = instance.fleet is not None
    last = [VEHICLE_TYPE] if is_typed else []
    writer.writerow([ROUTE, STOP, "id", "demand", *axes, *last])
    names, demands = instance.node_ids, instance.demands.tolist()
    driven = zip(solution.routes, solution.vehicle_types, strict=True)
    for number, (route, kind) in enumerate(driven, start=1):
        for stop, node in enumerate(route, start=1):
            row = [number, stop, names[node], demands[node], *places[node]]
            writer.writerow([*row, kind] if is_typed else row)
    write_text(path, text.getvalue())


def route_ids(instance: Instance, solution: Solution) -> list[list[str]]:
    """Return the ids of the customers of each route, in order."""
    names = instance.node_ids
    return [[names[node] for node in route] for route in solution.routes]
