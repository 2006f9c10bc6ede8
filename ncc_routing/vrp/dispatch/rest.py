"""The problem of the rest of a day."""

from __future__ import annotations

import logging
import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.problems.breaks import Break
from ncc_routing.problems.hours_of_service import HoursSoFar
from ncc_routing.problems.route_constraints import TOO_LATE, InProgressRoute
from ncc_routing.problems.routes.schedules import schedule_route
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.schedules import Schedule
    from ncc_routing.vrp.dispatch.day import Day
    from ncc_routing.vrp.dispatch.draft import DayDraft
    from ncc_routing.vrp.dispatch.driven import DrivenRoute

_logger = logging.getLogger(__name__)


def rest_of(day: Day) -> tuple[Instance, Solution]:
    """Return the problem from now on, and the plan as far as it holds."""
    draft, depots = day.draft, day.draft.depots
    is_passed = day.passed.__contains__
    started = [one for one in day.routes if one.is_begun(depots)]
    _start_from_now(day, started)
    stops = {node for one in day.routes for node in one.stops}
    draft.retire(day.retired, stops)
    _release(draft, started, day.now)
    draft.set(in_progress=_in_progress(draft, started))
    for allow in (_allow_breaks, _allow_return):
        for one in started:
            if one.stops:
                allow(draft, one)
        draft.set(in_progress=_in_progress(draft, started))
    draft.set(
        in_progress=tuple(
            replace(one, cancelled=tuple(filter(is_passed, one.customers)))
            for one in draft["in_progress"] or ()
        )
    )
    kept = [node for node in range(draft.size) if node not in day.cancelled]
    place = {node: new for new, node in enumerate(kept)}
    going = [one for one in day.routes if one.route]
    routes = tuple(tuple(place[node] for node in one.route) for one in going)
    types = tuple(one.vehicle_type for one in going)
    return draft.keep(kept).build(), Solution(routes, 0.0, types)


def _in_progress(
    draft: DayDraft, started: Sequence[DrivenRoute]
) -> tuple[InProgressRoute, ...]:
    return tuple(
        InProgressRoute.of_stops(
            *(one.vehicle_type, one.stops, one.departures, draft.depots),
            on_board=tuple(one.on_board),
            is_over=one.is_over,
            breaks_taken=one.breaks_taken,
            hours_so_far=HoursSoFar()
            if draft.vehicle_types[one.vehicle_type].hours is None
            else one.hours_so_far(draft.build()),
            undelivered=one.goods(),
            delays=one.delays,
            break_distances=one.distances[: len(one.breaks_taken)],
        )
        for one in started
    )


def _start_from_now(day: Day, started: Sequence[DrivenRoute]) -> None:
    """Let vehicles that have not left do so from now on.

    The end of a route is not before the window of its vehicle opens, so that
    those that have left are a type of their own.
    """
    draft = day.draft
    counts = Counter(one.vehicle_type for one in started)
    going, begun = {one.number for one in started}, set[int]()
    for one in day.routes:
        if one.departures and one not in started:
            # It is loading at its depot, and has no customers any more.
            one.vehicle_type = draft.single(
                one.vehicle_type, one.number, tw_early=math.ceil(one.start)
            )
            begun.add(one.vehicle_type)
    for idx, vehicle in enumerate(draft.vehicle_types):
        if idx in begun:
            continue
        early = max(vehicle.tw_early, math.ceil(day.now))
        is_gone = early > vehicle.start_late
        # Nobody who starts later owes a break of before.
        owed = tuple(
            one for one in vehicle.breaks if one.windows[-1][1] >= early
        )
        changes: dict[str, Any] = {"tw_early": early, "breaks": owed}
        changes = {} if is_gone else changes
        new, available = idx, vehicle.num_available
        if available == counts[idx]:
            continue
        if counts[idx] == 0:
            draft.set_type(idx, **changes)
        else:
            numbers = [
                number
                for number, k in enumerate(draft.numbers or (), start=1)
                if k == idx and number not in going
            ]
            left = None if available is None else available - counts[idx]
            new = draft.split(idx, left, numbers, **changes)
            if available is None:
                draft.set_type(idx, num_available=counts[idx])
            for one in day.routes:
                if one.vehicle_type == idx and one not in started:
                    one.vehicle_type = new
        if is_gone:
            day.retired.setdefault(new, TOO_LATE)


