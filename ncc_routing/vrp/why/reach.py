"""Customers that no vehicle can serve, and why.

A route takes no less than the shortest paths to a customer and back, which
may visit others. The conditions are necessary: no customer is named that some
route can serve.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.problems.constraints import FINDING, say
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.values import NO_LIMIT, exceed
from ncc_routing.vrp.why.arcs import (
    DISTANCE,
    DRIVING,
    DURATION,
    Arcs,
    drive,
)
from ncc_routing.vrp.why.findings import Finding, finding, listed
from ncc_routing.vrp.why.rests import earliest_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance

    Lengths = Callable[[int, int, int, bool], np.ndarray]
    Numbers = dict[str, Any]

_STEPS: Final = {
    "arc": ("there_and_back", "longest"),
    "start": ("shift_start", "depot_closes"),
    "release": ("earliest_start", "latest_start"),
    "window": ("service_start", "closes"),
    "return": ("earliest_return", "latest_return"),
    "shift": ("duration", "max_duration"),
    "break": ("earliest_end", "latest_return"),
    "distance": ("distance", "max_distance"),
    "driving": ("driving", "max_driving_time"),
}
"""In the order in which a route meets them: the number and its limit."""


class _Case(NamedTuple):
    """A customer and the vehicle type that comes nearest to serving it."""

    customer: int
    step: str
    idx: int  # of the vehicle type
    numbers: Numbers
    # The largest capacity of those that only cannot carry its demand, else -1.
    room: int


def find_oversized(instance: Instance) -> list[Finding]:
    """Return a finding for each customer whose goods no vehicle can hold."""
    return [
        finding(
            instance,
            "demand",
            f"no vehicle can serve {instance.describe_node(node)}: {why}",
            [node],
        )
        for node, why in sorted(instance.oversized.items())
    ]


def find_late_deliveries(instance: Instance) -> list[Finding]:
    """Return a finding for each delivery that closes before its pickup."""
    windows = instance.windows
    if windows is None:
        return []
    findings = []
    for one in instance.shipments:
        opens = int(windows.tw_early[one.pickup])
        closes = int(windows.tw_late[one.delivery])
        if closes < opens and instance.required[one.pickup]:
            why = say(
                *(instance, "window", FINDING, "shipment"),
                **{"closes": closes, "pickup": one.pickup, "opens": opens},
            )
            who = instance.describe_node(one.delivery)
            message = f"no vehicle can serve {who}: {why}"
            ends = [one.pickup, one.delivery]
            findings.append(finding(instance, "window", message, ends))
    return findings


def find_unreachable(instance: Instance, arcs: Arcs) -> list[Finding]:
    """Return a finding for each customer that no vehicle can serve.

    Customers without any arc who are connected with each other are one
    finding.
    """
    lost = _cases(arcs, arcs.customers, arcs.direct)
    if lost and not arcs.is_metric:  # others may lie on a path to them
        suspects = np.array([case.customer for case in lost])
        lost = _cases(arcs, suspects, arcs.shortest)
    apart = [
        case.customer for case in lost if case.step == "arc" and case.room < 0
    ]
    groups = [group for group in _groups(arcs, apart) if len(group) > 1]
    grouped = {customer for group in groups for customer in group}
    findings = [_describe_group(instance, group) for group in groups]
    findings += [
        _describe(instance, case)
        for case in lost
        if case.customer not in grouped
    ]
    return sorted(findings, key=lambda each: each.customers)


def _cases(arcs: Arcs, customers: np.ndarray, lengths: Lengths) -> list[_Case]:
    size = len(customers)
    # How far the best type comes, and by how much it breaks the next limit.
    reached, excess = np.full(size, -1), np.full(size, np.inf)
    best, room = np.zeros(size, dtype=int), np.full(size, -1)
    is_served = np.zeros(size, dtype=bool)
    routes = []
    for place, vehicle_type in enumerate(arcs.types):
        route = _route(arcs, vehicle_type, customers, lengths)
        values, limits = _against_limits(route, size)
        broken = exceed(values, limits)
        is_whole = ~broken.any(axis=0)
        step = np.where(is_whole, len(_STEPS), broken.argmax(axis=0))
        over = (values - limits)[broken.argmax(axis=0), np.arange(size)]
        is_carried = route["demand"] <= vehicle_type.capacity
        is_served |= is_carried & is_whole
        is_small = ~is_carried & is_whole
        room[is_small] = np.maximum(room[is_small], vehicle_type.capacity)
        is_better = step > reached
        is_better |= (step == reached) & (over < excess)
        is_better &= is_carried
        reached = np.where(is_better, step, reached)
        excess = np.where(is_better, over, excess)
        best = np.where(is_better, place, best)
        routes.append(route)
    types, steps = list(arcs.types.values()), list(_STEPS)
    return [
        _Case(
            int(customers[at]),
            steps[reached[at]],
            types[best[at]][0],
            {
                name: np.broadcast_to(values, size)[at].item()
                for name, values in routes[best[at]].items()
            },
            int(room[at]),
        )
        for at in np.flatnonzero(~is_served)
    ]


def _against_limits(
    route: Numbers, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of each step and its limit, for each customer."""
    values, limits = (
        np.array([np.broadcast_to(route[name], size) for name in side])
        for side in zip(*_STEPS.values(), strict=True)
    )
    return values, limits


