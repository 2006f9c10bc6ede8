"""An instance while it is changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.route_constraints import (
    IN_SERVICE,
    RETIRED,
    RouteConstraints,
)
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.shipments import Shipment
    from ncc_routing.vrp.replanning.driven import DrivenRoute


class Draft:
    """An instance, and the types of its numbered vehicles.

    Changes are kept until the instance is asked for: it is built, and checked,
    once. ``numbers`` is ``None`` where the number of vehicles has no limit.
    """

    def __init__(
        self, instance: Instance, numbers: list[int] | None = None
    ) -> None:
        self._built, self.numbers = instance, numbers
        self._changes: dict[str, Any] = {}

    @classmethod
    def of(cls, instance: Instance) -> Draft:
        """Return one of an instance whose nodes have ids."""
        counts = [one.num_available for one in instance.vehicle_types]
        numbers = None
        if all(k is not None and k <= instance.num_customers for k in counts):
            fleet = instance.fleet or Fleet(instance.vehicle_types)
            numbers = list(fleet.all_vehicles(instance.num_customers))
        draft = cls(instance, numbers)
        if instance.ids is None:
            draft.set(ids=instance.node_ids)
        return draft

    @property
    def instance(self) -> Instance:
        """The instance with all changes."""
        if self._changes:
            self.instance = replace(self._built, **self._changes)
        return self._built

    @instance.setter
    def instance(self, instance: Instance) -> None:
        self._built, self._changes = instance, {}

    def _field(self, name: str) -> Any:
        """Return a field of the instance to be built."""
        if name in self._changes:
            return self._changes[name]
        return getattr(self._built, name)

    @property
    def depots(self) -> tuple[int, ...]:
        """Nodes of the depots."""
        return self._built.depots

    @property
    def vehicle_types(self) -> tuple[VehicleType, ...]:
        """The types of the fleet."""
        fleet: Fleet | None = self._field("fleet")
        return self._built.vehicle_types if fleet is None else fleet.types

    @property
    def shipments(self) -> tuple[Shipment, ...]:
        """Goods from one customer to another."""
        found: tuple[Shipment, ...] = self._field("shipments")
        return found

    @property
    def deliveries(self) -> np.ndarray:
        """What is delivered to all nodes."""
        loads: Loads | None = self._field("loads")
        return self._built.deliveries if loads is None else loads.delivery

    @property
    def windows(self) -> TimeWindows:
        """The times of all nodes."""
        windows: TimeWindows | None = self._field("windows")
        return windows or TimeWindows.of(len(self._built.demands))

    @property
    def rules(self) -> RouteConstraints:
        """The route constraints."""
        rules: RouteConstraints | None = self._field("constraints")
        return rules or RouteConstraints()

    def set(self, **changes: Any) -> None:
        """Replace fields of the instance."""
        self._changes |= changes

    def set_rules(self, **changes: Any) -> None:
        """Replace fields of the route constraints."""
        rules = replace(self.rules, **changes)
        if rules != self.rules:
            self.set(constraints=rules)

    def set_times(
        self,
        node: int,
        windows: Sequence[tuple[int, int]] = (),
        **times: int,
    ) -> None:
        """Set times of a node, as ``TimeWindows.with_times`` does.

        Services and set-ups are those of all vehicle types.
        """
        self.set(windows=self.windows.with_times(node, windows, **times))
        for field in ("service_durations", "setup_durations"):
            types = self.vehicle_types
            if field in times and any(getattr(one, field) for one in types):
                changes: list[dict[str, Any]] = [
                    {field: _with(stated, node, times[field])}
                    if (stated := getattr(one, field))
                    else {}
                    for one in types
                ]
                pairs = zip(types, changes, strict=True)
                self.set_types(replace(one, **own) for one, own in pairs)

    def drop_preference(self, node: int) -> None:
        """Let a node prefer no time."""
        if self.windows.preferred is not None:
            nothing = (0, NO_LIMIT)
            self.set(windows=self.windows.with_times(node, preferred=nothing))

    def service(self, node: int, idx: int) -> int:
        """Return the service duration of a node by a vehicle type."""
        stated = self.vehicle_types[idx].service_durations
        return int((stated or self.windows.service_durations)[node])

    def set_loads(self, node: int, **amounts: Any) -> None:
        """Set the delivery or the pickup of a node, or both."""
        delivery = self.deliveries
        loads: Loads | None = self._field("loads")
        if loads is None:
            loads = Loads(delivery, np.zeros_like(delivery))
        arrays = {}
        for field, amount in amounts.items():
            arrays[field] = getattr(loads, field).copy()
            arrays[field][node] = amount
        loads = replace(loads, **arrays)
        self.set(demands=loads.delivery[:, 0], loads=loads)

    def make_optional(self, node: int) -> None:
        """Let nobody need to serve a customer, whom no prize is lost with."""
        size, given = len(self._built.demands), self._field("selection")
        if given is None:
            given = Selection(np.zeros(size), np.ones(size, dtype=bool))
        prizes, required = given.prizes.copy(), given.required.copy()
        prizes[node], required[node] = 0, False
        given = replace(given, prizes=prizes, required=required)
        self.set(selection=given)

    def drop_shipment(self, pickup: int) -> None:
        """Let the two ends of a shipment be customers on their own."""
        shipments = self.shipments
        left = tuple(one for one in shipments if one.pickup != pickup)
        self.set(shipments=left)

    def set_types(self, types: Iterable[VehicleType]) -> None:
        """Replace all vehicle types."""
        numbers = None if self.numbers is None else tuple(self.numbers)
        fleet = Fleet(tuple(types), numbers)
        self.set(fleet=fleet, capacity=fleet.capacity)

    def set_type(self, idx: int, **changes: Any) -> None:
        """Replace fields of a vehicle type."""
        types = list(self.vehicle_types)
        types[idx] = replace(types[idx], **changes)
        self.set_types(types)

    def add_types(self, types: Sequence[VehicleType]) -> None:
        """Add vehicle types behind the others."""
        given = self.vehicle_types
        for idx, one in enumerate(types, start=len(given)):
            if one.num_available is None:
                self.numbers = None
            elif self.numbers is not None:
                self.numbers += [idx] * one.num_available
        self.set_types([*given, *types])

    def single(self, idx: int, number: int, **changes: Any) -> int:
        """Return the index of a type of one vehicle, taken from another.

        ``number`` is that of the vehicle, 0 for any.
        """
        if self.vehicle_types[idx].num_available == 1:
            self.set_type(idx, **changes)
            return idx
        numbers = [number]
        if number == 0 and self.numbers is not None:
            numbers = [1 + self.numbers.index(idx)]
        return self.split(idx, 1, numbers, **changes)

    def split(
        self,
        idx: int,
        count: int | None,
        numbers: Sequence[int],
        **changes: Any,
    ) -> int:
        """Return the index of a new type, of ``count`` vehicles of another.

        ``numbers`` are those of these vehicles.
        """
        types = list(self.vehicle_types)
        given, new = types[idx], len(types)
        if given.num_available is not None and count is not None:
            left = given.num_available - count
            types[idx] = replace(given, num_available=left)
        types.append(replace(given, num_available=count, **changes))
        if self.numbers is not None:
            for number in numbers:
                self.numbers[number - 1] = new
        self.set_types(types)
        if self.rules.vehicles:
            pins = tuple(
                (*pin, new) if pin is not None and idx in pin else pin
                for pin in self.rules.vehicles
            )
            self.set_rules(vehicles=pins)
        return new

    def end_breaks(self, one: DrivenRoute) -> None:
        """Let the vehicle of a route owe no breaks beyond those taken."""
        breaks = self.vehicle_types[one.vehicle_type].breaks
        had = [number for number, *_ in one.breaks_taken if number >= 0]
        one.breaks_taken = tuple(
            (had.index(n) if n >= 0 else n, place, begin, duration)
            for n, place, begin, duration in one.breaks_taken
        )
        one.vehicle_type = self.single(
            *(one.vehicle_type, one.number),
            breaks=tuple(breaks[number] for number in had),
        )

    def require_skill(self, customers: Sequence[int], skill: str) -> None:
        """Let customers need one more skill."""
        size = len(self._built.demands)
        skills = list(self.rules.skills or ((),) * size)
        for node in customers:
            if skill not in skills[node]:
                skills[node] = (*skills[node], skill)
        self.set_rules(skills=tuple(skills))

    def retire(self, types: Mapping[int, str], kept: Container[int]) -> None:
        """Let vehicle types serve nobody but those of ``kept``.

        ``types`` says which of ``RETIRED`` each is. So do those of an earlier
        call.
        """
        fleet, is_any, states = [], False, (IN_SERVICE, *RETIRED)
        for idx, one in enumerate(self.vehicle_types):
            before = [each for each in one.skills if each in RETIRED]
            [state] = before[:1] or [types.get(idx, IN_SERVICE)]
            is_any |= state != IN_SERVICE
            own = [each for each in one.skills if each not in states]
            fleet.append(replace(one, skills=(*own, state)))
        if is_any:
            self.set_types(fleet)
            customers = range(1, self._built.num_customers + 1)
            open_ = [node for node in customers if node not in kept]
            self.require_skill(open_, IN_SERVICE)


def _with(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