def _release(
    draft: DayDraft, started: Sequence[DrivenRoute], now: float
) -> None:
    """Let goods that are not on board be at the depots from now on."""
    if not started:
        return
    release = draft.column("release_times")
    has_goods = draft["delivery"].any(axis=1)
    release[has_goods] = np.maximum(release[has_goods], math.ceil(now))
    for one in started:
        release[[*one.stops, *one.on_board]] = 0
        if one.unloaded:
            there = math.ceil(one.begins[-1])
            release[one.unloaded] = np.maximum(release[one.unloaded], there)
    draft.set(release_times=release)


def _allow_breaks(draft: DayDraft, one: DrivenRoute) -> None:
    """Let a vehicle that can no longer take its breaks take them later.

    One that drives nowhere any more owes none.
    """
    idx = one.vehicle_type
    if schedule_route(draft.build(), one.stops, idx).misses_break:
        vehicle = draft.vehicle_types[idx]
        [begun] = _in_progress(draft, [one])
        left = begun.is_there(len(one.stops), one.departures[-1])
        breaks = _later(vehicle.breaks, left)
        if one.is_over and vehicle.end_depot is None:
            draft.end_breaks(one)
        else:
            one.vehicle_type = draft.single(idx, one.number, breaks=breaks)


def _allow_return(draft: DayDraft, one: DrivenRoute) -> None:
    """Raise limits that a vehicle breaks on its way home as it is."""
    idx, instance = one.vehicle_type, draft.build()
    vehicle, hours = instance.vehicle_types[idx], None
    alone = schedule_route(instance, one.stops, idx)
    changes: dict[str, Any] = {}
    if not math.isfinite(alone.cost):
        return  # it needs a stop between
    is_late = alone.misses_rest or alone.lateness[-1] > 0
    if alone.misses_rest:
        alone = _schedule_at_last(draft, one)
    if vehicle.hours is not None and not alone.misses_rest:
        hours = replace(
            vehicle.hours,
            max_driving=max(
                vehicle.hours.max_driving, math.ceil(alone.driving)
            ),
            max_span=max(vehicle.hours.max_span, math.ceil(alone.duration)),
        )
    if hours != vehicle.hours:
        changes["hours_of_service"] = hours
    if alone.duration > vehicle.max_duration:
        changes["max_overtime"] = alone.duration - vehicle.shift_duration
    if alone.distance > vehicle.max_distance:
        changes["max_distance"] = alone.distance
    if alone.driving > vehicle.max_driving_time:
        changes["max_driving_time"] = alone.driving
    back = math.ceil(alone.end + alone.lateness[-1])
    if is_late and vehicle.end_depot is not None:
        _close_later(draft, draft.depots[vehicle.end_depot], back)
        changes["tw_late"] = max(vehicle.tw_late, back)
        changes["start_late"] = vehicle.start_late
    if changes:
        _logger.warning(
            "%s breaks a limit on its way home: it is back at %s.",
            one.title,
            draft["time_form"].text(back),
        )
        one.vehicle_type = draft.single(idx, one.number, **changes)


def _schedule_at_last(draft: DayDraft, one: DrivenRoute) -> Schedule:
    """Return the way home where neither vehicle nor depot close."""
    open_, idx, depots = draft.copied(), one.vehicle_type, draft.depots
    end = draft.vehicle_types[idx].end_depot
    if end is not None:
        _close_later(open_, depots[end], NO_LIMIT)
    one.vehicle_type = open_.single(idx, one.number, tw_late=NO_LIMIT)
    open_.set(in_progress=_in_progress(open_, [one]))
    found = schedule_route(open_.build(), one.stops, one.vehicle_type)
    one.vehicle_type = idx
    return found


def _later(breaks: Sequence[Break], time: float) -> tuple[Break, ...]:
    """Return breaks that fit from a time on, one after another, loaded."""
    last = math.ceil(time) + sum(one.duration for one in breaks)
    return tuple(
        Break(
            one.duration,
            (
                *one.windows[:-1],
                (
                    one.windows[-1][0],
                    max(one.windows[-1][1], last - one.duration),
                ),
            ),
            one.paid,
        )
        for one in breaks
    )


def _close_later(draft: DayDraft, depot: int, time: int) -> None:
    """Let a depot close later, and no vehicle come back later than now."""
    closing = int(draft.column("tw_late")[depot])
    if closing >= time:
        return
    depots = draft.depots
    types = [
        replace(
            one,
            tw_late=min(one.tw_late, closing),
            start_late=min(one.start_late, closing),
        )
        if one.tw_early <= closing
        and depot
        in [
            depots[end]
            for end in (one.start_depot, one.end_depot)
            if end is not None
        ]
        else one
        for one in draft.vehicle_types
    ]
    draft.set_types(types)
    draft.set_times(depot, tw_late=time)
