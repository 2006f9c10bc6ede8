"""What a route takes: its distance, its times, its cost.

Kernels work it out, for checks, costs and outputs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ncc_routing._core import routes as kernels
from ncc_routing.problems.price_steps import AMOUNTS
from ncc_routing.problems.routes.timing import (
    compiled_break,
    compiled_hours,
    compiled_so_far,
)
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import (
    LARGEST_EXCESS,
    LOAD_TOLERANCE,
    NO_LIMIT,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute


_AMOUNTS: Final = kernels.amount_names()


class DriverBreak(NamedTuple):
    """A break before a visit, and the share of the arc driven before it.

    ``number`` is -1 for a rest that hours of service need. ``place`` is that
    of the visit; an open end has the one after the last. ``distance`` is that
    driven since the visit before. The share of a past break is above 1 where
    the vehicle has gone on to a nearer stop since then.
    """

    number: int
    place: int
    begin: float
    duration: float
    share: float
    distance: float = 0.0


@dataclass(frozen=True)
class Schedule:
    """A route of a vehicle, and when it is where.

    The vehicle starts so that its route takes the shortest time, and as early
    as that allows; with preferred windows, so that its times cost least.
    ``visits`` are its nodes, from depot to depot; ``begins``,
    ``services`` (their durations, 0 at the end), ``waits`` and ``lateness``
    belong to these, ``legs`` are the distances between them; ``start`` and
    ``end`` are those of the vehicle. A late visit begins at the end of its
    window: such a route is infeasible. A route that has begun at known times
    keeps these, and nothing of what has happened is late. ``loads`` are what
    is on board after each visit, an entry for each load dimension. ``breaks``
    are no waits; a route that ``misses_break`` has no place for one, one that
    ``misses_rest`` none for those of its hours of service. ``cost``
    is the fixed cost, and unit costs times distance, duration, driving and
    overtime; infinite with a forbidden arc. ``driving`` is the sum of the
    durations of its arcs, whatever they took. ``stops`` are the places of its
    customers and reloads among the visits. ``services`` include ``setups``.
    ``is_late`` is whether a visit is, or the end of a route without a depot.
    ``window_cost`` is that of visits outside their preferred windows, a part
    of ``cost``; 0 where the route is infeasible. ``amounts`` are what it has
    of all that is limited (``ROUTE_LIMITS``): ``num_stops`` are its customers,
    ``waiting`` is that before those and reloads which lie ahead, and then
    before its end; ``longest_wait`` is before one of the former.
    """

    visits: tuple[int, ...]
    start: float
    end: float
    begins: tuple[float, ...]
    services: tuple[float, ...]
    setups: tuple[float, ...]
    waits: tuple[float, ...]
    lateness: tuple[float, ...]
    legs: tuple[float, ...]
    distance: float
    duration: float
    driving: float
    loads: tuple[tuple[int, ...], ...]
    cost: float
    stops: slice
    breaks: tuple[DriverBreak, ...] = ()
    misses_break: bool = False
    misses_rest: bool = False
    window_cost: float = 0.0
    is_late: bool = False
    amounts: Mapping[str, float] = field(default_factory=dict)

    @property
    def load(self) -> int:
        """Largest load on board, in the first dimension."""
        return max(first for first, *_ in self.loads)


def arc_distances(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the distance of each arc for a profile; shapes broadcast."""
    if profile == 0:
        return instance.lengths(tails, heads)
    return np.asarray(instance.profiles[profile - 1].matrix[tails, heads])


def arc_durations(
    instance: Instance, profile: int, tails: np.ndarray, heads: np.ndarray
) -> np.ndarray:
    """Return the duration of each arc for a profile; shapes broadcast."""
    if profile == 0:
        return instance.travel_times(tails, heads)
    durations = instance.profiles[profile - 1].durations
    if durations is None:
        return arc_distances(instance, profile, tails, heads)
    return np.asarray(durations[tails, heads])


def own_durations(instance: Instance, profile: int) -> np.ndarray | None:
    """Return all durations of a profile; ``None``: those of its distances."""
    if profile > 0:
        return instance.profiles[profile - 1].durations
    return instance.own_durations


def route_nodes(
    instance: Instance, route: Sequence[int], vehicle_type: int = 0
) -> tuple[int, ...]:
    """Return the nodes of a route, with the depots of its start and end.

    An open route has none there.
    """
    if instance.fleet is None:
        return (0, *route, 0)
    vehicle, depots = instance.fleet.types[vehicle_type], instance.depots
    start, end = (
        () if depot is None else (depots[depot],)
        for depot in (vehicle.start_depot, vehicle.end_depot)
    )
    return (*start, *route, *end)


