"""Checks of a solution that share no code with any solver."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncc_routing.constants import COST_TOLERANCE

if TYPE_CHECKING:
    from ncc_routing.instance import Instance
    from ncc_routing.solution import Solution


@dataclass(frozen=True)
class Violation:
    """One broken rule.

    Parameters
    ----------
    kind
        "unknown", "duplicate", "missing", "capacity", "empty" or "cost".
    message
        The rule and the values, for a person.
    """

    kind: str
    message: str


def check_solution(instance: Instance, solution: Solution) -> list[Violation]:
    """Return every rule of the CVRP that a solution breaks.

    Each customer is visited exactly once, no load exceeds the capacity, no
    route is empty, and the stated cost is the sum of the distances.

    Parameters
    ----------
    instance
        The instance.
    solution
        The solution to check.

    Returns
    -------
    list[Violation]
        Empty for a feasible solution with the right cost.
    """
    violations = _check_coverage(instance, solution)
    if violations:
        return violations
    demands = instance.demands.tolist()
    cost = 0.0
    for number, route in enumerate(solution.routes, start=1):
        if not route:
            text = f"route {number} is empty"
            violations.append(Violation("empty", text))
        load = sum(demands[customer] for customer in route)
        if load > instance.capacity:
            text = f"route {number} carries {load} of {instance.capacity}"
            violations.append(Violation("capacity", text))
        cost += instance.route_cost(route)
    if not math.isclose(cost, solution.cost, rel_tol=COST_TOLERANCE):
        text = f"the stated cost is {solution.cost:g}, the routes add up to "
        violations.append(Violation("cost", f"{text}{cost:g}"))
    return violations


def _check_coverage(instance: Instance, solution: Solution) -> list[Violation]:
    visits = Counter(c for route in solution.routes for c in route)
    customers = range(1, instance.num_customers + 1)
    found = [
        Violation("unknown", f"there is no customer {customer}")
        for customer in sorted(visits)
        if customer not in customers
    ]
    for customer in customers:
        count = visits[customer]
        if count == 0:
            text = f"customer {customer} is not visited"
            found.append(Violation("missing", text))
        elif count > 1:
            text = f"customer {customer} is visited {count} times"
            found.append(Violation("duplicate", text))
    return found
