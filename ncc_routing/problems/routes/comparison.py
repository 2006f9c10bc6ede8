"""What is different in another plan: who moves, and who is served."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.text import money
from ncc_routing.problems.routes.timetable import (
    given_cells,
    has_times,
    route_titles,
)
from ncc_routing.problems.routes.unserved import unserved_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.summary import Summary
    from ncc_routing.problems.routes.unserved import Unserved
    from ncc_routing.problems.time_form import TimeForm

Plan = tuple["Instance", "Solution"]
"""The routes of an instance."""

_START, _RETURN = "start", "return"
"""What the ends of a route are called."""

_WIDTH: Final = 10
_MINUTE: Final = 60.0
_NOISE: Final = 1e-6
"""Times that differ by less are alike: seconds, and of an unknown unit."""

_CHANGING: Final = frozenset(
    {"num_available", "tw_early", "breaks", "service_durations"}
)
"""Fields of vehicle types that others have after a replan."""

_Key = tuple[str, int]
"""Id of an order with 0, of a depot with the number of its call, or an end of
a route with -1."""

_Stops = dict[_Key, float | None]
"""The stops of a driver, and when each begins."""


@dataclass(frozen=True)
class StopChange:
    """What is different at a stop of a driver.

    Parameters
    ----------
    driver
        What the route is called.
    stop
        Id of an order, or of a depot between; "start" or "return" for the
        ends of the route at depots.
    what
        "new", "later", "earlier", "moved here", "moved away", "cancelled",
        "dropped" (it was planned, and is unserved), "gone" (a depot where the
        driver does not call any more), or "renumbered" (nothing but the number
        of the route is different).
    time, time_before
        When the service begins, or the vehicle starts or returns, in both
        plans, as the input writes times. Default: it does not, or there are no
        times.
    minutes
        How much later or earlier, in minutes where the unit of times is known.
        Default: the stop is not in both plans.
    other
        Who had the order, or has it now. Default: nobody else.
    """

    driver: str
    stop: str
    what: str
    time: float | str | None = None
    time_before: float | str | None = None
    minutes: float | None = None
    other: str = ""

    def __str__(self) -> str:
        """Return what to say to the driver about the stop."""
        at, is_text = "", isinstance(self.time, str)
        if self.time is not None:
            at = f"at {self.time:{'' if is_text else '.6g'}}"
        if self.minutes is not None:
            unit = " min" if is_text else ""
            return f"{at}, {self.minutes:.6g}{unit} {self.what}"
        words = {
            "moved here": f"from {self.other}",
            "moved away": f"to {self.other}",
        }
        return ", ".join(filter(None, (words.get(self.what, self.what), at)))


@dataclass(frozen=True)
class Differences:
    """What is different from the plan before.

    Parameters
    ----------
    stops
        What each driver must know, driver by driver.
    served_before, cost_before
        How many orders the plan before serves, and what it costs.
    """

    stops: tuple[StopChange, ...]
    served_before: int
    cost_before: float

    def __str__(self) -> str:
        """Return lines to phone through, driver by driver."""
        width = max((len(one.stop) for one in self.stops), default=0)
        lines = []
        for driver, stops in self.by_driver().items():
            said = (f"  {one.stop:<{width}}  {one}" for one in stops)
            lines += [driver, *said]
        return "\n".join(lines)

    def by_driver(self) -> dict[str, list[StopChange]]:
        """Return what each driver must know."""
        found: dict[str, list[StopChange]] = {}
        for one in self.stops:
            found.setdefault(one.driver, []).append(one)
        return found


def list_differences(
    instance: Instance, found: Differences
) -> dict[str, list[Any]]:
    """Return differences as columns, with those of the input behind them."""
    columns: dict[str, list[Any]] = {
        "driver": [one.driver for one in found.stops],
        "id": [one.stop for one in found.stops],
        "change": [one.what for one in found.stops],
        "time": [one.time for one in found.stops],
        "time_before": [one.time_before for one in found.stops],
        "minutes": [one.minutes for one in found.stops],
        "other_driver": [one.other for one in found.stops],
    }
    node_of = {name: node for node, name in enumerate(instance.node_ids)}
    nodes = [node_of.get(one.stop, -1) for one in found.stops]
    for title, cells in given_cells(instance, nodes).items():
        name = f"order {title}" if title in columns else title
        pairs = zip(nodes, cells, strict=True)
        columns[name] = [None if node < 0 else cell for node, cell in pairs]
    return columns


def difference_lines(
    found: Differences,
    totals: Summary,
    cost: float,
    absent: Sequence[Unserved],
    *,
    has_stops: bool = True,
) -> list[str]:
    """Return lines to phone through, who is left out and why, and totals."""
    lines: list[str] = []
    if has_stops:
        nothing = f"{'changes':<{_WIDTH}}none for any driver"
        lines.append(str(found) or nothing)
    dropped = [replace(k, was_planned=False) for k in absent if k.was_planned]
    others = [one for one in absent if not one.was_planned]
    lines += unserved_lines(dropped, "dropped", "planned before")
    lines += unserved_lines(others)
    orders, *rest = totals.lines()
    served = f"{found.served_before:,} -> "
    lines.append(f"{orders[:_WIDTH]}{served}{orders[_WIDTH:]}")
    more = cost - found.cost_before
    text = f"{money(found.cost_before)} -> {money(cost)} ({money(more, '+')})"
    return [*lines, f"{'cost':<{_WIDTH}}{text}", *rest]


def differences(
    before: Plan,
    after: Plan,
    cancelled: Collection[str] = (),
    stopped: Collection[str] = (),
) -> Differences:
    """Return what drivers must know of another plan, and totals before.

    Times that differ by less than a minute are alike. Orders that are
    ``cancelled`` are given by their ids. The drivers who are ``stopped`` do
    not return.
    """
    titles = _titles_of(before, after)
    old = dict(_stops_of(*before, titles[0]))
    new = dict(_stops_of(*after, titles[1]))
    ended = {
        called
        for title, called in zip(route_titles(*before), titles[0], strict=True)
        if title in stopped
    }
    had, has = _drivers_of(old), _drivers_of(new)
    form = after[0].source.time_form
    others = {*titles[1]}.difference(route_titles(*after))
    found: list[StopChange] = []
    for driver in dict.fromkeys((*new, *old)):
        was, now = old.get(driver, {}), new.get(driver, {})
        num_told = len(found)
        for key, time in was.items():
            name, call = key
            if key in now or (call and not now):
                continue
            what = "gone" if call else "moved away"
            if call == 0 and key not in has:
                what = "cancelled" if name in cancelled else "dropped"
            found.append(
                StopChange(
                    *(driver, name, what),
                    time_before=form.cell(time),
                    other=has.get(key, ""),
                )
            )
        for key, time in now.items():
            what, other = "new", had.get(key, "")
            if key in was:
                what, other = _later_or_earlier(form, was[key], time), ""
            elif other:
                what = "moved here"
            is_end = key == (_RETURN, -1) and driver in ended
            if is_end or not what:
                continue
            known = was.get(key)
            change = StopChange(driver, key[0], what, form.cell(time))
            found.append(
                replace(
                    change,
                    time_before=form.cell(known),
                    minutes=_minutes(form, known, time),
                    other=other,
                )
            )
        if driver in others and len(found) == num_told:
            [(name, _), time], *_ = now.items()
            cell = form.cell(time)
            found.append(StopChange(driver, name, "renumbered", cell, cell))
    return Differences(tuple(found), len(had), before[1].cost)


def _stops_of(
    instance: Instance, plan: Solution, titles: Sequence[str]
) -> Iterator[tuple[str, _Stops]]:
    """Yield each driver, and the stops but where the vehicle passes by."""
    ids, depots = instance.node_ids, set(instance.depots)
    passed = instance.passed_by
    is_timed = has_times(instance)
    schedules = plan.schedules(instance)
    for driver, one in zip(titles, schedules, strict=True):
        stops, calls = _Stops(), Counter[str]()
        for place, node in enumerate(one.visits):
            begin, key = one.begins[place], (ids[node], 0)
            if node in depots:
                calls[ids[node]] += 1
                key = ids[node], calls[ids[node]]
            if place < one.stops.start:
                begin, key = one.start, (_START, -1)
            elif place >= one.stops.stop:
                key = _RETURN, -1
            if node not in passed:
                stops[key] = begin if is_timed else None
        yield driver, stops


def _drivers_of(plan: dict[str, _Stops]) -> dict[_Key, str]:
    """Return who serves each order."""
    return {
        key: driver
        for driver, stops in plan.items()
        for key in stops
        if key[1] == 0
    }


def _minutes(
    form: TimeForm, before: float | None, time: float | None
) -> float | None:
    """Return how much time is between, in minutes as they are shown."""
    if before is None or time is None:
        return None
    if not form.kind:
        return round(abs(time - before), 3)
    pair = before / _MINUTE, time / _MINUTE
    if form.is_clock and not form.has_seconds:
        return abs(math.floor(pair[1] + _NOISE) - math.floor(pair[0] + _NOISE))
    return round(abs(pair[1] - pair[0]), 1)


def _later_or_earlier(
    form: TimeForm, before: float | None, time: float | None
) -> str:
    """Return which it is, "" where it is neither."""
    more = 0.0 if before is None or time is None else time - before
    if abs(more) < (_MINUTE if form.kind else _NOISE):
        return ""
    return "later" if more > 0 else "earlier"


def aligned(before: Plan, after: Plan) -> Solution:
    """Return routes in the order in which drivers keep most of their stops.

    Routes of a vehicle type may take each other's places, and those that go on
    keep theirs: others fill the gaps.
    """
    stops = dict(_stops_of(*before, route_titles(*before)))
    plan, driver_of = after[1], _drivers_of(stops)
    titles = route_titles(*after)
    place_of = {title: place for place, title in enumerate(titles)}
    types, shared = plan.vehicle_types, Counter[tuple[int, int]]()
    for key, number in _routes_by_id(*after).items():
        place = place_of.get(driver_of.get((key, 0), ""), -1)
        if place >= 0 and types[place] == types[number]:
            shared[place, number] += 1
    taken: dict[int, int] = {}
    for (place, number), _ in shared.most_common():
        if place not in taken and number not in taken.values():
            taken[place] = number
    for idx in set(types):
        places = [place for place, each in enumerate(types) if each == idx]
        left = [k for k in places if k not in taken.values()]
        free = [place for place in places if place not in taken]
        taken |= zip(free, left, strict=True)
    size = len(types)
    routes = tuple(plan.routes[taken[place]] for place in range(size))
    plan = replace(plan, routes=routes)
    going = kept_routes(before, (after[0], plan))
    gaps = (place for place in count() if place not in going)
    old = {last: first for first, last in going.items()}
    ranks = [old[k] if k in old else next(gaps) for k in range(size)]
    order = sorted(range(size), key=ranks.__getitem__)
    return replace(
        plan,
        routes=tuple(plan.routes[k] for k in order),
        vehicle_types=tuple(types[k] for k in order),
    )


def moves(before: Plan, after: Plan) -> dict[str, tuple[str, str]]:
    """Return who has another vehicle, by id: its route before and after.

    Vehicles whose types have the same name are alike: a route is the one
    before with which it has most customers in common, and is called so.
    """
    old, new = _routes_by_id(*before), _routes_by_id(*after)
    follows = kept_routes(before, after)
    titles, called = (route_titles(*each) for each in (before, after))
    for first, last in follows.items():
        called[last] = titles[first]
    moved = {}
    for key, route in old.items():
        if key in new and follows.get(route) != new[key]:
            title = called[new[key]]
            is_same = title == titles[route]
            moved[key] = titles[route], "a new route" if is_same else title
    return moved


def kept_routes(before: Plan, after: Plan) -> dict[int, int]:
    """Return which route each one before is, where their vehicles are alike.

    It has most orders in common; those that it has begun come first, with
    which it is on the same vehicle.
    """
    old, new = _routes_by_id(*before), _routes_by_id(*after)
    types = [plan.vehicle_types for _, plan in (before, after)]
    ids = after[0].node_ids
    begun = {
        ids[node]
        for one in after[0].in_progress
        for node in (*one.customers, *one.on_board)
    }
    shared = Counter[tuple[int, int]]()
    for key in old.keys() & new.keys():
        pair = old[key], new[key]
        of = types[0][pair[0]], types[1][pair[1]]
        if key in begun or _are_alike(before[0], after[0], *of):
            shared[pair] += len(new) if key in begun else 1
    follows: dict[int, int] = {}
    for first, last in sorted(shared, key=lambda each: (-shared[each], each)):
        if first not in follows and last not in follows.values():
            follows[first] = last
    return follows


def _are_alike(before: Instance, after: Instance, idx: int, now: int) -> bool:
    """Whether types have one name, or without names are the same one.

    A replan takes types apart, and appends the parts.
    """
    one, other = before.vehicle_types[idx], after.vehicle_types[now]
    if one.name or other.name or idx == now:
        return one.name == other.name
    names = [f.name for f in fields(one) if f.name not in _CHANGING]
    return all(getattr(one, k) == getattr(other, k) for k in names)


def _names_of(instance: Instance, plan: Solution) -> list[str]:
    return [instance.vehicle_types[idx].name for idx in plan.vehicle_types]


def _titles_of(before: Plan, after: Plan) -> tuple[list[str], list[str]]:
    """Return what routes are called in both plans.

    Without a name of its vehicle, a route that goes on under another number
    has both.
    """
    old, new = route_titles(*before), route_titles(*after)
    called, follows = ([*old], [*new]), kept_routes(before, after)
    has_name = _names_of(*before), _names_of(*after)
    for first, last in follows.items():
        if not has_name[0][first]:
            title = old[first]
            if title != new[last]:
                title += f", now {new[last]}"
            called[0][first] = called[1][last] = title
    for last, title in enumerate(new):
        is_free = has_name[1][last] or title not in old
        if not is_free and last not in follows.values():
            called[1][last] += ", new"
    return called


def _routes_by_id(instance: Instance, plan: Solution) -> dict[str, int]:
    ids, depots = instance.node_ids, set(instance.depots)
    return {
        ids[node]: number
        for number, route in enumerate(plan.routes)
        for node in route
        if node not in depots
    }
