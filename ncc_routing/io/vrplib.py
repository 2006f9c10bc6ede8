"""Reading and writing of instances and solutions in VRPLIB form."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import vrplib

from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.numerals import number_of
from ncc_routing.core.params import require_type
from ncc_routing.core.text_files import (
    is_standard_input,
    name_of,
    naming_file,
    read_text,
    require_path,
    write_text,
)
from ncc_routing.io._vrplib_choice import (
    forbidden_arcs,
    read_loads,
    read_selection,
)
from ncc_routing.io._vrplib_content import plain, vrplib_content
from ncc_routing.io._vrplib_fleet import (
    read_allowed,
    read_fleet,
    read_windows,
)
from ncc_routing.io._vrplib_rules import (
    ROUNDING_OF_TYPE,
    check_outline,
    node_order,
)
from ncc_routing.io._vrplib_shipments import read_shipments
from ncc_routing.io._vrplib_text import (
    LARGEST_NUMBER,
    cordeau_type,
    excerpt,
    looks_like_vrplib,
    split_text,
)
from ncc_routing.io._vrplib_weights import (
    FUNCTIONS,
    computed_matrix,
    explicit_matrix,
    map_coords,
)
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.li_lim import li_lim_as_vrplib, looks_like_li_lim
from ncc_routing.io.metrics import (
    METRIC_NAMES,
    METRICS,
    PAPER,
    PAPER_SCALE,
    rounding_of,
)
from ncc_routing.io.names import find_instance
from ncc_routing.io.solomon import looks_like_solomon, solomon_as_vrplib
from ncc_routing.io.tables import TABLE_SUFFIXES
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.profiles import Profile
from ncc_routing.problems.rounding_loss import require_distances
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.values import longest_finite

if TYPE_CHECKING:
    import os

    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.problems.fleet import Fleet

_FIELD_OF_ATTRIBUTE: Final = {
    "demands": "DEMAND_SECTION",
    "capacity": "CAPACITY",
    "coords": "NODE_COORD_SECTION",
    "matrix": "EDGE_WEIGHT_SECTION",
    "rounding": "EDGE_WEIGHT_TYPE",
    "delivery": "DEMAND_SECTION",
    "pickup": "BACKHAUL_SECTION",
    "prizes": "PRIZE_SECTION",
    "shipments": "PICKUP_AND_DELIVERY_SECTION",
    "amount": "PICKUP_AND_DELIVERY_SECTION",
    "tw_late": "PICKUP_AND_DELIVERY_SECTION",
}
"""What the file calls an attribute of an instance."""

_ROUNDING_REMEDY: Final = (
    "scale the coordinates, or take EXACT_2D or metric 'paper' (unrounded); "
    "longitude and latitude go in a table with columns lon and lat"
)
"""What to do about a file whose distances are rounded away."""

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
        routes, kinds = [], []
        for number, listed in self._numbered(instance):
            if not listed and (instance.fleet or not any(self.routes)):
                continue
            idx = vehicles[min(number, len(vehicles)) - 1]
            kind = instance.vehicle_types[idx]
            reloads = kind.reload_depots if kind.can_reload else ()
            for row in (*listed[:1], *listed[-1:]):
                if row in depots and row not in reloads:
                    rule = "the depot must not be listed at an end of a route"
                    field = f"route {number}"
                    raise InstanceError(instance.name, field, rule, row)
            routes.append(
                tuple(depots.get(row, row - shift) for row in listed)
            )
            kinds.append(idx)
        return TypedRoutes(tuple(routes), tuple(kinds))

    def _numbered(
        self, instance: Instance
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return the routes with the numbers of their vehicles, in order.

        These are their places where all vehicles are alike.
        """
        if len(instance.vehicle_types) == 1 or not self.numbers:
            return list(enumerate(self.routes, start=1))
        found: dict[int, tuple[int, ...]] = {}
        for number, route in zip(self.numbers, self.routes, strict=True):
            if number < 1 or number in found:
                rule = "must have the number of its vehicle, from 1 and once"
                field = f"route {number}"
                raise InstanceError(instance.name, field, rule)
            found[number] = route
        return sorted(found.items())


