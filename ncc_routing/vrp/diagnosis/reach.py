"""Customers that no vehicle can serve, and why.

A route takes no less than the shortest paths to a customer and back, which
may visit others. The conditions are necessary: no customer is named that some
route can serve.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.tolerances import widened
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.diagnosis.findings import finding, listed
from ncc_routing.vrp.diagnosis.ways import DISTANCE, DURATION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.diagnosis.findings import Finding
    from ncc_routing.vrp.diagnosis.ways import Ways

    Lengths = Callable[[int, int, int, bool], np.ndarray]

_STEPS: Final = (
    *("arc", "start", "release", "window", "return", "shift", "distance"),
)
"""Limits in the order in which a route meets them."""


class _Route(NamedTuple):
    """What routes of one customer each take: numbers, or one for each."""

    way: np.ndarray
    start: float
    depot_closes: float
    leave: np.ndarray
    latest_start: float
    arrival: np.ndarray
    begin: np.ndarray
    back: np.ndarray
    end: float
    duration: np.ndarray
    distance: np.ndarray


class _Case(NamedTuple):
    """A customer and the vehicle type that comes nearest to serving it."""

    customer: int
    step: str
    idx: int  # of the vehicle type
    route: dict[str, float]
    # The largest capacity of those that only cannot carry its demand, else -1.
    room: int


def exceed(
    values: np.ndarray | float, limits: np.ndarray | float
) -> np.ndarray:
    """Return where limits are broken; sums of real numbers have errors."""
    return np.asarray(values > widened(np.asarray(limits)))


def find_unreachable(instance: Instance, ways: Ways) -> list[Finding]:
    """Return a finding for each customer that no vehicle can serve.

    Customers without any way that are connected with each other are one
    finding.
    """
    lost = _cases(ways, ways.customers, ways.direct)
    if lost and not ways.is_metric:  # others may lie on a path to them
        suspects = np.array([case.customer for case in lost])
        lost = _cases(ways, suspects, ways.shortest)
    apart = [
        case.customer for case in lost if case.step == "arc" and case.room < 0
    ]
    groups = [group for group in _groups(ways, apart) if len(group) > 1]
    grouped = {customer for group in groups for customer in group}
    found = [_describe_group(instance, group) for group in groups]
    found += [
        _describe(instance, case)
        for case in lost
        if case.customer not in grouped
    ]
    return sorted(found, key=lambda each: each.customers)


def _cases(ways: Ways, customers: np.ndarray, lengths: Lengths) -> list[_Case]:
    """Return those of some customers that no vehicle serves by such ways."""
    demands = ways.instance.demands[customers]
    # How far the best type comes, and by how much it breaks the next limit.
    reached = np.full(len(customers), -1)
    excess = np.full(len(customers), np.inf)
    best = np.zeros(len(customers), dtype=int)
    is_served = np.zeros(len(customers), dtype=bool)
    room = np.full(len(customers), -1)
    routes = []
    for place, kind in enumerate(ways.types):
        route = _route(ways, kind, customers, lengths)
        values, limits = _judge(route, kind, ways, customers)
        broken = exceed(values, limits)
        step = np.where(broken.any(axis=0), broken.argmax(axis=0), len(broken))
        is_carried = demands <= kind.capacity
        is_served |= is_carried & (step == len(broken))
        is_near = ~is_carried & (step == len(broken))
        room[is_near] = np.maximum(room[is_near], kind.capacity)
        over = (values - limits)[
            np.minimum(step, len(broken) - 1), np.arange(len(customers))
        ]
        is_better = is_carried & (
            (step > reached) | ((step == reached) & (over < excess))
        )
        reached[is_better], excess[is_better] = (
            step[is_better],
            over[is_better],
        )
        best[is_better] = place
        routes.append(route)
    types = list(ways.types.values())
    return [
        _Case(
            int(customers[at]),
            _STEPS[reached[at]],
            types[best[at]][0],
            {
                name: float(np.broadcast_to(values, len(customers))[at])
                for name, values in routes[best[at]]._asdict().items()
            },
            int(room[at]),
        )
        for at in np.flatnonzero(~is_served)
    ]


def _route(
    ways: Ways, kind: VehicleType, customers: np.ndarray, lengths: Lengths
) -> _Route:
    """Return what routes of one customer each take at least."""
    windows, depots = ways.windows, ways.instance.depots
    first, last = depots[kind.start_depot], depots[kind.end_depot]
    there, back = (
        lengths(DURATION, kind.profile, place, is_back)[customers]
        for place, is_back in ((first, False), (last, True))
    )
    distance = lengths(DISTANCE, kind.profile, first, False)[customers]
    distance = (
        distance + lengths(DISTANCE, kind.profile, last, True)[customers]
    )
    work = int(windows.service_durations[first])
    service = windows.service_durations[customers]
    leave = np.maximum(kind.tw_early, windows.release_times[customers])
    closes = int(windows.tw_late[first])
    arrival = np.maximum(leave, windows.tw_early[first]) + work + there
    begin = np.maximum(arrival, windows.tw_early[customers])
    end = min(kind.tw_late, int(windows.tw_late[last]))
    earliest = max(kind.tw_early, int(windows.tw_early[last]))
    returned = np.maximum(begin + service + back, earliest)
    # The latest start that reaches all in time: what comes before it waits.
    latest = np.minimum(windows.tw_late[customers], end - back - service)
    latest = np.minimum(latest - there - work, min(closes, kind.start_late))
    driven = work + there + service + back
    with np.errstate(invalid="ignore"):  # of a way that there is not
        duration = np.fmax(driven, returned - latest)
    return _Route(
        way=there + back,
        start=kind.tw_early,
        depot_closes=closes,
        leave=leave,
        latest_start=min(kind.start_late, closes),
        arrival=arrival,
        begin=begin,
        back=returned,
        end=end,
        duration=duration,
        distance=distance,
    )


def _judge(
    route: _Route, kind: VehicleType, ways: Ways, customers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all steps, and their limits."""
    pairs = (
        (route.way, NO_LIMIT),
        (route.start, route.depot_closes),
        (route.leave, route.latest_start),
        (route.begin, ways.windows.tw_late[customers]),
        (route.back, route.end),
        (route.duration, kind.shift_duration),
        (route.distance, kind.max_distance),
    )
    size = len(customers)
    values, limits = (
        np.array([np.broadcast_to(each, size) for each in side], float)
        for side in zip(*pairs, strict=True)
    )
    return values, limits


