"""What the columns of customers say, by fields of the problem."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.desk.fields import CUSTOMER_COLUMNS, WINDOW_ENDS
from ncc_routing.problems.selection import Group
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.values import NO_LIMIT, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.desk.tables import Table
    from ncc_routing.problems.draft import Values


_PREFERRED: Final = ("preferred_from", "preferred_until")
"""The columns of a preferred window."""


def values_of_rows(
    table: Table, cells: Values, is_customer: np.ndarray
) -> Values:
    """Return the values of all rows, for ``problems.draft.Draft``.

    ``cells`` are what the columns of the ``table`` say: ``deliver_to`` a row,
    -1 for none; ``required`` perhaps ``None``; ``skills``, ``served_by``
    (vehicle types), ``same_route``, ``different_routes`` and ``district``
    several entries each.
    """
    values: Values = {"delivery": is_customer[:, None].astype(np.int64)}
    values |= _columns_of(cells, table.num_rows)
    loads = [field for field in ("delivery", "pickup") if field in values]
    num = max(values[field].shape[1] for field in loads)
    for field in loads:
        missing = num - values[field].shape[1]
        values[field] = np.pad(values[field], ((0, 0), (0, missing)))
    shipments = _take_shipments(table, cells, values)
    values |= _choice_of(table, cells, values, shipments)
    values["shipments"] = tuple(shipments)
    for name in ("same_route", "different_routes"):
        values[name] = [nodes for _, nodes in _groups(cells.get(name, ()))]
    pairs = enumerate(cells.get("comes_after", ()))
    values["precedences"] = [(a, b) for b, a in pairs if a >= 0]
    values["sequences"] = _sequences(table, cells.get("directly_after", ()))
    if "served_by" in cells:
        values["vehicles"] = [types or None for types in cells["served_by"]]
    if "district" in cells:
        # A label is all that its cell says.
        labels = list(map("|".join, cells["district"]))
        place = {"": -1}
        for label in labels:
            place.setdefault(label, len(place) - 1)
        values["districts"] = [place[label] for label in labels]
    _check_times(table, values, is_customer)
    if not cells.keys().isdisjoint(_PREFERRED):
        values["preferred"] = _preferred_windows(table, cells)
    several = _several_windows(table, cells)
    if several is not None:
        values["windows"] = several
        for name, blank in (("tw_early", 0), ("tw_late", NO_LIMIT)):
            values.setdefault(name, np.full(table.num_rows, blank))
        for node, of_node in enumerate(several):
            if of_node:
                values["tw_early"][node] = min(of_node)[0]
                values["tw_late"][node] = max(late for _, late in of_node)
    return values


def _sequences(table: Table, befores: Sequence[int]) -> list[list[int]]:
    """Return rows that follow each other directly, by the row before each."""
    pairs = enumerate(befores)
    followers = {row: before for row, before in pairs if before >= 0}
    is_wrong = np.zeros(table.num_rows, dtype=bool)
    behind: dict[int, int] = {}
    for row, before in followers.items():
        is_wrong[row] = behind.setdefault(before, row) != row
    rule = "must not be that of two customers"
    table.refuse(is_wrong, "directly_after", rule)
    found = []
    for first in behind.keys() - followers.keys():
        rows = [first]
        while rows[-1] in behind:
            rows.append(behind[rows[-1]])
        found.append(rows)
    is_wrong[list(followers)] = True
    is_wrong[list(chain(*found))] = False
    rule = "must not lead back to its own row"
    table.refuse(is_wrong, "directly_after", rule)
    return sorted(found)


def _preferred_windows(table: Table, cells: Values) -> np.ndarray:
    """Return the preferred window of each node, 0 and no limit for none."""
    opens, closes = (
        _cells_of(cells, name, table.num_rows) for name in _PREFERRED
    )
    name = next(name for name in _PREFERRED[::-1] if name in cells)
    rule = "must not be before the window opens (25:00 is the next day)"
    table.refuse(opens > closes, name, rule)
    return np.column_stack([opens, closes])


def _several_windows(table: Table, cells: Values) -> list[Any] | None:
    """Return the windows of each node, empty where it has one."""
    if cells.keys().isdisjoint(chain(*WINDOW_ENDS[1:])):
        return None
    size, nothing = table.num_rows, (0, NO_LIMIT)
    windows: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for number, names in enumerate(WINDOW_ENDS):
        ends = [_cells_of(cells, name, size) for name in names]
        is_given = np.maximum(*ends) >= 0
        if not number:
            is_given = (ends[0] > 0) | (ends[1] < NO_LIMIT)
        opens, closes = (
            np.where(end < 0, blank, end)
            for end, blank in zip(ends, nothing, strict=True)
        )
        given = names[1] if names[1] in table.columns else names[0]
        rule = "must not be before the window opens (25:00 is the next day)"
        table.refuse(is_given & (opens > closes), given, rule)
        rule = "needs the windows before it"
        is_first = np.array([len(of_node) < number for of_node in windows])
        table.refuse(is_given & is_first, given, rule)
        for row in np.flatnonzero(is_given).tolist():
            windows[row].append((int(opens[row]), int(closes[row])))
    return [of_node if len(of_node) > 1 else [] for of_node in windows]


def _cells_of(cells: Values, name: str, size: int) -> Any:
    """Return the cells of a column, empty ones where there is none."""
    return cells.get(name, np.full(size, CUSTOMER_COLUMNS[name].blank))


def _columns_of(cells: Values, size: int) -> Values:
    """Return the columns that become fields as they are."""
    names: dict[str, list[str]] = {}
    for name, column in CUSTOMER_COLUMNS.items():
        for field in column.target:
            names.setdefault(field, []).append(name)
    values: Values = {}
    for field, columns in names.items():
        given = [name for name in columns if name in cells]
        if not given:
            continue
        values[field] = cells[given[0]]
        if field == "coords":
            values[field] = np.column_stack([cells[name] for name in given])
        elif len(columns) > 1:  # dimensions: none is left out
            nothing = np.zeros(size, dtype=np.int64)
            last = columns.index(given[-1]) + 1
            values[field] = np.column_stack(
                [cells.get(name, nothing) for name in columns[:last]]
            )
    return values


def _take_shipments(
    table: Table, cells: Values, values: Values
) -> list[Shipment]:
    """Return the shipments; their loads are no deliveries any more."""
    shipments = []
    deliveries = values["delivery"]
    gives = values.get("pickup", deliveries[:, :0]).any(axis=1)
    for node, target in enumerate(cells.get("deliver_to", ())):
        if target < 0:
            continue
        is_wrong = np.zeros(table.num_rows, dtype=bool)
        is_wrong[target] = deliveries[target].any()
        is_wrong[node] = gives[[node, target]].any() and not is_wrong.any()
        rule = "must have no load besides that of the shipment"
        table.refuse(is_wrong, "deliver_to", rule)
        shipments.append(
            Shipment(node, target, tuple(deliveries[node].tolist()))
        )
        deliveries[node] = 0
    return shipments


def _choice_of(
    table: Table,
    cells: Values,
    values: Values,
    shipments: Sequence[Shipment],
) -> Values:
    """Return who must be served: without a word those without a prize.

    Both rows of a shipment have the higher one of their priorities.
    """
    if {"prize", "required", "one_of", "priority"}.isdisjoint(cells):
        return {}
    prizes = values.get("prizes", np.zeros(table.num_rows))
    for shipment in shipments if "priority" in cells else ():
        both = [shipment.pickup, shipment.delivery]
        values["priorities"][both] = values["priorities"][both].max()
    stated = cells.get("required", [None] * table.num_rows)
    required = prizes == 0
    if "required" in cells:
        required = np.array([said is not False for said in stated])
    for shipment in shipments:
        both = [shipment.pickup, shipment.delivery]
        said = _common(table, stated, both, "both rows of a shipment")
        required[both] = required[both] if said is None else said
    groups = []
    for name, nodes in _groups([[one] for one in cells.get("one_of", ())]):
        said = _common(table, stated, nodes, f"all rows of one_of {name!r}")
        required[list(nodes)] = False
        groups.append(Group(nodes, said is not False, name))
    for shipment in shipments:
        required[shipment.delivery] = required[shipment.pickup]
    return {"prizes": prizes, "required": required, "groups": tuple(groups)}


def _common(
    table: Table,
    stated: Sequence[bool | None],
    nodes: Sequence[int],
    whose: str,
) -> bool | None:
    """Return what nodes say about their service, which must be the same."""
    said = next((s for node in nodes if (s := stated[node]) is not None), None)
    is_wrong = np.zeros(len(stated), dtype=bool)
    is_wrong[list(nodes)] = [
        stated[node] not in (None, said) for node in nodes
    ]
    table.refuse(is_wrong, "required", f"must be the same in {whose}")
    return said


def _groups(
    labels: Sequence[Sequence[str]],
) -> list[tuple[str, tuple[int, ...]]]:
    groups: dict[str, list[int]] = {}
    for node, name in enumerate(labels):
        for label in dict.fromkeys(filter(None, name)):
            groups.setdefault(label, []).append(node)
    return [(label, tuple(nodes)) for label, nodes in groups.items()]


def _check_times(
    table: Table, values: Values, is_customer: np.ndarray
) -> None:
    opens, late = values.get("tw_early", 0), values.get("tw_late", NO_LIMIT)
    if "close" in table.columns:
        rule = "must not be before the window opens (25:00 is the next day)"
        table.refuse(np.greater(opens, late), "close", rule)
    elif "open" in table.columns:
        table.refuse(np.greater(opens, late), "open", TOO_LARGE)
    if "release" in table.columns:
        is_wrong = (values["release_times"] > 0) & ~is_customer
        table.refuse(is_wrong, "release", "a depot has no release time")
