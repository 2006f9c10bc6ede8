"""The day goes on: a plan that is driven, changed from a moment on."""

from __future__ import annotations

import logging
import math
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.text import counted
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.io.changes import (
    read_changes,
    read_new_vehicles,
    read_orders,
)
from ncc_routing.io.routes import with_in_progress
from ncc_routing.problems.changes import (
    AddOrder,
    AddVehicle,
    Cancel,
    Late,
    OutOfService,
    Window,
)
from ncc_routing.problems.edits import NewPlace, with_customers
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import take
from ncc_routing.problems.loads import Loads
from ncc_routing.problems.route_constraints import (
    InProgressRoute,
    RouteConstraints,
)
from ncc_routing.problems.schedules import arc_durations, schedule_route
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.vrp.initial_solution import Start
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.changes import Change
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.params import SolveParams
    from ncc_routing.vrp.result import Result


_logger = logging.getLogger(__name__)


def replan(  # noqa: PLR0913 - as solve
    result: Result,
    changes: Sequence[Change] | object = (),
    stop: AnyStop | None = None,
    *,
    now: float | str,
    actual: object = None,
    allow_unserved: bool = True,
    seed: int | None = None,
    time_limit: float | None = None,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
) -> Result:
    """Plan the rest of a day from a moment on.

    Stops whose service began before ``now`` stay as they are, and so does the
    next stop of a vehicle on its way. Deliveries that are on board stay on
    their vehicle; others are loaded at a depot, by a vehicle that has not left
    or may reload. Nothing departs before ``now``. A vehicle on its way home
    serves nobody else.

    Parameters
    ----------
    result
        The plan that is driven: of :func:`ncc_routing.solve`, or of an earlier
        ``replan``.
    changes
        What is new: a list of :class:`ncc_routing.AddOrder`, ``Cancel``,
        ``OutOfService``, ``Late``, ``Window`` and ``AddVehicle``, or a table
        of them (:func:`ncc_routing.io.changes.read_changes`). Default:
        nothing.
    now
        The moment: a number in the unit of the instance, or a text such as
        "10:30".
    actual
        What was driven, in place of the times of the plan: anything that the
        argument ``in_progress`` of :func:`ncc_routing.read` takes. Routes that
        it does not name have not begun. A vehicle without the departure from
        its last stop is still there. Default: the vehicles are on time.
    allow_unserved
        Whether orders may be left out where not all can be served, see
        ``Result.unserved``. Default yes.
    stop, seed, time_limit, params, callbacks, display
        As for :func:`ncc_routing.solve`.

    Returns
    -------
    Result
        A plan of the whole day. Its instance has the new orders behind the
        others, and the beginnings of routes in ``Instance.in_progress``.

    Raises
    ------
    ParameterError
        If a change names an order or a vehicle that there is not, or an order
        that is served already.
    InstanceError
        If a new order or vehicle is wrong.
    InfeasibleError
        As for :func:`ncc_routing.solve`.
    """
    day = _Day.of(result, now, actual)
    for change in read_changes(changes):
        day.apply(change)
    instance, start = day.rest()
    return solve(
        instance,
        stop,
        initial_solution=Start(start, is_rest=True),
        seed=seed,
        time_limit=time_limit,
        allow_unserved=allow_unserved,
        params=params,
        callbacks=callbacks,
        display=display,
    )


@dataclass(eq=False)
class _Vehicle:
    """A route of the plan, and what of it has happened.

    ``departures`` has those of the depot and of the ``stops``, ``begins`` when
    these services begin; both are empty where the vehicle has not left.
    """

    route: list[int]
    vehicle_type: int
    number: int
    name: str
    start: float
    stops: list[int] = field(default_factory=list)
    departures: list[float] = field(default_factory=list)
    begins: list[float] = field(default_factory=list)
    on_board: list[int] = field(default_factory=list)
    is_over: bool = False
    lost_load: np.ndarray | None = None  # what nobody gets any more

    @property
    def rest(self) -> list[int]:
        """The stops after those that have happened."""
        return self.route[len(self.stops) :]

    def is_begun(self, depots: Sequence[int]) -> bool:
        """Whether somebody is served, next, or has goods on board."""
        return bool(self.on_board or set(self.stops) - set(depots))


