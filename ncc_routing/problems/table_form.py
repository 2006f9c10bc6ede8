"""How a user writes a table, so that further rows are read alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import number_of
from ncc_routing.core.units import TIME_UNITS
from ncc_routing.problems.declared import Declared, declared, parts
from ncc_routing.problems.values import listed, tuple_of

_SOURCE = "table_form"


def pairs(source: str, name: str, value: Any) -> tuple[tuple[str, str], ...]:
    """Return pairs of texts, refusing others."""
    found = []
    for given in listed(source, name, value, "pairs"):
        pair = tuple_of(source, name, given, str)
        if len(pair) != 2:
            rule = "must be pairs of texts"
            raise InstanceError(source, name, rule, pair)
        found.append((pair[0], pair[1]))
    return tuple(found)


@dataclass(frozen=True)
class TableForm(Declared):
    """Names of columns and units, where the cells do not say them.

    Parameters
    ----------
    titles
        Fields and the names of their columns, in lower case, where these say
        something else. Default: none.
    ignored
        Names of columns that do not count. Default: none.
    time_unit
        Unit of times and durations without one: "s", "min" or "h". Default
        "": none is known.
    load_units
        For each load dimension, what it counts in ("kg", "l", "box"), and how
        many of these are one in the table: ("kg", "1000") for tonnes. Default:
        plain numbers.
    day
        Day that is planned: a weekday or a date. It chooses among windows of
        weekdays. Default "": none is known.

    Raises
    ------
    InstanceError
        If they are no texts, or the unit is none of these.
    """

    titles: tuple[tuple[str, str], ...] = declared(pairs, ())
    ignored: tuple[str, ...] = parts(str)
    time_unit: str = ""
    load_units: tuple[tuple[str, str], ...] = declared(pairs, ())
    day: str = ""

    def __post_init__(self) -> None:
        self.read_fields(_SOURCE)
        if self.time_unit not in ("", *TIME_UNITS):
            rule = f"must be one of {', '.join(TIME_UNITS)}"
            raise InstanceError(_SOURCE, "time_unit", rule, self.time_unit)
        for _, factor in self.load_units:
            if not 0.0 < number_of(factor) < float("inf"):
                rule = "must have a positive number"
                raise InstanceError(_SOURCE, "load_units", rule, factor)