def read(
    path: str | os.PathLike[str],
    metric: str = "cvrplib",
) -> Instance:
    """Read an instance in VRPLIB form or in Solomon's or Li and Lim's.

    PyVRP's extensions of VRPLIB are read as PyVRP reads them. Nodes are in the
    order of their numbers, not of the rows. A field that may be an unknown
    constraint is an error, never ignored.

    Parameters
    ----------
    path
        A file, "-" for standard input, or the case-insensitive name of an
        instance that is in the package, under the folder
        ``NCC_ROUTING_DATA``, or downloaded (``io.names.fetch_instance``).
    metric
        "cvrplib" rounds as EDGE_WEIGHT_TYPE says (EUC_2D: to the nearest
        integer); Li and Lim's files, whose benchmark has unrounded lengths,
        are "none" then. "paper" divides the coordinates by 1000 and does not
        round. "round", "trunc", "dimacs" (times 10, truncated), "exact"
        (times 1000, rounded) and "none" measure lengths, times and fixed
        costs as ``pyvrp.read`` does. Default "cvrplib".

    Returns
    -------
    Instance
        The instance; its memory is linear in n unless the file has a matrix.

    Raises
    ------
    InstanceError
        If the file is missing, unreadable, or breaks a rule of the format;
        the message names file, field, value and rule.
    UnsupportedProblemError
        If the file has an unsupported constraint, or an unknown edge weight
        type.
    ParameterError
        If ``path`` is not a path, or the metric is unknown.
    """
    file = require_path(path, "an instance")
    if file.suffix.lower() in TABLE_SUFFIXES:
        rule = "is a table and no file of VRPLIB: problem() takes it"
        raise InstanceError(file, "file", rule)
    if not is_standard_input(file):
        file = find_instance(path)
    return parse_instance(file, read_text(file), metric)


def is_instance(text: str) -> bool:
    """Whether a text is in one of the forms of instances, read or refused."""
    return looks_like_vrplib(text) or is_benchmark(text)


def is_benchmark(text: str) -> bool:
    """Whether a text is in another form than VRPLIB's, read or refused."""
    return (
        looks_like_solomon(text)
        or looks_like_li_lim(text)
        or cordeau_type(text) is not None
    )


def parse_instance(
    file: Path,
    content: str,
    metric: str = "cvrplib",
    *,
    has_lengths: bool = True,
) -> Instance:
    """Return the instance in a VRPLIB text; errors as for :func:`read`.

    Parameters
    ----------
    file
        Where the text is from, for messages and for a missing name.
    content
        The text.
    metric
        As for :func:`read`.
    has_lengths
        Whether rounded distances must say something. Default yes.
    """
    if metric not in METRICS:
        names = ", ".join(METRIC_NAMES)
        raise ParameterError(f"metric must be one of {names}, got {metric}.")
    content = content.rstrip("\x1a\r\n\t ")  # DOS ended files by ^Z
    if looks_like_solomon(content):
        content = solomon_as_vrplib(file, content)
    elif looks_like_li_lim(content):
        content = li_lim_as_vrplib(file, content)
        metric = "none" if metric == "cvrplib" else metric
    elif kind := cordeau_type(content):
        rule = (
            f"is in Cordeau's text format ({kind}), which is not read: take "
            "VRPLIB or a table"
        )
        raise UnsupportedProblemError(file, "file", rule)
    text = split_text(file, content)
    given = text.specifications
    if "NUM_DAYS" in given:
        rule = "is of a file of several days: for read_days() or solve-days"
        raise UnsupportedProblemError(file, "NUM_DAYS", rule)
    dimension, num_depots = check_outline(text)
    text = replace(text, parsed=_parse(text))
    order = node_order(dimension, num_depots)
    coords, rounding, matrix = _places(text, metric, order)
    measure = METRICS[metric]
    loads = read_loads(text, order)
    with in_words_of(file, _FIELD_OF_ATTRIBUTE):
        selection = read_selection(text, measure, order)
    fleet = read_fleet(text, measure, num_depots)
    windows = read_windows(text, measure, order, num_depots)
    shipments = read_shipments(text, measure, order, num_depots)
    if shipments is not None:
        windows = shipments.windows
    capacity = 1  # nothing has a demand
    if fleet is not None:
        capacity = fleet.capacity
    elif "CAPACITY" in given:
        capacity = text.number("CAPACITY")
    with in_words_of(file, _FIELD_OF_ATTRIBUTE):
        instance = Instance(
            name=given.get("NAME") or name_of(file),
            demands=loads.delivery[:, 0],
            capacity=capacity,
            coords=coords,
            rounding=rounding,
            matrix=matrix,
            num_depots=num_depots,
            fleet=fleet and _of_one_profile(fleet),
            windows=windows,
            loads=loads.loads(),
            selection=selection,
            shipments=() if shipments is None else shipments.shipments,
        )
        kind = given["EDGE_WEIGHT_TYPE"]
        if has_lengths:
            require_distances(instance, _ROUNDING_REMEDY, kind)
        arcs = forbidden_arcs(text, loads, read_allowed(text, order), order)
        instance = _with_arcs(instance, fleet, arcs)
    if metric == PAPER and not instance.is_unlimited_cvrp:
        rule = "the paper's metric is for a capacity alone"
        raise InstanceError(file, "metric", rule)
    return instance


def _of_one_profile(fleet: Fleet) -> Fleet:
    """Return the fleet as long as there is one profile alone."""
    types = tuple(replace(kind, profile=0) for kind in fleet.types)
    return replace(fleet, types=types)


