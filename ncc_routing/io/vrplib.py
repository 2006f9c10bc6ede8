"""Reading and writing of instances and solutions in VRPLIB form."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.params import require_type
from ncc_routing.core.text import number_of
from ncc_routing.core.text_files import (
    read_text,
    require_path,
    write_text,
)
from ncc_routing.io._vrplib_content import fields_of
from ncc_routing.io._vrplib_instance import instance_of
from ncc_routing.io._vrplib_text import (
    looks_like_vrplib,
    plain,
    refuse,
    split_text,
    text_of,
)
from ncc_routing.io.benchmarks import FORMS
from ncc_routing.io.metrics import require_metric
from ncc_routing.problems.odd_lengths import require_distances
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from ncc_routing.problems.instance import Instance

_COST: Final = re.compile(r"\s*(?:total\s+)?cost\b[\s:]*(.*)", re.IGNORECASE)
"""The line of a solution file with its cost."""

_ROUTE: Final = re.compile(r"route ?#? ?\d* ?:", re.IGNORECASE)
"""The begin of a route, between words of one blank."""

_MOST_DIGITS: Final = 18
"""Digits of a customer number: as many as fit into 64 bits."""

_LABEL: Final = re.compile(
    rf"Route ?#?(\d{{0,{_MOST_DIGITS}}})", re.IGNORECASE
)
"""What a route is called, and its number."""


class TypedRoutes(NamedTuple):
    """Routes of customers 1..n, and the vehicle type of each."""

    routes: tuple[tuple[int, ...], ...]
    vehicle_types: tuple[int, ...]


class StatedSolution(NamedTuple):
    """What a solution file says, before anything is checked.

    Attributes
    ----------
    routes
        Customers of each route in the order of the visit; a depot between
        them, 0 where there is one, is a reload.
    cost
        The stated cost, or ``None`` where the file states none.
    numbers
        The number that the file gives each route, its place where there is
        none. Default: the places.
    """

    routes: tuple[tuple[int, ...], ...]
    cost: float | None
    numbers: tuple[int, ...] = ()

    def routes_of(self, instance: Instance) -> TypedRoutes:
        """Return the routes, and the vehicle type of each.

        Empty routes of a fleet, or of a plan without any other, are left out,
        and numbers that are no customer stay; a route beyond the last vehicle
        gets its type.

        Parameters
        ----------
        instance
            The instance of the routes. Where it has a fleet, route #k is that
            of vehicle k, and an unused vehicle has an empty route or none. The
            file counts rows from 0, so with several depots the first
            customer is not 1.

        Raises
        ------
        InstanceError
            If a route lists a depot at an end, and its vehicle is not loaded
            anew there; or, with several vehicle types, if the number of a
            route is 0 or there twice.
        """
        vehicles = (0,) * len(self.routes)
        if instance.fleet is not None:
            vehicles = instance.fleet.all_vehicles(instance.num_customers)
        shift = instance.num_depots - 1
        depots = dict(enumerate(instance.depots))
        routes, vehicle_types = [], []
        for number, listed in self._numbered(instance):
            if not listed and (instance.fleet or not any(self.routes)):
                continue
            idx = vehicles[min(number, len(vehicles)) - 1]
            vehicle_type = instance.vehicle_types[idx]
            reloads = (
                vehicle_type.reload_depots if vehicle_type.can_reload else ()
            )
            for row in (*listed[:1], *listed[-1:]):
                if row in depots and row not in reloads:
                    rule = "the depot must not be listed at an end of a route"
                    field = f"route {number}"
                    refuse(instance.name, field, rule, row)
            routes.append(
                tuple(depots.get(row, row - shift) for row in listed)
            )
            vehicle_types.append(idx)
        return TypedRoutes(tuple(routes), tuple(vehicle_types))

    def _numbered(
        self, instance: Instance
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return the routes with the numbers of their vehicles, in order.

        These are their places where all vehicles are alike.
        """
        if len(instance.vehicle_types) == 1 or not self.numbers:
            return list(enumerate(self.routes, start=1))
        by_number: dict[int, tuple[int, ...]] = {}
        for number, route in zip(self.numbers, self.routes, strict=True):
            if number < 1 or number in by_number:
                rule = "must have the number of its vehicle, from 1 and once"
                field = f"route {number}"
                refuse(instance.name, field, rule)
            by_number[number] = route
        return sorted(by_number.items())


def is_instance(text: str) -> bool:
    """Whether a text is in one of the forms of instances, read or refused."""
    return looks_like_vrplib(text) or is_benchmark(text)


def is_benchmark(text: str) -> bool:
    """Whether a text is in another form than VRPLIB's, read or refused."""
    return any(is_form(text) for is_form, _, _ in FORMS)


def parse_instance(
    file: Path, content: str, metric: str = "cvrplib"
) -> Instance:
    """Return the instance in a text; errors as for ``desk.problem.read``.

    Parameters
    ----------
    file
        Where the text is from, for messages and for a missing name.
    content
        The text.
    metric
        As for ``desk.problem.read``.
    """
    require_metric(metric)
    content = content.rstrip("\x1a\r\n\t ")  # DOS ended files by ^Z
    for is_form, parse, lengths in FORMS:
        if is_form(content):
            rounding = lengths if metric == "cvrplib" else metric
            return instance_of(parse(file, content), rounding)
    fields = split_text(file, content)
    if "NUM_DAYS" in fields.keys:
        rule = "is of a file of several days: for read_days() or solve-days"
        fields.refuse("NUM_DAYS", rule, None, UnsupportedProblemError)
    return instance_of(fields, metric)


