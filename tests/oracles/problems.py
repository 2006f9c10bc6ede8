"""Random small problems with any combination of features.

``random_problem`` has what every search knows, ``rich_problem`` some ways less
and single vehicles as well, ``full_problem`` all of PyVRP's, by switches, and
``ruled_problem`` route constraints. ``full_routes`` visits some of its stops.

Importing this module imports pyvrp.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, count, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np

import ncc_routing as nr
from ncc_routing.pyvrp.adapter import from_problem_data, pyvrp
from tests.oracles.brute_force import num_routes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MOST_STOPS = 6

MOST_ROUTES = 25_000
"""Routes of a problem that are looked at: within about a second."""

FEATURES = (
    "depots",
    "types",
    "windows",
    "services",
    "releases",
    "shifts",
    "costs",
    "matrices",
)
"""What a problem may have; each combination comes up."""

COMBINATIONS = tuple(
    frozenset(name for name, is_in in zip(FEATURES, row, strict=True) if is_in)
    for row in product([False, True], repeat=len(FEATURES))
)


class _Draw:
    """Draws of numbers for the parts that a problem has."""

    def __init__(self, parts: frozenset[str], seed: int) -> None:
        self._parts = parts
        self._rng = np.random.default_rng(seed)

    def has(self, part: str) -> bool:
        """Whether this problem has a part, in this place of it."""
        return part in self._parts and self._rng.random() < 0.6

    def number(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return int(self._rng.integers(low, high + 1))

    def if_has(self, part: str, most: int, otherwise: int = 0) -> int:
        """Return a number up to ``most`` where there is the part."""
        return self.number(0, most) if self.has(part) else otherwise

    def window(self) -> dict[str, Any]:
        """Return a time window, or none."""
        if not self.has("windows"):
            return {}
        early = self.number(0, 120)
        return {"tw_early": early, "tw_late": early + self.number(60, 200)}

    def matrix(self, size: int) -> Any:
        """Return lengths that need not be symmetric."""
        matrix = self._rng.integers(0, 50, (size, size))
        np.fill_diagonal(matrix, 0)
        return matrix

    def vehicle(
        self, num_clients: int, num_depots: int, num_profiles: int
    ) -> pyvrp.VehicleType:
        """Return a vehicle type."""
        changes: dict[str, Any] = self.window()
        early = changes.get("tw_early", 0)
        if self.has("windows"):
            late = min(changes.get("tw_late", 500), early + 90)
            changes["start_late"] = self.number(early, late)
        if self.has("shifts"):
            changes["shift_duration"] = self.number(60, 300)
        if self.has("shifts"):
            changes["max_distance"] = self.number(60, 300)
        available = num_clients
        if self.has("types"):
            available = self.number(1, num_clients)
        return pyvrp.VehicleType(
            num_available=available,
            capacity=[self.number(9, 30)],
            start_depot=self.number(0, num_depots - 1),
            end_depot=self.number(0, num_depots - 1),
            fixed_cost=self.if_has("costs", 50),
            unit_distance_cost=self.if_has("costs", 4, otherwise=1),
            unit_duration_cost=self.if_has("costs", 4),
            profile=self.number(0, num_profiles - 1),
            **changes,
        )


def random_problem(seed: int, num_clients: int = 6) -> pyvrp.ProblemData:
    """Return a problem with the combination of features of that number.

    Parameters
    ----------
    seed
        Number of the problem; combinations take turns.
    num_clients
        Most clients. Default 6.
    """
    draw = _Draw(COMBINATIONS[seed % len(COMBINATIONS)], seed)
    while True:
        try:
            return _build(draw, draw.number(1, num_clients))
        except ValueError:  # a vehicle whose window misses that of its depot
            continue


def _build(draw: _Draw, num_clients: int) -> pyvrp.ProblemData:
    num_depots = draw.number(1, 3) if draw.has("depots") else 1
    num_types = draw.number(1, 3) if draw.has("types") else 1
    num_profiles = draw.number(1, 2) if draw.has("matrices") else 1
    size = num_depots + num_clients
    distances = [draw.matrix(size) for _ in range(num_profiles)]
    durations = [
        draw.matrix(size) if draw.has("matrices") else matrix
        for matrix in distances
    ]
    return pyvrp.ProblemData(
        [pyvrp.Location(draw.number(0, 9), 0) for _ in range(size)],
        [
            pyvrp.Client(
                num_depots + idx,
                delivery=[draw.number(0, 9)],
                service_duration=draw.if_has("services", 20),
                release_time=draw.if_has("releases", 60),
                prize=draw.number(0, 5),
                **draw.window(),
            )
            for idx in range(num_clients)
        ],
        [
            pyvrp.Depot(
                idx,
                service_duration=draw.if_has("services", 20),
                **draw.window(),
            )
            for idx in range(num_depots)
        ],
        [
            draw.vehicle(num_clients, num_depots, num_profiles)
            for _ in range(num_types)
        ],
        distances,
        durations,
    )


def random_routes(
    data: pyvrp.ProblemData, seed: int
) -> tuple[list[list[int]], list[int]]:
    """Return routes over all customers 1..n, and a vehicle type for each.

    Types may be used more often than there are vehicles.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(data.num_clients) + 1
    cuts = np.flatnonzero(rng.random(data.num_clients - 1) < 0.5) + 1
    routes = [part.tolist() for part in np.split(order, cuts)]
    kinds = rng.integers(0, data.num_vehicle_types, len(routes)).tolist()
    return routes, kinds


