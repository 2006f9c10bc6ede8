"""The shortest time of a route with several windows, and breaks, by trial.

A start that is a little later than one of a few times gains nothing, or misses
a window. These starts are driven, and all stops are as early as possible.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

from ncc_routing.problems.values import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems._trip_rules import BreakRule

Stop = tuple[Sequence[tuple[float, float]], float, float]
"""Windows, travel to it, and service."""


def shortest_duration(
    earliest: float,
    latest: float,
    stops: Sequence[Stop],
    breaks: Sequence[BreakRule] = (),
    enough: float = 0,
) -> float:
    """Return the shortest duration, ``inf`` where there is no drive.

    Or that from the first start, if it is ``enough``. The first stop is the
    depot, where no break comes before its work. A later start never ends
    earlier, so that few of them are driven.
    """
    starts = sorted(_starts(earliest, latest, stops, breaks))
    first_end = _end(starts[0], stops, breaks) if starts else math.inf
    if math.isinf(first_end) or first_end - starts[0] <= enough:
        return first_end - earliest
    last = bisect_left(
        *(starts, True, 1),
        key=lambda start: math.isinf(_end(start, stops, breaks)),
    )
    least = math.inf
    for start in reversed(starts[:last]):
        if first_end - start >= least:
            break
        least = min(least, _end(start, stops, breaks) - start)
    return least


def _starts(
    earliest: float,
    latest: float,
    stops: Sequence[Stop],
    breaks: Sequence[BreakRule],
) -> set[float]:
    """Return when a start may be the last one before something changes."""
    windows = [own for own, _, _ in stops]
    opens = [early for own in windows for early, _ in own]
    opens += [early for one in breaks for early, _ in one.windows]
    # From then on nobody waits.
    latest = min(latest, max(earliest, *opens))
    worked = [0, *accumulate(travel + work for _, travel, work in stops)]
    rests = [
        sum(one.duration for one in some)
        for count in range(len(breaks) + 1)
        for some in combinations(breaks, count)
    ]
    limits = [
        late - before - travel
        for (own, travel, _), before in zip(stops, worked, strict=False)
        for _, late in own
    ]
    limits += [
        late - before
        for before in worked
        for one in breaks
        for _, late in one.windows
    ]
    starts = {limit - rest for limit in limits for rest in rests}
    within = {start for start in starts if earliest < start < latest}
    return within | {earliest, latest} if earliest <= latest else set()


def _end(
    start: float, stops: Sequence[Stop], breaks: Sequence[BreakRule]
) -> float:
    """Return the earliest end of a drive that begins at a time."""
    free: dict[frozenset[int], float] = {frozenset(): start}
    for place, (windows, travel, work) in enumerate(stops):
        then: dict[frozenset[int], float] = {}
        for taken, leave in free.items():
            ways = [(taken, leave + travel)]
            if place > 0 and len(taken) < len(breaks):
                ways += after_breaks(leave, travel, breaks, taken, place)
            for more, there in ways:
                begin = _first_begin(there, windows)
                if begin + work < then.get(more, math.inf):
                    then[more] = begin + work
        free = then
    return free.get(frozenset(range(len(breaks))), math.inf)


def _first_begin(
    there: float, windows: Sequence[tuple[float, float]]
) -> float:
    first = math.inf
    for early, late in windows:
        begin = max(there, early)
        if begin < first and not exceeds(begin, late):
            first = begin
    return first


def after_breaks(
    leave: float,
    travel: float,
    breaks: Sequence[BreakRule],
    taken: frozenset[int],
    place: int,
) -> Iterator[tuple[frozenset[int], float]]:
    """Yield when the next stop is reached, by the breaks before it."""
    # Breaks in any order; what is left to drive follows the last one.
    on_way = [(taken, leave, 0.0)]
    for done, free, rested in on_way:
        for number, one in enumerate(breaks):
            if number in done or not one.may_precede(place):
                continue
            begin = _first_begin(free, one.windows)
            if begin == math.inf:
                continue
            end = begin + one.duration
            total = rested + one.duration
            more = done | {number}
            on_way.append((more, end, total))
            yield more, max(end, leave + travel + total)
