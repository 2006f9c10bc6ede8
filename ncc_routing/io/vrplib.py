"""Reading and writing of VRPLIB instances and solutions."""

from __future__ import annotations

import math
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
import vrplib

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
)
from ncc_routing.core.text_files import (
    is_standard_input,
    is_standard_output,
    name_of,
    read_text,
    replacing,
    require_path,
    write_text,
)
from ncc_routing.io._vrplib_rules import (
    ROUNDING_OF_TYPE,
    ROUNDING_REMEDY,
    check_outline,
    finite_numbers,
    node_values,
)
from ncc_routing.io._vrplib_text import excerpt, split_text
from ncc_routing.io.metrics import METRIC_NAMES, PAPER_SCALE
from ncc_routing.io.names import find_instance
from ncc_routing.io.tables import TABLE_SUFFIXES
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding_loss import require_distances

if TYPE_CHECKING:
    import os

    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.problems.solution import Solution

_FIELD_OF_ATTRIBUTE: Final = {
    "demands": "DEMAND_SECTION",
    "capacity": "CAPACITY",
    "coords": "NODE_COORD_SECTION",
    "matrix": "EDGE_WEIGHT_SECTION",
    "rounding": "EDGE_WEIGHT_TYPE",
}
"""What the file calls an attribute of an instance."""

_TYPE_OF_ROUNDING: Final = {
    rounding: kind
    for kind, rounding in ROUNDING_OF_TYPE.items()
    if kind != "EXPLICIT"
}
"""The EDGE_WEIGHT_TYPE of each rounding that has one."""


class StatedSolution(NamedTuple):
    """What a solution file says, before anything is checked.

    Attributes
    ----------
    routes
        Customers of each route in the order of the visit.
    cost
        The stated cost, or ``None`` where the file states none.
    """

    routes: tuple[tuple[int, ...], ...]
    cost: float | None


def read(
    path: str | os.PathLike[str],
    metric: Literal["cvrplib", "paper"] = "cvrplib",
) -> Instance:
    """Read a CVRP instance in VRPLIB form.

    Nodes are taken in the order of their numbers, whatever the order of the
    rows. A field that could be a constraint which no method here respects
    is an error, never ignored.

    Parameters
    ----------
    path
        A file, "-" for standard input, or the name of an instance that came
        with the package, lies below the folder that ``NCC_ROUTING_DATA``
        names, or was fetched (``io.names.fetch_instance``); capitals do not
        matter.
    metric
        "cvrplib" rounds as EDGE_WEIGHT_TYPE says (EUC_2D: to the nearest
        integer). "paper" divides the coordinates by 1000 and does not
        round. Default "cvrplib".

    Returns
    -------
    Instance
        The instance; the memory is linear in n unless the file lists the
        distances.

    Raises
    ------
    InstanceError
        If the file is missing, unreadable, or breaks a rule of the format;
        the message names file, field, value and rule.
    UnsupportedProblemError
        If the file has a constraint beyond the capacity, several depots, or
        an edge weight type that is not known.
    ParameterError
        If ``path`` is no path, or the metric unknown.
    """
    file = require_path(path, "an instance")
    if file.suffix.lower() in TABLE_SUFFIXES:
        rule = "is a table: read_customers takes it, with a capacity"
        raise InstanceError(file, "file", rule)
    if not is_standard_input(file):
        file = find_instance(path)
    return parse_instance(file, read_text(file), metric)


def parse_instance(
    file: Path, content: str, metric: str = "cvrplib"
) -> Instance:
    """Return the instance that the text of a VRPLIB file describes.

    Parameters
    ----------
    file
        Where the text is from, for messages; its stem is the name of an
        instance that has none.
    content
        The text.
    metric
        As for :func:`read`.

    Raises
    ------
    InstanceError, UnsupportedProblemError, ParameterError
        As for :func:`read`.
    """
    if metric not in METRIC_NAMES:
        names = " or ".join(METRIC_NAMES)
        raise ParameterError(f"metric must be {names}, got {metric}.")
    text = split_text(file, content)
    dimension = check_outline(text)
    values = _parse(text)
    kind = text.specifications["EDGE_WEIGHT_TYPE"]
    coords, matrix = None, None
    if kind != "EXPLICIT" or "NODE_COORD" in text.sections:
        coords = node_values(text, values, "NODE_COORD", dimension, 2)
    if kind == "EXPLICIT":
        field = "EDGE_WEIGHT_SECTION"
        matrix = finite_numbers(file, field, values["edge_weight"])
        np.fill_diagonal(matrix, 0.0)
    rounding = ROUNDING_OF_TYPE[kind]
    if metric == "paper":
        if coords is None or matrix is not None:
            rule = "the paper's metric needs Euclidean distances"
            raise InstanceError(file, "EDGE_WEIGHT_TYPE", rule, kind)
        coords, rounding = coords / PAPER_SCALE, "none"
    try:
        instance = Instance(
            name=text.specifications.get("NAME") or name_of(file),
            demands=node_values(text, values, "DEMAND", dimension, 1)[:, 0],
            capacity=text.number("CAPACITY"),
            coords=coords,
            rounding=rounding,
            matrix=matrix,
        )
        require_distances(instance, ROUNDING_REMEDY, kind)
    except InstanceError as error:  # say it in the words of the file
        field = _FIELD_OF_ATTRIBUTE.get(error.field, error.field)
        raise type(error)(file, field, error.rule, error.value) from None
    return instance