def route_costs(
    instance: Instance,
    routes: Sequence[Sequence[int]],
    vehicle_types: Sequence[int],
) -> list[float]:
    """Return the cost of each route."""
    if instance.is_unlimited_cvrp:
        return [float(cost) for cost in instance.route_costs(routes)]
    driven = zip(routes, vehicle_types, strict=True)
    return [_route_cost(instance, *each) for each in driven]


def _route_cost(
    instance: Instance, route: Sequence[int], vehicle_type: int
) -> float:
    """Return the cost of a route, by its schedule only if time costs."""
    vehicle = instance.vehicle_types[vehicle_type]
    if (
        vehicle.unit_duration_cost
        or vehicle.unit_driving_cost
        or vehicle.all_price_steps
        or (instance.windows and instance.windows.preferred is not None)
    ):
        return schedule_route(instance, route, vehicle_type).cost
    visits = np.array(route_nodes(instance, route, vehicle_type))
    tails, heads = visits[:-1], visits[1:]
    legs = arc_distances(instance, vehicle.profile, tails, heads)
    distance = sum(legs.tolist())
    if instance.has_forbidden_arcs:
        travel = arc_durations(instance, vehicle.profile, tails, heads).sum()
        if not math.isfinite(distance + travel):
            return math.inf
    return float(vehicle.fixed_cost + vehicle.unit_distance_cost * distance)


class _Compiled(NamedTuple):
    """An instance as kernels see its routes, and the last schedules."""

    problem: kernels.RouteProblem
    schedules: dict[tuple[Any, ...], Schedule]


_COMPILED: Final[WeakKeyDictionary[Instance, _Compiled]] = WeakKeyDictionary()
_MOST_SCHEDULES: Final = 1_000


def _compiled(instance: Instance) -> _Compiled:
    known = _COMPILED.get(instance)
    if known is None:
        known = _COMPILED[instance] = _Compiled(compile_routes(instance), {})
    return known


def compile_routes(instance: Instance) -> kernels.RouteProblem:
    """Return what the times, loads and costs of routes follow from.

    Behind the nodes of the instance comes one more, where open routes start
    and end.
    """
    size, types = len(instance.demands), instance.vehicle_types
    windows = instance.windows or TimeWindows.of(size)

    def padded(values: np.ndarray, last: float = 0) -> np.ndarray:
        return np.append(values, last).astype(float)

    are_alike = not any(
        t.service_durations or t.setup_durations for t in types
    )
    work = map(instance.work_of, types[:1] if are_alike else types)
    services, setups = (
        np.pad(np.array(each, dtype=float), ((0, 0), (0, 1)))
        for each in zip(*work, strict=True)
    )
    places = instance.place_of if setups.any() else np.arange(size)
    preferred = np.zeros((0, 4))
    if windows.preferred is not None:
        costs = (
            np.zeros(size) if own is None else own
            for own in (windows.early_costs, windows.late_costs)
        )
        of_nodes = np.column_stack([windows.preferred, *costs])
        preferred = np.vstack([of_nodes, (0, NO_LIMIT, 0, 0)])
    return kernels.RouteProblem(
        early=padded(windows.tw_early),
        late=padded(windows.tw_late, NO_LIMIT),
        release=padded(windows.release_times),
        services=services,
        setups=setups,
        places=np.append(places, -1).astype(np.int64),
        deliveries=np.pad(instance.deliveries, ((0, 1), (0, 0))),
        load_changes=np.pad(instance.load_changes, ((0, 1), (0, 0))),
        handled=np.pad(instance.handled, (0, 1)),
        depots=list(instance.depots),
        several=[
            (node, windows.windows_of(node))
            for node in np.flatnonzero(windows.has_several).tolist()
        ],
        preferred=preferred,
        vehicles=[_compiled_vehicle(instance, each) for each in types],
        in_progress=list(map(_compiled_past, instance.in_progress)),
        tolerance=(LOAD_TOLERANCE, LARGEST_EXCESS),
    )


def _compiled_vehicle(
    instance: Instance, vehicle: VehicleType
) -> kernels.Vehicle:
    whole, real = (
        (
            compiled_hours(vehicle.hours, are_whole=are_whole),
            [
                compiled_break(
                    *(one.duration, one.windows, one.max_load or ()),
                    are_whole=are_whole,
                )
                for one in vehicle.breaks
            ],
        )
        for are_whole in (True, False)
    )
    initial = [0] * instance.num_load_dimensions
    initial[: len(vehicle.initial_load)] = vehicle.initial_load
    return kernels.Vehicle(
        fixed_cost=vehicle.fixed_cost,
        distance_cost=vehicle.unit_distance_cost,
        duration_cost=vehicle.unit_duration_cost,
        driving_cost=vehicle.unit_driving_cost,
        unpaid_duration=vehicle.unpaid_duration,
        max_duration=vehicle.max_duration,
        early=vehicle.tw_early,
        late=vehicle.tw_late,
        latest_start=vehicle.start_late,
        steps=[
            (_AMOUNTS.index(AMOUNTS[one.amount]), one.beyond, one.unit_cost)
            for one in vehicle.all_price_steps
        ],
        initial_load=initial,
        whole=whole,
        real=real,
    )


