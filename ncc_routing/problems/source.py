"""How the input says a problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ncc_routing.problems.declared import (
    Declared,
    declared,
    flag,
    part,
    parts,
    wholes,
)
from ncc_routing.problems.given_columns import GivenColumn
from ncc_routing.problems.table_form import TableForm, pairs
from ncc_routing.problems.time_form import TimeForm
from ncc_routing.problems.values import require_kind

if TYPE_CHECKING:
    from collections.abc import Mapping


def _unread(source: str, name: str, given: Any) -> dict[str, Any]:
    entries = {} if given is None else given
    require_kind(source, name, entries, dict)
    for entry in entries.values():
        require_kind(source, name, entry, dict)
    return dict(entries)


@dataclass(frozen=True)
class Source(Declared):
    """What outputs, messages and further rows need to know of the input.

    Parameters
    ----------
    unused_columns
        Unused columns of the table that it was read from.
    time_form
        Format of the times. Default: numbers in the unit of the durations.
    load_parts
        Units of load for one unit in the table that it was read from, for each
        dimension: 10 if demands have tenths. Default: 1 for all.
    columns
        Columns of the table that it was read from, which timetables, map data
        and pages show. Default: none.
    names_clients
        Whether messages count clients, shipments and depots from 0, as PyVRP
        does. Default ``False``.
    table_form
        Names of the columns and units of the table, for further rows. Default:
        as the cells say.
    unread
        Keys of VROOM's JSON that nothing reads, and their values as JSON holds
        them, by the id of the customer, by "vehicle" and its name, such as
        "vehicle 1", and for its breaks "vehicle 1, break 5", and of the whole
        by "". Its answers give them back. Default: none.
    plates
        Names of vehicle types, and the licence plates of their vehicles.
        Default: none.
    """

    unused_columns: tuple[str, ...] = parts(str)
    time_form: TimeForm = part(TimeForm, TimeForm())
    load_parts: tuple[int, ...] = wholes()
    columns: tuple[GivenColumn, ...] = parts(GivenColumn)
    names_clients: bool = flag(False)
    table_form: TableForm = part(TableForm, TableForm())
    unread: Mapping[str, Mapping[str, Any]] = declared(
        _unread, None, may_be_none=False
    )
    plates: tuple[tuple[str, str], ...] = declared(pairs, ())

    @property
    def is_table(self) -> bool:
        """Whether the problem was read from a table."""
        return bool(self.columns or self.unused_columns)

    def __post_init__(self) -> None:
        self.read_fields("source")
