"""Goods that are picked up at one stop and delivered to another."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted
from ncc_routing.problems.declared import Declared, whole, wholes

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    import numpy as np

    from ncc_routing.problems.selection import Selection
    from ncc_routing.problems.time_windows import TimeWindows


@dataclass(frozen=True)
class Shipment(Declared):
    """Goods that go from one stop to another within a trip of a vehicle.

    Parameters
    ----------
    pickup, delivery
        Nodes of the two stops. One trip visits both, in this order. Windows
        and services are those of the nodes. ``Instance.selection`` has, at the
        pickup, the prize of the shipment and whether it is required.
    amount
        Load between the two, a whole number for each load dimension.

    Raises
    ------
    InstanceError
        If a number is negative or not whole, or both stops are the same.
    """

    pickup: int = whole()
    delivery: int = whole()
    amount: tuple[int, ...] = wholes(MISSING)

    def __post_init__(self) -> None:
        self.read_fields("shipment")
        if self.pickup == self.delivery:
            rule = "must be another stop than the pickup"
            raise InstanceError("shipment", "delivery", rule, self.delivery)


def check_shipments(
    source: str,
    shipments: Sequence[Shipment],
    loads: np.ndarray,
    windows: TimeWindows | None,
    selection: Selection | None,
    describe: Callable[[int], str],
    stops: range,
) -> None:
    """Refuse shipments that do not suit the other parts of an instance.

    ``loads`` are those of the nodes, with a column for each load dimension,
    and ``describe`` returns a node in words.
    """
    known: set[int] = set()
    grouped = set()
    if selection is not None:
        grouped = {c for group in selection.groups for c in group.customers}
    for number, shipment in enumerate(shipments, start=1):
        place = f"{source}, shipment {number}"
        if len(shipment.amount) != loads.shape[1]:
            wanted = counted(loads.shape[1], "amount")
            rule = f"must hold {wanted}, one a load dimension"
            given = len(shipment.amount)
            raise InstanceError(place, "amount", rule, given)
        for field in ("pickup", "delivery"):
            node = getattr(shipment, field)
            if node not in stops:
                rule = f"must be a stop {stops[0]}..{stops[-1]}"
                raise InstanceError(place, field, rule, node)
            for is_wrong, rule in (
                (node in known, "must be in no other shipment"),
                (node in grouped, "must be in no group"),
                (loads[node].any(), "must have no load beside the amount"),
                (
                    windows is not None and windows.release_times[node] > 0,
                    "must have no release time",
                ),
            ):
                if is_wrong:
                    text = f"{describe(node)} {rule}"
                    raise InstanceError(place, field, text)
            known.add(node)


def check_selected(
    source: str,
    shipments: Sequence[Shipment],
    selection: Selection,
    on_board: Container[int],
) -> None:
    """Refuse prizes at deliveries, and what is required at one end alone.

    Ends of shipments that are ``on_board`` already count on their own.
    """
    for number, shipment in enumerate(shipments, start=1):
        place = f"{source}, shipment {number}"
        ends = shipment.pickup, shipment.delivery
        if ends[1] in on_board:
            continue
        is_required, other = (bool(selection.required[end]) for end in ends)
        if is_required != other:
            rule = "must be that of the pickup at the delivery"
            raise InstanceError(place, "required", rule, other)
        if selection.prizes[ends[1]] != 0:
            rule = "must stand at the pickup, and be 0 at the delivery"
            prize = float(selection.prizes[ends[1]])
            raise InstanceError(place, "prizes", rule, prize)
