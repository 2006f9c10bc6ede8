"""The front door: every form of a routing problem as an instance."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import (
    EXCEL_SUFFIX,
    is_standard_input,
    name_of,
    read_text,
)
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.io import vrplib
from ncc_routing.io.names import INSTANCE_SUFFIXES, find_instance
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.plain import (
    from_plain,
    parse_object,
    reading_result,
)
from ncc_routing.problems.read_problem import ReadProblem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.desk.tables import Table

_RESULT: Final = b'{"instance": {'
"""How the JSON of a result begins."""

_OF_VROOM: Final = (
    *("speed", "detour", "osrm", "name", "in_progress", "lenient"),
)
"""Options of tables that go with VROOM's JSON."""


class _VroomJson(NamedTuple):
    source: str
    name: str
    content: Any


def read(  # noqa: PLR0913 (the options of a table)
    source: object,
    vehicles: object = None,
    *,
    metric: str = "cvrplib",
    capacity: float | None = None,
    depot: object = None,
    matrix: object = None,
    durations: object = None,
    speed: str | None = None,
    detour: float | None = None,
    osrm: str | None = None,
    time_unit: str | None = None,
    day: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore_columns: Sequence[str] = (),
    rounding: str | None = None,
    max_districts: int | None = None,
    in_progress: object = None,
    lenient: bool = False,
    name: str | None = None,
) -> Instance:
    """Read a routing problem: a known name, a file, or tables.

    Files of VRPLIB (with PyVRP's extensions, as PyVRP reads them), of Solomon,
    and of Li and Lim are complete: only ``metric`` and ``in_progress`` may be
    given with them. Nodes are in the order of their numbers, not of the rows.
    A field that may be an unknown constraint is an error, never ignored.

    All other arguments are for tables. Their column names are
    case-insensitive: ``id``; ``x`` and ``y``, or ``lon`` and ``lat`` in
    degrees; ``demand``, 1 without the column; ``depot``, which marks rows as
    depots: 1, true, yes, x or the word depot; ``open`` and ``close`` of the
    time window, in which a service begins, or ``window`` with both
    (08:00-12:00); ``service``, its duration; ``release``, the earliest
    departure with the goods. ``skills`` are those that the vehicle must have,
    ``vehicle`` names the vehicles that may serve the customer; ``same route``
    and ``different routes`` have labels of customers that must or must not
    share a route. The page "Tables" lists more columns and names. An empty
    cell is no limit, and no time.

    Times are numbers, times of day (08:30, 8:30:00, 8:30 a.m.; 25:00 is one
    o'clock of the next day) or dates with times (2026-05-04T08:30). Without
    any unit, numbers are in the unit of the durations, as in Solomon's files.
    If a unit is known, from ``time_unit``, a time of day, the name of a column
    (service_min), a routing engine or a speed, times are converted to seconds
    from the first midnight.

    Other columns that are harmless by their names (ids, names, addresses,
    phones, remarks, dates), that are the same in all rows, or that hold long
    texts, are not read, with a warning, and listed in
    ``Instance.source.unused_columns``. One error names all the rest, which may
    be costs or constraints.

    Parameters
    ----------
    source
        The case-insensitive name of an instance that is in the package, under
        the folder ``NCC_ROUTING_DATA``, or downloaded
        (``io.names.fetch_instance``); a file, or "-" for standard input; or a
        table of customers: a pandas or polars DataFrame, whatever gives its
        columns to Arrow (pyarrow, duckdb), a mapping from names to columns, or
        a list of mappings. Files with the suffixes .csv, .tsv,
        .json and .xlsx (its first sheet, and one whose title says that it has
        the vehicles) are tables, and so is other text that is in no format of
        instances. JSON is a list of objects, or an object
        with such a list as "customers" and optionally "vehicles", "capacity",
        "depot" and "name". VROOM's JSON has "vehicles" with "jobs" or
        "shipments"; ``speed``, ``detour``, ``osrm``, ``name`` and
        ``in_progress`` go with it. The JSON of a result has the instance that
        was solved. Numbers of a file with semicolons may have decimal
        commas.
    vehicles
        A table of vehicles in any of these forms
        (:func:`ncc_routing.desk.vehicles.read_vehicles`), or a ``Fleet``, a
        ``VehicleType`` or a list of these, with times in the unit of the
        instance. Default: those in JSON or the workbook; else any number of
        vehicles of the capacity.
    metric
        Of a file that is no table. "cvrplib" rounds as EDGE_WEIGHT_TYPE says
        (EUC_2D: to the nearest integer); Li and Lim's files, whose benchmark
        has unrounded lengths, are "none" then. "paper" divides the coordinates
        by 1000 and does not round. "round", "trunc", "dimacs" (times 10,
        truncated), "exact" (times 1000, rounded) and "none" measure lengths,
        times and fixed costs as ``pyvrp.read`` does. Default "cvrplib".
    capacity
        Capacity of each vehicle, in the unit of the demands. Required unless
        JSON or the vehicles have it.
    depot
        The id of a row, or coordinates ``(x, y)``, also as a text "x,y".
        Default: the marked rows; else the first one, if its demand is 0 or
        there are no demands.
    matrix
        Distances between all rows in their order, without a depot that is not
        a row: see ``matrices.read_travel``. It may contain durations too; if
        it contains only durations, these are also the distances. Default:
        distances of the coordinates.
    durations
        Durations between the rows, in the form of ``matrix``, in
        ``time_unit``. Default: those of ``matrix``, else equal to the
        distances.
    speed
        A text such as "40km/h" (km/h, m/s, mph). Durations are then the
        distances, in metres, divided by it, in whole seconds.
    detour
        Factor from the straight lines between coordinates to roads, from 1 to
        10, often about 1.3. It applies before lengths are rounded, and
        ``speed`` to the result. Default: straight lines.
    osrm
        OSRM server, such as "http://localhost:5000", to ask for the distances
        and durations between longitudes and latitudes. Default: none.
    time_unit
        "s", "min" or "h": unit of times and durations without one.
    day
        Day that is planned: a weekday or a date. It chooses among windows of
        weekdays (Mo-Fr 8-16). Default: such windows are refused.
    columns
        Names of columns by their fields: ``{"open": "from", "close": "to"}``,
        of customers and vehicles.
    ignore_columns
        Names of columns of both tables to ignore, unless ``columns`` names
        them. Default: none.
    rounding
        Default: distances in a plane are not rounded, and great circles
        between longitudes and latitudes are whole metres ("nearest").
    max_districts
        Largest number of districts on a route, for a column ``district``.
        Default: that of JSON, else no limit.
    in_progress
        In-progress routes, whose customers stay first: a file in a format of
        ``solve``, a ``Solution``, or a list of ``InProgressRoute``. Default:
        none.
    lenient
        Whether keys of VROOM's JSON that are not known are kept, and given
        back by ``Result.to_vroom``, with a warning. Default: they are refused.
    name
        Name of the instance. Default: that of the file.

    Returns
    -------
    Instance
        Of a table the first depot, then the customers in the order of the
        rows, then further depots, with the ids of the table. Its memory is
        linear in n unless there is a matrix.

    Raises
    ------
    InstanceError
        If a file or a table is missing, unreadable, wrong or ambiguous, or
        units do not go together; the message names file, line or field, value
        and rule.
    ParameterError
        If the source is none of these, the capacity is missing, or an argument
        is invalid or does not go with the source.
    UnsupportedProblemError
        If a file or a column has, or may have, a cost or a constraint that is
        not read.
    """
    naming = None
    if columns or ignore_columns:
        # Here and below what most problems do not need is imported late.
        from ncc_routing.desk.columns import Naming

        naming = Naming.of(columns, ignore_columns)
    options = TableOptions(
        capacity=capacity,
        depot=depot,
        matrix=matrix,
        durations=durations,
        speed=speed,
        detour=detour,
        osrm=osrm,
        vehicles=vehicles,
        time_unit=time_unit,
        day=day,
        rounding=rounding,
        max_districts=max_districts,
        in_progress=in_progress,
        lenient=lenient,
        naming=naming,
        name=name,
    )
    return read_with(options, source, metric)


