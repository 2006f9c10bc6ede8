"""Changes to a plan while it is driven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.fleet import VehicleType

if TYPE_CHECKING:
    from collections.abc import Sequence


def _require_row(field: str, row: object) -> None:
    if not isinstance(row, Mapping):
        rule = f"must be a mapping, got {type(row).__name__}"
        raise InstanceError("changes", field, rule)


@dataclass(frozen=True)
class AddOrder:
    """A new order.

    Parameters
    ----------
    order
        A row with the columns of a table of customers, and a new ``id``:
        ``{"id": "zoe", "lon": 8.66, "lat": 50.1, "demand": 1}``. Times
        without a unit have that of the instance.
    place
        Id of a customer or depot at the same place. Default: the coordinates
        of the order, or ``distances``.
    distances, durations
        Where the instance has a matrix: from the order to each node and back,
        two rows in the order of ``Instance.node_ids``, or one row for both
        directions. Default: those of the coordinates; durations follow from
        ``Instance.speed``.
    """

    order: Mapping[str, Any]
    place: str | None = None
    distances: Sequence[Any] | None = field(default=None, repr=False)
    durations: Sequence[Any] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _require_row("order", self.order)


@dataclass(frozen=True)
class Cancel:
    """An order that is cancelled.

    Goods that are loaded stay on board until the vehicle is at a depot. A
    vehicle on its way to the order still stops there, without a service.

    Parameters
    ----------
    id
        Id of the order. Both ends of a shipment are cancelled.
    """

    id: str


@dataclass(frozen=True)
class OutOfService:
    """A vehicle that can drive no further.

    Parameters
    ----------
    vehicle
        Number of its route, from 1, or the name of its vehicle type if that
        has one vehicle. A text of digits is a number if none is called so.
    transfer
        Whether the goods on board are back at the depot. Otherwise their
        orders are unserved. Those of a vehicle that is loading are there.
        Default no.
    """

    vehicle: int | str
    transfer: bool = False


@dataclass(frozen=True)
class Late:
    """A vehicle that is behind schedule.

    Parameters
    ----------
    vehicle
        As for ``OutOfService``.
    by
        The delay: a number in the unit of the instance, or a text such as
        "0:20".
    """

    vehicle: int | str
    by: float | str


@dataclass(frozen=True)
class Window:
    """A new time window of an order.

    Parameters
    ----------
    id
        Id of the order.
    window
        As in a table: "10:00-12:00"; or a pair of times.
    """

    id: str
    window: str | Sequence[float | str]


@dataclass(frozen=True)
class AddVehicle:
    """One more vehicle type.

    Parameters
    ----------
    vehicle
        A ``VehicleType``, or a row with the columns of a table of vehicles.
    """

    vehicle: VehicleType | Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.vehicle, VehicleType):
            _require_row("vehicle", self.vehicle)


Change: TypeAlias = (
    AddOrder | Cancel | OutOfService | Late | Window | AddVehicle
)
"""What :func:`ncc_routing.replan` takes."""
