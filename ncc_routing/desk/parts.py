"""A table of several problems, each with some of its rows."""

from __future__ import annotations

import logging
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import printable, shortened
from ncc_routing.desk.tables import Table, read_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_logger = logging.getLogger(__name__)

Key = tuple[str, ...]
"""Texts in the cells of the columns by which a table is divided."""


class Part(NamedTuple):
    """The customers of a problem, and its vehicles, if there is a table."""

    customers: Table
    vehicles: Table | None


def parts_of(
    source: object, vehicles: object, names: Sequence[str]
) -> Iterator[tuple[Key, Part]]:
    """Yield the problems of a table, one for each combination of cells.

    They come in the order of their first rows. A row with an empty cell, such
    as that of a depot, is in all problems that agree with its other cells. A
    warning names those that are in none.

    Parameters
    ----------
    source
        A table of customers, as for :func:`ncc_routing.read`.
    vehicles
        Their vehicles. Those of a table with one of the columns are divided
        as well. ``None``: those beside the customers, or none.
    names
        The columns.

    Raises
    ------
    InstanceError
        If a column is missing or empty, two problems would have the same
        name, or there are no vehicles of one.
    """
    table = read_table(source, "customers")
    names = [name.lower() for name in names]
    for name in names:
        if name not in table.columns:
            rule = f"is missing; the columns are {', '.join(table.columns)}"
            raise InstanceError(table.source, f"column {name}", rule)
    cars = table.beside("vehicles")
    if vehicles is not None:
        cars = read_table(vehicles, "vehicles")
    extras = {n: each for n, each in table.extras.items() if n != "vehicles"}
    table = replace(table, extras=extras)
    keys = dict.fromkeys(filter(all, _keys_of(table, names)))
    _require_different_names(table.source, keys)
    problems = _divided(table, names, keys)
    _say_lost(table, names, problems)
    fleets = {} if cars is None else _fleets_of(cars, names, problems)
    for key, rows in problems.items():
        customers = replace(_taken(table, names, rows), name=_name_of(key))
        yield key, Part(customers, fleets.get(key))


def _fleets_of(
    cars: Table, names: Sequence[str], problems: Iterable[Key]
) -> Mapping[Key, Table]:
    """Return the vehicles of each problem, by the columns that they have."""
    shared = [name for name in names if name in cars.columns]
    places = [names.index(name) for name in shared]
    fleet_of = {key: tuple(key[k] for k in places) for key in problems}
    fleets = {}
    for fleet, rows in _divided(cars, shared, fleet_of.values()).items():
        if not rows:
            rule = f"there must be vehicles of {', '.join(fleet)}"
            raise InstanceError(cars.source, "rows", rule)
        fleets[fleet] = _taken(cars, shared, rows)
    return {key: fleets[fleet] for key, fleet in fleet_of.items()}


def _name_of(key: Key) -> str:
    return printable("-".join(key))


def _require_different_names(source: str, keys: Iterable[Key]) -> None:
    """Refuse names that are alike, but for small and capital letters."""
    known: dict[str, Key] = {}
    for key in keys:
        other = known.setdefault(_name_of(key).lower(), key)
        if other != key:
            both = f"{', '.join(other)} and {', '.join(key)}"
            rule = f"{both} would have the same name, {_name_of(key)}"
            raise InstanceError(source, "rows", rule)


def _say_lost(
    table: Table, names: Sequence[str], problems: Mapping[Key, Sequence[int]]
) -> None:
    """Name rows that are in no problem, such as depots without customers."""
    if not problems:
        rule = f"no row has {' and '.join(names)}"
        raise InstanceError(table.source, "rows", rule)
    used = {row for rows in problems.values() for row in rows}
    lost = [
        table.where(row) for row in range(table.num_rows) if row not in used
    ]
    if lost:
        _logger.warning(
            "%s: in no problem, as no other row has all of %s: %s",
            *(table.source, ", ".join(names), shortened(", ".join(lost))),
        )


def _keys_of(table: Table, names: Sequence[str]) -> list[Key]:
    """Return the texts of each row in the columns."""
    if not names:
        return [()] * table.num_rows
    return [*zip(*(table.texts(name) for name in names), strict=True)]


def _divided(
    table: Table, names: Sequence[str], problems: Iterable[Key]
) -> Mapping[Key, Sequence[int]]:
    """Return the rows of each problem: those that agree with its key."""
    rows: defaultdict[Key, list[int]] = defaultdict(list)
    for row, key in enumerate(_keys_of(table, names)):
        rows[key].append(row)
    found = {key: [*rows.get(key, ())] for key in problems}
    for key, some in rows.items():
        if all(key):
            continue
        for whole, each in found.items():
            if all(not a or a == b for a, b in zip(key, whole, strict=True)):
                each += some
    return found


def _taken(table: Table, names: Sequence[str], rows: Sequence[int]) -> Table:
    """Return some rows, without the columns that divide them."""
    columns = {n: c for n, c in table.columns.items() if n not in names}
    return replace(table, columns=columns).take(sorted(rows))
