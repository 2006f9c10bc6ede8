"""What a plan costs and breaks, by code that shares nothing with the package.

Only the fields of an ``Instance`` are read.
"""

from __future__ import annotations

import math
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from tests.oracles.hours import Day
from tests.oracles.places import share_place
from tests.oracles.preferred import NOTHING, Stop, by_minutes
from tests.oracles.prices import price_of_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

INF: Final = math.inf
RADIUS: Final = 6_371_008.8
ROUNDING: Final = 1e-9
"""Share of a limit by which sums of fractions may exceed it."""

CUTS: Final[dict[str, Callable[[float], float]]] = {
    "none": float,
    "ceil": math.ceil,
}
"""How lengths become whole numbers; the others are cut."""


class Checker:
    """The costs and rules of an instance, looked up in plain lists."""

    def __init__(self, instance: nr.Instance) -> None:
        self.instance = instance
        self.known_costs: dict[tuple[tuple[int, ...], int], float] = {}
        size = len(instance.demands)
        self.depots = instance.depots
        self.types = instance.vehicle_types
        windows = instance.windows or nr.TimeWindows.of(size)
        self.early = [*windows.tw_early.tolist(), 0]
        self.late = [*windows.tw_late.tolist(), INF]
        self.service = [*windows.service_durations.tolist(), 0]
        self.setup: Sequence[int] = windows.setup_durations.tolist()
        self.release = [*windows.release_times.tolist(), 0]
        self.several: list[list[tuple[float, float]]] = [
            [] for _ in range(size + 1)
        ]
        if windows.windows is not None:
            for node, pairs in enumerate(windows.windows.tolist()):
                self.several[node] = [*dict.fromkeys(map(tuple, pairs))]
        self.wanted: dict[int, tuple[float, float, float, float]] = {}
        if windows.preferred is not None:
            assert windows.early_costs is not None
            assert windows.late_costs is not None
            costs = zip(windows.early_costs, windows.late_costs, strict=True)
            for node, own in enumerate(costs):
                self.wanted[node] = (*windows.preferred[node].tolist(), *own)
        self.delivery = instance.demands[:, None].tolist()
        self.change = [[-load for load in row] for row in self.delivery]
        if instance.loads is not None:
            self.delivery = instance.loads.delivery.tolist()
            changes = instance.loads.pickup - instance.loads.delivery
            self.change = changes.tolist()
        self.pickup = (0 * instance.demands[:, None]).tolist()
        if instance.loads is not None:
            self.pickup = instance.loads.pickup.tolist()
        self.movers = {one.pickup for one in instance.shipments}
        self.ends = {one.delivery for one in instance.shipments}
        for one in instance.shipments:
            for node, sign in ((one.pickup, 1), (one.delivery, -1)):
                self.change[node] = [
                    own + sign * more
                    for own, more in zip(
                        self.change[node], one.amount, strict=True
                    )
                ]
        self.arcs = [self._arcs(instance.matrix, instance.durations)]
        if instance.durations is None and instance.speed is not None:
            [(far, _)] = self.arcs
            took = np.rint(np.divide(far, instance.speed))
            self.arcs = [(far, took.tolist())]
        self.arcs += [
            self._arcs(each.matrix, each.durations)
            for each in instance.profiles
        ]

    def _arcs(
        self, distances: np.ndarray | None, durations: np.ndarray | None
    ) -> tuple[list[list[float]], list[list[float]]]:
        far = _lengths(self.instance) if distances is None else distances
        long = far if durations is None else durations
        # Open routes begin and end at one more place, nowhere.
        both = [[[*row, 0.0] for row in np.asarray(m)] for m in (far, long)]
        nowhere = [0.0] * (1 + len(self.instance.demands))
        return [*both[0], nowhere], [*both[1], nowhere]

    def arcs_of(self, idx: int) -> tuple[list[list[float]], list[list[float]]]:
        """Return the distances and durations of a vehicle type."""
        distances, durations = self.arcs[self.types[idx].profile]
        speed = self.types[idx].speed_factor
        if speed == 1:
            return distances, durations
        return distances, [[each / speed for each in row] for row in durations]

    def service_of(self, idx: int) -> Sequence[float]:
        """Return the service durations of a vehicle type, nowhere too."""
        own = self.types[idx].service_durations
        return [*own, 0] if own else self.service

    def setups_of(self, path: Sequence[int], idx: int) -> Sequence[float]:
        """Return the set-up of each stop: none where the vehicle is there."""
        own = self.types[idx].setup_durations or self.setup
        if not any(own):
            return [0] * len(path)
        size = len(own)
        return [0] + [
            own[b]
            if b < size and (a >= size or not share_place(self.instance, a, b))
            else 0
            for a, b in pairwise(path)
        ]

    def depot_of(self, number: int | None) -> int:
        """Return the node of a depot, or the one nowhere."""
        size = len(self.instance.demands)
        return size if number is None else self.depots[number]

    def route_cost(
        self, route: Sequence[int], idx: int, below: float = INF
    ) -> float:
        """Return the cost of a route, inf where it breaks a rule alone.

        Times, which make a route dearer, are only looked at where it costs
        less than a bound without waiting, and hours of service where it does
        without them.
        """
        kind = self.types[idx]
        if not self._carries(route, idx) or self.broken_by(route, idx):
            return INF
        distances, _ = self.arcs[kind.profile]
        arcs = pairwise(self._path(route, idx))
        distance = sum(distances[a][b] for a, b in arcs)
        if exceeds(distance, kind.max_distance):
            return INF
        if self._breaks_limits(route, idx):
            return INF
        day = self._day(route, idx)
        _, _, _, travel, service, _ = day
        least = self._cost(route, idx, distance, sum(travel) + sum(service))
        if least >= below:
            return least
        duration = self._shortest(day)
        if self.wanted and duration < INF:
            return self._preferred_cost(route, idx, distance)
        cost = self._cost(route, idx, distance, duration)
        if kind.hours is None or cost >= below:
            return cost
        duration = self._by_hours(route, idx, day, duration)
        return self._cost(route, idx, distance, duration)

    def _cost(
        self, route: Sequence[int], idx: int, distance: float, duration: float
    ) -> float:
        kind = self.types[idx]
        if duration == INF or exceeds(
            duration, kind.shift_duration + kind.max_overtime
        ):
            return INF
        cost = kind.fixed_cost + kind.unit_distance_cost * distance
        unpaid = sum(one.duration for one in kind.breaks if not one.paid)
        cost += kind.unit_duration_cost * (duration - unpaid)
        cost += kind.unit_driving_cost * self.driving(route, idx)
        cost += self._price_of_steps(route, idx, distance)
        cost += price_of_steps(kind, duration=duration)
        overtime = max(0, duration - kind.shift_duration)
        return cost + kind.unit_overtime_cost * overtime

    def _price_of_steps(
        self, route: Sequence[int], idx: int, distance: float
    ) -> float:
        """Return what steps add for all amounts but the duration."""
        return price_of_steps(
            self.types[idx],
            distance=distance,
            driving_time=self.driving(route, idx),
            stops=sum(node not in self.depots for node in route),
            load=self.load_of([n for n in route if n not in self.depots]),
        )

    def _preferred_cost(
        self, route: Sequence[int], idx: int, distance: float
    ) -> float:
        """Return the cost of a route in time with preferred windows."""
        kind = self.types[idx]
        cost = kind.fixed_cost + kind.unit_distance_cost * distance
        cost += kind.unit_driving_cost * self.driving(route, idx)
        cost += self._price_of_steps(route, idx, distance)
        unpaid = sum(one.duration for one in kind.breaks if not one.paid)
        cost -= kind.unit_duration_cost * unpaid
        cost += self.price_so_far(route, idx)
        return cost + by_minutes(*self.timed_stops(route, idx))

    def price_so_far(self, route: Sequence[int], idx: int) -> float:
        """Return what stops of known times cost outside preferred windows."""
        one = self._in_progress(route, idx)
        if one is None:
            return 0.0
        now, _, _, travel, _, _ = self._day(route, idx)
        path, own = self._path(route, idx), self.service_of(idx)
        setups, cost = self.setups_of(path, idx), 0.0
        last = len(one.departures) - 1
        rested = sum(
            lasts for _, at, _, lasts in one.breaks_taken if at == last
        )
        for stop, node in enumerate(path[: last + 1]):
            left = now + travel[stop] - (rested if stop == last else 0)
            begin = max(now, left - own[node] - setups[stop])
            opens, closes, early, late = self.wanted.get(node, NOTHING)
            cost += early * max(0, opens - begin)
            cost += late * max(0, begin - closes)
            now = left
        return cost

    def timed_stops(
        self, route: Sequence[int], idx: int
    ) -> tuple[list[Stop], nr.VehicleType, list[tuple[nr.Break, set[int]]]]:
        """Return the start of a route and its stops, the type and breaks."""
        start, latest, windows, travel, service, breaks = self._day(route, idx)
        path = self._path(route, idx)
        leads = [b + a for b, a in zip([0, *service], travel, strict=False)]
        wanted = [self.wanted.get(node, NOTHING) for node in path]
        one = self._in_progress(route, idx)
        num_done = len(one.departures) if one else 0
        wanted[:num_done] = [NOTHING] * num_done
        stops = [Stop([(start, latest)], 0)] + [
            Stop(*each)
            for each in zip(windows, leads, travel, wanted, strict=True)
        ]
        owed = [(one, {p + 1 for p in places}) for one, places in breaks]
        return stops, self.types[idx], owed

    def driving(self, route: Sequence[int], idx: int) -> float:
        """Return the driving time of a route."""
        _, durations = self.arcs_of(idx)
        arcs = pairwise(self._path(route, idx))
        return float(sum(durations[a][b] for a, b in arcs))

    def _breaks_limits(self, route: Sequence[int], idx: int) -> bool:
        """Whether a route drives too long, or has too many or few stops."""
        kind = self.types[idx]
        stops = [node for node in route if node not in self.depots]
        if exceeds(self.driving(route, idx), kind.max_driving_time):
            return True
        if self._in_progress(route, idx) is not None:
            return len(stops) > kind.max_stops
        return not (
            kind.min_stops <= len(stops) <= kind.max_stops
            and self.load_of(stops) >= kind.min_load
        )

    def load_of(self, stops: Sequence[int]) -> int:
        """Return what customers have of the first dimension."""
        return sum(
            abs(self.change[node][0])
            if node in self.movers
            else self.delivery[node][0] + self.pickup[node][0]
            for node in stops
            if node not in self.ends
        )

    def _carries(self, route: Sequence[int], idx: int) -> bool:
        """Whether loads fit, reloads are allowed, and shipments whole."""
        kind = self.types[idx]
        trips: list[list[int]] = [[]]
        for node in route:
            if node not in self.depots:
                trips[-1].append(node)
            elif self.depots.index(node) in kind.reload_depots:
                trips.append([])
            else:
                return False
        is_unloaded = kind.starts_empty and self._has_goods(
            trips[0], route, idx
        )
        if len(trips) - 1 > kind.max_reloads or is_unloaded:
            return False
        begun = self._in_progress(route, idx)
        for number, trip in enumerate(trips):
            for one in self.instance.shipments:
                ends = [c for c in trip if c in (one.pickup, one.delivery)]
                if ends not in ([], [one.pickup, one.delivery]):
                    return False
            for dim, most in enumerate(kind.capacities):
                load = self._loaded(trip, number, begun, dim)
                if number == 0 and kind.initial_load:
                    load += kind.initial_load[dim]
                for change in [0, *(self.change[c][dim] for c in trip)]:
                    load += change
                    if load > most:
                        return False
        return True

    def _has_goods(
        self, trip: Sequence[int], route: Sequence[int], idx: int
    ) -> bool:
        """Whether anybody on a trip gets goods who was not served before."""
        begun = self._in_progress(route, idx)
        left = {*trip} - {*(begun.customers if begun else ())}
        return any(any(self.delivery[node]) for node in left)

    def _loaded(
        self,
        trip: Sequence[int],
        number: int,
        begun: nr.InProgressRoute | None,
        dim: int,
    ) -> int:
        """Return what is loaded for a trip: also for others, as it was."""
        goods, more = {*trip}, 0
        if begun and number == len(begun.reloads):
            goods.update(begun.on_board)
        if begun and number < len(begun.undelivered):
            more = begun.undelivered[number][dim]
        return int(more + sum(self.delivery[node][dim] for node in goods))

    def _path(self, route: Sequence[int], idx: int) -> list[int]:
        kind = self.types[idx]
        start, end = map(self.depot_of, (kind.start_depot, kind.end_depot))
        return [start, *route, end]

    def _day(self, route: Sequence[int], idx: int) -> Any:
        """Return start, latest start, windows, travel, service and breaks."""
        path, kind = self._path(route, idx), self.types[idx]
        _, durations = self.arcs_of(idx)
        travel = [0, *(durations[a][b] for a, b in pairwise(path))]
        last = len(path) - 1
        early = [self.early[node] for node in path]
        late = [self.late[node] for node in path]
        served = self.service_of(idx)
        service = [
            served[node] + setup
            for node, setup in zip(
                path, self.setups_of(path, idx), strict=True
            )
        ]
        early[last] = max(early[last], kind.tw_early)
        late[last] = min(late[last], kind.tw_late)
        service[last] = 0
        start, latest = float(kind.tw_early), float(kind.start_late)
        one = self._in_progress(path[1:-1], idx)
        done = one.departures if one else ()
        if one and done:
            start = latest = self._drive_so_far(
                one, early, late, travel, service
            )
        goods = 0
        for place, node in enumerate(path):
            if node in self.depots:
                goods = place
            elif done and place < len(done):
                continue
            elif goods == 0:
                start = max(start, self.release[node])
            else:
                early[goods] = max(early[goods], self.release[node])
        windows = [[pair] for pair in zip(early, late, strict=True)]
        for place, node in enumerate(path[len(done) : last], len(done)):
            if self.several[node] and node not in self.depots:
                windows[place] = self.several[node]
        breaks = self._owed_breaks(path, idx, max(1, len(done)))
        return start, latest, windows, travel, service, breaks

    def duration(self, route: Sequence[int], idx: int) -> float:
        """Return the shortest duration, inf where a window is missed.

        A later start is never better for the windows, nor for the end.
        """
        day = self._day(route, idx)
        duration = self._shortest(day)
        if self.types[idx].hours is None:
            return duration
        return self._by_hours(route, idx, day, duration)

    def _by_hours(
        self, route: Sequence[int], idx: int, day: Any, duration: float
    ) -> float:
        """Return the shortest duration by hours of service.

        It is the given one where the driver needs no rest.
        """
        start, latest, windows, travel, service, breaks = day
        hours = self.types[idx].hours
        if hours is None or duration == INF:
            return duration
        one = self._in_progress(route, idx)
        first = len(one.departures) if one else 0
        gone = sum(travel[:first])
        ahead = [(one, {p - first for p in own}) for one, own in breaks]
        rest = Day(
            *(hours, windows[first:], travel[first:]),
            *(service[first:], ahead),
            one.hours_so_far if one and first else None,
        )
        if not rest.needs_rest:
            return duration
        return float(gone + rest.shortest(start + gone, latest + gone))

    def _shortest(self, day: Any) -> float:
        """Return the shortest duration without hours of service."""
        start, latest, windows, travel, service, breaks = day
        if INF in travel or exceeds(start, latest):
            return INF
        if max(map(len, windows)) > 1 or breaks:
            return _shortest(start, latest, windows, travel, service, breaks)
        now, back = start, INF
        for [(early, late)], far, work in zip(
            windows, travel, service, strict=True
        ):
            now = max(now + far, early)
            if exceeds(now, late):
                return INF
            now += work
        for [(_, late)], far, work in reversed(
            [*zip(windows, travel, service, strict=True)]
        ):
            back = min(late, back - work) - far
        shortest = sum(travel) + sum(service)
        return float(max(shortest, now - max(start, min(latest, back))))

    def _owed_breaks(
        self, path: Sequence[int], idx: int, first: int
    ) -> list[tuple[Any, set[int]]]:
        """Return the breaks still owed, and the arcs where they may be."""
        kind = self.types[idx]
        one = self._in_progress(path[1:-1], idx)
        taken = [number for number, *_ in one.breaks_taken] if one else []
        owed = []
        for number, each in enumerate(kind.breaks):
            if number in taken:
                continue
            places = set()
            for place in range(first, len(path)):
                trip = place - 1
                while trip > 0 and path[trip] not in self.depots:
                    trip -= 1
                end = trip + 1
                while end < len(path) - 1 and path[end] not in self.depots:
                    end += 1
                calls = sum(node in self.depots for node in path[1:place])
                goods = path[trip + 1 : end]
                for dim, most in enumerate(each.max_load or ()):
                    load = self._loaded(goods, calls, one, dim)
                    load += sum(
                        self.change[c][dim] for c in path[trip + 1 : place]
                    )
                    if trip == 0 and kind.initial_load:
                        load += kind.initial_load[dim]
                    if load > most:
                        break
                else:
                    places.add(place)
            owed.append((each, places))
        return owed

    def _in_progress(
        self, route: Sequence[int], idx: int
    ) -> nr.InProgressRoute | None:
        rules = self.instance.constraints
        for one in rules.in_progress if rules else ():
            if self._goes_on(one, route, idx):
                return one
        return None

    def _goes_on(
        self, one: nr.InProgressRoute, route: Sequence[int], idx: int
    ) -> bool:
        """Whether a route is the rest of one in progress."""
        head = [*one.customers]
        for place, depot in reversed(one.reloads):
            head.insert(place, self.depots[depot])
        bound = {*one.customers, *one.on_board}
        return (
            idx == one.vehicle_type
            and [*route[: len(head)]] == head
            and not bound.isdisjoint(route)
        )

    def _drive_so_far(
        self,
        one: nr.InProgressRoute,
        early: list[float],
        late: list[float],
        travel: list[float],
        service: list[float],
    ) -> float:
        """Fix the first stops by their departures, and return the start."""
        known = one.departures
        place, left = next(
            (n, time) for n, time in enumerate(known) if time is not None
        )
        spent = [travel[n] + service[n] for n in range(place + 1)]
        now = start = max(0.0, left - sum(spent))
        for stop, stated in enumerate(known):
            then = now + travel[stop]
            for _, after, begin, lasts in one.breaks_taken:
                if after == stop - 1:
                    then = max(then, begin or 0) + lasts
            if stop > place:
                then = max(then, early[stop])
            then += service[stop]
            later = [time for time in known[stop:] if time is not None]
            leave = min([then, *later[:1]]) if stated is None else stated
            # All of it counts as travel, so that nobody is late or waits.
            early[stop], late[stop], service[stop] = 0, INF, 0
            travel[stop], now = leave - now, leave
        for _, after, _, lasts in one.breaks_taken:
            if after == stop:
                travel[stop] += lasts
        return start

    def broken_by(self, route: Sequence[int], idx: int) -> set[str]:
        """Return the kinds of the rules that a route breaks by itself."""
        rules = self.instance.constraints
        found: set[str] = set()
        if rules is None:
            return found
        stops = [node for node in route if node not in self.depots]
        for stop in stops:
            has = set(self.types[idx].skills)
            if rules.skills and not has.issuperset(rules.skills[stop]):
                found.add("skill")
            if rules.vehicles and idx not in (rules.vehicles[stop] or (idx,)):
                found.add("pin")
        for group in rules.different_routes:
            if any(set(pair) <= set(stops) for pair in combinations(group, 2)):
                found.add("apart")
        if rules.max_districts is not None:
            names = {rules.districts[stop] for stop in stops} - {-1}
            if len(names) > rules.max_districts:
                found.add("district")
        if not self._is_in_order(route, idx):
            found.add("order")
        for one in rules.in_progress:
            bound = {*one.customers, *one.on_board}
            if not bound.isdisjoint(stops) and not self._goes_on(
                one, route, idx
            ):
                found.add("in_progress")
        return found

    def _is_in_order(self, route: Sequence[int], idx: int) -> bool:
        """Whether customers who are still to be served keep all orders."""
        rules = self.instance.constraints
        assert rules is not None
        one = self._in_progress(route, idx)
        num_done = len(one.stops(self.depots)) if one else 0
        is_new = [place >= num_done for place in range(len(route))]
        stops = [(n, new) for n, new in zip(route, is_new, strict=True)]
        stops = [(n, new) for n, new in stops if n not in self.depots]
        for number, (node, new) in enumerate(stops):
            earlier = [other for other, _ in stops[:number]]
            if not new:
                continue
            for group in (*rules.precedences, *rules.sequences):
                if node in group:
                    after = group[group.index(node) + 1 :]
                    if set(after) & set(earlier):
                        return False
            for group in rules.sequences:
                if node in group and set(group) & set(earlier):
                    before = route[list(route).index(node) - 1]
                    if before not in group:
                        return False
            if rules.positions:
                lasts = [n for n in earlier if rules.positions[n] == "last"]
                if lasts or (rules.positions[node] == "first" and earlier):
                    return False
        return True

    def broken_rules(self, plan: nr.Solution) -> set[str]:
        """Return the kinds of the route constraints that a plan breaks."""
        rules = self.instance.constraints
        if rules is None:
            return set()
        driven = list(zip(plan.routes, plan.vehicle_types, strict=True))
        found = {
            kind
            for route, idx in driven
            for kind in self.broken_by(route, idx)
        } - {"in_progress"}
        for group in rules.same_route:
            if sum(not set(group).isdisjoint(r) for r, _ in driven) > 1:
                found.add("together")
        served = {stop for route, _ in driven for stop in route}
        begun = [
            one
            for one in rules.in_progress
            if one.customers or not served.isdisjoint(one.on_board)
        ]
        if not any(
            all(
                self._goes_on(one, *own)
                and served.intersection(one.on_board) <= {*own[0]}
                for one, own in zip(begun, chosen, strict=True)
            )
            for chosen in permutations(driven, len(begun))
        ):
            found.add("in_progress")
        return found

    def lost_prizes(self, served: set[int]) -> float:
        """Return what is lost, inf where somebody must not be left out."""
        choice = self.instance.selection
        everyone = range(1, self.instance.num_customers + 1)
        if choice is None:
            return 0.0 if served.issuperset(everyone) else INF
        for group in choice.groups:
            count = len(served.intersection(group.customers))
            if count > 1 or (group.required and count == 0):
                return INF
        left_out = [node for node in everyone if node not in served]
        if any(choice.required[node] for node in left_out):
            return INF
        return float(sum(choice.prizes[node] for node in left_out))

    def plan_cost(self, plan: nr.Solution) -> float:
        """Return the cost of a plan, inf where it breaks a rule."""
        stops = [c for r in plan.routes for c in r if c not in self.depots]
        if len(stops) > len(set(stops)) or self.broken_rules(plan):
            return INF
        for idx, kind in enumerate(self.types):
            used = plan.vehicle_types.count(idx)
            if kind.num_available is not None and used > kind.num_available:
                return INF
        driven = zip(plan.routes, plan.vehicle_types, strict=True)
        costs = 0.0
        for each in driven:
            if each not in self.known_costs:
                self.known_costs[each] = self.route_cost(*each)
            costs += self.known_costs[each]
        return costs + self.lost_prizes(set(stops))


