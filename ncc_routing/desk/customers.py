"""Customers of a routing problem as a table."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.desk.amounts import (
    LoadForm,
    finer_form,
    in_form,
    with_whole_loads,
)
from ncc_routing.desk.cells import Choice, read_values, require_places
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.column_words import what_it_tells
from ncc_routing.desk.columns import NO_NAMING, name_columns
from ncc_routing.desk.customer_values import values_of_rows
from ncc_routing.desk.depots import Depots, find_depots, with_own_places
from ncc_routing.desk.fields import (
    CUSTOMER_COLUMNS,
    LENGTH,
    PER_LENGTH,
    VEHICLE_COLUMNS,
    WORDS,
    field_of,
)
from ncc_routing.desk.routes import with_in_progress
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.desk.tables import Table, read_table
from ncc_routing.desk.times import (
    Times,
    read_times,
    time_columns,
)
from ncc_routing.desk.travel import (
    ArcMatrices,
    checked_detour,
    durations_of,
    metres_a_second,
    read_arcs,
    read_road_arcs,
)
from ncc_routing.desk.vehicles import (
    fleet_of,
    name_vehicles,
    plates_of,
    rule_of_names,
    types_by_name,
    with_ends,
    with_speeds,
)
from ncc_routing.desk.windows import split_windows
from ncc_routing.io.builder import in_words_of
from ncc_routing.problems import features
from ncc_routing.problems.draft import Draft, finer_fleet
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.odd_lengths import require_distances
from ncc_routing.problems.table_form import TableForm
from ncc_routing.problems.values import names_tuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.desk.fields import Column
    from ncc_routing.desk.table_options import TableOptions
    from ncc_routing.problems.draft import Values
    from ncc_routing.problems.given_columns import GivenColumn
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_OF_ROUTES: Final = {
    name: column
    for name, column in CUSTOMER_COLUMNS.items()
    if column.kind == WORDS
}
_OF_NODES: Final = {
    name: column
    for name, column in CUSTOMER_COLUMNS.items()
    if column.kind != WORDS and name != "depot"
}
"""Columns that may name vehicles, and those that do not."""

_OTHERS: Final = ("deliver_to", "comes_after", "directly_after")
"""Columns that name another row."""

_EXTRAS: Final = (
    *("capacity", "depot", "vehicles", "max_districts", "name", "comment"),
)
"""What JSON may say beside the customers."""

_UNREAD: Final = ArcMatrices(np.zeros((0, 0)), np.zeros((0, 0)))
"""Arcs in matrices that are wrong."""


class _Read(NamedTuple):
    """The tables of a problem: the rows of its depots, arcs and times.

    ``has_depots`` is whether these rows are known, ``loads`` how loads count,
    ``titles`` names columns by their fields, and ``speed`` that of vehicles.
    """

    table: Table
    depots: list[int]
    has_depots: bool
    vehicles: Table | None
    arcs: ArcMatrices
    times: Times
    capacity: Any
    loads: LoadForm
    titles: tuple[tuple[str, str], ...]
    speed: str | None

    @property
    def is_depot(self) -> np.ndarray:
        """Whether each row is a depot."""
        return np.isin(np.arange(self.table.num_rows), self.depots)

    @property
    def order(self) -> list[int]:
        """The row of each node."""
        rows, depots = range(self.table.num_rows), self.depots
        customers = [row for row in rows if row not in set(depots)]
        return [depots[0], *customers, *depots[1:]]


def instance_of_table(raw: Table, options: TableOptions) -> Instance:
    """Return the instance of a table of customers.

    One error tells all that is wrong with the tables.
    """
    try:
        return _instance_of(raw, options)
    except InstanceError as error:
        naming = (options.naming or NO_NAMING).without(error)
        if naming is None:
            raise
    return instance_of_table(raw, replace(options, naming=naming))


def _instance_of(raw: Table, options: TableOptions) -> Instance:
    draft, read = _draft_of(raw, options)
    table = read.table
    with in_words_of(table.source):
        instance = draft.build()
    if options.in_progress is not None:
        instance = with_in_progress(instance, options.in_progress)
    if read.speed is None:
        _require_durations(instance, table, read.times)
    require_distances(instance)
    if instance.has_metres and read.vehicles is not None:
        _say_metres(read.vehicles)
    return instance


def draft_of_table(raw: Table, options: TableOptions) -> Draft:
    """Return what a table of customers says, before it is checked.

    One error tells all that is wrong with the tables.
    """
    return _draft_of(raw, options)[0]


def _draft_of(raw: Table, options: TableOptions) -> tuple[Draft, _Read]:
    problems = Problems(raw.source)
    read = _read(raw, options, problems)
    table, times = read.table, read.times
    is_geographic = False
    with problems.collected():
        is_geographic = require_places(table)
    values: Values = {}
    with problems.collected():
        cells, facts = _cells_of(read, options, problems)
        if read.has_depots:
            values = values_of_rows(table, cells, ~read.is_depot)
    with problems.collected():
        if read.arcs is not _UNREAD:
            in_time = durations_of(
                table.source,
                read.arcs,
                options.time_unit,
                in_seconds=times.in_seconds,
            )
    if problems.errors:
        is_metric = is_geographic and read.arcs.matrix is None
        has_times = any(np.isfinite(v).any() for v in times.values.values())
        is_timed = read.speed is None and read.arcs.durations is None
        with problems.collected():
            if has_times and is_timed and (times.in_seconds or is_metric):
                raise _missing_durations(table, "times")
    problems.refuse()
    matrix = read.arcs.matrix
    if matrix is None and {"x", "lon"}.isdisjoint(cells):
        rule = "columns x and y, or lon and lat, or a matrix must be given"
        raise InstanceError(table.source, "columns", rule)
    is_sphere = is_geographic and matrix is None
    values |= {
        "name": options.name or table.name,
        "num_depots": len(read.depots),
        "rounding": options.rounding or ("nearest" if is_sphere else "none"),
        "matrix": matrix,
        "is_geographic": is_geographic,
        "durations": in_time,
        "is_metric": read.arcs.in_metres,
        **_source_of(raw, read, options, values["delivery"].shape[1]),
    }
    if options.detour is not None:
        values["detour"] = checked_detour(options.detour)
        if matrix is not None:
            rule = "detour is for straight lines, not for a matrix."
            raise ParameterError(rule)
    if read.speed is not None:  # whole seconds, by metres
        values["speed"] = metres_a_second(read.speed)
        values["is_metric"] = matrix is not None or not is_geographic
    return Draft(values).keep(read.order).set(**facts), read


def _say_metres(vehicles: Table) -> None:
    """Log the columns whose unit no name says, so that metres are taken."""
    guessed = [
        vehicles.titles[name]
        for name, column in VEHICLE_COLUMNS.items()
        if column.unit in (LENGTH, PER_LENGTH)
        and name in vehicles.columns
        and column.unit_in(vehicles.titles[name]) is None
    ]
    if guessed:
        logger.warning(
            "%s: %s: counted in metres, as no unit is in the name.",
            *(vehicles.source, ", ".join(guessed)),
        )


def _source_of(
    raw: Table, read: _Read, options: TableOptions, num_loads: int
) -> Values:
    """Return what outputs and further tables need to know of the tables."""
    parts = read.loads.parts
    unused = (*read.table.unused, *(read.vehicles or read.table).unused)
    return {
        "unused_columns": tuple(dict.fromkeys(unused)),
        "columns": _travelling(raw, read),
        "time_form": read.times.form,
        "table_form": _form_of(read, options),
        "plates": () if read.vehicles is None else plates_of(read.vehicles),
        "load_parts": parts[:num_loads] if max(parts) > 1 else (),
    }


def _form_of(read: _Read, options: TableOptions) -> TableForm:
    """Return what a further row of the tables needs to be read alike."""
    naming = options.naming or NO_NAMING
    units = read.loads.units
    return TableForm(
        read.titles,
        (*naming.ignored, *naming.kept),
        options.time_unit or "",
        units if any(unit for unit, _ in units) else (),
        str(options.day or ""),  # perhaps a datetime.date
    )


def _travelling(raw: Table, read: _Read) -> tuple[GivenColumn, ...]:
    """Return the columns that stand in the output as given, by nodes."""
    table = read.table
    ours = {
        title
        for field, title in table.titles.items()
        if not CUSTOMER_COLUMNS[field].travels
    }
    # The row of a given depot comes first, places of vehicles last.
    num_added = int(table.places[0] != raw.places[0])
    rows = [
        row if 0 <= row < raw.num_rows else -1
        for row in range(-num_added, table.num_rows - num_added)
    ]
    read_too = {*table.titles.values()}
    return tuple(
        replace(one, says=what_it_tells(one.title))
        if one.title.lower() not in read_too
        else one
        for one in raw.given_columns(raw.columns.keys() - ours, rows)
    )


def _read(raw: Table, options: TableOptions, problems: Problems) -> _Read:  # noqa: C901, PLR0915
    raw.refuse_extras(_EXTRAS, "customers")
    speed = options.speed
    naming = options.naming or NO_NAMING
    table = name_columns(raw, CUSTOMER_COLUMNS, naming, problems)
    more = vehicles = _vehicle_rows(raw, options.vehicles)
    if more is not None:
        vehicles = name_vehicles(more, naming, problems)
    naming.require_all(raw, more)
    titles = _unusual(table, CUSTOMER_COLUMNS)
    if vehicles is not None:
        titles += _unusual(vehicles, VEHICLE_COLUMNS)
        with problems.collected():
            vehicles, speed = with_speeds(with_ends(vehicles), speed)
    capacity = _stated(table, "capacity", options.capacity)
    if options.load_form is not None:
        loads = finer_form(table, options.load_form)
        table = in_form(table, loads, problems)
    else:
        table, vehicles, capacity, loads = with_whole_loads(
            table, vehicles, capacity, problems
        )
        for number, part in enumerate(loads.parts, start=1):
            if part > 1:
                logger.info(
                    "%s: loads of dimension %d have decimals: they and the "
                    "capacities are counted in 1/%d.",
                    *(table.source, number, part),
                )
    unknown = depots = Depots(table, [0])
    with problems.collected():
        depots = find_depots(table, options.depot)
    has_depots = depots is not unknown
    with problems.collected():
        if vehicles is not None:
            depots, vehicles = with_own_places(
                depots,
                vehicles,
                has_matrix=options.matrix is not None
                or options.durations is not None,
            )
    when = options.day, options.time_unit
    table = split_windows(depots.table, CUSTOMER_COLUMNS, problems, *when)
    if vehicles is not None:
        vehicles = split_windows(vehicles, VEHICLE_COLUMNS, problems, *when)
    with problems.collected():
        if len(depots.rows) > 1 and more is None and options.vehicles is None:
            raise _missing_vehicles(table, len(depots.rows))
    arcs = _UNREAD
    with problems.collected():
        if options.osrm is not None:
            arcs = read_road_arcs(table, options.osrm)
        else:
            arcs = read_arcs(
                table,
                options.matrix,
                options.durations,
                is_depot_added=depots.is_added,
            )
    if arcs is _UNREAD:
        pass
    elif speed is not None and arcs.durations is not None:
        raise ParameterError("speed and durations exclude each other.")
    columns = time_columns(table, CUSTOMER_COLUMNS)
    if vehicles is not None:
        columns += time_columns(vehicles, VEHICLE_COLUMNS)
        with problems.collected():
            _require_metres(vehicles, arcs)
    is_known = arcs.in_seconds or speed is not None
    unread = {each: np.full(each.table.num_rows, np.nan) for each in columns}
    times = Times(unread, is_known)
    with problems.collected():
        times = read_times(columns, options.time_unit, is_known)
    return _Read(
        table,
        depots.rows,
        has_depots,
        vehicles,
        arcs,
        times,
        *(capacity, loads, titles, speed),
    )


def _unusual(
    table: Table, fields: Mapping[str, Column]
) -> tuple[tuple[str, str], ...]:
    """Return fields and names of columns, where these say another field."""
    return tuple(
        (field, title)
        for field, title in table.titles.items()
        if field_of(title, fields) != field
    )


def _vehicle_rows(raw: Table, vehicles: object) -> Table | None:
    sheet = raw.extras.get("vehicles")
    if vehicles is None:
        if isinstance(sheet, Table):
            logger.warning("%s: read as the vehicles.", sheet.source)
        return raw.beside("vehicles")
    if isinstance(sheet, Table):
        logger.warning("%s: is not read.", sheet.source)
    if isinstance(vehicles, Fleet):
        return None
    return read_table(vehicles, "vehicles")


def _cells_of(
    read: _Read, options: TableOptions, of_tables: Problems
) -> tuple[Values, Values]:
    """Return what the columns say of the rows, and facts beside them."""
    table, times, is_depot = read.table, read.times, read.is_depot
    choices = dict.fromkeys(_OTHERS, _targets(table, is_depot))
    are_distinct = False
    with of_tables.collected():
        _require_ids(table)
        are_distinct = True
    targets = set(table.texts("deliver_to"))
    has_no_load = is_depot | [i in targets for i in table.texts("id") or [""]]
    problems = Problems()
    cells, fleet = {}, None
    with problems.collected():
        cells = read_values(
            table, _OF_NODES, times, choices, is_depot, has_no_load
        )
        for name in _OTHERS:
            names_one = [row >= 0 for row in cells.get(name, [-1])]
            table.refuse(is_depot & names_one, name, choices[name].rule)
    capacity = read.capacity
    with problems.collected():
        services = np.array(cells.get("service", np.zeros(table.num_rows)))
        services[is_depot] = 0
        each = services[read.order]
        fleet = _fleet_of(read, capacity, options.vehicles, each)
        if fleet is None and capacity is None:
            raise ParameterError(
                f"{table.source}: the capacity of a vehicle is not in the "
                "table and must be given: nr.read(customers, vehicles) or "
                "capacity=, in the shell --vehicles or --capacity."
            )
    problems.refuse()
    if not are_distinct:
        del cells["id"]
    most = _stated(table, "max_districts", options.max_districts)
    if most is not None and "district" not in table.columns:
        raise ParameterError(
            f"{table.source}: max_districts needs a column district."
        )
    types_of = types_by_name(() if fleet is None else fleet.types)
    pins = {"served_by": Choice(types_of, rule_of_names(types_of))}
    cells |= read_values(table, _OF_ROUTES, None, pins, is_depot)
    if most is None and "district" in cells:
        logger.warning(
            "%s: %s has no effect without max_districts.",
            table.source,
            table.called("district"),
        )
    _say_split_skills(table.source, cells.get("skills", ()), fleet)
    facts = {"max_districts": most, "capacity": capacity, "fleet": fleet}
    return cells, facts


def _require_ids(table: Table) -> None:
    ids = table.texts("id")
    table.refuse([not name for name in ids], "id", "must not be empty")
    number_of = {name: row for row, name in reversed([*enumerate(ids)])}
    is_again = [number_of[name] < row for row, name in enumerate(ids)]
    table.refuse(is_again, "id", "must appear once")


def _missing_vehicles(table: Table, num_depots: int) -> InstanceError:
    rule = "several depots need vehicles that name theirs (--vehicles)"
    field = table.called("depot")
    return InstanceError(table.source, field, rule, num_depots)


def _stated(table: Table, name: str, given: Any) -> Any:
    """Return what is given, or what JSON says beside the customers."""
    return table.extras.get(name) if given is None else given


def _targets(table: Table, is_depot: np.ndarray) -> Choice:
    known: dict[str, int] = {}
    for row, name in enumerate(table.texts("id")):
        if not is_depot[row]:
            known.setdefault(name, row)
    return Choice(known, "must be a customer's id", -1)


def _fleet_of(
    read: _Read, capacity: Any, given: object, services: np.ndarray
) -> Fleet | None:
    if isinstance(given, Fleet):
        if capacity is not None:
            raise ParameterError(
                "a Fleet states the capacity of its vehicles."
            )
        return finer_fleet(given, read.loads.parts)
    if read.vehicles is None:
        return None
    ids = read.table.texts("id")
    depots = [ids[row] for row in read.depots if ids]
    return fleet_of(read.vehicles, read.times, capacity, depots, services)


def _say_split_skills(
    source: str, needed: Sequence[Sequence[str]], fleet: Fleet | None
) -> None:
    """Warn once where a vehicle has the words of a skill, and not the skill.

    A single word such as "lift" may be part of another skill.
    """
    types = () if fleet is None else fleet.types
    known = set(chain.from_iterable(each.skills for each in types))
    wanted = names_tuple(source, "skills", list(chain.from_iterable(needed)))
    for skill in sorted(wanted):
        if skill in known and " " not in skill:
            continue
        for one in types:
            owned = set(" ".join(one.skills).split())
            if skill not in one.skills and owned.issuperset(skill.split()):
                logger.warning(
                    "%s: skill %s is not one of vehicle %s, whose skills have "
                    "its words: separate skills by ; , or |, not by blanks.",
                    *(source, skill, one.name or "without a name"),
                )
                return


def _require_metres(vehicles: Table, arcs: ArcMatrices) -> None:
    """Refuse limits and costs of distances that are durations."""
    for name, column in VEHICLE_COLUMNS.items():
        is_length = column.unit in (LENGTH, PER_LENGTH)
        if arcs.costs_are_durations and is_length and name in vehicles.columns:
            rule = "needs distances, but only durations are given"
            field = vehicles.called(name)
            raise InstanceError(vehicles.source, field, rule)


def _require_durations(instance: Instance, table: Table, times: Times) -> None:
    """Refuse times whose unit is not that of the arcs."""
    timed = features.TIMED & {*instance.features} - {features.OVERTIME}
    if not timed or instance.has_durations:
        return
    if times.in_seconds or instance.has_metres:
        raise _missing_durations(table, ", ".join(sorted(timed)))


def _missing_durations(table: Table, timed: str) -> InstanceError:
    rule = (
        f"are missing, and {timed} need them: give a matrix (durations=, "
        "--durations FILE) or a speed (speed=, --speed 40km/h)"
    )
    error = InstanceError(table.source, "durations", rule)
    error.options = ("--speed 40km/h",)
    return error