MOST_CLIENTS = 6
"""Clients of the largest problems: brute force looks at all their plans."""

MOST_VEHICLES = 6
"""Vehicles that are listed one by one."""

VEHICLE_FIELDS = (
    *("num_available", "start_depot", "end_depot", "profile"),
    *("fixed_cost", "unit_distance_cost", "unit_duration_cost"),
    *("tw_early", "tw_late", "start_late"),
    *("max_distance", "shift_duration"),
)
"""Fields of a vehicle type that mean the same here as in PyVRP."""


def rich_problem(seed: int) -> pyvrp.ProblemData:
    """Return a problem; combinations of features take turns by the seed."""
    data = random_problem(seed, MOST_CLIENTS)
    rng = np.random.default_rng([seed, 1])
    if rng.random() < 0.5:
        data = data.replace(vehicle_types=_single_vehicles(data))
    if rng.random() < 0.3:
        data = _without_some_edges(data, rng)
    return data


PARTS = (
    *("dimensions", "pickups", "initial", "optional", "groups"),
    *("shipments", "reloads", "overtime", "negative"),
)
"""What a full problem may have beyond a rich one."""


def full_problem(
    seed: int,
    parts: Collection[str] | None = None,
    num_clients: int = MOST_CLIENTS,
) -> pyvrp.ProblemData:
    """Return a problem with some of all that PyVRP knows.

    Parameters
    ----------
    seed
        Number of the problem. That of ``random_problem`` below it takes turns.
    parts
        Which of ``PARTS`` it has. Default: any, drawn by the seed.
    num_clients
        Most clients. Default ``MOST_CLIENTS``.
    """
    data = random_problem(seed, num_clients)
    rng = np.random.default_rng([seed, 2])
    drawn = [part for part in PARTS if rng.random() < 0.4]
    has = set(drawn if parts is None else parts).__contains__
    num_dims = int(rng.integers(2, 4)) if has("dimensions") else 1

    def amount(most: int, first: int | None = None) -> list[int]:
        drawn = rng.integers(0, most + 1, num_dims).tolist()
        return drawn if first is None else [first, *drawn[1:]]

    def is_chosen(part: str, share: float = 0.5) -> bool:
        return has(part) and bool(rng.random() < share)

    clients, groups = list(data.clients()), []
    if has("groups"):
        cuts = sorted(rng.integers(0, len(clients) + 1, 2).tolist())
        members = [range(cuts[0]), range(cuts[0], cuts[1])]
        groups = [
            pyvrp.ClientGroup(list(own), is_chosen("groups", 0.7))
            for own in members
            if own
        ]
    group_of = {
        client: idx for idx, own in enumerate(groups) for client in own.clients
    }
    made = [
        pyvrp.Client(
            one.location,
            delivery=amount(5, 0 if is_chosen("pickups") else one.delivery[0]),
            pickup=amount(5) if is_chosen("pickups") else [],
            service_duration=one.service_duration,
            tw_early=one.tw_early,
            tw_late=one.tw_late,
            release_time=one.release_time,
            prize=20 * one.prize if has("optional") else one.prize,
            required=idx not in group_of and not is_chosen("optional"),
            group=group_of.get(idx),
        )
        for idx, one in enumerate(clients)
    ]
    depots = data.num_depots
    types = [
        kind.replace(
            capacity=(
                own := [kind.capacity[0], *rng.integers(6, 20, num_dims - 1)]
            ),
            initial_load=[
                min(load, most)
                for load, most in zip(amount(6), own, strict=True)
            ]
            if is_chosen("initial")
            else [0] * num_dims,
            reload_depots=rng.permutation(depots)[
                : int(rng.integers(1, depots + 1))
            ].tolist()
            if is_chosen("reloads", 0.8)
            else [],
            max_reloads=int(rng.integers(0, 4)),
            shift_duration=int(rng.integers(60, 250))
            if is_chosen("overtime")
            else kind.shift_duration,
            max_overtime=int(rng.integers(0, 90)) if has("overtime") else 0,
            unit_overtime_cost=int(rng.integers(0, 4))
            if has("overtime")
            else 0,
            fixed_cost=int(rng.integers(-60, 20))
            if has("negative")
            else kind.fixed_cost,
        )
        for kind in data.vehicle_types()
    ]
    shipments = []
    if has("shipments"):
        for idx in range(int(rng.integers(1, 3))):
            first = data.num_locations + 2 * idx
            early = int(rng.integers(0, 60)) if rng.random() < 0.3 else 0
            shipments.append(
                pyvrp.Shipment(
                    first,
                    first + 1,
                    pickup_tw_early=early,
                    pickup_service_duration=int(rng.integers(0, 9)),
                    delivery_tw_late=early + int(rng.integers(60, 400)),
                    delivery_service_duration=int(rng.integers(0, 9)),
                    amount=amount(6),
                    prize=int(rng.integers(0, 90)),
                    required=not is_chosen("optional"),
                )
            )
    locations = data.locations()
    locations += [pyvrp.Location(0, 0)] * (2 * len(shipments))
    changes: Any = {
        "distance_matrices": [
            _larger(own, len(locations), rng)
            for own in data.distance_matrices()
        ],
        "duration_matrices": [
            _larger(own, len(locations), rng)
            for own in data.duration_matrices()
        ],
    }
    return data.replace(
        locations=locations,
        clients=made,
        vehicle_types=types,
        groups=groups,
        shipments=shipments,
        **changes,
    )


