"""Customers of a routing problem as a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text_files import (
    is_standard_input,
    read_text,
    require_path,
)
from ncc_routing.io import vrplib
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.columns import (
    CUSTOMER_FIELDS,
    NO_NAMING,
    Naming,
    name_columns,
    read_places,
)
from ncc_routing.io.depots import find_depots
from ncc_routing.io.route_rules import read_rules, with_begun
from ncc_routing.io.stops import read_stops
from ncc_routing.io.table_options import TableOptions
from ncc_routing.io.tables import (
    TABLE_SUFFIXES,
    parse_table,
    read_table,
)
from ncc_routing.io.times import (
    TimeColumn,
    read_times,
    split_windows,
)
from ncc_routing.io.travel import (
    durations_of,
    read_ways,
    with_speed,
)
from ncc_routing.io.vehicles import build_fleet, name_vehicles, time_columns
from ncc_routing.problems import features
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.rounding_loss import require_distances
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.io.depots import Depots
    from ncc_routing.io.tables import Table
    from ncc_routing.io.times import Times
    from ncc_routing.io.travel import Ways

_EXTRAS: Final = (
    *("capacity", "depot", "vehicles", "max_districts", "name", "comment"),
)
"""What JSON may say beside the customers."""

_TIMES: Final = {
    "open": ("tw_early", 0),
    "close": ("tw_late", NO_LIMIT),
    "service": ("service_durations", 0),
    "release": ("release_times", 0),
}
"""Columns of times: fields of ``TimeWindows``, and what empty cells mean."""

_TIMED: Final = frozenset(
    {
        features.TIME_WINDOWS,
        features.SERVICE_DURATIONS,
        features.RELEASE_TIMES,
        features.VEHICLE_WINDOWS,
        features.SHIFT_DURATIONS,
        features.UNIT_DURATION_COSTS,
    }
)
"""Features that the durations of the ways count for."""


def problem(  # noqa: PLR0913 (the options of a table)
    customers: object,
    vehicles: object = None,
    *,
    capacity: float | None = None,
    depot: object = None,
    matrix: object = None,
    durations: object = None,
    speed: str | None = None,
    time_unit: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore_columns: Sequence[str] = (),
    rounding: str | None = None,
    max_districts: int | None = None,
    begun: object = None,
    name: str | None = None,
) -> Instance:
    """Make the instance of a routing problem from tables.

    Column names are case-insensitive: ``id``; ``x`` and ``y``, or
    ``lon`` and ``lat`` in degrees; ``demand``, 1 without the column;
    ``depot``, which marks rows as depots: 1, true, yes, x or the word depot;
    ``open`` and ``close`` of the time window, in which a service begins, or
    ``window`` with both (08:00-12:00); ``service``, its duration; ``release``,
    the earliest departure with the goods. ``skills`` are those that the
    vehicle must have, ``vehicle`` names the vehicles that may come; ``same
    route`` and ``different routes`` have labels of customers that must or must
    not share a route. The page "Tables" lists more columns and names. An empty
    cell is no limit, and no time.

    Times are numbers, times of day (08:30, 8:30:00, 8:30 a.m.; 25:00 is one
    o'clock of the next day) or dates with times (2026-05-04T08:30). Without
    any unit, numbers are in the unit of the durations, as in Solomon's files.
    If a unit is known, from ``time_unit``, a time of day, the name of a column
    (service_min), a routing engine or a speed, times are converted to seconds
    from the first midnight.

    Other columns that are harmless by their names (ids, names, addresses,
    phones, remarks, dates), that are the same in all rows, or that hold long
    texts, are ignored with a warning, and listed in
    ``Instance.unused_columns``. One error names all the rest, which may be
    costs or constraints.

    Parameters
    ----------
    customers
        A CSV, JSON or Excel file ("-" for standard input; of Excel the first
        sheet of a .xlsx), a pandas or polars DataFrame, a mapping from names
        to columns, or a list of mappings. JSON is a list of objects, or an
        object with such a list as "customers" and optionally "vehicles",
        "capacity", "depot" and "name". Numbers of a file with semicolons may
        have decimal commas.
    vehicles
        A table of vehicles (see ``read_vehicles``), or a ``Fleet``, a
        ``VehicleType`` or a list of these, with times in the unit of the
        instance. Default: those in JSON; else any number of vehicles of the
        capacity.
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
    time_unit
        "s", "min" or "h": unit of times and durations without one.
    columns
        Names of columns by their fields: ``{"open": "from", "close": "to"}``,
        of customers and vehicles.
    ignore_columns
        Names of columns of both tables to ignore, but where ``columns`` names
        them. Default: none.
    rounding
        Default: distances in a plane are not rounded, and great circles
        between longitudes and latitudes are whole metres ("nearest").
    max_districts
        Largest number of districts on a route, for a column ``district``.
        Default: that of JSON, else no limit.
    begun
        Begun routes, whose customers stay at their beginnings: a file in a
        format of ``solve``, a ``Solution``, or a list of ``BegunRoute``.
        Default: none.
    name
        Name of the instance. Default: that of the file.

    Returns
    -------
    Instance
        The first depot, then the customers in the order of the rows, then
        further depots, with the ids of the table.

    Raises
    ------
    InstanceError
        If a table is wrong or ambiguous, or units do not go together; the
        message names the file, the line and the column.
    ParameterError
        If the source is not a table, the capacity is missing, or an argument
        is invalid.
    UnsupportedProblemError
        If a column may be a cost or a constraint that is not read.
    """
    is_path = isinstance(customers, (str, os.PathLike))
    if is_path and str(customers).lower().endswith(".vrp"):
        raise ParameterError(
            f"{customers}: is a file of VRPLIB and no table: read() takes it."
        )
    options = TableOptions(
        capacity=capacity,
        depot=depot,
        matrix=matrix,
        durations=durations,
        speed=speed,
        vehicles=vehicles,
        time_unit=time_unit,
        rounding=rounding,
        max_districts=max_districts,
        begun=begun,
        naming=Naming.of(columns, ignore_columns),
    )
    return _build(read_table(customers, "customers"), options, name)


def read_problem(
    path: str | os.PathLike[str],
    options: TableOptions | None = None,
    *,
    metric: str = "cvrplib",
) -> Instance:
    """Read an instance from a file of VRPLIB, or a table of customers.

    The suffixes .csv, .tsv, .json and .xlsx stand for a table. Standard input
    is a table unless it looks like a file of VRPLIB or Solomon.

    Parameters
    ----------
    path
        A file, "-", or the name of a known instance.
    options
        As for :func:`problem`; all but ``begun`` for a table alone.
        Default: none.
    metric
        As for :func:`ncc_routing.read`, for a VRPLIB file alone.

    Raises
    ------
    InstanceError, UnsupportedProblemError
        If the file is wrong.
    ParameterError
        If an argument does not go with the kind of file.
    """
    options = options or TableOptions()
    file = require_path(path, "an instance")
    text = None
    is_table = file.suffix.lower() in TABLE_SUFFIXES
    if is_standard_input(file):
        text = read_text(file)
        is_table = not vrplib.is_instance(text)
    if is_table:
        if metric != "cvrplib":
            raise ParameterError(f"metric {metric} goes with a VRPLIB file.")
        if text is not None:
            table = parse_table(file, text, "customers")
        else:
            table = read_table(file, "customers")
        return _build(table, options, None)
    options.require_none(path, but=("begun",))
    if text is not None:
        instance = vrplib.parse_instance(file, text, metric)
    else:
        instance = vrplib.read(path, metric)
    if options.begun is None:
        return instance
    return with_begun(instance, options.begun)


class _Problem(NamedTuple):
    """Tables whose columns are known, and which rows are the depots."""

    table: Table
    vehicles: Table | None
    depots: Depots
    times: Times
    ways: Ways


def _build(raw: Table, options: TableOptions, name: str | None) -> Instance:
    """Return the instance that tables and options describe."""
    raw.refuse_extras(_EXTRAS, "customers")
    parts = _read_parts(raw, options)
    table, rows = parts.table, parts.depots.rows
    places = read_places(table, blank_weight=True)
    is_customer = np.ones(table.num_rows, dtype=bool)
    is_customer[rows] = False
    order = [rows[0], *np.flatnonzero(is_customer).tolist(), *rows[1:]]
    stops = read_stops(table, is_customer, order)
    capacity = options.capacity
    if capacity is None:
        capacity = table.extras.get("capacity")
    fleet = _fleet_of(parts, options.vehicles, capacity)
    most = options.max_districts
    if most is None:
        most = table.extras.get("max_districts")
    rules = read_rules(table, is_customer, order, fleet, most)
    matrix, in_time = (
        None if found is None else found[np.ix_(order, order)]
        for found in (
            parts.ways.matrix,
            durations_of(
                table.source,
                parts.ways,
                options.time_unit,
                in_seconds=parts.times.in_seconds,
            ),
        )
    )
    if places.coords is None and matrix is None:
        rule = "columns x and y, or lon and lat, or a matrix must be given"
        raise InstanceError(table.source, "columns", rule)
    is_sphere = places.is_geographic and matrix is None
    ids = places.ids
    with in_words_of(table.source):
        instance = Instance(
            name=name or table.name,
            demands=stops.demands,
            loads=stops.loads,
            selection=stops.selection,
            shipments=stops.shipments,
            rules=rules,
            capacity=_capacity_of(table, capacity, fleet),
            coords=None if places.coords is None else places.coords[order],
            rounding=options.rounding or ("nearest" if is_sphere else "none"),
            matrix=matrix,
            is_geographic=places.is_geographic,
            ids=None if ids is None else tuple(ids[row] for row in order),
            num_depots=len(rows),
            fleet=fleet,
            windows=_windows_of(parts, is_customer, order),
            durations=in_time,
            unused_columns=_unused(table, parts.vehicles),
            time_form=parts.times.form,
        )
    if options.begun is not None:
        instance = with_begun(instance, options.begun)
    if options.speed is not None:
        instance = with_speed(instance, options.speed)
    else:
        _require_durations(instance, table, parts.times)
    require_distances(instance)
    return instance


def _read_parts(raw: Table, options: TableOptions) -> _Problem:
    """Return the tables with their columns named, and what they state."""
    naming = options.naming or NO_NAMING
    named = name_columns(raw, CUSTOMER_FIELDS, naming)
    vehicles = more = _vehicle_rows(raw, options.vehicles)
    if more is not None:
        vehicles = name_vehicles(more, naming)
    naming.require_all(raw, more)
    depots = find_depots(named, options.depot)
    table = split_windows(depots.table)
    if len(depots.rows) > 1 and more is None and options.vehicles is None:
        rule = "several depots need vehicles that name theirs (--vehicles)"
        field = f"column {table.titles['depot']}"
        raise InstanceError(table.source, field, rule, len(depots.rows))
    ways = read_ways(
        table,
        options.matrix,
        options.durations,
        is_depot_added=depots.is_added,
    )
    if options.speed is not None and ways.durations is not None:
        raise ParameterError("speed and durations exclude each other.")
    columns = _time_columns(table)
    if vehicles is not None:
        columns += time_columns(vehicles)
        _require_metres(vehicles, ways)
    is_known = ways.in_seconds or options.speed is not None
    times = read_times(columns, options.time_unit, is_known)
    return _Problem(table, vehicles, depots, times, ways)


def _vehicle_rows(raw: Table, vehicles: object) -> Table | None:
    """Return the table of vehicles, as given or beside the customers."""
    if vehicles is None:
        return raw.beside("vehicles")
    if isinstance(vehicles, Fleet):
        return None
    return read_table(vehicles, "vehicles")


def _time_columns(table: Table) -> list[TimeColumn]:
    """Return the columns of a table of customers that hold times."""
    return [
        TimeColumn(table, name, CUSTOMER_FIELDS[name].kind)
        for name in _TIMES
        if name in table.columns
    ]


def _unused(table: Table, vehicles: Table | None) -> tuple[str, ...]:
    """Return the columns that nothing reads, of both tables."""
    more = () if vehicles is None else vehicles.unused
    return tuple(dict.fromkeys((*table.unused, *more)))


def _fleet_of(
    parts: _Problem, vehicles: object, capacity: Any
) -> Fleet | None:
    """Return the fleet that is given, or that of the table of vehicles."""
    if isinstance(vehicles, Fleet):
        if capacity is not None:
            raise ParameterError("a Fleet says the capacity of its vehicles.")
        return vehicles
    if parts.vehicles is None:
        return None
    depots: list[str] = []
    if "id" in parts.table.columns:
        ids = parts.table.texts("id")
        depots = [ids[row] for row in parts.depots.rows]
    return build_fleet(parts.vehicles, parts.times, capacity, depots)


def _capacity_of(table: Table, capacity: Any, fleet: Fleet | None) -> Any:
    """Return the capacity of the fleet, or that of all vehicles."""
    if fleet is not None:
        return fleet.capacity
    if capacity is None:
        raise ParameterError(
            f"{table.source}: the capacity of a vehicle is not in the table "
            "and must be given: nr.problem(customers, vehicles) or capacity=, "
            "in the shell --vehicles or --capacity."
        )
    return capacity


def _windows_of(
    parts: _Problem, is_customer: np.ndarray, order: list[int]
) -> TimeWindows | None:
    """Return the times of the nodes, each of which is a row."""
    columns = _time_columns(parts.table)
    if not columns:
        return None
    found = {
        field: np.full(len(is_customer), empty, dtype=float)
        for field, empty in _TIMES.values()
    }
    for column in columns:
        field, empty = _TIMES[column.name]
        cells = parts.times.values[column]
        found[field] = np.where(np.isnan(cells), empty, cells)
    for row in np.flatnonzero(found["tw_early"] > found["tw_late"])[:1]:
        place = "close"
        rule = "must not be before the window opens (25:00 is the next day)"
        if place not in parts.table.columns:
            place, rule = "open", TOO_LARGE
        raise parts.table.error(int(row), place, rule)
    for row in np.flatnonzero((found["release_times"] > 0) & ~is_customer)[:1]:
        rule = "a depot has no release time"
        raise parts.table.error(int(row), "release", rule)
    return TimeWindows(
        **{field: cells[order] for field, cells in found.items()}
    )


def _require_metres(vehicles: Table, ways: Ways) -> None:
    """Refuse limits and costs of distances that are durations."""
    for name in ("max_distance", "cost_per_distance"):
        if ways.costs_are_durations and name in vehicles.columns:
            title = vehicles.titles[name]
            rule = "needs distances, and there are durations alone"
            raise InstanceError(vehicles.source, f"column {title}", rule)


def _require_durations(instance: Instance, table: Table, times: Times) -> None:
    """Refuse times whose unit is not that of the ways."""
    timed = _TIMED.intersection(instance.features)
    if not timed or instance.durations is not None:
        return
    is_metric = instance.is_geographic and instance.matrix is None
    if times.in_seconds or is_metric:
        rule = (
            f"are missing, and {', '.join(sorted(timed))} need them: give a "
            "matrix (durations=, --durations FILE) or a speed (speed=, "
            "--speed 40km/h)"
        )
        raise InstanceError(table.source, "durations", rule)