def _compiled_past(one: InProgressRoute) -> kernels.Past:
    distances = one.break_distances or [math.nan] * len(one.breaks_taken)
    return kernels.Past(
        departures=list(map(_known, one.departures)),
        on_board=list(one.on_board),
        num_reloads=len(one.reloads),
        undelivered=list(map(list, one.undelivered)),
        is_over=one.is_over,
        breaks=[
            (number, place, _known(begin), duration, far)
            for (number, place, begin, duration), far in zip(
                one.breaks_taken, distances, strict=True
            )
        ],
        delays=list(one.delays),
        so_far=compiled_so_far(one.hours_so_far),
    )


def _known(time: float | None) -> float:
    return math.nan if time is None else time


def schedule_route(
    instance: Instance,
    route: Sequence[int],
    vehicle_type: int = 0,
    *,
    has_open_ends: bool = False,
) -> Schedule:
    """Return the schedule of customers, in order, from depot to depot.

    A depot between them is a reload. Open routes begin or end with a customer;
    if it ``has_open_ends``, with the place nowhere, behind the last node.
    Check, outputs and questions ask for the same ones: the last are kept.
    """
    problem, known = _compiled(instance)
    key = tuple(route), vehicle_type, has_open_ends
    schedule = known.get(key)
    if schedule is None:
        begun = instance.begun(route, vehicle_type)
        number = -1 if begun is None else instance.in_progress.index(begun)
        schedule = _schedule(instance, problem, *key, number)
        known[key] = schedule
        # Of a list, since other threads may add to them.
        for oldest in [*known][:-_MOST_SCHEDULES]:
            known.pop(oldest, None)
    return schedule


def schedule_past(instance: Instance, number: int) -> Schedule:
    """Return the schedule of a route in progress that serves nobody else.

    That is also one which leaves out who is on board.
    """
    begun, problem = instance.in_progress[number], _compiled(instance).problem
    route = begun.stops(instance.depots), begun.vehicle_type
    return _schedule(instance, problem, *route, False, number)


def _schedule(
    instance: Instance,
    problem: kernels.RouteProblem,
    route: Sequence[int],
    vehicle_type: int,
    has_open_ends: bool,
    number: int,
) -> Schedule:
    vehicle = instance.vehicle_types[vehicle_type]
    visits = _with_ends(instance, route, vehicle)
    legs, travel = measure_arcs(instance, vehicle_type, visits)
    times, on_board = problem.schedule(
        vehicle_type, visits, legs, travel, number
    )
    size = instance.num_load_dimensions
    loads = list(
        zip(*(on_board[dim::size] for dim in range(size)), strict=True)
    )
    amounts = dict(zip(_AMOUNTS, times.amounts, strict=True))
    # An open route has no stop nowhere.
    first = int(not has_open_ends and vehicle.start_depot is None)
    last = len(visits) - (not has_open_ends and vehicle.end_depot is None)
    return Schedule(
        visits=tuple(visits.tolist()[first:last]),
        start=times.start,
        end=times.begins[-1],
        begins=tuple(times.begins[first:last]),
        services=tuple(times.services[first:last]),
        setups=tuple(times.setups[first:last]),
        waits=tuple(times.waits[first:last]),
        lateness=tuple(times.lateness[first:last]),
        legs=tuple(legs.tolist()[first : last - 1]),
        distance=amounts["distance"],
        duration=amounts["duration"],
        driving=amounts["driving"],
        loads=tuple(loads[first:last]),
        cost=times.cost,
        breaks=tuple(
            DriverBreak(number, place - first, *each)
            for number, place, *each in times.breaks
        ),
        misses_break=times.misses_break,
        misses_rest=times.misses_rest,
        window_cost=times.window_cost,
        is_late=times.is_late,
        amounts=amounts,
        stops=slice(1 - first, last - first - (vehicle.end_depot is not None)),
    )


def _with_ends(
    instance: Instance, route: Sequence[int], vehicle: VehicleType
) -> np.ndarray:
    """Return the nodes of a route; open ends are behind the last node."""
    depots, nowhere = instance.depots, len(instance.demands)
    start, end = (
        nowhere if depot is None else depots[depot]
        for depot in (vehicle.start_depot, vehicle.end_depot)
    )
    return np.array([start, *route, end], dtype=np.int64)


