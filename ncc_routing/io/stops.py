"""What the customers of a table get and give, and who must be served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io.tables import is_blank, text_of
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.selection import Group, Selection
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.values import NO_LIMIT, TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.io.tables import Table

YES: Final = ("1", "1.0", "true", "yes", "y", "x")
NO: Final = ("0", "0.0", "false", "no", "n")
"""Cells that say yes or no, in lower case."""

_DEMANDS: Final = ("demand", "demand_2", "demand_3")
_PICKUPS: Final = ("pickup", "pickup_2", "pickup_3")
"""Columns of the loads, by their dimension."""


class Stops(NamedTuple):
    """Loads and choices of the nodes of an instance; ``None`` for plain ones.

    ``demands`` are the first deliveries.
    """

    demands: np.ndarray
    loads: Loads | None
    selection: Selection | None
    shipments: tuple[Shipment, ...]


def read_stops(
    table: Table, is_customer: np.ndarray, order: Sequence[int]
) -> Stops:
    """Return what a table with the columns of customers says.

    ``order`` are the rows of the nodes.
    """
    amounts = _amounts_of(table, _DEMANDS, is_customer)
    if amounts is None:
        amounts = is_customer.astype(np.int64)[:, None]
    pickups = _amounts_of(table, _PICKUPS, is_customer)
    if pickups is None:
        pickups = np.zeros((len(order), 1), dtype=np.int64)
    num = max(amounts.shape[1], pickups.shape[1])
    amounts, pickups = (_widened(each, num) for each in (amounts, pickups))
    node_of = {row: node for node, row in enumerate(order)}
    shipments = []
    for row, target in _deliveries(table, is_customer):
        taken = tuple(amounts[row].tolist())
        if amounts[target].any() or pickups[[row, target]].any():
            rule = "must have no load beside that of the shipment"
            wrong = target if amounts[target].any() else row
            raise table.error(wrong, "deliver_to", rule)
        amounts[row] = 0
        shipments.append(Shipment(node_of[row], node_of[target], taken))
    deliveries = amounts[order]
    loads = None
    if num > 1 or pickups.any():
        loads = Loads(deliveries, pickups[order])
    return Stops(
        deliveries[:, 0],
        loads,
        _selection_of(table, order, node_of, shipments),
        tuple(shipments),
    )


def says_yes(table: Table, column: str, row: int) -> bool:
    """Return what a cell says; refuse one that is neither yes nor no."""
    cell = table.columns[column][row]
    if not is_blank(cell) and text_of(cell).lower() not in (*YES, *NO):
        raise table.error(row, column, "must say yes or no, as 1 or 0")
    return text_of(cell).lower() in YES


def _amounts_of(
    table: Table, columns: Sequence[str], is_customer: np.ndarray
) -> np.ndarray | None:
    """Return whole amounts, a column a dimension; ``None`` without any."""
    size = max(
        (idx + 1 for idx, name in enumerate(columns) if name in table.columns),
        default=0,
    )
    if size == 0:
        return None
    found = np.zeros((table.num_rows, size), dtype=np.int64)
    for idx, name in enumerate(columns[:size]):
        if name not in table.columns:
            continue
        values = table.numbers(name, 0.0)
        for row, cell in enumerate(table.columns[name]):
            if name == "demand" and is_customer[row] and is_blank(cell):
                raise table.error(row, name, "must not be empty")
        for row in np.flatnonzero(values != np.rint(values))[:1]:
            what = "demands" if columns is _DEMANDS else "pickups"
            rule = (
                f"{what} must be whole numbers: give them, and the capacity, "
                "in a smaller unit"
            )
            raise InstanceError(
                table.source, table.where(row), rule, float(values[row])
            )
        _require_amounts(table, name, values)
        found[:, idx] = values
    return found


def _require_amounts(table: Table, column: str, values: np.ndarray) -> None:
    """Refuse the first cell of a column that is negative or too large."""
    is_wrong = (values < 0) | (values > NO_LIMIT)
    for row in np.flatnonzero(is_wrong)[:1]:
        rule = TOO_LARGE if values[row] > 0 else "must not be negative"
        raise table.error(int(row), column, rule)


def _widened(amounts: np.ndarray, num: int) -> np.ndarray:
    """Return amounts with zeros in the dimensions that they lack."""
    return np.pad(amounts, ((0, 0), (0, num - amounts.shape[1])))


def _deliveries(
    table: Table, is_customer: np.ndarray
) -> list[tuple[int, int]]:
    """Return the rows of pickups with those that they are delivered to."""
    if "deliver_to" not in table.columns:
        return []
    ids = table.texts("id") if "id" in table.columns else []
    found = []
    for row, target in enumerate(table.texts("deliver_to")):
        if target not in ids and is_blank(target):
            continue
        if (
            target not in ids
            or not is_customer[[row, ids.index(target)]].all()
        ):
            raise table.error(row, "deliver_to", "must be a customer's id")
        found.append((row, ids.index(target)))
    return found


def _selection_of(
    table: Table,
    order: Sequence[int],
    node_of: dict[int, int],
    shipments: Sequence[Shipment],
) -> Selection | None:
    """Return who must be served: without a word those without a prize."""
    given = {"prize", "required", "one_of"}.intersection(table.columns)
    if not given:
        return None
    prizes = np.zeros(table.num_rows)
    if "prize" in given:
        prizes = table.numbers("prize", 0.0)
        _require_amounts(table, "prize", prizes)
    stated: list[bool | None] = [None] * table.num_rows
    is_required = prizes == 0
    if "required" in given:
        stated = [
            says_yes(table, "required", row)
            if text_of(cell).lower() in NO or not is_blank(cell)
            else None
            for row, cell in enumerate(table.columns["required"])
        ]
        is_required = np.array([said is not False for said in stated])
    for shipment in shipments:
        rows = [order[shipment.pickup], order[shipment.delivery]]
        said = _common(table, stated, rows, "both rows of a shipment")
        if said is not None:
            is_required[rows] = said
    groups: dict[str, list[int]] = {}
    if "one_of" in given:
        for row, name in enumerate(table.labels("one_of")):
            if name:
                groups.setdefault(name, []).append(row)
                is_required[row] = False
    found = []
    for name, rows in groups.items():
        said = _common(table, stated, rows, f"all rows of one_of {name!r}")
        nodes = tuple(node_of[row] for row in rows)
        found.append(Group(nodes, said is not False, name))
    required = is_required[list(order)]
    for shipment in shipments:
        required[shipment.delivery] = required[shipment.pickup]
    return Selection(prizes[list(order)], required, tuple(found))


def _common(
    table: Table, stated: Sequence[bool | None], rows: list[int], whose: str
) -> bool | None:
    """Return what rows say about their service, which must be the same."""
    known = [row for row in rows if stated[row] is not None]
    for row in known:
        if stated[row] != stated[known[0]]:
            rule = f"must be the same in {whose}"
            raise table.error(row, "required", rule)
    return stated[known[0]] if known else None
