"""Why vehicles do not serve an order: what each place for it would break."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.problems import features
from ncc_routing.problems.breaks import describe_break
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.schedules import (
    arc_distances,
    arc_durations,
    departures_of,
    schedule_route,
)
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.unserved import Reason, priorities_of
from ncc_routing.vrp.diagnosis.arcs import Arcs, exceed
from ncc_routing.vrp.diagnosis.reach import limits_broken_alone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute

_MOST_STOPS: Final = 2 * 10**8
"""Stops of all placements that are looked at: about ten seconds."""

_RANKS: Final = (
    *("over", "skill", "pin", "arc", "capacity", "window", "start", "return"),
    *("shift", "break", "distance", "later-windows", "apart", "district"),
    *("together", "in_progress", "vehicles"),
)
"""Constraints, those first that are named where several explain as much."""

Order = tuple[tuple[int, ...], ...]
"""What may be served of an order: customers, one of these choices."""


class _Placements(NamedTuple):
    """Routes with an order on them, and their vehicle types.

    ``added`` are its stops, and ``origins`` the routes of the plan, -1 for a
    new one.
    """

    routes: list[tuple[int, ...]]
    types: np.ndarray
    added: np.ndarray
    origins: np.ndarray


class _Broken(NamedTuple):
    """Which placements break a constraint, and by how much at least."""

    where: np.ndarray
    excess: np.ndarray | None = None


def reasons_of(
    instance: Instance, plan: Solution
) -> dict[int, tuple[Reason, ...]]:
    """Return why each unserved customer is on no route, by vehicle type.

    Where looking at all places would take long, the last ones have none.
    """
    absent = instance.unserved(plan.routes)
    certain = _certain(instance, absent)
    reasons: dict[int, tuple[Reason, ...]] = {}
    num_stops = 0
    for node in absent:
        order = _order_of(instance, node)
        placements = _placements(instance, plan, order)
        num_stops += sum(map(len, placements.routes))
        if num_stops > _MOST_STOPS:
            break
        ends = {end for choice in order for end in choice}
        broken = _broken(instance, plan, placements)
        reasons[node] = tuple(
            reason
            for idx in range(len(instance.vehicle_types))
            for reason in _reasons_by(
                instance,
                idx,
                order,
                _of_type(broken, placements.types == idx),
                {kind for end in ends for kind in certain.get((end, idx), ())},
            )
        )
    return reasons


def filled(instance: Instance, plan: Solution) -> Solution:
    """Return routes on which no unserved customer has a place any more.

    Each, the highest priority first, comes where it costs least.
    """
    priorities = priorities_of(instance)
    num_stops, is_full = 0, False
    while not is_full:
        is_full = True
        absent = instance.unserved(plan.routes)
        for node in sorted(absent, key=lambda node: -priorities[node]):
            if node not in instance.unserved(plan.routes):
                continue  # it came with its shipment
            placements = _placements(instance, plan, _order_of(instance, node))
            num_stops += sum(map(len, placements.routes))
            if num_stops > _MOST_STOPS:
                return plan
            broken = _broken(instance, plan, placements)
            is_wrong = np.any([each.where for each in broken.values()], axis=0)
            plans = [
                _with_route(instance, plan, placements, place)
                for place in np.flatnonzero(~is_wrong).tolist()
            ]
            if plans:
                plan = min(plans, key=lambda each: each.cost)
                is_full = False
    return plan


def _with_route(
    instance: Instance, plan: Solution, placements: _Placements, place: int
) -> Solution:
    routes, types = list(plan.routes), list(plan.vehicle_types)
    origin = int(placements.origins[place])
    if origin < 0:
        routes.append(placements.routes[place])
        types.append(int(placements.types[place]))
    else:
        routes[origin] = placements.routes[place]
    return Solution.from_routes(instance, routes, types)


def _order_of(instance: Instance, node: int) -> Order:
    """Return the choices for an unserved customer: its shipment or group."""
    for shipment in instance.shipments:
        if node in (shipment.pickup, shipment.delivery):
            return ((shipment.pickup, shipment.delivery),)
    groups = () if instance.selection is None else instance.selection.groups
    for group in groups:
        if node in group.customers:
            return tuple((member,) for member in group.customers)
    return ((node,),)


def _placements(
    instance: Instance, plan: Solution, order: Order
) -> _Placements:
    """Return every place on a route, and a new route of each type."""
    depots = set(instance.depots)
    routes: list[tuple[int, ...]] = []
    types: list[int] = []
    origins: list[int] = []
    driven = zip(plan.routes, plan.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven):
        begun = (
            one.stops(instance.depots)
            for one in instance.in_progress
            if one.begins(route, idx, instance.depots)
        )
        first = max(map(len, begun), default=0)
        for choice in order:
            more = list(_with(route, choice, first, depots))
            routes += more
            types += [idx] * len(more)
            origins += [number] * len(more)
    for idx in range(len(instance.vehicle_types)):
        routes += order
        types += [idx] * len(order)
        origins += [-1] * len(order)
    added = np.array(sorted({node for choice in order for node in choice}))
    return _Placements(routes, np.array(types), added, np.array(origins))


def _going_on(
    instance: Instance, placements: _Placements, one: InProgressRoute
) -> np.ndarray:
    """Return which routes go on with one in progress."""
    goes_on = placements.types == one.vehicle_type
    for place in np.flatnonzero(goes_on).tolist():
        route = placements.routes[place]
        goes_on[place] = one.begins(route, one.vehicle_type, instance.depots)
    return np.asarray(goes_on)


def _with(
    route: tuple[int, ...], choice: Sequence[int], first: int, depots: set[int]
) -> Iterator[tuple[int, ...]]:
    """Yield a route with stops between its own, all on one trip."""
    node, *others = choice
    for place in range(first, len(route) + 1):
        head, tail = (*route[:place], node), route[place:]
        if not others:
            yield (*head, *tail)
            continue
        for end in range(len(tail) + 1):
            yield (*head, *tail[:end], *others, *tail[end:])
            if end < len(tail) and tail[end] in depots:
                break


def _of_type(
    broken: Mapping[str, _Broken], is_one: np.ndarray
) -> dict[str, _Broken]:
    return {
        kind: _Broken(
            each.where[is_one],
            None if each.excess is None else each.excess[is_one],
        )
        for kind, each in broken.items()
    }


def _rank(kind: str) -> int:
    return _RANKS.index(kind.split()[0])


def _reasons_by(
    instance: Instance,
    idx: int,
    order: Order,
    broken: Mapping[str, _Broken],
    certain: set[str],
) -> Iterator[Reason]:
    """Yield the fewest constraints of which each placement breaks one.

    What is certain comes first, then what explains most placements; the excess
    is that of those which the ones before it leave.
    """
    left = np.ones_like(next(iter(broken.values())).where)
    chosen = []
    while left.any():
        kind = max(
            broken,
            key=lambda kind: (
                np.count_nonzero(broken[kind].where & left),
                kind in certain,
                -_rank(kind),
            ),
        )
        where = broken[kind].where & left
        if not where.any():
            return  # there is a place
        excess = None
        by = broken[kind].excess
        if by is not None:
            excess = float(by[where].min())
        chosen.append((kind, excess))
        left &= ~where
    for kind, excess in chosen:
        text = _text(instance, idx, order, kind, excess or 0.0)
        if len(instance.vehicle_types) > 1:
            name = instance.vehicle_types[idx].name or f"type {idx}"
            text = f"{name}: {text}"
        yield Reason(idx, kind, text, excess, kind in certain)


def _text(
    instance: Instance, idx: int, order: Order, kind: str, excess: float
) -> str:
    at = instance.time_form.text
    lasting = partial(at, is_duration=True)
    vehicle, windows = instance.vehicle_types[idx], instance.windows
    name, *dimension = kind.split()
    if name == "capacity":
        load = " ".join(["load", *dimension])
        place = int(dimension[0]) - 1 if dimension else 0
        more = instance.stated_load(round(excess), place)
        return f"needs {more:.10g} more of {load}"
    if name == "window" and windows is not None:
        (node, *others), *choices = order
        if others or choices:
            return f"{lasting(excess)} late for its window"
        closes = int(windows.tw_late[node])
        return f"reached {at(closes + excess)} of {at(closes)}"
    if name == "return":
        end = vehicle.tw_late
        if windows is not None:
            closes = windows.tw_late[instance.depots[vehicle.end_depot]]
            end = min(end, int(closes))
        return f"latest return {at(end + excess)} of {at(end)}"
    if name == "shift":
        most = vehicle.max_duration
        return f"takes {lasting(most + excess)} of {lasting(most)}"
    if name == "skill" and instance.constraints is not None:
        needed = instance.constraints.skills
        lacking = {
            each
            for choice in order
            for node in choice
            for each in needed[node]
        } - set(vehicle.skills)
        return f"lacks {', '.join(sorted(lacking))}"
    if name == "break":
        form = instance.time_form
        each = (describe_break(one, form) for one in vehicle.breaks)
        return f"{' and '.join(each)} cannot fit"
    if name == "distance":
        most = vehicle.max_distance
        return f"drives {most + excess:.10g} of {most:.10g}"
    return {
        "start": f"goods {lasting(excess)} late for the start",
        "later-windows": f"others on the route {lasting(excess)} late",
        "arc": "only forbidden arcs lead there",
        "over": "drives no further",
        "pin": "must not serve it",
        "apart": "must be apart from others on the route",
        "district": "too many districts on the route",
        "together": "others of its group have no place",
        "in_progress": "its goods are on board another vehicle",
        "vehicles": "all are in use",
    }[name]


class _Calls(NamedTuple):
    """Stops of many routes, one a row: the start, its depot, ..., the end.

    Beyond the end of a shorter route nothing takes time.
    """

    visits: np.ndarray
    is_stop: np.ndarray
    early: np.ndarray
    late: np.ndarray
    service: np.ndarray
    travel: np.ndarray
    legs: np.ndarray
    is_forbidden: np.ndarray


def _broken(
    instance: Instance, plan: Solution, placements: _Placements
) -> dict[str, _Broken]:
    """Return what each placement breaks, by constraint."""
    calls = _calls(instance, placements)
    types = [instance.vehicle_types[idx] for idx in placements.types]
    broken = {
        "arc": _Broken(calls.is_forbidden),
        "distance": _over(
            calls.legs.sum(axis=1),
            np.array([each.max_distance for each in types], dtype=float),
        ),
        **_late(instance, placements, calls),
        **dict(_overloaded(instance, placements, calls)),
        **dict(_against_rules(instance, plan, placements, calls)),
    }
    used = Counter(plan.vehicle_types)
    are_out = [
        each.num_available is not None and used[idx] >= each.num_available
        for idx, each in enumerate(instance.vehicle_types)
    ]
    are_out_of = np.array(are_out)[placements.types]
    broken["vehicles"] = _Broken((placements.origins < 0) & are_out_of)
    over, beside = _of_begun(instance, placements)
    broken |= {"over": _Broken(over), "in_progress": _Broken(beside)}
    _schedule_again(instance, placements, broken)
    return broken


def _schedule_again(
    instance: Instance, placements: _Placements, broken: dict[str, _Broken]
) -> None:
    """Take the durations of routes that are more than a sum of parts.

    The first windows may leave long waits.
    """
    if features.DRIVERS_DAY.isdisjoint(instance.features):
        return
    others = [one.where for name, one in broken.items() if name != "shift"]
    shift, misses = broken["shift"], np.zeros(len(placements.types), bool)
    rests = np.array([bool(one.breaks) for one in instance.vehicle_types])
    again = (shift.where | rests[placements.types]) & ~np.any(others, axis=0)
    for row in np.flatnonzero(again).tolist():
        idx, route = int(placements.types[row]), placements.routes[row]
        most = instance.vehicle_types[idx].max_duration
        schedule = schedule_route(instance, route, idx)
        duration = schedule.duration
        misses[row] = schedule.misses_break
        shift.where[row] = exceed(duration, most)
        if shift.excess is not None:
            shift.excess[row] = duration - most
    broken["break"] = _Broken(misses)


def _of_begun(
    instance: Instance, placements: _Placements
) -> tuple[np.ndarray, np.ndarray]:
    """Return where a route is over, or goods are on board of another one."""
    over, beside = np.zeros((2, len(placements.routes)), dtype=bool)
    for one in instance.in_progress:
        goes_on = _going_on(instance, placements, one)
        if one.is_over:
            over |= goes_on
        if not set(one.on_board).isdisjoint(placements.added.tolist()):
            beside |= ~goes_on
    return over, beside


def _over(values: np.ndarray, limits: np.ndarray) -> _Broken:
    return _Broken(exceed(values, limits), values - limits)


def _worst(is_one: np.ndarray, values: np.ndarray, limits: Any) -> _Broken:
    """Return whether some stops of a row exceed limits, and by how much."""
    where = is_one & exceed(values, limits)
    excess = np.where(where, values - limits, 0.0)
    return _Broken(where.any(axis=1), excess.max(axis=1))


def _calls(instance: Instance, placements: _Placements) -> _Calls:
    depots = np.array(instance.depots)
    kinds, routes = instance.vehicle_types, placements.routes
    sizes = np.array(list(map(len, routes)))
    width, rows = int(sizes.max()) + 3, np.arange(len(routes))
    ends = depots[[each.end_depot for each in kinds]][placements.types]
    starts = depots[[each.start_depot for each in kinds]][placements.types]
    visits = np.repeat(ends[:, None], width, axis=1)
    visits[:, :2] = starts[:, None]
    for row, route in enumerate(routes):
        visits[row, 2 : 2 + len(route)] = route
    places = np.arange(width)
    is_stop = (places > 1) & (places < 2 + sizes[:, None])
    is_after = places > 2 + sizes[:, None]
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    early, late, service = (
        getattr(windows, name)[visits].astype(float)
        for name in ("tw_early", "tw_late", "service_durations")
    )

    def of_type(name: str) -> np.ndarray:
        values = [float(getattr(each, name)) for each in kinds]
        return np.asarray(np.array(values)[placements.types])

    last = 2 + sizes
    early[rows, last] = np.maximum(early[rows, last], of_type("tw_early"))
    late[rows, last] = np.minimum(late[rows, last], of_type("tw_late"))
    early[:, 0], late[:, 0] = of_type("tw_early"), of_type("start_late")
    service[rows, last] = service[:, 0] = 0.0
    early[is_after], late[is_after], service[is_after] = 0.0, np.inf, 0.0
    legs, travel = np.zeros((2, *visits.shape))
    profiles = np.array([each.profile for each in kinds])[placements.types]
    for profile in np.unique(profiles):
        on = profiles == profile
        arcs = (instance, int(profile), visits[on, 1:-1], visits[on, 2:])
        legs[on, 2:] = arc_distances(*arcs)
        travel[on, 2:] = arc_durations(*arcs)
    legs[is_after] = travel[is_after] = 0.0
    is_forbidden = np.isinf(legs) | np.isinf(travel)
    legs[is_forbidden] = travel[is_forbidden] = 0.0
    calls = _Calls(
        visits,
        is_stop,
        early,
        late,
        service,
        travel,
        legs,
        is_forbidden.any(axis=1),
    )
    _await_goods(instance, windows, placements, calls)
    return calls


def _await_goods(
    instance: Instance,
    windows: TimeWindows,
    placements: _Placements,
    calls: _Calls,
) -> None:
    """Let trips begin when their goods are there; the past is as it was."""
    release = windows.release_times[calls.visits] * calls.is_stop
    is_call = np.isin(calls.visits, instance.depots) & calls.is_stop
    begun = np.zeros(len(calls.visits), dtype=bool)
    for one in instance.in_progress:
        if not one.departures:
            continue
        is_one = _going_on(instance, placements, one)
        if is_one.any():
            begun |= is_one
            _recall(one.departures, calls, is_one, release)
            for place in np.flatnonzero(is_call[is_one].any(axis=0)).tolist():
                is_last = place == len(one.departures)
                if place < len(one.departures) or (
                    is_last and one.departures[-1] is not None
                ):  # it has left with what was there
                    calls.late[is_one, place] = calls.early[is_one, place]
    latest = np.zeros(len(calls.visits))
    for place in range(calls.visits.shape[1] - 1, 1, -1):
        latest = np.maximum(latest, release[:, place])
        calls.early[:, place] = np.where(
            is_call[:, place],
            np.maximum(calls.early[:, place], latest),
            calls.early[:, place],
        )
        latest[is_call[:, place]] = 0.0
    calls.early[:, 0] = np.maximum(calls.early[:, 0], latest)


def _recall(
    departures: Sequence[float | None],
    calls: _Calls,
    is_one: np.ndarray,
    release: np.ndarray,
) -> None:
    """Let the first stops of some rows be as they were."""
    done = slice(1, 1 + len(departures))
    row = int(np.argmax(is_one))
    travel, service, early = (
        part[row, done].tolist()
        for part in (calls.travel, calls.service, calls.early)
    )
    now, left = departures_of(departures, travel, service, early)
    calls.early[is_one, 0] = calls.late[is_one, 0] = now
    for stop, departure in enumerate(left, start=1):
        begin = max(now, departure - service[stop - 1])
        calls.early[is_one, stop] = begin
        calls.service[is_one, stop] = departure - begin
        calls.travel[is_one, stop] = begin - now
        calls.late[is_one, stop] = np.inf
        now = departure
    release[is_one, done] = 0.0


def _late(
    instance: Instance, placements: _Placements, calls: _Calls
) -> dict[str, _Broken]:
    """Return what is late. Late customers are served all the same."""
    num, width = calls.visits.shape
    begins = np.empty((num, width))
    now = np.zeros(num)
    for place in range(width):
        now = now + calls.travel[:, place]
        _take_first_windows(instance, calls, place, now)
        now = np.maximum(now, calls.early[:, place])
        begins[:, place] = now
        now = now + calls.service[:, place]
    late = np.maximum(calls.late, begins)
    latest = late[:, -1]
    for place in range(width - 2, -1, -1):
        leave = latest - calls.travel[:, place + 1]
        latest = np.minimum(late[:, place], leave - calls.service[:, place])
    work = calls.travel.sum(axis=1) + calls.service.sum(axis=1)
    types = [instance.vehicle_types[idx] for idx in placements.types]
    longest = np.array([each.max_duration for each in types], dtype=float)
    is_added = np.isin(calls.visits, placements.added) & calls.is_stop
    is_end = np.zeros_like(is_added)
    sizes = np.array(list(map(len, placements.routes)))
    is_end[np.arange(num), 2 + sizes] = True
    is_start = np.zeros_like(is_added)
    is_start[:, :2] = True
    return {
        "start": _worst(is_start, begins, calls.late),
        "window": _worst(is_added, begins, calls.late),
        "later-windows": _worst(calls.is_stop & ~is_added, begins, calls.late),
        "return": _worst(is_end, begins, calls.late),
        "shift": _over(np.maximum(begins[:, -1] - latest, work), longest),
    }


def _take_first_windows(
    instance: Instance, calls: _Calls, place: int, arrivals: np.ndarray
) -> None:
    """Let stops have the first of their windows still open, or the last."""
    windows = instance.windows
    if windows is None or windows.windows is None:
        return
    rows = windows.has_several[calls.visits[:, place]]
    rows &= calls.is_stop[:, place] & np.isfinite(calls.late[:, place])
    own = windows.windows[calls.visits[rows, place]]
    is_closed = exceed(arrivals[rows, None], own[:, :, 1].astype(float))
    first = np.minimum(is_closed.sum(axis=1), own.shape[1] - 1)
    chosen = own[np.arange(len(own)), first].astype(float)
    calls.early[rows, place], calls.late[rows, place] = chosen.T


def _overloaded(
    instance: Instance, placements: _Placements, calls: _Calls
) -> Iterator[tuple[str, _Broken]]:
    is_call = np.isin(calls.visits, instance.depots) & calls.is_stop
    types = [instance.vehicle_types[idx] for idx in placements.types]
    for dim in range(instance.num_load_dimensions):
        before = instance.deliveries[calls.visits, dim] * calls.is_stop
        change = instance.load_changes[calls.visits, dim] * calls.is_stop
        most = np.zeros(len(types), dtype=np.int64)
        # From the end: the most beyond what is on board where a trip begins.
        rise, total = np.zeros((2, len(types)), dtype=np.int64)
        for place in range(calls.visits.shape[1] - 1, 1, -1):
            here = is_call[:, place]
            most = np.where(here, np.maximum(most, total + rise), most)
            rise = np.where(here, 0, np.maximum(0, change[:, place] + rise))
            total = np.where(here, 0, total + before[:, place])
        initial = [
            (*each.initial_load, *[0] * (dim + 1))[dim] for each in types
        ]
        most = np.maximum(most, total + rise + np.array(initial))
        capacity = np.array([each.capacities[dim] for each in types])
        name = f"capacity {dim + 1}" if dim else "capacity"
        yield name, _Broken(most > capacity, most - capacity)


def _against_rules(
    instance: Instance,
    plan: Solution,
    placements: _Placements,
    calls: _Calls,
) -> Iterator[tuple[str, _Broken]]:
    constraints = instance.constraints
    if constraints is None:
        return

    def count(nodes: Iterable[int]) -> np.ndarray:
        is_one = np.isin(calls.visits, list(nodes)) & calls.is_stop
        return np.asarray(is_one.sum(axis=1))

    for kind, alone in (
        ("skill", RouteConstraints(skills=constraints.skills)),
        ("pin", RouteConstraints(vehicles=constraints.vehicles)),
    ):
        size = len(instance.demands)
        may = alone.allowed_types(instance.vehicle_types, size)
        if may is not None:
            is_wrong = ~may[placements.types[:, None], calls.visits]
            is_wrong &= np.isin(calls.visits, placements.added)
            yield kind, _Broken((is_wrong & calls.is_stop).any(axis=1))
    added = set(placements.added.tolist())
    nowhere = np.zeros(len(placements.routes), dtype=bool)
    apart, together = nowhere.copy(), nowhere.copy()
    for group in constraints.different_routes:
        if not added.isdisjoint(group):
            apart |= count(group) > 1
    present = added.union(*plan.routes)
    required = set(np.flatnonzero(instance.required).tolist())
    for group in constraints.same_route:
        if added.isdisjoint(group):
            continue
        others = (present | required).intersection(group) - added
        is_here = count(added.intersection(group)) > 0
        together |= is_here & (count(others) < len(others))
    yield "apart", _Broken(apart)
    yield "together", _Broken(together)
    if constraints.max_districts is not None:
        districts = np.append(constraints.districts, -1)
        rows = np.where(calls.is_stop, calls.visits, -1)
        numbers = [len({*each} - {-1}) for each in districts[rows].tolist()]
        yield (
            "district",
            _Broken(np.array(numbers) > constraints.max_districts),
        )


def _certain(
    instance: Instance, absent: Sequence[int]
) -> dict[tuple[int, int], set[str]]:
    """Return what a customer breaks with each type in every solution."""
    ends = {
        end
        for node in absent
        for choice in _order_of(instance, node)
        for end in choice
    }
    groups = () if instance.selection is None else instance.selection.groups
    # Another member of a group may be served.
    alone = sorted(ends.difference(*(group.customers for group in groups)))
    return limits_broken_alone(Arcs(instance), alone)