def measure_arcs(
    instance: Instance, vehicle_types: int | np.ndarray, visits: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return distances and durations from each visit to the next.

    They are those of vehicles of a type, or of one for each arc, and 0 from
    and to open ends.
    """
    tails, heads, size = visits[:-1], visits[1:], len(instance.demands)
    types = instance.vehicle_types
    profiles = np.array([each.profile for each in types])[vehicle_types]
    speeds = np.array([each.speed_factor for each in types])[vehicle_types]
    is_arc = (tails < size) & (heads < size)
    legs, travel = np.zeros((2, len(tails)))
    for profile in set(np.ravel(profiles).tolist()):
        on = is_arc & (profiles == profile)
        arcs = instance, profile, tails[on], heads[on]
        legs[on] = travel[on] = arc_distances(*arcs)
        if profile > 0 or instance.has_durations:
            travel[on] = arc_durations(*arcs)
    return legs, travel / speeds


class EvaluatedRoutes(NamedTuple):
    """What many routes take, and by how much their vehicles are late.

    Each stop has the first of its windows that is open, no break is taken, and
    who is late goes on late. ``loads`` are the most on board, a column a load
    dimension; ``amounts`` those of ``Schedule``. ``nodes`` are all stops,
    reloads too, of the routes ``rows``. What has a forbidden arc has no length
    there.
    """

    amounts: Mapping[str, np.ndarray]
    costs: np.ndarray
    late_starts: np.ndarray
    late_added: np.ndarray
    late_others: np.ndarray
    late_ends: np.ndarray
    loads: np.ndarray
    is_forbidden: np.ndarray
    nodes: np.ndarray
    rows: np.ndarray


def evaluate_routes(
    instance: Instance,
    routes: Sequence[Sequence[int]],
    vehicle_types: np.ndarray,
    begun: np.ndarray,
    added: np.ndarray,
) -> EvaluatedRoutes:
    """Return what routes take and break at least.

    ``begun`` are the numbers of the routes in progress that they go on with,
    or -1; ``added`` are nodes whose delays are told apart.
    """
    num, size = len(routes), len(instance.demands)
    sizes = np.fromiter(map(len, routes), dtype=np.int64, count=num) + 2
    starts = np.concatenate([[0], np.cumsum(sizes)])
    ends = [starts[:-1], starts[1:] - 1]
    types = instance.vehicle_types
    visits = np.empty(starts[-1], dtype=np.int64)
    for places, own in zip(
        ends,
        zip(*(_with_ends(instance, (), each) for each in types), strict=True),
        strict=True,
    ):
        visits[places] = np.array(own)[vehicle_types]
    is_stop = np.ones(len(visits), dtype=bool)
    is_stop[np.concatenate(ends)] = False
    visits[is_stop] = np.fromiter(chain.from_iterable(routes), dtype=np.int64)
    rows = np.repeat(np.arange(num), sizes)
    arcs = measure_arcs(instance, vehicle_types[rows[:-1]], visits)
    is_forbidden = np.isinf(arcs[0]) | np.isinf(arcs[1])
    are_forbidden = np.zeros(num, dtype=bool)
    are_forbidden[rows[:-1][is_forbidden & (rows[1:] == rows[:-1])]] = True
    for each in arcs:
        each[is_forbidden] = 0.0
    is_added = np.zeros(size + 1, dtype=bool)
    is_added[added] = True
    found = np.zeros((num, len(_AMOUNTS) + 5))
    loads = np.zeros((num, instance.num_load_dimensions), dtype=np.int64)
    _compiled(instance).problem.measure(
        types=vehicle_types.astype(np.int64),
        starts=starts,
        visits=visits,
        legs=arcs[0],
        travel=arcs[1],
        begun=begun,
        is_added=is_added,
        found=found,
        loads=loads,
    )
    amounts = dict(zip(_AMOUNTS, found.T, strict=False))
    stops = visits[is_stop], rows[is_stop]
    return EvaluatedRoutes._make(
        [amounts, *found[:, -5:].T, loads, are_forbidden, *stops]
    )


class RouteParts(NamedTuple):
    """What the arcs and the visits of a route take.

    ``visits`` are its nodes, with both ends: open ones are behind the last
    node. ``services`` do not include ``setups``.
    """

    visits: np.ndarray
    legs: list[float]
    travel: list[float]
    services: list[float]
    setups: list[float]


def measure_route(
    instance: Instance, route: Sequence[int], vehicle_type: int
) -> RouteParts:
    """Return what the arcs and the visits of a route take."""
    visits = _with_ends(instance, route, instance.vehicle_types[vehicle_type])
    arcs = measure_arcs(instance, vehicle_type, visits)
    legs, travel = (each.tolist() for each in arcs)
    work = _compiled(instance).problem.work_of(vehicle_type, visits)
    return RouteParts(visits, legs, travel, *work)
