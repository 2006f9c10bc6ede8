"""VROOM's plan mode: the times of given routes, and the rules they break."""

from __future__ import annotations

import math
import operator
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.mip import MixedProgram
from ncc_routing.desk.vroom import BREAK, END, START, read_planned
from ncc_routing.desk.vroom_answer import (
    DrivenRoute,
    Stop,
    compose,
    lengths_of,
)
from ncc_routing.problems.constraints import CONSTRAINTS, ROUTE_LIMITS
from ncc_routing.problems.routes.schedules import measure_route, schedule_route
from ncc_routing.problems.values import NO_LIMIT, exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.desk.table_options import TableOptions
    from ncc_routing.desk.vroom import PlannedStep
    from ncc_routing.problems.breaks import Break
    from ncc_routing.problems.instance import Instance

Windows = list[tuple[int, int]]


def choose_times(
    source: object, name: str, content: Any, options: TableOptions
) -> dict[str, Any]:
    """Return VROOM's answer with the routes of the steps.

    The sum of violations of time windows is the least, then the time between
    start and end, then the sum of all starts of service.

    Raises
    ------
    InstanceError
        If an entry is wrong, or a route cannot keep the times of its steps.
    """
    begin = monotonic()
    instance, planned = read_planned(source, name, content, options)
    read = monotonic()
    routes = [
        _route_of(source, instance, vehicle_type, steps)
        for vehicle_type, steps in enumerate(planned)
        if steps
    ]
    served = {one.node for steps in planned for one in steps}
    absent = set(range(1, instance.num_customers + 1)) - served
    seconds = read - begin, monotonic() - read
    return compose(instance, routes, sorted(absent), seconds)


def _route_of(
    source: object,
    instance: Instance,
    vehicle_type: int,
    steps: Sequence[PlannedStep],
) -> DrivenRoute:
    route = _PlannedRoute(instance, vehicle_type, steps)
    place = f"vehicles[{vehicle_type}].steps"
    if not route.has_roads:
        raise InstanceError(source, place, "there is no road between two")
    times = route.choose()
    if times is None:
        rule = "cannot all be at the times that they state"
        raise InstanceError(source, place, rule)
    stops = route.stops(times)
    route.judge_times(stops, times)
    route.judge_tasks(stops)
    route.judge_limits(stops)
    return DrivenRoute(vehicle_type, vehicle_type + 1, route.cost(), stops)


