"""When the stops of a route begin, where some prefer other times."""

from __future__ import annotations

import math
import sys
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.problems.shifts import TakenBreak
from ncc_routing.problems.values import (
    COST_TOLERANCE,
    LOAD_TOLERANCE,
    NO_LIMIT,
    exceeds,
    widened,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.fleet import VehicleType
    from ncc_routing.problems.shifts import OwedBreak
    from ncc_routing.problems.time_windows import TimeWindows


class PricedStop(NamedTuple):
    """A stop: its windows, and when it may follow the one before it.

    It begins ``lead`` after that at the earliest, of which ``travel`` is on
    the way. ``early_cost`` is the price of each unit of time before the
    preferred window.
    """

    windows: Sequence[tuple[float, float]]
    lead: float
    travel: float
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
    travel: float,
) -> PricedStop:
    """Return a stop with what a node prefers; nobody prefers nowhere."""
    preferred, *costs = times.preferred, times.early_costs, times.late_costs
    if preferred is None or node >= times.num_nodes:
        return PricedStop(windows, lead, travel)
    each = [0.0 if own is None else float(own[node]) for own in costs]
    wanted = tuple(preferred[node].tolist())
    return PricedStop(windows, lead, travel, wanted, *each)


Taken = frozenset[int]
"""Places of breaks among those that are owed."""


class Times(NamedTuple):
    """When each stop of a route begins, and the breaks on the way to it."""

    begins: list[float]
    breaks: list[tuple[TakenBreak, ...]]


class _Rest(NamedTuple):
    """Breaks on the way to a stop, by their places, one after another.

    ``places`` says for each level of the stop how many levels of the one
    before it are low enough.
    """

    before: Taken
    after: Taken
    order: tuple[int, ...]
    places: np.ndarray


def cheapest_begins(
    stops: Sequence[PricedStop],
    vehicle: VehicleType,
    owed: Sequence[OwedBreak] = (),
) -> Times | None:
    """Return when each stop begins, so that times cost least.

    The first stop is the start, the last one the end of the vehicle. Of equal
    costs the least duration counts, then the earliest end, and then the
    earliest begin of each stop from the last. ``None`` is returned where a
    window, or the largest duration, is broken, a break cannot fit, or an arc
    is forbidden.

    A begin less what the way to it takes at least, with the breaks so far, is
    its level: levels do not fall along a route. Stops that follow each other
    without a wait share one. If no level of such a block is that of the end of
    a window, hard, preferred or of a break, it can be moved until one is, or
    until the duration of the route is a limit, and costs no more.

    References
    ----------
    Vidal, Crainic, Gendreau and Prins (2015), Networks 65(2), 102: timing.
    """
    day = _Day(stops, vehicle, owed)
    if not math.isfinite(day.ways[-1]):
        return None
    limits = vehicle.shift_duration, vehicle.max_duration
    levels = day.levels()
    found = day.cheapest(levels, levels, is_limited=False)
    if found is not None and found.begins[-1] - found.begins[0] > min(limits):
        way = day.ways[-1] + day.rested(day.all)
        spare = [each - way for each in set(limits) if each < NO_LIMIT]
        starts = np.union1d(levels, [levels - each for each in spare])
        ends = [levels + each for each in spare]
        both = np.union1d(starts, ends)
        found = day.cheapest(both, starts, is_limited=True)
    return found


