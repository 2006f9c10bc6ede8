"""Checks of an answer, so that errors of a search show.

Lengths, loads and costs are computed again, by code that no search runs, and
the times of its schedule are followed.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.params import require_type
from ncc_routing.core.text import counted
from ncc_routing.problems.ccp.clusters import Clustering
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.constraints import ROUTE_LIMITS, broken
from ncc_routing.problems.distances import EARTH_RADIUS
from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.price_steps import price_of
from ncc_routing.problems.routes._following import FollowedRoute, Stop
from ncc_routing.problems.routes._hours_checks import broken_hours
from ncc_routing.problems.routes._rule_checks import broken_rules
from ncc_routing.problems.routes._trip_rules import (
    Amounts,
    broken_loads,
    broken_reloads,
    broken_shipments,
    owed_breaks,
    split_trips,
)
from ncc_routing.problems.routes.balanced_routes import (
    balanced_amounts,
    broken_balance,
)
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import (
    COST_TOLERANCE,
    LOAD_TOLERANCE,
    NO_LIMIT,
    exceeds,
    rounds_to,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.route_constraints import InProgressRoute

_NO_COST: Final = 1e-12
"""Cost up to which a clustering counts as one of no cost at all, where the
largest coordinate is 1."""

_ROUNDED: Final[dict[str, Callable[[np.ndarray], np.ndarray]]] = {
    "nearest": lambda lengths: np.floor(lengths + 0.5),
    "ceil": np.ceil,
    "floor": np.floor,
    "exact": lambda lengths: np.floor(lengths + 0.5),
    "dimacs": np.floor,
    "none": np.positive,
}
"""What each ``Instance.rounding`` makes of scaled lengths."""

_Broken = tuple[str, str]
"""The kind of a violation, and its words."""

_NO_HOURS: Final = HoursSoFar()

_SCALES: Final = {"exact": 1000.0, "dimacs": 10.0}
"""Their units."""


@dataclass(frozen=True)
class Violation:
    """One broken rule.

    Parameters
    ----------
    kind
        "unknown", "duplicate", "missing", "group", "shipment", "capacity",
        "empty", "vehicles", "reload", "goods" (not loaded yet), "arc",
        "window", "break", "shift", "hours", "distance", "driving", "stops",
        "waiting", "wait", "load", "spread" or "cost"; "stated" of what an
        answer says beside its routes; "limit", "link", "fixed", "center" or
        "graph" of clusters; of the constraints
        "skill", "pin", "together" (one route), "apart" (different routes),
        "order", "district" or "in_progress".
    message
        The rule and the values in words.
    """

    kind: str
    message: str


def check_solution(instance: Instance, solution: Solution) -> list[Violation]:
    """Return every violation of a solution.

    The rules are: each required customer is visited exactly once, an optional
    one at most once, and of a group at most one, or exactly one if it is
    required; both stops of a shipment are on one trip in their order; no load
    exceeds its capacity; no route is empty; no vehicle type has more routes
    than vehicles; reloads and limits on distance, duration, driving time,
    stops, least load and spread are kept; no arc is forbidden; each service
    begins within one of its time windows; each route has its breaks, and the
    rests of its hours of service;
    ``Instance.constraints`` hold; and the stated cost is that of the routes
    their balances and the lost prizes.

    Parameters
    ----------
    instance
        The instance.
    solution
        The solution to check.

    Returns
    -------
    list[Violation]
        All violations; empty for a feasible solution with the right cost. With
        an unknown customer or vehicle type, times, distances, route
        constraints and the cost are not checked.
    """
    require_type("instance", instance, Instance)
    require_type("solution", solution, Solution)
    found = [
        *_check_coverage(instance, solution),
        *_check_vehicles(instance, solution),
    ]
    is_known = all(kind != "unknown" for kind, _ in found)
    cost, broken_by = _check_alone(instance, solution, is_known=is_known)
    found += broken_by
    if is_known and not math.isinf(cost):  # nowhere, or by a forbidden arc
        found += _check_cost(instance, solution, cost)
    return [Violation(*each) for each in found]


def check_routes(instance: Instance, solution: Solution) -> list[Violation]:
    """Return the violations of some routes; customers on none do not matter.

    As of ``check_solution``, for customers and vehicle types that there are:
    whether customers are missing or visited twice, vehicles suffice and the
    cost is right is not looked at.
    """
    found = [*broken_shipments(instance, solution.routes)]
    found += _check_alone(instance, solution)[1]
    return [Violation(*each) for each in found]


def _check_alone(
    instance: Instance, solution: Solution, *, is_known: bool = True
) -> tuple[float, list[_Broken]]:
    """Return the cost of the routes, and what each of them breaks."""
    found: list[_Broken] = []
    amounts, depots = Amounts.of(instance), set(instance.depots)
    for number, route in enumerate(solution.routes, start=1):
        if depots.issuperset(route):
            found.append(broken(instance, "empty", route=number))
        vehicle = begun = None
        if is_known:
            idx = solution.vehicle_types[number - 1]
            vehicle = instance.vehicle_types[idx]
            begun = instance.begun(route, idx)
            reloads = broken_reloads(instance, route, vehicle)
            found += _of_route(number, reloads)
        loads = broken_loads(instance, route, vehicle, amounts, begun)
        found += _of_route(number, loads)
    if not is_known:
        return 0.0, found  # there is no distance to nowhere
    found += broken_rules(instance, solution)
    cost, more = _check_routes(instance, solution, amounts)
    return cost, found + more


def _of_route(number: int, found: Iterable[_Broken]) -> Iterator[_Broken]:
    for kind, text in found:
        yield kind, f"route {number} {text}"


def _check_cost(
    instance: Instance, solution: Solution, cost: float
) -> Iterator[_Broken]:
    """Yield a stated cost other than that of the routes and lost prizes."""
    cost += _lost_prizes(instance, solution)
    types = [instance.vehicle_types[idx] for idx in solution.vehicle_types]
    # Negative fixed costs may leave less than what the sums are rounded by.
    noise = COST_TOLERANCE * sum(abs(each.fixed_cost) for each in types)
    if not math.isclose(
        cost, solution.cost, rel_tol=COST_TOLERANCE, abs_tol=noise
    ) and not rounds_to(cost, solution.cost):
        text = f"the stated cost is {solution.cost:.10g}, the routes add up "
        yield "cost", f"{text}to {cost:.10g}"


def _lost_prizes(instance: Instance, solution: Solution) -> float:
    """Return the prizes of the customers on no route."""
    if instance.selection is None:
        return 0.0
    served = set(chain.from_iterable(solution.routes))
    prizes = enumerate(instance.selection.prizes.tolist())
    return float(sum(prize for node, prize in prizes if node not in served))


def _check_vehicles(
    instance: Instance, solution: Solution
) -> Iterator[_Broken]:
    """Yield vehicles that the routes take and that there are not."""
    if len(solution.vehicle_types) != len(solution.routes):
        text = f"{len(solution.vehicle_types)} vehicle types are given for "
        text += counted(len(solution.routes), "route")
        yield "unknown", text
        return
    types = instance.vehicle_types
    for idx, count in sorted(Counter(solution.vehicle_types).items()):
        if idx not in range(len(types)):
            yield "unknown", f"there is no vehicle type {idx}"
            continue
        available = types[idx].num_available
        if available is not None and count > available:
            which = f" of type {idx}" if len(types) > 1 else ""
            vehicles = f"{counted(available, 'vehicle')}{which}"
            values = {"value": count, "vehicles": vehicles}
            yield broken(instance, "vehicles", **values)


class MeasuredRoute(NamedTuple):
    """A route: its nodes from depot to depot, and the arcs between them."""

    nodes: list[int]
    distances: list[float]
    durations: list[float]

    def setups(
        self, instance: Instance, vehicle_type: VehicleType
    ) -> list[int]:
        """Return the set-up at each node: none where the vehicle is there."""
        own: Sequence[int] = vehicle_type.setup_durations
        size = len(instance.demands)
        if not own and instance.windows is not None:
            own = instance.windows.setup_durations.tolist()
        setups = [0]
        if not any(own):
            return [0] * len(self.nodes)
        places = [*instance.place_of.tolist(), -1]
        for before, node in pairwise(self.nodes):
            setup = own[node] if node < size else 0
            came = places[before] != places[node]
            setups.append(setup if came else 0)
        return setups


class NodeTimes(NamedTuple):
    """The windows, service and release times of all nodes."""

    early: list[int]
    late: list[int]
    service: list[int]
    release: list[int]
    several: dict[int, list[tuple[int, int]]]


def _check_routes(
    instance: Instance, solution: Solution, amounts: Amounts
) -> tuple[float, list[_Broken]]:
    """Return the cost, and the limits that the routes break."""
    routes = measure_routes(instance, solution)
    if instance.is_unlimited_cvrp:
        return sum(sum(route.distances) for route in routes), []
    times = times_of_nodes(instance)
    cost, broken_by = 0.0, list[_Broken]()
    had: list[Mapping[str, float]] = []
    driven = zip(routes, solution.routes, solution.vehicle_types, strict=True)
    for number, (route, stops, idx) in enumerate(driven, start=1):
        if math.isinf(sum(route.distances) + sum(route.durations)):
            cost = math.inf
            forbidden = _forbidden_arcs(instance, route)
            broken_by += _of_route(number, forbidden)
            continue
        own = instance.vehicle_types[idx].service_durations
        served = times._replace(service=[*own, 0]) if own else times
        paid, own_amounts, found = _check_route(
            instance, route, stops, idx, served, amounts
        )
        cost += paid
        had.append(own_amounts)
        broken_by += _of_route(number, found)
    if math.isinf(cost):
        return cost, broken_by
    of_types = instance.vehicle_types, solution.vehicle_types
    for balance, values in balanced_amounts(*of_types, had):
        cost += balance.price(values)
        broken_by += broken_balance(instance, balance, values)
    return cost, broken_by


def _check_route(
    instance: Instance,
    route: MeasuredRoute,
    stops: Sequence[int],
    idx: int,
    times: NodeTimes,
    amounts: Amounts,
) -> tuple[float, dict[str, float], list[_Broken]]:
    """Return cost and amounts of a route, and what it breaks, in words."""
    vehicle_type = instance.vehicle_types[idx]
    begun = instance.begun(stops, idx)
    past = begun if begun is not None and begun.departures else None
    num_done = len(past.departures) if past else 0
    breaks = owed_breaks(
        *(vehicle_type, route.nodes, instance.depots, amounts),
        first_place=max(1, num_done),
        begun=begun,
    )
    calls = _calls_of(instance, route, times, vehicle_type, past)
    schedule = schedule_route(instance, stops, idx, has_open_ends=True)
    had = past.breaks_taken if past else ()
    followed = FollowedRoute(
        replace(schedule, breaks=schedule.breaks[len(had) :]),
        (calls.earliest, calls.latest),
        calls.by_stop(),
        breaks,
        num_done,
    )
    late = sorted(followed.late.items())
    found = [
        _delay(instance, route, times, vehicle_type, place, delay)
        for place, delay in late
    ]
    if not late:
        found += _faults(instance, followed, vehicle_type, past)
    is_timely = not found
    # It is not said how a late vehicle would have waited.
    duration = schedule.duration if late else followed.duration
    distance, driving = sum(route.distances), sum(route.durations)
    *waits, last_wait = followed.waits[max(1, num_done) :]
    amounts_of = {
        "duration": duration,
        "distance": distance,
        "driving": driving,
        "num_stops": sum(node not in instance.depots for node in stops),
        "waiting": sum(waits) + last_wait if waits and not late else 0,
        "longest_wait": 0 if late else max(waits, default=0),
        "load": _load_of(instance, stops),
    }
    for each in ROUTE_LIMITS:
        limit = getattr(vehicle_type, each.field)
        if exceeds(value := amounts_of[each.amount], limit):
            found.append(broken(instance, each.name, value=value, limit=limit))
    cost = vehicle_type.fixed_cost + vehicle_type.unit_distance_cost * distance
    cost += vehicle_type.unit_driving_cost * driving
    overtime = max(0, duration - vehicle_type.shift_duration)
    cost += vehicle_type.unit_overtime_cost * overtime
    unpaid = sum(one.duration for one in vehicle_type.breaks if not one.paid)
    cost += vehicle_type.unit_duration_cost * (duration - unpaid)
    cost += price_of(vehicle_type.price_steps, amounts_of)
    if is_timely and not exceeds(duration, vehicle_type.max_duration):
        cost += _price_of_times(instance, route, schedule.begins)
    found += _check_amounts(instance, stops, idx)
    return cost, amounts_of, found


def _delay(
    instance: Instance,
    route: MeasuredRoute,
    times: NodeTimes,
    vehicle_type: VehicleType,
    place: int,
    delay: float,
) -> _Broken:
    """Return which place a route reaches too late, in words."""
    last, node = len(route.nodes) - 1, route.nodes[place]
    if 0 < place < last:
        return broken(instance, "window", node=node, delay=delay)
    end = "its end" if node == len(instance.demands) else "its depot"
    what, values = "", {"place": end, "delay": delay}
    if place == 0:
        return broken(instance, "start", **values)
    closes = min(vehicle_type.tw_late, times.late[node])
    shift = closes - vehicle_type.tw_early
    services = [(times.service[stop], stop) for stop in route.nodes[1:-1]]
    service, longest = max(services, key=itemgetter(0), default=(0, node))
    if service > shift:
        what = "service"
        values |= {"node": longest, "value": service, "limit": shift}
    return broken(instance, "return", what, **values)


def _faults(
    instance: Instance,
    followed: FollowedRoute,
    vehicle_type: VehicleType,
    past: InProgressRoute | None,
) -> Iterator[_Broken]:
    """Yield what the times of a route that is never late break first."""
    if followed.owed:
        yield broken(instance, "break", breaks=vehicle_type.breaks)
    elif not followed.is_possible:
        yield broken(instance, "window", "impossible")
    elif vehicle_type.hours is not None:
        so_far = past.hours_so_far if past else _NO_HOURS
        if fault := broken_hours(vehicle_type.hours, followed.day, so_far):
            what, values = fault
            yield broken(instance, "hours", what, **values)


def _price_of_times(
    instance: Instance, route: MeasuredRoute, begins: Sequence[float]
) -> float:
    """Return what it costs to begin outside preferred windows."""
    windows = instance.windows
    if windows is None or windows.preferred is None:
        return 0.0
    costs = [
        np.zeros(len(windows.preferred)) if own is None else own
        for own in (windows.early_costs, windows.late_costs)
    ]
    cost = 0.0
    for node, begin in zip(route.nodes, begins, strict=True):
        if node < len(windows.preferred):
            opens, closes = windows.preferred[node].tolist()
            cost += costs[0][node] * max(0, opens - begin)
            cost += costs[1][node] * max(0, begin - closes)
    return cost


def _check_amounts(
    instance: Instance, route: Sequence[int], idx: int
) -> Iterator[_Broken]:
    """Yield which least number of stops and least load a route breaks."""
    vehicle_type, depots = instance.vehicle_types[idx], instance.depots
    stops = [node for node in route if node not in depots]
    if not stops or any(
        one.begins(route, idx, depots) for one in instance.in_progress
    ):
        return  # one that has begun may end with less
    if len(stops) < (least := vehicle_type.min_stops):
        yield broken(instance, "least", value=len(stops), limit=least)
    load = _load_of(instance, stops)
    if load < vehicle_type.min_load:
        value, limit = map(instance.stated_load, (load, vehicle_type.min_load))
        yield broken(instance, "load", value=value, limit=limit)


def _load_of(instance: Instance, stops: Sequence[int]) -> int:
    """Return what the customers of a route add to its load."""
    visited = [*stops]
    load = int(instance.deliveries[visited, 0].sum())
    if instance.loads is not None:
        load += int(instance.loads.pickup[visited, 0].sum())
    return load + sum(
        one.amount[0] for one in instance.shipments if one.pickup in visited
    )


def measure_routes(
    instance: Instance, solution: Solution
) -> list[MeasuredRoute]:
    """Return the nodes and arcs of all routes."""
    vehicle_types = [
        instance.vehicle_types[idx] for idx in solution.vehicle_types
    ]
    nowhere = len(instance.demands)
    depots = dict(enumerate(instance.depots)) | {None: nowhere}
    visits = [
        [
            depots[vehicle_type.start_depot],
            *route,
            depots[vehicle_type.end_depot],
        ]
        for route, vehicle_type in zip(
            solution.routes, vehicle_types, strict=True
        )
    ]
    # All routes after one another; what lies between two is skipped below.
    sizes = [len(nodes) for nodes in visits]
    nodes = np.fromiter(chain.from_iterable(visits), dtype=np.int64)
    tails, heads = nodes[:-1], nodes[1:]
    profiles = np.repeat(
        [vehicle_type.profile for vehicle_type in vehicle_types], sizes
    )[:-1]
    distances, durations = np.zeros(len(tails)), np.zeros(len(tails))
    num_places = nowhere - instance.has_nowhere  # then it is the last depot
    is_arc = (tails < num_places) & (heads < num_places)
    for profile in {vehicle_type.profile for vehicle_type in vehicle_types}:
        on_profile = np.flatnonzero((profiles == profile) & is_arc)
        arcs = _measure_arcs(
            instance, profile, tails[on_profile], heads[on_profile]
        )
        distances[on_profile], durations[on_profile] = arcs
    if any(vehicle_type.speed_factor != 1 for vehicle_type in vehicle_types):
        speeds = [vehicle_type.speed_factor for vehicle_type in vehicle_types]
        durations /= np.repeat(speeds, sizes)[:-1]
    lengths, times = distances.tolist(), durations.tolist()
    ends = np.cumsum(sizes).tolist()
    return [
        MeasuredRoute(
            visited,
            lengths[end - len(visited) : end - 1],
            times[end - len(visited) : end - 1],
        )
        for visited, end in zip(visits, ends, strict=True)
    ]


def _measure_arcs(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distances and the durations of arcs for a profile."""
    matrix, durations = instance.matrix, instance.durations
    if profile > 0:
        given = instance.profiles[profile - 1]
        matrix, durations = given.matrix, given.durations
    if matrix is not None:
        distances = matrix[tails, heads]
    else:
        (x, y), (u, v) = (
            instance.require_coords("distances")[nodes].T
            for nodes in (tails, heads)
        )
        measure = _great_circle if instance.is_geographic else _straight_line
        scale = _SCALES.get(instance.rounding, 1.0) * (instance.detour or 1.0)
        distances = _ROUNDED[instance.rounding](scale * measure(x, y, u, v))
    if durations is not None:
        return distances, durations[tails, heads]
    if profile == 0 and instance.speed is not None:
        return distances, np.rint(distances / instance.speed)
    return distances, distances


