"""Vehicles of a routing problem as a table."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import shortened
from ncc_routing.core.units import METRES_A_SECOND
from ncc_routing.desk.amounts import in_form
from ncc_routing.desk.cells import FLAG_RULE, Choice, flags, read_values
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.columns import Naming, columns_of_vehicles, name_columns
from ncc_routing.desk.fields import (
    BALANCE_FIELDS,
    BREAK_FIELDS,
    OWN_PLACES,
    STEP_FIELDS,
    VEHICLE_COLUMNS,
)
from ncc_routing.desk.tables import Table, is_blank, read_table
from ncc_routing.desk.times import (
    Times,
    read_times,
    time_columns,
)
from ncc_routing.desk.travel import metres_a_second, speed_in
from ncc_routing.desk.windows import split_windows
from ncc_routing.desk.words import phrases_of, words_of
from ncc_routing.io.builder import in_words_of
from ncc_routing.problems.balance import Balance
from ncc_routing.problems.breaks import Break
from ncc_routing.problems.declared import in_files
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.hours_of_service import RULE, parse_hours
from ncc_routing.problems.price_steps import PriceStep
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ncc_routing.desk.amounts import LoadForm


_ENDS: Final = ("start", "end")
_ANYWHERE: Final = "none"
"""Ends of routes, and the cell of one that is no depot."""

_RETURNS: Final = {"return_to_depot": True, "open_route": False}
"""Columns of whether routes end at a depot, and what yes says."""

_BESIDE: Final = ("plate", "service_factor", "speed")
"""Columns that become no field of ``VehicleType`` as they are."""

_TUPLES: Final = ("other_capacities", "initial_load")
"""Fields of a vehicle type that have an entry for each load dimension."""


def read_vehicles(
    source: object,
    capacity: float | None = None,
    *,
    depots: Sequence[str] = (),
    load_form: LoadForm | None = None,
    time_unit: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore_columns: Sequence[str] = (),
) -> Fleet:
    """Read the vehicles of a routing problem from a table.

    Each row is a vehicle type: one vehicle, or as many as the column
    ``number`` says. The page "Tables" lists the columns and their names:
    vehicle, skills, number, capacity, shift_start, shift_end, latest_start,
    fixed_cost, cost_per_distance, cost_per_time, home_depot (or start_depot
    and end_depot), max_distance, max_duration, max_driving_time, max_stops,
    min_stops, min_load, max_waiting, max_wait. An empty limit is no limit, and
    an empty cost the default of ``VehicleType``.

    ``problem(customers, vehicles)`` takes the table too, and matches the units
    and depots of both.

    Parameters
    ----------
    source
        As for ``problem``.
    capacity
        Capacity of each vehicle, if the table has no such column.
    depots
        Ids of the depots in the table, in the order of ``Instance.depots``.
        Default: one unnamed depot.
    load_form
        How the loads of the instance count. Default: as in the table.
    time_unit, columns, ignore_columns
        As for ``problem``.

    Returns
    -------
    Fleet
        A type for each row.

    Raises
    ------
    InstanceError
        If the table is wrong; the message names the file, the row and the
        column.
    ParameterError
        If the source is not a table, or the capacity is missing or given
        twice.
    UnsupportedProblemError
        If a column may be a cost or a constraint that is not read.
    """
    naming = Naming.of(columns, ignore_columns)
    raw = read_table(source, "vehicles")
    naming.require_all(None, raw)
    form = RowForm(load_form, time_unit)
    return vehicles_of(raw, naming, capacity, depots, form)


class RowForm(NamedTuple):
    """How loads and times of vehicles are to be read.

    The first ones as by ``read_vehicles``, and ``day`` as by ``read``; numbers
    without a unit may be hours where times are ``in_seconds``.
    """

    load_form: LoadForm | None = None
    time_unit: str | None = None
    day: str | None = None
    in_seconds: bool = False


def vehicles_of(
    raw: Table,
    naming: Naming,
    capacity: float | None,
    depots: Sequence[str],
    form: RowForm,
) -> Fleet:
    """Return the vehicles of a table; arguments as for ``read_vehicles``."""
    problems = Problems()
    table = name_vehicles(raw, naming, problems)
    with problems.collected():
        table = with_ends(table)
    table = split_windows(table, VEHICLE_COLUMNS, problems, form.day)
    if form.load_form is not None:
        table = in_form(table, form.load_form, problems)
    problems.refuse()
    for name in table.columns.keys() & {*OWN_PLACES, "speed"}:
        rule = "needs the customers beside it: read both together"
        raise InstanceError(table.source, table.called(name), rule)
    columns = time_columns(table, VEHICLE_COLUMNS)
    times = read_times(columns, form.time_unit, form.in_seconds)
    return fleet_of(table, times, capacity, depots)


def name_vehicles(
    raw: Table, naming: Naming, problems: Problems | None = None
) -> Table:
    """Return a table of vehicles with its columns by their fields."""
    raw.refuse_extras(("comment",), "vehicles")
    table = name_columns(raw, columns_of_vehicles(raw), naming, problems)
    if "vehicle" in table.columns or "plate" not in table.columns:
        return table
    cells, title = table.columns["plate"], table.titles["plate"]
    columns, titles = {**table.columns}, {**table.titles}
    del columns["plate"], titles["plate"]
    columns, titles = columns | {"vehicle": cells}, titles | {"vehicle": title}
    return replace(table, columns=columns, titles=titles)


def with_speeds(
    vehicles: Table, speed: str | None
) -> tuple[Table, str | None]:
    """Return vehicles without a column of speeds, and that of the fastest.

    Slower ones have a factor then. Without the column it is ``speed``, which
    vehicles with an empty cell have.
    """
    if "speed" not in vehicles.columns:
        return vehicles, speed
    vehicles = _in_kilometres_an_hour(vehicles)
    is_empty = [*map(is_blank, vehicles.columns["speed"])]
    if speed is None:
        rule = (
            "must be there, or that of the others an option (speed=, --speed)"
        )
        vehicles.refuse(is_empty, "speed", rule)
    elif not any(is_empty):
        rule = "must be in the table or an option (speed=, --speed), not both"
        title = vehicles.called("speed")
        raise InstanceError(vehicles.source, title, rule, speed)
    others = speed and metres_a_second(speed) / METRES_A_SECOND["km/h"]
    speeds = vehicles.numbers("speed", others or None)
    vehicles.refuse(speeds <= 0, "speed", "must be above 0")
    columns = {**vehicles.columns}
    del columns["speed"]
    fastest = float(speeds.max())
    if (speeds < fastest).any():
        title = vehicles.called("speed")
        if "speed_factor" in columns:
            other = vehicles.called("speed_factor")
            rule = f"and {other} name the same field"
            raise InstanceError(vehicles.source, title, rule)
        columns["speed_factor"] = (speeds / fastest).tolist()
        titles = vehicles.titles | {"speed_factor": title}
        vehicles = replace(vehicles, titles=titles)
    return replace(vehicles, columns=columns), f"{fastest:.10g}km/h"


def _in_kilometres_an_hour(vehicles: Table) -> Table:
    """Return vehicles with speeds as numbers, by the units of their cells."""
    unit = METRES_A_SECOND["km/h"]
    cells = vehicles.columns["speed"]
    found = map(speed_in, cells)
    speeds = [
        cell if speed is None else speed / unit
        for cell, speed in zip(cells, found, strict=True)
    ]
    return replace(vehicles, columns={**vehicles.columns, "speed": speeds})


def plates_of(vehicles: Table) -> tuple[tuple[str, str], ...]:
    """Return the names of vehicles and their plates."""
    plates = vehicles.texts("plate")
    pairs = zip(vehicles.texts("vehicle"), plates, strict=bool(plates))
    return tuple((name, plate) for name, plate in pairs if name and plate)


def with_ends(vehicles: Table) -> Table:
    """Return vehicles with where each starts and ends.

    A place without "start" or "end" in its name is that of both, and routes
    of vehicles that do not return end at the last customer.
    """
    columns, titles = {**vehicles.columns}, {**vehicles.titles}
    returns: list[bool] = []
    stated = [name for name in _RETURNS if name in columns]
    for name in stated:
        does = _RETURNS[name]
        said = vehicles.lookup(name, flags(), FLAG_RULE, does, fold=str.lower)
        returned = returns or [True] * vehicles.num_rows
        returns = [
            r and s == does for r, s in zip(returned, said, strict=True)
        ]
        del columns[name]
    ends = [name for name in columns if name.startswith("end_")]
    ends += stated[1:]
    if not all(returns) and ends:
        title = vehicles.called(stated[0])
        rule = f"and {vehicles.called(ends[0])} name the same field"
        raise InstanceError(vehicles.source, title, rule)
    for name in [*columns]:
        field = "depot" if name == "home_depot" else name[5:]
        is_split = name in OWN_PLACES or not all(returns)
        if name.startswith("home_") and is_split:
            cells = columns.pop(name)
            columns.setdefault(f"start_{field}", cells)
            columns.setdefault(f"end_{field}", cells)
            titles |= {f"{end}_{field}": titles[name] for end in _ENDS}
    if not all(returns):
        given = columns.get("end_depot", [None] * vehicles.num_rows)
        for name in [n for n in columns if n.startswith("end_")]:
            columns[name] = [
                cell if one else None
                for cell, one in zip(columns[name], returns, strict=True)
            ]
        columns["end_depot"] = [
            cell if one else _ANYWHERE
            for cell, one in zip(given, returns, strict=True)
        ]
        titles.setdefault("end_depot", titles[stated[0]])
    return replace(vehicles, columns=columns, titles=titles)


def types_by_name(
    vehicle_types: Sequence[VehicleType],
) -> dict[str, list[int]]:
    """Return the vehicle types of each name."""
    by_name: dict[str, list[int]] = {}
    for idx, vehicle_type in enumerate(vehicle_types):
        if vehicle_type.name:
            by_name.setdefault(vehicle_type.name, []).append(idx)
    return by_name


def rule_of_names(known: Iterable[str]) -> str:
    """Return the rule for a cell that must name vehicles."""
    names = ", ".join(known) or "no vehicle has a name"
    return f"must name vehicles ({shortened(names)})"


def fleet_of(
    table: Table,
    times: Times,
    capacity: float | None,
    depots: Sequence[str],
    services: np.ndarray | None = None,
) -> Fleet:
    """Return the fleet of a table with the columns of vehicles.

    ``services`` are those of all nodes, 0 for depots.
    """
    given = table.columns.keys()
    if ("capacity" in given) == (capacity is not None):
        raise ParameterError(
            f"{table.source}: the capacity of a vehicle must be given, as a "
            "column capacity or beside the table, and not both."
        )
    values: dict[str, Any] = {
        "capacity": [capacity] * table.num_rows,
        "number": [1] * table.num_rows,
    }
    choices = _choices(table, depots)
    values |= read_values(table, VEHICLE_COLUMNS, times, choices)
    if "goods_at" in values:
        # Who may load nowhere else starts where the goods are.
        reloads = values.get("reload_depots", [()] * table.num_rows)
        pairs = zip(values["goods_at"], reloads, strict=True)
        values["goods_at"] = [goods and bool(at) for goods, at in pairs]
    for end in ("start_depot", "end_depot"):
        rule = ""
        if {"home_depot", end} <= given:
            both = f"{table.titles['home_depot']} and {table.titles[end]}"
            rule = f"{both} name the same field"
        elif len(depots) > 1 and not {"home_depot", end} & given:
            rule = f"there are {len(depots)} depots: a column {end} must "
            rule += "name that of each vehicle, or a column depot"
        if rule:
            raise InstanceError(table.source, "columns", rule)
    starts = values.get("shift_start", 0)
    for name in ("shift_end", "latest_start"):
        if name in values:
            rule = (
                "must not be before the shift starts (25:00 is the next day)"
            )
            table.refuse(np.less(values[name], starts), name, rule)
    own = {
        "breaks": _breaks_of(table, values),
        "price_steps": _steps_of(table, values),
        "balances": _balances_of(table, values),
        "service_durations": _services_of(table, values, services),
    }
    return _built(table, values, own)


def _services_of(
    table: Table, values: dict[str, Any], services: np.ndarray | None
) -> list[tuple[int, ...]] | None:
    """Return the services of each vehicle, and take their column away."""
    factors = values.pop("service_factor", None)
    if factors is None:
        return None
    name = table.called("service_factor")
    if services is None:
        rule = "needs the customers beside it: read both together"
        raise InstanceError(table.source, name, rule)
    for row, factor in enumerate(factors):
        if not 0 <= factor < np.inf:
            place = f"{table.source}: {table.where(row)}"
            raise InstanceError(
                place, name, f"must be 0 or more, got {factor}"
            )
    return [
        () if factor == 1 else tuple(np.rint(factor * services).astype(int))
        for factor in factors
    ]


def _breaks_of(
    table: Table, values: dict[str, Any]
) -> list[tuple[Break, ...]] | None:
    """Return the breaks of each vehicle, and take their columns away."""
    names = chain(*BREAK_FIELDS)
    given = {name: values.pop(name) for name in names if name in values}
    plain = {
        field.name: (values.pop(files.column), table.called(files.column))
        for field, files in in_files(Break)
        if files.column in values
    }
    if not (given or plain):
        return None
    each: list[tuple[Break, ...]] = []
    for row in range(table.num_rows):
        breaks = []
        facts = {
            name: cells[row]
            for name, (cells, _) in plain.items()
            if cells[row] not in (None, NO_LIMIT)
        }
        for fields in BREAK_FIELDS:
            length, early, late = (
                int(given[field][row]) if field in given else blank
                for field, blank in zip(fields, (-1, 0, NO_LIMIT), strict=True)
            )
            if fields[0] not in given and 0 < early < late < NO_LIMIT:
                length, late = late - early, early
            if length < 0 and (early > 0 or late < NO_LIMIT):
                rule = f"needs a {table.called(fields[0])}"
                field = fields[1] if fields[1] in given else fields[2]
                raise table.error(row, field, rule)
            if length < 0:
                continue
            if length == 0:
                raise table.error(row, fields[0], "must be at least 1")
            if early > late:
                rule = "must not be before the break may begin"
                raise table.error(row, fields[2], rule)
            with in_words_of(
                f"{table.source}: {table.where(row)}",
                {"duration": table.called(fields[0])}
                | {name: title for name, (_, title) in plain.items()},
            ):
                breaks.append(Break(length, ((early, late),), **facts))
        each.append(tuple(breaks))
    return each


def _steps_of(
    table: Table, values: dict[str, Any]
) -> list[tuple[PriceStep, ...]] | None:
    """Return the price steps of each vehicle, and take their columns away."""
    each: list[tuple[PriceStep, ...]] = [()] * table.num_rows
    is_any = False
    for amount, (included, price) in STEP_FIELDS.items():
        if included in values and price not in values:
            rule = f"needs a column {price} beside it"
            raise InstanceError(table.source, table.called(included), rule)
        if price not in values:
            continue
        is_any = True
        costs = values.pop(price)
        beyond = values.pop(included, [0] * table.num_rows)
        titles = {"unit_cost": table.called(price)}
        if included in table.columns:
            titles["beyond"] = table.called(included)
        for row, (least, cost) in enumerate(zip(beyond, costs, strict=True)):
            with in_words_of(f"{table.source}: {table.where(row)}", titles):
                step = PriceStep(amount, float(least), float(cost))
            if step.unit_cost > 0:
                each[row] = (*each[row], step)
    return each if is_any else None


def _balances_of(
    table: Table, values: dict[str, Any]
) -> list[tuple[Balance, ...]] | None:
    """Return the balances of each vehicle, and take their columns away."""
    each: list[tuple[Balance, ...]] = [()] * table.num_rows
    for amount, names in BALANCE_FIELDS.items():
        given = {
            field: values.pop(name)
            for field, name in names.items()
            if name in values
        }
        titles = {field: table.called(names[field]) for field in given}
        for row in range(table.num_rows if given else 0):
            cells: dict[str, Any] = {
                field: float(own[row]) for field, own in given.items()
            }
            with in_words_of(f"{table.source}: {table.where(row)}", titles):
                balance = Balance(amount, **cells)
            if balance != Balance(amount):
                each[row] = (*each[row], balance)
    return each if any(each) else None


def _built(
    table: Table,
    values: Mapping[str, Sequence[Any]],
    own: Mapping[str, Sequence[Any] | None],
) -> Fleet:
    parts: dict[str, list[Sequence[Any]]] = {}
    fields: dict[str, str] = {}
    for name, column in VEHICLE_COLUMNS.items():
        if name in (*OWN_PLACES, *_BESIDE, *_RETURNS):
            continue
        for field in column.target or (name,):
            fields.setdefault(field, table.called(name))
            if name in values:
                parts.setdefault(field, []).append(values[name])
    if "initial_load" in parts:
        more = len(parts.get("other_capacities", ()))
        parts["initial_load"] += [[0] * table.num_rows] * more
    entries = {
        field: list(zip(*given, strict=True)) if field in _TUPLES else given[0]
        for field, given in parts.items()
    }
    entries |= {name: each for name, each in own.items() if each is not None}
    fields |= {"breaks": "break"}
    types = []
    for row in range(table.num_rows):
        place = f"{table.source}: {table.where(row)}"
        with in_words_of(place, fields):
            of_type: dict[str, Any] = {
                name: each[row] for name, each in entries.items()
            }
            types.append(VehicleType(**of_type))
    return Fleet(tuple(types))


def _choices(table: Table, depots: Sequence[str]) -> dict[str, Choice]:
    number = {name: idx for idx, name in enumerate(depots)}
    known = ", ".join(depots) or "none has an id"
    rule = f"must be the id of a depot ({known})"
    is_one = len(depots) < 2
    one = Choice(number, rule, 0, takes_blank=is_one)
    ends = ("start_depot", "end_depot")
    nowhere = {
        text: None
        for text in chain.from_iterable(map(table.texts, ends))
        if text.lower() in words_of("cells.none")
    }
    or_none = one._replace(
        known={**nowhere, **number}, rule=f"{rule}, or none"
    )
    reloads: dict[str, tuple[int, ...]] = {}
    for text in table.texts("reload_depots"):
        names = [name.strip() for name in text.split("|") if name.strip()]
        if number.keys() >= set(names):
            reloads[text] = tuple(number[name] for name in names)
        elif is_one and text.lower() in flags():
            reloads[text] = (0,) if flags()[text.lower()] else ()
    rule = FLAG_RULE if is_one else f"must be ids of depots ({known})"
    hours = {
        text: parse_hours(text) for text in table.texts("hours_of_service")
    }
    rules = {text: each for text, each in hours.items() if each is not None}
    goods = dict.fromkeys(phrases_of("cells.with_driver"), False)
    goods |= dict.fromkeys(phrases_of("cells.at_depot"), True)
    where = {
        text: goods[text.lower()]
        for text in table.texts("goods_at")
        if text.lower() in goods
    }
    return {
        "hours_of_service": Choice(rules, RULE),
        "goods_at": Choice(where, "must be depot or driver", False),
        "home_depot": one,
        **dict.fromkeys(ends, or_none),
        "reload_depots": Choice(reloads, rule, ()),
    }
