"""Routes that a file states, in any form of the package, and their table."""

from __future__ import annotations

import json
import logging
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import (
    InstanceError,
    NccRoutingError,
    ParameterError,
)
from ncc_routing.core.params import require_type
from ncc_routing.core.text import shortened
from ncc_routing.core.text_files import (
    EXCEL_SUFFIX,
    describe_value,
    is_standard_input,
    read_text,
    require_path,
    write_text,
)
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.desk.columns import NO_NAMING, name_columns, read_names
from ncc_routing.desk.excel import (
    is_excel,
    read_cells,
    read_sheets,
    sheet_titles,
)
from ncc_routing.desk.fields import (
    CUSTOMER_COLUMNS,
    DRIVER_NAMES,
    GROUP_NAMES,
    ID_NAMES,
    STOP_COLUMNS,
    STOP_NAMES,
    Column,
    field_of,
    pieces_of,
)
from ncc_routing.desk.tables import (
    Table,
    csv_text,
    parse_table,
    split_cells,
    table_of_lines,
)
from ncc_routing.desk.times import TimeColumn, read_times
from ncc_routing.desk.vehicles import rule_of_names, types_by_name
from ncc_routing.io.builder import in_words_of
from ncc_routing.io.metrics import METRICS
from ncc_routing.io.names import find_instance
from ncc_routing.io.vrplib import parse_instance, read_solution
from ncc_routing.problems.draft import Draft
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.plain import (
    entry_of,
    parse_object,
    reading_result,
    routes_of,
    typed_entry,
)
from ncc_routing.problems.route_constraints import (
    BreakTaken,
    InProgressRoute,
)
from ncc_routing.problems.routes.solution import Solution, route_ids
from ncc_routing.problems.routes.timetable import (
    ARRIVAL,
    BREAK,
    CANCELLED,
    CUSTOMER,
    DELIVERED,
    DEPARTURE,
    DEPOT,
    DISTANCE,
    KIND,
    LOAD,
    PICKED_UP,
    ROUTE,
    SERVICE_START,
    STOP,
    UNSERVED,
    VEHICLE,
    VEHICLE_NAME,
    VEHICLE_TYPE,
    given_cells,
    list_stops,
    stop_rows,
)
from ncc_routing.problems.time_form import DATES
from ncc_routing.problems.values import rounds_to

if TYPE_CHECKING:
    import os
    from collections.abc import Container
    from pathlib import Path

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.routes.unserved import Unserved
    from ncc_routing.problems.time_form import TimeForm


logger = logging.getLogger(__name__)

_COSTS: Final = (int, float, type(None))
"""Types of a cost in JSON."""

STOP_SUFFIXES: Final = (".csv", ".tsv", EXCEL_SUFFIX)
"""Suffixes of tables of stops."""

_OWN: Final = re.compile(rf"({'|'.join(STOP_COLUMNS)})( \d+|_(min|h|km))?")
"""Names of columns of a timetable, with a dimension or a unit."""

_TIMETABLE: Final = "timetable"
"""Where a result in JSON has its stops."""


class StatedRoutes(NamedTuple):
    """What a file says, in the terms of an instance; no rule is checked.

    ``cost`` is ``None`` where the file states none. ``departures`` are those
    of the start and the stops of each route, where they were read, and
    ``breaks`` those that a table lists on each, for ``InProgressRoute``.
    ``cost_noise`` is what a sum of rounded costs may be off by.
    """

    routes: tuple[tuple[int, ...], ...]
    vehicle_types: tuple[int, ...]
    cost: float | None = None
    departures: tuple[tuple[float | None, ...], ...] = ()
    breaks: tuple[tuple[BreakTaken, ...], ...] = ()
    cost_noise: float = 0.0