def _shortest(
    first: float,
    last: float,
    windows: Sequence[Sequence[tuple[float, float]]],
    travel: Sequence[float],
    service: Sequence[float],
    breaks: Sequence[tuple[Any, set[int]]] = (),
) -> float:
    """Return the shortest duration of whole times: each start is driven."""
    both = [*windows, *(each.windows for each, _ in breaks)]
    opens = max(early for own in both for early, _ in own)
    starts = np.arange(first, min(last, max(first, opens)) + 1.0)
    never = np.full(len(starts), INF)

    def begin(free: np.ndarray, own: Sequence[tuple[float, float]]) -> Any:
        found = never
        for early, late in own:
            then = np.maximum(free, early)
            found = np.where(then <= late, np.minimum(found, then), found)
        return found

    everything = range(len(breaks))
    now: dict[tuple[int, ...], Any] = {(): starts}  # by the breaks taken
    for place, (own, leg, work) in enumerate(
        zip(windows, travel, service, strict=True)
    ):
        here = {n for n in everything if place in breaks[n][1]}
        then: dict[tuple[int, ...], Any] = {}
        for taken, leave in now.items():
            for more in range(len(breaks) + 1 - len(taken)):
                for order in permutations(here.difference(taken), more):
                    free, rested = leave, 0.0
                    for number in order:
                        each, _ = breaks[number]
                        free = begin(free, each.windows) + each.duration
                        rested += each.duration
                    there = np.maximum(leave + leg + rested, free)
                    if more == 0:
                        there = leave + leg
                    key = tuple(sorted((*taken, *order)))
                    end = begin(there, own) + work
                    if end.min() < INF:
                        then[key] = np.minimum(then.get(key, never), end)
        now = then
    return float((now.get(tuple(everything), never) - starts).min())


