"""Customers whom a solution leaves out where not all can be served."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.selection import Selection
from ncc_routing.problems.simplification import longest_distance
from ncc_routing.problems.solution import Solution
from ncc_routing.problems.values import LARGEST_SUM, longest_finite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ncc_routing.problems.instance import Instance


_OF_OTHERS: Final = ("missing", "group", "together", "in_progress", "cost")
"""Kinds of violations of a route alone that are about other customers."""


@dataclass(frozen=True)
class Unserved:
    """A required customer who is on no route.

    Parameters
    ----------
    customer
        Its number. Of a required group it is the first customer.
    id
        Its id, or its number as a text.
    reasons
        What each alone would give it a place on the routes as they are:
        "wider time windows", "longer shifts", "more capacity", ... Default:
        not known, or no single one is enough.
    """

    customer: int
    id: str
    reasons: tuple[str, ...] = ()


def with_prizes(instance: Instance) -> Instance:
    """Return the problem whose required customers may be left out.

    Each is worth more than any plan costs, so that the best solution leaves
    the fewest out. Customers of in-progress routes stay required, and so do
    deliveries of what these have on board.
    """
    size = len(instance.demands)
    given = instance.selection
    prizes = np.zeros(size) if given is None else given.prizes.copy()
    groups = () if given is None else given.groups
    is_open = instance.required
    is_open[list(chain(*(o.customers for o in instance.in_progress)))] = False
    prize = _prize(instance)
    prizes[is_open] += prize
    for shipment in instance.shipments:
        prizes[shipment.delivery] = 0.0
    for group in groups:
        if group.required:
            prizes[list(group.customers)] += prize
    return replace(
        instance,
        selection=Selection(
            prizes,
            instance.required & ~is_open,
            tuple(replace(group, required=False) for group in groups),
        ),
    )


def without_required(instance: Instance, customers: Iterable[int]) -> Instance:
    """Return the problem in which some customers need not be served."""
    customers = list(customers)
    if not customers:
        return instance
    given = instance.selection
    is_required = instance.required
    is_required[customers] = False
    for shipment in instance.shipments:
        is_required[shipment.delivery] = is_required[shipment.pickup]
    groups = () if given is None else given.groups
    return replace(
        instance,
        selection=Selection(
            np.zeros(len(instance.demands)) if given is None else given.prizes,
            is_required,
            tuple(
                replace(group, required=False)
                if group.customers[0] in customers
                else group
                for group in groups
            ),
        ),
    )


def kept_whole(instance: Instance, solution: Solution) -> Solution:
    """Return the routes without those whose partners are left out.

    Partners must share a route. A route that breaks a rule without one of its
    customers, as it can where a detour is shorter, is left out as a whole.
    """
    constraints = instance.constraints
    if constraints is None or not constraints.same_route:
        return solution
    routes = [list(route) for route in solution.routes]
    types = solution.vehicle_types
    is_whole = False
    while not is_whole:
        is_whole = True
        for group in constraints.same_route:
            served = set(chain.from_iterable(routes))
            lost = served.intersection(group)
            if not lost or lost.issuperset(group):
                continue
            is_whole = False
            for idx, route in enumerate(routes):
                left = _without(instance, route, lost)
                if len(left) < len(route):
                    alone = Solution((tuple(left),), 0.0, (types[idx],))
                    broken = check_solution(instance, alone)
                    is_kept = all(one.kind in _OF_OTHERS for one in broken)
                    routes[idx] = left if is_kept else []
    return Solution.from_routes(instance, routes, types)


def _without(
    instance: Instance, route: list[int], lost: set[int]
) -> list[int]:
    """Return a route without some customers and their shipments."""
    ends = [{each.pickup, each.delivery} for each in instance.shipments]
    lost = lost.union(*(pair for pair in ends if pair & lost))
    return [node for node in route if node not in lost]


def _prize(instance: Instance) -> float:
    """Return more than a plan costs, as far as sums stay exact."""
    count, types = instance.num_customers, instance.vehicle_types
    longest = [longest_distance(instance)]
    durations = [longest[0] if instance.durations is None else 0.0]
    for matrix in (
        instance.durations,
        *(each.durations for each in instance.profiles),
    ):
        if matrix is not None:
            durations.append(longest_finite(matrix))
    longest += [longest_finite(each.matrix) for each in instance.profiles]
    time = 2.0 * max(*durations, *longest)
    if instance.windows is not None:
        windows = instance.windows
        waiting = np.concatenate([windows.tw_early, windows.release_times])
        time += float(waiting.max() + windows.service_durations.max())
    cost = max(abs(each.fixed_cost) for each in types)
    cost += (
        2.0
        * max(longest)
        * max(abs(each.unit_distance_cost) for each in types)
    )
    cost += time * max(
        each.unit_duration_cost + each.unit_overtime_cost for each in types
    )
    lost = 0.0
    if instance.selection is not None:
        lost = float(instance.selection.prizes.sum())
    most = (LARGEST_SUM - lost) / (2 * count)
    return math.floor(min(count * cost + lost + 1.0, most))


def unserved_lines(unserved: Sequence[Unserved]) -> list[str]:
    """Return who is left out and why in lines of text."""
    lines = [f"{'unserved':<10}{len(unserved)}"] if unserved else []
    for one in unserved:
        why = f" ({' or '.join(one.reasons)} would do)" if one.reasons else ""
        lines.append(f"{'':<10}{one.id}{why}")
    return lines