class _Day:
    """The stops of a route, and the breaks that its driver owes."""

    def __init__(
        self,
        stops: Sequence[PricedStop],
        vehicle: VehicleType,
        owed: Sequence[OwedBreak],
    ) -> None:
        self.stops, self.vehicle, self.owed = stops, vehicle, owed
        self.ways = np.cumsum([stop.lead for stop in stops]).tolist()
        self.all: Taken = frozenset(range(len(owed)))
        self.sets = [
            frozenset(some)
            for count in range(len(owed) + 1)
            for some in combinations(range(len(owed)), count)
        ]

    def rested(self, taken: Taken) -> float:
        """Return the duration of some breaks."""
        return sum(self.owed[number].duration for number in taken)

    def levels(self) -> np.ndarray:
        """Return the levels of all ends of windows."""
        ends = set()
        for place, stop in enumerate(self.stops):
            way = self.ways[place]
            for window in (*stop.windows, stop.preferred):
                ends |= {end - way for end in window if end < NO_LIMIT}
            for one in self.owed:
                own = one.windows if one.may_precede[place] else ()
                for early, late in own:
                    ends.add(early - way)
                    if late < NO_LIMIT:
                        ends.add(late - way + stop.travel)
        rests = {self.rested(taken) for taken in self.sets}
        found = {end - rest for end in ends for rest in rests}
        return np.array(sorted(found), dtype=float)

    def cheapest(
        self, levels: np.ndarray, starts: np.ndarray, *, is_limited: bool
    ) -> Times | None:
        """Return the times of least cost whose levels are among some."""
        way = self.ways[-1] + self.rested(self.all)
        prices = self._prices(levels)
        rests = [self._rests(place, levels) for place in range(len(prices))]
        bounds = self._from_starts(levels, prices, rests)
        bounds = bounds[np.searchsorted(levels, starts)]
        if not math.isfinite(bounds.min(initial=np.inf)):
            return None
        # Few starts can be the best one: those that may cost no more than the
        # one that may cost least.
        best = np.argmin(bounds)
        found = self._costs(levels, starts[[best]], prices, rests, is_limited)
        least = min(float(found.min()), sys.float_info.max)
        noise = COST_TOLERANCE * max(1.0, abs(least))
        starts = starts[bounds <= least + noise]
        first = self._firsts(levels, starts, prices)
        costs = self._costs(levels, starts, prices, rests, is_limited)
        durations = way + levels - starts[:, None]
        least = float(costs.min())
        if math.isinf(least):
            return None
        noise = COST_TOLERANCE**2 * max(1.0, abs(least))
        rows, columns = np.nonzero(costs <= least + noise)
        best = np.lexsort((columns, durations[rows, columns]))[0]
        row, place = rows[best], columns[best]
        each = [*self._follow(first[row], prices, rests)]
        # The way back to the start, from one level to the lowest before it.
        begins, taken = [levels[place] + way], self.all
        breaks: list[tuple[TakenBreak, ...]] = []
        for stop in range(len(self.stops) - 2, -1, -1):
            after, then, order = each[stop], taken, tuple[int, ...]()
            nothing = np.full(1, np.inf)
            before = after.get(taken, nothing)[: place + 1]
            for rest in rests[stop + 1]:
                own = after.get(rest.before, nothing)[: rest.places[place]]
                if rest.after == then and own.min(initial=np.inf) + noise < (
                    before.min()
                ):
                    before, taken, order = own, rest.before, rest.order
            place = np.flatnonzero(before <= before.min() + noise)[0]
            begin = levels[place] + self.ways[stop] + self.rested(taken)
            begins.append(begin)
            ahead = self.stops[stop + 1]
            leave = begin + ahead.lead - ahead.travel
            breaks.append(self._taken(leave, order))
        return Times(list(map(float, begins[::-1])), [(), *breaks[::-1]])

    def _firsts(
        self,
        levels: np.ndarray,
        starts: np.ndarray,
        prices: Sequence[dict[Taken, np.ndarray]],
    ) -> np.ndarray:
        """Return what the start costs by starts, in rows, and levels."""
        is_start = starts[:, None] == levels
        return np.where(is_start, prices[0][frozenset()], np.inf)

    def _costs(
        self,
        levels: np.ndarray,
        starts: np.ndarray,
        prices: Sequence[dict[Taken, np.ndarray]],
        rests: Sequence[Sequence[_Rest]],
        is_limited: bool,
    ) -> np.ndarray:
        """Return the costs of all times, by their starts and last levels."""
        vehicle, way = self.vehicle, self.ways[-1] + self.rested(self.all)
        first = self._firsts(levels, starts, prices)
        *_, last = self._follow(first, prices, rests)
        durations = way + levels - starts[:, None]
        costs = last[self.all] + vehicle.unit_duration_cost * durations
        if is_limited:
            overtime = np.maximum(0, durations - vehicle.shift_duration)
            costs += vehicle.unit_overtime_cost * overtime
            longest = widened(np.array(float(vehicle.max_duration)))
            costs[durations > longest] = np.inf
        return np.asarray(costs)

    def _from_starts(
        self,
        levels: np.ndarray,
        prices: Sequence[dict[Taken, np.ndarray]],
        rests: Sequence[Sequence[_Rest]],
    ) -> np.ndarray:
        """Return the least cost from a start at each level, without limits."""
        paid = self.vehicle.unit_duration_cost
        way = self.ways[-1] + self.rested(self.all)
        here = prices[-1].get(self.all, np.full(len(levels), np.inf))
        now = {self.all: here + paid * (way + levels)}
        places = np.arange(len(levels))
        for own, ways in zip(prices[-2::-1], rests[:0:-1], strict=True):
            least = {
                taken: np.minimum.accumulate(each[::-1])[::-1]
                for taken, each in now.items()
            }
            then = least.copy()
            for rest in ways:
                if rest.after in least:
                    padded = np.append(least[rest.after], np.inf)
                    via = padded[np.searchsorted(rest.places, places, "right")]
                    known = then.get(rest.before, via)
                    then[rest.before] = np.minimum(known, via)
            now = {taken: each + own[taken] for taken, each in then.items()}
        nowhere = np.full(len(levels), np.inf)
        return np.asarray(now.get(frozenset(), nowhere) - paid * levels)

    def _prices(self, levels: np.ndarray) -> list[dict[Taken, np.ndarray]]:
        """Return what each stop costs at each level, by the breaks so far."""
        return [
            {
                taken: _prices(stop, way + self.rested(taken), levels)
                for taken in self.sets
            }
            for stop, way in zip(self.stops, self.ways, strict=True)
        ]

    def _rests(self, place: int, levels: np.ndarray) -> list[_Rest]:
        """Return what breaks there may be on the way to a stop."""
        stop, way = self.stops[place], self.ways[place]
        noise = LOAD_TOLERANCE * max(1.0, way)
        found = []
        for before in self.sets:
            free = [
                number
                for number in sorted(self.all - before)
                if self.owed[number].may_precede[place]
            ]
            for count in range(1, len(free) + 1):
                for order in permutations(free, count):
                    now = levels + way - stop.travel + self.rested(before)
                    for number in order:
                        now = self._end(number, now)
                    after = before.union(order)
                    now = np.maximum(levels, now - way - self.rested(after))
                    places = np.searchsorted(now, levels + noise, "right")
                    found.append(_Rest(before, after, order, places))
        return found

    def _end(self, number: int, times: np.ndarray) -> np.ndarray:
        """Return when a break ends that may begin from some times on."""
        begins = np.full(len(times), np.inf)
        for early, late in reversed(self.owed[number].windows):
            is_in_time = times <= float(widened(np.array(float(late))))
            begins = np.where(is_in_time, np.maximum(times, early), begins)
        return np.asarray(begins + self.owed[number].duration)

    def _follow(
        self,
        costs: np.ndarray,
        prices: Sequence[dict[Taken, np.ndarray]],
        rests: Sequence[Sequence[_Rest]],
    ) -> Iterator[dict[Taken, np.ndarray]]:
        """Yield the least cost up to each stop, by breaks and level."""
        now = {frozenset[int](): costs}
        yield now
        for own, ways in zip(prices[1:], rests[1:], strict=True):
            least = {
                taken: np.minimum.accumulate(each, axis=-1)
                for taken, each in now.items()
            }
            then = least.copy()
            for rest in ways:
                if rest.before in least:
                    via = least[rest.before][..., rest.places - 1]
                    via = np.where(rest.places > 0, via, np.inf)
                    known = then.get(rest.after, via)
                    then[rest.after] = np.minimum(known, via)
            now = {taken: each + own[taken] for taken, each in then.items()}
            yield now

    def _taken(
        self, leave: float, order: Sequence[int]
    ) -> tuple[TakenBreak, ...]:
        """Return breaks one after another, each in its first open window."""
        breaks = []
        for one in (self.owed[number] for number in order):
            early, late = next(
                own for own in one.windows if not exceeds(leave, own[1])
            )
            breaks.append(TakenBreak(early, late, one.duration, one.number))
            leave = max(leave, early) + one.duration
        return tuple(breaks)


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