def exceeds(value: float, limit: float) -> bool:
    """Whether a limit is broken, by more than the rounding of fractions."""
    if value % 1 == 0 and limit % 1 == 0:
        return value > limit
    return value > limit * (1.0 + ROUNDING)


def _lengths(instance: nr.Instance) -> np.ndarray:
    """Return rounded lengths between places."""
    assert instance.coords is not None
    step = {"exact": 1000.0, "dimacs": 10.0}.get(instance.rounding, 1.0)
    step *= instance.detour or 1.0
    cut = CUTS.get(instance.rounding, math.floor)
    offset = 0.5 * (instance.rounding in ("nearest", "exact"))
    measure = _on_the_sphere if instance.is_geographic else math.dist
    places = instance.coords.tolist()
    return np.array(
        [
            [float(cut(offset + step * measure(a, b))) for b in places]
            for a in places
        ]
    )


def _on_the_sphere(a: list[float], b: list[float]) -> float:
    """Return metres, by the cross and dot product of two unit vectors."""
    (lon, lat), (other, up) = (map(math.radians, place) for place in (a, b))
    east = math.cos(up) * math.sin(other - lon)
    north = math.cos(lat) * math.sin(up)
    north -= math.sin(lat) * math.cos(up) * math.cos(other - lon)
    along = math.sin(lat) * math.sin(up)
    along += math.cos(lat) * math.cos(up) * math.cos(other - lon)
    return RADIUS * math.atan2(math.hypot(east, north), along)