def read_solution(path: str | os.PathLike[str]) -> StatedSolution:
    """Read the routes and the stated cost of a VRPLIB solution file.

    It makes no comparison with an instance: ``StatedSolution.routes_of``
    converts the routes for one, for ``Solution.from_routes`` and
    ``check_solution``.

    Parameters
    ----------
    path
        The file, "-" for standard input. Its cost line may be "Cost 12" or
        "Cost: 12".

    Returns
    -------
    StatedSolution
        Routes, empty ones included, with their numbers, and the stated cost.

    Raises
    ------
    InstanceError
        If the file is missing or unreadable, a route is not a list of
        numbers, there is no route, or the cost is not one number.
    """
    file = require_path(path, "a solution")
    routes: list[tuple[int, ...]] = []
    numbers: list[int] = []
    cost: float | None = None
    for number, text in enumerate(read_text(file).splitlines(), start=1):
        line = " ".join(text.split())
        if "Route" in line or _ROUTE.match(line):
            label, route = _route_of(file, number, line)
            routes.append(route)
            numbers.append(len(routes) if label is None else label)
        elif match := _COST.match(line):
            if cost is not None:
                rule = "there must be one cost in the file"
                refuse(file, f"line {number}", rule)
            cost = number_of(match[1])
            if not math.isfinite(cost):
                rule = "must be a finite number"
                refuse(file, "Cost", rule, match[1])
        elif routes and cost is None and line.replace(" ", "").isdecimal():
            rule = (
                "is neither a route ('Route #1: 3 5 2') nor a cost ('Cost 12')"
            )
            refuse(file, f"line {number}", rule, line)
    if not routes:
        refuse(file, "Route", "there is no route in the file")
    return StatedSolution(tuple(routes), cost, tuple(numbers))


def _route_of(
    file: Path, number: int, line: str
) -> tuple[int | None, tuple[int, ...]]:
    """Return number and customers of a line such as "Route #1: 3 5 2"."""
    field = f"line {number}"
    label, colon, visits = line.partition(":")
    named = _LABEL.fullmatch(label.strip())
    if named is None or not colon:
        rule = "must be of the form 'Route #1: 3 5 2'"
        refuse(file, field, rule, line)
    listed = visits.split()
    for visit in listed:
        is_number = visit.isascii() and visit.isdecimal()
        if not is_number or len(visit) > _MOST_DIGITS:
            rule = "a route must list customer numbers"
            refuse(file, field, rule, visit)
    return int(named[1]) if named[1] else None, tuple(map(int, listed))


def write_solution(
    path: str | os.PathLike[str],
    solution: Solution,
    instance: Instance | None = None,
) -> None:
    """Write a solution in VRPLIB form.

    The file is written atomically. With a fleet, route k is that of vehicle k,
    as in PyVRP and CVRPLIB.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    solution
        The solution. A whole cost is written without a decimal point, any
        other with all its digits.
    instance
        The instance, required if it has a fleet. Default: route k is the k-th
        of the solution.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    target = require_path(path, "a solution")
    require_type("solution", solution, Solution)
    routes = [list(route) for route in solution.routes]
    if instance is not None:
        routes = _routes_by_vehicle(instance, solution)
    lines = [  # a plan without a route has an empty one
        " ".join([f"Route #{number}:", *map(str, route)])
        for number, route in enumerate(routes or [[]], start=1)
    ]
    text = "\n".join([*lines, f"Cost {plain(solution.cost)}", ""])
    write_text(target, text)


def _routes_by_vehicle(
    instance: Instance, solution: Solution
) -> list[list[int]]:
    """Return routes as files list them; those without a vehicle come last."""
    numbers = solution.vehicles(instance)
    listed: list[list[int]] = [[] for _ in range(max(numbers, default=0))]
    shift = instance.num_depots - 1
    rows = {depot: row for row, depot in enumerate(instance.depots)}
    for number, route in zip(numbers, solution.routes, strict=True):
        listed[number - 1] = [rows.get(node, node + shift) for node in route]
    return listed


def write_instance(
    path: str | os.PathLike[str], instance: Instance, comment: str = ""
) -> None:
    """Write an instance in VRPLIB form.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output.
    instance
        The instance. Explicit distances are written as a full matrix, and ids
        are not written. Features beyond the CVRP are written in PyVRP's
        extensions, and distances of "dimacs" as FLOOR_2D of coordinates times
        10. Prizes of required customers and groups of one customer are
        omitted, since they change neither plans nor costs.
    comment
        Text of the COMMENT line. Default: no such line.

    Raises
    ------
    ParameterError
        If VRPLIB cannot express the instance: unrounded Euclidean distances,
        great circles, durations other than the distances, unit duration costs,
        initial loads, overtime, time windows of vehicles, vehicles that end at
        another depot, optional groups, optional customers without a prize,
        shipments together with customers, several depots, load dimensions or
        prizes, forbidden arcs other than those of TYPE VRPB and of customers
        that a vehicle may not visit, and numbers that ``read`` refuses.
    NccRoutingError
        If the file cannot be written.
    """
    target = require_path(path, "an instance")
    fields = fields_of(instance, target, comment)
    try:
        require_distances(instance)
        instance_of(fields, "cvrplib", has_lengths=False)
    except InstanceError as error:
        raise ParameterError(
            f"{instance.name}: cannot be written, as the file would be "
            f"refused on reading: {error.field}: {error.rule}."
        ) from None
    write_text(target, text_of(fields))
