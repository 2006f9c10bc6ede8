"""Rules of reloads, loads and shipments, for the check of an answer."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.problems.constraints import broken

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute


class Amounts(NamedTuple):
    """What each node adds to a load, an entry for each node and dimension.

    ``before`` is on board from the start of the trip; ``change`` is what the
    visit adds, or takes where it is negative.
    """

    before: list[list[int]]
    change: list[list[int]]

    @classmethod
    def of(cls, instance: Instance) -> Amounts:
        """Return those of all nodes."""
        loads = instance.loads
        before = instance.demands[:, None] if loads is None else loads.delivery
        gone = before if loads is None else before - loads.pickup
        change = (-gone).tolist()
        for shipment in instance.shipments:
            change[shipment.pickup] = list(shipment.amount)
            change[shipment.delivery] = [-each for each in shipment.amount]
        return cls(before.tolist(), change)


def split_trips(
    nodes: Sequence[int], depots: Sequence[int]
) -> list[list[int]]:
    """Return the stops of each trip of a route without its ends."""
    trips: list[list[int]] = [[]]
    for node in nodes:
        if node in depots:
            trips.append([])
        else:
            trips[-1].append(node)
    return trips


def _load_at_start(
    trip: Sequence[int],
    number: int,
    dim: int,
    amounts: Amounts,
    begun: InProgressRoute | None,
) -> int:
    """Return what is on board as a trip begins, the first one being 0.

    On the trip that is going on, goods that are on board count whether it
    delivers them or not.
    """
    goods, more = [*trip], 0
    if begun is not None and number <= len(begun.reloads):
        if begun.undelivered:
            more = begun.undelivered[number][dim]
        if number == len(begun.reloads):
            goods += set(begun.on_board).difference(trip)
    return more + sum(amounts.before[node][dim] for node in goods)


def broken_loads(
    instance: Instance,
    route: Sequence[int],
    vehicle_type: VehicleType | None,
    amounts: Amounts,
    begun: InProgressRoute | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield what is not on board, and what overloaded trips carry, in words.

    ``begun`` is the in-progress route that the route continues.
    """
    capacities = (
        instance.capacities
        if vehicle_type is None
        else vehicle_type.capacities
    )
    initial = () if vehicle_type is None else vehicle_type.initial_load
    nodes = [node for node in route if 0 <= node < len(amounts.before)]
    trips = split_trips(nodes, instance.depots)
    if vehicle_type is not None and vehicle_type.starts_empty:
        served = () if begun is None else begun.customers
        for node in trips[0]:
            if any(amounts.before[node]) and node not in served:
                yield broken(instance, "goods", node=node)
    for number, trip in enumerate(trips):
        for dim, capacity in enumerate(capacities):
            load = _load_at_start(trip, number, dim, amounts, begun)
            if number == 0 and initial:
                load += initial[dim]
            most = load
            for node in trip:
                load += amounts.change[node][dim]
                most = max(most, load)
            if most > capacity:
                value = instance.stated_load(most, dim)
                limit = f"{instance.stated_load(capacity, dim)}"
                if len(trips) > 1:
                    limit += f" in trip {number + 1}"
                if len(capacities) > 1:
                    limit += f" in dimension {dim + 1}"
                yield broken(instance, "capacity", value=value, limit=limit)


def broken_reloads(
    instance: Instance, route: Sequence[int], vehicle_type: VehicleType
) -> Iterator[tuple[str, str]]:
    """Yield where and how often a route must not be loaded, in words."""
    allowed = {instance.depots[idx] for idx in vehicle_type.reload_depots}
    reloads = [node for node in route if node in instance.depots]
    for node in dict.fromkeys(reloads):
        if node not in allowed:
            yield broken(instance, "reload", node=node)
    if (count := len(reloads)) > (most := vehicle_type.max_reloads):
        yield broken(instance, "reload", "often", value=count, limit=most)


def broken_shipments(
    instance: Instance, routes: Sequence[Sequence[int]]
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the stops of each shipment, in words.

    One on board an in-progress route may be on no route any more.
    """
    begun = {node for one in instance.in_progress for node in one.customers}
    places = {}
    for number, route in enumerate(routes, start=1):
        for trip, stops in enumerate(split_trips(route, instance.depots)):
            for stop, node in enumerate(stops):
                places[node] = (number, trip, stop)
    for shipment in instance.shipments:
        ends = shipment.pickup, shipment.delivery
        first, last = (places.get(end) for end in ends)
        both = {"pickup": shipment.pickup, "delivery": shipment.delivery}
        if last is None and (first is None or shipment.pickup in begun):
            continue
        if first is None or last is None or first[0] != last[0]:
            yield broken(instance, "shipment", **both)
        elif first > last or first[1] != last[1]:
            what = "order" if first > last else "trips"
            yield broken(instance, "shipment", what, route=last[0], **both)


class BreakRule(NamedTuple):
    """A break that is owed: its number, length, windows, and places."""

    number: int
    duration: float
    windows: Sequence[tuple[float, float]]
    places: Collection[int]

    def may_precede(self, place: int) -> bool:
        """Whether the loads on the way to a stop allow it."""
        return place in self.places


def owed_breaks(
    vehicle_type: VehicleType,
    nodes: Sequence[int],
    depots: Sequence[int],
    amounts: Amounts,
    first_place: int,
    begun: InProgressRoute | None = None,
) -> list[BreakRule]:
    """Return the breaks that a route from depot to depot still has."""
    taken = () if begun is None else begun.breaks_had
    owed = [
        (number, one)
        for number, one in enumerate(vehicle_type.breaks)
        if number not in taken
    ]
    if not owed:
        return []
    loads = list(_loads_before(vehicle_type, nodes, depots, amounts, begun))
    return [
        BreakRule(
            number,
            one.duration,
            one.windows,
            {
                place
                for place in range(first_place, len(nodes))
                if all(map(operator.le, loads[place], one.max_load or ()))
            },
        )
        for number, one in owed
    ]


def _loads_before(
    vehicle_type: VehicleType,
    nodes: Sequence[int],
    depots: Sequence[int],
    amounts: Amounts,
    begun: InProgressRoute | None,
) -> Iterator[list[int]]:
    """Yield what is on board on the way to each node, nothing at first."""
    on_board = [0] * len(vehicle_type.capacities)
    first = list(vehicle_type.initial_load) or on_board
    yield on_board
    for number, trip in enumerate(split_trips(nodes[1:-1], depots)):
        on_board = [
            more + _load_at_start(trip, number, dim, amounts, begun)
            for dim, more in enumerate(first)
        ]
        first = [0] * len(on_board)
        yield on_board
        for node in trip:
            change = amounts.change[node]
            on_board = [
                sum(each) for each in zip(on_board, change, strict=True)
            ]
            yield on_board
