"""Cheapest insertion, for fleets, depots and time windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.vrp.search.fleets.search import (
    FleetSearch,
    with_more_vehicles,
)

if TYPE_CHECKING:
    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.search.fleets.spaces import FleetSpaces


def insert_customers(
    instance: Instance, run: Run, spaces: FleetSpaces | None = None
) -> Solution:
    """Insert all customers, one by one where they cost least.

    The orders are by window, demand, distance and at random; only the first
    ignores the deadline. Customers without a vehicle get one beyond the fleet,
    which ``search.fleets.limits.keep_to_fleet`` takes away, and those that no
    vehicle can serve are missing.
    """
    search = FleetSearch(instance, run.seed, spaces=spaces)
    routes = search.insert_all(run.budget.time_limit)
    return with_more_vehicles(instance, routes, run.seed)