def _describe(instance: Instance, case: _Case) -> Finding:
    """Return the finding of a customer."""
    types = instance.vehicle_types
    numbers = _numbers(instance, case)
    why = _why(instance, case.step, numbers)
    step, demand = case.step, int(instance.demands[case.customer])
    if len(types) > 1:
        name = types[case.idx].name
        why += f" (vehicle type {case.idx}{name and f', {name}'})"
    if case.room >= 0:
        step = "demand"
        why = (
            f"its demand of {demand} is above {case.room}, the largest "
            f"capacity of the vehicles that could serve it otherwise; of the "
            f"larger ones, {why}"
        )
    who = instance.describe_node(case.customer)
    text = f"no vehicle can serve {who}: {why}"
    return finding(instance, step, text, [case.customer], numbers)


def _numbers(instance: Instance, case: _Case) -> dict[str, float]:
    """Return the values of a case by name."""
    node, kind, route = (
        case.customer,
        instance.vehicle_types[case.idx],
        case.route,
    )
    numbers: dict[str, float] = {
        "demand": instance.demands[node],
        "capacity": kind.capacity,
        "shift_start": route["start"],
        "latest_start": route["latest_start"],
        "earliest_arrival": route["arrival"],
        "earliest_return": route["back"],
        "latest_return": route["end"],
        "duration": route["duration"],
        "max_duration": kind.shift_duration,
        "distance": route["distance"],
        "max_distance": kind.max_distance,
        "depot_closes": route["depot_closes"],
        "there_and_back": route["way"],
    }
    if instance.windows is not None:
        windows = instance.windows
        numbers |= {
            "opens": windows.tw_early[node],
            "closes": windows.tw_late[node],
            "service": windows.service_durations[node],
            "release": windows.release_times[node],
        }
    return numbers


def _why(instance: Instance, step: str, of: dict[str, float]) -> str:
    """Return in words which limit is broken, and by what."""
    at = instance.time_form.text
    lasting = partial(at, is_duration=True)
    if step == "arc":
        return "forbidden arcs leave no way there from a depot, or none back"
    if step == "start":
        return (
            f"its vehicle starts at {at(of['shift_start'])} at the earliest, "
            f"after its depot closes at {at(of['depot_closes'])}"
        )
    if step == "release":
        return (
            f"its goods are released at {at(of['release'])}, after the latest "
            f"start at {at(of['latest_start'])}"
        )
    if step == "window":
        return (
            f"it is reached at {at(of['earliest_arrival'])} at the earliest, "
            f"after its window from {at(of['opens'])} to {at(of['closes'])}"
        )
    if step == "return":
        opening = ""
        if of.get("opens", 0) > of["earliest_arrival"]:
            opening = f"its window opens at {at(of['opens'])}, and "
        return (
            f"{opening}a vehicle is back at {at(of['earliest_return'])} at "
            f"the earliest, after its end at {at(of['latest_return'])}"
        )
    if step == "shift":
        return (
            f"its route alone takes {lasting(of['duration'])}, with shifts of "
            f"at most {lasting(of['max_duration'])}"
        )
    return (
        f"its route alone is {of['distance']:.12g} long, with a maximum "
        f"distance of {of['max_distance']:.12g}"
    )


def _describe_group(instance: Instance, group: list[int]) -> Finding:
    """Return the finding of customers without a way."""
    return finding(
        instance,
        "group",
        "forbidden arcs leave no way there from a depot, or none back, to "
        f"{len(group)} customers that are connected with each other: "
        f"{listed(instance, group)}",
        group,
    )


def _groups(ways: Ways, customers: list[int]) -> Iterator[list[int]]:
    """Yield some customers by what is connected in either direction."""
    left = set(customers)
    profiles = sorted({kind.profile for kind in ways.types})
    while left:
        group = [left.pop()]
        for node in group:  # which grows
            arcs = [
                ways.direct(DISTANCE, profile, node, is_back)
                for profile in profiles
                for is_back in (False, True)
            ]
            near = np.flatnonzero(np.isfinite(arcs).any(axis=0)).tolist()
            more = left.intersection(near)
            left -= more
            group += sorted(more)
        yield sorted(group)
