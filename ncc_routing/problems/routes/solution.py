"""A set of routes, the vehicles that drive them, and its cost."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TYPE_CHECKING

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value
from ncc_routing.problems.routes._trip_rules import split_trips
from ncc_routing.problems.routes.balanced_routes import balanced_amounts
from ncc_routing.problems.routes.schedules import (
    Schedule,
    route_costs,
    route_nodes,
    schedule_route,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.balance import Balance
    from ncc_routing.problems.constraints import Constraint
    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True)
class Solution:
    """Routes without their depots, and their total cost.

    Parameters
    ----------
    routes
        Each route is the tuple of its customers (1..n) in the order of their
        visits; a depot between them is a reload. Customers on no route are
        unserved. There are no empty routes.
    cost
        Fixed and unit costs of all routes (``schedules.Schedule.cost``), of
        their balances, and the lost prizes: for a plain CVRP the total length
        of depot -> route -> depot. A whole number if the instance rounds its
        distances.
    vehicle_types
        Index of the vehicle type of each route, an entry of
        ``Instance.vehicle_types``. Default: 0 for all.
    """

    routes: tuple[tuple[int, ...], ...]
    cost: float
    vehicle_types: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.vehicle_types:
            object.__setattr__(self, "vehicle_types", (0,) * len(self.routes))

    @classmethod
    def from_routes(
        cls,
        instance: Instance,
        routes: Iterable[Iterable[int]],
        vehicle_types: Iterable[int] | None = None,
    ) -> Solution:
        """Build a solution, dropping routes without a customer.

        It computes the cost, but checks nothing: use
        ``checking.check_solution``.

        Parameters
        ----------
        instance
            The instance.
        routes
            Customers of each route, and depots for reloads.
        vehicle_types
            Type of each route, empty ones included. Default: 0 for all.

        Raises
        ------
        ParameterError
            If a node or a type is no number of one of the instance, or there
            is not one type for each route.
        """
        if not isinstance(routes, Iterable):
            raise ParameterError(
                f"routes must be a list of routes, got "
                f"{describe_value(routes)}."
            )
        listed = [
            _numbers("the stops of a route", route, len(instance.demands))
            for route in routes
        ]
        types = (0,) * len(listed)
        if vehicle_types is not None:
            known = len(instance.vehicle_types)
            types = _numbers("vehicle_types", vehicle_types, known)
        if len(types) != len(listed):
            raise ParameterError(
                f"vehicle_types must have an entry for each of {len(listed)} "
                f"routes, got {len(types)}."
            )
        pairs = zip(listed, types, strict=True)
        depots = set(instance.depots)
        used = [each for each in pairs if not depots.issuperset(each[0])]
        kept = tuple(route for route, _ in used)
        kept_types = tuple(vehicle_type for _, vehicle_type in used)
        cost = float(sum(route_costs(instance, kept, kept_types)))
        if instance.selection is not None:
            served = set(chain.from_iterable(kept)) - depots
            cost += instance.selection.lost_prizes(served)
        found = cls(kept, cost, kept_types)
        more = found.balance_cost(instance)
        return replace(found, cost=cost + more) if more else found

    def costed(self, instance: Instance) -> Solution:
        """Return the same routes at their cost in an instance."""
        return self.from_routes(instance, self.routes, self.vehicle_types)

    def route_costs(self, instance: Instance) -> list[float]:
        """Return the cost of each route, without balance and lost prizes."""
        return route_costs(instance, self.routes, self.vehicle_types)

    def schedules(self, instance: Instance) -> list[Schedule]:
        """Return the schedule of each route."""
        driven = zip(self.routes, self.vehicle_types, strict=True)
        return [schedule_route(instance, *each) for each in driven]

    def balances(
        self, instance: Instance
    ) -> Iterator[tuple[Balance, list[float]]]:
        """Yield each balance, and what the vehicles that share it have."""
        types = instance.vehicle_types
        if not any(each.balances for each in types):
            return iter(())
        amounts = [one.amounts for one in self.schedules(instance)]
        return balanced_amounts(types, self.vehicle_types, amounts)

    def balance_cost(self, instance: Instance) -> float:
        """Return what the balances cost, 0 without any."""
        found = self.balances(instance)
        return sum(balance.price(amounts) for balance, amounts in found)

    def amounts(self, instance: Instance, limit: Constraint) -> list[float]:
        """Return what each route has of an amount that is limited."""
        return [x.amounts[limit.amount] for x in self.schedules(instance)]

    def largest(self, instance: Instance, limit: Constraint) -> float:
        """Return the most that a route has of it, 0 without a route."""
        return max(self.amounts(instance, limit), default=0.0)

    def visits(self, instance: Instance) -> list[tuple[int, ...]]:
        """Return the nodes of each route, from depot to depot."""
        driven = zip(self.routes, self.vehicle_types, strict=True)
        return [route_nodes(instance, *each) for each in driven]

    def ends(
        self, instance: Instance
    ) -> list[tuple[tuple[int, int] | None, tuple[int, int] | None]]:
        """Return the start depot and the first stop of each route.

        And the last stop and the end depot; ``None`` where a route is open.
        """
        types = [instance.vehicle_types[idx] for idx in self.vehicle_types]
        each = zip(self.visits(instance), types, strict=True)
        return [
            (
                None if one.start_depot is None else (nodes[0], nodes[1]),
                None if one.end_depot is None else (nodes[-2], nodes[-1]),
            )
            for nodes, one in each
        ]

    def trips(self, instance: Instance) -> list[list[list[int]]]:
        """Return the customers of each trip but empty ones, for each route."""
        return [
            list(filter(None, split_trips(route, instance.depots)))
            for route in self.routes
        ]

    def loads(self, instance: Instance) -> list[int]:
        """Return the largest load on board, for each route.

        Without pickups that is the largest sum of the demands of a trip.
        """
        return [one.load for one in self.schedules(instance)]

    def vehicles(self, instance: Instance) -> list[int]:
        """Return the number of the vehicle of each route, from 1.

        Vehicles of a fleet are numbered in the order of
        ``Fleet.all_vehicles``, and routes beyond them come last. Without a
        fleet route k has vehicle k.
        """
        if instance.fleet is None:
            return list(range(1, self.num_routes + 1))
        listed = instance.fleet.all_vehicles(instance.num_customers)
        free: dict[int, list[int]] = {}
        for number, vehicle_type in enumerate(listed, start=1):
            free.setdefault(vehicle_type, []).append(number)
        numbers_of = {
            vehicle_type: iter(numbers)
            for vehicle_type, numbers in free.items()
        }
        beyond = count(len(listed) + 1)
        return [
            next(chain(numbers_of.get(vehicle_type, ()), beyond))
            for vehicle_type in self.vehicle_types
        ]

    @property
    def num_routes(self) -> int:
        """Number of routes."""
        return len(self.routes)


def _numbers(
    name: str, values: Iterable[object], count: int
) -> tuple[int, ...]:
    try:
        numbers = tuple(map(operator.index, values))  # type: ignore[arg-type]
    except TypeError:
        raise ParameterError(
            f"{name} must be several whole numbers, got "
            f"{describe_value(values)}."
        ) from None
    for number in numbers:
        if not 0 <= number < count:
            raise ParameterError(
                f"{name} must be numbers from 0 to {count - 1}, got {number}."
            )
    return numbers


def route_ids(instance: Instance, solution: Solution) -> list[list[str]]:
    """Return the ids of the customers of each route, in order."""
    names = instance.node_ids
    return [[names[node] for node in route] for route in solution.routes]
