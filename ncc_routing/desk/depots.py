"""Which rows of a table, or which place beside it, are the depots."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import number_of
from ncc_routing.core.text_files import describe_value
from ncc_routing.desk.cells import FLAG_RULE, flags
from ncc_routing.desk.columns import name_columns
from ncc_routing.desk.fields import CUSTOMER_COLUMNS, OWN_PLACES
from ncc_routing.desk.tables import (
    Table,
    is_blank,
    is_missing,
    text_of,
    titles_of,
)
from ncc_routing.desk.words import phrases_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

logger = logging.getLogger(__name__)

_MARKS: Final = {"depot": True, "customer": False}
_TYPES: Final = {"depot": True, "customer": False, "client": False}
"""Cells of a column that marks depots, and of one called type."""

_ENDS: Final = ("start", "end")

_DEPOT_ID: Final = "depot"
"""Id of a depot that has none of its own."""


class Depots(NamedTuple):
    """A table, the rows of its depots, and whether one was put in front."""

    table: Table
    rows: list[int]
    is_added: bool = False


def find_depots(table: Table, depot: object) -> Depots:
    """Return the depots: as given, as marked, or the first row.

    One whose id is an empty cell has one here.

    ``depot`` is an id, a place ``(x, y)`` or "x,y", or an object of JSON;
    default: what JSON says. A place becomes the first row.
    """
    depots = _find(table, depot)
    ids = depots.table.columns.get("id", [])
    if not any(is_missing(ids[row]) for row in depots.rows if ids):
        return depots
    ids = [*ids]
    for row in depots.rows:
        if is_missing(ids[row]):
            ids[row] = _new_id(depots.table)
    columns = {**depots.table.columns, "id": ids}
    return depots._replace(table=replace(depots.table, columns=columns))


def with_own_places(
    depots: Depots, vehicles: Table, *, has_matrix: bool
) -> tuple[Depots, Table]:
    """Let the places where vehicles start and end be depots of the table.

    They come last, and are called after the vehicle. One where a depot is is
    that depot. Vehicles without such a place keep the depots that they name,
    or have the only one.
    """
    table = depots.table
    axes = ("lon", "lat") if "lon" in table.columns else ("x", "y")
    stated = [name for name in OWN_PLACES if name in vehicles.columns]
    if not stated:
        return depots, vehicles
    _require_axes(table, vehicles, stated, axes, has_matrix=has_matrix)
    cells = {name: [*column] for name, column in table.columns.items()}
    ids = cells.setdefault("id", list(map(str, range(table.num_rows))))
    only = ids[depots.rows[0]] if len(depots.rows) == 1 else None
    rows, places = [*depots.rows], [*table.places]
    labels = vehicles.texts("vehicle") or [""] * vehicles.num_rows
    named: dict[str, list[Any]] = {}
    x, y = (table.numbers(axis, np.nan) for axis in axes)
    known = {(x[row], y[row]): ids[row] for row in depots.rows}
    for end in _ENDS:
        names = named[f"{end}_depot"] = _named_depots(vehicles, end, only)
        spots = dict(_own_spots(vehicles, end, axes))
        for row, spot in [*spots.items()]:
            if (at := known.get((spot[axes[0]], spot[axes[1]]))) is not None:
                names[row] = at
                del spots[row]
        if end == "start":
            named |= _goods_at_depots(depots, vehicles, spots)
        for row, spot in spots.items():
            name = f"{end} of {labels[row] or f'vehicle {row + 1}'}"
            while name in ids:
                name += "_"
            facts = {"id": name, "demand": 0, **spot}
            rows.append(len(ids))
            for field, column in cells.items():
                column.append(facts.get(field))
            places.append(vehicles.places[row])
            names[row] = name
    titles = {**table.titles}
    titles.setdefault("id", "id")
    columns = {
        name: column
        for name, column in vehicles.columns.items()
        if name not in (*stated, "home_depot")
    } | named
    # "yes" is the only depot that is no place of a vehicle.
    if only is not None and "reload_depots" in columns:
        columns["reload_depots"] = [
            only if flags().get(text_of(cell).lower()) else cell
            for cell in columns["reload_depots"]
        ]
    return (
        depots._replace(
            table=replace(table, columns=cells, places=places, titles=titles),
            rows=rows,
        ),
        replace(
            vehicles,
            columns=columns,
            titles={name: name for name in named} | vehicles.titles,
        ),
    )


def _goods_at_depots(
    depots: Depots, vehicles: Table, rows: Collection[int]
) -> dict[str, list[Any]]:
    """Return columns by which vehicles load at a depot first.

    Those do that start at places of their own, unless the driver has the
    goods, or there are none. They may load once where no reloads are stated.
    """
    table = depots.table
    if not any(
        number_of(text_of(cell)) != 0
        for field in ("demand", "demand_2", "demand_3")
        for cell in table.columns.get(field, ())
        if not is_blank(cell)
    ):
        return {}
    names = ("goods_at", "reload_depots", "max_reloads")
    none = [None] * vehicles.num_rows
    goods, reloads, most = (
        list(vehicles.columns.get(name, none)) for name in names
    )
    ids = table.columns.get("id", [*map(str, range(table.num_rows))])
    known = "|".join(text_of(ids[row]) for row in depots.rows)
    loads: list[int] = []
    for row in rows:
        if is_blank(goods[row]):
            goods[row] = _DEPOT_ID
        if text_of(goods[row]).lower() not in phrases_of("cells.at_depot"):
            continue
        loads.append(row)
        may_reload = flags().get(text_of(reloads[row]).lower(), True)
        if is_blank(reloads[row]) or not may_reload:
            reloads[row] = known
            most[row] = 1 if is_blank(most[row]) else most[row]
    if loads and "goods_at" not in vehicles.columns:
        logger.warning(
            "%s: vehicles that start elsewhere (%s) load at the depot first; "
            "goods_at says driver where they have the goods from the start.",
            vehicles.source,
            ", ".join(map(vehicles.where, loads[:3])),
        )
    return dict(zip(names, (goods, reloads, most), strict=True))


def _require_axes(
    table: Table,
    vehicles: Table,
    stated: Sequence[str],
    axes: tuple[str, str],
    *,
    has_matrix: bool,
) -> None:
    """Refuse places of vehicles that customers have nothing like."""
    wrong, rule = stated[0], ""
    if has_matrix:
        rule = "needs coordinates: a matrix has no row for it; give a depot"
    elif not set(axes) <= table.columns.keys():
        rule = "needs coordinates of the customers"
    else:
        for name in stated:
            if not name.endswith(axes):
                wrong = name
                rule = "must be a coordinate of the same kind as the "
                rule += "customers'"
                break
    if rule:
        raise InstanceError(vehicles.source, vehicles.titles[wrong], rule)


def _named_depots(vehicles: Table, end: str, only: str | None) -> list[Any]:
    """Return the depot that each vehicle names for an end, or the only one."""
    for name in (f"{end}_depot", "home_depot"):
        if name in vehicles.columns:
            cells = vehicles.columns[name]
            return [only if is_missing(cell) else cell for cell in cells]
    return [only] * vehicles.num_rows


def _own_spots(
    vehicles: Table, end: str, axes: tuple[str, str]
) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield the rows with a place of their own for an end, and the place."""
    names = [f"{end}_{axis}" for axis in axes]
    used = [name for name in names if name in vehicles.columns]
    if not used:
        return
    missing = [np.nan] * vehicles.num_rows
    spots = np.column_stack(
        [
            vehicles.numbers(name, np.nan) if name in used else missing
            for name in names
        ]
    )
    is_known = np.isfinite(spots)
    vehicles.refuse(
        is_known.any(axis=1) & ~is_known.all(axis=1),
        used[0],
        f"needs both {' and '.join(names)}",
    )
    for row in np.flatnonzero(is_known.all(axis=1)).tolist():
        yield row, dict(zip(axes, spots[row].tolist(), strict=True))


