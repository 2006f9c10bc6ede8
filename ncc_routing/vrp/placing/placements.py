"""Every place for one more order: what it costs, and what it breaks."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems import features
from ncc_routing.problems.schedules import (
    arc_lengths,
    departures_of,
    schedule_route,
)
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import exceed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.route_constraints import InProgressRoute
    from ncc_routing.problems.schedules import Schedule

MOST_STOPS: Final = 2 * 10**8
"""Stops of all placements that are looked at: about ten seconds."""

_AT_ONCE: Final = 10**6
"""Stops of the placements that are judged together, to bound the memory."""

Order = tuple[tuple[int, ...], ...]
"""What may be served of an order: customers, one of these choices."""


class Placements(NamedTuple):
    """Routes with an order on them, and their vehicle types.

    ``added`` are its stops, and ``origins`` the routes of the plan, -1 for a
    new one.
    """

    routes: list[tuple[int, ...]]
    types: np.ndarray
    added: np.ndarray
    origins: np.ndarray


class Broken(NamedTuple):
    """Which placements break a constraint, and by how much at least."""

    where: np.ndarray
    excess: np.ndarray | None = None

    def of(self, rows: np.ndarray) -> Broken:
        """Return it for some placements."""
        excess = None if self.excess is None else self.excess[rows]
        return Broken(self.where[rows], excess)


class Evaluation(NamedTuple):
    """What each placement adds to the cost, and what it breaks.

    Costs are those of routes less the prizes of whom they serve; they mean
    nothing where a constraint is broken. ``schedules`` are those that were
    needed for it, by placement, where the problem is explicit.
    """

    placements: Placements
    costs: np.ndarray
    broken: dict[str, Broken]
    schedules: dict[int, Schedule]

    @property
    def is_possible(self) -> np.ndarray:
        """Whether each placement breaks nothing."""
        broken = [each.where for each in self.broken.values()]
        return np.asarray(~np.any(broken, axis=0))


class Cheapest(NamedTuple):
    """What is asked of placements: ``most``, on each route or of all."""

    most: int
    by_route: bool = False


def evaluate(
    instance: Instance,
    plan: Solution,
    order: Order,
    asked: Cheapest | None = None,
    before: np.ndarray | None = None,
) -> Evaluation:
    """Return every placement of an order on the routes of a plan.

    They are all places on each route, the other stops in their sequence, and a
    new route of each vehicle type. Where only the cheapest ones are ``asked``
    for, dearer ones may be said to miss a break. ``before`` is what
    ``costs_before`` returns.
    """
    if before is None:
        before = costs_before(instance, plan)
    given, instance = instance, instance.explicit
    placements = placements_of(instance, plan, order)
    costs, broken, num_rows = [], [], 0
    schedules: dict[int, Schedule] = {}
    for part in _parts_of(placements):
        judged = _judged(given, plan, part, before, asked)
        costs.append(judged[0])
        broken.append(judged[1])
        schedules |= {num_rows + row: s for row, s in judged[2].items()}
        num_rows += len(part.routes)
    return Evaluation(
        placements,
        np.concatenate(costs),
        {kind: _joined([each[kind] for each in broken]) for kind in broken[0]},
        schedules,
    )


def costs_before(instance: Instance, plan: Solution) -> np.ndarray:
    """Return what each route costs now, and last 0 for a new one."""
    nobody = Placements(
        [*plan.routes],
        np.array(plan.vehicle_types, dtype=int),
        np.zeros(0, dtype=int),
        np.arange(plan.num_routes),
    )
    before = np.zeros(plan.num_routes + 1)
    if plan.routes:
        known = instance, plan, nobody, before, Cheapest(0)
        before[:-1] = _judged(*known)[0]
    return before


def _parts_of(placements: Placements) -> Iterator[Placements]:
    """Yield the placements by parts of a limited size."""
    routes, types, added, origins = placements
    sizes = np.fromiter(map(len, routes), dtype=int, count=len(routes))
    first = 0
    while first < len(routes):
        width = np.maximum.accumulate(sizes[first:]) + 3
        most = width * np.arange(1, 1 + len(width))
        end = first + max(1, int(np.searchsorted(most, _AT_ONCE, "right")))
        rows = slice(first, end)
        yield Placements(routes[rows], types[rows], added, origins[rows])
        first = end


def _joined(parts: Sequence[Broken]) -> Broken:
    excess = [each.excess for each in parts if each.excess is not None]
    return Broken(
        np.concatenate([each.where for each in parts]),
        np.concatenate(excess) if excess else None,
    )


def order_of(instance: Instance, node: int) -> Order:
    """Return the choices for an unserved customer: its shipment or group."""
    for shipment in instance.shipments:
        if node in instance.open_deliveries:
            break
        if node in (shipment.pickup, shipment.delivery):
            return ((shipment.pickup, shipment.delivery),)
    groups = () if instance.selection is None else instance.selection.groups
    for group in groups:
        if node in group.customers:
            return tuple((member,) for member in group.customers)
    return ((node,),)


def placements_of(
    instance: Instance, plan: Solution, order: Order
) -> Placements:
    """Return every place on a route, and a new route of each type."""
    depots = set(instance.depots)
    routes: list[tuple[int, ...]] = []
    types: list[int] = []
    origins: list[int] = []
    driven = zip(plan.routes, plan.vehicle_types, strict=True)
    for number, (route, idx) in enumerate(driven):
        driven_stops = (
            one.stops(instance.depots)
            for one in instance.in_progress
            if one.begins(route, idx, instance.depots)
        )
        first = max(map(len, driven_stops), default=0)
        calls = (k for k, node in enumerate(route) if node in depots)
        next_call = next((k for k in calls if k >= first), len(route))
        for choice in order:
            is_on_board = choice[0] in instance.open_deliveries
            last = next_call if is_on_board else len(route)
            more = list(_with(route, choice, range(first, 1 + last), depots))
            routes += more
            types += [idx] * len(more)
            origins += [number] * len(more)
    for idx in range(len(instance.vehicle_types)):
        routes += order
        types += [idx] * len(order)
        origins += [-1] * len(order)
    added = np.array(sorted({node for choice in order for node in choice}))
    return Placements(routes, np.array(types), added, np.array(origins))


def on_board_of(instance: Instance, nodes: Iterable[int]) -> set[int]:
    """Return the in-progress routes that have goods for some nodes."""
    route_of = dict(instance.open_deliveries)
    for number, one in enumerate(instance.in_progress):
        route_of |= dict.fromkeys(one.on_board, number)
    return {route_of[node] for node in nodes if node in route_of}


_Begun = tuple["InProgressRoute", np.ndarray]
"""One in progress, and which placements go on with it."""


def _going_on(
    instance: Instance, placements: Placements, one: InProgressRoute
) -> np.ndarray:
    """Return which routes go on with one in progress."""
    rows = inverse = np.arange(len(placements.routes))
    if {*one.customers, *one.on_board}.isdisjoint(placements.added.tolist()):
        # All placements on a route are alike.
        _, rows, inverse = np.unique(
            placements.origins, return_index=True, return_inverse=True
        )
    goes_on = [
        placements.types[row] == one.vehicle_type
        and one.begins(
            placements.routes[row], one.vehicle_type, instance.depots
        )
        for row in rows.tolist()
    ]
    return np.array(goes_on)[inverse]


def _with(
    route: tuple[int, ...],
    choice: Sequence[int],
    places: Iterable[int],
    depots: set[int],
) -> Iterator[tuple[int, ...]]:
    """Yield a route with stops between its own, all on one trip."""
    node, *others = choice
    for place in places:
        head, tail = (*route[:place], node), route[place:]
        if not others:
            yield (*head, *tail)
            continue
        for end in range(len(tail) + 1):
            yield (*head, *tail[:end], *others, *tail[end:])
            if end < len(tail) and tail[end] in depots:
                break


class _Calls(NamedTuple):
    """Stops of many routes, one a row: the start, its depot, ..., the end.

    Beyond the end of a shorter route nothing takes time.
    """

    visits: np.ndarray
    is_stop: np.ndarray
    is_reload: np.ndarray
    early: np.ndarray
    late: np.ndarray
    service: np.ndarray
    travel: np.ndarray
    legs: np.ndarray
    driving: np.ndarray
    is_forbidden: np.ndarray


def _judged(
    given: Instance,
    plan: Solution,
    placements: Placements,
    before: np.ndarray,
    asked: Cheapest | None = None,
) -> tuple[np.ndarray, dict[str, Broken], dict[int, Schedule]]:
    """Return what each route costs more, and breaks, and known schedules."""
    instance = given.explicit
    started = [
        (one, _going_on(instance, placements, one))
        for one in instance.in_progress
    ]
    calls = _calls(instance, placements, started)
    distances = calls.legs.sum(axis=1)
    durations, late = _timed(instance, placements, calls)
    broken = {
        "arc": Broken(calls.is_forbidden),
        "distance": _over(
            distances, _of_types(instance, placements, "max_distance")
        ),
        "driving": _over(
            calls.driving,
            _of_types(instance, placements, "max_driving_time"),
        ),
        **dict(_against_numbers(instance, placements, calls)),
        **late,
        **dict(_overloaded(instance, placements, calls, started)),
        **dict(_against_rules(instance, plan, placements, calls)),
    }
    used = Counter(plan.vehicle_types)
    are_out = [
        each.num_available is not None and used[idx] >= each.num_available
        for idx, each in enumerate(instance.vehicle_types)
    ]
    are_out_of = np.array(are_out)[placements.types]
    broken["vehicles"] = Broken((placements.origins < 0) & are_out_of)
    over, beside = _of_begun(instance, placements, started)
    beside &= ~broken["vehicles"].where  # there is none of them
    broken |= {"over": Broken(over), "in_progress": Broken(beside)}
    measured = (instance, placements, calls, distances, durations)
    costs = _costs(*measured) - before[placements.origins]
    quicker = _save_setups(given, placements, calls)
    for kind in late:
        broken[kind].where[quicker] = False
    schedules = _schedule_again(
        given, placements, broken, durations, costs, asked, quicker
    )
    costs = _costs(*measured) - before[placements.origins]
    for row, schedule in schedules.items():
        costs[row] += schedule.window_cost
    return costs, broken, schedules


def _of_types(
    instance: Instance,
    placements: Placements,
    name: str,
    kind: type[float] = float,
) -> np.ndarray:
    """Return a field of the vehicle type of each placement."""
    values = [getattr(each, name) for each in instance.vehicle_types]
    return np.asarray(np.array(values, dtype=kind)[placements.types])


def _costs(
    instance: Instance,
    placements: Placements,
    calls: _Calls,
    distances: np.ndarray,
    durations: np.ndarray,
) -> np.ndarray:
    of_type = partial(_of_types, instance, placements)
    costs = of_type("fixed_cost") + of_type("unit_distance_cost") * distances
    paid = durations - of_type("unpaid_duration")
    costs += of_type("unit_duration_cost") * paid
    costs += of_type("unit_driving_cost") * calls.driving
    overtime = np.maximum(0.0, durations - of_type("shift_duration"))
    costs += of_type("unit_overtime_cost") * overtime
    if instance.selection is not None:
        prizes = instance.selection.prizes[calls.visits] * calls.is_stop
        costs -= prizes.sum(axis=1)
    return np.asarray(costs)


def _save_setups(
    given: Instance, placements: Placements, calls: _Calls
) -> np.ndarray:
    """Return the rows that may save a set-up, as two stops share a place.

    The explicit problem always counts some of these.
    """
    if features.OWN_WORK.isdisjoint(given.features):
        return np.zeros(0, dtype=int)
    types, size = given.vehicle_types, len(given.demands)
    setups = np.array([np.append(given.work_of(t)[1], 0) for t in types])
    arcs = calls.visits[:, 1:-1], calls.visits[:, 2:]
    heads = arcs[1]
    is_saved = setups[placements.types[:, None], heads] > 0
    is_saved &= calls.is_stop[:, 2:]
    tails, heads = (given.place_of[np.minimum(e, size - 1)] for e in arcs)
    is_saved &= tails == heads
    return np.flatnonzero(is_saved.any(axis=1))


def _schedule_again(
    given: Instance,
    placements: Placements,
    broken: dict[str, Broken],
    durations: np.ndarray,
    costs: np.ndarray,
    asked: Cheapest | None,
    quicker: np.ndarray,
) -> dict[int, Schedule]:
    """Take the durations of routes that are more than a sum of parts.

    The first windows may leave long waits. Where time costs nothing, no more
    are scheduled than are asked for. The schedules are returned. ``quicker``
    are routes that are late only where their own schedule is.
    """
    schedules: dict[int, Schedule] = {}
    instance = given.explicit
    if features.DRIVERS_DAY.isdisjoint(instance.features) and not len(quicker):
        return schedules
    prefers = features.PREFERRED_WINDOWS in instance.features
    others = [one.where for name, one in broken.items() if name != "shift"]
    shift, types = broken["shift"], instance.vehicle_types
    are_paid = [
        prefers or t.unit_duration_cost + t.unit_overtime_cost > 0
        for t in types
    ]
    are_changed = [
        bool(t.breaks or t.hours) or is_paid
        for t, is_paid in zip(types, are_paid, strict=True)
    ]
    again = shift.where | np.array(are_changed)[placements.types]
    again[quicker] = True
    again &= ~np.any(others, axis=0)
    # Those that are passed over below count as not possible.
    rows, misses = np.flatnonzero(again), np.array([again, again])
    if any(are_paid) or len(quicker):
        asked = None
    by_itself = set(quicker.tolist())
    if asked is not None:
        rows = rows[np.argsort(costs[rows], kind="stable")]
    kept: Counter[tuple[int, int]] = Counter()
    for row in rows.tolist():
        idx, route = int(placements.types[row]), placements.routes[row]
        group = (0, 0)
        if asked is not None and asked.by_route:
            group = int(placements.origins[row]), idx
        if asked is not None and kept[group] >= asked.most:
            continue
        schedule = schedules[row] = schedule_route(given, route, idx)
        durations[row] = schedule.duration
        if row in by_itself:
            broken["later-windows"].where[row] = schedule.is_late
        misses[:, row] = schedule.misses_break, schedule.misses_rest
        excess = durations[row] - types[idx].max_duration
        shift.where[row] = exceed(durations[row], types[idx].max_duration)
        if shift.excess is not None:
            shift.excess[row] = excess
        kept[group] += not (shift.where[row] or misses[:, row].any())
    broken |= {"break": Broken(misses[0]), "hours": Broken(misses[1])}
    return schedules


def _of_begun(
    instance: Instance, placements: Placements, started: Sequence[_Begun]
) -> tuple[np.ndarray, np.ndarray]:
    """Return where a route is over, or goods are on board of another one."""
    over, beside = np.zeros((2, len(placements.routes)), dtype=bool)
    for number, (one, goes_on) in enumerate(started):
        if one.is_over:
            over |= goes_on
        if number in on_board_of(instance, placements.added.tolist()):
            beside |= ~goes_on
    return over, beside


def _over(values: np.ndarray, limits: np.ndarray) -> Broken:
    return Broken(exceed(values, limits), values - limits)


def _worst(delays: np.ndarray, is_one: np.ndarray) -> Broken:
    """Return whether some stops of a row are late, and by how much."""
    most = np.max(delays, axis=1, where=is_one, initial=0.0)
    return Broken(most > 0, most)


def _calls(
    instance: Instance, placements: Placements, started: Sequence[_Begun]
) -> _Calls:
    kinds, routes = instance.vehicle_types, placements.routes
    sizes = np.array(list(map(len, routes)))
    width, rows = int(sizes.max()) + 3, np.arange(len(routes))
    both = np.array([instance.ends_of(each) for each in kinds])
    starts, ends = both[placements.types].T
    places = np.arange(width)
    is_stop = (places > 1) & (places < 2 + sizes[:, None])
    visits = np.repeat(ends[:, None], width, axis=1)
    visits[:, :2] = starts[:, None]
    visits[is_stop] = np.fromiter(chain.from_iterable(routes), dtype=int)
    is_depot = np.zeros(len(instance.demands), dtype=bool)
    is_depot[[*instance.depots]] = True
    is_after = places > 2 + sizes[:, None]
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    early, late, service = (
        getattr(windows, name)[visits].astype(float)
        for name in ("tw_early", "tw_late", "service_durations")
    )

    of_type = partial(_of_types, instance, placements)
    last = 2 + sizes
    early[rows, last] = np.maximum(early[rows, last], of_type("tw_early"))
    late[rows, last] = np.minimum(late[rows, last], of_type("tw_late"))
    early[:, 0], late[:, 0] = of_type("tw_early"), of_type("start_late")
    service[rows, last] = service[:, 0] = 0.0
    early[is_after], late[is_after], service[is_after] = 0.0, np.inf, 0.0
    legs, travel, driving = np.zeros((3, *visits.shape))
    profiles = np.array([each.profile for each in kinds])[placements.types]
    for profile in np.unique(profiles):
        on = profiles == profile
        arcs = (instance, int(profile), visits[on, 1:-1], visits[on, 2:])
        lengths = arc_lengths(*arcs)
        for part, own in zip((legs, travel, driving), lengths, strict=True):
            part[on, 2:] = own
    legs[is_after] = travel[is_after] = driving[is_after] = 0.0
    is_forbidden = np.isinf(legs) | np.isinf(travel)
    for part in (legs, travel, driving):
        part[is_forbidden] = 0.0
    calls = _Calls(
        visits,
        is_stop,
        is_stop & is_depot[visits],
        early,
        late,
        service,
        travel,
        legs,
        driving.sum(axis=1),
        is_forbidden.any(axis=1),
    )
    _await_goods(instance, windows, started, calls)
    return calls


def _await_goods(
    instance: Instance,
    windows: TimeWindows,
    routes: Sequence[_Begun],
    calls: _Calls,
) -> None:
    """Let trips begin when their goods are there; the past is as it was."""
    release = windows.release_times[calls.visits] * calls.is_stop
    is_started = np.zeros(len(calls.visits), dtype=bool)
    for one, is_one in routes:
        if one.departures and is_one.any():
            is_started |= is_one
            _recall(one, calls, is_one, release)
            left = calls.is_reload[is_one].any(axis=0)
            for place in np.flatnonzero(left).tolist():
                is_last = place == len(one.departures)
                if place < len(one.departures) or (
                    is_last and one.departures[-1] is not None
                ):  # it has left with what was there
                    calls.late[is_one, place] = calls.early[is_one, place]
    if not release.any():
        return
    latest = np.zeros(len(calls.visits))
    for place in range(calls.visits.shape[1] - 1, 1, -1):
        latest = np.maximum(latest, release[:, place])
        calls.early[:, place] = np.where(
            calls.is_reload[:, place],
            np.maximum(calls.early[:, place], latest),
            calls.early[:, place],
        )
        latest[calls.is_reload[:, place]] = 0.0
    calls.early[:, 0] = np.maximum(calls.early[:, 0], latest)


def _recall(
    one: InProgressRoute,
    calls: _Calls,
    is_one: np.ndarray,
    release: np.ndarray,
) -> None:
    """Let the first stops of some rows be as they were."""
    done = slice(1, 1 + len(one.departures))
    row = int(np.argmax(is_one))
    travel, service, early = (
        part[row, done].tolist()
        for part in (calls.travel, calls.service, calls.early)
    )
    now, left = departures_of(one, travel, service, early)
    calls.early[is_one, 0] = calls.late[is_one, 0] = now
    for stop, departure in enumerate(left, start=1):
        begin = max(now, departure - service[stop - 1])
        calls.early[is_one, stop] = begin
        calls.service[is_one, stop] = departure - begin
        calls.travel[is_one, stop] = begin - now
        calls.late[is_one, stop] = np.inf
        now = departure
    release[is_one, done] = 0.0


def _timed(
    instance: Instance, placements: Placements, calls: _Calls
) -> tuple[np.ndarray, dict[str, Broken]]:
    """Return durations, and what is late: it is served all the same."""
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
    longest = _of_types(instance, placements, "max_duration")
    is_added = np.isin(calls.visits, placements.added) & calls.is_stop
    is_end = np.zeros_like(is_added)
    sizes = np.array(list(map(len, placements.routes)))
    is_end[np.arange(num), 2 + sizes] = True
    is_start = np.zeros_like(is_added)
    is_start[:, :2] = True
    durations = np.maximum(begins[:, -1] - latest, work)
    is_late = exceed(begins, calls.late)
    delays = np.where(is_late, begins - calls.late, 0.0)
    return durations, {
        "start": _worst(delays, is_start),
        "window": _worst(delays, is_added),
        "later-windows": _worst(delays, calls.is_stop & ~is_added),
        "return": _worst(delays, is_end),
        "shift": _over(durations, longest),
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
    pairs = windows.windows[calls.visits[rows, place]]
    is_closed = exceed(arrivals[rows, None], pairs[:, :, 1].astype(float))
    first = np.minimum(is_closed.sum(axis=1), pairs.shape[1] - 1)
    chosen = pairs[np.arange(len(pairs)), first].astype(float)
    calls.early[rows, place], calls.late[rows, place] = chosen.T


def _overloaded(
    instance: Instance,
    placements: Placements,
    calls: _Calls,
    started: Sequence[_Begun],
) -> Iterator[tuple[str, Broken]]:
    types, num = instance.vehicle_types, len(placements.routes)
    more = _more_on_board(instance, calls, started)
    for dim in range(instance.num_load_dimensions):
        before = instance.deliveries[calls.visits, dim] * calls.is_stop
        change = instance.load_changes[calls.visits, dim] * calls.is_stop
        most = np.zeros(num, dtype=np.int64)
        # From the end: the most beyond what is on board where a trip begins.
        rise, total = np.zeros((2, num), dtype=np.int64)
        for place in range(calls.visits.shape[1] - 1, 1, -1):
            here = calls.is_reload[:, place]
            there = total + rise + more[:, place, dim]
            most = np.where(here, np.maximum(most, there), most)
            rise = np.where(here, 0, np.maximum(0, change[:, place] + rise))
            total = np.where(here, 0, total + before[:, place])
        initial, capacity = (
            np.array(own)[placements.types]
            for own in (
                [(*t.initial_load, *[0] * (dim + 1))[dim] for t in types],
                [t.capacities[dim] for t in types],
            )
        )
        most = np.maximum(most, total + rise + initial + more[:, 1, dim])
        name = f"capacity {dim + 1}" if dim else "capacity"
        yield name, Broken(most > capacity, most - capacity)


def _more_on_board(
    instance: Instance, calls: _Calls, started: Sequence[_Begun]
) -> np.ndarray:
    """Return what trips have on board besides the goods of their stops.

    It has the shape (placements, places, load dimensions), at the places where
    trips begin.
    """
    num = instance.num_load_dimensions
    more = np.zeros((*calls.visits.shape, num), dtype=np.int64)
    trips = np.cumsum(calls.is_reload, axis=1)
    for one, is_one in started:
        begins = [1, *(2 + at + k for k, (at, _) in enumerate(one.reloads))]
        for trip, place in enumerate(begins):
            more[is_one, place] += one.goods_of(trip, num)
        for node in one.on_board:
            is_kept = (calls.visits == node) & calls.is_stop
            is_kept &= trips == len(one.reloads)
            is_other = is_one & ~is_kept.any(axis=1)
            more[is_other, begins[-1]] += instance.deliveries[node]
    return more


def _against_numbers(
    instance: Instance, placements: Placements, calls: _Calls
) -> Iterator[tuple[str, Broken]]:
    is_customer = calls.is_stop & ~calls.is_reload
    stops = is_customer.sum(axis=1)
    loads = (instance.handled[calls.visits] * is_customer).sum(axis=1)
    most, least, least_load = (
        _of_types(instance, placements, name, int)
        for name in ("max_stops", "min_stops", "min_load")
    )
    yield "stops", Broken(stops > most, stops - most)
    is_new = placements.origins < 0
    lacks = (stops < least) | (loads < least_load)
    yield "least", Broken(is_new & lacks)


def _against_rules(  # noqa: C901
    instance: Instance,
    plan: Solution,
    placements: Placements,
    calls: _Calls,
) -> Iterator[tuple[str, Broken]]:
    constraints = instance.constraints
    if constraints is None:
        return

    def count(nodes: Iterable[int]) -> np.ndarray:
        is_one = np.isin(calls.visits, list(nodes)) & calls.is_stop
        return np.asarray(is_one.sum(axis=1))

    added = set(placements.added.tolist())
    types = instance.vehicle_types
    lacks, forbids = np.zeros((2, len(types), len(instance.demands)), bool)
    for idx, node in product(range(len(types)), added):
        if constraints.skills:
            needed = set(constraints.skills[node])
            lacks[idx, node] = not needed.issubset(types[idx].skills)
        if constraints.vehicles:
            pinned = constraints.vehicles[node]
            forbids[idx, node] = pinned is not None and idx not in pinned
    for kind, is_one in (("skill", lacks), ("pin", forbids)):
        if is_one.any():
            is_wrong = is_one[placements.types[:, None], calls.visits]
            yield kind, Broken((is_wrong & calls.is_stop).any(axis=1))
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
    yield "apart", Broken(apart)
    yield "together", Broken(together)
    if constraints.max_districts is not None:
        districts = np.append(constraints.districts, -1)
        rows = np.where(calls.is_stop, calls.visits, -1)
        numbers = [len({*each} - {-1}) for each in districts[rows].tolist()]
        yield (
            "district",
            Broken(np.array(numbers) > constraints.max_districts),
        )


def placed(
    instance: Instance, plan: Solution, placements: Placements, place: int
) -> Solution:
    """Return a plan with one of the placements."""
    routes, types = list(plan.routes), list(plan.vehicle_types)
    origin = int(placements.origins[place])
    if origin < 0:
        routes.append(placements.routes[place])
        types.append(int(placements.types[place]))
    else:
        routes[origin] = placements.routes[place]
    return Solution.from_routes(instance, routes, types)
