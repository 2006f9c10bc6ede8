"""Routes as a table, with what the user calls his customers."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from ncc_routing.core.text_files import write_text

if TYPE_CHECKING:
    import os

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


def write_routes(
    path: str | os.PathLike[str], instance: Instance, solution: Solution
) -> None:
    """Write routes as CSV: one line for each visit to a customer.

    The columns are route, stop (both from 1), id, demand, and the
    coordinates as x and y or as lon and lat.

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
    writer.writerow(["route", "stop", "id", "demand", *axes])
    names, demands = instance.node_ids, instance.demands.tolist()
    for number, route in enumerate(solution.routes, start=1):
        for stop, node in enumerate(route, start=1):
            row = [number, stop, names[node], demands[node], *places[node]]
            writer.writerow(row)
    write_text(path, text.getvalue())


def route_ids(instance: Instance, solution: Solution) -> list[list[str]]:
    """Return the ids of the customers of each route, in order."""
    names = instance.node_ids
    return [[names[node] for node in route] for route in solution.routes]
