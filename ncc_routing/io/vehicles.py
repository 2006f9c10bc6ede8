"""Vehicles of a routing problem as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.printable import shortened
from ncc_routing.io._wording import in_words_of
from ncc_routing.io.columns import (
    LENGTH,
    LENGTH_COST,
    VEHICLE_FIELDS,
    Field,
    Naming,
    lengths_of,
    name_columns,
)
from ncc_routing.io.stops import says_yes
from ncc_routing.io.tables import is_blank, read_table
from ncc_routing.io.times import TimeColumn, holds_moments, read_times
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ncc_routing.io.tables import Table
    from ncc_routing.io.times import Times

_TIMES: Final = {
    "shift_start": ("tw_early", 0),
    "shift_end": ("tw_late", NO_LIMIT),
    "latest_start": ("start_late", NO_LIMIT),
    "max_duration": ("shift_duration", NO_LIMIT),
    "cost_per_time": ("unit_duration_cost", 0),
    "max_overtime": ("max_overtime", 0),
    "cost_per_overtime": ("unit_overtime_cost", 0),
}
"""Columns of times: fields of ``VehicleType``, and what empty cells mean."""


_MORE_CAPACITIES: Final = ("capacity_2", "capacity_3")
"""Columns of the load dimensions beyond the first."""


def read_vehicles(
    source: object,
    capacity: float | None = None,
    *,
    depots: Sequence[str] = (),
    time_unit: str | None = None,
    columns: Mapping[str, str] | None = None,
    ignore_columns: Sequence[str] = (),
) -> Fleet:
    """Read the vehicles of a routing problem from a table.

    Each row is a vehicle type: one vehicle, or as many as the column
    ``number`` says. The page "Tables" lists the columns and their names:
    vehicle, skills, number, capacity, shift_start, shift_end, latest_start,
    fixed_cost, cost_per_distance, cost_per_time, home_depot (or start_depot
    and end_depot), max_distance, max_duration. An empty limit is no limit, and
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
    table = name_vehicles(raw, naming)
    times = read_times(time_columns(table), time_unit)
    return build_fleet(table, times, capacity, depots)


def name_vehicles(raw: Table, naming: Naming) -> Table:
    """Return a table of vehicles with its columns by their fields.

    Columns start and end with times of day are the shift, else perhaps depots.
    """
    raw.refuse_extras(("comment",), "vehicles")
    fields = dict(VEHICLE_FIELDS)
    for end in ("start", "end"):
        if holds_moments(raw.columns.get(end, ())):
            names, kind = fields[f"shift_{end}"]
            fields[f"shift_{end}"] = Field((*names, end), kind)
    return name_columns(raw, fields, naming)


def time_columns(table: Table) -> list[TimeColumn]:
    """Return the columns of a table of vehicles that hold times."""
    return [
        TimeColumn(table, name, VEHICLE_FIELDS[name].kind)
        for name in _TIMES
        if name in table.columns
    ]


def types_by_name(kinds: Sequence[VehicleType]) -> dict[str, list[int]]:
    """Return the vehicle types of each name."""
    found: dict[str, list[int]] = {}
    for idx, kind in enumerate(kinds):
        if kind.name:
            found.setdefault(kind.name, []).append(idx)
    return found


def rule_of_names(known: Iterable[str]) -> str:
    """Return the rule for a cell that must name vehicles."""
    names = ", ".join(known) or "no vehicle has a name"
    return f"must name vehicles ({shortened(names)})"