def _larger(matrix: Any, size: int, rng: np.random.Generator) -> Any:
    """Return lengths between more places."""
    larger = rng.integers(0, 50, (size, size))
    larger[: len(matrix), : len(matrix)] = matrix
    np.fill_diagonal(larger, 0)
    return larger


def full_routes(
    instance: nr.Instance, seed: int
) -> tuple[list[list[int]], list[int]]:
    """Return routes over some customers, and a vehicle type for each.

    Mostly one of a group, the stops of a shipment in order, and reloads where
    they may be; sometimes not.
    """
    rng = np.random.default_rng([seed, 3])
    is_wild = bool(rng.random() < 0.2)
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
    pairs = {one.pickup: one.delivery for one in instance.shipments}
    if not is_wild:
        chosen -= set(pairs.values())
    order = rng.permutation(sorted(chosen)).tolist()
    cuts = np.flatnonzero(rng.random(max(0, len(order) - 1)) < 0.4) + 1
    vehicles = [
        idx
        for idx, kind in enumerate(instance.vehicle_types)
        for _ in range(kind.num_available or 1 + len(order))
    ]
    cuts = cuts[: len(vehicles) - 1]
    routes = [part.tolist() for part in np.split(np.array(order, int), cuts)]
    kinds = rng.permutation(vehicles)[: len(routes)].tolist()
    for route, idx in zip(routes, kinds, strict=True):
        kind = instance.vehicle_types[idx]
        for pickup in [node for node in route if node in pairs]:
            if not is_wild:
                place = route.index(pickup) + 1
                route.insert(
                    int(rng.integers(place, len(route) + 1)), pairs[pickup]
                )
        allowed = range(instance.num_depots) if is_wild else kind.reload_depots
        while allowed and rng.random() < 0.4:
            depot = instance.depots[int(rng.choice(list(allowed)))]
            route.insert(int(rng.integers(0, len(route) + 1)), depot)
    return routes, kinds


