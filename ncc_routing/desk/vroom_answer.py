"""Routes as VROOM answers them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import (
    InfeasibleError,
    InstanceError,
    ParameterError,
    RoutingError,
)
from ncc_routing.desk.vroom import (
    BREAK,
    DELIVERY,
    DESCRIPTION,
    END,
    JOB,
    LOCATION_INDEX,
    PICKUP,
    PLACES,
    START,
    Task,
    numbered,
    task_of,
)
from ncc_routing.problems.routes.timetable import PASSED_BY
from ncc_routing.problems.routes.unserved import priorities_of
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ncc_routing.core.exceptions import NccRoutingError
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.schedules import Schedule
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved

_NOISE: Final = 1e-6
"""What sums of real times may be off by."""

_TIMED: Final = ("lead_time", "delay")
"""Causes of violations that have a duration."""


@dataclass
class Stop:
    """A step of a route with its times.

    ``node`` is ``None`` at an open end and at a break, which has a ``name``;
    ``violations`` has the durations of those that have one.
    """

    kind: str
    node: int | None
    arrival: float
    begin: float
    load: tuple[int, ...]
    setup: float = 0
    service: float = 0
    leg: float = 0
    name: str = ""
    violations: dict[str, float] = field(default_factory=dict)


@dataclass
class DrivenRoute:
    """The steps of a vehicle, from start to end, with the cost of all."""

    vehicle_type: int
    vehicle: int
    cost: float
    stops: list[Stop]


def code_of(error: NccRoutingError) -> int:
    """Return VROOM's code of an error: input 2, routing 3, else 1."""
    if isinstance(error, RoutingError):
        return 3
    of_input = (InstanceError, ParameterError, InfeasibleError)
    return 2 if isinstance(error, of_input) else 1


def answer_of(
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    *,
    geometry: bool = False,
    seconds: Sequence[float] = (0.0, 0.0),
) -> dict[str, Any]:
    """Return a solution as VROOM answers it.

    Parameters
    ----------
    instance
        The problem. Ids of tasks and vehicles are those of VROOM's JSON; of
        another problem they are the numbers of nodes and vehicles, and the ids
        and names are descriptions.
    solution
        A solution without violations. A reload is a step of the type "reload".
        The ``description`` of a step says where an order is cancelled.
    unserved
        Who is left out, with the reasons.
    geometry
        Whether routes have their straight lines as an encoded polyline, where
        places are longitudes and latitudes. Default no.
    seconds
        How long reading and solving took. Default 0.
    """
    numbers = solution.vehicles(instance)
    schedules = solution.schedules(instance)
    routes = [
        DrivenRoute(idx, number, one.cost, _stops_of(instance, idx, one))
        for idx, number, one in zip(
            solution.vehicle_types, numbers, schedules, strict=True
        )
    ]
    reasons = {one.customer: one.why for one in unserved}
    served = set(chain.from_iterable(solution.routes))
    absent = [
        node
        for node in range(1, instance.num_customers + 1)
        if node not in served
    ]
    answer = compose(instance, routes, absent, seconds, reasons)
    if geometry and instance.is_geographic:
        for one in answer["routes"]:
            places = [s["location"] for s in one["steps"] if "location" in s]
            one["geometry"] = polyline_of(places)
    return answer


def polyline_of(places: Sequence[Sequence[float]]) -> str:
    """Return longitudes and latitudes as a polyline of Google's encoding."""
    text, last = "", (0, 0)
    for lon, lat in places:
        place = (round(1e5 * lat), round(1e5 * lon))
        for now, before in zip(place, last, strict=True):
            step = now - before
            value = ~(step << 1) if step < 0 else step << 1
            while value >= 0x20:
                text += chr((0x20 | (value & 0x1F)) + 63)
                value >>= 5
            text += chr(value + 63)
        last = place
    return text