def build_fleet(
    table: Table,
    times: Times,
    capacity: float | None,
    depots: Sequence[str],
) -> Fleet:
    """Return the fleet of a table with the columns of vehicles."""
    size = table.num_rows
    values: dict[str, Sequence[object]] = {}
    if ("capacity" in table.columns) == (capacity is not None):
        raise ParameterError(
            f"{table.source}: the capacity of a vehicle must be given, as a "
            "column capacity or beside the table, and not both."
        )
    values["capacity"] = [capacity] * size
    if "capacity" in table.columns:
        values["capacity"] = table.numbers("capacity").tolist()
    more = [name for name in _MORE_CAPACITIES if name in table.columns]
    if more:
        rows = zip(
            *(table.numbers(name).tolist() for name in more), strict=True
        )
        values["other_capacities"] = list(rows)
    values["num_available"] = [1] * size
    if "number" in table.columns:
        values["num_available"] = table.numbers("number").tolist()
    if "fixed_cost" in table.columns:
        values["fixed_cost"] = table.numbers("fixed_cost", 0.0).tolist()
    for name, kind, field, blank in (
        ("cost_per_distance", LENGTH_COST, "unit_distance_cost", 1.0),
        ("max_distance", LENGTH, "max_distance", float(NO_LIMIT)),
    ):
        if name in table.columns:
            values[field] = lengths_of(table, name, kind, blank)
    for column in time_columns(table):
        field, empty = _TIMES[column.name]
        found = times.values[column]
        values[field] = np.where(np.isnan(found), empty, found).tolist()
        if column.name in ("shift_end", "latest_start"):
            starts = np.array(values.get("tw_early", 0))
            for row in np.flatnonzero(found < starts)[:1]:
                rule = "must not be before the shift starts (25:00 is the "
                raise table.error(int(row), column.name, f"{rule}next day)")
    if "initial_load" in table.columns:
        loads = table.numbers("initial_load", 0.0).tolist()
        none = (0.0,) * len(more)
        values["initial_load"] = [(load, *none) for load in loads]
    if "max_reloads" in table.columns:
        most = table.numbers("max_reloads", float(NO_LIMIT))
        values["max_reloads"] = most.tolist()
    if "vehicle" in table.columns:
        values["name"] = table.texts("vehicle")
    if "has_skills" in table.columns:
        values["skills"] = table.words("has_skills")
    values |= _depots_of(table, depots)
    if "reload_depots" in table.columns:
        values["reload_depots"] = _reloads_of(table, depots)
    titles = {
        field: f"column {table.titles.get(name, name)}"
        for name, field in _FIELD_OF.items()
    }
    types = []
    for row in range(size):
        given = {field: cells[row] for field, cells in values.items()}
        with in_words_of(f"{table.source}: {table.where(row)}", titles):
            types.append(VehicleType(**given))  # type: ignore[arg-type]
    return Fleet(tuple(types))


_FIELD_OF: Final = {
    **{name: field for name, (field, _) in _TIMES.items()},
    "capacity": "capacity",
    "capacity_2": "other_capacities",
    "initial_load": "initial_load",
    "max_reloads": "max_reloads",
    "has_skills": "skills",
    "number": "num_available",
    "fixed_cost": "fixed_cost",
    "cost_per_distance": "unit_distance_cost",
    "max_distance": "max_distance",
}
"""Columns, and the fields of ``VehicleType`` that they become."""


def _reloads_of(table: Table, depots: Sequence[str]) -> list[tuple[int, ...]]:
    """Return where the vehicles reload: ids between bars, or yes."""
    found = []
    for row, text in enumerate(table.texts("reload_depots")):
        parts = (
            [] if text not in depots and is_blank(text) else text.split("|")
        )
        names = [name.strip() for name in parts if name.strip()]
        if all(name in depots for name in names):
            found.append(tuple(map(list(depots).index, names)))
        elif len(depots) < 2:
            found.append((0,) if says_yes(table, "reload_depots", row) else ())
        else:
            rule = f"must be ids of depots ({', '.join(depots)})"
            raise table.error(row, "reload_depots", rule)
    return found


def _depots_of(
    table: Table, depots: Sequence[str]
) -> dict[str, Sequence[object]]:
    """Return the depots where the vehicles start and end."""
    if "home_depot" in table.columns:
        for name in ("start_depot", "end_depot"):
            if name in table.columns:
                rule = (
                    f"{table.titles['home_depot']} and {table.titles[name]} "
                    "name the same field"
                )
                raise InstanceError(table.source, "columns", rule)
    found: dict[str, Sequence[object]] = {}
    for field in ("start_depot", "end_depot"):
        name = "home_depot" if "home_depot" in table.columns else field
        if name not in table.columns:
            if len(depots) > 1:
                rule = f"there are {len(depots)} depots: a column {field} "
                rule += "must name that of each vehicle, or a column depot"
                raise InstanceError(table.source, "columns", rule)
            continue
        idx = []
        for row, text in enumerate(table.texts(name)):
            if text in depots:
                idx.append(list(depots).index(text))
            elif not is_blank(text) or len(depots) > 1:
                known = ", ".join(depots) or "none has an id"
                rule = f"must be the id of a depot ({known})"
                raise table.error(row, name, rule)
            else:
                idx.append(0)
        found[field] = idx
    return found
