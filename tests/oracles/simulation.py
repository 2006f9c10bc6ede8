"""The day of a vehicle, minute by minute, with all that its driver may do.

Nothing of the package is imported; only the fields of an ``Instance`` are
read. Matrices must be there, and times be whole.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from tests.oracles.places import share_place
from tests.oracles.prices import price_of_steps

pairs = partial(zip, strict=True)

AT, SERVING, DRIVING = range(3)
"""Before a service, in it, and on the way to the next stop."""


class State(NamedTuple):
    """Where a driver is in the day."""

    place: int
    doing: int
    left: int = 0  # minutes of the service, or of the arc
    rested: frozenset[int] = frozenset()
    rest: int = 0  # minutes left of a break


class Day:
    """A route of a vehicle type, and what there is at each of its stops."""

    def __init__(self, instance: Any, route: Any, idx: int) -> None:
        self.instance, self.route = instance, list(route)
        self.kind = kind = instance.vehicle_types[idx]
        depots = instance.depots
        ends = [
            None if end is None else depots[end]
            for end in (kind.start_depot, kind.end_depot)
        ]
        self.path = [ends[0], *self.route, ends[1]]
        self.last = len(self.path) - 1
        far, long = instance.matrix, instance.durations
        if kind.profile > 0:
            own = instance.profiles[kind.profile - 1]
            far, long = own.matrix, own.durations
        long = far if long is None else long
        arcs = [
            pair if None not in pair else None for pair in pairwise(self.path)
        ]
        self.distance = sum(float(far[arc]) for arc in arcs if arc)
        self.travel = [
            float(long[arc]) / kind.speed_factor if arc else 0.0
            for arc in arcs
        ]
        self.is_whole = all(each.is_integer() for each in self.travel)
        self.loads = self._loads()

    def _loads(self) -> list[list[int]]:
        """Return what is on board behind each stop."""
        kind, dims = self.kind, len(self.kind.capacities)
        on_board = list(kind.initial_load or [0] * dims)
        loads = []
        for place, node in enumerate(self.path[:-1]):
            if place == 0 or self._is_reload(place):
                if place > 0:
                    on_board = [0] * dims
                for other in self._trip(place):
                    gets, _ = self._amounts(other)
                    on_board = [sum(both) for both in pairs(on_board, gets)]
            else:
                gets, gives = self._amounts(node)
                changes = pairs(on_board, gets, gives)
                on_board = [a - b + c for a, b, c in changes]
            loads.append(on_board)
        return loads

    def _is_reload(self, place: int) -> bool:
        is_between = 0 < place < self.last
        return is_between and self.path[place] in self.instance.depots

    def _trip(self, place: int) -> list[int]:
        """Return the customers behind a depot, up to the next one."""
        trip: list[int] = []
        for stop in range(place + 1, self.last):
            if self._is_reload(stop):
                break
            trip.append(self.path[stop])
        return trip

    def _amounts(self, node: Any) -> tuple[list[int], list[int]]:
        loads = self.instance.loads
        if loads is None:
            return [int(self.instance.demands[node])], [0]
        return loads.delivery[node].tolist(), loads.pickup[node].tolist()

    def _release(self, place: int) -> int:
        windows = self.instance.windows
        if windows is None:
            return 0
        times = [int(windows.release_times[c]) for c in self._trip(place)]
        return max(times, default=0)

    def _service(self, place: int) -> int:
        node, windows = self.path[place], self.instance.windows
        if node is None or place == self.last:
            return 0
        fields = ("service_durations", "setup_durations")
        service, setup = (
            getattr(self.kind, name) or getattr(windows, name, {node: 0})
            for name in fields
        )
        before = self.path[place - 1] if place > 0 else node
        is_there = before is not None and share_place(
            self.instance, before, node
        )
        return int(service[node]) + (0 if is_there else int(setup[node]))

    def _windows(self, place: int) -> list[tuple[float, float]]:
        node, windows = self.path[place], self.instance.windows
        own: list[tuple[float, float]] = [(0, math.inf)]
        if node is not None and windows is not None:
            own = [(windows.tw_early[node], windows.tw_late[node])]
            if windows.windows is not None:
                several = map(tuple, windows.windows[node].tolist())
                own = [*several] or own
        early, late = 0.0, math.inf
        if place == self.last:
            early, late = self.kind.tw_early, self.kind.tw_late
        if self._is_reload(place):
            early = self._release(place)
        return [(max(a, early), min(b, late)) for a, b in own]

    def cost(self) -> float:
        """Return the cost of the route, inf where it breaks a limit."""
        kind, stops = (
            self.kind,
            [node for node in self.route if node not in self.instance.depots],
        )
        handled = sum(sum(a[0] for a in self._amounts(c)) for c in stops)
        reloads = [node for node in self.route if node not in stops]
        driven = sum(self.travel)
        allowed = [self.instance.depots[d] for d in kind.reload_depots]
        if (
            self.distance > kind.max_distance
            or driven > kind.max_driving_time
            or not kind.min_stops <= len(stops) <= kind.max_stops
            or handled < kind.min_load
            or len(reloads) > kind.max_reloads
            or not set(reloads) <= set(allowed)
            or any(
                load > most
                for loads in self.loads
                for load, most in pairs(loads, kind.capacities)
            )
        ):
            return math.inf
        duration = self.duration()
        if duration > kind.shift_duration + kind.max_overtime:
            return math.inf
        unpaid = sum(one.duration for one in kind.breaks if not one.paid)
        overtime = max(0, duration - kind.shift_duration)
        return float(
            kind.fixed_cost
            + kind.unit_distance_cost * self.distance
            + kind.unit_duration_cost * (duration - unpaid)
            + kind.unit_driving_cost * driven
            + kind.unit_overtime_cost * overtime
            + price_of_steps(
                kind,
                distance=self.distance,
                duration=duration,
                driving_time=driven,
                stops=len(stops),
                load=handled,
            )
        )

    def duration(self) -> float:
        """Return the least minutes from the start to the end, or inf.

        All that a driver may do is done at once, by the minute; of the drivers
        who are in the same state, the one who started last counts.
        """
        kind = self.kind
        first = max(kind.tw_early, self._release(0))
        opens = [a for p in range(self.last + 1) for a, _ in self._windows(p)]
        opens += [a for one in kind.breaks for a, _ in one.windows]
        late = min(kind.start_late, max(first, *opens))
        work = sum(self.travel) + sum(map(self._service, range(self.last)))
        rest = sum(one.duration for one in kind.breaks)
        least = math.inf
        now: dict[State, int] = {}
        # By then nobody waits for anything any more.
        for time in range(
            int(first), int(max(first, *opens) + work + rest) + 1
        ):
            if time <= late:
                now[State(0, AT)] = time
            todo = list(now)
            for state in todo:  # which grows
                for then in self._at_once(state, time):
                    if now.get(then, -1) < now[state]:
                        now[then] = now[state]
                        todo.append(then)
                if self._is_over(state, time):
                    least = min(least, time - now[state])
            then_states: dict[State, int] = {}
            for state, start in now.items():
                then = self._after_a_minute(state)
                then_states[then] = max(start, then_states.get(then, -1))
                if self._may_stay(state):
                    then_states[state] = max(start, then_states.get(state, -1))
            now = then_states
        return least

    def _is_over(self, state: State, time: int) -> bool:
        return (
            (state.place, state.doing) == (self.last, AT)
            and state.rest == 0
            and len(state.rested) == len(self.kind.breaks)
            and any(a <= time <= b for a, b in self._windows(self.last))
        )

    def _may_stay(self, state: State) -> bool:
        """Whether a driver may wait: before a service, or behind it."""
        place, doing, left, _, rest = state
        if rest > 0:
            return False
        return doing == DRIVING and left == self.travel[place] > 0

    def _at_once(self, state: State, time: int) -> list[State]:
        """Return what may begin at a time."""
        place, doing, left, rested, rest = state
        if rest > 0:
            return []
        then = []
        if doing == AT and place < self.last:
            if any(a <= time <= b for a, b in self._windows(place)):
                service = self._service(place)
                then.append(State(place, SERVING, service, rested))
        elif doing == SERVING and left == 0:
            then.append(State(place, DRIVING, int(self.travel[place]), rested))
        elif doing == DRIVING and left == 0:
            then.append(State(place + 1, AT, 0, rested))
        if doing == SERVING or (place, doing) == (0, AT):
            return then
        load = self.loads[place if doing == DRIVING else place - 1]
        for number, one in enumerate(self.kind.breaks):
            is_light = all(
                a <= b for a, b in pairs(load, one.max_load or load)
            )
            is_open = any(a <= time <= b for a, b in one.windows)
            if number not in rested and is_light and is_open:
                both = rested | {number}
                then.append(State(place, doing, left, both, one.duration))
        return then

    def _after_a_minute(self, state: State) -> State:
        if state.rest > 0:
            return state._replace(rest=state.rest - 1)
        if state.doing == AT:
            return state
        return state._replace(left=max(0, state.left - 1))
