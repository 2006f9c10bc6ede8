"""The least cost of the fewest vehicles."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ncc_routing.vrp.search.fleets.limits import with_fewer_vehicles
from ncc_routing.vrp.search.phases import COOLED, Phase, Step
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
    from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams

STARTS_SHARE: Final = 0.4
"""Share of the time in which several plans are annealed."""

START_SECONDS_PER_CUSTOMER: Final = 5e-3
"""Time for each of them at least, in seconds a customer."""

LEAST_STARTS: Final = 4
MAX_STARTS: Final = 8
"""Plans for which the race is worth it, and at most. With 0.1 s a customer
routes of 200 pickups and deliveries are 0.81 +- 0.25 % shorter, those of 400
0.38 +- 0.28 %, and with windows alone 0.20 +- 0.15 % (commit 8f89e1919046)."""

SHORT: Final = (Phase(Step.ANNEAL, progress=(0.0, COOLED)),)
"""How each of them is annealed."""


def best_of_starts(
    instance: Instance,
    solution: Solution,
    run: Run,
    params: RuinRecreateParams | None = None,
    spaces: FleetSpaces | None = None,
    *,
    plain: Instance,
    first: Solution,
) -> Solution:
    """Return the best of several annealed plans on as few vehicles.

    Full vehicles leave a search few ways, so that much depends on where it
    begins. ``first`` is the plan of ``plain``, where vehicles cost no more,
    whose routes were given up to find the solution. With other seeds they make
    the further starts; in one of these it is annealed before. Where there is
    too little time the solution is returned as it is.
    """
    budget = run.budget
    each = START_SECONDS_PER_CUSTOMER * max(1, instance.num_customers)
    budget = budget.within(STARTS_SHARE * budget.remaining())
    count = int(min(MAX_STARTS, budget.remaining() / each))
    if count < LEAST_STARTS or first.num_routes == solution.num_routes:
        return solution

    def annealed(on: Instance, start: Solution, part: Run) -> Solution:
        return ruin_and_recreate(
            *(on, start, part, params), phases=SHORT, spaces=spaces
        )

    best = solution
    for number in range(count):
        if budget.is_spent(best.cost):
            break
        part = run.for_stage(f"start {number}").with_budget(budget)
        part = part.within(budget.remaining() / (count - number))
        start, origin = solution, first
        if number == 1:
            half = part.within(0.5 * part.budget.remaining())
            origin = annealed(plain, first, half)
        if number > 0:
            origin, least = origin.costed(instance), solution.num_routes
            start = with_fewer_vehicles(instance, origin, part, spaces, least)
        if start.num_routes <= solution.num_routes:
            found = annealed(instance, start, part)
            best = min(best, found, key=attrgetter("cost"))
    return best
