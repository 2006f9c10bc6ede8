"""What comes of the times of a route, followed from its start on.

Nothing is planned: a time that cannot be is told, none is sought.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ncc_routing.problems.values import exceeds

if TYPE_CHECKING:
    from ncc_routing.problems.routes._trip_rules import BreakRule
    from ncc_routing.problems.routes.schedules import DriverBreak, Schedule

DRIVE, SERVE, IDLE = "drive", "serve", "idle"
"""What a driver does."""

Stop = tuple[Sequence[tuple[float, float]], float, float]
"""Windows, travel to it, and service."""


class Activity(NamedTuple):
    """What a driver does without interruption, and for how long."""

    kind: str
    duration: float


class FollowedRoute:
    """What comes of the times of a route.

    ``late`` are the places reached after they begin, and by how much; ``owed``
    the breaks not had; ``day`` is what the driver does from the stops on that
    lie ahead; ``duration`` that of the whole route, and ``waits`` those before
    each stop. ``is_possible`` is
    whether a vehicle that is never late can keep the times.
    """

    def __init__(
        self,
        schedule: Schedule,
        ends: tuple[float, float],
        stops: Sequence[Stop],
        breaks: Sequence[BreakRule] = (),
        num_done: int = 0,
    ) -> None:
        """Follow a schedule that starts between two ``ends``.

        ``schedule`` has only the breaks behind ``num_done`` stops. A vehicle
        that is late goes on as if it were not.
        """
        self.late: dict[int, float] = {}
        self.owed = list(breaks)
        self.day: list[Activity] = []
        self.is_possible = not exceeds(ends[0], schedule.start)
        self.duration = 0.0
        self.waits = [0.0] * len(stops)
        self._now = schedule.start
        self._be_at(0, ends[1])
        for place, (windows, travel, service) in enumerate(stops):
            if place == num_done:
                self.day.clear()
            rests = [one for one in schedule.breaks if one.place == place]
            work = travel + sum(one.duration for one in rests)
            leave = self._now
            self._drive(travel, rests, place)
            begin = schedule.begins[place]
            self._be_at(place, begin)
            opens, closes = windows[0]
            if exceeds(opens, closes):  # it left before all was there
                self._note_delay(place, opens - begin)
            else:
                self.is_possible &= _is_within(begin, windows)
            self._do(IDLE, begin - self._now)
            if exceeds(begin, leave + work):  # by more than rounding
                self.waits[place] = begin - leave - work
            self._do(SERVE, service)
        self.is_possible &= schedule.end == schedule.begins[-1]

    def _do(self, kind: str, duration: float) -> None:
        self.day.append(Activity(kind, duration))
        self.duration += duration
        self._now += duration

    def _be_at(self, place: int, time: float) -> None:
        """Be at a place by a time, or as if."""
        if exceeds(self._now, time):
            self._note_delay(place, self._now - time)
            self._now = time

    def _note_delay(self, place: int, delay: float) -> None:
        self.late[place] = max(delay, self.late.get(place, 0.0))

    def _drive(
        self, travel: float, rests: Sequence[DriverBreak], place: int
    ) -> None:
        driven = 0.0
        for rest in rests:
            share = min(1.0, max(0.0, rest.share))
            # A short arc late in the day: what its share is rounded by.
            self.is_possible &= abs(rest.share - share) <= 1e-4
            far = share * travel
            self.is_possible &= far >= driven - 1e-9 * travel
            self._do(DRIVE, far - driven)
            driven = far
            self.is_possible &= not exceeds(self._now, rest.begin)
            if rest.number >= 0:
                self.is_possible &= self._take(rest, place)
            self._do(IDLE, rest.begin + rest.duration - self._now)
        self._do(DRIVE, travel - driven)

    def _take(self, rest: DriverBreak, place: int) -> bool:
        """Cross a break off the list, if it may be then and there."""
        for one in self.owed:
            if (
                (one.number, one.duration) == (rest.number, rest.duration)
                and one.may_precede(place)
                and _is_within(rest.begin, one.windows)
            ):
                self.owed.remove(one)
                return True
        return False


def _is_within(time: float, windows: Sequence[tuple[float, float]]) -> bool:
    return any(
        not exceeds(early, time) and not exceeds(time, late)
        for early, late in windows
    )
