"""A table of several problems, each with some of its rows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.desk.tables import Table, read_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    as that of a depot, is in all problems that agree with its other cells.

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
        If a column is missing, or there are no vehicles of a problem.
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
    shared = [] if cars is None else [n for n in names if n in cars.columns]
    fleets = {} if cars is None else _divided(cars, shared)
    for key, customers in _divided(table, names).items():
        cells = zip(names, key, strict=True)
        fleet = tuple(text for name, text in cells if name in shared)
        if cars is not None and fleet not in fleets:
            rule = f"there must be vehicles of {', '.join(fleet)}"
            raise InstanceError(cars.source, "rows", rule)
        named = replace(customers, name="-".join(key))
        yield key, Part(named, fleets.get(fleet))


def _divided(table: Table, names: Sequence[str]) -> Mapping[Key, Table]:
    """Return the rows of each combination, without the columns."""
    rows: defaultdict[Key, list[int]] = defaultdict(list)
    texts = zip(*(table.texts(name) for name in names), strict=True)
    keys = [*texts] if names else [()] * table.num_rows
    for row, key in enumerate(keys):
        rows[key].append(row)
    found = {key: [*each] for key, each in rows.items() if all(key)}
    for key in rows.keys() - found.keys():
        for whole, each in found.items():
            if all(not a or a == b for a, b in zip(key, whole, strict=True)):
                each += rows[key]
    columns = {n: c for n, c in table.columns.items() if n not in names}
    rest = replace(table, columns=columns)
    return {key: rest.take(sorted(each)) for key, each in found.items()}