def _single_vehicles(data: pyvrp.ProblemData) -> list[pyvrp.VehicleType]:
    """Return a type for each vehicle."""
    return [
        kind.replace(num_available=1)
        for kind in data.vehicle_types()
        for _ in range(kind.num_available)
    ][:MOST_VEHICLES]


def _without_some_edges(
    data: pyvrp.ProblemData, rng: np.random.Generator
) -> pyvrp.ProblemData:
    """Take edges away, other ones in each profile."""
    distances: list[Any] = []
    durations: list[Any] = []
    for profile in range(data.num_profiles):
        shape = (data.num_locations, data.num_locations)
        is_missing = rng.random(shape) < 0.15
        np.fill_diagonal(is_missing, False)
        for matrices, own in (
            (distances, data.distance_matrix(profile)),
            (durations, data.duration_matrix(profile)),
        ):
            largest = pyvrp.constants.MAX_VALUE
            matrices.append(np.where(is_missing, largest, own))
    changes: Any = {
        "distance_matrices": distances,
        "duration_matrices": durations,
    }
    return data.replace(**changes)


def as_instance(data: pyvrp.ProblemData) -> nr.Instance:
    """Return the data as an instance, part by part.

    Profiles and depots keep their order: a profile in use need not be first.
    """
    stops: list[Any] = [data.depot(0), *data.clients(), *data.depots()[1:]]
    places = [stop.location for stop in stops]
    size, clients = len(stops), data.clients()
    demands = np.zeros(size, dtype=np.int64)
    demands[1 : len(clients) + 1] = [c.delivery[0] for c in clients]
    lengths = [
        tuple(
            np.where(own >= pyvrp.constants.MAX_VALUE, np.inf, own)
            for own in (
                np.asarray(matrix)[np.ix_(places, places)]
                for matrix in (
                    data.distance_matrix(profile),
                    data.duration_matrix(profile),
                )
            )
        )
        for profile in range(data.num_profiles)
    ]
    fields = ("tw_early", "tw_late", "service_duration", "release_time")
    times = (
        np.array([getattr(stop, field, 0) for stop in stops])
        for field in fields
    )
    types = []
    for kind in data.vehicle_types():
        values = {name: getattr(kind, name) for name in VEHICLE_FIELDS}
        types.append(nr.VehicleType(capacity=kind.capacity[0], **values))
    return nr.Instance(
        "case",
        demands,
        max(kind.capacity for kind in types),
        matrix=lengths[0][0],
        durations=lengths[0][1],
        num_depots=data.num_depots,
        fleet=nr.Fleet(tuple(types)),
        windows=nr.TimeWindows(*times),
        profiles=tuple(nr.Profile(*own) for own in lengths[1:]),
    )


def small_problem(number: int) -> pyvrp.ProblemData:
    """Return a problem with so few stops that all plans can be looked at."""
    for seed in count(number, 100_000):
        data = full_problem(seed, num_clients=2 + seed % (MOST_CLIENTS - 1))
        instance = from_problem_data(data)
        if (
            instance.num_customers <= MOST_STOPS
            and num_routes(instance) <= MOST_ROUTES
        ):
            break
    return data