class _PlannedRoute:
    """A route in plan mode: what its steps take, and may break."""

    def __init__(
        self,
        instance: Instance,
        vehicle_type: int,
        steps: Sequence[PlannedStep],
    ) -> None:
        self._instance, self._steps = instance, steps
        self._idx = vehicle_type
        self._vehicle = instance.vehicle_types[vehicle_type]
        tasks = [one.node for one in steps if one.node is not None]
        parts = measure_route(instance, tasks, vehicle_type)
        self._visits, costs, self._travel, *work = parts
        self._driving = sum(self._travel)
        self._cost = sum(costs)
        self._loads = schedule_route(
            instance, tasks, vehicle_type, has_open_ends=True
        ).loads
        self._legs = lengths_of(
            instance, vehicle_type, self._visits.tolist(), costs
        )
        visits = zip(*work, strict=True)
        each = [
            (self._break_of(one).duration, 0)
            if one.kind == BREAK
            else next(visits)
            for one in steps
        ]
        each[0] = each[-1] = (0, 0)
        self._service, self._setups = map(list, zip(*each, strict=True))
        self._work = [sum(pair) for pair in each]

    def _break_of(self, step: PlannedStep) -> Break:
        return self._vehicle.breaks[step.number]

    @property
    def has_roads(self) -> bool:
        """Whether no arc of the route is forbidden."""
        return math.isfinite(sum(self._travel) + sum(self._legs))

    def _windows(self, step: PlannedStep) -> Windows:
        """Return when the service of a step may start."""
        if step.kind == START:
            return [(self._vehicle.tw_early, NO_LIMIT)]
        if step.kind == END:
            return [(0, self._vehicle.tw_late)]
        if step.kind == BREAK:
            return list(self._break_of(step).windows)
        windows = self._instance.windows
        if windows is None or step.node is None:
            return [(0, NO_LIMIT)]
        return windows.windows_of(step.node)

    def _gaps(self) -> Iterator[tuple[int, int, float]]:
        """Yield the steps with an arc between them, and its duration.

        Breaks lie on the arc.
        """
        placed = [
            at for at, one in enumerate(self._steps) if one.kind != BREAK
        ]
        for (tail, head), travel in zip(
            pairwise(placed), self._travel, strict=True
        ):
            yield tail, head, travel

    def choose(self) -> list[float] | None:
        """Return when each step starts; ``None``: steps exclude each other."""
        steps = self._steps
        count = len(steps)
        windows = list(map(self._windows, steps))
        known = [
            time
            for each, step in zip(windows, steps, strict=True)
            for pair in (*each, (step.earliest, step.latest))
            for time in pair
            if 0 < time < NO_LIMIT
        ]
        work = sum(self._travel) + sum(self._work)
        base = max(0.0, min(known, default=0) - work)
        num_choices = sum(map(len, windows))
        size = 2 * count + num_choices
        lower, upper = np.zeros(size), np.full(size, math.inf)
        lower[:count] = [max(0, one.earliest - base) for one in steps]
        upper[:count] = [
            one.latest - base if one.latest < NO_LIMIT else math.inf
            for one in steps
        ]
        upper[2 * count :] = 1.0
        if (lower > upper).any():
            return None
        is_whole = np.arange(size) >= 2 * count
        program = MixedProgram(lower, upper, is_whole)
        choice = 2 * count
        longest = max([*known, base], default=0) - base + 2 * work + 1
        for at, each in enumerate(windows):
            chosen = range(choice, choice := choice + len(each))
            program.add_row(dict.fromkeys(chosen, 1.0), 1.0, 1.0)
            late = [min(pair[1] - base, longest) for pair in each]
            if any(pair[0] > base for pair in each):
                terms = {
                    column: base - pair[0]
                    for column, pair in zip(chosen, each, strict=True)
                }
                program.add_row({at: 1.0, count + at: 1.0, **terms}, 0.0)
            if all(pair[1] < NO_LIMIT for pair in each):
                terms = {c: -x for c, x in zip(chosen, late, strict=True)}
                terms |= {at: 1.0, count + at: -1.0}
                program.add_row(terms, -math.inf, 0.0)
        for at in range(count - 1):
            row = {at + 1: 1.0, at: -1.0}
            program.add_row(row, self._work[at])
        for tail, head, travel in self._gaps():
            between = sum(self._work[tail:head])
            program.add_row({head: 1.0, tail: -1.0}, travel + between)
        violations = dict.fromkeys(range(count, 2 * count), 1.0)
        values = program.minimise(
            violations,
            {count - 1: 1.0, 0: -1.0},
            dict.fromkeys(range(count), 1.0),
        )
        return None if values is None else (values[:count] + base).tolist()

    def stops(self, times: Sequence[float]) -> list[Stop]:
        """Return the steps with their arrivals and loads."""
        loads = iter(self._loads)
        arrivals, legs = self._arrivals(times)
        stops: list[Stop] = []
        for at, step in enumerate(self._steps):
            load = stops[-1].load if stops else ()
            if step.kind != BREAK:
                load = next(loads) if step.kind != END else load
            node = step.node
            if step.kind in (START, END):
                node = int(self._visits[0 if step.kind == START else -1])
                node = None if node == len(self._instance.demands) else node
            stops.append(
                Stop(
                    *(step.kind, node, arrivals[at], times[at], load),
                    setup=self._setups[at],
                    service=self._service[at],
                    leg=legs[at],
                    name=self._break_of(step).name
                    if step.kind == BREAK
                    else "",
                )
            )
        return stops

    def _arrivals(
        self, times: Sequence[float]
    ) -> tuple[list[float], list[float]]:
        """Return arrivals at and lengths to the steps; travel is early."""
        arrivals, legs = [times[0]], [0.0]
        for (tail, head, travel), leg in zip(
            self._gaps(), self._legs, strict=True
        ):
            left, rest = times[tail] + self._work[tail], travel
            for at in range(tail + 1, head + 1):
                done = rest if at == head else min(rest, times[at] - left)
                arrivals.append(left + done)
                share = done / travel if travel else float(at == head)
                legs.append(leg * share)
                left, rest = times[at] + self._work[at], rest - done
        return arrivals, legs

    def judge_times(self, stops: list[Stop], times: Sequence[float]) -> None:
        """Note by how much steps miss their windows."""
        for step, stop, time in zip(self._steps, stops, times, strict=True):
            early, late = min(
                self._windows(step),
                key=lambda pair: max(pair[0] - time, time - pair[1]),
            )
            if round(early - time) > 0:
                stop.violations["lead_time"] = early - time
            if round(time - late) > 0:
                stop.violations[CONSTRAINTS["window"].vroom] = time - late

    def judge_tasks(self, stops: list[Stop]) -> None:
        """Note loads, skills and shipments that break a rule."""
        allowed = self._instance.allowed_types()
        capacities = self._vehicle.capacities
        pairs = {one.pickup: one.delivery for one in self._instance.shipments}
        order = {stop.node: at for at, stop in enumerate(stops)}
        deliveries = {end: start for start, end in pairs.items()}
        last = len(stops) - 1
        for at, stop in enumerate(stops):
            pairs_of_loads = zip(stop.load, capacities, strict=True)
            if any(load > most for load, most in pairs_of_loads):
                stop.violations[CONSTRAINTS["capacity"].vroom] = 0
            if at in (0, last) or stop.node is None:
                continue
            if allowed is not None and not allowed[self._idx][stop.node]:
                stop.violations[CONSTRAINTS["skill"].vroom] = 0
            before = order.get(deliveries.get(stop.node), -1)
            after = order.get(pairs.get(stop.node), -1)
            if (stop.node in deliveries and not 0 <= before < at) or (
                stop.node in pairs and after < at
            ):
                stop.violations[CONSTRAINTS["shipment"].vroom] = 0

    def judge_limits(self, stops: list[Stop]) -> None:
        """Note where a route becomes too long, and what breaks lack."""
        vehicle, distance, num_tasks = self._vehicle, 0.0, 0
        driving = dict.fromkeys(range(len(stops)), 0.0)
        driving |= {head: travel for _, head, travel in self._gaps()}
        so_far = 0.0
        for at, (step, stop) in enumerate(
            zip(self._steps, stops, strict=True)
        ):
            is_task = step.node is not None
            distance, num_tasks = distance + stop.leg, num_tasks + is_task
            so_far += driving[at]
            amounts = {
                "distance": distance,
                "num_stops": num_tasks * is_task,
                "driving": so_far,
            }
            for each in ROUTE_LIMITS:
                value = amounts.get(each.amount, 0.0)
                if exceeds(value, getattr(vehicle, each.field)):
                    stop.violations[each.vroom] = 0
            most: Sequence[int] = ()
            if step.kind == BREAK:
                most = self._break_of(step).max_load or ()
            if any(map(operator.gt, stop.load, most)):
                stop.violations["max_load"] = 0
        taken = {one.number for one in self._steps if one.kind == BREAK}
        if len(taken) < len(vehicle.breaks):
            stops[-1].violations[CONSTRAINTS["break"].vroom] = 0

    def cost(self) -> float:
        """Return the cost of the route, without waiting."""
        vehicle = self._vehicle
        cost = vehicle.fixed_cost + vehicle.unit_distance_cost * self._cost
        return cost + vehicle.unit_driving_cost * self._driving