@dataclass
class _Day:
    """A plan at a moment, and the changes so far."""

    instance: Instance
    now: float
    vehicles: list[_Vehicle]
    # Type of each numbered vehicle, ``None`` where their number has no limit.
    numbers: list[int] | None = None
    cancelled: set[int] = field(default_factory=set)
    # Those of the cancelled where a vehicle comes by.
    passed: set[int] = field(default_factory=set)
    out_of_service: set[int] = field(default_factory=set)  # vehicle types

    @classmethod
    def of(cls, result: Result, now: float | str, actual: object) -> _Day:
        """Return where the vehicles of a plan are."""
        instance, plan = result.instance, result.best
        if instance.ids is None:
            instance = replace(instance, ids=instance.node_ids)
        moment = _time_of(instance, now)
        day = cls(instance, moment, [], _numbers_of(instance))
        driven = instance.in_progress
        if actual is not None:
            driven = with_in_progress(instance, actual).in_progress
        numbers = [0] * plan.num_routes
        if day.numbers is not None:
            numbers = list(plan.vehicles(instance))
        for number, (route, vehicle_type) in enumerate(
            zip(plan.routes, plan.vehicle_types, strict=True), start=1
        ):
            name = instance.vehicle_types[vehicle_type].name
            schedule = schedule_route(instance, route, vehicle_type)
            vehicle = _Vehicle(
                list(route),
                vehicle_type,
                numbers[number - 1],
                name or f"route {number}",
                schedule.start,
            )
            begun = next((one for one in driven if _is_of(one, vehicle)), None)
            if actual is None:
                day._drive_as_planned(vehicle, begun)
            elif begun is not None:
                day._drive_as_told(vehicle, begun)
            day.vehicles.append(vehicle)
        if instance.constraints is not None:
            rules = replace(instance.constraints, in_progress=())
            day._set(constraints=rules)
        return day

    def _drive_as_planned(
        self, vehicle: _Vehicle, begun: InProgressRoute | None
    ) -> None:
        """Take the stops of a route that have happened from its schedule."""
        instance, depots = self.instance, self.instance.depots
        route = vehicle.route
        schedule = schedule_route(instance, route, vehicle.vehicle_type)
        pairs = zip(schedule.begins, schedule.services, strict=True)
        left = [begin + service for begin, service in pairs]
        if begun is not None and begun.is_over:
            vehicle.is_over = True
        if schedule.start >= self.now and begun is None:
            return
        # Who has left a stop before now drives on to the next one.
        num_left = bisect_left(left, self.now)
        count = min(num_left, len(route))
        if begun is not None:
            count = max(count, len(begun.stops(depots)))
        if count == 0:  # it is loaded
            vehicle.on_board = self._loaded(route)
            vehicle.departures = [max(left[0], self.now)]
            return
        vehicle.stops = route[:count]
        vehicle.departures = left[: 1 + count]
        vehicle.begins = list(schedule.begins[1 : 1 + count])
        vehicle.on_board = self._on_board(vehicle)
        vehicle.is_over |= num_left > len(route)

    def _drive_as_told(
        self, vehicle: _Vehicle, begun: InProgressRoute
    ) -> None:
        """Take the stops and times of a route as they were."""
        instance = self.instance
        stops = list(begun.stops(instance.depots))
        planned = vehicle.route
        rest = [node for node in planned if node not in begun.customers]
        calls = len(begun.reloads)
        for node in [n for n in rest if n in instance.depots][:calls]:
            rest.remove(node)
        told = list(begun.departures) or [None] * (1 + len(stops))
        if told[-1] is not None and told[-1] < self.now and rest:
            stops.append(rest.pop(0))
            told.append(None)
        vehicle.route = [*stops, *rest]
        if not any(time is not None for time in told):
            raise ParameterError(
                f"actual: the route of {vehicle.name} has no departure."
            )
        one = InProgressRoute.of_stops(
            begun.vehicle_type, stops, told, instance.depots
        )
        rules = replace(
            instance.constraints or RouteConstraints(), in_progress=(one,)
        )
        schedule = schedule_route(
            replace(instance, constraints=rules), stops, begun.vehicle_type
        )
        pairs = zip(schedule.begins, schedule.services, strict=True)
        left = [begin + service for begin, service in pairs][: 1 + len(stops)]
        vehicle.stops, vehicle.departures = stops, left
        vehicle.begins = list(schedule.begins[1 : 1 + len(stops)])
        if told[-1] is None and left[-1] < self.now:
            self._leave_at(vehicle, self.now)
        vehicle.is_over = not rest and left[-1] < self.now
        vehicle.on_board = self._on_board(vehicle)

    def _on_board(self, vehicle: _Vehicle) -> list[int]:
        """Return whose goods are on board of a vehicle on its way."""
        is_at_depot = vehicle.stops[-1] in self.instance.depots
        if is_at_depot and vehicle.begins[-1] >= self.now:
            return []  # it reloads there
        return self._loaded(vehicle.rest)

    def _loaded(self, rest: Sequence[int]) -> list[int]:
        """Return who is delivered to before the next depot."""
        loaded = []
        for node in rest:
            if node in self.instance.depots:
                break
            if self.instance.deliveries[node].any():
                loaded.append(node)
        return loaded

    def apply(self, change: Change) -> None:
        """Take a change into account."""
        if isinstance(change, AddOrder):
            self._add_order(change)
        elif isinstance(change, AddVehicle):
            given = change.vehicle
            types = (
                (given,)
                if isinstance(given, VehicleType)
                else read_new_vehicles(self.instance, [given])
            )
            known = len(self.instance.vehicle_types)
            for idx, one in enumerate(types, start=known):
                if one.num_available is None:
                    self.numbers = None
                elif self.numbers is not None:
                    self.numbers += [idx] * one.num_available
            self._set_types([*self.instance.vehicle_types, *types])
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
        ids = self.instance.node_ids
        node = ids.index(name) if name in ids else 0
        if node == 0 or node in self.instance.depots:
            raise ParameterError(f"{what}: there is no order {name}.")
        if node in self.cancelled | self.passed:
            raise ParameterError(f"{what}: order {name} is cancelled.")
        for vehicle in self.vehicles:
            for stop, begin in zip(vehicle.stops, vehicle.begins, strict=True):
                if stop == node and begin < self.now:
                    when = self.instance.time_form.text(begin)
                    raise ParameterError(
                        f"{what}: order {name} is served, since {when}."
                    )
        return node

    def _is_served(self, node: int) -> bool:
        return any(
            stop == node and begin < self.now
            for vehicle in self.vehicles
            for stop, begin in zip(vehicle.stops, vehicle.begins, strict=True)
        )

    def _vehicle(self, name: int | str) -> _Vehicle | int:
        """Return the route of a vehicle, or the type of an idle one."""
        if isinstance(name, int):
            if not 1 <= name <= len(self.vehicles):
                raise ParameterError(
                    f"vehicle {name}: there are "
                    f"{counted(len(self.vehicles), 'route')}."
                )
            return self.vehicles[name - 1]
        types = self.instance.vehicle_types
        idle = [idx for idx, one in enumerate(types) if one.name == name]
        used = [one for one in self.vehicles if one.name == name]
        if len(used) == 1:
            return used[0]
        if len(used) > 1:
            raise ParameterError(
                f"vehicle {name}: {counted(len(used), 'route')} have the "
                "name; give the number of the route."
            )
        if len(idle) != 1:
            raise ParameterError(f"vehicle {name}: there is no such vehicle.")
        return idle[0]

    def _add_order(self, change: AddOrder) -> None:
        instance = self.instance
        if "id" not in {str(name).lower() for name in change.order}:
            raise InstanceError("order", "id", "must be given")
        added = read_orders(instance, [change.order])
        twin = None
        if change.place is not None:
            if change.place not in instance.node_ids:
                rule = "must be the id of a customer or a depot"
                raise InstanceError("order", "place", rule, change.place)
            twin = instance.node_ids.index(change.place)
        arcs = (
            _both_ways(field, getattr(change, field))
            for field in ("distances", "durations")
        )
        place = NewPlace(twin, *arcs)
        first = instance.num_customers + 1
        self.instance = with_customers(instance, added, [place])
        for vehicle in self.vehicles:  # further depots come after customers
            for nodes in (vehicle.route, vehicle.stops):
                nodes[:] = [node + (node >= first) for node in nodes]

    def _set_window(self, change: Window) -> None:
        node = self._node(change.id, "window")
        row = {"id": change.id, "window": change.window}
        new = read_orders(self.instance, [row]).windows
        windows = self._windows()
        early, late = windows.tw_early.copy(), windows.tw_late.copy()
        early[node], late[node] = 0, TimeWindows.of(1).tw_late[0]
        if new is not None:
            early[node], late[node] = new.tw_early[1], new.tw_late[1]
        self._set(windows=replace(windows, tw_early=early, tw_late=late))

    def _cancel(self, name: str) -> None:
        """Leave an order out, with the other end of a shipment."""
        ids = self.instance.node_ids
        for one in self.instance.shipments:
            if name not in (ids[one.pickup], ids[one.delivery]):
                continue
            self._node(ids[one.delivery], "cancel")
            left = tuple(s for s in self.instance.shipments if s != one)
            self._set(shipments=left)
            if self._is_served(one.pickup):  # the goods come to the depot
                self._set_loads(one.pickup, pickup=one.amount)
            else:
                self._drop(one.pickup)
            self._drop(one.delivery)
            return
        self._drop(self._node(name, "cancel"))

    def _drop(self, node: int) -> None:
        """Leave a customer out; goods on board stay there."""
        for vehicle in self.vehicles:
            is_next = node in vehicle.stops
            if is_next or node in vehicle.on_board:
                self._keep_on_board(vehicle, node)
            if is_next:
                self._pass_by(vehicle, node)
                return
            for nodes in (vehicle.on_board, vehicle.route):
                if node in nodes:
                    nodes.remove(node)
        self.cancelled.add(node)

    def _keep_on_board(self, vehicle: _Vehicle, node: int) -> None:
        """Count goods that nobody gets any more, on a first trip."""
        if set(vehicle.stops).isdisjoint(self.instance.depots):
            amount = self.instance.deliveries[node].copy()
            if vehicle.lost_load is not None:
                amount += vehicle.lost_load
            vehicle.lost_load = amount

    def _pass_by(self, vehicle: _Vehicle, node: int) -> None:
        """Let a vehicle on its way to a customer go on from there."""
        self.passed.add(node)
        self._set_loads(node, delivery=0, pickup=0)
        windows = self._windows()
        service = windows.service_durations.copy()
        early = windows.tw_early.copy()
        service[node] = early[node] = 0
        windows = replace(windows, service_durations=service, tw_early=early)
        self._set(windows=windows)
        profile = self.instance.vehicle_types[vehicle.vehicle_type].profile
        ends = [self._depot_of(vehicle), *vehicle.stops][-2:]
        [travel] = arc_durations(self.instance, profile, *np.array([ends]).T)
        arrival = vehicle.departures[-2] + float(travel)
        vehicle.begins[-1] = vehicle.departures[-1] = max(arrival, self.now)

    def _depot_of(self, vehicle: _Vehicle) -> int:
        one = self.instance.vehicle_types[vehicle.vehicle_type]
        return self.instance.depots[one.start_depot]

    def _delay(self, change: Late) -> None:
        row = {"id": "delay", "service": change.by}
        windows = read_orders(self.instance, [row]).windows
        delay = 0 if windows is None else int(windows.service_durations[1])
        vehicle = self._vehicle(change.vehicle)
        if isinstance(vehicle, _Vehicle) and vehicle.departures:
            self._leave_at(
                vehicle, max(vehicle.departures[-1], self.now) + delay
            )
            return
        if isinstance(vehicle, _Vehicle):
            idx, number = vehicle.vehicle_type, vehicle.number
            early = self._starting(idx, max(self.now, vehicle.start) + delay)
            vehicle.vehicle_type = self._single(idx, number, tw_early=early)
        else:
            early = self._starting(vehicle, self.now + delay)
            self._single(vehicle, 0, tw_early=early)

    def _leave_at(self, vehicle: _Vehicle, departure: float) -> None:
        """Let a vehicle leave its last stop later.

        A service that has begun takes longer.
        """
        more = math.ceil(departure - vehicle.departures[-1])
        vehicle.departures[-1] = departure
        if vehicle.begins and vehicle.begins[-1] < self.now:
            node = vehicle.stops[-1]
            if node not in self.instance.depots:
                windows = self._windows()
                service = windows.service_durations.copy()
                service[node] += more
                self._set(windows=replace(windows, service_durations=service))
        elif vehicle.begins:
            vehicle.begins[-1] += more

    def _starting(self, idx: int, start: float) -> int:
        one = self.instance.vehicle_types[idx]
        early = max(one.tw_early, math.ceil(start))
        if early > one.start_late:
            raise ParameterError(
                f"late: {self.instance.describe_type(idx)} cannot start any "
                "more; it is out of service."
            )
        return early

    def _stop(self, change: OutOfService) -> None:
        vehicle = self._vehicle(change.vehicle)
        if not isinstance(vehicle, _Vehicle):
            self._set_idle(vehicle)
            return
        is_at_stop = not vehicle.begins or vehicle.begins[-1] < self.now
        if not is_at_stop:  # it does not get there
            node = vehicle.stops.pop()
            vehicle.departures.pop()
            vehicle.begins.pop()
            if node in self.passed:
                self.cancelled.add(node)
            elif self.instance.deliveries[node].any():
                vehicle.on_board.insert(0, node)
        stranded = vehicle.on_board
        has_left = bool(vehicle.stops) or not is_at_stop
        for node in stranded:
            self._keep_on_board(vehicle, node)
        vehicle.on_board, vehicle.route = [], list(vehicle.stops)
        if has_left:
            self._strand(vehicle, stranded, is_lost=not change.transfer)
        if vehicle.stops:
            vehicle.is_over = True
        else:
            vehicle.departures = []
            self._set_idle(vehicle.vehicle_type, vehicle.number)

    def _strand(
        self, vehicle: _Vehicle, customers: Sequence[int], *, is_lost: bool
    ) -> None:
        """Let nobody serve customers whose goods are lost on a vehicle.

        Shipments on board become deliveries from the depot.
        """
        skill = f"goods on board of {vehicle.name} (out of service)"
        for one in self.instance.shipments:
            if one.pickup in vehicle.stops and (
                one.delivery not in vehicle.stops
            ):
                left = tuple(s for s in self.instance.shipments if s != one)
                self._set(shipments=left)
                self._set_loads(one.pickup, pickup=one.amount)
                self._set_loads(one.delivery, delivery=one.amount)
                customers = [*customers, one.delivery]
        if not is_lost:
            return
        rules = self.instance.constraints or RouteConstraints()
        skills = list(rules.skills or ((),) * len(self.instance.demands))
        for node in customers:
            skills[node] = (*skills[node], skill)
        self._set(constraints=replace(rules, skills=tuple(skills)))

    def _set_idle(self, idx: int, number: int = 0) -> None:
        """Take a vehicle away that has not left."""
        if self.instance.vehicle_types[idx].num_available is not None:
            self.out_of_service.add(self._single(idx, number))

    def _forbid(self, idx: int) -> None:
        """Let a vehicle type serve nobody who is not served yet."""
        instance = self.instance
        rules = instance.constraints or RouteConstraints()
        pins = list(rules.vehicles or (None,) * len(instance.demands))
        skills = list(rules.skills or ((),) * len(instance.demands))
        others = [k for k in range(len(instance.vehicle_types)) if k != idx]
        begun = {node for vehicle in self.vehicles for node in vehicle.stops}
        for node in range(1, instance.num_customers + 1):
            if node in begun:
                continue
            allowed = [
                k for k in pins[node] or range(len(others) + 1) if k in others
            ]
            if allowed:
                pins[node] = tuple(allowed)
            else:
                name = instance.describe_type(idx)
                skills[node] = (*skills[node], f"{name} out of service")
        self._set(
            constraints=replace(
                rules, vehicles=tuple(pins), skills=tuple(skills)
            )
        )

    def _single(self, idx: int, number: int, **changes: Any) -> int:
        """Return the index of a type of one vehicle, taken from another.

        ``number`` is that of the vehicle, 0 for any.
        """
        types = list(self.instance.vehicle_types)
        given = types[idx]
        if given.num_available == 1:
            types[idx] = replace(given, **changes)
            self._set_types(types)
            return idx
        numbers = [number]
        if number == 0 and self.numbers is not None:
            numbers = [1 + self.numbers.index(idx)]
        return self._split(idx, 1, numbers, **changes)

    def _split(
        self,
        idx: int,
        count: int | None,
        numbers: Sequence[int],
        **changes: Any,
    ) -> int:
        """Return the index of a new type, of some of another's vehicles."""
        types = list(self.instance.vehicle_types)
        given, new = types[idx], len(types)
        if given.num_available is not None and count is not None:
            left = given.num_available - count
            types[idx] = replace(given, num_available=left)
        types.append(replace(given, num_available=count, **changes))
        if self.numbers is not None:
            for number in numbers:
                self.numbers[number - 1] = new
        self._set_types(types)
        rules = self.instance.constraints
        if rules is not None and rules.vehicles:
            pins = tuple(
                (*pin, new) if pin is not None and idx in pin else pin
                for pin in rules.vehicles
            )
            self._set(constraints=replace(rules, vehicles=pins))
        return new

    def _windows(self) -> TimeWindows:
        size = len(self.instance.demands)
        return self.instance.windows or TimeWindows.of(size)

    def _set_loads(self, node: int, **amounts: Any) -> None:
        """Set the delivery or the pickup of a node, or both."""
        instance = self.instance
        delivery = instance.deliveries
        loads = instance.loads or Loads(delivery, np.zeros_like(delivery))
        arrays = {}
        for name, amount in amounts.items():
            arrays[name] = getattr(loads, name).copy()
            arrays[name][node] = amount
        loads = replace(loads, **arrays)
        self._set(demands=loads.delivery[:, 0], loads=loads)

    def _set_types(self, types: Sequence[VehicleType]) -> None:
        numbers = None if self.numbers is None else tuple(self.numbers)
        fleet = Fleet(tuple(types), numbers)
        self._set(fleet=fleet, capacity=fleet.capacity)

    def _set(self, **changes: Any) -> None:
        self.instance = replace(self.instance, **changes)

    def rest(self) -> tuple[Instance, Solution]:
        """Return the problem from now on, and the plan as far as it holds."""
        for vehicle in self.vehicles:
            if vehicle.lost_load is not None and vehicle.departures:
                one = self.instance.vehicle_types[vehicle.vehicle_type]
                load = vehicle.lost_load + (one.initial_load or 0)
                vehicle.vehicle_type = self._single(
                    *(vehicle.vehicle_type, vehicle.number),
                    initial_load=tuple(load.tolist()),
                )
        in_progress = tuple(
            InProgressRoute.of_stops(
                vehicle.vehicle_type,
                vehicle.stops,
                vehicle.departures,
                self.instance.depots,
                on_board=tuple(vehicle.on_board),
                is_over=vehicle.is_over,
            )
            for vehicle in self.vehicles
            if vehicle.is_begun(self.instance.depots)
        )
        self._start_from_now()
        for idx in self.out_of_service:
            self._forbid(idx)
        self._release(in_progress)
        rules = self.instance.constraints or RouteConstraints()
        self._set(constraints=replace(rules, in_progress=in_progress))
        for vehicle in self.vehicles:
            if vehicle.stops:
                self._allow_return(vehicle)
        kept = [
            node
            for node in range(len(self.instance.demands))
            if node not in self.cancelled
        ]
        instance = take(self.instance, np.array(kept))
        place = {node: new for new, node in enumerate(kept)}
        going = [vehicle for vehicle in self.vehicles if vehicle.route]
        routes = tuple(
            tuple(place[node] for node in vehicle.route) for vehicle in going
        )
        types = tuple(vehicle.vehicle_type for vehicle in going)
        return instance, Solution(routes, 0.0, types)

    def _start_from_now(self) -> None:
        """Let vehicles that have not left do so from now on."""
        depots = self.instance.depots
        on_the_way = [one for one in self.vehicles if one.is_begun(depots)]
        begun = Counter(vehicle.vehicle_type for vehicle in on_the_way)
        going = {vehicle.number for vehicle in on_the_way}
        for idx, one in enumerate(self.instance.vehicle_types):
            early = max(one.tw_early, math.ceil(self.now))
            is_gone = early > one.start_late
            count = one.num_available
            left = None if count is None else count - begun[idx]
            if left == 0:
                continue
            if not begun[idx] and is_gone:
                self.out_of_service.add(idx)
            elif not begun[idx]:
                types = list(self.instance.vehicle_types)
                types[idx] = replace(one, tw_early=early)
                self._set_types(types)
            else:
                numbers = [
                    number
                    for number, k in enumerate(self.numbers or (), start=1)
                    if k == idx and number not in going
                ]
                changes = {} if is_gone else {"tw_early": early}
                new = self._split(idx, left, numbers, **changes)
                if count is None:
                    types = list(self.instance.vehicle_types)
                    types[idx] = replace(types[idx], num_available=begun[idx])
                    self._set_types(types)
                if is_gone:
                    self.out_of_service.add(new)
                for vehicle in self.vehicles:
                    if vehicle.vehicle_type == idx and (
                        vehicle not in on_the_way
                    ):
                        vehicle.vehicle_type = new

    def _allow_return(self, vehicle: _Vehicle) -> None:
        """Raise limits that a vehicle breaks on its way home as it is."""
        idx = vehicle.vehicle_type
        one = self.instance.vehicle_types[idx]
        alone = schedule_route(self.instance, vehicle.stops, idx)
        changes: dict[str, Any] = {}
        if alone.duration > one.max_duration:
            changes["max_overtime"] = alone.duration - one.shift_duration
        if alone.distance > one.max_distance:
            changes["max_distance"] = alone.distance
        back = math.ceil(alone.begins[-1] + alone.lateness[-1])
        if alone.lateness[-1] > 0:
            self._close_later(self.instance.depots[one.end_depot], back)
            one = self.instance.vehicle_types[idx]
            changes["tw_late"] = max(one.tw_late, back)
            changes["start_late"] = one.start_late
        if not changes:
            return
        _logger.warning(
            "%s breaks a limit on its way home: it is back at %s.",
            vehicle.name,
            self.instance.time_form.text(back),
        )
        new = self._single(idx, vehicle.number, **changes)
        rules = self.instance.constraints or RouteConstraints()
        in_progress = tuple(
            replace(each, vehicle_type=new) if _is_of(each, vehicle) else each
            for each in rules.in_progress
        )
        vehicle.vehicle_type = new
        self._set(constraints=replace(rules, in_progress=in_progress))

    def _close_later(self, depot: int, time: int) -> None:
        """Let a depot close later, and no vehicle come back later than now."""
        windows = self._windows()
        closing = int(windows.tw_late[depot])
        if closing >= time:
            return
        types = [
            replace(
                one,
                tw_late=min(one.tw_late, closing),
                start_late=min(one.start_late, closing),
            )
            if closing >= one.tw_early
            and depot
            in (
                self.instance.depots[one.start_depot],
                self.instance.depots[one.end_depot],
            )
            else one
            for one in self.instance.vehicle_types
        ]
        late = windows.tw_late.copy()
        late[depot] = time
        self._set_types(types)
        self._set(windows=replace(windows, tw_late=late))

    def _release(self, in_progress: Sequence[InProgressRoute]) -> None:
        """Let goods that are not on board be at the depots from now on."""
        if not in_progress:
            return
        windows = self._windows()
        release = windows.release_times.copy()
        has_goods = self.instance.deliveries.any(axis=1)
        release[has_goods] = np.maximum(
            release[has_goods], math.ceil(self.now)
        )
        for one in in_progress:
            release[[*one.customers, *one.on_board]] = 0
        self._set(windows=replace(windows, release_times=release))