def _new_id(table: Table) -> str:
    name = _DEPOT_ID
    while name in table.texts("id"):
        name += "_"
    return name


def _find(table: Table, depot: object) -> Depots:
    marked = _marked_rows(table)
    if depot is None:
        depot = table.extras.get("depot")
    if depot is not None:
        given = _given_depot(table, depot)
        if marked and (given.is_added or marked != given.rows):
            rule = f"is given, but column {table.titles['depot']} marks others"
            raise InstanceError(table.source, "depot", rule)
        return given
    if marked:
        return Depots(table, marked)
    first = table.columns.get("demand", [None])[0]
    if is_blank(first) or table.number(first) == 0:
        return Depots(table, [0])
    rule = (
        "is unknown: mark its row in a column depot, put it first with "
        "demand 0, or give its id or place (--depot ID|X,Y)"
    )
    raise InstanceError(table.source, "depot", rule)


def _marked_rows(table: Table) -> list[int]:
    if "depot" not in table.columns:
        return []
    known, rule = flags() | _MARKS, FLAG_RULE
    if table.titles["depot"] == "type":
        known = _TYPES
        rule = (
            "must be depot or customer; ignore the column if it means "
            "something else (ignore_columns=, --ignore-column type)"
        )
    marked = table.lookup("depot", known, rule, False, fold=str.lower)
    return np.flatnonzero(marked).tolist()


