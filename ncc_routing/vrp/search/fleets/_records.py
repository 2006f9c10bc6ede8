"""Visits and vehicle types as the kernels see them."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.problems import features
from ncc_routing.problems.routes.schedules import schedule_past
from ncc_routing.problems.routes.searched_form import cost_bound
from ncc_routing.problems.routes.timing import (
    compiled_break,
    compiled_hours,
    compiled_so_far,
    compiled_windows,
)
from ncc_routing.problems.time_windows import TimeWindows
from ncc_routing.problems.values import COST_TOLERANCE, NO_LIMIT, widened
from ncc_routing.vrp.search.fleets._rules import (
    order_of,
    rules_of,
    settled_customers,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.breaks import Break
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.search.fleets._arcs import Arcs


_LOADED: Final = frozenset(
    {
        features.LOAD_DIMENSIONS,
        features.PICKUPS,
        features.SHIPMENTS,
        features.INITIAL_LOADS,
        features.EMPTY_STARTS,
        features.RELOAD_DEPOTS,
    }
)
"""Features of problems in which the sum of the demands does not say all."""

_LIMITED: Final = frozenset(
    {
        features.MAX_DRIVING_TIMES,
        features.MAX_STOPS,
        features.MIN_STOPS,
        features.MIN_LOADS,
    }
)
"""Features of routes that are limited by sums and numbers."""

FEW_CALLS: Final = 200
"""Calls at depots that a search provides for, at least."""

TRIPS: Final = 3
"""The same for each trip that the loads need."""


class Visits(NamedTuple):
    """Times of nodes: float64 (nodes,) each."""

    early: np.ndarray  # when a service may begin
    late: np.ndarray
    # Arrivals are compared with it: ``late`` and the tolerance of rounded
    # sums.
    limit: np.ndarray
    service: np.ndarray  # its length
    release: np.ndarray  # when the goods are at the depot

    def of(self, nodes: np.ndarray) -> Visits:
        """Return the times of some nodes."""
        return Visits(*(times[nodes] for times in self))


def visits_of(instance: Instance, arcs: Arcs) -> Visits:
    """Return when the nodes may be visited.

    Services are the shortest of all vehicle types, without set-ups.
    """
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    times = (
        windows.tw_early,
        windows.tw_late,
        np.min([instance.work_of(k)[0] for k in instance.vehicle_types], 0),
        windows.release_times,
    )
    early, late, service, release = (
        values.astype(np.float64) for values in times
    )
    late[windows.tw_late >= NO_LIMIT] = np.inf
    limit = late if are_whole(instance, arcs) else widened(late)
    return Visits(early, late, limit, service, release)


def _work_of(
    instance: Instance,
    given: Instance,
    nodes: np.ndarray,
    order: np.ndarray,
    visits: Visits,
) -> kernels.Work | None:
    """Return services and set-ups by vehicle type; ``None``: visits say all.

    What is done at known times took what it took.
    """
    if features.OWN_WORK.isdisjoint(instance.features):
        return None
    work = [instance.work_of(each) for each in instance.vehicle_types]
    services, setups = (
        np.array(each, dtype=float).T[nodes]
        for each in zip(*work, strict=True)
    )
    is_past = np.isin(nodes, sorted(_served_at_known_times(given)))
    services[is_past] = visits.service[is_past, None]
    setups[is_past] = 0.0
    return kernels.Work(
        services=services.ravel().tolist(),
        setups=setups.ravel().tolist() if setups.any() else [],
        places=instance.place_of[order].tolist(),
    )


def vehicles_of(
    instance: Instance,
    arcs: Arcs,
    places: Sequence[int],
) -> list[kernels.VehicleType]:
    """Return the vehicle types with the routes that each can drive.

    Limits of unrounded sums include the tolerance. ``places`` are those of the
    depots.
    """
    vehicles = []
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    has_whole_lengths, _ = arcs.are_whole
    has_whole_times = are_whole(instance, arcs)
    end = 0
    types = zip(instance.vehicle_types, arcs.profiles, strict=True)
    for vehicle_type, profile in types:
        first, most = end, instance.num_customers
        end += min(most, vehicle_type.num_available or most)
        unpaid = vehicle_type.unpaid_duration
        vehicle = kernels.VehicleType(
            capacity=vehicle_type.capacity,
            fixed_cost=vehicle_type.fixed_cost
            - vehicle_type.unit_duration_cost * unpaid,
            distance_cost=arcs.unit_cost(vehicle_type),
            duration_cost=vehicle_type.unit_duration_cost,
            time_steps=_time_steps(vehicle_type),
            max_distance=arcs.most
            if arcs.are_costs
            else _unlimited(vehicle_type.max_distance),
            max_duration=_unlimited(vehicle_type.max_duration),
            start=places[vehicle_type.start_depot or 0],
            end=places[vehicle_type.end_depot or 0],
            profile=profile,
            first_route=first,
            end_route=end,
            **_times_of_ends(instance, vehicle_type, windows),
        )
        if not has_whole_lengths:
            vehicle.max_distance = _widened(vehicle.max_distance)
        if not has_whole_times:
            vehicle.end_late = _widened(vehicle.end_late)
            vehicle.max_duration = _widened(vehicle.max_duration)
        vehicles.append(vehicle)
    return vehicles


def _time_steps(vehicle_type: VehicleType) -> list[tuple[float, float]]:
    """Return where units of time cost more, and how much more."""
    return sorted(
        (one.beyond, one.unit_cost)
        for one in vehicle_type.all_price_steps
        if one.amount == "duration" and one.beyond < vehicle_type.max_duration
    )


def _widened(limit: float) -> float:
    return float(widened(np.array(limit)))


def _unlimited(value: float) -> float:
    return np.inf if value >= NO_LIMIT else float(value)


def _times_of_ends(
    instance: Instance, vehicle_type: VehicleType, windows: TimeWindows
) -> dict[str, float]:
    """Return what leaving the depot and coming back take, and when.

    A vehicle may wait between its own window and that of the depot.
    """
    times = {}
    start = instance.ends_of(vehicle_type)[0]
    opens, closes = windows.tw_early[start], windows.tw_late[start]
    wait = max(0, opens - vehicle_type.start_late)
    times["start_duration"] = wait + instance.work_of(vehicle_type)[0][start]
    times["start_early"] = max(vehicle_type.tw_early, opens) - wait
    times["start_late"] = _unlimited(min(vehicle_type.start_late, closes))
    is_never = vehicle_type.tw_early > closes
    end = instance.ends_of(vehicle_type)[1]
    opens, closes = windows.tw_early[end], windows.tw_late[end]
    wait = max(0, vehicle_type.tw_early - closes)
    times["end_duration"] = wait
    times["end_early"] = max(opens, vehicle_type.tw_early) - wait
    times["end_late"] = _unlimited(min(closes, vehicle_type.tw_late))
    if is_never or opens > vehicle_type.tw_late:
        times["end_late"] = -np.inf
    return {name: float(time) for name, time in times.items()}


def set_done(
    instance: Instance,
    vehicles: Sequence[kernels.VehicleType],
    visits: Visits,
    arcs: Arcs,
    ranks: np.ndarray,
) -> None:
    """Let in-progress routes have the times that are known.

    ``vehicles`` are those of the in-progress routes, which start at the last
    reload. The kernels add travel and services: a service makes up for what
    the arc before it took.
    """
    each = zip(instance.in_progress, vehicles, strict=True)
    for number, (one, vehicle) in enumerate(each):
        vehicle.has_begun = bool(one.customers)
        if not one.departures:
            continue
        vehicle_type = instance.vehicle_types[one.vehicle_type]
        depot = instance.ends_of(vehicle_type)[0]
        stops = [depot, *one.stops(instance.depots)]
        past = schedule_past(instance, number)
        vehicle.fixed_cost += past.window_cost
        nodes = ranks[stops].astype(np.int64)
        along = vehicle.profile, nodes[:-1], nodes[1:]
        travel = [0.0, *arcs.times(*along).tolist()]
        left = list(map(add, past.begins, past.services))[: len(stops)]
        left[-1] += one.rested_after(len(stops) - 1)
        reload = len(stops) - 1 - len(one.trip)
        begin, now = past.start, left[reload]
        if reload > 0:
            begin = past.begins[reload]
            driven = float(arcs.lengths(*along)[:reload].sum())
            if not vehicle.has_begun:
                vehicle.fixed_cost += vehicle.distance_cost * driven
                vehicle.fixed_cost += vehicle.duration_cost * (
                    begin - past.start
                )
            vehicle.max_distance -= driven
            vehicle.max_duration -= begin - past.start
            vehicle.time_steps = [
                (beyond - (begin - past.start), unit_cost)
                for beyond, unit_cost in vehicle.time_steps
            ]
        vehicle.start_early = vehicle.start_late = begin
        vehicle.start_duration = now - begin
        served = nodes[reload + 1 :]
        visits.late[served] = visits.limit[served] = np.inf
        visits.release[served] = 0.0
        visits.early[served] = 0.0
        for stop, node in enumerate(served, start=reload + 1):
            visits.service[node] = left[stop] - now - travel[stop]
            now = left[stop]


def features_of(
    instance: Instance,
    given: Instance,
    order: np.ndarray,
    ranks: np.ndarray,
    calls: Sequence[int],
    arcs: Arcs,
    visits: Visits,
) -> list[object]:
    """Return the features of an instance, by the nodes of the kernels.

    ``given`` is the instance without the types of in-progress routes.
    """
    has_whole_times = are_whole(instance, arcs)
    given_features = (
        _loads_of(instance, given, order, has_calls=bool(calls)),
        _options_of(given, order, ranks),
        _pairs_of(given, len(order), ranks),
        _reloads_of(instance, given, calls, ranks),
        rules_of(given, order, ranks),
        _limits_of(instance, given, order, ranks, arcs),
        _steps_of(instance, given, order, ranks, arcs),
        order_of(given, order, ranks),
        _work_of(instance, given, order, arcs.order, visits),
        _waiting_of(instance, are_whole=has_whole_times),
        _shifts_of(instance, given, order, has_whole_times, bool(calls)),
        _preferred_of(instance, given, order),
    )
    return [one for one in given_features if one is not None]


def _loads_of(
    instance: Instance, given: Instance, order: np.ndarray, *, has_calls: bool
) -> kernels.StopLoads | None:
    """Return the loads of the nodes; ``None``: the demands say all.

    What is on board when a route goes on is so until it is delivered or the
    vehicle is at a depot. Where it may call at one, each dimension is there
    twice: one counts these goods on the first trip alone, one where they are
    loaded again. Either is too small where the other one is right.
    """
    begun = given.in_progress
    on_board = [node for one in begun for node in one.on_board]
    is_laden = bool(on_board) or any(one.undelivered for one in begun)
    if _LOADED.isdisjoint(instance.features) and not is_laden:
        return None
    num, types = instance.num_load_dimensions, instance.vehicle_types
    initial = np.array([each.initial_load or (0,) * num for each in types])
    first = len(types) - len(begun)
    for idx, one in enumerate(begun, first):
        initial[idx] *= not one.reloads
        initial[idx] += one.goods_of(len(one.reloads), num)
    deliveries, changes = instance.deliveries, instance.load_changes
    kept = deliveries.copy()
    kept[on_board] = 0
    laden = initial.copy()
    for idx, one in enumerate(begun, first):
        laden[idx] += deliveries[list(one.on_board)].sum(axis=0)
    both = [(kept, laden)]
    if _counts_twice(given, has_calls=has_calls):
        both.append((deliveries, initial))
    capacities = [each.capacities * len(both) for each in types]
    # What leaves the vehicle on the way is a negative pickup.
    gone = [own + changes for own, _ in both]
    if features.EMPTY_STARTS in instance.features:
        # Full at first of a load that all goods of a depot have.
        goods = (deliveries > 0).any(axis=1, keepdims=True).astype(int)
        is_full = np.array([[each.starts_empty] for each in types])
        for idx, one in enumerate(begun, first):
            is_full[idx] &= not one.reloads
            goods[list(one.customers)] = 0
        most = max(1, int(goods.sum()))
        both.append((goods, most * is_full))
        gone.append(np.zeros_like(goods))
        capacities = [(*each, most) for each in capacities]
    brought = np.hstack([own for own, _ in both])[order]
    taken = np.hstack(gone)[order]
    at_first, limits = (
        np.hstack([own for _, own in both]),
        np.array(capacities),
    )
    if instance.has_backhauls and not begun and not has_calls:
        # The largest load is that at first or that at the end.
        brought = np.hstack([brought, taken])
        taken = np.zeros_like(brought)
        at_first, limits = (np.tile(each, 2) for each in (at_first, limits))
    return kernels.StopLoads(
        deliveries=np.ascontiguousarray(brought),
        pickups=np.ascontiguousarray(taken),
        capacities=limits,
        initial=at_first,
    )


def _counts_twice(given: Instance, *, has_calls: bool) -> bool:
    return has_calls and any(one.on_board for one in given.in_progress)


def _limits_of(
    instance: Instance,
    given: Instance,
    order: np.ndarray,
    ranks: np.ndarray,
    arcs: Arcs,
) -> kernels.RouteLimits | None:
    """Return the limits of the routes of each type; ``None``: there are none.

    The kernels know no route before its last reload.
    """
    types = instance.vehicle_types
    names = {name for each in types for name in each.features()}
    limited = _LIMITED | (
        {features.MAX_DISTANCES} if arcs.are_costs else set()
    )
    if names.isdisjoint(limited):
        return None
    lengths, driving, stops = (
        np.array(
            [_unlimited(getattr(each, name)) for each in types], dtype=float
        )
        for name in ("max_distance", "max_driving_time", "max_stops")
    )
    least = np.array([each.min_stops for each in types])
    stops[stops < least] = 0.0  # no route of the type has enough
    if not all(arcs.are_whole):
        lengths[:], driving[:] = widened(lengths), widened(driving)
    for idx, had in _before_reload(given, ranks, arcs, len(types)):
        lengths[idx] -= had.length
        driving[idx] -= had.driving
    if not arcs.are_costs:
        lengths[:] = np.inf  # the kernels know them
    return kernels.RouteLimits(
        max_length=lengths,
        max_driving=driving,
        max_stops=np.minimum(stops, instance.num_customers).astype(np.int64),
        min_stops=least,
        min_load=np.array([each.min_load for each in types]),
        loads=instance.handled[order],
        lack_price=cost_bound(instance),
    )


class _Had(NamedTuple):
    """What an in-progress route has had before its last reload."""

    length: float = 0.0
    driving: float = 0.0
    stops: int = 0
    load: int = 0


def _before_reload(
    given: Instance, ranks: np.ndarray, arcs: Arcs, num_types: int
) -> Iterator[tuple[int, _Had]]:
    """Yield the types of routes that have reloaded, and what they had.

    The kernels know no route before its last reload.
    """
    first = num_types - len(given.in_progress)
    for idx, one in enumerate(given.in_progress, first):
        if not one.reloads:
            continue
        depot = given.ends_of(given.vehicle_types[one.vehicle_type])[0]
        num_stops = len(one.customers) - len(one.trip)
        driven = one.stops(given.depots)[: num_stops + len(one.reloads)]
        nodes = ranks[[depot, *driven]]
        along = (arcs.profiles[idx], nodes[:-1], nodes[1:])
        length, driving = (
            float(np.asarray(amounts)[along].sum(dtype=float))
            for amounts in (arcs.roads, arcs.durations)
        )
        load = int(given.handled[list(driven)].sum())
        yield idx, _Had(length, driving, num_stops, load)


def _steps_of(
    instance: Instance,
    given: Instance,
    order: np.ndarray,
    ranks: np.ndarray,
    arcs: Arcs,
) -> kernels.PriceSteps | None:
    """Return the steps of each amount and type; ``None``: there are none."""
    types = instance.vehicle_types
    if not any(
        one.amount != "duration" for each in types for one in each.price_steps
    ):
        return None
    had = [_Had()] * len(types)
    for idx, one in _before_reload(given, ranks, arcs, len(types)):
        had[idx] = one

    def steps(amount: str, name: str) -> list[list[tuple[float, float]]]:
        return [
            [
                (one.beyond - getattr(before, name), one.unit_cost)
                for one in each.price_steps
                if one.amount == amount
            ]
            for each, before in zip(types, had, strict=True)
        ]

    return kernels.PriceSteps(
        length=steps("distance", "length"),
        driving=steps("driving_time", "driving"),
        stops=steps("stops", "stops"),
        load=steps("load", "load"),
        loads=instance.handled[order],
    )


def _waiting_of(
    instance: Instance, *, are_whole: bool
) -> kernels.WaitingLimits | None:
    if features.MAX_WAITING not in instance.features:
        return None
    types = instance.vehicle_types
    in_all, at_stops = (
        np.array([_unlimited(getattr(each, name)) for each in types])
        for name in ("max_waiting", "max_wait")
    )
    if not are_whole:
        in_all, at_stops = widened(in_all), widened(at_stops)
    return kernels.WaitingLimits(
        in_all=in_all.tolist(), at_stops=at_stops.tolist()
    )


def _options_of(
    instance: Instance, order: np.ndarray, ranks: np.ndarray
) -> kernels.Options | None:
    given = instance.selection
    if given is None:
        return None
    settled = settled_customers(instance)
    # What is on board has to be delivered, unless that has a price.
    is_required, on_board = instance.required, [*instance.open_deliveries]
    is_required[on_board] = given.prizes[on_board] == 0
    groups = [g for g in given.groups if settled.isdisjoint(g.customers)]
    return kernels.Options(
        prizes=given.prizes[order].astype(np.float64),
        is_required=np.ascontiguousarray(is_required[order]),
        groups=[ranks[list(group.customers)].tolist() for group in groups],
        groups_required=[group.required for group in groups],
    )


def _pairs_of(
    instance: Instance, num_nodes: int, ranks: np.ndarray
) -> kernels.Pairs | None:
    settled = settled_customers(instance)
    pairs = [s for s in instance.shipments if s.pickup not in settled]
    if not pairs:
        return None
    return kernels.Pairs(
        pickups=ranks[[each.pickup for each in pairs]],
        deliveries=ranks[[each.delivery for each in pairs]],
        num_nodes=num_nodes,
    )


def calls_of(instance: Instance) -> list[int]:
    """Return the depots where vehicles may call on the way, once a call."""
    num_customers = instance.num_customers
    most = 0
    depots: set[int] = set()
    for vehicle_type in instance.vehicle_types:
        if vehicle_type.can_reload:
            depots.update(vehicle_type.reload_depots)
            calls = min(vehicle_type.max_reloads, num_customers)
            most += calls * min(
                num_customers, vehicle_type.num_available or num_customers
            )
    if not depots:
        return []
    loads = np.abs(instance.load_changes).sum(axis=0)
    least = np.min(
        [vehicle_type.capacities for vehicle_type in instance.vehicle_types],
        axis=0,
    )
    num_trips = int((loads // np.maximum(least, 1)).max())
    most = min(most, num_customers, max(FEW_CALLS, TRIPS * num_trips))
    return [depot for depot in sorted(depots) for _ in range(most)]


def _reloads_of(
    instance: Instance,
    given: Instance,
    calls: Sequence[int],
    ranks: np.ndarray,
) -> kernels.Reloads | None:
    if not calls:
        return None
    num_depots = len(instance.depots)
    return kernels.Reloads(
        first=instance.num_customers + 1,
        depots=list(calls),
        most=[
            min(vehicle_type.max_reloads, len(calls))
            if vehicle_type.can_reload
            else 0
            for vehicle_type in instance.vehicle_types
        ],
        fits=[
            [
                depot in vehicle_type.reload_depots
                for depot in range(num_depots)
            ]
            for vehicle_type in instance.vehicle_types
        ],
        on_board=ranks[list(given.open_deliveries)].tolist(),
    )


def _shifts_of(
    instance: Instance,
    given: Instance,
    order: np.ndarray,
    are_whole: bool,
    has_calls: bool,
) -> kernels.Shifts | None:
    shifts = features.DRIVERS_DAY - {features.PREFERRED_WINDOWS}
    if shifts.isdisjoint(instance.features):
        return None
    windows = instance.windows or TimeWindows.of(len(instance.demands))
    # Of those served at known times nothing is open.
    served = _served_at_known_times(given)
    each = windows.list_windows()
    allowed = [[] if node in served else each[node] for node in order.tolist()]
    times = 1 + _counts_twice(given, has_calls=has_calls)
    early, limit = compiled_windows(
        [pair for pairs in allowed for pair in pairs], are_whole=are_whole
    )
    return kernels.Shifts(
        first_window=np.cumsum([0, *map(len, allowed)]).tolist(),
        early=early,
        limit=limit,
        breaks=[
            [
                compiled_break(
                    one.duration,
                    one.windows,
                    _most_on_board(instance, one, times),
                    are_whole=are_whole,
                )
                for one in vehicle_type.breaks
            ]
            for vehicle_type in instance.vehicle_types
        ],
        first_break=[
            *[0] * (len(instance.vehicle_types) - len(given.in_progress)),
            *(
                len(one.trip) if one.departures else 0
                for one in given.in_progress
            ),
        ],
        hours=[
            compiled_hours(vehicle_type.hours, are_whole=are_whole)
            for vehicle_type in instance.vehicle_types
        ],
        so_far=[
            *[None] * (len(instance.vehicle_types) - len(given.in_progress)),
            *(
                compiled_so_far(one.hours_so_far) if one.departures else None
                for one in given.in_progress
            ),
        ],
    )


def _most_on_board(
    instance: Instance, one: Break, times: int
) -> tuple[int, ...]:
    """Return the load that a break allows, each dimension some times."""
    given = one.max_load or ()
    if not given:
        return ()
    left = (NO_LIMIT,) * (instance.num_load_dimensions - len(given))
    return (*given, *left) * times


def _served_at_known_times(instance: Instance) -> set[int]:
    return {
        node
        for one in instance.in_progress
        if one.departures
        for node in one.customers
    }


def _preferred_of(
    instance: Instance, given: Instance, order: np.ndarray
) -> kernels.PreferredWindows | None:
    windows = instance.windows
    if windows is None or windows.preferred is None:
        return None
    early, late = windows.preferred[order].T.astype(np.float64)
    is_past = np.isin(order, sorted(_served_at_known_times(given)))
    costs = [
        np.where(is_past, 0.0, 0.0 if each is None else each[order])
        for each in (windows.early_costs, windows.late_costs)
    ]
    return kernels.PreferredWindows(
        early=np.ascontiguousarray(early),
        late=np.ascontiguousarray(late),
        early_cost=costs[0],
        late_cost=costs[1],
    )


def counts_only_vehicles(instance: Instance) -> bool:
    """Whether neither distances nor durations cost anything."""
    prefers = features.PREFERRED_WINDOWS in instance.features
    return not (instance.selection or prefers) and not any(
        vehicle_type.unit_distance_cost
        or vehicle_type.unit_duration_cost
        or vehicle_type.unit_driving_cost
        or vehicle_type.all_price_steps
        for vehicle_type in instance.vehicle_types
    )


def break_ties(vehicles: Sequence[kernels.VehicleType], arcs: Arcs) -> None:
    """Let distances decide between plans whose vehicles cost the same.

    Otherwise nearly all moves change nothing. In ``vehicles`` distances then
    cost 1, and the least difference between two plans costs more than all
    distances of a plan.
    """
    fixed = np.array([vehicle.fixed_cost for vehicle in vehicles])
    # Real costs closer than the tolerance count as equal.
    unit = COST_TOLERANCE * fixed[fixed > 0].min(initial=np.inf)
    if _is_whole(fixed):
        unit = float(np.gcd.reduce(fixed.astype(np.int64)))
    num_arcs = 2 * len(arcs.order)
    for vehicle in vehicles:
        if fixed.any():
            weight = (1.0 + num_arcs * arcs.longest) / unit
            vehicle.fixed_cost *= float(weight)
        vehicle.distance_cost = 1.0


def are_whole(instance: Instance, arcs: Arcs) -> bool:
    """Whether all times are whole numbers."""
    known = [
        time
        for one in instance.in_progress
        for time in one.departures
        if time is not None
    ]
    return arcs.are_whole[1] and _is_whole(np.array(known))


def _is_whole(values: np.ndarray) -> bool:
    return bool((values == np.rint(values)).all())