def _numbers_of(instance: Instance) -> list[int] | None:
    """Return the type of each numbered vehicle, ``None`` without a limit."""
    counts = [one.num_available for one in instance.vehicle_types]
    if any(k is None or k > instance.num_customers for k in counts):
        return None
    fleet = instance.fleet or Fleet(instance.vehicle_types)
    return list(fleet.all_vehicles(instance.num_customers))


def _is_of(one: InProgressRoute, vehicle: _Vehicle) -> bool:
    """Whether an in-progress route is that of a vehicle."""
    bound = {*one.customers, *one.on_board}
    return one.vehicle_type == vehicle.vehicle_type and not bound.isdisjoint(
        vehicle.route
    )


def _time_of(instance: Instance, moment: float | str) -> float:
    """Return a moment in the unit of an instance."""
    if isinstance(moment, int | float) and not instance.time_form.is_clock:
        return float(moment) * SECONDS_OF.get(instance.time_form.kind, 1.0)
    try:
        row = {"id": "now", "open": moment}
        windows = read_orders(instance, [row]).windows
    except InstanceError:
        raise ParameterError(
            f"now must be a time as those of {instance.name}, such as "
            f"{instance.time_form.text(0)}, got {moment!r}."
        ) from None
    return 0.0 if windows is None else float(windows.tw_early[1])


def _both_ways(field: str, rows: Any) -> np.ndarray | None:
    """Return lengths to all nodes and back, given for both ways or as two."""
    if rows is None:
        return None
    try:
        array = np.asarray(rows, dtype=float)
    except (TypeError, ValueError):
        raise InstanceError("order", field, "must be numbers") from None
    return np.array([array, array]) if array.ndim == 1 else array
