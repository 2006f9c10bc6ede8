"""Loads, prizes and groups in a VRPLIB file, in PyVRP's dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.core.counts import counted
from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io._vrplib_shipments import SHIPMENTS
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.selection import Group, Selection

if TYPE_CHECKING:
    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.io.metrics import FileMetric


class LoadRows(NamedTuple):
    """What is delivered to each node and picked up, a column a dimension."""

    delivery: np.ndarray
    pickup: np.ndarray

    def loads(self) -> Loads | None:
        """Return the loads, ``None`` where they are the demands alone."""
        if self.delivery.shape[1] == 1 and not self.pickup.any():
            return None
        return Loads(self.delivery, self.pickup)


def read_loads(text: VrplibText, order: np.ndarray) -> LoadRows:
    """Return deliveries and pickups of the nodes, 0 where there are none.

    ``order`` holds the row of each node.
    """
    given: dict[str, np.ndarray] = {}
    for name in ("DEMAND", "BACKHAUL"):
        needed = name == "DEMAND" and "CAPACITY" in text.specifications
        if name in text.sections or (
            needed and SHIPMENTS not in text.sections
        ):
            given[name] = text.values(name, len(order), None)[order]
    widths = {array.shape[1] for array in given.values()}
    if len(widths) > 1:
        wanted = counted(given["DEMAND"].shape[1], "column")
        rule = f"must have {wanted}, as the demands"
        found = given["BACKHAUL"].shape[1]
        raise InstanceError(text.source, "BACKHAUL_SECTION", rule, found)
    nothing = np.zeros((len(order), max(widths, default=1)))
    return LoadRows(
        given.get("DEMAND", nothing), given.get("BACKHAUL", nothing)
    )


def read_selection(
    text: VrplibText, metric: FileMetric, order: np.ndarray
) -> Selection | None:
    """Return who must be served: who has no prize and is in no group."""
    size = len(order)
    prizes = np.zeros(size)
    if "PRIZE" in text.sections:
        prizes = metric.measure(text.values("PRIZE", size)[order, 0])
    node_of = np.argsort(order)
    name, groups = "MUTUALLY_EXCLUSIVE_GROUP", []
    if name in text.sections:
        for row in text.lists(name, None, size, of="DIMENSION"):
            if len(row) > 1:  # a group of one says nothing
                groups.append(Group(tuple(node_of[np.array(row) - 1])))
    if not groups and not prizes.any():
        return None
    required = prizes == 0
    for group in groups:
        required[list(group.customers)] = False
    return Selection(prizes, required, tuple(groups))


def forbidden_arcs(
    text: VrplibText,
    loads: LoadRows,
    allowed: list[np.ndarray],
    order: np.ndarray,
) -> list[np.ndarray]:
    """Return which arcs no vehicle of each profile may drive.

    ``allowed`` holds for each profile whether its vehicles may visit each
    node. Nothing is returned if no arc is forbidden: a matrix of a large
    instance does not fit into memory.
    """
    has_backhauls = text.specifications.get("TYPE") == "VRPB"
    if not has_backhauls and all(mask.all() for mask in allowed):
        return []
    common = np.zeros((len(order), len(order)), dtype=bool)
    if has_backhauls:
        common = backhaul_arcs(loads)
    return [without_access(common, mask) for mask in allowed]


def backhaul_arcs(loads: LoadRows) -> np.ndarray:
    """Return which arcs TYPE VRPB forbids.

    Customers who only give come after those who get, and are not the first
    ones.
    """
    gets, gives = (np.any(amounts > 0, axis=1) for amounts in loads)
    arcs: np.ndarray = np.logical_and.outer(gives, gets)
    arcs[0] |= gives
    return arcs


def without_access(common: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the forbidden arcs of a profile; ``mask``: whom it may visit."""
    own: np.ndarray = common | np.logical_or.outer(~mask, ~mask)
    np.fill_diagonal(own, False)
    return own