def _stops_of(
    instance: Instance, vehicle_type: int, schedule: Schedule
) -> list[Stop]:
    """Return the steps of a route, with its breaks and open ends."""
    first, last = schedule.stops.start, schedule.stops.stop
    legs = lengths_of(instance, vehicle_type, schedule.visits, schedule.legs)
    loads = schedule.loads
    start_load, start_node = loads[0], None
    now = schedule.start
    if first == 0:  # what the first stop changes is not on board yet
        change = instance.load_changes[schedule.visits[0]]
        start_load = tuple((np.array(loads[0]) - change).tolist())
    else:
        start_node = schedule.visits[0]
    stops = [Stop(START, start_node, now, now, start_load)]
    if first == 1:
        stops[0].service = schedule.services[0]
        now += schedule.services[0]
    for at in range(first, last + 1):
        is_end, is_open = at == last, at == len(schedule.visits)
        begin = schedule.end if is_open else schedule.begins[at]
        wait = 0 if is_open else schedule.waits[at]
        leg = legs[at - 1] if at > 0 and not is_open else 0
        setup = 0 if is_end else schedule.setups[at]
        load = loads[at - 1 if is_end else at]
        breaks = [one for one in schedule.breaks if one.place == at]
        travel = begin - wait - now - sum(one.duration for one in breaks)
        driven = 0.0
        for one in breaks:
            share = one.share - driven
            arrival = now + share * travel
            taken = instance.vehicle_types[vehicle_type].breaks[one.number]
            stops.append(
                Stop(
                    *(BREAK, None, arrival, one.begin, stops[-1].load),
                    service=one.duration,
                    leg=share * leg,
                    name=taken.name or str(one.number + 1),
                )
            )
            driven, now = one.share, one.begin + one.duration
        node = None if is_open else schedule.visits[at]
        is_reload = not is_end and node in instance.depots
        kind = END if is_end else "reload" if is_reload else JOB
        arrival = now + (1 - driven) * travel
        stops.append(
            Stop(
                *(kind, node, arrival, begin, load),
                setup=setup,
                service=0 if is_end else schedule.services[at] - setup,
                leg=(1 - driven) * leg,
            )
        )
        now = begin if is_end else begin + schedule.services[at]
    return stops


def lengths_of(
    instance: Instance,
    vehicle_type: int,
    visits: Sequence[int],
    legs: Sequence[float],
) -> Sequence[float]:
    """Return the metres of the arcs of a route.

    ``legs`` are their distances, which may be what they cost.
    """
    profile = instance.vehicle_types[vehicle_type].profile
    given = instance.profiles[profile - 1].lengths if profile else None
    if given is None:
        return legs
    size = len(given)
    return [
        float(given[tail, head]) if max(tail, head) < size else 0.0
        for tail, head in pairwise(visits)
    ]


