"""Which window, and which breaks, the stops of a route have."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.problems.values import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Window = tuple[float, float]


class OwedBreak(NamedTuple):
    """A break: its number, length, when it may begin, before which stops."""

    number: int
    duration: float
    windows: Sequence[Window]
    may_precede: Sequence[bool]


class TakenBreak(NamedTuple):
    """A break in one of its windows, and its number."""

    early: float
    late: float
    duration: float
    number: int


class ShiftStop(NamedTuple):
    """A stop: its windows in their order, its service, the travel to it."""

    windows: Sequence[Window]
    service: float
    travel: float


class _Label(NamedTuple):
    """A way to drive the first stops.

    Who starts at s, by ``late``, is ready at max(ready, s + work).
    """

    late: float
    ready: float
    work: float
    arrival: float = 0.0
    windows: tuple[Window, ...] = ()
    breaks: tuple[tuple[TakenBreak, ...], ...] = ()
    taken: tuple[TakenBreak, ...] = ()  # on the way to the next stop
    numbers: tuple[int, ...] = ()  # of all breaks so far, sorted

    @property
    def duration(self) -> float:
        return max(self.ready - self.late, self.work)


def choose_windows(
    start: Window,
    stops: Sequence[ShiftStop],
    owed: Sequence[OwedBreak] = (),
) -> tuple[list[Window], list[tuple[TakenBreak, ...]]] | None:
    """Return the window of each stop, and the breaks on the way to each.

    The route takes the shortest time with these, and ends as early as that
    allows. ``start`` is the earliest and the latest one. ``None`` is returned
    where it cannot be driven.
    """
    labels = [_Label(start[1], start[0], 0.0)]
    for place, stop in enumerate(stops):
        labels = _pareto(
            then
            for label in labels
            for way in _ways(label, stop.travel, owed, place)
            for then in _served(way, stop)
        )
    done = [
        label
        for label in labels
        if len(label.numbers) == len(owed) and label.late >= start[0]
    ]
    if not done:
        return None
    best = min(done, key=lambda label: (label.duration, label.ready))
    return list(best.windows), list(best.breaks)


def first_windows(start: float, stops: Sequence[ShiftStop]) -> list[Window]:
    """Return the first window of each stop that is open, or else the last."""
    chosen = []
    now = start
    for stop in stops:
        now += stop.travel
        early, late = next(
            (one for one in stop.windows if not exceeds(now, one[1])),
            stop.windows[-1],
        )
        now = min(max(now, early), late) + stop.service
        chosen.append((early, late))
    return chosen


def _ways(
    label: _Label, travel: float, owed: Sequence[OwedBreak], place: int
) -> Iterator[_Label]:
    """Yield the ways to the next stop, with breaks or without."""
    ways = [label._replace(arrival=label.ready + travel)]
    for way in ways:
        yield way
        if len(way.numbers) == len(owed):
            continue
        for one in owed:
            number = one.number
            if number in way.numbers or not one.may_precede[place]:
                continue
            for early, late in one.windows:
                if exceeds(way.ready, late):
                    continue
                begun = max(way.ready, early) + one.duration
                taken = TakenBreak(early, late, one.duration, number)
                ways.append(
                    way._replace(
                        late=min(way.late, late - way.work),
                        ready=begun,
                        arrival=max(way.arrival + one.duration, begun),
                        work=way.work + one.duration,
                        taken=(*way.taken, taken),
                        numbers=tuple(sorted((*way.numbers, number))),
                    )
                )


def _served(way: _Label, stop: ShiftStop) -> Iterator[_Label]:
    """Yield the label behind a stop, for each of its windows."""
    work = way.work + stop.travel
    for early, late in stop.windows:
        begin = max(way.arrival, early)
        if exceeds(begin, late):
            continue
        yield _Label(
            late=min(way.late, late - work),
            ready=begin + stop.service,
            work=work + stop.service,
            windows=(*way.windows, (early, late)),
            breaks=(*way.breaks, way.taken),
            numbers=way.numbers,
        )


def _pareto(labels: Iterator[_Label]) -> list[_Label]:
    """Return the labels that no other one of the same breaks excels."""
    kept: list[_Label] = []
    best: dict[tuple[int, ...], float] = {}
    for label in sorted(labels, key=lambda x: (x.numbers, -x.late, x.ready)):
        if label.ready < best.get(label.numbers, math.inf):
            best[label.numbers] = label.ready
            kept.append(label)
    return kept