def _parse(text: VrplibText) -> dict[str, object]:
    """Return what vrplib reads."""
    try:
        return dict(vrplib.parse.parse_vrplib(text.cleaned(), False))
    except (ValueError, TypeError, RuntimeError, IndexError) as error:
        reason = excerpt(" ".join(str(error).split()))
        rule = f"vrplib cannot parse it ({reason})"
        raise InstanceError(text.source, "file", rule) from None


def read_solution(path: str | os.PathLike[str]) -> StatedSolution:
    """Read the routes and the stated cost of a VRPLIB solution file.

    Nothing is compared with an instance: build a solution with
    ``Solution.from_routes`` and give it to ``check_solution`` for that.

    Parameters
    ----------
    path
        The file, "-" for standard input. Its cost line may be "Cost 12" or
        "Cost: 12".

    Returns
    -------
    StatedSolution
        Routes, empty ones included, and the stated cost.

    Raises
    ------
    InstanceError
        If the file is missing or unreadable, a route is not a list of
        customers 1..n, there is no route, or the cost is not a number.
    """
    file = require_path(path, "a solution")
    lines = [" ".join(line.split()) for line in read_text(file).splitlines()]
    for number, line in enumerate(lines, start=1):
        # Everywhere else vrplib takes "Route" inside a line for a route.
        if "Route" in line:
            _check_route_line(file, number, line)
    found = vrplib.parse.parse_solution("\n".join(lines))
    routes = tuple(tuple(route) for route in found["routes"])
    if not routes:
        raise InstanceError(file, "Route", "there is no route in the file")
    cost = found.get("cost")
    if cost is None:
        return StatedSolution(routes, None)
    if isinstance(cost, str) or not math.isfinite(cost):
        rule = "must be a finite number"
        raise InstanceError(file, "Cost", rule, excerpt(str(cost)))
    return StatedSolution(routes, float(cost))


def _check_route_line(file: Path, number: int, line: str) -> None:
    field = f"line {number}"
    label, colon, visits = line.partition(":")
    if not re.fullmatch(r"Route ?#?\d*", label.strip()) or not colon:
        rule = "must be of the form 'Route #1: 3 5 2'"
        raise InstanceError(file, field, rule, excerpt(line))
    for visit in visits.split():
        if visit.strip("0") == "":
            rule = "the depot must not be listed in a route"
            raise InstanceError(file, field, rule, visit)
        if not (visit.isascii() and visit.isdecimal()):
            rule = "a route must list customer numbers"
            raise InstanceError(file, field, rule, excerpt(visit))


def write_solution(path: str | os.PathLike[str], solution: Solution) -> None:
    """Write a solution in VRPLIB form.

    The file appears under its name only when it is complete.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    solution
        The solution. A whole cost is written without a decimal point, any
        other with all its digits.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    lines = [
        f"Route #{number}: {' '.join(map(str, route))}"
        for number, route in enumerate(solution.routes, start=1)
    ]
    text = "\n".join([*lines, f"Cost {_plain(solution.cost)}", ""])
    write_text(require_path(path, "a solution"), text)


def write_instance(
    path: str | os.PathLike[str], instance: Instance, comment: str = ""
) -> None:
    """Write an instance in VRPLIB form.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    instance
        The instance. Explicit distances are written as a full matrix; ids
        have no place in the file.
    comment
        Text of the COMMENT line. Default: no such line.

    Raises
    ------
    ParameterError
        If distances are unrounded Euclidean ones or great circles: VRPLIB
        has no type for them.
    NccRoutingError
        If the file cannot be written.
    """
    content: dict[str, object] = {"NAME": " ".join(instance.name.split())}
    if comment:
        content["COMMENT"] = " ".join(comment.split())
    content["TYPE"] = "CVRP"
    content["DIMENSION"] = instance.num_customers + 1
    if instance.matrix is not None:
        content["EDGE_WEIGHT_TYPE"] = "EXPLICIT"
        content["EDGE_WEIGHT_FORMAT"] = "FULL_MATRIX"
    elif instance.is_geographic:
        raise ParameterError(
            f"{instance.name}: VRPLIB has no EDGE_WEIGHT_TYPE for great "
            "circles in metres; give them as a matrix."
        )
    elif instance.rounding in _TYPE_OF_ROUNDING:
        content["EDGE_WEIGHT_TYPE"] = _TYPE_OF_ROUNDING[instance.rounding]
    else:
        raise ParameterError(
            f"{instance.name}: VRPLIB has no EDGE_WEIGHT_TYPE for unrounded "
            "Euclidean distances."
        )
    content["CAPACITY"] = instance.capacity
    if instance.matrix is not None:
        content["EDGE_WEIGHT_SECTION"] = _plain_rows(instance.matrix)
    if instance.coords is not None:
        content["NODE_COORD_SECTION"] = _plain_rows(instance.coords)
    content["DEMAND_SECTION"] = instance.demands.tolist()
    content["DEPOT_SECTION"] = [1, -1]
    target = require_path(path, "an instance")
    if not is_standard_output(target):
        with replacing(target) as file:
            vrplib.write_instance(file, content)
        return
    with TemporaryDirectory() as folder:  # vrplib writes files alone
        file = Path(folder) / "instance.vrp"
        vrplib.write_instance(file, content)
        write_text(target, file.read_text())


def _plain(number: float) -> int | float:
    """Return a whole number as an int, so that it prints without ".0"."""
    number = float(number)
    return int(number) if number.is_integer() else number


def _plain_rows(array: np.ndarray) -> list[list[int | float]]:
    return [[_plain(number) for number in row] for row in array.tolist()]
