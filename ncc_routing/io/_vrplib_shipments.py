"""Shipments in Li and Lim's columns, as a section of a VRPLIB file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.io._vrplib_fleet import LARGEST_TIME, measured_times
from ncc_routing.problems.shipments import Shipment
from ncc_routing.problems.time_windows import TimeWindows

if TYPE_CHECKING:
    from ncc_routing.io._vrplib_text import VrplibText
    from ncc_routing.io.metrics import FileMetric

SHIPMENTS: Final = "PICKUP_AND_DELIVERY"
"""Section of Li and Lim's columns: demand, window, service, and the numbers
of the pickup of a delivery and of the delivery of a pickup."""

_NUM_COLUMNS: Final = 6

_ITS_OWN: Final = (
    *("DEMAND", "BACKHAUL"),
    *("TIME_WINDOW", "SERVICE_TIME", "RELEASE_TIME"),
)
"""What the section says itself, or has no place for."""


class ShipmentRows(NamedTuple):
    """What the section of shipments says."""

    shipments: tuple[Shipment, ...]
    windows: TimeWindows


def read_shipments(
    text: VrplibText, metric: FileMetric, order: np.ndarray, num_depots: int
) -> ShipmentRows | None:
    """Return the shipments and the times of their stops, if there are any.

    Every stop is one of a shipment.
    """
    if SHIPMENTS not in text.sections:
        return None
    source, field = text.source, f"{SHIPMENTS}_SECTION"
    for name in _ITS_OWN:
        rule = f"must not stand beside {field}"
        if name in text.sections:
            raise InstanceError(source, f"{name}_SECTION", rule)
        if name in text.specifications:
            raise InstanceError(source, name, rule)
    rows = text.values(
        SHIPMENTS, len(order), _NUM_COLUMNS, largest=LARGEST_TIME
    )
    pairs = shipment_pairs(source, f"{field}, row {{}}", rows, num_depots, 1)
    times = measured_times(text, field, rows[:, 1:4], metric)
    times[:num_depots, 2] = 0
    node_of = np.argsort(order).tolist()
    return ShipmentRows(
        tuple(
            Shipment(node_of[first], node_of[last], (rows[first, 0],))
            for first, last in pairs
        ),
        TimeWindows.of(len(order), *times[order].T),
    )


def shipment_pairs(
    source: object, field: str, rows: np.ndarray, num_depots: int, start: int
) -> list[tuple[int, int]]:
    """Return the rows, from 0, of both stops of each shipment.

    Messages call a row ``field.format(number)``; rows, and the numbers in
    them, count from ``start``, and 0 stands for none.
    """
    pairs = []
    first, last = start + num_depots, start + len(rows) - 1
    for row, (amount, early, late, _, *ends) in enumerate(rows.tolist()):
        number, partner = row + start, sum(ends)
        rule = ""
        value: float | None = partner
        if late < early:
            rule, value = f"must not close before it opens at {early:g}", late
        elif row < num_depots:
            if amount or any(ends):
                rule, value = (
                    "a depot must have no amount and no partner",
                    None,
                )
        elif all(ends) or not any(ends):
            rule = "must name its pickup or its delivery, and not both"
        elif partner == number or partner not in range(first, last + 1):
            rule = f"must name another row {first}..{last}"
        else:
            is_pickup = ends[0] == 0
            other = rows[int(partner) - start].tolist()
            named = other[4 if is_pickup else 5]
            if named != number:
                rule = f"must be named by its partner {partner:g}"
                value = named
            elif is_pickup and amount < 0:
                rule, value = "a pickup must have no negative amount", amount
            elif is_pickup and other[0] != -amount:
                rule = f"must be {-other[0]:g}, as its delivery {partner:g} "
                rule, value = rule + "takes", amount
            elif is_pickup:
                pairs.append((row, int(partner) - start))
        if rule:
            raise InstanceError(source, field.format(number), rule, value)
    return pairs