def read_with(
    options: TableOptions, source: object, metric: str = "cvrplib"
) -> Instance:
    """Read a problem as :func:`read`, with its options as one value."""
    return read_with_form(options, source, metric).instance


def read_with_form(
    options: TableOptions, source: object, metric: str = "cvrplib"
) -> ReadProblem:
    """Read a problem, and what its form says of a run."""
    content = _content_of(source, metric)
    if options.lenient and not isinstance(content, _VroomJson):
        raise ParameterError("lenient goes with VROOM's JSON.")
    if not isinstance(content, Instance) and metric != "cvrplib":
        raise ParameterError(f"metric {metric} goes with a VRPLIB file.")
    if isinstance(content, Instance):
        options.require_none(str(source), but=("in_progress",))
        problem = ReadProblem(content, _is_result(source))
    elif not isinstance(content, _VroomJson):
        from ncc_routing.desk.customers import instance_of_table

        return ReadProblem(instance_of_table(content, options), True)
    else:
        from ncc_routing.desk.vroom import read_vroom

        options.require_none(content.source, "VROOM's JSON", _OF_VROOM)
        name = options.name or content.name
        problem = read_vroom(content.source, name, content.content, options)
    if options.in_progress is None:
        return problem
    from ncc_routing.desk.routes import with_in_progress

    instance = with_in_progress(problem.instance, options.in_progress)
    return problem._replace(instance=instance)


