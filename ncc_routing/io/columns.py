"""What the columns of a table of places may be called."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError, UnsupportedProblemError
from ncc_routing.core.printable import shortened
from ncc_routing.io.column_words import rule_against
from ncc_routing.io.tables import is_blank, whole_if_possible

if TYPE_CHECKING:
    from ncc_routing.io.tables import Table

logger = logging.getLogger(__name__)

ID_NAMES: Final = ("id", "name", "customer", "customer_id", "node")
X_NAMES: Final = ("x", "x_coord", "xcoord")
Y_NAMES: Final = ("y", "y_coord", "ycoord")
LONGITUDE_NAMES: Final = ("lon", "lng", "long", "longitude")
LATITUDE_NAMES: Final = ("lat", "latitude")
DEMAND_NAMES: Final = ("demand", "weight", "quantity", "amount")
DEPOT_NAMES: Final = ("depot", "is_depot", "type")
"""Names of each kind of column, in any case. Two of one kind are refused."""

KNOWN_NAMES: Final = frozenset(
    ID_NAMES
    + X_NAMES
    + Y_NAMES
    + LONGITUDE_NAMES
    + LATITUDE_NAMES
    + DEMAND_NAMES
    + DEPOT_NAMES
)


@dataclass(frozen=True, eq=False)
class Places:
    """The columns of a table that every problem has; ``None`` where missing.

    ``coords`` of shape (num_rows, 2) is x and y, or longitude and latitude.
    """

    ids: tuple[str, ...] | None
    coords: np.ndarray | None
    is_geographic: bool
    weights: np.ndarray | None
    unused: tuple[str, ...]


def read_places(
    table: Table,
    also: frozenset[str] = frozenset(),
    blank_weight: bool = False,
) -> Places:
    """Return what the columns of a table say.

    ``also`` are columns that the caller reads; an empty weight stands for 0
    only with ``blank_weight``. A log line names the columns left out;
    one that may be a constraint is refused.
    """
    known = KNOWN_NAMES | also
    unused = tuple(name for name in table.columns if name not in known)
    _refuse_constraints(table, unused)
    coords, is_geographic = _coords_of(table)
    column = table.find(ID_NAMES)
    ids = None if column is None else tuple(table.texts(column))
    column = table.find(DEMAND_NAMES)
    weights = None
    if column is not None:
        blank = 0.0 if blank_weight else None
        weights = whole_if_possible(table.numbers(column, blank))
    if ids is None and coords is None and weights is None:
        rule = "none is known: name them id, x and y (or lon and lat), demand"
        found = ", ".join(table.columns)
        raise InstanceError(table.source, "columns", rule, found)
    if unused:
        names = shortened(", ".join(unused))
        logger.warning("%s: columns not used: %s.", table.source, names)
    return Places(ids, coords, is_geographic, weights, unused)


def _coords_of(table: Table) -> tuple[np.ndarray | None, bool]:
    """Return the coordinates, and whether they are geographic."""
    axes = [
        [table.find(names) for names in pair]
        for pair in ((X_NAMES, Y_NAMES), (LONGITUDE_NAMES, LATITUDE_NAMES))
    ]
    given = [any(pair) for pair in axes]
    if all(given):
        rule = "must be either x and y or longitude and latitude"
        raise InstanceError(table.source, "columns", rule)
    if not any(given):
        return None, False
    is_geographic = given[1]
    first, second = axes[is_geographic]
    if first is None or second is None:
        missing = ("x", "y") if not is_geographic else ("lon", "lat")
        rule = f"column {missing[first is not None]} is missing"
        raise InstanceError(table.source, "columns", rule)
    coords = np.column_stack([table.numbers(first), table.numbers(second)])
    limits = ((first, 180.0), (second, 90.0)) if is_geographic else ()
    for axis, (column, limit) in enumerate(limits):
        for row in np.flatnonzero(np.abs(coords[:, axis]) > limit)[:1]:
            rule = f"must lie in {-limit:g}..{limit:g}"
            field = f"{table.places[row]}, column {column}"
            value = float(coords[row, axis])
            raise InstanceError(table.source, field, rule, value)
    return coords, is_geographic


def _refuse_constraints(table: Table, unused: tuple[str, ...]) -> None:
    """Refuse columns that may be a constraint, unless they are empty."""
    for name in unused:
        rule = rule_against(name)
        if rule is None:
            continue
        for place, cell in zip(table.places, table.columns[name], strict=True):
            if not is_blank(cell) and str(cell).strip() not in ("0", "0.0"):
                raise UnsupportedProblemError(
                    table.source, f"column {name}", rule, f"{cell} in {place}"
                )