def with_rules(instance: nr.Instance, seed: int) -> nr.Instance | None:
    """Return an instance with some rules; ``None`` where they contradict."""
    rng = np.random.default_rng([seed, 7])
    stops = range(1, instance.num_customers + 1)
    nodes = range(len(instance.demands))
    kinds = instance.vehicle_types
    changes: dict[str, Any] = {}

    def draws(share: float) -> bool:
        return bool(rng.random() < share)

    def some(least: int, most: int) -> tuple[int, ...]:
        size = min(len(stops), int(rng.integers(least, most + 1)))
        return tuple(rng.permutation(stops)[:size].tolist())

    if draws(0.4):
        kinds = tuple(
            replace(k, skills=tuple(s for s in "ab" if draws(0.7)))
            for k in kinds
        )
        changes["skills"] = tuple(
            tuple(s for s in "ab" if node in stops and draws(0.2))
            for node in nodes
        )
    if draws(0.4):
        changes["vehicles"] = tuple(
            (int(rng.integers(len(kinds))),)
            if node in stops and draws(0.3)
            else None
            for node in nodes
        )
    if draws(0.5):
        changes["same_route"] = (some(2, 3),)
    if draws(0.5):
        changes["different_routes"] = (some(2, 3),)
    if draws(0.4):
        changes["districts"] = tuple(
            int(rng.integers(-1, 3)) if node in stops else -1 for node in nodes
        )
        changes["max_districts"] = int(rng.integers(1, 3))
    if draws(0.4):
        kind = int(rng.integers(len(kinds)))
        customers = some(1, 2)
        times = np.sort(rng.integers(0, 100, 1 + len(customers))).tolist()
        known = tuple(time if draws(0.5) else None for time in times)
        departures = known if draws(0.5) else ()
        changes["in_progress"] = (
            nr.InProgressRoute(kind, customers, departures),
        )
    try:
        fleet = nr.Fleet(kinds)
        rules = nr.RouteConstraints(**changes)
        return replace(instance, fleet=fleet, constraints=rules)
    except nr.InstanceError:
        return None


def ruled_problem(number: int) -> nr.Instance:
    """Return a problem so small that all plans can be looked at."""
    plain = from_problem_data(small_problem(number))
    found = (with_rules(plain, seed) for seed in count(number, 100_000))
    return next(each for each in found if each is not None)


SKILLS = ("cold", "lift", "crane")


def random_ruled(seed: int, num_customers: int = 6) -> nr.Instance:
    """Return an instance with some of the rules, perhaps without a plan.

    Parameters
    ----------
    seed
        Number of the instance.
    num_customers
        Most customers. Default 6.
    """
    rng = np.random.default_rng(seed)
    size = 1 + int(rng.integers(2, num_customers + 1))
    types = tuple(
        nr.VehicleType(
            capacity=int(rng.integers(4, 15)),
            num_available=int(rng.integers(1, size)),
            fixed_cost=int(rng.integers(0, 10)),
            skills=_some(rng, SKILLS, 0.6),
        )
        for _ in range(rng.integers(1, 4))
    )
    while True:
        try:
            return nr.Instance(
                name=f"ruled-{seed}",
                demands=np.append(0, rng.integers(0, 5, size - 1)),
                coords=rng.integers(0, 30, (size, 2)),
                fleet=nr.Fleet(types),
                selection=nr.Selection(
                    np.append(0, rng.integers(0, 30, size - 1)),
                    rng.random(size) < 0.8,
                ),
                constraints=_rules(rng, len(types), size),
            )
        except nr.InstanceError:  # two who must share a route and must not
            continue