def read_plan(
    path: str | os.PathLike[str],
    instance: Instance,
    *,
    skips_unknown: bool = False,
) -> StatedRoutes:
    """Read routes in any form that ``ncc-route solve`` writes.

    Parameters
    ----------
    path
        A table with the columns ``route`` (or ``driver``) and ``id`` (or
        ``order no``), and perhaps ``stop``,
        ``vehicle_type``, ``vehicle_name`` and ``kind`` (.csv, .tsv, .xlsx), as
        ``write_routes`` writes it; routes stand in the order of their first
        rows, and without stops their customers in that of the rows. Rows of
        the kind "depot" are the ends of a route, and those of the kind
        "unserved" are ignored; a header alone is a plan
        without routes. The result of a run (.json): of ``write_routes``,
        ``Result.to_json``, or what ``solve --json`` prints; or an answer of
        VROOM, or its problem with ``steps``. Or a solution in
        VRPLIB form (any other suffix, "-" for standard input).
    instance
        The instance that the routes are for. Customers of tables and
        results are known by their ids, or by their numbers where there are
        none.
    skips_unknown
        Whether rows of other customers, as of yesterday, are left out of a
        table with a warning. Default: they are refused.

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
    return _read(file, instance, skips_unknown=skips_unknown)


def read_in_progress(
    path: str | os.PathLike[str],
    instance: Instance,
    plan: Solution | None = None,
) -> tuple[InProgressRoute, ...]:
    """Read the beginnings of routes, as ``read_plan`` reads routes.

    A table, or the timetable of a result, may have a column ``departure``, as
    ``write_routes`` writes it: when a vehicle left its depot, which is the
    first row of a route, or a customer. It is empty where that is not known.
    Rows of the kind "break", which need a column ``route``, are breaks that
    were taken, before the stop of the next row, or at that of the row above if
    its service starts later; those of the vehicle count in the order of their
    windows. Their times are in ``departure``, or in
    ``arrival`` and ``departure``. A table without routes has customers of a
    ``plan``, whose routes they are; a vehicle that has only left its depot
    drives to its first stop there.
    """
    file = require_path(path, "in-progress routes")
    stated = _read(file, instance, has_departures=True, plan=plan)
    nothing: tuple[tuple[Any, ...], ...] = ((),) * len(stated.routes)
    departures = stated.departures or nothing
    in_progress = zip(
        *(stated.vehicle_types, stated.routes, departures),
        stated.breaks or nothing,
        strict=True,
    )
    with in_words_of(file):
        return tuple(
            InProgressRoute.of_stops(
                idx, route, left, instance.depots, breaks_taken=had
            )
            for idx, route, left, had in in_progress
            if route
        )


def with_in_progress(
    instance: Instance, in_progress: object, plan: Solution | None = None
) -> Instance:
    """Return the instance with the beginnings of routes.

    Parameters
    ----------
    instance
        The instance; its own in-progress routes are replaced.
    in_progress
        A file that ``read_in_progress`` reads, a ``Solution``, or a list of
        ``InProgressRoute``. Empty routes count as not begun.
    plan
        Routes that a table without routes is of. Default: none.

    Raises
    ------
    InstanceError
        If the file is wrong, or a route does not suit the instance.
    ParameterError
        If it is none of these.
    """
    source: object = "in_progress"
    if isinstance(in_progress, str | PathLike):
        source = in_progress
        in_progress_routes = read_in_progress(in_progress, instance, plan)
    elif isinstance(in_progress, Solution):
        driven = zip(
            in_progress.vehicle_types, in_progress.routes, strict=True
        )
        with in_words_of(source):
            in_progress_routes = tuple(
                InProgressRoute.of_stops(*each, (), instance.depots)
                for each in driven
                if each[1]
            )
    elif isinstance(in_progress, list | tuple) and all(
        isinstance(one, InProgressRoute) for one in in_progress
    ):
        in_progress_routes = tuple(in_progress)
    else:
        raise ParameterError(
            "in_progress must be a file of routes, a Solution, or a list of "
            f"InProgressRoute, got {describe_value(in_progress)}."
        )
    with in_words_of(source):
        draft = Draft.of(instance)
        return draft.set(in_progress=in_progress_routes).build()


def _read(
    file: Path,
    instance: Instance,
    *,
    has_departures: bool = False,
    skips_unknown: bool = False,
    plan: Solution | None = None,
) -> StatedRoutes:
    suffix = "" if is_standard_input(file) else file.suffix.lower()
    if suffix == ".json":
        text = read_text(file)
        routes = _of_result(file, text, instance)
        if has_departures:
            return _with_departures(file, text, instance, routes)
        return routes
    if suffix not in STOP_SUFFIXES:
        stated = read_solution(file)
        with in_words_of(file):
            return StatedRoutes(*stated.routes_of(instance), stated.cost)
    table = read_stops(file, "stops")
    if table is None:
        return StatedRoutes((), ())
    if skips_unknown:
        table = _of_customers(table, instance)
    return _of_table(
        file, table, instance, has_departures=has_departures, plan=plan
    )


def read_stops(file: Path, purpose: str) -> Table | None:
    """Return a table of stops, of all sheets; ``None`` for a head alone."""
    text, lines = "", []
    if is_excel(file):
        lines = _lines_of_sheets(file)
    else:
        text = read_text(file)
        lines = split_cells(file, text)
    if len(lines) == 1 and ROUTE in map(str.lower, lines[0][1]):
        return None
    if is_excel(file):
        return table_of_lines(file, lines, purpose)
    return parse_table(file, text, purpose)


def _lines_of_sheets(file: Path) -> list[tuple[int, list[Any]]]:
    """Return the head and the rows of all sheets of a plan with stops.

    Of another file it is the first sheet.
    """
    # Imported here: most plans are no workbooks.
    from ncc_routing.desk.workbooks import place_of_overview, table_in

    titles = sheet_titles(file)
    if place_of_overview(titles) is None:
        return read_cells(file)
    first, lines = "", list[tuple[int, list[Any]]]()
    for title, cells in zip(titles, read_sheets(file), strict=True):
        found = table_in(cells, ROUTE)
        if not found:
            continue
        head, *rows = found
        if lines and lines[0][1] != head[1]:
            rule = f"must have the same first row as sheet {first}"
            raise InstanceError(file, f"sheet {title}", rule)
        lines += rows if lines else [head, *rows]
        first = first or title
    return lines or [(1, [ROUTE])]


def _with_departures(
    file: Path, text: str, instance: Instance, in_progress: StatedRoutes
) -> StatedRoutes:
    with reading_result(file):
        content = {_TIMETABLE: [], **parse_object(text)}
        rows = entry_of(content, _TIMETABLE, list)
        names = {name for row in rows for name in row}
        if DEPARTURE not in {field_of(name, STOP_COLUMNS) for name in names}:
            return in_progress
    table = parse_table(file, text, _TIMETABLE)
    driven = _of_table(file, table, instance, has_departures=True)
    departures, breaks = [], []
    given = zip(in_progress.routes, in_progress.vehicle_types, strict=True)
    for number, (route, vehicle_type) in enumerate(given, start=1):
        left = [
            (times[: len(route) + 1], had)
            for whole, remaining, times, had in zip(
                driven.routes,
                driven.vehicle_types,
                driven.departures,
                driven.breaks,
                strict=True,
            )
            if (whole[: len(route)], remaining) == (route, vehicle_type)
        ]
        if not left:
            rule = "must begin a route of the timetable"
            raise InstanceError(file, f"route {number}", rule)
        times, had = left[0]
        departures.append(times)
        breaks.append(tuple(one for one in had if one[1] < len(route)))
    return in_progress._replace(
        departures=tuple(departures), breaks=tuple(breaks)
    )


def times_in(
    table: Table, name: str, instance: Instance
) -> list[float | None]:
    """Return a column of times in the time of an instance."""
    if name not in table.columns:
        return [None] * table.num_rows
    form = instance.source.time_form
    column = TimeColumn(table, name, STOP_COLUMNS[DEPARTURE])
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
        rule = f"must be times in the format of {instance.name}"
        raise InstanceError(table.source, name, rule)
    if days:
        shift = (days[0] - days[1]).total_seconds()
    return [
        float(value + shift) if known else None
        for value, known in zip(values, is_known, strict=True)
    ]


def _of_table(
    file: Path,
    raw: Table,
    instance: Instance,
    *,
    has_departures: bool,
    plan: Solution | None = None,
) -> StatedRoutes:
    rests = _breaks_in(raw, instance) if has_departures else {}
    raw = _without_others(raw)
    if raw.num_rows == 0:
        return StatedRoutes((), ())
    table = named_stops(raw, instance, plan)
    table = _without_cancelled(table, instance, is_driven=has_departures)
    labels = table.texts(ROUTE)
    order = np.arange(table.num_rows, dtype=float)
    if STOP in table.columns:
        order = table.numbers(STOP)
    vehicle_types = _types_in(table, instance)
    places, ids = _nodes_of(instance), table.texts("id")
    depots = places[1].keys() - places[0].keys() if has_departures else set()
    is_depot = _are_depots(table, depots)
    is_empty = [not label for label in labels]
    table.refuse(is_empty, ROUTE, "must name the route of the customer")
    first = {label: row for row, label in [*enumerate(labels)][::-1]}
    said = (VEHICLE_TYPE, VEHICLE_NAME)
    column = next((each for each in said if each in table.columns), "")
    is_other = [
        vehicle_types[row] != vehicle_types[first[label]]
        for row, label in enumerate(labels)
    ]
    table.refuse(is_other, column, "must be the same on all rows of a route")
    for what, known in zip((CUSTOMER, DEPOT), places, strict=True):
        is_wrong = [
            (what == DEPOT) == is_end and name not in known
            for is_end, name in zip(is_depot, ids, strict=True)
        ]
        table.refuse(is_wrong, "id", f"must be a {what} of {instance.name}")
    nodes = [
        places[end][name] for end, name in zip(is_depot, ids, strict=True)
    ]
    rows_of: dict[str, list[int]] = {label: [] for label in labels}
    for row in np.argsort(order, kind="stable").tolist():
        rows_of[labels[row]].append(row)
    twice = np.zeros(table.num_rows, dtype=bool)
    for rows in rows_of.values():
        twice[rows[1:]] = np.diff(order[rows]) == 0
    table.refuse(twice, STOP, "must appear once on a route")
    _check_vehicles(table, instance, labels, vehicle_types)
    types = _types_of(
        file, instance, [vehicle_types[first[label]] for label in rows_of]
    )
    times: Sequence[float | None] = [None] * table.num_rows
    if has_departures:
        times = times_in(table, DEPARTURE, instance)
    routes, departures, breaks = [], [], []
    for (label, rows), vehicle_type in zip(
        rows_of.items(), types, strict=True
    ):
        vehicle = instance.vehicle_types[vehicle_type]
        route = [nodes[row] for row in rows]
        driven_at = [times[row] for row in rows]
        where = file, f"route {label}"
        stops = _stops_on(where, instance, vehicle, route, driven_at, plan)
        routes.append(tuple(route[stops]))
        left = times[rows[0]] if stops.start else None
        departures.append((left, *(times[row] for row in rows[stops])))
        if plan is not None and left is not None and not routes[-1]:
            ahead = _begin_of(plan, label, vehicle_type, instance, file)
            routes[-1], departures[-1] = ahead, (left, *[None] * len(ahead))
        had = [
            one._replace(place=max(0, one.place - stops.start))
            for one in rests.get(label, ())
        ]
        of = instance.source.time_form, (file, f"route {label}, break")
        breaks.append(_breaks_of(vehicle, had, *of))
    driven = tuple(routes), types, None, tuple(departures)
    return StatedRoutes(*driven, tuple(breaks))


def _begin_of(
    plan: Solution,
    label: str,
    vehicle_type: int,
    instance: Instance,
    file: Path,
) -> tuple[int, ...]:
    """Return the stops of a route of a plan up to its first customer.

    Its vehicle, which has left, drives there.
    """
    alike = [
        (str(number), route)
        for number, (route, idx) in enumerate(
            zip(plan.routes, plan.vehicle_types, strict=True), start=1
        )
        if idx == vehicle_type
    ]
    is_name = not label.isdecimal()
    named = [each for each in alike if is_name or each[0] == label]
    if len(named) != 1:
        rule = "must be the number of a route of its vehicle in the plan"
        raise InstanceError(file, f"route {label}", rule)
    [(_, route)] = named
    customers = [node not in instance.depots for node in route]
    return tuple(route[: 1 + customers.index(True)])


def named_stops(
    raw: Table, instance: Instance, plan: Solution | None
) -> Table:
    """Return a table of stops with its columns by their fields."""
    columns = {
        f"{name} {dim}": Column(own_names=(f"{name} {dim}",))
        for name in (DELIVERED, PICKED_UP, LOAD)
        for dim in range(2, instance.num_load_dimensions + 1)
    }
    raw = without_given(raw, instance)
    if plan is None and not is_timetable(raw):
        raw = _with_list_names(raw)
    raw = _without_orders(raw)
    table = name_columns(raw, {**STOP_COLUMNS, **columns})
    if plan is not None and ROUTE not in table.columns:
        table = _on_routes_of(plan, table, instance)
    elif plan is not None:
        table = _with_types_of(plan, table, instance)
    for names in (ID_NAMES, (ROUTE,)):
        if names[0] not in table.columns:
            table.require(names)
    return table


def _with_types_of(plan: Solution, table: Table, instance: Instance) -> Table:
    """Return a table with the vehicles of a plan, unless it names some.

    They are those who have its orders, or else of the number of its route.
    """
    labels = table.texts(ROUTE)
    types_by = types_by_name(instance.vehicle_types)
    if {VEHICLE_TYPE, VEHICLE_NAME} & {*table.columns} or types_by.keys() >= {
        *labels
    }:
        return table
    numbered = enumerate(zip(plan.routes, plan.vehicle_types, strict=True), 1)
    type_of, types = dict[str, int](), dict[str, set[int]]()
    for number, (route, idx) in numbered:
        type_of |= dict.fromkeys((instance.node_ids[k] for k in route), idx)
        if str(number) in labels:
            types[str(number)] = {idx}
    for node in instance.depots:
        type_of.pop(instance.node_ids[node], None)
    found: dict[str, set[int]] = {}
    for label, name in zip(labels, table.texts("id"), strict=True):
        if name in type_of:
            found.setdefault(label, set()).add(type_of[name])
    types |= found
    if any(len(types.get(label, ())) != 1 for label in labels):
        return table  # who is meant is not clear
    cells = [min(types[label]) for label in labels]
    return replace(
        table,
        columns=table.columns | {VEHICLE_TYPE: cells},
        titles=table.titles | {VEHICLE_TYPE: VEHICLE_TYPE},
    )


def list_columns(table: Table) -> tuple[str, str]:
    """Return the columns of the orders and of their routes or districts.

    Behind the columns of a timetable come those of the input. Without a route
    or a district the driver counts.
    """
    if is_timetable(table):
        return "id", ROUTE
    order = _order_in(table) or table.require(ID_NAMES)
    return order, _group_in(table) or table.require(GROUP_NAMES)


def _order_in(table: Table) -> str | None:
    return _called(table, ID_NAMES) or _called(table, STOP_NAMES)


def _group_in(table: Table) -> str | None:
    return _called(table, GROUP_NAMES) or _called(table, DRIVER_NAMES)


def _called(table: Table, names: Sequence[str]) -> str | None:
    """Return the one column that has one of the names, refusing two."""
    titles = {"_".join(pieces_of(t)): t for t in table.columns}
    cells = {name: table.columns[title] for name, title in titles.items()}
    plain = [*dict.fromkeys("_".join(pieces_of(name)) for name in names)]
    found = replace(table, columns=cells).find(plain)
    return None if found is None else titles[found]


def _with_list_names(raw: Table) -> Table:
    """Return a table in which a list of orders has the names of stops."""
    fields = {field_of(title, STOP_COLUMNS) for title in raw.columns}
    new: dict[str, str] = {}
    if "id" not in fields:
        found = _order_in(raw)
        new |= {found: "id"} if found else {}
    if ROUTE not in fields:
        found = _group_in(raw)
        new |= {found: ROUTE} if found else {}
    columns = {new.get(t, t): cells for t, cells in raw.columns.items()}
    titles = {new.get(t, t): title for t, title in raw.titles.items()}
    return replace(raw, columns=columns, titles=titles)


def _between_depots(
    instance: Instance, vehicle: VehicleType, route: Sequence[int]
) -> slice:
    """Return where a route is between the depots of its vehicle."""
    start, finish = (
        -1 if depot is None else instance.depots[depot]
        for depot in (vehicle.start_depot, vehicle.end_depot)
    )
    begin = int(route[0] == start)
    return slice(
        begin, len(route) - (begin < len(route) and route[-1] == finish)
    )


def _stops_on(
    where: tuple[Path, str],
    instance: Instance,
    vehicle: VehicleType,
    route: Sequence[int],
    departures: Sequence[float | None],
    plan: Solution | None,
) -> slice:
    """Return where a route is between its depots, refusing other depots.

    A vehicle that has left the depot where it ends goes on, to the rest of its
    route in a plan: it reloads there.
    """
    file, name = where
    stops = _between_depots(instance, vehicle, route)
    reloads = {instance.depots[idx] for idx in vehicle.reload_depots}
    for node in set(route[stops]) & set(instance.depots) - reloads:
        rule = "must be where the vehicle of the route starts or ends"
        at = instance.node_ids[node]
        raise InstanceError(file, f"{name}, depot", rule, at)
    left = departures[-1]
    if stops.stop == len(route) or left is None:
        return stops
    ids, depot = instance.node_ids, route[-1]
    field = f"{name}, departure from {ids[depot]}"
    if left < max((t for t in departures if t is not None), default=left):
        rule = "must not be before the one of an earlier stop"
        raise InstanceError(file, field, rule)
    driven = set(route[stops])
    if not driven and depot not in reloads:
        raise InstanceError(file, field, "must follow one of a stop")
    ahead = [
        node
        for planned in (() if plan is None else plan.routes)
        if not driven.isdisjoint(planned)
        for node in planned
        if node not in driven.union(instance.depots)
    ]
    if not ahead:
        return stops
    if depot not in reloads:
        rule = "must be empty, as the vehicle ends there"
        rule += f", and its route goes on to {ids[ahead[0]]}"
        raise InstanceError(file, field, rule)
    return slice(stops.start, len(route))


class _BreakRow(NamedTuple):
    """A row of a break: the rows of its route before it, and its times."""

    place: int
    begin: float | None
    end: float | None


def _breaks_in(raw: Table, instance: Instance) -> dict[str, list[_BreakRow]]:
    """Return the breaks that a table lists on each route."""
    titles = {field_of(title, STOP_COLUMNS): title for title in raw.columns}
    if KIND not in titles or BREAK not in raw.texts(titles[KIND]):
        return {}
    raw.refuse(
        [
            kind == BREAK and ROUTE not in titles
            for kind in raw.texts(titles[KIND])
        ],
        titles[KIND],
        "needs a column route: whose break it is",
    )
    read = (KIND, ARRIVAL, SERVICE_START, DEPARTURE)
    names = [titles[name] for name in read if name in titles]
    own = replace(raw, columns={name: raw.columns[name] for name in names})
    times = name_columns(own, STOP_COLUMNS)
    found: dict[str, list[_BreakRow]] = {}
    before = Counter[str]()
    service = dict[str, float | None]()
    for label, kind, arrival, begin, end in zip(
        *(raw.texts(titles[name]) for name in (ROUTE, KIND)),
        *(times_in(times, name, instance) for name in read[1:]),
        strict=True,
    ):
        if kind == BREAK:
            # At the stop above, before its service.
            is_there = is_before(end, service.get(label))
            row = _BreakRow(before[label] - is_there, arrival, end)
            found.setdefault(label, []).append(row)
        elif kind != UNSERVED:
            before[label] += 1
            service[label] = begin
    return found


def is_before(end: float | None, service: float | None) -> bool:
    """Whether a break is over as a service starts, where both are known."""
    return end is not None and service is not None and end <= service


def _breaks_of(
    vehicle: VehicleType,
    rows: Sequence[_BreakRow],
    form: TimeForm,
    where: tuple[Path, str],
) -> tuple[BreakTaken, ...]:
    """Return the breaks that a driver had, in the order of their windows.

    One of another length is a rest by hours of service.
    """
    owed = sorted(enumerate(vehicle.breaks), key=lambda one: one[1].windows)
    noise = SECONDS_OF["min"] if form.kind else 0.0
    had: list[BreakTaken] = []
    for place, begin, end in rows:
        lasted = None if begin is None or end is None else end - begin
        number = next(
            (
                position
                for position, (_, one) in enumerate(owed)
                if lasted is None
                or vehicle.hours is None
                or abs(lasted - one.duration) <= noise
            ),
            -1,
        )
        if number < 0 and (vehicle.hours is None or lasted is None):
            rule = "must be one of those of its vehicle"
            if vehicle.hours is not None:
                rule += ", or have an arrival and a departure"
            raise InstanceError(*where, rule)
        idx, length = -1, lasted or 0.0
        if number >= 0:
            idx, one = owed.pop(number)
            length = one.duration if lasted is None else lasted
        if begin is None and end is not None:
            begin = max(0.0, end - length)
        had.append((idx, place, begin, length))
    return tuple(had)


def _on_routes_of(plan: Solution, table: Table, instance: Instance) -> Table:
    """Return a table with the route of each customer in a plan."""
    names = instance.node_ids
    route_of = {
        names[node]: number
        for number, route in enumerate(plan.routes)
        for node in route
        if node not in instance.depots
    }
    numbers = table.lookup(
        table.require(("id",)),
        route_of,
        "is on no route of the plan: name its route, in a column route",
        takes_blank=False,
    )
    routes = [str(1 + number) for number in numbers]
    types = [plan.vehicle_types[number] for number in numbers]
    return replace(
        table,
        columns=table.columns | {ROUTE: routes, VEHICLE_TYPE: types},
        titles=table.titles | {ROUTE: ROUTE, VEHICLE_TYPE: VEHICLE_TYPE},
    )


def is_timetable(table: Table) -> bool:
    """Whether a table has the names of a timetable, as it is written."""
    return {ROUTE, STOP, KIND, "id"} <= table.columns.keys()


def without_given(table: Table, instance: Instance) -> Table:
    """Return a timetable without the columns of the input in it.

    Its own have their names as they are written. Another table stays. A log
    line says the columns behind these that are none of the instance.
    """
    titles = list(table.columns)
    written = [title for title in titles if _OWN.fullmatch(title)]
    last = next(
        (title for title in written if title.startswith(DISTANCE)), None
    )
    if last is None or not is_timetable(table):
        return table
    given = {title.lower() for title in given_cells(instance, ())}
    before = [t for t in titles[: titles.index(last)] if t not in given]
    kept = dict.fromkeys([*before, *written])
    others = [each for each in titles if each not in {*kept, *given}]
    if others:
        names = shortened(", ".join(others))
        logger.warning("%s: columns without effect: %s.", table.source, names)
    return replace(table, columns={name: table.columns[name] for name in kept})


def _of_customers(raw: Table, instance: Instance) -> Table:
    """Return the rows of customers of an instance, and of depots."""
    names = read_names(raw, STOP_COLUMNS, NO_NAMING)
    title = next((t for t, r in names.items() if r.field == "id"), None)
    if title is None:
        return raw
    customers, depots = _nodes_of(instance)
    known = customers | depots
    ids = raw.texts(title)
    rows = [row for row, name in enumerate(ids) if name in known]
    if not any(ids[row] in customers for row in rows):
        return raw  # which says that none is known
    if len(rows) < len(ids):
        logger.warning(
            "%s: rows without a customer of %s: %d.",
            *(raw.source, instance.name, len(ids) - len(rows)),
        )
    return raw.take(rows)


def _without_orders(raw: Table) -> Table:
    """Return a table without the columns of customers, which say no route."""
    columns = {
        title: cells
        for title, cells in raw.columns.items()
        if field_of(title, STOP_COLUMNS)
        or not field_of(title, CUSTOMER_COLUMNS)
    }
    return replace(raw, columns=columns)


def _without_others(table: Table) -> Table:
    """Return the rows of stops, without unserved customers and breaks."""
    kinds = table.columns.get(KIND, [""] * table.num_rows)
    others = (UNSERVED, BREAK)
    return table.take([r for r, k in enumerate(kinds) if k not in others])


def _without_cancelled(
    table: Table, instance: Instance, *, is_driven: bool
) -> Table:
    """Return the rows of stops, without orders that only the table cancels.

    What was driven may not leave a stop out.
    """
    if CANCELLED not in table.columns.get(KIND, ()):
        return table
    known = {instance.node_ids[node] for node in instance.passed_by}
    pairs = zip(table.columns[KIND], table.texts("id"), strict=True)
    is_gone = [kind == CANCELLED and name not in known for kind, name in pairs]
    if is_driven:
        rule = f"is cancelled here, and an order of {instance.name}"
        table.refuse(is_gone, "id", rule)
    return table.take([row for row, gone in enumerate(is_gone) if not gone])


def _check_vehicles(
    table: Table,
    instance: Instance,
    labels: Sequence[str],
    vehicle_types: Sequence[float],
) -> None:
    """Refuse a vehicle with two routes, or of another type than its route."""
    if VEHICLE not in table.columns:
        return
    numbers = table.numbers(VEHICLE, math.nan)
    is_known = ~np.isnan(numbers)
    is_wrong = (numbers < 1) | (numbers != np.rint(numbers))
    table.refuse(is_known & is_wrong, VEHICLE, "must be a number from 1")
    route_of: dict[float, str] = {}
    numbered = zip(numbers.tolist(), labels, strict=True)
    is_wrong = np.array(
        [route_of.setdefault(k, label) != label for k, label in numbered]
    )
    table.refuse(is_known & is_wrong, VEHICLE, "must have one route")
    listed = np.zeros(0)
    if instance.fleet is not None:
        listed = np.array(instance.fleet.all_vehicles(instance.num_customers))
    is_listed = is_known & (numbers <= len(listed))
    by_vehicle = np.array(vehicle_types, dtype=float)
    by_vehicle[is_listed] = listed[numbers[is_listed].astype(int) - 1]
    for row in np.flatnonzero(by_vehicle != vehicle_types)[:1]:
        rule = f"must be a vehicle of type {vehicle_types[row]:.10g}"
        table.refuse(by_vehicle != vehicle_types, VEHICLE, rule)


def _types_in(table: Table, instance: Instance) -> list[float]:
    count = len(instance.vehicle_types)
    known: list[Sequence[int]] = [range(count)] * table.num_rows
    if VEHICLE_NAME in table.columns:
        types_of = types_by_name(instance.vehicle_types)
        every = {"": list(range(count)), **types_of}
        rule = rule_of_names(types_of)
        known = table.lookup(VEHICLE_NAME, every, rule, takes_blank=False)
    if VEHICLE_TYPE in table.columns:
        types = table.numbers(VEHICLE_TYPE).tolist()
        is_wrong = [
            vehicle_type in range(count) and vehicle_type not in candidates
            for vehicle_type, candidates in zip(types, known, strict=True)
        ]
        for row in np.flatnonzero(is_wrong)[:1]:
            rule = f"must be the name of vehicle type {types[row]:.10g}"
            table.refuse(is_wrong, VEHICLE_NAME, rule)
        return list(types)
    types_of = types_by_name(instance.vehicle_types)
    if VEHICLE_NAME not in table.columns and types_of.keys() >= {
        *table.texts(ROUTE)
    }:
        # The routes are called as the vehicles.
        known = [types_of[label] for label in table.texts(ROUTE)]
    is_open = [len(candidates) > 1 for candidates in known]
    if any(is_open) and VEHICLE_NAME not in table.columns:
        rule = f"there must be a {VEHICLE_TYPE} or {VEHICLE_NAME}: "
        rule += "the instance has several"
        raise InstanceError(table.source, "columns", rule)
    rule = f"must name one vehicle type, or needs a {VEHICLE_TYPE}"
    table.refuse(is_open, VEHICLE_NAME, rule)
    return [candidates[0] for candidates in known]


def _of_result(file: Path, text: str, instance: Instance) -> StatedRoutes:
    # Imported here: a table needs no reader of VROOM's answers.
    from ncc_routing.desk.vroom import is_answer, routes_of_steps

    with reading_result(file):
        content = parse_object(text)
    if is_answer(content):
        with reading_result(file):
            summary = entry_of({"summary": {}, **content}, "summary", dict)
            cost = entry_of({"cost": None, **summary}, "cost", *_COSTS)
        driven = routes_of_steps(file, content, instance)
        noise = 0.5 * len(driven.routes)
        return StatedRoutes(*driven, cost, cost_noise=noise)
    with reading_result(file):
        routes = routes_of(content)
        names = None
        if instance.ids is not None:
            names = _names_of(content, routes)
        types = [0] * len(routes)
        if content.get("vehicle_types"):
            types = typed_entry(content, "vehicle_types", tuple[int, ...])
        if len(types) != len(routes):
            raise ValueError("vehicle_types must be one for each route")
        if names is not None and len(names) != len(routes):
            raise ValueError("route_ids must be one for each route")
        cost = entry_of({"cost": None, **content}, "cost", *_COSTS)
    if names is not None:
        # Depots of reloads stand between them.
        customers, depots = _nodes_of(instance)
        nodes = customers | depots
        for number, route in enumerate(names, start=1):
            for name in route:
                if name not in nodes:
                    rule = f"must be a customer of {instance.name}"
                    raise InstanceError(file, f"route {number}", rule, name)
        routes = tuple(tuple(nodes[n] for n in route) for route in names)
    return StatedRoutes(routes, _types_of(file, instance, types), cost)


def _names_of(
    content: Mapping[str, Any], routes: Sequence[Sequence[int]]
) -> list[list[str]] | None:
    if "route_ids" in content:
        return [list(map(str, route)) for route in content["route_ids"]]
    stated = content.get("instance")
    ids = stated.get("ids") if isinstance(stated, Mapping) else None
    if ids is None:
        return None
    known = dict(enumerate(map(str, ids)))
    return [[known[customer] for customer in route] for route in routes]


def _nodes_of(instance: Instance) -> tuple[dict[str, int], dict[str, int]]:
    ids = instance.node_ids
    customers = range(1, instance.num_customers + 1)
    return (
        {ids[node]: node for node in customers},
        {ids[node]: node for node in instance.depots},
    )


def _are_depots(table: Table, depots: Container[str]) -> list[bool]:
    """Return which rows are depots: by their kind, or else by their ids."""
    kinds = [""] * table.num_rows
    if KIND in table.columns:
        marks = {each: each for each in (DEPOT, CUSTOMER, CANCELLED, "")}
        rule = f"must be {DEPOT} or {CUSTOMER}"
        kinds = table.lookup(KIND, marks, rule, takes_blank=False)
    return [
        kind == DEPOT or (not kind and name in depots)
        for kind, name in zip(kinds, table.texts("id"), strict=True)
    ]


def _types_of(
    file: Path, instance: Instance, types: Sequence[float]
) -> tuple[int, ...]:
    most = len(instance.vehicle_types) - 1
    for number, vehicle_type in enumerate(types, start=1):
        if vehicle_type not in range(most + 1):
            rule = f"must be one of the vehicle types 0..{most}"
            field = f"route {number}, {VEHICLE_TYPE}"
            raise InstanceError(file, field, rule, vehicle_type)
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
    file = find_instance(instance)
    text = read_text(file)
    for metric in METRICS:
        try:
            problem = parse_instance(file, text, metric)
            plan = read_plan(solution, problem)
        except NccRoutingError:  # no such metric for such a file
            continue
        cost = Solution.from_routes(
            problem, plan.routes, plan.vehicle_types
        ).cost
        if is_stated(stated, cost, metric):
            return metric
    return None


def write_routes(
    path: str | os.PathLike[str],
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
) -> None:
    """Write routes as a table with a row for each stop: the timetable.

    The columns are those of ``problems.routes.timetable.list_stops``:
    locations and times of each vehicle, with its depot at both ends, and its
    load and distance so far. ``read_plan`` reads it.

    Ids are written unchanged. A spreadsheet may treat an id that begins with
    =, +, - or @ as a formula: import foreign ids as text.

    Parameters
    ----------
    path
        The file; an existing one is replaced. "-" is standard output. One
        with the suffix .json becomes an object with ``instance`` (its name),
        ``cost``, ``routes``, ``vehicle_types``, ``route_ids``, and the rows
        as ``timetable``; .xlsx a workbook with an overview, a sheet of rows
        for each vehicle, and one of the unserved; any other CSV.
    instance
        The instance. Customers without an id have their number.
    solution
        Its routes.
    unserved
        Customers on no route: each has a row of the kind "unserved", with
        the reasons. Default: none.

    Raises
    ------
    NccRoutingError
        If the file cannot be written.
    """
    file = require_path(path, "routes")
    require_type("instance", instance, Instance)
    require_type("solution", solution, Solution)
    if is_excel(file):
        from ncc_routing.desk.workbooks import write_plan

        write_plan(file, instance, solution, unserved)
        return
    if file.suffix.lower() != ".json":
        columns = list_stops(instance, solution, unserved)
        write_text(file, csv_text(columns))
        return
    content = {
        "instance": instance.name,
        "cost": solution.cost,
        "routes": solution.routes,
        "vehicle_types": solution.vehicle_types,
        "route_ids": route_ids(instance, solution),
        "timetable": stop_rows(instance, solution),
        "unserved": [asdict(one) for one in unserved],
    }
    write_text(file, json.dumps(content) + "\n")