def compose(
    instance: Instance,
    routes: Sequence[DrivenRoute],
    absent: Iterable[int],
    seconds: Sequence[float],
    reasons: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """Return the answer of some routes, and of tasks on none."""
    names = _Names(instance)
    written = [names.route(one) for one in routes]
    unassigned = [names.absent(node, reasons or {}) for node in absent]

    def sums(*keys: str) -> dict[str, Any]:
        return {key: sum(one[key] for one in written) for key in keys}

    summary: dict[str, Any] = {
        **sums("cost"),
        "routes": len(written),
        "unassigned": len(unassigned),
        **names.amounts(chain.from_iterable(one.stops for one in routes)),
        **sums("setup", "service", "duration", "waiting_time", "priority"),
    }
    if names.has_distances:
        summary |= sums("distance")
    if instance.straight_lines:
        summary["routing"] = instance.straight_lines
    summary["violations"] = _merged(one["violations"] for one in written)
    loading, solving = (round(1000.0 * each) for each in seconds)
    summary["computing_times"] = {
        "loading": loading,
        "solving": solving,
        "routing": 0,
    }
    return {
        **instance.source.unread.get("", {}),
        "code": 0,
        "summary": summary,
        "unassigned": unassigned,
        "routes": written,
    }


class _Names:
    """How the answer names what an instance has."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        ids = instance.node_ids
        tasks = [task_of(name) for name in ids[: instance.num_customers + 1]]
        self._has_ids = all(tasks[1:])
        pickups = {one.pickup for one in instance.shipments}
        deliveries = {one.delivery for one in instance.shipments}
        kinds = {
            **dict.fromkeys(pickups, PICKUP),
            **dict.fromkeys(deliveries, DELIVERY),
        }
        self._tasks = [
            (self._has_ids and task) or Task(kinds.get(node, JOB), node)
            for node, task in enumerate(tasks)
        ]
        self._passed = instance.passed_by
        self._priorities = priorities_of(instance)
        self._priorities[[*self._passed]] = 0
        self._unread = instance.source.unread
        self._columns = {
            one.title: one.cells for one in instance.source.columns
        }
        types = instance.vehicle_types
        self._has_loads = bool(
            instance.demands.any()
            or instance.loads is not None
            or instance.shipments
            or min(instance.capacities) < NO_LIMIT
        )
        self.has_distances = instance.has_metres or any(
            one.lengths is not None for one in instance.profiles
        )
        self._vehicles = [numbered(one.name) for one in types]
        numbers = [pair[0] for pair in self._vehicles if pair]
        if len(set(numbers)) < len(types):
            self._vehicles = [None for _ in types]

    def route(self, route: DrivenRoute) -> dict[str, Any]:
        """Return a route."""
        vehicle = self._vehicles[route.vehicle_type]
        name = self._instance.vehicle_types[route.vehicle_type].name
        number, description = vehicle or (route.vehicle, name)
        steps = self._steps(route.stops, f"vehicle {name}")
        nodes = self._tasks_of(route.stops)
        written: dict[str, Any] = {
            "vehicle": number,
            "cost": round(route.cost),
        }
        if description:
            written[DESCRIPTION] = description
        written |= self.amounts(route.stops)
        written |= {
            "setup": sum(step["setup"] for step in steps),
            "service": sum(step["service"] for step in steps),
            "duration": steps[-1]["duration"],
            "waiting_time": sum(step["waiting_time"] for step in steps),
            "priority": int(self._priorities[nodes].sum()),
        }
        if self.has_distances:
            written["distance"] = steps[-1]["distance"]
        violations = _merged(step["violations"] for step in steps)
        written |= {"steps": steps, "violations": violations}
        return {**self._unread.get(f"vehicle {name}", {}), **written}

    def _steps(
        self, stops: Sequence[Stop], vehicle: str
    ) -> list[dict[str, Any]]:
        """Return steps, whose times are whole and add up."""
        steps = []
        distance, duration = 0.0, 0
        left = _whole(stops[0].arrival)
        tasks = self._tasks_of(stops)
        # An open route starts at its first task, and ends at its last one.
        open_ends = {START: tasks[:1], END: tasks[-1:]}
        for stop in stops:
            arrival, begin = _whole(stop.arrival), _whole(stop.begin)
            setup, service = _whole(stop.setup), _whole(stop.service)
            duration += arrival - left
            left = begin + setup + service
            distance += stop.leg
            unread = self._unread_of(stop.node)
            if stop.kind == BREAK:
                key = f"{vehicle}, break {stop.name}"
                unread = self._unread.get(key, {})
            step = {**unread, "type": stop.kind}
            step |= self._called(stop)
            if stop.node is None:
                for node in open_ends.get(stop.kind, ()):
                    step |= self._place_of(node)
            step |= {
                "setup": setup,
                "service": service,
                "waiting_time": begin - arrival,
                "arrival": arrival,
                "duration": duration,
                "violations": _written(
                    {cause: round(t) for cause, t in stop.violations.items()}
                ),
            }
            if self._has_loads:
                step["load"] = list(stop.load)
            if self.has_distances:
                step["distance"] = round(distance)
            steps.append(step)
        return steps

    def _unread_of(self, node: int | None) -> Mapping[str, Any]:
        if not self._unread or node is None:
            return {}
        return self._unread.get(self._instance.node_ids[node], {})

    def _is_task(self, stop: Stop) -> bool:
        return 0 < (stop.node or 0) <= self._instance.num_customers

    def _tasks_of(self, stops: Iterable[Stop]) -> list[int]:
        return [one.node or 0 for one in stops if self._is_task(one)]

    def _called(self, stop: Stop) -> dict[str, Any]:
        """Return where a step is, and what it is called."""
        if stop.kind == BREAK:
            number, description = numbered(stop.name) or (0, stop.name)
            called: dict[str, Any] = {"id": number}
            return called | ({DESCRIPTION: description} if description else {})
        if stop.node is None:
            return {}
        if not self._is_task(stop):
            return self._placed(stop.node)
        task = self._tasks[stop.node]
        stop.kind = task.kind
        called = {"type": task.kind, "id": task.id, "job": task.id}
        return called | self._placed(stop.node)

    def _placed(self, node: int) -> dict[str, Any]:
        placed: dict[str, Any] = {}
        description = self._columns.get(DESCRIPTION, {node: None})[node]
        if not self._has_ids and self._instance.ids is not None:
            description = self._instance.ids[node]
        told = [] if description is None else [str(description)]
        told += [PASSED_BY] * (node in self._passed)
        if told:
            placed[DESCRIPTION] = "; ".join(told)
        return placed | self._place_of(node)

    def _place_of(self, node: int) -> dict[str, Any]:
        placed: dict[str, Any] = {}
        if self._instance.coords is not None:
            placed["location"] = self._instance.coords[node].tolist()
        elif set(PLACES) <= self._columns.keys():
            place = [self._columns[axis][node] for axis in PLACES]
            if None not in place:
                placed["location"] = place
        if LOCATION_INDEX in self._columns:
            placed[LOCATION_INDEX] = self._columns[LOCATION_INDEX][node]
        return placed

    def amounts(self, stops: Iterable[Stop]) -> dict[str, Any]:
        """Return what is delivered and picked up."""
        if not self._has_loads:
            return {}
        nodes = self._tasks_of(stops)
        instance = self._instance
        size = (len(instance.demands), instance.num_load_dimensions)
        delivered = instance.deliveries.copy()
        picked_up = np.zeros(size, dtype=int)
        if instance.loads is not None:
            picked_up += instance.loads.pickup
        for one in instance.shipments:
            delivered[one.delivery] = one.amount
            picked_up[one.pickup] = one.amount
        sums = {
            DELIVERY: delivered[nodes].sum(axis=0).tolist(),
            PICKUP: picked_up[nodes].sum(axis=0).tolist(),
        }
        return {**sums, "amount": sums[DELIVERY]}

    def absent(self, node: int, reasons: Mapping[int, str]) -> dict[str, Any]:
        """Return a task that is on no route."""
        task = self._tasks[node]
        absent = {**self._unread_of(node), "id": task.id, "type": task.kind}
        absent |= self._placed(node)
        if reasons.get(node):
            absent["reason"] = reasons[node]
        return absent


def _whole(time: float) -> int:
    """Return a rounded time; those that differ by whole ones stay so."""
    return math.floor(time + 0.5 + _NOISE)


def _merged(
    violations: Iterable[Sequence[Mapping[str, Any]]],
) -> list[dict[str, Any]]:
    """Return each cause of violations once, with the sum of durations."""
    causes: dict[str, int] = {}
    for one in chain.from_iterable(violations):
        causes[one["cause"]] = causes.get(one["cause"], 0) + one.get(
            "duration", 0
        )
    return _written(causes)


def _written(causes: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {"cause": cause, "duration": time}
        if cause in _TIMED
        else {"cause": cause}
        for cause, time in causes.items()
    ]