def choose_times(options: TableOptions, source: object) -> dict[str, Any]:
    """Return VROOM's answer for the routes in the steps of its JSON.

    Raises
    ------
    ParameterError
        If the source is no JSON of VROOM.
    InstanceError
        As of ``desk.vroom_plan.choose_times``.
    """
    from ncc_routing.desk import vroom_plan

    content = _content_of(source, "cvrplib")
    if not isinstance(content, _VroomJson):
        raise ParameterError(f"{source}: plan mode is for VROOM's JSON.")
    options.require_none(content.source, "VROOM's JSON", _OF_VROOM)
    return vroom_plan.choose_times(*content, options)


def _is_result(source: object) -> bool:
    """Whether a source is a file with a result, as its begin says."""
    if not isinstance(source, (str, os.PathLike)):
        return False
    file = Path(source)
    if file.suffix.lower() not in (".json", EXCEL_SUFFIX):
        return False
    if not file.is_file():
        return False
    if file.suffix.lower() == EXCEL_SUFFIX:
        from ncc_routing.desk.plan_files import has_result

        return has_result(file)
    with file.open("rb") as stream:
        return stream.read(len(_RESULT)) == _RESULT


def _content_of(source: object, metric: str) -> Instance | Table | _VroomJson:
    """Return what a source has, by its suffix or by how the text begins."""
    if not isinstance(source, (str, os.PathLike)):
        return _of_object(source)
    file = Path(source)
    if _is_result(file):
        from ncc_routing.desk.plan_files import result_text

        text = result_text(file)
        with reading_result(file):
            content = parse_object(text)["instance"]
            return from_plain(Instance, content)
    if file.suffix.lower() in INSTANCE_SUFFIXES:
        file = find_instance(source)
        return vrplib.parse_instance(file, read_text(file), metric)
    from ncc_routing.desk.excel import is_excel
    from ncc_routing.desk.tables import (
        TABLE_SUFFIXES,
        looks_like_table,
        read_table,
    )

    if file.suffix.lower() in TABLE_SUFFIXES:
        if is_excel(file):
            return read_table(file, "customers")
        return _of_text(file, read_text(file))
    if not is_standard_input(file):
        file = find_instance(source)
    text = read_text(file)
    is_table = is_standard_input(file) or looks_like_table(text)
    if is_table and not vrplib.is_instance(text):
        return _of_text(file, text)
    return vrplib.parse_instance(file, text, metric)


def _of_object(source: object) -> Table | _VroomJson:
    from ncc_routing.desk.tables import read_table
    from ncc_routing.desk.vroom import is_vroom, refuse_foreign

    if is_vroom(source):
        return _VroomJson("the problem", "problem", source)
    refuse_foreign("the problem", source)
    return read_table(source, "customers")


def _of_text(file: Path, text: str) -> Table | _VroomJson:
    from ncc_routing.desk.tables import (
        is_json,
        parse_json,
        parse_table,
        table_of_json,
    )

    if not is_json(text):
        return parse_table(file, text, "customers")
    # Imported here: other texts need no reader of it.
    from ncc_routing.desk.vroom import is_vroom, refuse_foreign

    content = parse_json(str(file), text)
    if is_vroom(content):
        return _VroomJson(str(file), name_of(file), content)
    refuse_foreign(file, content)
    return table_of_json(file, content, "customers")