def _with_arcs(
    instance: Instance, fleet: Fleet | None, arcs: list[np.ndarray]
) -> Instance:
    """Return the instance without the arcs that are forbidden."""
    if not any(own.any() for own in arcs):
        return instance
    nodes = np.arange(len(instance.demands))
    matrix = instance.distances(nodes, nodes)
    np.fill_diagonal(matrix, 0.0)
    matrices = [np.where(own, np.inf, matrix) for own in arcs]
    return replace(
        instance,
        fleet=fleet,
        matrix=matrices[0] if arcs[0].any() else instance.matrix,
        profiles=tuple(map(Profile, matrices[1:])),
    )


def _places(
    text: VrplibText, metric: str, order: np.ndarray
) -> tuple[np.ndarray | None, str, np.ndarray | None]:
    """Return coordinates, rounding and matrix in the order of the nodes."""
    kind = text.specifications["EDGE_WEIGHT_TYPE"]
    own = ROUNDING_OF_TYPE.get(kind, "none")
    coords = None
    if kind != "EXPLICIT" or "NODE_COORD" in text.sections:
        coords = text.values("NODE_COORD", len(order), 2)[order]
    if metric == PAPER and (kind == "EXPLICIT" or kind in FUNCTIONS):
        rule = "the paper's metric needs Euclidean distances"
        raise InstanceError(text.source, "EDGE_WEIGHT_TYPE", rule, kind)
    if kind == "EXPLICIT":
        lengths = explicit_matrix(text, len(order))
        matrix = METRICS[metric].measure(lengths)[np.ix_(order, order)]
        return coords, own, matrix
    if kind in FUNCTIONS and coords is not None:
        own = rounding_of(text.source, metric, kind, own)
        matrix = computed_matrix(text.source, kind, coords)
        return map_coords(kind, coords), own, matrix
    if metric == PAPER and coords is not None:
        return coords / PAPER_SCALE, METRICS[PAPER].rounding, None
    return coords, rounding_of(text.source, metric, kind, own), None


def _parse(text: VrplibText) -> dict[str, object]:
    """Return what vrplib reads."""
    text.require_numerals()
    try:
        return dict(vrplib.parse.parse_vrplib(text.cleaned(), False))
    except (ValueError, TypeError, RuntimeError, IndexError) as error:
        reason = excerpt(" ".join(str(error).split()))
        rule = f"vrplib cannot parse it ({reason})"
        raise InstanceError(text.source, "file", rule) from None


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
        elif found := _COST.match(line):
            if cost is not None:
                rule = "there must be one cost in the file"
                raise InstanceError(file, f"line {number}", rule)
            cost = number_of(found[1])
            if not math.isfinite(cost):
                rule = "must be a finite number"
                raise InstanceError(file, "Cost", rule, excerpt(found[1]))
        elif routes and cost is None and line.replace(" ", "").isdecimal():
            rule = "is no route ('Route #1: 3 5 2') and no cost ('Cost 12')"
            raise InstanceError(file, f"line {number}", rule, excerpt(line))
    if not routes:
        raise InstanceError(file, "Route", "there is no route in the file")
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
        raise InstanceError(file, field, rule, excerpt(line))
    listed = visits.split()
    for visit in listed:
        is_number = visit.isascii() and visit.isdecimal()
        if not is_number or len(visit) > _MOST_DIGITS:
            rule = "a route must list customer numbers"
            raise InstanceError(file, field, rule, excerpt(visit))
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
    content = vrplib_content(instance, comment)
    try:
        require_distances(instance)
        _require_readable(target, content)
    except InstanceError as error:
        raise ParameterError(
            f"{instance.name}: cannot be written, as the file would be "
            f"refused on reading: {error.field}: {error.rule}."
        ) from None
    write_text(target, _text_of(content))


def _text_of(content: dict[str, object]) -> str:
    """Return the text of a file; vrplib writes files alone."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "instance.vrp"
        with naming_file(file):
            vrplib.write_instance(file, content)
        return file.read_text()


def _require_readable(file: Path, content: dict[str, object]) -> None:
    """Refuse numbers that a reader would refuse.

    A matrix is looked at as it is: as a text it would take long.
    """
    field, own = "EDGE_WEIGHT_SECTION", dict(content)
    if field in own:
        largest = longest_finite(np.array(own.pop(field), dtype=float))
        if largest > LARGEST_NUMBER:
            rule = f"every value must be at most {LARGEST_NUMBER:g}"
            raise InstanceError(file, field, rule, largest)
        size = int(str(own["DIMENSION"]))
        own |= {
            "EDGE_WEIGHT_TYPE": "EUC_2D",
            "NODE_COORD_SECTION": np.zeros((size, 2)).tolist(),
        }
        del own["EDGE_WEIGHT_FORMAT"]
    parse_instance(file, _text_of(own), has_lengths=False)
