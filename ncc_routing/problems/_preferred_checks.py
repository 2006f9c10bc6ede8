"""The least cost of the times of a route with preferred windows, from its end.

Moments are those at which a stop may begin so that it, or one that it follows
or precedes without a wait, is at an end of a window, or the route takes as
long as it may.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems._shift_checks import after_breaks
from ncc_routing.problems.values import LOAD_TOLERANCE, NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ncc_routing.problems._shift_checks import Stop
    from ncc_routing.problems._trip_rules import BreakRule
    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.time_windows import TimeWindows

_Preferred = tuple[float, float, float, float]
"""A window, and the costs of a unit of time before and after it."""


def preferred_of(
    times: TimeWindows | None, nodes: Sequence[int]
) -> dict[int, _Preferred]:
    """Return what the visits of a route prefer, by their places."""
    preferred = None if times is None else times.preferred
    if times is None or preferred is None:
        return {}
    early, late = (
        np.zeros(len(preferred)) if costs is None else costs
        for costs in (times.early_costs, times.late_costs)
    )
    return {
        place: (*preferred[node].tolist(), early[node], late[node])
        for place, node in enumerate(nodes)
        if node < len(preferred) and (early[node] or late[node])
    }


def least_time_costs(
    start: tuple[float, float],
    stops: Sequence[Stop],
    preferred: dict[int, _Preferred],
    vehicle_type: VehicleType,
    breaks: Sequence[BreakRule] = (),
) -> float | None:
    """Return the least cost of the duration, and of visits at wrong times.

    ``None`` is returned where there is no such drive. Unpaid breaks are paid.
    """
    rests = {
        frozenset(some): sum(breaks[number].duration for number in some)
        for count in range(len(breaks) + 1)
        for some in combinations(range(len(breaks)), count)
    }
    everything = frozenset(range(len(breaks)))
    worked = list(accumulate(work for _, _, work in stops))
    driven = list(accumulate(travel for _, travel, _ in stops))
    # How long after the start each stop begins at least.
    after = [
        drive + work - own[2]
        for drive, work, own in zip(driven, worked, stops, strict=True)
    ]
    moments = {end for end in start if end < NO_LIMIT}
    for place, (windows, _, _) in enumerate(stops):
        ends = [end for own in windows for end in own]
        ends += preferred.get(place, ())[:2]
        for one in breaks if place > 0 else ():
            if one.may_precede(place):
                ends += [early for early, _ in one.windows]
                # The stop before is left when the break begins at the latest.
                ends += [late + stops[place][1] for _, late in one.windows]
        moments |= {end - after[place] for end in ends if end < NO_LIMIT}
    moments = {each - rest for each in moments for rest in rests.values()}
    moments |= {end for end in start if end < NO_LIMIT}
    longest_way = after[-1] + rests[everything]
    shorter = {
        longest - longest_way
        for longest in (vehicle_type.shift_duration, vehicle_type.max_duration)
        if longest < NO_LIMIT
    }
    all_of = moments.copy()
    for slack in shorter:
        all_of |= {m + slack for m in moments} | {m - slack for m in moments}
    shifts = np.array(sorted(all_of))
    starts = np.array(
        [s for s in shifts.tolist() if start[0] <= s <= start[1]]
    )
    ways = [{t: way + rest for t, rest in rests.items()} for way in after]
    on_way = {
        (place, taken): _list_breaks(
            shifts,
            stops[place - 1][0],
            stops[place][1],
            *(ways[place - 1][taken], ways[place][taken]),
            partial(after_breaks, breaks=breaks, taken=taken, place=place),
        )
        for place in range(1, len(stops) if breaks else 0)
        for taken in rests
    }

    def costs_from(paid: np.ndarray) -> np.ndarray:
        """Return the costs by starts, from what they pay for each end."""
        behind = {everything: paid}
        for place in range(len(stops) - 1, -1, -1):
            for taken, rest in behind.items():
                begins = shifts + ways[place][taken]
                is_open = _is_open(begins, stops[place][0])
                here = rest + _price(begins, preferred.get(place))
                here[:, ~is_open] = np.inf
                # What follows later costs as much from here, after a wait.
                least = np.minimum.accumulate(here[:, ::-1], axis=1)
                behind[taken] = least[:, ::-1]
            if breaks and place > 0:
                behind = {
                    taken: _before_breaks(
                        *(shifts, ways[place], taken),
                        *(on_way[place, taken], behind),
                    )
                    for taken in rests
                }
        return behind.get(frozenset(), np.full_like(paid, np.inf))

    # Without limits, what a start costs does not depend on the rest.
    unit = vehicle_type.unit_duration_cost
    free = costs_from(unit * (longest_way + shifts)[None])[0]
    bounds = free[np.searchsorted(shifts, starts)] - unit * starts
    if not shorter:
        least_cost = float(bounds.min(initial=np.inf))
        return None if math.isinf(least_cost) else least_cost
    least_cost, order = math.inf, np.argsort(bounds)
    for some in np.array_split(order, 1 + len(order) // 16):
        if not bounds[some].min(initial=np.inf) < least_cost:
            break
        lasting = longest_way + shifts - starts[some, None]
        paid = unit * lasting + vehicle_type.unit_overtime_cost * np.maximum(
            0, lasting - vehicle_type.shift_duration
        )
        is_wrong = _exceed(lasting, vehicle_type.max_duration)
        paid[is_wrong | (lasting < 0)] = np.inf
        columns = np.searchsorted(shifts, starts[some])
        found = costs_from(paid)[np.arange(len(some)), columns]
        least_cost = min(least_cost, float(found.min()))
    return None if math.isinf(least_cost) else least_cost


def _list_breaks(
    shifts: np.ndarray,
    windows: Sequence[tuple[float, float]],
    travel: float,
    way: float,
    next_way: float,
    ways_on: Callable[..., Iterator[tuple[frozenset[int], float]]],
) -> list[tuple[frozenset[int], int, float]]:
    """Return the breaks so far behind a stop, by its shift, and arrivals."""
    columns = np.flatnonzero(_is_open(shifts + way, windows)).tolist()
    leaves = (shifts + next_way - travel).tolist()
    return [
        (more, column, there)
        for column in columns
        for more, there in ways_on(leaves[column], travel)
    ]


def _before_breaks(
    shifts: np.ndarray,
    ways: dict[frozenset[int], float],
    taken: frozenset[int],
    on_way: Sequence[tuple[frozenset[int], int, float]],
    behind: dict[frozenset[int], np.ndarray],
) -> np.ndarray:
    """Return the cost from the stop before an arc on, having had breaks.

    ``behind`` has it from the stop on, which is reached so long after the
    start as ``ways`` says by breaks. ``on_way`` has the breaks then, the
    number of the shift, and when the stop is reached.
    """
    never = np.full_like(next(iter(behind.values())), np.inf)
    here = behind.get(taken, never).copy()
    for more, cost in behind.items():
        pairs = [each[1:] for each in on_way if each[0] == more]
        columns, times = np.array(pairs).reshape(-1, 2).T
        noise = LOAD_TOLERANCE * np.maximum(1.0, np.abs(times))
        found = np.searchsorted(shifts, times - ways[more] - noise)
        is_there = found < len(shifts)
        places = columns[is_there].astype(int)
        np.minimum.at(here.T, places, cost.T[found[is_there]])
    return here


def _is_open(
    begins: np.ndarray, windows: Sequence[tuple[float, float]]
) -> np.ndarray:
    is_open = np.zeros(len(begins), dtype=bool)
    for opens, closes in windows:
        # An end less a way, and with it again, may be rounded.
        is_open |= ~_exceed(opens, begins) & ~_exceed(begins, closes)
    return is_open


def _exceed(
    values: np.ndarray | float, limits: np.ndarray | float
) -> np.ndarray:
    return np.asarray(values > limits * (1.0 + LOAD_TOLERANCE))


def _price(begins: np.ndarray, wanted: _Preferred | None) -> np.ndarray:
    if wanted is None:
        return np.zeros(len(begins))
    opens, closes, early, late = wanted
    return np.asarray(
        early * np.clip(opens - begins, 0, None)
        + late * np.clip(begins - closes, 0, None)
    )
