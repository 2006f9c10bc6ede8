"""Routes and costs that a file states, in any form of the package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, NccRoutingError
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.columns import name_columns
from ncc_routing.io.fields import ID_NAMES, STOP_COLUMNS, Column
from ncc_routing.io.metrics import METRICS
from ncc_routing.io.tables import parse_table, split_cells
from ncc_routing.io.times import TimeColumn, read_times
from ncc_routing.io.vehicles import rule_of_names, types_by_name
from ncc_routing.io.vrplib import read, read_solution
from ncc_routing.problems.plain import (
    entry_of,
    parse_object,
    reading_result,
    routes_of,
    whole_numbers_of,
)
from ncc_routing.problems.route_rules import BegunRoute
from ncc_routing.problems.schedules import route_nodes
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_form import DATES
from ncc_routing.problems.timetable import (
    CUSTOMER,
    DEPARTURE,
    DEPOT,
    KIND,
    ROUTE,
    STOP,
    VEHICLE,
    VEHICLE_NAME,
    VEHICLE_TYPE,
)
from ncc_routing.problems.tolerances import rounds_to

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from ncc_routing.io.tables import Table
    from ncc_routing.problems.instance import Instance

_COSTS: Final = (int, float, type(None))
"""Types of a cost in JSON."""

_TABLES: Final = (".csv", ".tsv")
"""Suffixes of tables of stops."""

_TIMETABLE: Final = "timetable"
"""Where a result in JSON has its stops."""

_Visit = tuple[float, int, int]
"""Its place on a route, the node, and the row."""


class _Visits(NamedTuple):
    """A table of stops, the visits of each route, and the vehicle types."""

    table: Table | None
    visits: dict[str, list[_Visit]]
    types: tuple[int, ...]


class _Driven(NamedTuple):
    """A route, its vehicle type, and when its stops were left."""

    vehicle_type: int
    route: tuple[int, ...]
    departures: tuple[float | None, ...]


class StatedPlan(NamedTuple):
    """What a file says, in the terms of an instance; no rule is checked.

    ``cost`` is ``None`` where the file states none.
    """

    routes: tuple[tuple[int, ...], ...]
    vehicle_types: tuple[int, ...]
    cost: float | None


def read_plan(path: str | os.PathLike[str], instance: Instance) -> StatedPlan:
    """Read routes in any form that ``ncc-route solve`` writes.

    Parameters
    ----------
    path
        A table with the columns ``route`` and ``id``, and perhaps ``stop``,
        ``vehicle_type``, ``vehicle_name`` and ``kind`` (.csv, .tsv), as
        ``write_routes`` writes it; routes stand in the order of their first
        rows, and without stops their customers in that of the rows. Rows of
        the kind "depot" are the ends of a route; a head alone is a plan
        without a route. The result of a run (.json): of ``write_routes``,
        ``Result.to_json``, or what ``solve --json`` prints. Or a solution in
        VRPLIB form (any other suffix, "-" for standard input).
    instance
        The instance that the routes are for. Customers of tables and
        results are known by their ids, or by their numbers where there are
        none.

    Raises
    ------
    InstanceError
        If the file is missing or wrong, a customer of a table or a result
        has an id that is none of the instance, there is no such vehicle
        type, its name is another one, or a row of a depot is not an end of a
        route that has this depot there.
    ParameterError
        If the JSON is no result.
    UnsupportedProblemError
        If another column of a table may contain a constraint.
    """
    file = require_path(path, "a solution")
    suffix = "" if is_standard_input(file) else file.suffix.lower()
    if suffix in _TABLES:
        return _from_table(file, instance)
    if suffix == ".json":
        return _from_result(file, instance)
    stated = read_solution(file)
    with in_words_of(file):
        return StatedPlan(*stated.routes_of(instance), stated.cost)


def read_begun(
    path: str | os.PathLike[str], instance: Instance
) -> tuple[BegunRoute, ...]:
    """Read the beginnings of routes, as ``read_plan`` reads routes.

    A table, or the timetable of a result, may have a column ``departure``, as
    ``write_routes`` writes it: when a vehicle left its depot, which is the
    first row of a route, or a customer. It is empty where that is not known.
    """
    file = require_path(path, "begun routes")
    suffix = file.suffix.lower()
    if suffix in _TABLES:
        found = _driven(file, instance, _rows_of(file, instance))
    else:
        routes, kinds, _ = read_plan(file, instance)
        found = [
            _Driven(kind, route, ())
            for kind, route in zip(kinds, routes, strict=True)
        ]
        if suffix == ".json":
            found = _with_departures(file, instance, found)
    with in_words_of(file):
        return tuple(BegunRoute(*each) for each in found if each.route)


def _driven(file: Path, instance: Instance, stops: _Visits) -> list[_Driven]:
    """Return the routes of a table, and when their stops were left."""
    times = _departures_of(stops.table, instance)
    found = []
    driven = zip(stops.visits.items(), stops.types, strict=True)
    for (label, rows), kind in driven:
        route = _without_ends(file, instance, label, kind, rows)
        nodes = [node for _, node, _ in rows]
        at = nodes.index(route[0]) if route else 0
        own = [times[row] for _, _, row in rows[at : at + len(route)]]
        left = times[rows[0][2]] if at > 0 else None
        found.append(_Driven(kind, route, (left, *own)))
    return found


def _with_departures(
    file: Path, instance: Instance, begun: Sequence[_Driven]
) -> list[_Driven]:
    """Return routes of a result with the departures of its timetable."""
    text = read_text(file)
    with reading_result(file):
        rows = entry_of(
            {_TIMETABLE: [], **parse_object(text)}, _TIMETABLE, list
        )
        has_departures = any(DEPARTURE in row for row in rows)
    if not has_departures:
        return list(begun)
    table = _named(parse_table(file, text, _TIMETABLE), instance)
    driven = _driven(file, instance, _visits_in(file, table, instance))
    found = []
    for number, (kind, route, _) in enumerate(begun, start=1):
        size = len(route)
        left = [
            one.departures[: size + 1]
            for one in driven
            if (one.vehicle_type, one.route[:size]) == (kind, route)
        ]
        if not left:
            rule = "must begin a route of the timetable"
            raise InstanceError(file, f"route {number}", rule)
        found.append(_Driven(kind, route, left[0]))
    return found


def _departures_of(
    table: Table | None, instance: Instance
) -> list[float | None]:
    """Return when each row of a table was left, in the time of an instance."""
    if table is None or DEPARTURE not in table.columns:
        return [None] * (table.num_rows if table else 0)
    form = instance.time_form
    column = TimeColumn(table, DEPARTURE, STOP_COLUMNS[DEPARTURE])
    unit = form.kind if form.kind in SECONDS_OF else None
    times = read_times([column], unit, form.is_clock)
    values, shift = times.values[column], 0.0
    is_known = ~np.isnan(values)
    if not is_known.any():
        return [None] * table.num_rows
    days = [
        datetime.fromisoformat(each.midnight)
        for each in (times.form, form)
        if each.kind == DATES
    ]
    if (
        len(days) == 1
        or (times.in_seconds and not form.kind)
        or len({day.tzinfo is None for day in days}) > 1
    ):
        rule = f"must be times as those of {instance.name}"
        raise InstanceError(table.source, DEPARTURE, rule)
    if days:
        shift = (days[0] - days[1]).total_seconds()
    return [
        float(value + shift) if known else None
        for value, known in zip(values, is_known, strict=True)
    ]


def _from_table(file: Path, instance: Instance) -> StatedPlan:
    """Return the routes of a table with a row for each visit."""
    _, visits, types = _rows_of(file, instance)
    routes = tuple(
        _without_ends(file, instance, label, kind, route)
        for (label, route), kind in zip(visits.items(), types, strict=True)
    )
    return StatedPlan(routes, types, None)


def _rows_of(file: Path, instance: Instance) -> _Visits:
    """Return the visits of each route of a table in order, and its type."""
    text = read_text(file)
    lines = split_cells(file, text)
    if len(lines) == 1 and ROUTE in map(str.lower, lines[0][1]):
        return _Visits(None, {}, ())  # a head alone: nobody is served
    table = _named(parse_table(file, text, "stops"), instance)
    return _visits_in(file, table, instance)


def _visits_in(file: Path, table: Table, instance: Instance) -> _Visits:
    """Return the visits of a table whose columns have their names."""
    labels = table.texts(ROUTE)
    stops = [float(row) for row in range(table.num_rows)]
    if STOP in table.columns:
        stops = table.numbers(STOP).tolist()
    types = _types_in(table, instance)
    is_depot = _depots_in(table)
    places = _customers_of(instance), _depots_of(instance)
    ids = table.texts("id")
    visits: dict[str, list[_Visit]] = {}
    kinds: dict[str, float] = {}
    cells = zip(table.places, labels, stops, ids, types, is_depot, strict=True)
    for row, (place, label, stop, name, kind, is_end) in enumerate(cells):
        if not label:
            rule = "must name the route of the customer"
            raise InstanceError(file, f"{place}, route", rule)
        if kinds.setdefault(label, kind) != kind:
            said = (VEHICLE_TYPE, VEHICLE_NAME)
            column = next(each for each in said if each in table.columns)
            rule = "must be the same on all rows of a route"
            raise table.error(row, column, rule)
        if name not in places[is_end]:
            what = "depot" if is_end else "customer"
            field = f"{place}, {table.titles['id']}"
            raise _unknown(file, field, instance, name, what)
        visit = (stop, places[is_end][name], row)
        visits.setdefault(label, []).append(visit)
    for own in visits.values():
        own.sort(key=itemgetter(0))
        for (stop, _, _), (later, _, row) in pairwise(own):
            if stop == later:
                raise table.error(row, STOP, "must be there once on a route")
    _check_vehicles(table, instance, visits, kinds)
    return _Visits(
        table, visits, _types_of(file, instance, list(kinds.values()))
    )


def _depots_in(table: Table) -> list[bool]:
    """Return which rows are those of a depot."""
    if KIND not in table.columns:
        return [False] * table.num_rows
    kinds = table.texts(KIND)
    for row, kind in enumerate(kinds):
        if kind not in (DEPOT, CUSTOMER, ""):
            rule = f"must be {DEPOT} or {CUSTOMER}"
            raise table.error(row, KIND, rule)
    return [kind == DEPOT for kind in kinds]


def _check_vehicles(
    table: Table,
    instance: Instance,
    visits: Mapping[str, Sequence[_Visit]],
    kinds: Mapping[str, float],
) -> None:
    """Refuse a vehicle with two routes, or of another type than its route."""
    if VEHICLE not in table.columns:
        return
    numbers = table.numbers(VEHICLE, math.nan)
    listed: Sequence[int] = ()
    if instance.fleet is not None:
        listed = instance.fleet.all_vehicles(instance.num_customers)
    route_of: dict[float, str] = {}
    for label, own in visits.items():
        for _, _, row in own:
            number = float(numbers[row])
            if math.isnan(number):
                continue
            if number < 1 or not number.is_integer():
                raise table.error(row, VEHICLE, "must be a number from 1")
            if route_of.setdefault(number, label) != label:
                raise table.error(row, VEHICLE, "must have one route")
            if (
                number <= len(listed)
                and listed[int(number) - 1] != kinds[label]
            ):
                rule = f"must be a vehicle of type {kinds[label]:.10g}"
                raise table.error(row, VEHICLE, rule)


def _named(table: Table, instance: Instance) -> Table:
    """Return a table of stops with the columns of a timetable."""
    size = instance.num_load_dimensions
    more = [f"load {dim}" for dim in range(2, size + 1)]
    fields = STOP_COLUMNS | {name: Column((name,)) for name in more}
    named = name_columns(table, fields)
    for names in (ID_NAMES, (ROUTE,)):
        named.require(names)
    return named


def _types_in(table: Table, instance: Instance) -> list[float]:
    """Return the vehicle type of each row, as its number and name say."""
    count = len(instance.vehicle_types)
    known: list[Sequence[int]] = [range(count)] * table.num_rows
    if VEHICLE_NAME in table.columns:
        known = _named_types(table, instance)
    if VEHICLE_TYPE in table.columns:
        types = table.numbers(VEHICLE_TYPE).tolist()
        for row, (kind, own) in enumerate(zip(types, known, strict=True)):
            if kind in range(count) and kind not in own:
                rule = f"must be the name of vehicle type {kind:.10g}"
                raise table.error(row, VEHICLE_NAME, rule)
        return list(types)
    for row, own in enumerate(known):
        if len(own) > 1 and VEHICLE_NAME in table.columns:
            rule = f"must name one vehicle type, or needs a {VEHICLE_TYPE}"
            raise table.error(row, VEHICLE_NAME, rule)
        if len(own) > 1:
            rule = f"there must be a {VEHICLE_TYPE} or {VEHICLE_NAME}: "
            rule += "the instance has several"
            raise InstanceError(table.source, "columns", rule)
    return [own[0] for own in known]


def _named_types(table: Table, instance: Instance) -> list[Sequence[int]]:
    """Return the vehicle types that each row may mean by its name."""
    types_of = types_by_name(instance.vehicle_types)
    found: list[Sequence[int]] = []
    for row, name in enumerate(table.texts(VEHICLE_NAME)):
        if name and name not in types_of:
            raise table.error(row, VEHICLE_NAME, rule_of_names(types_of))
        every = range(len(instance.vehicle_types))
        found.append(types_of[name] if name else every)
    return found


def _without_ends(
    file: Path,
    instance: Instance,
    label: str,
    vehicle_type: int,
    visits: Sequence[_Visit],
) -> tuple[int, ...]:
    """Return the stops of a route, the depots at its ends off."""
    route = [node for _, node, _ in visits]
    first, last = route_nodes(instance, (), vehicle_type)
    if route[0] == first:
        del route[0]
    if route and route[-1] == last:
        del route[-1]
    kind = instance.vehicle_types[vehicle_type]
    reloads = {instance.depots[idx] for idx in kind.reload_depots}
    for node in set(route) & set(instance.depots) - reloads:
        rule = "must be at an end of a route, which its vehicle has there"
        found = instance.node_ids[node]
        raise InstanceError(file, f"route {label}, depot", rule, found)
    return tuple(route)


def _from_result(file: Path, instance: Instance) -> StatedPlan:
    """Return the routes of a result in JSON."""
    text = read_text(file)
    with reading_result(file):
        content = parse_object(text)
        routes = routes_of(content)
        names = None
        if instance.ids is not None:
            names = _names_of(content, routes)
        types = whole_numbers_of(content, "vehicle_types")
        types = types or [0] * len(routes)
        if len(types) != len(routes):
            raise ValueError("vehicle_types must be one for each route")
        cost = entry_of({"cost": None, **content}, "cost", *_COSTS)
    if names is not None:
        # Depots of reloads stand between them.
        customers = _customers_of(instance) | _depots_of(instance)
        for number, route in enumerate(names, start=1):
            for name in route:
                if name not in customers:
                    field = f"route {number}"
                    raise _unknown(file, field, instance, name, "customer")
        routes = tuple(tuple(customers[n] for n in route) for route in names)
    return StatedPlan(routes, _types_of(file, instance, types), cost)


def _names_of(
    content: Mapping[str, Any], routes: Sequence[Sequence[int]]
) -> list[list[str]] | None:
    """Return the ids of the customers of a result, where it has them."""
    if "route_ids" in content:
        return [list(map(str, route)) for route in content["route_ids"]]
    own = content.get("instance")
    ids = own.get("ids") if isinstance(own, Mapping) else None
    if ids is None:
        return None
    known = dict(enumerate(map(str, ids)))
    return [[known[customer] for customer in route] for route in routes]


def _customers_of(instance: Instance) -> dict[str, int]:
    """Return the customers by the ids that a file uses."""
    ids = instance.node_ids
    return {ids[node]: node for node in range(1, instance.num_customers + 1)}


def _depots_of(instance: Instance) -> dict[str, int]:
    """Return the depots by the ids that a file uses."""
    ids = instance.node_ids
    return {ids[depot]: depot for depot in instance.depots}


def _unknown(
    file: Path, field: str, instance: Instance, name: str, what: str
) -> InstanceError:
    """Return the error about an id that is none of a customer or depot."""
    rule = f"must be a {what} of {instance.name}"
    return InstanceError(file, field, rule, name)


def _types_of(
    file: Path, instance: Instance, types: Sequence[float]
) -> tuple[int, ...]:
    """Return the vehicle types of the routes, all of them known."""
    most = len(instance.vehicle_types) - 1
    for number, kind in enumerate(types, start=1):
        if kind not in range(most + 1):
            rule = f"must be one of the vehicle types 0..{most}"
            field = f"route {number}, {VEHICLE_TYPE}"
            raise InstanceError(file, field, rule, kind)
    return tuple(map(int, types))


def is_stated(stated: float, cost: float, metric: str) -> bool:
    """Whether a stated cost is that of some routes, up to its decimals.

    It may be in the unit of the instance file, which ``metric`` scales.
    """
    scaled = METRICS[metric].scale * stated
    is_close = math.isclose(stated, cost) or math.isclose(scaled, cost)
    return is_close or rounds_to(cost, stated)


def stated_metric(
    instance: str | os.PathLike[str],
    solution: str | os.PathLike[str],
    stated: float,
) -> str | None:
    """Return the first metric that gives the stated cost, or ``None``."""
    if is_standard_input(instance) or is_standard_input(solution):
        return None
    for metric in METRICS:
        try:
            problem = read(instance, metric)
            routes, kinds, _ = read_plan(solution, problem)
        except NccRoutingError:  # no such metric for such a file
            continue
        cost = Solution.from_routes(problem, routes, kinds).cost
        if is_stated(stated, cost, metric):
            return metric
    return None