def _rules(
    rng: np.random.Generator, num_types: int, size: int
) -> nr.RouteConstraints:
    """Return each of the rules in half of the cases."""
    changes: dict[str, Any] = {}
    customers = range(1, size)
    if rng.random() < 0.5:
        own = [_some(rng, SKILLS, 0.2) for _ in customers]
        changes["skills"] = ((), *own)
    if rng.random() < 0.5:
        pins = [_some(rng, range(num_types), 0.4) or None for _ in customers]
        changes["vehicles"] = (None, *pins)
    for field in ("same_route", "different_routes"):
        if rng.random() < 0.5:
            group = rng.permutation(customers)[: rng.integers(2, 4)]
            changes[field] = (tuple(group.tolist()),)
    if rng.random() < 0.5:
        districts = rng.integers(-1, 3, size - 1).tolist()
        changes["districts"] = (-1, *districts)
        changes["max_districts"] = int(rng.integers(1, 3))
    if rng.random() < 0.5:
        order = rng.permutation(customers)[: rng.integers(1, 4)].tolist()
        cut = int(rng.integers(0, len(order)))
        changes["in_progress"] = tuple(
            nr.InProgressRoute(int(rng.integers(num_types)), tuple(part))
            for part in (order[:cut], order[cut:])
            if part
        )
    return nr.RouteConstraints(**changes)


def _some(rng: np.random.Generator, things: Any, share: float) -> Any:
    return tuple(each for each in things if rng.random() < share)


def random_plan(instance: nr.Instance, seed: int) -> nr.Solution:
    """Return routes over most customers, by vehicles of any type.

    Where routes have begun, most plans begin so.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(instance.num_customers) + 1
    order = order[rng.random(len(order)) < 0.9]
    in_progress = (
        ()
        if instance.constraints is None
        else instance.constraints.in_progress
    )
    if rng.random() < 0.2:
        in_progress = in_progress[1:]
    heads = [list(one.customers) for one in in_progress]
    taken = {node for head in heads for node in head}
    routes: list[list[int]] = [*heads, *([] for _ in range(2))]
    for node in order.tolist():
        if node not in taken:
            routes[rng.integers(len(routes))].append(node)
    types = rng.integers(len(instance.vehicle_types), size=len(routes))
    kinds = [one.vehicle_type for one in in_progress]
    kinds += types[len(kinds) :].tolist()
    return nr.Solution.from_routes(instance, routes, kinds)


def all_plans(instance: nr.Instance) -> Iterator[nr.Solution]:
    """Yield every plan of an instance, of three customers at most."""
    count = instance.num_customers
    types = range(len(instance.vehicle_types))
    for size in range(count + 1):
        for order in permutations(range(1, count + 1), size):
            for cuts in product((False, True), repeat=max(0, size - 1)):
                routes = [list(order[:1])]
                for node, is_cut in zip(order[1:], cuts, strict=True):
                    if is_cut:
                        routes.append([])
                    routes[-1].append(node)
                for kinds in product(types, repeat=len(routes)):
                    yield nr.Solution.from_routes(instance, routes, kinds)


def broken_kinds(instance: nr.Instance, plan: nr.Solution) -> set[str]:
    """Return the kinds of the route constraints that a plan breaks.

    By every pair of customers, and every choice of the in-progress routes.
    """
    rules, found = instance.constraints, set()
    if rules is None:
        return set()
    types = instance.vehicle_types
    place = {
        node: number
        for number, route in enumerate(plan.routes)
        for node in route
    }
    for node, number in place.items():
        idx = plan.vehicle_types[number]
        if rules.skills and set(rules.skills[node]) - set(types[idx].skills):
            found.add("skill")
        if rules.vehicles and idx not in (rules.vehicles[node] or (idx,)):
            found.add("pin")
    for kind, groups, is_wrong in (
        ("together", rules.same_route, False),
        ("apart", rules.different_routes, True),
    ):
        for group in groups:
            for a, b in combinations(set(group) & place.keys(), 2):
                if (place[a] == place[b]) is is_wrong:
                    found.add(kind)
    for route in plan.routes:
        if rules.max_districts is not None:
            names = [rules.districts[node] for node in route]
            while -1 in names:
                names.remove(-1)
            if len(set(names)) > rules.max_districts:
                found.add("district")
    driven = list(zip(plan.routes, plan.vehicle_types, strict=True))
    if not any(
        all(
            idx == one.vehicle_type
            and list(route)[: len(one.customers)] == list(one.customers)
            for one, (route, idx) in zip(
                rules.in_progress, chosen, strict=True
            )
        )
        for chosen in permutations(driven, len(rules.in_progress))
    ):
        found.add("in_progress")
    return found
