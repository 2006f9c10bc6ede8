"""The least cost of the times of a route, by linear programs and by minutes.

The vehicle starts in the first of the windows; ``windows`` have those of each
stop, ``leads`` how long after the one before each begins at least, and
``wanted`` a preferred window with the costs of a unit of time before and after
it.
"""

from __future__ import annotations

import math
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ncc_routing as nr

_NEVER = 2**60

NOTHING = (0, _NEVER, 0, 0)
"""What a stop wants that may be at any time."""


class Stop(NamedTuple):
    """A stop of a route, or one of its ends."""

    windows: Sequence[tuple[float, float]]
    lead: float
    travel: float = 0  # the last part of the lead
    wanted: tuple[float, float, float, float] = NOTHING


def by_programs(stops: Sequence[Stop], kind: nr.VehicleType) -> float:
    """Return the least cost, by a program for each choice of windows."""
    size = len(stops)
    # Begins, then how early and how late each stop is, then what the
    # duration is beyond the shift and each step.
    steps = [one for one in kind.price_steps if one.amount == "duration"]
    beyond = [kind.shift_duration, *(one.beyond for one in steps)]
    objective = np.zeros(3 * size + len(beyond))
    rows, limits = [], []

    def add(limit: float, *terms: tuple[int, float]) -> None:
        row = np.zeros(len(objective))
        for column, factor in terms:
            row[column] = factor
        rows.append(row)
        limits.append(limit)

    for k, stop in enumerate(stops):
        opens, closes, early, late = stop.wanted
        objective[size + k], objective[2 * size + k] = early, late
        if early:
            add(-opens, (k, -1), (size + k, -1))
        if late:
            add(closes, (k, 1), (2 * size + k, -1))
        if k:
            add(-stop.lead, (k - 1, 1), (k, -1))
    objective[size - 1] += kind.unit_duration_cost
    objective[0] -= kind.unit_duration_cost
    objective[3 * size] = kind.unit_overtime_cost
    objective[3 * size + 1 :] = [one.unit_cost for one in steps]
    for number, most in enumerate(beyond):
        add(most, (size - 1, 1), (0, -1), (3 * size + number, -1))
    add(kind.shift_duration + kind.max_overtime, (size - 1, 1), (0, -1))
    best = math.inf
    for chosen in product(*(stop.windows for stop in stops)):
        bounds = [(a, None if b >= _NEVER else b) for a, b in chosen]
        bounds += [(0, None)] * (2 * size + len(beyond))
        finite = [k for k, limit in enumerate(limits) if limit < _NEVER]
        found = linprog(
            objective,
            np.array(rows)[finite],
            np.array(limits)[finite],
            bounds=bounds,
            method="highs",
        )
        if found.status == 0:
            best = min(best, found.fun)
    return best


def by_minutes(  # noqa: C901, PLR0915
    stops: Sequence[Stop],
    kind: nr.VehicleType,
    breaks: Sequence[tuple[nr.Break, set[int]]] = (),
) -> float:
    """Return the least cost of whole times, by a look at every minute.

    ``breaks`` come with the places of the stops that they may precede.
    """
    spans = [one.windows for one, _ in breaks]
    ends = [
        end
        for stop in stops
        for window in (*stop.windows, stop.wanted[:2])
        for end in window
        if end < _NEVER
    ]
    ends += [end for own in spans for w in own for end in w if end < _NEVER]
    horizon = int(max(ends) + sum(stop.lead for stop in stops)) + 2
    horizon += sum(one.duration for one, _ in breaks)
    times = np.arange(horizon)
    prices = []
    for stop in stops:
        opens, closes, early, late = stop.wanted
        price = early * np.maximum(0, opens - times).astype(float)
        price += late * np.maximum(0, times - closes)
        is_open = [(a <= times) & (times <= b) for a, b in stop.windows]
        price[~np.any(is_open, axis=0)] = np.inf
        prices.append(price)

    def rest(leave: float, order: Sequence[int]) -> float:
        """Return when the last of some breaks ends."""
        for number in order:
            own = [max(leave, a) for a, b in spans[number] if leave <= b]
            leave = min(own, default=math.inf) + breaks[number][0].duration
        return leave

    def arrivals(place: int, order: Sequence[int]) -> np.ndarray:
        """Return when a stop is reached from each begin of the one before."""
        stop = stops[place]
        before = stop.lead - stop.travel
        rested = sum(breaks[number][0].duration for number in order)
        found = times + stop.lead + rested
        if order:
            ends = [rest(time + before, order) for time in times.tolist()]
            found = np.maximum(found, ends)
        if any(place not in breaks[number][1] for number in order):
            found = np.full(horizon, np.inf)
        return np.asarray(np.minimum(found, horizon), dtype=int)

    sets = range(1 << len(breaks))
    orders = [
        order
        for count in range(len(breaks) + 1)
        for order in permutations(range(len(breaks)), count)
    ]

    at: Any = np.minimum.at

    def follow(costs: np.ndarray) -> np.ndarray:
        by_taken: dict[int, Any] = {0: costs}
        for place in range(1, len(stops)):
            shape = (*costs.shape[:-1], horizon + 1)
            then = {taken: np.full(shape, np.inf) for taken in sets}
            for order in orders:
                there = arrivals(place, order)
                mask = sum(1 << number for number in order)
                for taken, own in by_taken.items():
                    if taken & mask == 0:
                        where = then[taken | mask]
                        at(where, (..., there), own)
            by_taken = {
                taken: np.minimum.accumulate(own[..., :horizon], axis=-1)
                + prices[place]
                for taken, own in then.items()
            }
        return by_taken[sets[-1]] if len(stops) > 1 else costs

    paid = kind.unit_duration_cost
    least = (follow(prices[0] - paid * times) + paid * times).min()
    regular = min(
        kind.shift_duration,
        horizon,
        *(s.beyond for s in kind.price_steps if s.amount == "duration"),
    )
    if least == math.inf or regular >= horizon:
        return float(least)
    starts = np.flatnonzero(prices[0] < np.inf)
    costs = follow(np.where(times == starts[:, None], 0.0, np.inf))
    lasts = times - starts[:, None]
    costs += paid * lasts
    is_short = lasts <= regular
    if costs[is_short].min(initial=np.inf) <= least:
        return float(least)
    over = np.maximum(0, lasts - kind.shift_duration)
    costs += kind.unit_overtime_cost * over
    for one in kind.price_steps:
        if one.amount == "duration":
            costs += one.unit_cost * np.maximum(0, lasts - one.beyond)
    costs[lasts > kind.shift_duration + kind.max_overtime] = np.inf
    return float(costs.min())
