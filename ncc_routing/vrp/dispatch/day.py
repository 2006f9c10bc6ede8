"""A plan at a moment, and what happens to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import counted
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.desk.changes import (
    add_order,
    read_new_vehicles,
    read_orders,
    windows_of,
)
from ncc_routing.desk.tables import is_blank
from ncc_routing.problems.changes import (
    AddOrder,
    AddVehicle,
    Cancel,
    Late,
    OutOfService,
    Window,
)
from ncc_routing.problems.fleet import VehicleType
from ncc_routing.problems.hours_of_service import HoursOfService
from ncc_routing.problems.route_constraints import (
    LOST_GOODS,
    OUT_OF_SERVICE,
    TOO_LATE,
)
from ncc_routing.problems.routes.schedules import measure_route
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.dispatch.draft import DayDraft
from ncc_routing.vrp.dispatch.driven import DrivenRoute, driven_routes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.changes import Change
    from ncc_routing.vrp.result import Result


@dataclass
class Day:
    """A plan at a moment, and the changes so far.

    ``cancelled`` are customers that are left out, ``passed`` those of them
    where a vehicle comes by, ``retired`` vehicle types, and which of
    ``RETIRED`` they are, ``stopped`` the titles of routes that end where their
    vehicle is.
    """

    draft: DayDraft
    now: float
    routes: list[DrivenRoute]
    cancelled: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    retired: dict[int, str] = field(default_factory=dict)
    stopped: set[str] = field(default_factory=set)

    @classmethod
    def of(
        cls, result: Result, now: float | str | None, actual: object
    ) -> Day:
        """Return where the vehicles of a plan are; ``None``: at first."""
        instance, plan = result.instance, result.best
        draft = DayDraft.of(instance)
        moment = 0.0 if now is None else _time_of(draft, now)
        numbers = [0] * plan.num_routes
        if draft.numbers is not None:
            numbers = list(plan.vehicles(instance))
        routes = driven_routes(instance, plan, numbers, moment, actual)
        draft.set(in_progress=())
        stops = {node for one in routes for node in one.stops}
        passed = set(instance.passed_by)
        day = cls(draft, moment, routes, passed - stops, passed & stops)
        for one in routes:
            one.route = [k for k in one.route if k not in day.cancelled]
            day._unload(one)
            if one.is_over and one.breaks_ahead:
                one.breaks_taken += one.breaks_ahead
                day._free_hours(one)
            if one.waits:
                day._leave_at(one, moment)
        return day

    def _unload(self, one: DrivenRoute) -> None:
        """Let shipments that a depot has be delivered from there."""
        depots = self.draft.depots
        calls = [k for k, node in enumerate(one.stops) if node in depots]
        vehicle = self.draft.vehicle_types[one.vehicle_type]
        last = max(calls, default=0)
        if one.is_home(self.now) and vehicle.end_depot is not None:
            last = len(one.stops)
        brought = self._land(one, one.stops[:last])
        if one.stops and one.stops[-1] in depots:
            one.unloaded += brought

    def apply(self, change: Change) -> None:
        """Take a change into account."""
        if isinstance(change, AddOrder):
            self._add_order(change)
        elif isinstance(change, AddVehicle):
            given = change.vehicle
            if not isinstance(given, VehicleType):
                types = read_new_vehicles(self.draft, [given])
                self.draft.add_types(types)
            else:
                self.draft.add_types([given])
        elif isinstance(change, Cancel):
            self._cancel(change.id)
        elif isinstance(change, Window):
            self._set_window(change)
        elif isinstance(change, Late):
            self._delay(change)
        elif isinstance(change, OutOfService):
            self._stop(change)

    def _node(self, name: str, what: str) -> int:
        """Return an order that is not served yet."""
        draft, node = self.draft, 0
        if name in draft.ids:
            node = draft.ids.index(name)
        if node in draft.depots:
            raise ParameterError(f"{what}: there is no order {name}.")
        if node in self.cancelled | self.passed:
            raise ParameterError(f"{what}: order {name} is cancelled.")
        for one in self.routes:
            if one.is_served(node, self.now):
                begin = one.begins[one.stops.index(node)]
                when = draft["time_form"].text(begin)
                raise ParameterError(
                    f"{what}: order {name} is already served, at {when}."
                )
        return node

    def _route(self, name: int | str) -> DrivenRoute | int:
        """Return the route of a vehicle, or the type of an idle one.

        A text with digits is a name where a vehicle has it.
        """
        names = [one.name for one in self.draft.vehicle_types]
        if isinstance(name, str) and name.isdecimal() and name not in names:
            name = int(name)
        if isinstance(name, int):
            if not 1 <= name <= len(self.routes):
                routes = counted(len(self.routes), "route")
                raise ParameterError(f"vehicle {name}: the plan has {routes}.")
            return self.routes[name - 1]
        used = [one for one in self.routes if one.name == name]
        if len(used) == 1:
            return used[0]
        if len(used) > 1:
            raise ParameterError(
                f"vehicle {name}: {counted(len(used), 'route')} have this "
                "name; give the number of the route."
            )
        idle = [idx for idx, one in enumerate(names) if one == name]
        if len(idle) != 1:
            raise ParameterError(f"vehicle {name}: there is no such vehicle.")
        return idle[0]

    def _add_order(self, change: AddOrder) -> None:
        first = self.draft.num_customers + 1
        finer = add_order(self.draft, change)
        ids = self.draft.ids
        if any(
            name == ids[first] and node not in {first, *self.cancelled}
            for node, name in enumerate(ids)
        ):
            raise InstanceError("order", "ids", "must not repeat", ids[first])
        for one in self.routes:
            one.undelivered = [each * finer for each in one.undelivered]
            # Further depots come after customers.
            for nodes in (one.route, one.stops):
                nodes[:] = [node + (node >= first) for node in nodes]

    def _set_window(self, change: Window) -> None:
        node = self._node(change.id, "window")
        self.draft.set_window(node, windows_of(self.draft, change.window))
        for one in self.routes:
            if node in one.stops:  # its vehicle is on the way there
                there = max(self._arrival(one), self.now)
                self._begin_at(one, there)
                if one.begins[-1] > self.draft["tw_late"][node]:
                    when = self.draft["time_form"].text(there)
                    raise ParameterError(
                        f"window: the vehicle of order {change.id} is on the "
                        f"way there, and arrives at {when}."
                    )

    def _cancel(self, name: str) -> None:
        """Leave an order out, with the other end of a shipment."""
        ids = self.draft.ids
        for shipment in self.draft["shipments"]:
            ends = shipment.pickup, shipment.delivery
            if name not in (ids[end] for end in ends):
                continue
            self._node(ids[shipment.delivery], "cancel")
            self.draft.drop_shipment(shipment.pickup)
            if any(one.is_served(ends[0], self.now) for one in self.routes):
                # The goods come to the depot.
                self.draft.set_entries(ends[0], pickup=shipment.amount)
            else:
                self._drop(ends[0])
            self._drop(ends[1])
            return
        self._drop(self._node(name, "cancel"))

    def _drop(self, node: int) -> None:
        """Leave a customer out; goods on board stay there."""
        for one in self.routes:
            is_next = node in one.stops
            if is_next or node in one.on_board:
                self._lose(one, node)
            if is_next:
                self._pass_by(one, node)
                return
            for nodes in (one.on_board, one.route):
                if node in nodes:
                    nodes.remove(node)
        self.cancelled.add(node)

    def _lose(self, one: DrivenRoute, node: int) -> None:
        """Count goods that stay on board, and nobody gets any more."""
        one.undelivered[-1] += self.draft["delivery"][node]

    def _pass_by(self, one: DrivenRoute, node: int) -> None:
        """Let a vehicle on its way to a customer go on from there."""
        self.passed.add(node)
        self.draft.set_entries(node, delivery=0, pickup=0)
        self.draft.set_times(
            node, service_durations=0, setup_durations=0, tw_early=0
        )
        if self.draft["preferred"] is not None:
            self.draft.set_entries(node, preferred=(0, NO_LIMIT))
        self.draft.set_entries(node, prizes=0, required=False)
        self.draft.leave_groups(node)
        # Nobody waits there for a break that has not begun.
        one.rests = tuple(
            rest
            for rest in one.rests
            if rest.begin < self.now or rest.share < 1
        )
        one.breaks_taken = one.breaks_taken[: len(one.rests)]
        there = max(self._arrival(one), self.now)
        one.begins[-1] = one.departures[-1] = there

    def _arrival(self, one: DrivenRoute) -> float:
        """Return when a vehicle is at its last stop."""
        instance, before = self.draft.build(), len(one.stops) - 1
        parts = measure_route(instance, one.stops, one.vehicle_type)
        there = one.departures[-2] + parts.travel[before]
        there += sum(delay for at, delay in one.delays if at == before)
        vehicle = instance.vehicle_types[one.vehicle_type]
        for rest in one.rests_before(before, vehicle):
            there = max(there, rest.begin) + rest.duration
        return there

    def _delay(self, change: Late) -> None:
        row = {"id": "delay", "service": change.by}
        try:
            read = read_orders(self.draft, [row], in_words=False)
        except InstanceError:
            raise ParameterError(
                "late: by must be a duration such as 0:20, or a number in the "
                f"unit of the times, got {change.by!r}."
            ) from None
        delay = int(read.column("service_durations")[1])
        one = self._route(change.vehicle)
        if not isinstance(one, DrivenRoute):
            self._start_later(one, self.now + delay)
        elif one.is_home(self.now):
            return
        elif one.begins and one.begins[-1] >= self.now:
            one.delay(len(one.stops) - 1, delay)
            one.jam += delay
            self._begin_at(one, max(one.begins[-1], self._arrival(one)))
        elif one.departures and one.is_begun(self.draft.depots):
            is_at_stop = one.departures[-1] >= self.now
            depots = self.draft.depots
            if is_at_stop and one.stops and one.stops[-1] not in depots:
                self._leave_at(one, one.departures[-1] + delay)
            else:
                one.delay(len(one.stops), delay)
            if one.is_over:
                one.drop_breaks(self.now)
                self._free_hours(one)
        else:
            idx, start = one.vehicle_type, max(self.now, one.start)
            one.departures = []
            one.vehicle_type = self._start_later(
                idx, start + delay, one.number
            )

    def _begin_at(self, one: DrivenRoute, begin: float) -> None:
        """Let a vehicle serve its next stop from a time on; it may wait."""
        node, place = one.stops[-1], len(one.stops) - 1
        for opens, closes in self.draft.windows.windows_of(node):
            if begin <= closes:
                begin = max(begin, opens)
                break
        service = self.draft.service(node, one.vehicle_type)
        setup = one.setup_before(self.draft.build(), place)
        one.begins[-1] = begin
        one.departures[-1] = begin + service + setup

    def _free_hours(self, one: DrivenRoute) -> None:
        """Let a driver on the way home have no further rests than stated."""
        idx = one.vehicle_type
        hours = self.draft.vehicle_types[idx].hours
        if hours is not None:
            free = HoursOfService(rest=hours.rest, in_seconds=hours.in_seconds)
            one.vehicle_type = self.draft.single(
                *(idx, one.number), hours_of_service=free
            )

    def _leave_at(self, one: DrivenRoute, departure: float) -> None:
        """Let a vehicle leave where it is later: the service takes longer."""
        more = math.ceil(departure - one.departures[-1])
        one.departures[-1] += more
        if one.stops and one.stops[-1] not in self.draft.depots:
            node = one.stops[-1]
            service = self.draft.service(node, one.vehicle_type)
            self.draft.set_times(node, service_durations=service + more)

    def _start_later(self, idx: int, start: float, number: int = 0) -> int:
        """Let a vehicle start later, if it still can; return its type."""
        one = self.draft.vehicle_types[idx]
        early = max(one.tw_early, math.ceil(start))
        if early > one.start_late:
            return self._set_idle(idx, number, TOO_LATE)
        return self.draft.single(idx, number, tw_early=early)

    def _stop(self, change: OutOfService) -> None:
        one = self._route(change.vehicle)
        if not isinstance(one, DrivenRoute):
            self._set_idle(one)
            return
        if one.is_home(self.now):
            return
        self.stopped.add(one.title)
        for node in one.on_board:
            self._lose(one, node)
        is_on_its_way = bool(one.begins) and one.begins[-1] >= self.now
        if is_on_its_way:  # it does not get there
            node = one.stops.pop()
            one.departures.pop()
            one.begins.pop()
            one.jam, ahead = 0.0, len(one.stops)
            one.delays = tuple(d for d in one.delays if d[0] < ahead)
            one.drop_breaks(self.now)
            if node in self.draft.depots:
                one.undelivered.pop()  # what comes off is in the one before
                one.on_board, one.unloaded = one.unloaded, []
            elif node in self.passed:
                self.cancelled.add(node)
            elif self.draft["delivery"][node].any():
                one.on_board.insert(0, node)
                self._lose(one, node)
        if one.stops or is_on_its_way:
            depots = self.draft.depots
            is_at_depot = one.stops[-1:] and one.stops[-1] in depots
            is_loading = is_at_depot and one.departures[-1] >= self.now
            is_back = change.transfer or (is_loading and not is_on_its_way)
            self._strand(one, is_lost=not is_back)
        one.on_board = []
        if one.stops:
            if not one.is_over:
                self.draft.end_breaks(one)
            one.is_over, one.route = True, list(one.stops)
        else:  # another vehicle may take its route
            one.departures = []
            one.route = [
                node for node in one.route if node not in self.cancelled
            ]
            one.vehicle_type = self._set_idle(one.vehicle_type, one.number)

    def _strand(self, one: DrivenRoute, *, is_lost: bool) -> None:
        """Let nobody serve customers whose goods are lost on a vehicle.

        Shipments on board become deliveries from the depot.
        """
        customers = [*one.on_board, *self._land(one, one.stops)]
        if is_lost:
            self.draft.require_skill(customers, one.title.join(LOST_GOODS))

    def _land(self, one: DrivenRoute, stops: Sequence[int]) -> list[int]:
        """Let shipments from some stops that are on board be deliveries.

        Who gets them is returned.
        """
        customers = []
        for shipment in self.draft["shipments"]:
            ends = shipment.pickup, shipment.delivery
            if ends[0] in stops and ends[1] not in one.stops:
                self.draft.drop_shipment(ends[0])
                self.draft.set_entries(ends[0], pickup=shipment.amount)
                self.draft.set_entries(ends[1], delivery=shipment.amount)
                customers.append(ends[1])
        return customers

    def _set_idle(
        self, idx: int, number: int = 0, state: str = OUT_OF_SERVICE
    ) -> int:
        """Take a vehicle away that has not left, and return its type."""
        one = self.draft.vehicle_types[idx]
        if one.num_available is not None:
            idx = self.draft.single(idx, number)
            self.retired[idx] = state
        return idx


def _time_of(draft: DayDraft, moment: float | str) -> float:
    """Return a moment in the unit of a problem."""
    is_truth, form = isinstance(moment, bool), draft["time_form"]
    if isinstance(moment, int | float) and not is_truth and not form.is_clock:
        if not abs(moment) < NO_LIMIT:  # nan is not either
            raise ParameterError(f"now must be a time, got {moment!r}.")
        return float(moment) * SECONDS_OF.get(form.kind, 1.0)
    wrong = ParameterError(
        f"now must be a time as {draft['name']} has them, such as "
        f"{form.text(0)}, got {moment!r}."
    )
    if is_blank(moment) or is_truth:
        raise wrong  # a table reads a blank as no window
    try:
        row = {"id": "now", "open": moment}
        read = read_orders(draft, [row], in_words=False)
    except InstanceError:
        raise wrong from None
    return float(read.column("tw_early")[1])
