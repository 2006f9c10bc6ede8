"""Several annealings, and one solution made of all their routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import is_met
from ncc_routing.vrp.recombination.route_pool import RoutePool, select_routes
from ncc_routing.vrp.search.successive_halving import (
    anneal_by_halving,
    is_suited_for_halving,
)

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.search.ruin_recreate_search import (
        RuinRecreateSearch,
    )

COVERING_SHARE: Final = 0.2
"""Share of the time from the second annealing on that the covering gets."""


def solve_from_starts(
    search: RuinRecreateSearch,
    num_starts: int,
    deadline: Deadline,
    stop: Stop | None = None,
) -> Solution:
    """Anneal several times from the same start, and recombine the routes.

    The best solution by ``search.price`` is never worse than the start.
    ``stop`` limits no iterations; ``deadline`` needs a limit. Source: Rochat
    and Taillard (1995), Probabilistic diversification and intensification in
    local search for vehicle routing, Journal of Heuristics 1.
    """
    pool = RoutePool()
    best = search.best()
    for number in range(num_starts):
        if deadline.passed() or is_met(stop, best.cost):
            break
        part = deadline.remaining() / (num_starts - number)
        end = deadline.within(part)
        share = COVERING_SHARE if number > 0 else 0.0
        own = deadline.within((1.0 - share) * part)
        if is_suited_for_halving(search, own.remaining()):
            anneal_by_halving(search, own, pool, stop)
        else:
            search.anneal_whole(own, pool, stop)
        best = min(best, search.best(), key=search.price)
        if number > 0:
            routes, costs = pool.arrays()
            covered = select_routes(
                search.instance, routes, costs, best, end, search.price_routes
            )
            # The covering does not count the routes that it takes.
            most = search.max_routes
            if most is None or covered.num_routes <= most:
                best = covered
    return best
