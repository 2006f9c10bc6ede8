"""Random small problems with everything, and their best plans.

A problem is plain lists, from which an ``Instance`` is made. The costs of
routes follow from the lists, by code that shares nothing with the package.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from itertools import pairwise, permutations, product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Matrix = list[list[float]]

INF: Final = math.inf

MARKS: Final[tuple[Any, ...]] = (
    *(2**31 - 1, 2**32 - 1, 2**63 - 1, float(2**31), float(2**63)),
    *(INF, math.nan, None),
)
"""What a user may write where there is no way."""

RADIUS: Final = 6_371_008.8
FAR: Final = 10**6
"""A time or an amount that limits nothing."""


@dataclass(frozen=True)
class Van:
    """Vehicles of one type, in the words of ``VehicleType``."""

    num_available: int
    capacity: int
    profile: int = 0
    start_depot: int = 0
    end_depot: int = 0
    fixed_cost: int = 0
    unit_distance_cost: int = 1
    unit_duration_cost: int = 0
    tw_early: int = 0
    tw_late: int = FAR
    start_late: int = FAR
    shift_duration: int = FAR
    max_overtime: int = 0
    unit_overtime_cost: int = 0
    max_distance: int = FAR
    initial_load: tuple[int, ...] = ()
    reload_depots: tuple[int, ...] = ()
    max_reloads: int = FAR
    skills: tuple[str, ...] = ()


@dataclass(frozen=True)
class RichProblem:
    """Customers 1..n between the first depot 0 and the others."""

    num_customers: int
    depots: tuple[int, ...]
    vans: tuple[Van, ...]
    distances: tuple[Matrix, ...]
    durations: tuple[Matrix, ...]
    delivery: list[int]
    pickup: list[int]
    service: list[int]
    early: list[int]
    late: list[int]
    release: list[int]
    prizes: list[int]
    required: list[bool]
    groups: tuple[tuple[int, ...], ...]
    needs: list[tuple[str, ...]]
    places: list[list[float]] | None = None
    is_geographic: bool = False
    mark: Any = field(default=INF)

    def instance(self) -> nr.Instance:
        """Return it as the package takes it, with marks for no way."""

        def marked(matrix: Matrix) -> Any:
            rows = [
                [self.mark if way == INF else way for way in row]
                for row in matrix
            ]
            return np.array(rows)

        nodes = range(len(self.delivery))
        has_times = self.durations is not self.distances
        lengths: dict[str, Any] = {"coords": self.places}
        if self.places is None:
            lengths["matrix"] = marked(self.distances[0])
        if has_times:
            lengths["durations"] = marked(self.durations[0])
        return nr.Instance(
            name="rich",
            demands=np.array(self.delivery),
            is_geographic=self.is_geographic,
            num_depots=len(self.depots),
            fleet=nr.Fleet(
                tuple(nr.VehicleType(**vars(van)) for van in self.vans)
            ),
            windows=nr.TimeWindows.of(
                len(nodes), self.early, self.late, self.service, self.release
            ),
            profiles=tuple(
                nr.Profile(marked(far), marked(long) if has_times else None)
                for far, long in zip(
                    self.distances[1:], self.durations[1:], strict=True
                )
            ),
            loads=nr.Loads(
                np.array(self.delivery)[:, None],
                np.array(self.pickup)[:, None],
            ),
            selection=nr.Selection(
                np.array(self.prizes),
                np.array(self.required),
                tuple(nr.Group(group) for group in self.groups),
            ),
            constraints=nr.RouteConstraints(skills=tuple(self.needs)),
            **lengths,
        )

    def route_cost(self, route: Sequence[int], van: Van) -> float:
        """Return the cost of a route in order, inf where it breaks a rule."""
        stops = [node for node in route if node not in self.depots]
        if any(not set(self.needs[c]) <= set(van.skills) for c in stops):
            return INF
        path = [
            self.depots[van.start_depot],
            *route,
            self.depots[van.end_depot],
        ]
        if not self._carries(route, van):
            return INF
        arcs = list(pairwise(path))
        far = sum(self.distances[van.profile][a][b] for a, b in arcs)
        duration = self._duration(path, van)
        overtime = max(0, duration - van.shift_duration)
        if far > van.max_distance or overtime > van.max_overtime:
            return INF
        cost = van.fixed_cost + van.unit_duration_cost * duration
        cost += van.unit_overtime_cost * overtime
        return cost + (van.unit_distance_cost * far)

    def _carries(self, route: Sequence[int], van: Van) -> bool:
        """Whether the loads of each trip fit, and its reloads are allowed."""
        trips: list[list[int]] = [[]]
        for node in route:
            if node in self.depots:
                if self.depots.index(node) not in van.reload_depots:
                    return False
                trips.append([])
            else:
                trips[-1].append(node)
        if len(trips) - 1 > van.max_reloads:
            return False
        for number, trip in enumerate(trips):
            load = sum(self.delivery[c] for c in trip)
            load += sum(van.initial_load) if number == 0 else 0
            for customer in (None, *trip):
                if customer is not None:
                    load += self.pickup[customer] - self.delivery[customer]
                if load > van.capacity:
                    return False
        return True

    def _duration(self, path: Sequence[int], van: Van) -> float:
        """Return the shortest duration, inf where a window is missed.

        A later start is never better for the windows, nor for the end.
        """
        low = max(van.tw_early, self._released(path, 0))
        high = min(van.start_late, self.late[path[0]])
        if low > high or self._end(path, van, low) == INF:
            return INF
        while low < high:
            middle = (low + high + 1) // 2
            if self._end(path, van, middle) < INF:
                low = middle
            else:
                high = middle - 1
        return self._end(path, van, low) - low

    def _released(self, path: Sequence[int], depot: int) -> int:
        """Return when all goods of the trip from a stop on are there."""
        latest = 0
        for node in path[depot + 1 :]:
            if node in self.depots:
                break
            latest = max(latest, self.release[node])
        return latest

    def _end(self, path: Sequence[int], van: Van, start: int) -> float:
        """Return when a route ends that starts then, inf where it is late."""
        now: float = start
        for stop, node in enumerate(path):
            early, late = self.early[node], self.late[node]
            if stop > 0:
                now += self.durations[van.profile][path[stop - 1]][node]
            if node in self.depots and 0 < stop < len(path) - 1:
                early = max(early, self._released(path, stop))
            if stop == len(path) - 1:
                early, late = (
                    max(early, van.tw_early),
                    min(late, van.tw_late),
                )
            now = max(now, early)
            if now > late:
                return INF
            if stop < len(path) - 1:
                now += self.service[node]
        return now

    def routes(
        self, customers: Sequence[int], van: Van
    ) -> Iterator[list[int]]:
        """Yield all orders, with or without a reload at each place."""
        calls: list[tuple[int, ...]] = [()]
        calls += [(self.depots[depot],) for depot in van.reload_depots]
        for order in permutations(customers):
            for *before, last in product(calls, repeat=len(order) + 1):
                # One before the first or behind the last customer is a way
                # round as well.
                route = [
                    node
                    for call, customer in zip(before, order, strict=True)
                    for node in (*call, customer)
                ]
                yield [*route, *last]

    def lost(self, served: set[int]) -> float:
        """Return the prizes lost, inf where somebody must not be left out."""
        cost = 0
        grouped = {c for group in self.groups for c in group}
        for customer in range(1, self.num_customers + 1):
            if customer not in served:
                if self.required[customer] and customer not in grouped:
                    return INF
                cost += self.prizes[customer]
        for group in self.groups:
            if len(served.intersection(group)) != 1:
                return INF
        return cost

    def cheapest(self) -> float:
        """Return the least cost of a plan, inf where there is none."""
        count = self.num_customers
        plans = [INF] * (1 << count)
        plans[0] = 0.0
        for van in self.vans:
            costs = [0.0] + [
                min(
                    self.route_cost(route, van)
                    for route in self.routes(_members(mask), van)
                )
                for mask in range(1, 1 << count)
            ]
            for _ in range(min(van.num_available, count)):
                more = list(plans)
                for mask, cost in enumerate(costs):
                    for other in range(1 << count) if cost < INF else ():
                        if other & mask == 0:
                            whole = other | mask
                            more[whole] = min(more[whole], plans[other] + cost)
                plans = more
        return min(
            cost + self.lost(set(_members(mask)))
            for mask, cost in enumerate(plans)
        )

    def plan_cost(
        self, routes: Sequence[Sequence[int]], types: Sequence[int]
    ) -> float:
        """Return the cost of a plan, inf where it breaks a rule."""
        visits = [c for route in routes for c in route if c not in self.depots]
        if len(visits) > len(set(visits)):
            return INF
        for idx, van in enumerate(self.vans):
            if list(types).count(idx) > van.num_available:
                return INF
        driven = zip(routes, types, strict=True)
        costs = (self.route_cost(route, self.vans[k]) for route, k in driven)
        return sum(costs) + self.lost(set(visits))


def _members(mask: int) -> list[int]:
    return [bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1]


def rich_problem(seed: int, most: int = 6) -> RichProblem:
    """Return the problem of a number, with up to ``most`` customers."""
    rng = random.Random(seed)
    parts = {name for name in _PARTS if rng.random() < 0.35}

    def some(part: str, low: int, high: int, otherwise: int = 0) -> int:
        is_here = part in parts and rng.random() < 0.7
        return rng.randint(low, high) if is_here else otherwise

    count = rng.randint(1, min(most, 4) if "reloads" in parts else most)
    num_depots = rng.randint(2, 3) if "depots" in parts else 1
    size = count + num_depots
    depots = (0, *range(count + 1, size))
    is_customer = [0 < node <= count for node in range(size)]
    num_profiles = 2 if "profiles" in parts else 1
    places, is_geographic = None, False
    distances: tuple[Matrix, ...]
    if "matrix" not in parts and num_profiles == 1:
        places, is_geographic = _places(rng, size)
        distances = (_lengths(places, is_geographic),)
    else:
        distances = tuple(
            _matrix(rng, size, parts) for _ in range(num_profiles)
        )
    durations = distances
    if "durations" in parts:
        durations = tuple(
            _matrix(rng, size, parts) for _ in range(num_profiles)
        )
    early = [some("windows", 0, 90) for _ in range(size)]
    late = [open_ + some("windows", 30, 200, FAR) for open_ in early]
    amounts = [is_in * rng.randint(0, 9) for is_in in is_customer]
    groups: tuple[tuple[int, ...], ...] = ()
    if "groups" in parts and count > 2:
        groups = (tuple(rng.sample(range(1, count + 1), 2)),)
    required = [some("prizes", 0, 1, 1) == 1 for _ in range(size)]
    for group in groups:
        for customer in group:
            required[customer] = False

    num_types = rng.randint(1, 2 + ("types" in parts))

    def van() -> Van:
        opens = some("shifts", 0, 60)
        ends = opens + some("shifts", 80, 300, FAR)
        reload: tuple[int, ...] = ()
        if "reloads" in parts and rng.random() < 0.8:
            reload = (rng.randrange(num_depots),)
        return Van(
            num_available=some("types", 1, count, count),
            capacity=rng.randint(9, 22),
            profile=rng.randrange(num_profiles),
            start_depot=rng.randrange(num_depots),
            end_depot=rng.randrange(num_depots),
            fixed_cost=some("costs", 0, 50),
            unit_distance_cost=some("costs", 0, 4, 1),
            unit_duration_cost=some("costs", 0, 4),
            tw_early=opens,
            tw_late=ends,
            start_late=min(ends, opens + some("shifts", 0, 90, FAR)),
            shift_duration=some("shifts", 60, 250, FAR),
            max_overtime=some("overtime", 0, 60),
            unit_overtime_cost=some("overtime", 0, 3),
            max_distance=some("shifts", 50, 250, FAR),
            initial_load=(some("loads", 0, 4),) if "loads" in parts else (),
            reload_depots=reload,
            max_reloads=some("reloads", 0, 2, FAR) if reload else FAR,
            skills=_skills(rng, 0.7) if "skills" in parts else (),
        )

    def at_customers(values: list[int]) -> list[int]:
        pairs = zip(values, is_customer, strict=True)
        return [value if is_in else 0 for value, is_in in pairs]

    return RichProblem(
        num_customers=count,
        depots=depots,
        vans=tuple(van() for _ in range(num_types)),
        distances=distances,
        durations=durations,
        delivery=amounts,
        pickup=at_customers([some("loads", 0, 9) for _ in range(size)]),
        service=[some("windows", 0, 20) for _ in range(size)],
        early=early,
        late=late,
        release=at_customers([some("releases", 0, 60) for _ in range(size)]),
        prizes=at_customers(
            [some("prizes", 0, 80) for _ in range(size)],
        ),
        required=[
            is_needed and is_in
            for is_needed, is_in in zip(required, is_customer, strict=True)
        ],
        groups=groups,
        needs=[
            _skills(rng, 0.3) if "skills" in parts and is_in else ()
            for is_in in is_customer
        ],
        places=places,
        is_geographic=is_geographic,
        mark=rng.choice(MARKS),
    )


_PARTS: Final = (
    *("depots", "types", "matrix", "profiles", "durations", "no way"),
    *("windows", "releases", "shifts", "overtime", "costs", "loads"),
    *("reloads", "prizes", "groups", "skills"),
)


def _skills(rng: random.Random, share: float) -> tuple[str, ...]:
    return tuple(word for word in ("cold", "lift") if rng.random() < share)


def _matrix(rng: random.Random, size: int, parts: set[str]) -> Matrix:
    """Return lengths, some of them 0 and some of them no way."""
    share = rng.choice((0.1, 0.3)) if "no way" in parts else 0.0
    spots = [rng.randrange(size) for _ in range(size)]
    base = [[rng.randint(0, 50) for _ in range(size)] for _ in range(size)]
    return [
        [
            0
            if head == tail
            else INF
            if rng.random() < share
            else base[spots[tail]][spots[head]]
            if spots[tail] != spots[head]
            else 0
            for head in range(size)
        ]
        for tail in range(size)
    ]


def _places(rng: random.Random, size: int) -> tuple[list[list[float]], bool]:
    """Return places at few spots, of which half are in one house."""
    is_geographic = rng.random() < 0.5
    step = 2e-4 if is_geographic else 10.0
    jitter = rng.choice((0.0, 1e-6 if is_geographic else 0.1))
    lon = rng.choice((8.68, 179.9999))
    places = []
    for node in range(size):
        spot = rng.choice(((0, 0), (0, 0), (1, 2), (2, 0), (0, 1)))
        if node == 0:
            spot = rng.choice(((0, 0), (4, 3))) if is_geographic else (4, 3)
        x, y = (step * s + jitter * rng.uniform(-1, 1) for s in spot)
        if is_geographic:
            x = (lon + x + 180.0) % 360.0 - 180.0
            y += 50.0
        places.append([x, y])
    return places, is_geographic


def _lengths(places: list[list[float]], is_geographic: bool) -> Matrix:
    """Return whole units or metres between places."""

    def far(a: list[float], b: list[float]) -> float:
        if not is_geographic:
            return math.hypot(a[0] - b[0], a[1] - b[1])
        (lon, lat), (other, up) = (map(math.radians, p) for p in (a, b))
        # The angle between two unit vectors, by their cross product.
        east, north = math.cos(up) * math.sin(other - lon), math.cos(lat)
        north = north * math.sin(up)
        north -= math.sin(lat) * math.cos(up) * math.cos(other - lon)
        along = math.sin(lat) * math.sin(up)
        along += math.cos(lat) * math.cos(up) * math.cos(other - lon)
        return RADIUS * math.atan2(math.hypot(east, north), along)

    return [[math.floor(far(a, b) + 0.5) for b in places] for a in places]
