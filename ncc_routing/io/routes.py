"""Routes as a table, with the ids that the user gives the customers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ncc_routing.core.params import require_type
from ncc_routing.core.text_files import require_path, write_text
from ncc_routing.io.tables import csv_text
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.timetable import list_stops, stop_rows

if TYPE_CHECKING:
    import os


def write_routes(
    path: str | os.PathLike[str], instance: Instance, solution: Solution
) -> None:
    """Write routes as a table with a row for each stop: the timetable.

    The columns are those of ``problems.timetable.list_stops``: locations and
    times of each vehicle, with its depot at both ends, and its load and
    distance so far. ``plans.read_plan`` reads it.

    Ids are written unchanged. A spreadsheet may treat an id that begins with
    =, +, - or @ as a formula: import foreign ids as text.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output. One
        with the suffix .json becomes an object with ``instance`` (its name),
        ``cost``, ``routes``, ``vehicle_types``, ``route_ids``, and the rows
        as ``timetable``; any other CSV.
    instance
        The instance. Customers without an id have their number.
    solution
        Its routes.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    file = require_path(path, "routes")
    require_type("instance", instance, Instance)
    require_type("solution", solution, Solution)
    if file.suffix.lower() != ".json":
        write_text(file, csv_text(list_stops(instance, solution)))
        return
    content = {
        "instance": instance.name,
        "cost": solution.cost,
        "routes": solution.routes,
        "vehicle_types": solution.vehicle_types,
        "route_ids": route_ids(instance, solution),
        "timetable": stop_rows(instance, solution),
    }
    write_text(file, json.dumps(content) + "\n")


def route_ids(instance: Instance, solution: Solution) -> list[list[str]]:
    """Return the ids of the customers of each route, in order."""
    names = instance.node_ids
    return [[names[node] for node in route] for route in solution.routes]
