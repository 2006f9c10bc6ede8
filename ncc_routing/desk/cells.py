"""What the cells of a table say, column by column."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.desk.collecting import Problems
from ncc_routing.desk.fields import (
    AMOUNT,
    FLAG,
    LABEL,
    PER_LENGTH,
    TEXT,
    WORDS,
    Column,
)
from ncc_routing.desk.times import TimeColumn, Times
from ncc_routing.desk.words import words_of
from ncc_routing.problems.values import NO_LIMIT, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.desk.tables import Table

FLAG_RULE: Final = "must be yes or no, or 1 or 0"

_AXES: Final = (("x", "y"), ("lon", "lat"))


@cache
def flags() -> dict[str, bool]:
    """Return what cells say that mean yes or no, in lower case."""
    no = dict.fromkeys(words_of("cells.no"), False)
    return no | dict.fromkeys(words_of("cells.yes"), True)


class Choice(NamedTuple):
    """What the words of a column stand for, and the rule for all others.

    ``blank`` is what an empty cell stands for; without ``takes_blank`` it is
    refused.
    """

    known: Mapping[str, Any]
    rule: str
    blank: Any = None
    takes_blank: bool = True


def read_values(
    table: Table,
    columns: Mapping[str, Column],
    times: Times | None = None,
    choices: Mapping[str, Choice] | None = None,
    is_depot: Sequence[bool] | np.ndarray | None = None,
    has_no_load: Sequence[bool] | np.ndarray = (),
) -> dict[str, Any]:
    """Return what each column says: an entry for each row, by its field.

    Parameters
    ----------
    table
        A table whose columns are known.
    columns
        Columns to read; those that the table lacks are left out.
    times
        The times of the table. Default: there are none.
    choices
        What words stand for, by fields. Default: they stay words.
    is_depot
        Whether each row is a depot, which has no skills and may have no
        demand. Default: no row is.
    has_no_load
        Whether each row may have no demand. Default: the depots.

    Raises
    ------
    InstanceError
        If a cell breaks the rule of its column.
    """
    depots = np.zeros(table.num_rows, dtype=bool)
    if is_depot is not None:
        depots |= is_depot
    no_load = depots | has_no_load if len(has_no_load) else depots
    by_field: dict[str, Any] = {}
    problems = Problems()
    for name, column in columns.items():
        choice = (choices or {}).get(name)
        if name not in table.columns:
            continue
        with problems.collected():
            if column.is_time and times is not None:
                values = times.values[TimeColumn(table, name, column)]
                by_field[name] = np.where(
                    np.isnan(values), column.blank or 0, values
                )
            elif column.kind == WORDS:
                by_field[name] = _words(table, name, choice, depots)
            elif choice is not None:
                by_field[name] = table.lookup(name, *choice)
            elif column.kind == FLAG:
                by_field[name] = table.lookup(
                    name, flags(), FLAG_RULE, fold=str.lower
                )
            elif column.kind == LABEL:
                by_field[name] = table.labels(name)
            elif column.kind == TEXT:
                by_field[name] = table.texts(name)
            else:
                by_field[name] = _numbers(table, name, column, no_load)
    problems.refuse()
    return by_field


def _words(
    table: Table, name: str, choice: Choice | None, is_depot: np.ndarray
) -> list[list[Any]]:
    known = {} if choice is None else choice.known
    words = table.words(name, known)
    is_given = [len(cell) > 0 for cell in words]
    rule = "must be empty for a depot"
    table.refuse(is_depot & is_given, name, rule)
    if choice is None:
        return words
    is_wrong = [not known.keys() >= set(cell) for cell in words]
    table.refuse(is_wrong, name, choice.rule)
    return [
        [entry for word in cell for entry in known[word]] for cell in words
    ]


def _numbers(
    table: Table, name: str, column: Column, is_depot: np.ndarray
) -> np.ndarray:
    is_amount = column.kind == AMOUNT
    blank = math.nan if is_amount or column.blank is not None else None
    values = table.numbers(name, blank)
    unit = column.unit_in(table.titles.get(name, name)) or 1.0
    values *= 1.0 / unit if column.unit == PER_LENGTH else unit
    is_empty = np.isnan(values)
    if column.blank is None:
        table.refuse(is_empty & ~is_depot, name, "must not be empty")
    values[is_empty] = column.blank or 0
    least, most = column.least, column.most
    if is_amount:
        rule = "must be a whole number: give it, and the capacity, in a "
        table.refuse(values != np.rint(values), name, f"{rule}smaller unit")
    if least is not None and most is not None:
        is_low, is_high = values < least, values > most
        low, high = "must not be negative", TOO_LARGE
        if least < 0 or most < NO_LIMIT:
            low = high = f"must lie in {least:g}..{most:g}"
        for row in np.flatnonzero(is_low | is_high)[:1]:
            table.refuse(is_low | is_high, name, low if is_low[row] else high)
    return values.astype(np.int64) if is_amount else values


def require_places(table: Table) -> bool:
    """Return whether places are geographic; refuse a table that names none."""
    given = [[axis in table.columns for axis in pair] for pair in _AXES]
    rule = ""
    if all(map(any, given)):
        rule = "must be either x and y or longitude and latitude"
    for pair, are_there in zip(_AXES, given, strict=True):
        if any(are_there) and not all(are_there) and not rule:
            rule = f"column {pair[are_there.index(False)]} is missing"
    names = ", ".join((*table.titles.values(), *table.unused))
    if {"id", "demand", *_AXES[0], *_AXES[1]}.isdisjoint(table.columns):
        rule = "are unknown: name them id, x and y (or lon and lat), demand"
        raise InstanceError(table.source, "columns", rule, names)
    if rule:
        raise InstanceError(table.source, "columns", rule)
    return any(given[1])
