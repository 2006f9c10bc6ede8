"""When the stops of a route begin, where some prefer other times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.problems.values import COST_TOLERANCE, NO_LIMIT, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.time_windows import TimeWindows


class PricedStop(NamedTuple):
    """A stop: its windows, and when it may follow the one before it.

    It begins ``lead`` after that at the earliest. ``early_cost`` is the price
    of each unit of time before the preferred window.
    """

    windows: Sequence[tuple[float, float]]
    lead: float
    preferred: tuple[float, float] = (0, NO_LIMIT)
    early_cost: float = 0.0
    late_cost: float = 0.0

    def price(self, begin: float) -> float:
        """Return what it costs to begin at a time."""
        opens, closes = self.preferred
        early, late = max(0, opens - begin), max(0, begin - closes)
        return self.early_cost * early + self.late_cost * late


def priced_stop(
    times: TimeWindows,
    node: int,
    windows: Sequence[tuple[float, float]],
    lead: float,
) -> PricedStop:
    """Return a stop with what a node prefers; nobody prefers nowhere."""
    preferred, *costs = times.preferred, times.early_costs, times.late_costs
    if preferred is None or node >= times.num_nodes:
        return PricedStop(windows, lead)
    each = [0.0 if own is None else float(own[node]) for own in costs]
    return PricedStop(windows, lead, tuple(preferred[node].tolist()), *each)


def cheapest_begins(
    stops: Sequence[PricedStop], vehicle: VehicleType
) -> list[float] | None:
    """Return when each stop begins, so that times cost least.

    The first stop is the start, the last one the end of the vehicle. Of equal
    costs the least duration counts, then the earliest end, and then the
    earliest begin of each stop from the last. ``None`` is returned where a
    window, or the largest duration, is broken, or an arc is forbidden.

    A begin less what the way to it takes at least is its level: levels do not
    fall along a route. Stops that follow each other without a wait share one.
    If no level of such a block is that of the end of a window, hard or
    preferred, it can be moved until one is, or until the duration of the route
    is a limit, and costs no more.

    References
    ----------
    Vidal, Crainic, Gendreau and Prins (2015), Networks 65(2), 102: timing.
    """
    ways = np.cumsum([stop.lead for stop in stops]).tolist()
    if math.isinf(ways[-1]):
        return None
    limits = vehicle.shift_duration, vehicle.max_duration
    levels = _levels(stops, ways)
    found = _cheapest(stops, ways, levels, levels, vehicle, is_limited=False)
    if found is not None and found[-1] - found[0] > min(limits):
        spare = [each - ways[-1] for each in set(limits) if each < NO_LIMIT]
        starts = np.union1d(levels, [levels - each for each in spare])
        ends = [levels + each for each in spare]
        found = _cheapest(
            *(stops, ways, np.union1d(starts, ends), starts, vehicle),
            is_limited=True,
        )
    return found


def _levels(stops: Sequence[PricedStop], ways: Sequence[float]) -> np.ndarray:
    """Return the levels of all ends of windows."""
    ends = set()
    for stop, way in zip(stops, ways, strict=True):
        for window in (*stop.windows, stop.preferred):
            ends |= {end - way for end in window if end < NO_LIMIT}
    return np.array(sorted(ends), dtype=float)


def _cheapest(
    stops: Sequence[PricedStop],
    ways: Sequence[float],
    levels: np.ndarray,
    starts: np.ndarray,
    vehicle: VehicleType,
    *,
    is_limited: bool,
) -> list[float] | None:
    """Return the begins of least cost whose levels are among some."""
    prices = [
        _prices(stop, way, levels)
        for stop, way in zip(stops, ways, strict=True)
    ]
    is_start = starts[:, None] == levels
    costs = np.where(is_start, prices[0], np.inf)
    for own in prices[1:]:
        costs = np.minimum.accumulate(costs, axis=1) + own
    durations = ways[-1] + levels - starts[:, None]
    costs += vehicle.unit_duration_cost * durations
    if is_limited:
        overtime = np.maximum(0, durations - vehicle.shift_duration)
        costs += vehicle.unit_overtime_cost * overtime
        longest = widened(np.array(float(vehicle.max_duration)))
        costs[durations > longest] = np.inf
    least = float(costs.min())
    if math.isinf(least):
        return None
    noise = COST_TOLERANCE**2 * max(1.0, abs(least))
    rows, columns = np.nonzero(costs <= least + noise)
    first = np.lexsort((columns, durations[rows, columns]))[0]
    row, place = rows[first], columns[first]
    # The way back to the start, from one level to the lowest before it.
    costs = np.where(is_start[row], prices[0], np.inf)
    each = [costs]
    for own in prices[1:]:
        costs = np.minimum.accumulate(costs) + own
        each.append(costs)
    begins = [levels[place] + ways[-1]]
    for stop in range(len(stops) - 2, -1, -1):
        before = each[stop][: place + 1]
        place = np.flatnonzero(before <= before.min() + noise)[0]
        begins.append(levels[place] + ways[stop])
    return [float(begin) for begin in begins[::-1]]


def _prices(stop: PricedStop, way: float, levels: np.ndarray) -> np.ndarray:
    """Return what a stop costs at each level, infinite outside windows."""
    opens, closes = (end - way for end in stop.preferred)
    prices = stop.early_cost * np.maximum(0, opens - levels)
    prices += stop.late_cost * np.maximum(0, levels - closes)
    is_open = np.zeros(len(levels), dtype=bool)
    for early, late in stop.windows:
        limit = float(widened(np.array(float(late)))) - way
        is_open |= (levels >= early - way) & (levels <= limit)
    return np.where(is_open, prices, np.inf)
