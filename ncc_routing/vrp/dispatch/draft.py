"""A day while it is changed."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ncc_routing.problems.draft import Draft
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.route_constraints import IN_SERVICE, RETIRED

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from typing import Self

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.dispatch.driven import DrivenRoute


class DayDraft(Draft):
    """The problem of a day, and the types of its numbered vehicles.

    ``numbers`` is ``None`` where the number of vehicles has no limit.
    """

    numbers: list[int] | None = None

    @classmethod
    def of(cls, instance: Instance) -> Self:
        """Return the draft of an instance, whose nodes get ids."""
        draft = super().of(instance)
        counts = [one.num_available for one in draft.vehicle_types]
        fleet = instance.fleet or Fleet(draft.vehicle_types)
        if fleet.vehicles is not None or all(
            k is not None and k <= draft.num_customers for k in counts
        ):
            draft.numbers = list(fleet.all_vehicles(draft.num_customers))
        return draft.set(ids=draft.ids)

    def copied(self) -> Self:
        """Return a draft that may be changed on its own."""
        other = copy(self)
        other.numbers = self.numbers and [*self.numbers]
        return other

    def service(self, node: int, idx: int) -> int:
        """Return the service duration of a node by a vehicle type."""
        stated = self.vehicle_types[idx].service_durations
        return int((stated or self.column("service_durations"))[node])

    def drop_shipment(self, pickup: int) -> None:
        """Let the two ends of a shipment be customers on their own."""
        left = (one for one in self["shipments"] if one.pickup != pickup)
        self.set(shipments=tuple(left))

    def set_types(self, types: Iterable[VehicleType]) -> None:
        """Replace all vehicle types."""
        numbers = None if self.numbers is None else tuple(self.numbers)
        self.set(fleet=Fleet(tuple(types), numbers))

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
        pins = (
            (*pin, new) if pin is not None and idx in pin else pin
            for pin in self["vehicles"] or ()
        )
        self.set(vehicles=tuple(pins))
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
        skills = self.column("skills")
        for node in customers:
            if skill not in skills[node]:
                skills[node] = (*skills[node], skill)
        self.set(skills=tuple(skills))

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
            customers = range(1, self.num_customers + 1)
            open_ = [node for node in customers if node not in kept]
            self.require_skill(open_, IN_SERVICE)