def limits_broken_alone(
    arcs: Arcs, customers: Sequence[int]
) -> dict[tuple[int, int], set[str]]:
    """Return what a vehicle breaks with a customer, whomever else it serves.

    The keys are customers and vehicle types, the values kinds of reasons.
    """
    given, broken_by = arcs.given, defaultdict[tuple[int, int], set[str]](set)
    types = given.vehicle_types
    pickups = given.deliveries + given.load_changes
    amounts = np.maximum(given.deliveries, pickups)
    for idx, vehicle_type in enumerate(types):
        over = amounts[customers] > vehicle_type.capacities
        for at, dim in np.argwhere(over).tolist():
            kind = f"capacity {dim + 1}" if dim else "capacity"
            broken_by[customers[at], idx].add(kind)
    constraints = given.constraints or RouteConstraints()
    for kind, alone in (
        ("skill", RouteConstraints(skills=constraints.skills)),
        ("pin", RouteConstraints(vehicles=constraints.vehicles)),
    ):
        may = alone.allowed_types(types, len(given.demands))
        if may is not None:
            for idx, at in np.argwhere(~may[:, customers]).tolist():
                broken_by[customers[at], idx].add(kind)
    for vehicle_type, numbers in arcs.types.items():
        lost, steps = np.array(customers, dtype=int), []
        for lengths in (arcs.direct, arcs.shortest)[: 2 - arcs.is_metric]:
            if len(lost) > 0:
                route = _route(arcs, vehicle_type, lost, lengths)
                broken = exceed(*_against_limits(route, len(lost)))
                is_lost = broken.any(axis=0)
                lost = lost[is_lost]
                steps = broken.argmax(axis=0)[is_lost].tolist()
        for customer, step in zip(lost.tolist(), steps, strict=True):
            name = list(_STEPS)[step]
            for idx in numbers:
                kind = "start" if name == "release" else name
                broken_by[customer, idx].add(kind)
    return broken_by


