"""Parts of a plan as problems of their own, with their share of the fleet."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ncc_routing.problems.draft import restrict
from ncc_routing.problems.fleet import Fleet
from ncc_routing.problems.routes.route_parts import split_routes
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


class Part(NamedTuple):
    """Some routes of a plan: a problem of their customers, and its solution.

    ``names`` and ``vehicle_types`` are the nodes and the vehicle types that
    its own have in the plan.
    """

    instance: Instance
    solution: Solution
    names: np.ndarray
    vehicle_types: tuple[int, ...]

    def named(self, solution: Solution) -> Solution:
        """Return a solution of the part with the names of the plan."""
        return Solution(
            tuple(
                tuple(self.names[list(r)].tolist()) for r in solution.routes
            ),
            solution.cost,
            tuple(
                self.vehicle_types[vehicle_type]
                for vehicle_type in solution.vehicle_types
            ),
        )


class Cut:
    """A plan, cut into parts of about the same number of customers.

    Each part has the vehicles of its routes and a share of the unused ones;
    customers without a route belong to the nearest one, and members of a group
    to that of the member who is served.
    """

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        num_parts: int,
        rng: np.random.Generator,
    ) -> None:
        routes = solution.routes
        nodes = list(chain.from_iterable(routes))
        sizes = np.array([len(route) for route in routes])
        self._instance = instance
        self._used = Counter(solution.vehicle_types)
        self._plan = []
        middles = np.array([route[len(route) // 2] for route in routes])
        part_of_route = np.empty(len(routes), dtype=int)
        numbers = split_routes(instance, middles, sizes, num_parts, rng)
        for idx, routes_of in enumerate(filter(len, numbers)):
            part_of_route[routes_of] = idx
            self._plan.append(_some_routes(solution, routes_of.tolist()))
        self.num_parts = len(self._plan)
        self._first = int(rng.integers(self.num_parts))
        part_of = np.full(len(instance.demands), -1)
        part_of[nodes] = part_of_route.repeat(sizes)
        part_of[list(instance.depots)] = self.num_parts
        is_absent = part_of < 0
        for node in np.flatnonzero(is_absent).tolist():
            near = int(instance.distances([node], middles).argmin())
            part_of[node] = part_of_route[near]
        for shipment in instance.shipments:
            part_of[shipment.delivery] = part_of[shipment.pickup]
        if instance.selection is not None:
            for group in instance.selection.groups:
                members = list(group.customers)
                # The one who is served, or the first.
                leader = members[int(is_absent[members].argmin())]
                part_of[members] = part_of[leader]
        self._part_of = part_of

    def part(self, idx: int) -> Part:
        """Return a part, made when it is asked for."""
        whole, taken = self._instance, self._plan[idx]
        customers = np.flatnonzero(self._part_of == idx)
        instance = restrict(whole, customers)
        names = np.array([0, *customers.tolist(), *whole.depots[1:]])
        places = np.zeros(len(self._part_of), dtype=int)
        places[names] = np.arange(len(names))
        vehicle_types: tuple[int, ...] = (0,)
        if whole.fleet is not None:
            vehicle_types, fleet = self._share_of_fleet(idx)
            instance = instance.derived(fleet=fleet, capacity=fleet.capacity)
        start = Solution.from_routes(
            instance,
            [places[list(route)] for route in taken.routes],
            [
                vehicle_types.index(vehicle_type)
                for vehicle_type in taken.vehicle_types
            ],
        )
        return Part(instance, start, names, vehicle_types)

    def put(self, idx: int, solution: Solution) -> None:
        """Put other routes, with the names of the plan, in place of a part."""
        self._plan[idx] = solution

    def joined(self) -> Solution:
        """Return the routes of all parts as one plan."""
        return Solution.from_routes(
            self._instance,
            chain.from_iterable(one.routes for one in self._plan),
            chain.from_iterable(one.vehicle_types for one in self._plan),
        )

    def _share_of_fleet(self, idx: int) -> tuple[tuple[int, ...], Fleet]:
        used = Counter(self._plan[idx].vehicle_types)
        turn = (idx - self._first) % self.num_parts
        vehicle_types, types = [], []
        for number, vehicle_type in enumerate(self._instance.vehicle_types):
            count = vehicle_type.num_available
            if count is not None:
                unused = count - self._used[number]
                count = used[number] + (unused + turn) // self.num_parts
            if count != 0:
                vehicle_types.append(number)
                types.append(replace(vehicle_type, num_available=count))
        return tuple(vehicle_types), Fleet(tuple(types))


def _some_routes(solution: Solution, numbers: list[int]) -> Solution:
    routes, types = solution.routes, solution.vehicle_types
    return Solution(
        tuple(routes[number] for number in numbers),
        0.0,
        tuple(types[number] for number in numbers),
    )