def _straight_line(
    x: np.ndarray, y: np.ndarray, u: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """Return the Euclidean distances between (x, y) and (u, v)."""
    return np.asarray(np.sqrt((u - x) ** 2 + (v - y) ** 2))


def _great_circle(
    x: np.ndarray, y: np.ndarray, u: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """Return the metres between two places given in degrees: haversine."""
    lon, lat, other_lon, other_lat = np.radians([x, y, u, v])
    square = np.sin((other_lat - lat) / 2) ** 2
    square += (
        np.cos(lat) * np.cos(other_lat) * np.sin((other_lon - lon) / 2) ** 2
    )
    half = np.arcsin(np.sqrt(np.minimum(1.0, square)))
    return np.asarray(2.0 * EARTH_RADIUS * half)


def times_of_nodes(instance: Instance) -> NodeTimes:
    """Return the times of all nodes, those of an instance without any too.

    Where an open route begins or ends, there is nothing to wait for.
    """
    windows, size = instance.windows, len(instance.demands)
    if windows is None:
        none = [0] * (size + 1)
        return NodeTimes(none, [NO_LIMIT] * (size + 1), none, none, {})
    return NodeTimes(
        [*windows.tw_early.tolist(), 0],
        [*windows.tw_late.tolist(), NO_LIMIT],
        [*windows.service_durations.tolist(), 0],
        [*windows.release_times.tolist(), 0],
        {
            node: windows.windows_of(node)
            for node in np.flatnonzero(windows.has_several).tolist()
        },
    )


class _Calls(NamedTuple):
    """When a vehicle may start, and the stops of its route.

    ``several`` are the windows of stops with more than one.
    """

    earliest: float
    latest: float
    early: list[float]
    late: list[float]
    driving: list[float]
    service: list[float]
    several: dict[int, list[tuple[int, int]]]

    def by_stop(self) -> list[Stop]:
        """Return the stops."""
        each = enumerate(zip(self.early, self.late, strict=True))
        windows = [self.several.get(stop, [ends]) for stop, ends in each]
        return list(zip(windows, self.driving, self.service, strict=True))


def _calls_of(
    instance: Instance,
    route: MeasuredRoute,
    times: NodeTimes,
    vehicle_type: VehicleType,
    in_progress: InProgressRoute | None,
) -> _Calls:
    """Return the stops of a route, which may go on with another."""
    nodes, last = route.nodes, len(route.nodes) - 1
    early: list[float] = [times.early[node] for node in nodes]
    late: list[float] = [times.late[node] for node in nodes]
    setups = route.setups(instance, vehicle_type)
    service: list[float] = [
        times.service[node] + setup
        for node, setup in zip(nodes, setups, strict=True)
    ]
    early[last] = max(early[last], vehicle_type.tw_early)
    late[last] = min(late[last], vehicle_type.tw_late)
    service[last] = 0
    driving = [0, *route.durations]
    earliest: float = vehicle_type.tw_early
    latest: float = vehicle_type.start_late
    place = 0
    departures: Sequence[float | None] = ()
    if in_progress is not None:
        departures = in_progress.departures
        latest = _recall(in_progress, early, late, driving, service)
        earliest = latest
    # A trip begins when all that it delivers has arrived at its depot.
    for trip in split_trips(nodes[1:last], instance.depots):
        waiting = trip[max(0, len(departures) - 1 - place) :]
        release = max([times.release[node] for node in waiting], default=0)
        if place == 0:
            earliest = max(earliest, release)
        else:
            if place < len(departures) and (
                place < len(departures) - 1 or departures[place] is not None
            ):
                late[place] = early[place]  # it has left with what was there
            early[place] = max(early[place], release)
        place += 1 + len(trip)
    several = {
        stop: times.several[nodes[stop]]
        for stop in range(len(departures), last)
        if nodes[stop] in times.several
    }
    return _Calls(earliest, latest, early, late, driving, service, several)


def _recall(
    one: InProgressRoute,
    early: list[float],
    late: list[float],
    travel: list[float],
    service: list[float],
) -> float:
    """Let the first stops be as they were, and return the start.

    A service is shorter where the vehicle left earlier than it could have.
    Nobody waited before the first known departure. Breaks and delays count as
    travel, and those after the last stop as its service.
    """
    departures = one.departures
    first = next(n for n, time in enumerate(departures) if time is not None)
    known = departures[first] or 0
    spent = sum(travel[: first + 1]) + sum(service[: first + 1])
    now = start = max(0, known - spent)
    for stop, departure in enumerate(departures):
        late[stop] = NO_LIMIT
        left: float | None = departure
        if stop < first:
            left = min(known, now + travel[stop] + service[stop])
        elif left is None:
            # It was on its way again before the next time that is known.
            there = now + travel[stop]
            there += sum(d for after, d in one.delays if after == stop - 1)
            for _, after, begin, duration in one.breaks_taken:
                if after == stop - 1:
                    there = max(there, begin or 0) + duration
            left = max(there, early[stop]) + service[stop]
            later = [time for time in departures[stop:] if time is not None]
            left = min([left, *later[:1]])
        early[stop] = max(now, left - service[stop])
        service[stop] = left - early[stop]
        travel[stop] = early[stop] - now
        now = left
    last = len(departures) - 1
    home = there = now + travel[last + 1]
    there += sum(d for after, d in one.delays if after == last)
    for _, after, begin, duration in one.breaks_taken:
        if after == last:
            opens = (begin or 0) if one.is_over else 0
            there = max(there, opens) + duration
    service[last] += there - home
    return start


def _forbidden_arcs(
    instance: Instance, route: MeasuredRoute
) -> Iterator[_Broken]:
    """Yield the arcs of a route that no vehicle may drive."""
    measured = zip(route.distances, route.durations, strict=True)
    for lengths, (tail, head) in zip(
        measured, pairwise(route.nodes), strict=True
    ):
        if math.inf in lengths:
            yield broken(instance, "arc", tail=tail, head=head)


def check_clustering(
    points: PointSet, clustering: Clustering, num_clusters: int | None = None
) -> list[Violation]:
    """Return every violation of a capacitated clustering.

    The rules are: each point has a cluster, the number of clusters is the
    required one, the clusters keep their limits and rules, and the stated cost
    is that of the objective.

    Parameters
    ----------
    points
        The points.
    clustering
        The clustering to check.
    num_clusters
        The required number of clusters. Default: any.

    Returns
    -------
    list[Violation]
        All violations; empty for a feasible clustering with the right cost.
    """
    require_type("points", points, PointSet)
    require_type("clustering", clustering, Clustering)
    violations = []
    count = clustering.num_clusters
    if num_clusters is not None and count != num_clusters:
        text = f"{counted(count, 'cluster')} instead of {num_clusters}"
        violations.append(Violation("unknown", text))
    labels = np.asarray(clustering.labels).astype(np.int64)
    if len(labels) != points.num_points:
        text = (
            f"{counted(len(labels), 'label')} for {points.num_points} points"
        )
        violations.append(Violation("missing", text))
    labels = labels[: points.num_points]
    has_cluster = (labels >= 0) & (labels < count)
    for point in np.flatnonzero(~has_cluster):
        name = points.describe_point(int(point))
        text = f"{name} has cluster {labels[point]}"
        violations.append(Violation("missing", text))
    inside = np.flatnonzero(has_cluster)
    labels = labels[inside]
    # Exact for whole numbers, whose sum is one in float64 as well.
    loads = np.bincount(labels, points.weights[inside], count).tolist()
    for k in range(count):
        medoid = int(clustering.medoids[k])
        capacity = _cluster_capacity(points, clustering.objective, k, medoid)
        if points.has_whole_weights:
            load, slack = int(loads[k]), 0.0
        else:
            load, slack = loads[k], LOAD_TOLERANCE * capacity
        if load > capacity + slack:
            text = f"cluster {k} carries {load} of {capacity}"
            violations.append(Violation("capacity", text))
    violations += _check_limits(points, inside, labels, count)
    if len(inside) == points.num_points:
        violations += _check_rules(points, clustering, labels)
    cost = _clusters_cost(points, clustering, inside, labels)
    if math.isinf(cost) or not math.isclose(
        cost,
        clustering.cost,
        rel_tol=COST_TOLERANCE,
        abs_tol=_NO_COST * _unit_of_cost(points, clustering.objective),
    ):
        text = (
            f"the stated cost is {clustering.cost:.10g}, the clusters add up"
        )
        violations.append(Violation("cost", f"{text} to {cost:.10g}"))
    return violations


def _check_limits(
    points: PointSet, inside: np.ndarray, labels: np.ndarray, count: int
) -> list[Violation]:
    """Check the limits of clusters beyond a capacity."""
    violations = []

    def check(field: str, loads: np.ndarray, breaks: np.ndarray) -> None:
        for k in np.flatnonzero(breaks).tolist():
            text = f"cluster {k} has {loads[k]:.10g}, which breaks {field}"
            violations.append(Violation("limit", text))

    sizes = np.bincount(labels, minlength=count)
    if points.min_size is not None:
        check("min_size", sizes, sizes < points.min_size)
    if points.max_size is not None:
        check("max_size", sizes, sizes > points.max_size)
    limits = [(points.weights, points.min_load, np.inf), *points.other_limits]
    for number, (values, least, most) in enumerate(limits, 1):
        whose = f" of weight {number}" if number > 1 else ""
        loads = np.bincount(labels, values[inside], count)
        slack = LOAD_TOLERANCE * loads * (values.dtype.kind == "f")
        if least is not None:
            check(f"min_load{whose}", loads, loads < least - slack)
        check(f"capacity{whose}", loads, loads > most + slack)
        if points.tolerance is not None:
            mean = float(values.sum()) / count
            gap = points.tolerance * mean + LOAD_TOLERANCE * mean
            check("tolerance", loads, abs(loads - mean) > gap)
    return violations


def _check_rules(  # noqa: C901
    points: PointSet, clustering: Clustering, labels: np.ndarray
) -> list[Violation]:
    """Check which points are together, apart, at their place and linked."""
    rules, of, violations = points.rules, labels.tolist(), []

    def note(subject: str, *named: int, text: str) -> None:
        names = " and ".join(points.describe_point(int(p)) for p in named)
        violations.append(Violation(subject, f"{names} {text}"))

    for group in rules.must_link:
        for point in group[1:]:
            if of[point] != of[group[0]]:
                note("link", group[0], point, text="are not together")
    for group in rules.cannot_link:
        for a, b in combinations(group, 2):
            if of[a] == of[b]:
                note("link", a, b, text=f"share cluster {of[a]}")
    if rules.fixed is not None:
        for point, k in enumerate(rules.fixed.tolist()):
            if k not in (-1, of[point]):
                note("fixed", point, text=f"is not in cluster {k}")
    medoids = np.asarray(clustering.medoids).tolist()
    if np.ndim(rules.centers) == 1:
        for k, point in enumerate(rules.centers.tolist()):
            if of[point] != k:
                note("center", point, text=f"is not in its cluster {k}")
            if clustering.objective == "cpmp" and medoids[k] != point:
                note("center", point, text=f"is not the medoid of cluster {k}")
    for point in set(rules.forbidden_centers) & set(medoids):
        if clustering.objective == "cpmp":
            note("center", point, text="must not be a medoid")
    if rules.graph is None:
        return violations
    near: list[list[int]] = [[] for _ in of]
    for a, b in rules.graph[:, :2].astype(int).tolist():
        if of[a] == of[b]:
            near[a].append(b)
            near[b].append(a)
    first: dict[int, int] = {}
    seen = [False] * len(of)
    for point, k in enumerate(of):
        if seen[point]:
            continue
        if k in first:
            note("graph", first[k], point, text=f"are cut off in cluster {k}")
        first.setdefault(k, point)
        walk, seen[point] = [point], True
        while walk:
            for other in near[walk.pop()]:
                if not seen[other]:
                    seen[other] = True
                    walk.append(other)
    return violations


def _cluster_capacity(
    points: PointSet, objective: str, k: int, medoid: int
) -> float:
    """Return the capacity of cluster ``k``, whatever it depends on."""
    of_clusters, by_medoid = points.capacities, points.point_capacities
    capacity = points.capacity
    if of_clusters is not None and k < len(of_clusters):
        capacity = of_clusters[k].item()
    if by_medoid is not None and objective == "cpmp":
        known = 0 <= medoid < points.num_points
        capacity = by_medoid[medoid].item() if known else capacity
    return capacity


def _unit_of_cost(points: PointSet, objective: str) -> float:
    """Return the cost of one length as long as the coordinates."""
    largest = float(abs(points.coords).max())
    return largest * largest if objective == "inertia" else largest


def _clusters_cost(
    points: PointSet,
    clustering: Clustering,
    inside: np.ndarray,
    labels: np.ndarray,
) -> float:
    """Return the cost of the points ``inside``, from its definition."""
    coords, rules = points.coords[inside], points.rules
    shares = np.ones(len(inside))
    if rules.weights_in_objective:
        shares = points.weights[inside].astype(np.float64)
    if clustering.objective == "cpmp":
        medoids = np.asarray(clustering.medoids).astype(np.int64)
        is_known = (medoids >= 0) & (medoids < points.num_points)
        medoid_of = medoids[labels]
        if not is_known[labels].all():
            return math.inf
        at_home = np.asarray(clustering.labels)[medoid_of] == labels
        if not at_home.all():
            return math.inf
        if points.matrix is not None:
            return float((shares * points.matrix[inside, medoid_of]).sum())
        centers = points.coords[medoid_of]
    else:
        count = clustering.num_clusters
        sizes = np.bincount(labels, shares, count)
        sizes[sizes == 0.0] = 1.0
        sums = [np.bincount(labels, shares * axis, count) for axis in coords.T]
        places = np.column_stack(sums) / sizes[:, None]
        if rules.centers is not None:
            given = rules.centers
            is_places = given.ndim == 2
            places[: len(given)] = (
                points.to_plane(given) if is_places else points.coords[given]
            )
        centers = places[labels]
    lengths = np.zeros(len(inside))
    for gap in (coords - centers).T:
        lengths = np.hypot(lengths, gap)
    if clustering.objective == "inertia":
        lengths *= lengths
    elif clustering.objective == "cpmp" and points.rounding == "floor":
        lengths = np.floor(lengths)
    return float((shares * lengths).sum())


def _check_coverage(
    instance: Instance, solution: Solution
) -> Iterator[_Broken]:
    visits = Counter(chain.from_iterable(solution.routes))
    customers = range(1, instance.num_customers + 1)
    known = set(customers)
    if any(vehicle_type.can_reload for vehicle_type in instance.vehicle_types):
        known |= set(instance.depots)
    for customer in sorted(visits.keys() - known):
        yield "unknown", f"there is no customer {customer}"
    required = [True] * (len(customers) + 1)
    if instance.selection is not None:
        required = instance.selection.required.tolist()
    for customer in customers:
        count = visits[customer]
        if count == 0 and required[customer]:
            yield broken(instance, "missing", node=customer)
        elif count > 1:
            yield broken(instance, "duplicate", node=customer, value=count)
    yield from _check_groups(instance, visits)
    yield from broken_shipments(instance, solution.routes)


def _check_groups(
    instance: Instance, visits: Counter[int]
) -> Iterator[_Broken]:
    """Yield groups of which several are visited, or nobody where one must."""
    groups = () if instance.selection is None else instance.selection.groups
    for number, group in enumerate(groups, start=1):
        served = [node for node in group.customers if visits[node] > 0]
        if len(served) > 1:
            names = " and ".join(map(instance.describe_node, served))
            values = {"names": names, "group": number}
            yield broken(instance, "group", "several", **values)
        elif group.required and not served:
            yield broken(instance, "group", group=number)
