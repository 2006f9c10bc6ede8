"""Days of drivers by hours of service, minute by minute.

Every minute a driver drives, serves or rests, and all ways are followed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import ncc_routing as nr

INF = math.inf


class State(NamedTuple):
    """Where a driver is, and what counts since the last rests."""

    stop: int  # the next one
    left: int  # minutes to drive there
    driven: int = 0
    worked: int = 0
    has_first: bool = False
    rested: int = 0
    idle: int = 0  # minutes of the present rest
    taken: int = 0  # breaks, by bits


class Day:
    """A route of whole minutes by hours of service."""

    def __init__(
        self,
        hours: nr.HoursOfService,
        windows: Sequence[Sequence[tuple[float, float]]],
        travel: Sequence[float],
        service: Sequence[float],
        breaks: Sequence[tuple[Any, set[int]]] = (),
        so_far: nr.HoursSoFar | None = None,
    ) -> None:
        self.first = State(0, int(travel[0]))
        self.rested: dict[State, State] = {}
        self.done = 0.0
        if so_far is not None:
            self.done = so_far.work
            self.first = self.first._replace(
                driven=int(min(so_far.driven, hours.driving_block)),
                worked=int(min(so_far.worked, hours.work_block)),
                has_first=so_far.has_first_part,
            )
        self.hours, self.windows, self.breaks = hours, windows, breaks
        self.travel = [int(each) for each in travel]
        self.service = [int(each) for each in service]
        self.size = len(travel)
        steps = [a + b for a, b in zip(travel, service, strict=True)]
        self.work = self.done + sum(steps)
        self.before = [
            self.done + sum(steps[:stop]) for stop in range(self.size + 1)
        ]
        self.needed = max(
            (rest for most, rest in hours.rest_in_all if self.work > most),
            default=0,
        )
        if sum(steps) == 0:
            self.needed = 0
        if so_far is not None:
            rested = int(min(self.needed, so_far.rested))
            self.first = self.first._replace(rested=rested)
        self.lengths = {hours.rest, hours.least_rest, hours.first_part}
        self.lengths |= {hours.second_part}
        self.lengths |= {rest for _, rest in hours.rest_in_all}
        self.most = max(self.lengths)
        opens = [early for own in windows for early, _ in own]
        opens += [early for one, _ in breaks for early, _ in one.windows]
        self.last_open = max(opens)

    @property
    def needs_rest(self) -> bool:
        """Whether a driver who never rests breaks a rule."""
        hours, ahead = self.hours, self.work - self.done
        if ahead == 0:
            return False
        return (
            self.first.driven + sum(self.travel) > hours.driving_block
            or self.first.worked + ahead > hours.work_block
            or self.first.rested < self.needed
        )

    def end(self, start: float) -> float:
        """Return the earliest end of a start, inf for none."""
        later: dict[float, set[State]] = {start: {self.first}}
        seen: dict[Any, Any] = {}
        while later:
            time = min(later)
            for state in sorted(later.pop(time)):
                if self._is_no_better(time, state, seen):
                    continue
                if state.stop == self.size:
                    everything = (1 << len(self.breaks)) - 1
                    if (state.rested, state.taken) == (
                        self.needed,
                        everything,
                    ):
                        return time
                    continue
                for then, following in self._next(time, state):
                    later.setdefault(then, set()).add(following)
        return INF

    def _is_no_better(
        self, time: float, state: State, seen: dict[Any, Any]
    ) -> bool:
        """Return whether a driver who has done no more was there, or note it.

        Who is there earlier rests, which is more or nothing new.
        """
        wait = time - seen.setdefault(state, time)
        if state.idle < self.most and (
            wait >= self.hours.rest
            or (state.has_first and 0 < wait < self.hours.second_part)
        ):
            return True
        others = seen.setdefault(
            (time, state._replace(driven=0, worked=0, rested=0)), []
        )
        if any(
            other.driven <= state.driven
            and other.worked <= state.worked
            and other.rested >= state.rested
            for other in others
        ):
            return True
        others.append(state)
        return False

    def shortest(self, first: float, last: float) -> float:
        """Return the shortest duration, from starts between two."""
        last = min(last, max(first, self.last_open))
        rest = 0 if self.hours.service_counts else self.hours.least_rest
        rest = max(rest, self.needed - self.first.rested)
        least = self.work - self.done
        least += max(rest, sum(one.duration for one, _ in self.breaks))
        best, end = INF, first
        for start in range(int(first), int(last) + 1):
            # A later start does not end earlier.
            if least < best and (best == INF or end - start < best):
                end = self.end(start)
                best = min(best, end - start)
            if end == INF:
                break
        return best

    def _next(
        self, time: float, state: State
    ) -> Iterator[tuple[float, State]]:
        hours, stop = self.hours, state.stop
        if state not in self.rested:
            self.rested[state] = self._rested(state)
        after = self.rested[state]
        if state.left > 0:
            if (
                after.driven < hours.driving_block
                and after.worked < hours.work_block
            ):
                yield (
                    time + 1,
                    after._replace(
                        left=state.left - 1,
                        driven=after.driven + 1,
                        worked=after.worked + 1,
                    ),
                )
        elif any(a <= time <= b for a, b in self.windows[stop]):
            service = self.service[stop]
            kept = state if hours.service_counts else after
            follows = stop + 1 < self.size
            then = kept._replace(
                stop=stop + 1,
                left=self.travel[stop + 1] if follows else 0,
                worked=kept.worked + service,
                idle=kept.idle + service if hours.service_counts else 0,
            )
            if then.worked <= hours.work_block:
                yield time + service, then
        # By the last opening, who has rested waits for nothing any more.
        if time < self.last_open or state.idle < self.most:
            idle = min(state.idle + 1, self.most)
            yield time + 1, state._replace(idle=idle)
        for number, (each, places) in enumerate(self.breaks):
            if state.taken >> number & 1 or stop not in places:
                continue
            if any(a <= time <= b for a, b in each.windows):
                yield (
                    time + each.duration,
                    state._replace(
                        idle=state.idle + each.duration,
                        taken=state.taken | 1 << number,
                    ),
                )

    def _rested(self, state: State) -> State:
        """Return the state after the present rest."""
        hours, length = self.hours, state.idle
        done = self.before[state.stop] + self.travel[state.stop] - state.left
        state = state._replace(idle=0)
        if not hours.service_counts and not 0 < done < self.work:
            return state
        if length >= hours.rest or (
            state.has_first and length >= hours.second_part
        ):
            state = state._replace(driven=0, has_first=False)
        elif 0 < hours.first_part <= length:
            state = state._replace(has_first=True)
        if length >= hours.least_rest and not hours.service_counts:
            counted = max(each for each in self.lengths if each <= length)
            rested = min(self.needed, state.rested + counted)
            state = state._replace(worked=0, rested=rested)
        return state
