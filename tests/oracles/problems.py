"""Random problems with any combination of features, and random plans."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from ncc_routing.problems.distances import ROUNDINGS
from ncc_routing.problems.price_steps import AMOUNTS
from ncc_routing.problems.source import Source
from ncc_routing.problems.time_form import TimeForm
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

FLEETS: Final = (
    *("depots", "types", "singles", "windows", "services", "releases"),
    *("shifts", "costs", "durations", "profiles", "forbidden"),
)
"""What a problem of a fleet may have."""

PREFERRED: Final = ("preferred", "several")
"""When customers would like to be served."""

DAY: Final = ("several", "breaks")
"""What makes the times of a route more than a sum of its parts."""

HOURS: Final = ("hours",)
"""Rules on driving and rests; their oracle needs short days."""

_EU: Final = nr.HoursOfService(
    max_driving=36,
    max_span=52,
    driving_block=18,
    rest=3,
    first_part=1,
    second_part=2,
    work_block=24,
    rest_in_all=((24, 2), (36, 3)),
)
_US: Final = nr.HoursOfService(
    max_driving=44,
    max_span=56,
    driving_block=32,
    rest=2,
    service_counts=True,
)
"""The rules in quarters of an hour."""

PARTS: Final = (
    *("dimensions", "pickups", "initial", "optional", "groups"),
    *("shipments", "reloads", "overtime", "negative"),
)
"""What PyVRP knows beyond these."""

LIMITS: Final = ("driving_costs", "driving", "stops", "least")
"""Limits of routes that PyVRP does not know."""

ORDERS: Final = ("orders",)
"""Who comes before whom on a route."""

STEPS: Final = ("steps",)
"""Prices beyond some of an amount."""

TRAVEL: Final = ("open", "speeds", "own_services", "setups")
"""How vehicles differ on the same arcs."""

QUICK: Final = ("quick_services", "quick_setups")
"""One type is quicker than another at every customer."""

RULES: Final = (
    *("skills", "pins", "same_route", "different_routes"),
    *("districts", "in_progress"),
)
"""Route constraints."""

PLACES: Final = ("places", "degrees")
"""Coordinates in place of a matrix."""

EVERYTHING: Final = (*(*FLEETS, *PARTS, *RULES, *LIMITS, *TRAVEL, *PLACES),)

SEARCHED: Final = (
    *(*FLEETS, *LIMITS, *RULES, *PLACES, *DAY, *PREFERRED, *STEPS, *ORDERS),
    *("speeds", "own_services", "setups", "dimensions", "pickups", "overtime"),
)
"""What local searches of routes take; parts of routes not all of it."""

MARKS: Final[tuple[Any, ...]] = (
    *(2**31 - 1, 2**32 - 1, 2**63 - 1, float(2**31), float(2**63)),
    *(math.inf, math.nan, None),
)
"""What a user may write for an arc that is forbidden."""

MOST_BRUTE: Final = 6
"""Customers up to which a problem with reloads has four at most."""


def random_problem(
    seed: int,
    parts: Sequence[str] = EVERYTHING,
    num_customers: int = 6,
    *,
    share: float = 0.4,
    always: Sequence[str] = (),
    **fields: Any,
) -> nr.Instance:
    """Return a problem of a few customers, perhaps without any plan.

    Parameters
    ----------
    seed
        Number of the problem.
    parts
        Names of the features that it may have. Default: all.
    num_customers
        Most stops, of shipments too. Default 6.
    share
        Chance of each feature. Default 0.4.
    always
        Features that it has in any case. Default: none.
    fields
        Other fields of the ``Instance``.
    """
    for attempt in count():
        rng = np.random.default_rng([seed, attempt])
        has = {*always, *(p for p in parts if rng.random() < share)}
        try:
            return _Draw(rng, has).problem(seed, num_customers, fields)
        except nr.InstanceError:  # rules contradict, or a window a depot's
            continue
    raise AssertionError


class _Draw:
    """Draws of the parts that a problem has."""

    def __init__(self, rng: np.random.Generator, has: set[str]) -> None:
        self.rng, self.has = rng, has
        self.pace = 1
        if "hours" in has:  # days of some fifty units, which are whole
            self.pace = 4
            has.discard("speeds")

    def number(self, low: int, high: int) -> int:
        """Return a whole number, both ends included."""
        return int(self.rng.integers(low, high + 1))

    def some(self, part: str, low: int, high: int, other: Any = 0) -> Any:
        """Return a number in most places of a problem that has the part."""
        is_here = part in self.has and self.rng.random() < 0.7
        return self.number(low, high) if is_here else other

    def time(self, part: str, low: int, high: int, other: Any = 0) -> Any:
        """Return a time in most places of a problem that has the part."""
        return self.some(part, low // self.pace, high // self.pace, other)

    def words(self, share: float) -> tuple[str, ...]:
        """Return some skills."""
        chosen = self.rng.random(2) < share
        return tuple(np.array(["cold", "lift"])[chosen].tolist())

    def problem(
        self, seed: int, num_customers: int, fields: dict[str, Any]
    ) -> nr.Instance:
        """Return the problem, or fail where its parts contradict."""
        most = num_customers
        if "reloads" in self.has and most <= MOST_BRUTE:
            most = min(most, 4)
        self.n = n = self.number(1, most)
        num_depots = self.number(2, 3) if "depots" in self.has else 1
        size = n + num_depots
        ends = []
        if "shipments" in self.has and n > 2:
            ends = [(n - 3, n - 2), (n - 1, n)][-1 - (n > 4) :]
        self.movers = {node for pair in ends for node in pair}
        self.clients = [c for c in range(1, n + 1) if c not in self.movers]
        self.has_unit = bool(self.some("hours", 0, 1))
        self.dims = self.number(2, 3) if "dimensions" in self.has else 1
        loads = self.loads(size)
        arcs, num_profiles = self.arcs(size)
        types = self.types(num_depots, num_profiles)
        return nr.Instance(
            f"random-{seed}",
            loads.delivery[:, 0],
            num_depots=num_depots,
            fleet=nr.Fleet(tuple(types)),
            windows=self.windows(size),
            loads=loads if {"dimensions", "pickups"} & self.has else None,
            selection=self.selection(size, ends),
            shipments=tuple(
                nr.Shipment(*pair, self.amounts(0, 6)) for pair in ends
            ),
            constraints=self.rules(size, types),
            source=Source(time_form=TimeForm("s" if self.has_unit else "")),
            **(arcs | fields),
        )

    def amounts(self, low: int, high: int) -> tuple[int, ...]:
        """Return an amount for each dimension."""
        return tuple(self.number(low, high) for _ in range(self.dims))

    def loads(self, size: int) -> nr.Loads:
        """Return what customers get and give."""
        loads = np.zeros((2, size, self.dims), dtype=int)
        for node in self.clients:
            gives = self.some("pickups", 0, 2)
            loads[0, node] = 0 if gives == 1 else self.amounts(0, 9)
            loads[1, node] = self.amounts(0, 9) if gives else 0
        return nr.Loads(*loads)

    def matrix(self, size: int) -> Any:
        """Return lengths between spots, of which some are the same."""
        base = self.rng.integers(0, 50 // self.pace + 1, (size, size))
        spots = self.rng.integers(0, size, size)
        if self.rng.random() < 0.5:
            spots = np.arange(size)
        lengths = base[np.ix_(spots, spots)].astype(object)
        lengths[np.equal.outer(spots, spots)] = 0
        if "forbidden" in self.has:
            is_far = self.rng.random((size, size)) < 0.15
            np.fill_diagonal(is_far, False)
            lengths[is_far] = MARKS[self.number(0, len(MARKS) - 1)]
        return lengths if "forbidden" in self.has else lengths.astype(float)

    def arcs(self, size: int) -> tuple[dict[str, Any], int]:
        """Return matrices or places, and the number of profiles."""
        needs_matrix = {"forbidden", "durations", "profiles"} & self.has
        if {"places", "degrees"} & self.has and not needs_matrix:
            return self.places(size), 1
        num_profiles = self.some("profiles", 1, 2, 1)
        has_times = bool(self.some("durations", 0, 2))
        matrices = [
            (self.matrix(size), self.matrix(size) if has_times else None)
            for _ in range(num_profiles)
        ]
        arcs = dict(zip(("matrix", "durations"), matrices[0], strict=True))
        profiles = tuple(nr.Profile(*own) for own in matrices[1:])
        return arcs | {"profiles": profiles}, num_profiles

    def places(self, size: int) -> dict[str, Any]:
        """Return places at few spots, some of them nearly the same."""
        is_geographic = "degrees" in self.has
        step = (2e-4 if is_geographic else 10.0) / self.pace
        jitter = step / 100 * self.number(0, 1)
        spots = self.rng.choice([0, 0, 1, 2], (size, 2))
        spots[0] = (4, 3)
        coords = step * spots
        coords += jitter * self.rng.uniform(-1, 1, (size, 2))
        if is_geographic:
            lon = [8.68, 179.9999][self.number(0, 1)]
            coords[:, 0] = (lon + coords[:, 0] + 180.0) % 360.0 - 180.0
            coords[:, 1] += 50.0
        rounding = "nearest"
        if self.rng.random() < 0.5 and not is_geographic and self.pace == 1:
            rounding = str(self.rng.choice([*ROUNDINGS]))
        return {
            "coords": coords,
            "is_geographic": is_geographic,
            "rounding": rounding,
            "speed": [None, 0.7, 2.5][self.number(0, 2)],
            "detour": [None, 1.3][self.number(0, 1)],
        }

    def window(self, is_depot: bool) -> tuple[int, int]:
        """Return when a node opens and closes; no depot misses vehicles."""
        early = self.time("windows", 0, 60 if is_depot else 120)
        late = early + self.time("windows", 60, 200, NO_LIMIT)
        return early, min(late, NO_LIMIT)

    def windows(self, size: int) -> nr.TimeWindows | None:
        """Return the times of all nodes, if there are any."""
        parts = {"windows", "services", "releases", "several", "setups"}
        parts |= {"preferred"}
        if not parts & self.has:
            return None
        early, late = np.transpose(
            [self.window(not 1 <= node <= self.n) for node in range(size)]
        )
        service = [self.time("services", 0, 20) for _ in range(size)]
        release = np.zeros(size, dtype=int)
        for node in self.clients:
            release[node] = self.time("releases", 0, 60)
        several = None
        if "several" in self.has:
            several = [
                self.several() if 1 <= node <= self.n else []
                for node in range(size)
            ]
        given = early, late, service, release, several
        return nr.TimeWindows.of(
            size, *given, self.setups(size) or 0, **self.preferred(size)
        )

    def preferred(self, size: int) -> dict[str, Any]:
        """Return preferred windows of customers, if there are any."""
        if "preferred" not in self.has:
            return {}
        pairs: list[Any] = [None] * size
        for node in range(1, self.n + 1):
            opens = self.some("preferred", 0, 150)
            width = self.some("preferred", 0, 60, NO_LIMIT - opens)
            pairs[node] = (opens, opens + width)
        costs = {
            name: [self.number(0, 3) for _ in range(size)]
            for name in ("early_costs", "late_costs")
        }
        return {"preferred": pairs} | costs

    def several(self) -> list[tuple[int, int]]:
        """Return some windows, or none."""
        if not self.some("several", 0, 1):
            return []
        widths = self.rng.integers(5, 60, 2 * self.number(2, 3))
        ends = np.cumsum(np.maximum(1, widths // self.pace))
        ends += self.number(0, 60 // self.pace)
        pairs = [(a, b) for a, b in ends.reshape(-1, 2).tolist()]
        if self.rng.random() < 0.3:
            pairs[-1] = (pairs[-1][0], NO_LIMIT)
        return pairs

    def types(self, num_depots: int, num_profiles: int) -> list[Any]:
        """Return vehicle types; of single vehicles six at most."""
        number = self.number(1, 3) if "types" in self.has else 1
        types = [self.vehicle(num_depots, num_profiles) for _ in range(number)]
        for field, most in (("service", 20), ("setup", 15)):
            if f"quick_{field}s" in self.has:
                self.set_quick(types, f"{field}_durations", num_depots, most)
        if "singles" not in self.has:
            return [nr.VehicleType(**each) for each in types]
        singles = [
            {**each, "num_available": 1}
            for each in types
            for _ in range(each["num_available"] or self.n)
        ]
        return [nr.VehicleType(**each) for each in singles[:6]]

    def set_quick(
        self,
        types: Sequence[dict[str, Any]],
        field: str,
        num_depots: int,
        most: int,
    ) -> None:
        """Let each type take a multiple of the same times at customers."""
        times = self.rng.integers(1, most // self.pace + 1, self.n).tolist()
        factors = self.rng.choice([0, 1, 3, 5], len(types), replace=False)
        for each, factor in zip(types, factors.tolist(), strict=True):
            own = [factor * time for time in times]
            each[field] = (0, *own, *[0] * (num_depots - 1))

    def vehicle(self, num_depots: int, num_profiles: int) -> dict[str, Any]:
        """Return the fields of a vehicle type."""
        n, rooms = self.n, self.amounts(9, 24)
        opens = self.time("shifts", 0, 60)
        ends = min(NO_LIMIT, opens + self.time("shifts", 80, 250, NO_LIMIT))
        reloads = self.some("reloads", 1, num_depots)
        fixed = self.some("costs", 0, 50)
        initial = [min(self.some("initial", 0, 6), room) for room in rooms]
        return {
            "capacity": rooms if self.dims > 1 else rooms[0],
            "num_available": self.some(
                "types", 1, n, [None, n][self.number(0, 1)]
            ),
            "profile": self.number(0, num_profiles - 1),
            "start_depot": self.end(num_depots),
            "end_depot": self.end(num_depots),
            "fixed_cost": self.some("negative", -60, 20, fixed),
            "unit_distance_cost": self.some("costs", 0, 4, 1),
            "unit_duration_cost": self.some("costs", 0, 4),
            "tw_early": opens,
            "tw_late": ends,
            "start_late": min(
                ends, opens + self.time("shifts", 60, 90, NO_LIMIT)
            ),
            "shift_duration": self.time("shifts", 60, 250, NO_LIMIT),
            "max_overtime": self.time("overtime", 0, 90),
            "unit_overtime_cost": self.some("overtime", 0, 3),
            "max_distance": self.time("shifts", 60, 250, NO_LIMIT),
            "initial_load": tuple(initial) if any(initial) else (),
            "reload_depots": tuple(self.rng.permutation(num_depots)[:reloads]),
            "max_reloads": self.some("reloads", 0, 3, NO_LIMIT),
            "skills": self.words(0.7) if "skills" in self.has else (),
            "unit_driving_cost": self.some("driving_costs", 1, 4),
            "max_driving_time": self.time("driving", 40, 200, NO_LIMIT),
            "max_stops": self.some("stops", 1, 4, NO_LIMIT),
            "min_stops": self.some("least", 1, 3),
            "min_load": self.some("least", 1, 12),
            "service_durations": self.services(n + num_depots),
            "setup_durations": self.setups(n + num_depots),
            "speed_factor": self.some("speeds", 1, 5, 2) / 2,
            **self.breaks(opens),
            "hours_of_service": self.hours(),
            "starts_empty": bool(self.some("empty", 0, 1)),
            **self.steps(),
        }

    def steps(self) -> dict[str, Any]:
        """Return the price steps of a type, if there are any."""
        if "steps" not in self.has:
            return {}
        steps = []
        for _ in range(self.number(0, 3)):
            amount = str(self.rng.choice([*AMOUNTS]))
            most = {"stops": 3, "load": 12}.get(amount, 150 // self.pace)
            beyond, price = self.number(0, most), self.number(1, 5)
            steps.append(nr.PriceStep(amount, beyond, price))
        return {"price_steps": tuple(steps)}

    def services(self, size: int) -> tuple[int, ...]:
        """Return service durations of a type, or none."""
        if not self.some("own_services", 0, 1):
            return ()
        return tuple(self.number(0, 20 // self.pace) for _ in range(size))

    def setups(self, size: int) -> tuple[int, ...]:
        """Return set-up durations of customers, or none."""
        if not self.some("setups", 0, 1):
            return ()
        setups = (self.number(0, 15 // self.pace) for _ in self.clients)
        own = dict(zip(self.clients, setups, strict=True))
        return tuple(own.get(node, 0) for node in range(size))

    def end(self, num_depots: int) -> int | None:
        """Return a depot, or none."""
        depot = self.number(0, num_depots - 1)
        return None if self.some("open", 0, 1) else depot

    def breaks(self, opens: int) -> dict[str, Any]:
        """Return the breaks of a driver, if there are any."""
        if "breaks" not in self.has or self.rng.random() < 0.2:
            return {}
        breaks, pace = [], self.pace
        for _ in range(self.number(1, 2)):
            begin = opens + self.number(0, 120 // pace)
            spans = [(begin, begin + self.number(0, 90 // pace))]
            if self.rng.random() < 0.3:
                later = begin + self.number(90 // pace, 150 // pace)
                spans.append((later, later + self.number(0, 60 // pace)))
            breaks.append(
                nr.Break(
                    self.number(1, 30 // pace),
                    tuple(spans)
                    if self.rng.random() < 0.8
                    else ((0, NO_LIMIT),),
                    bool(self.rng.random() < 0.6),
                    self.amounts(0, 20) if self.rng.random() < 0.3 else None,
                )
            )
        return {"breaks": tuple(breaks)}

    def hours(self) -> nr.HoursOfService | None:
        """Return the rules of a driver, or none."""
        if not self.some("hours", 0, 3):
            return None
        law = (_EU, _US)[self.number(0, 1)]
        block = self.number(8, law.driving_block)
        return replace(law, driving_block=block, in_seconds=self.has_unit)

    def selection(self, size: int, ends: list[Any]) -> nr.Selection | None:
        """Return prizes, who may be left out, and groups."""
        if not {"optional", "groups"} & self.has:
            return None
        required = np.zeros(size, dtype=bool)
        prizes = np.zeros(size, dtype=int)
        firsts = [first for first, _ in ends]
        for node in (*self.clients, *firsts):
            required[node] = self.some("optional", 0, 1, 1) == 1
            prizes[node] = self.some("optional", 0, 90)
        for first, last in ends:
            required[last] = required[first]
        groups = []
        if "groups" in self.has and len(self.clients) > 1:
            cut = self.number(2, min(3, len(self.clients)))
            members = self.rng.permutation(self.clients)[:cut].tolist()
            required[members] = False
            groups = [nr.Group(tuple(members), self.rng.random() < 0.7)]
        return nr.Selection(prizes, required, tuple(groups))

    def orders(self, group: Any, at_stops: Any) -> dict[str, Any]:
        """Return who comes before whom, and who is the first or the last."""
        changes: dict[str, Any] = {
            name: (group(2, 3),)
            for name in ("precedences", "sequences")
            if self.rng.random() < 0.6
        }
        places = self.rng.choice(["first", "last", *[""] * 6], self.n)
        if self.rng.random() < 0.6:
            changes["positions"] = at_stops("", places.tolist())
        return changes

    def rules(self, size: int, types: Sequence[Any]) -> nr.RouteConstraints:
        """Return each of the route constraints that the problem has."""
        stops, depots = range(1, self.n + 1), size - self.n - 1
        changes: dict[str, Any] = {}

        def group(least: int, most: int) -> tuple[int, ...]:
            return tuple(
                self.rng.permutation(stops)[
                    : self.number(least, most)
                ].tolist()
            )

        def at_stops(nothing: Any, values: Any) -> tuple[Any, ...]:
            return (nothing, *values, *[nothing] * depots)

        if "skills" in self.has:
            changes["skills"] = at_stops((), [self.words(0.2) for _ in stops])
        if "pins" in self.has:
            pins = [self.some("pins", 0, 2, 9) for _ in stops]
            changes["vehicles"] = at_stops(
                None, [(pin,) if pin < len(types) else None for pin in pins]
            )
        for name in ("same_route", "different_routes"):
            if name in self.has:
                changes[name] = (group(2, 3),)
        if "orders" in self.has:
            changes |= self.orders(group, at_stops)
        if "districts" in self.has:
            names = self.rng.integers(-1, 3, self.n).tolist()
            changes["districts"] = at_stops(-1, names)
            changes["max_districts"] = self.number(1, 2)
        if "in_progress" in self.has:
            nodes = group(1, 3)
            cut = self.number(1, len(nodes))
            changes["in_progress"] = tuple(
                self.begun(part, types)
                for part in (nodes[:cut], nodes[cut:])
                if part
            )
        return nr.RouteConstraints(**changes)

    def begun(
        self, part: tuple[int, ...], types: Sequence[Any]
    ) -> nr.InProgressRoute:
        """Return a route that has begun, and perhaps had breaks."""
        idx = self.number(0, len(types) - 1)
        departures = self.departures(part)
        had = [
            number
            for number in range(len(types[idx].breaks))
            if departures and self.rng.random() < 0.5
        ]
        known = [k for k, time in enumerate(departures) if time is not None]
        places = [len(part), max(known, default=0)]
        taken = [
            (places[(number + idx) % 2], number, types[idx].breaks[number])
            for number in had
        ]
        so_far = nr.HoursSoFar()
        if departures and types[idx].hours is not None:
            so_far = random_hours_so_far(types[idx].hours, self.rng)
        return nr.InProgressRoute(
            *(idx, part, departures),
            breaks_taken=tuple(
                (number, place, None, one.duration)
                for place, number, one in sorted(taken, key=lambda x: x[:2])
            ),
            hours_so_far=so_far,
        )

    def departures(self, customers: tuple[int, ...]) -> tuple[Any, ...]:
        """Return some times at which the vehicle left, or none."""
        if self.rng.random() < 0.5:
            return ()
        times = np.sort(
            self.rng.integers(0, 100 // self.pace, 1 + len(customers))
        )
        return tuple(
            time if self.rng.random() < 0.5 else None
            for time in times.tolist()
        )


def random_hours_so_far(
    hours: nr.HoursOfService, rng: np.random.Generator
) -> nr.HoursSoFar:
    """Return what a driver has done, or nothing."""
    if rng.random() < 0.3:
        return nr.HoursSoFar()
    work = int(rng.integers(21))
    return nr.HoursSoFar(
        driven=int(rng.integers(1 + work)),
        worked=int(rng.integers(1 + work)),
        work=work,
        rested=int(rng.integers(4)),
        has_first_part=bool(hours.first_part and rng.random() < 0.3),
    )


def random_plan(instance: nr.Instance, seed: int) -> nr.Solution:
    """Return routes over some customers, by vehicles of any type.

    Mostly one of a group, the stops of a shipment in order, reloads where
    they may be, and in-progress routes that go on; sometimes not.
    """
    rng = np.random.default_rng([seed, 3])
    is_wild = bool(rng.random() < 0.2)
    rules, types = instance.constraints, instance.vehicle_types
    begun = rules.in_progress if rules and not is_wild else ()
    pairs = {one.pickup: one.delivery for one in instance.shipments}
    chosen = {
        node
        for node in range(1, instance.num_customers + 1)
        if instance.required[node] or rng.random() < 0.5
    }
    if instance.selection is not None and not is_wild:
        for group in instance.selection.groups:
            chosen -= set(group.customers)
            if group.required or rng.random() < 0.5:
                chosen.add(int(rng.choice(group.customers)))
    chosen -= {c for one in begun for c in one.customers}
    if not is_wild:
        chosen -= set(pairs.values())
    vehicles = [
        idx
        for idx, kind in enumerate(types)
        for _ in range(kind.num_available or 1 + len(chosen))
    ]
    vehicles = rng.permutation(vehicles).tolist()
    routes = [list(one.customers) for one in begun]
    kinds = [one.vehicle_type for one in begun]
    more = rng.integers(1, 1 + min(len(vehicles), 1 + len(chosen)))
    routes += [[] for _ in range(more)]
    kinds += vehicles[:more]
    for node in rng.permutation(sorted(chosen)).tolist():
        routes[rng.integers(len(routes))].append(node)
    for route, idx in zip(routes, kinds, strict=True):
        for pickup in [node for node in route if node in pairs]:
            if not is_wild and not any(pairs[pickup] in r for r in routes):
                first = route.index(pickup) + 1
                place = int(rng.integers(first, len(route) + 1))
                route.insert(place, pairs[pickup])
        depots = types[idx].reload_depots
        allowed = [*range(instance.num_depots)] if is_wild else [*depots]
        for place in range(len(route) - 1, 0, -1):
            if allowed and rng.random() < 0.3:
                depot = instance.depots[int(rng.choice(allowed))]
                route.insert(place, depot)
    used = [place for place, route in enumerate(routes) if route]
    return nr.Solution.from_routes(
        instance, [routes[k] for k in used], [kinds[k] for k in used]
    )
