"""Times that an answer states for a route, followed stop by stop."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.problems.constraints import VIOLATION, say
from ncc_routing.problems.routes.checking import (
    MeasuredRoute,
    NodeTimes,
    Violation,
    times_of_nodes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ncc_routing.problems.breaks import Break
    from ncc_routing.problems.instance import Instance

STATED: Final = "stated"
"""Kind of a violation: what is stated is not so."""


class StatedStop(NamedTuple):
    """When a vehicle is at a stop, ``None`` where nothing is stated.

    ``place`` is that among the nodes from depot to depot, -1 of a break;
    ``number`` says which break, -1 where that is not known. The vehicle works
    from ``begin`` until it leaves. A break without an arrival may be waited
    for.
    """

    name: str
    place: int
    arrival: float | None
    begin: float | None
    leave: float | None = None
    number: int = -1
    wait: float = math.nan


class _Follower:
    """What is wrong with the stated times of a route."""

    def __init__(
        self,
        instance: Instance,
        idx: int,
        route: MeasuredRoute,
        noise: float,
        lists_breaks: bool,
    ) -> None:
        self._instance, self._route = instance, route
        self._lists_breaks = lists_breaks
        self._vehicle, self._noise = instance.vehicle_types[idx], noise
        self._times: NodeTimes = times_of_nodes(instance)
        own = self._vehicle.service_durations
        service = [*own, 0] if own else self._times.service
        setups = route.setups(instance, self._vehicle)
        self._work = [
            service[node] + setup
            for node, setup in zip(route.nodes, setups, strict=True)
        ]
        self._work[-1] = 0
        self._last = len(route.nodes) - 1

    def _moment(self, time: float) -> str:
        return self._instance.source.time_form.text(time)

    def _lasting(self, time: float) -> str:
        return self._instance.source.time_form.text(time, is_duration=True)

    def follow(self, stops: Sequence[StatedStop]) -> Iterator[str]:
        """Yield what is wrong, stop by stop."""
        last: StatedStop | None = None
        rests: list[StatedStop] = []
        for stop in stops:
            if stop.place < 0:
                rests.append(stop)
                continue
            yield from self._arrival(last, rests, stop)
            yield from self._work_of(stop, rests)
            yield from self._window(stop)
            last, rests = stop, []
        yield from self._breaks([one for one in stops if one.place < 0])
        yield from self._duration(stops)

    def _arrival(
        self,
        last: StatedStop | None,
        rests: Sequence[StatedStop],
        stop: StatedStop,
    ) -> Iterator[str]:
        """Yield what is wrong about the way to a stop, and its breaks."""
        if last is None or last.arrival is None or stop.arrival is None:
            return
        travel = sum(self._route.durations[last.place : stop.place])
        begin = last.arrival if last.begin is None else last.begin
        gap = stop.arrival - begin - self._work[last.place]
        before = [
            one
            for one in rests
            if one.begin is not None and not self._is_at(one, stop)
        ]
        for one in before:
            gap -= self._length(one)
            if one.arrival is not None and one.begin is not None:
                gap -= one.begin - one.arrival
        noise = self._noise * (1 + len(rests))
        is_exact = last.begin is not None and self._lists_breaks
        is_exact &= all(one.arrival is not None for one in rests)
        if gap < travel - noise or (is_exact and gap > travel + noise):
            yield (
                f"reaches {stop.name} at {self._moment(stop.arrival)}, after "
                f"{self._lasting(max(0.0, gap))} of travel, which takes "
                f"{self._lasting(travel)}"
            )

    def _length(self, rest: StatedStop) -> float:
        if rest.leave is not None and rest.begin is not None:
            return rest.leave - rest.begin
        taken = self._vehicle.breaks
        return taken[rest.number].duration if rest.number >= 0 else 0.0

    def _is_at(self, rest: StatedStop, stop: StatedStop) -> bool:
        """Whether a break is taken after the arrival at a stop."""
        if rest.begin is None or stop.arrival is None:
            return False
        return rest.begin + self._length(rest) / 2 > stop.arrival

    def _work_of(
        self, stop: StatedStop, rests: Sequence[StatedStop]
    ) -> Iterator[str]:
        """Yield a wait that is none, and work that lasts something else."""
        if stop.begin is None:
            return
        here = [self._length(one) for one in rests if self._is_at(one, stop)]
        start = (stop.arrival or 0) + sum(here)
        if stop.arrival is not None and stop.begin < start - self._noise:
            yield f"begins at {stop.name} before it is there"
        has_all = self._lists_breaks
        if has_all and abs(stop.begin - start - stop.wait) > self._noise:
            yield (
                f"waits {self._lasting(max(0.0, stop.begin - start))} at "
                f"{stop.name}, not {self._lasting(stop.wait)}"
            )
        if stop.leave is None:
            return
        work, said = self._work[stop.place], stop.leave - stop.begin
        if abs(said - work) > self._noise:
            yield (
                f"leaves {stop.name} {self._lasting(max(0.0, said))} after "
                f"its begin, not {self._lasting(work)}"
            )

    def _window(self, stop: StatedStop) -> Iterator[str]:
        """Yield a begin outside the windows of a stop or of the vehicle."""
        place, begin = stop.place, stop.begin
        if begin is None:
            return
        node = self._route.nodes[place]
        windows = self._times.several.get(
            node, [(self._times.early[node], self._times.late[node])]
        )
        if place == 0:
            windows = [(self._vehicle.tw_early, self._vehicle.start_late)]
        if place == self._last:
            windows = [(self._vehicle.tw_early, self._vehicle.tw_late)]
        if not any(
            early - self._noise <= begin <= late + self._noise
            for early, late in windows
        ):
            yield (
                f"begins at {stop.name} at {self._moment(begin)}, outside "
                "its window"
            )
        release = self._release(place)
        if begin + self._work[place] < release - self._noise:
            yield (
                f"leaves {stop.name} before {self._moment(release)}, when its "
                "goods are there"
            )

    def _release(self, place: int) -> int:
        """Return when the goods of the trip that begins at a place are."""
        nodes, depots = self._route.nodes, self._instance.depots
        if nodes[place] not in depots and place > 0:
            return 0
        latest = 0
        for node in nodes[place + 1 :]:
            if node in depots:
                break
            latest = max(latest, self._times.release[node])
        return latest

    def _breaks(self, rests: Sequence[StatedStop]) -> Iterator[str]:
        """Yield breaks that are none of the vehicle, or that are missing."""
        owed = dict(enumerate(self._vehicle.breaks))
        for rest in rests:
            if rest.begin is None:
                owed.pop(rest.number, None)
                continue
            fitting = [
                number
                for number, one in owed.items()
                if rest.number in (-1, number) and self._is(rest, one)
            ]
            if fitting:
                # The one that has to begin first leaves most for the others.
                del owed[min(fitting, key=lambda k: owed[k].windows[-1][1])]
            elif self._vehicle.hours is None:
                yield (
                    f"has a break at {self._moment(rest.begin)}, which is "
                    "none of its vehicle at that time"
                )
        if owed and self._lists_breaks:
            yield f"lacks {len(owed)} of the breaks of its vehicle"

    def _is(self, rest: StatedStop, one: Break) -> bool:
        begin = rest.begin or 0.0
        is_inside = any(
            early - self._noise <= begin <= late + self._noise
            for early, late in one.windows
        )
        lasts = None if rest.leave is None else rest.leave - begin
        return is_inside and (
            lasts is None or abs(lasts - one.duration) <= self._noise
        )

    def _duration(self, stops: Sequence[StatedStop]) -> Iterator[str]:
        ends = {stop.place: stop for stop in stops}
        first, last = ends.get(0), ends.get(self._last)
        if first is None or last is None:
            return
        if first.begin is None or last.arrival is None:
            return
        lasts = last.arrival - first.begin
        if lasts > self._vehicle.max_duration + self._noise:
            values = {"value": lasts, "limit": self._vehicle.max_duration}
            yield say(self._instance, "shift", VIOLATION, **values)


def check_times(
    instance: Instance,
    idx: int,
    route: MeasuredRoute,
    stops: Sequence[StatedStop],
    noise: float,
    title: str,
    *,
    lists_breaks: bool = True,
) -> list[Violation]:
    """Return what is wrong with the times that are stated for a route.

    Parameters
    ----------
    instance
        The problem.
    idx
        The vehicle type.
    route
        Its nodes from depot to depot, and the arcs.
    stops
        What is stated, in order.
    noise
        How far a time may be rounded.
    title
        What the route is called.
    lists_breaks
        Whether every break is among the stops. Default yes.
    """
    follower = _Follower(instance, idx, route, noise, lists_breaks)
    return [
        Violation(STATED, f"{title} {text}") for text in follower.follow(stops)
    ]