def _given_depot(table: Table, depot: object) -> Depots:
    if isinstance(depot, dict):
        names = titles_of(f"{table.source}: depot", list(depot))
        given = zip(names, depot.values(), strict=True)
        columns = {name: [value] for name, value in given}
        inner = name_columns(
            Table(table.source, "depot", columns, ["depot"]), CUSTOMER_COLUMNS
        )
        for field, title in inner.titles.items():
            called = table.titles.get(field, title)
            unit_in = CUSTOMER_COLUMNS[field].unit_in
            if unit_in(called) != unit_in(title):
                rule = f"must be called {called}, as a column"
                raise InstanceError(table.source, f"depot, {title}", rule)
        return _put_first(table, inner)
    text = str(depot).strip()
    ids = table.texts("id") if "id" in table.columns else []
    if text in ids:
        return Depots(table, [ids.index(text)])
    place = _place_of(depot)
    if place is not None:
        axes = ("lon", "lat") if "lon" in table.columns else ("x", "y")
        if "lon" in table.columns:
            _require_longitude_first(table, *place)
        cells: dict[str, list[Any]] = {
            axis: [value] for axis, value in zip(axes, place, strict=True)
        }
        return _put_first(
            table, Table(table.source, "depot", cells, ["depot"])
        )
    if not isinstance(depot, (str, int)):
        raise ParameterError(
            "depot must be an id or a place (x, y), got "
            f"{describe_value(depot)}."
        )
    rule = "must be an id of the table, or a place X,Y"
    raise InstanceError(table.source, "depot", rule, text)


def _require_longitude_first(table: Table, x: float, y: float) -> None:
    """Refuse a far place that is among the customers the other way round."""
    lon, lat = (
        [table.number(cell) for cell in table.columns[axis]]
        for axis in ("lon", "lat")
    )

    def is_near(x: float, y: float, margin: float) -> bool:
        return all(
            min(values) - margin * (max(values) - min(values))
            <= value
            <= max(values) + margin * (max(values) - min(values))
            for value, values in ((x, lon), (y, lat))
        )

    if is_near(y, x, 0.0) and not is_near(x, y, 1.0):
        rule = f"must be longitude, latitude: did you mean {y:g},{x:g}?"
        raise InstanceError(table.source, "depot", rule, f"{x:g},{y:g}")


def _put_first(table: Table, depot: Table) -> Depots:
    cells = {field: column[0] for field, column in depot.columns.items()}
    axes = [
        {"x", "y", "lon", "lat"} & fields.keys()
        for fields in (cells, table.columns)
    ]
    if not axes[0]:
        raise InstanceError(table.source, "depot", "must have coordinates")
    if not axes[1]:
        rule = "a place of the depot needs coordinates of the customers"
        raise InstanceError(table.source, "depot", rule)
    if axes[0] != axes[1]:
        rule = "must have coordinates of the same kind as the customers"
        raise InstanceError(table.source, "depot", rule)
    row = {"demand": 0, **cells}
    if "id" in table.columns:
        row["id"] = str(cells.get("id", _new_id(table)))
        while row["id"] in table.texts("id"):
            row["id"] += "_"
    else:
        row.pop("id", None)
    columns = {}
    for field in (*table.columns, *row):
        # Without a column of demands, each customer has one.
        missing = [1 if field == "demand" else None] * table.num_rows
        rest = table.columns.get(field, missing)
        columns[field] = [row.get(field), *rest]
    added = replace(
        table,
        columns=columns,
        places=[*depot.places, *table.places],
        titles={field: field for field in row} | depot.titles | table.titles,
        unused=tuple(dict.fromkeys((*table.unused, *depot.unused))),
    )
    return Depots(added, [0], is_added=True)


def _place_of(depot: object) -> tuple[float, float] | None:
    """Return the two numbers of a place, None where it is none."""
    parts: Any = depot
    if isinstance(depot, str):
        parts = map(number_of, depot.split(","))
    try:
        x, y = (float(part) for part in parts)
    except (TypeError, ValueError):
        return None
    return (x, y) if np.isfinite([x, y]).all() else None
