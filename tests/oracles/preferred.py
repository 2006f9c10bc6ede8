"""The least cost of the times of a route, by linear programs and by minutes.

The vehicle starts in the first of the windows; ``windows`` have those of each
stop, ``leads`` how long after the one before each begins at least, and
``wanted`` a preferred window with the costs of a unit of time before and after
it.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

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
    wanted: tuple[float, float, float, float] = NOTHING


def by_programs(stops: Sequence[Stop], kind: nr.VehicleType) -> float:
    """Return the least cost, by a program for each choice of windows."""
    size = len(stops)
    # Begins, then how early and how late each stop is, then the overtime.
    objective = np.zeros(3 * size + 1)
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
    objective[-1] = kind.unit_overtime_cost
    add(kind.shift_duration, (size - 1, 1), (0, -1), (3 * size, -1))
    add(kind.shift_duration + kind.max_overtime, (size - 1, 1), (0, -1))
    best = math.inf
    for chosen in product(*(stop.windows for stop in stops)):
        bounds = [(a, None if b >= _NEVER else b) for a, b in chosen]
        bounds += [(0, None)] * (2 * size + 1)
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


def by_minutes(stops: Sequence[Stop], kind: nr.VehicleType) -> float:
    """Return the least cost of whole times, by a look at every minute."""
    ends = [
        end
        for stop in stops
        for window in (*stop.windows, stop.wanted[:2])
        for end in window
        if end < _NEVER
    ]
    horizon = int(max(ends) + sum(stop.lead for stop in stops)) + 2
    times = np.arange(horizon)
    prices = []
    for stop in stops:
        opens, closes, early, late = stop.wanted
        price = early * np.maximum(0, opens - times).astype(float)
        price += late * np.maximum(0, times - closes)
        is_open = [(a <= times) & (times <= b) for a, b in stop.windows]
        price[~np.any(is_open, axis=0)] = np.inf
        prices.append(price)

    def follow(costs: np.ndarray) -> np.ndarray:
        for stop, price in zip(stops[1:], prices[1:], strict=True):
            lead = int(stop.lead)
            so_far = np.minimum.accumulate(costs, axis=-1)
            costs = np.full(costs.shape, np.inf)
            costs[..., lead:] = so_far[..., : horizon - lead] + price[lead:]
        return costs

    paid = kind.unit_duration_cost
    least = (follow(prices[0] - paid * times) + paid * times).min()
    if least == math.inf or kind.shift_duration >= horizon:
        return float(least)
    starts = np.flatnonzero(prices[0] < np.inf)
    costs = follow(np.where(times == starts[:, None], 0.0, np.inf))
    lasts = times - starts[:, None]
    costs += paid * lasts
    is_short = lasts <= kind.shift_duration
    if costs[is_short].min(initial=np.inf) <= least:
        return float(least)
    over = np.maximum(0, lasts - kind.shift_duration)
    costs += kind.unit_overtime_cost * over
    costs[lasts > kind.shift_duration + kind.max_overtime] = np.inf
    return float(costs.min())
