"""Fleets that are too small, by arithmetic alone.

What only the larger vehicles can carry is compared with these, for each size
of vehicle. Whatever passes may still be too much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.core.text import counted
from ncc_routing.problems.values import NO_LIMIT, exceed
from ncc_routing.vrp.why.arcs import DISTANCE, DURATION, Arcs
from ncc_routing.vrp.why.findings import Finding, proof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance


class Share(NamedTuple):
    """The customers that only the vehicles above a size can carry."""

    size: int
    customers: np.ndarray
    types: tuple[VehicleType, ...]
    num_vehicles: int

    def __str__(self) -> str:
        """Return the customers in words."""
        words = f"{len(self.customers)} customers"
        if self.size < 0:
            return f"the {words}"
        return f"the {words} with demands above {self.size}"

    @property
    def vehicles(self) -> str:
        """The vehicles in words."""
        return counted(self.num_vehicles, "vehicle")


def limited_shares(
    instance: Instance, customers: np.ndarray
) -> Iterator[Share]:
    """Yield the shares of some customers that have few vehicles, all first."""
    demands = instance.demands[customers]
    types = instance.vehicle_types
    for size in sorted(
        {-1, *(vehicle_type.capacity for vehicle_type in types)}
    ):
        able = tuple(
            vehicle_type
            for vehicle_type in types
            if vehicle_type.capacity > size
        )
        larger = customers[demands > size]
        number = sum(
            vehicle_type.num_available or NO_LIMIT for vehicle_type in able
        )
        if number < NO_LIMIT and len(larger) > 0:
            yield Share(size, larger, able, number)


def find_overload(
    instance: Instance, customers: np.ndarray
) -> Iterator[Finding]:
    """Yield where some demands are more than the vehicles can carry, once.

    What only the larger vehicles can carry must fit into these all together,
    and of the demands of at least some size each vehicle carries no more than
    fit one by one. Likewise for numbers of stops.
    """
    for share in limited_shares(instance, customers):
        total = int(instance.demands[share.customers].sum())
        room = sum(k.capacity * (k.num_available or 0) for k in share.types)
        if total > room:
            size, load, most = map(
                instance.stated_load, (share.size, total, room)
            )
            which = f" above {size}" if share.size > 0 else ""
            numbers = {
                "load": load,
                "capacity": most,
                "vehicles": share.num_vehicles,
            }
            yield proof(
                *(instance, "fleet-load", ("capacity", "fleet")),
                *(share.customers if which else (), numbers),
                values={"which": which},
            )
            return
        stops = sum(k.max_stops * (k.num_available or 0) for k in share.types)
        if len(share.customers) > stops:
            yield proof(
                *(instance, "fleet-stops", ("stops", "fleet")),
                share.customers if share.size >= 0 else (),
                {"stops": stops, "vehicles": share.num_vehicles},
                values={"who": share},
            )
            return
    yield from _find_crowd(instance, customers)


def _find_crowd(
    instance: Instance, customers: np.ndarray
) -> Iterator[Finding]:
    """Yield the first size of which there are more demands than places."""
    types = instance.vehicle_types
    demands = instance.demands[customers]
    ordered = np.sort(demands)
    sizes = np.unique(ordered[ordered > 0])
    # As real numbers: products of limits that are none at all stay finite.
    places = np.zeros(len(sizes))
    for vehicle_type in types:
        places += float(vehicle_type.num_available or NO_LIMIT) * (
            vehicle_type.capacity // sizes
        )
    counts = len(ordered) - np.searchsorted(ordered, sizes)
    for idx in np.flatnonzero(counts > places)[:1]:
        size, room = int(sizes[idx]), int(places[idx])
        number = sum(
            vehicle_type.num_available or 0
            for vehicle_type in types
            if vehicle_type.capacity >= size
        )
        yield proof(
            *(instance, "fleet-load", ("capacity", "crowd")),
            customers[demands >= size],
            {"load": instance.stated_load(size), "vehicles": number},
            values={"places": room, "customers": int(counts[idx])},
        )


def find_overwork(
    instance: Instance, arcs: Arcs, customers: np.ndarray
) -> Iterator[Finding]:
    """Yield where some customers take longer than all shifts, once each.

    Each customer is reached over an arc and left over another one, and each
    route has one arc more than customers.
    """
    for measure, name, kind in (
        (DURATION, "shift", "fleet-time"),
        (DISTANCE, "distance", "fleet-distance"),
    ):
        for share in limited_shares(instance, customers):
            longest = [_longest(arcs, k, measure) for k in share.types]
            room = sum(
                most * (k.num_available or 0)
                for most, k in zip(longest, share.types, strict=True)
            )
            if max(longest) >= NO_LIMIT / 2:
                continue
            least = _least_work(arcs, share, measure)
            if not (np.isfinite(least) and exceed(least, room)):
                continue
            numbers = {"least": float(least), "available": room}
            yield proof(
                *(instance, kind, (name, "fleet")),
                share.customers if share.size >= 0 else (),
                numbers | {"vehicles": share.num_vehicles},
                values={"who": share},
            )
            break


def _longest(arcs: Arcs, vehicle_type: VehicleType, measure: int) -> float:
    if measure == DISTANCE:
        return vehicle_type.max_distance
    windows = arcs.windows
    first, last = arcs.instance.ends_of(vehicle_type)
    opens, closes = int(windows.tw_early[first]), int(windows.tw_late[last])
    span = min(vehicle_type.tw_late, closes) - max(
        vehicle_type.tw_early, opens
    )
    return max(0, min(vehicle_type.shift_duration, span))


def _least_work(arcs: Arcs, share: Share, measure: int) -> float:
    """Return what some customers take at least, without waiting."""
    demands = arcs.instance.demands[share.customers]
    largest = max(vehicle_type.capacity for vehicle_type in share.types)
    num_routes = max(1, -(-int(demands.sum()) // max(1, largest)))
    into, out = arcs.least_arcs(measure)
    ends = [arcs.instance.ends_of(each) for each in share.types]
    first, last = map(list, zip(*ends, strict=True))
    least = max(
        into[share.customers].sum() + num_routes * into[last].min(),
        out[share.customers].sum() + num_routes * out[first].min(),
    )
    if measure == DURATION:
        service = arcs.windows.service_durations
        least += service[share.customers].sum()
        least += num_routes * service[first].min()
    return float(least)
