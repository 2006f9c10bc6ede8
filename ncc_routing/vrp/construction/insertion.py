"""Cheapest insertion, for fleets, depots and time windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.run import Run
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.search.fleets.search import (
    RichSearch,
    with_more_vehicles,
)

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

_OF_WAYS: Final = ("arc", "window", "shift", "distance")
"""Kinds of what the way back of a vehicle may break."""


def insert_customers(instance: Instance, run: Run = Run()) -> Solution:
    """Insert all customers, one by one where they cost least.

    The orders are by window, demand, distance and at random; only the first
    ignores the deadline. Customers without a vehicle get one beyond the fleet,
    which ``search.fleets.limits.keep_to_fleet`` takes away, and those that no
    vehicle can serve are missing.
    """
    _require_begun_routes(instance)
    search = RichSearch(instance, run.seed, kept=run.kept)
    found = search.insert_all(run.budget.deadline)
    return with_more_vehicles(instance, found, run.seed)


def _require_begun_routes(instance: Instance) -> None:
    """Refuse begun routes whose vehicles could not come back as they are."""
    rules = instance.rules
    for number, begun in enumerate(rules.begun if rules else (), start=1):
        alone = Solution((begun.customers,), 0.0, (begun.vehicle_type,))
        for violation in check_solution(instance, alone):
            if violation.kind in _OF_WAYS:
                raise InfeasibleError(
                    f"{instance.name}: begun route {number} cannot come back: "
                    f"{violation.message}."
                )
