"""Random small problems with rules of routes, and a slow judge of plans."""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.route_constraints import (
    InProgressRoute,
    RouteConstraints,
)
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator

SKILLS = ("cold", "lift", "crane")


def random_ruled(seed: int, num_customers: int = 6) -> Instance:
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
        VehicleType(
            capacity=int(rng.integers(4, 15)),
            num_available=int(rng.integers(1, size)),
            fixed_cost=int(rng.integers(0, 10)),
            skills=_some(rng, SKILLS, 0.6),
        )
        for _ in range(rng.integers(1, 4))
    )
    while True:
        try:
            return Instance(
                name=f"ruled-{seed}",
                demands=np.append(0, rng.integers(0, 5, size - 1)),
                coords=rng.integers(0, 30, (size, 2)),
                fleet=Fleet(types),
                selection=Selection(
                    np.append(0, rng.integers(0, 30, size - 1)),
                    rng.random(size) < 0.8,
                ),
                rules=_rules(rng, len(types), size),
            )
        except InstanceError:  # two who must share a route and must not
            continue


def _rules(
    rng: np.random.Generator, num_types: int, size: int
) -> RouteConstraints:
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
            InProgressRoute(int(rng.integers(num_types)), tuple(part))
            for part in (order[:cut], order[cut:])
            if part
        )
    return RouteConstraints(**changes)


def _some(rng: np.random.Generator, things: Any, share: float) -> Any:
    return tuple(each for each in things if rng.random() < share)


def random_plan(instance: Instance, seed: int) -> Solution:
    """Return routes over most customers, by vehicles of any type.

    Where routes have begun, most plans begin so.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(instance.num_customers) + 1
    order = order[rng.random(len(order)) < 0.9]
    in_progress = () if instance.rules is None else instance.rules.in_progress
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
    return Solution.from_routes(instance, routes, kinds)


def all_plans(instance: Instance) -> Iterator[Solution]:
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
                    yield Solution.from_routes(instance, routes, kinds)


def broken_kinds(instance: Instance, plan: Solution) -> set[str]:
    """Return the kinds of the rules of routes that a plan breaks.

    By every pair of customers, and every choice of the in-progress routes.
    """
    rules, found = instance.rules, set()
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