def _route(
    arcs: Arcs,
    vehicle_type: VehicleType,
    customers: np.ndarray,
    lengths: Lengths,
) -> Numbers:
    """Return what routes of one customer each take at least, and limits.

    Each is a number, or one for each customer.
    """
    windows, road = arcs.windows_of(vehicle_type), arcs.road_of(vehicle_type)
    first, last = arcs.instance.ends_of(vehicle_type)
    (there, back), (far, far_back), driven = (
        (
            lengths(measure, road, first, False)[customers],
            lengths(measure, road, last, True)[customers],
        )
        for measure in (DURATION, DISTANCE, DRIVING)
    )
    opens, closes, service, release = (
        times[customers]
        for times in (
            windows.tw_early,
            windows.tw_late,
            windows.service_durations,
            windows.release_times,
        )
    )
    ends, stops = (first, last), [customers]
    route = drive(windows, vehicle_type, ends, stops, (there, back), release)
    (arrival,) = route.arrivals
    depot_closes = int(windows.tw_late[first])
    rested = sum(one.duration for one in vehicle_type.breaks)
    duration, ended = route.duration, route.returned
    if rested:
        work = windows.service_durations[first] + service
        duration = np.maximum(duration, there + back + work + rested)
        start = np.maximum(vehicle_type.tw_early, release)
        opens_at = windows.tw_early[[first, last]]
        ended = earliest_end(
            vehicle_type.breaks,
            np.maximum(start, opens_at[0]) + windows.service_durations[first],
            [(there, opens, closes, service), (back, opens_at[1], np.inf, 0)],
        )
    return {
        "demand": arcs.instance.demands[customers],
        "capacity": vehicle_type.capacity,
        "opens": opens,
        "closes": closes,
        "service": service,
        "release": release,
        "shift_start": vehicle_type.tw_early,
        "depot_closes": depot_closes,
        "earliest_start": np.maximum(vehicle_type.tw_early, release),
        "latest_start": min(vehicle_type.start_late, depot_closes),
        "earliest_arrival": arrival,
        "service_start": np.maximum(arrival, opens),
        "earliest_return": route.returned,
        "latest_return": min(vehicle_type.tw_late, int(windows.tw_late[last])),
        "duration": duration,
        "max_duration": vehicle_type.shift_duration,
        "earliest_end": ended,
        "distance": far + far_back,
        "max_distance": vehicle_type.max_distance,
        "driving": sum(driven),
        "max_driving_time": vehicle_type.max_driving_time,
        "there_and_back": there + back,
        "longest": NO_LIMIT,
    }


def _describe(instance: Instance, case: _Case) -> Finding:
    types = instance.vehicle_types
    numbers = case.numbers | {
        name: instance.stated_load(int(case.numbers[name]))
        for name in ("demand", "capacity")
    }
    vehicle_type = types[case.idx]
    why = _why(instance, case.step, vehicle_type, numbers)
    step = case.step
    if len(types) > 1:
        name = vehicle_type.name
        why += f" (vehicle type {case.idx}{name and f', {name}'})"
    if case.room >= 0:
        step = "demand"
        why = say(
            *(instance, "capacity", FINDING, "otherwise"),
            **{"demand": numbers["demand"], "why": why},
            room=instance.stated_load(case.room),
        )
    who = instance.describe_node(case.customer)
    text = f"no vehicle can serve {who}: {why}"
    return finding(instance, step, text, [case.customer], numbers)


def _why(
    instance: Instance, step: str, vehicle_type: VehicleType, of: Numbers
) -> str:
    variant = ""
    if step == "release":
        step, variant = "start", "release"
    elif step == "return":
        if of["service"] > of["latest_return"] - of["shift_start"]:
            variant = "service"
        elif of["opens"] > of["earliest_arrival"]:
            variant = "opening"
    return say(
        *(instance, step, FINDING, variant), breaks=vehicle_type.breaks, **of
    )


def _describe_group(instance: Instance, group: list[int]) -> Finding:
    return finding(
        instance,
        "group",
        f"{say(instance, 'arc', FINDING)}, to "
        f"{len(group)} customers that are connected with each other: "
        f"{listed(instance, group)}",
        group,
    )


def _groups(arcs: Arcs, customers: list[int]) -> Iterator[list[int]]:
    left = set(customers)
    profiles = sorted({vehicle_type.profile for vehicle_type in arcs.types})
    while left:
        group = [left.pop()]
        for node in group:  # which grows
            lengths = [
                arcs.direct(DISTANCE, profile, node, is_back)
                for profile in profiles
                for is_back in (False, True)
            ]
            near = np.flatnonzero(np.isfinite(lengths).any(axis=0)).tolist()
            more = left.intersection(near)
            left -= more
            group += sorted(more)
        yield sorted(group)
