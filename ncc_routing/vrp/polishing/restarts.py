"""Several annealings, and one solution made of all their routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import is_met
from ncc_routing.vrp.polishing.heats import (
    anneal_in_heats,
    is_suited_for_heats,
)
from ncc_routing.vrp.recombination.route_pool import RoutePool, select_routes

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.polishing.ruin_recreate_search import (
        RuinRecreateSearch,
    )

START_SECONDS_PER_CUSTOMER: Final = 0.025
"""Time for one annealing, in seconds a customer."""

MIN_STARTS: Final = 3
MAX_STARTS: Final = 10
"""Bounds of the number of annealings, where there is more than one."""

SMALL_NUM_CUSTOMERS: Final = 400
SMALL_SECONDS_PER_CUSTOMER: Final = 0.0375
"""Number of customers up to which ``MIN_STARTS`` annealings are made from this
time on, although each is short. Measured at 40 and 80 milliseconds a customer
(``docs/benchmarks/restart_choice.csv``): with up to 300 customers three are
0.19 +- 0.05 % better than one, with 500 and 800 they gain nothing."""

WHOLE_MAX_CUSTOMERS: Final = 1000
WHOLE_SECONDS_PER_CUSTOMER: Final = 0.0025
"""Number of customers up to which each of several jobs anneals all routes from
this time on; less was not measured. Up to a thousand customers the better of
two annealings is 0.10 +- 0.03 % ahead of one, and two threads in parts are
nowhere; with 1,500 there is no difference between the two ways
(``docs/benchmarks/cores_choice.csv``)."""

COVERING_SHARE: Final = 0.2
"""Share of the time from the second annealing on that the covering gets."""


def count_starts(num_customers: int, seconds: float) -> int:
    """Return how many annealings a time limit is best divided into.

    Parameters
    ----------
    num_customers
        Number of customers.
    seconds
        The time limit; without one (``inf``) there is a single annealing.
    """
    if seconds == float("inf"):
        return 1
    starts = int(seconds / (START_SECONDS_PER_CUSTOMER * num_customers))
    if starts >= MIN_STARTS:
        return min(MAX_STARTS, starts)
    is_small = num_customers <= SMALL_NUM_CUSTOMERS
    gains = seconds >= SMALL_SECONDS_PER_CUSTOMER * num_customers
    return MIN_STARTS if is_small and gains else 1


def is_time_for_whole(num_customers: int, seconds: float) -> bool:
    """Whether each of several jobs is to anneal all routes.

    Else it is a part of them.

    Parameters
    ----------
    num_customers
        Number of customers.
    seconds
        The time limit.
    """
    least = WHOLE_SECONDS_PER_CUSTOMER * num_customers
    is_small = num_customers <= WHOLE_MAX_CUSTOMERS
    return is_small and least <= seconds < float("inf")


def solve_from_starts(
    instance: Instance,
    search: RuinRecreateSearch,
    num_starts: int,
    deadline: Deadline,
    stop: Stop | None = None,
) -> Solution:
    """Anneal several times from the same start, and recombine the routes.

    Parameters
    ----------
    instance
        The instance.
    search
        The search; its annealings differ by their random numbers.
    num_starts
        Number of annealings.
    deadline
        When to stop; it needs a limit.
    stop
        Another criterion, which limits no iterations.

    Returns
    -------
    Solution
        The best solution found, never worse than the start; what counts
        is ``search.price``.

    References
    ----------
    Rochat and Taillard (1995), Probabilistic diversification and
    intensification in local search for vehicle routing. Journal of
    Heuristics 1.
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
        if is_suited_for_heats(instance, search, own.remaining()):
            anneal_in_heats(search, own, pool, stop)
        else:
            search.anneal_whole(own, pool, stop)
        best = min(best, search.best(), key=search.price)
        if number > 0:
            routes, costs = pool.arrays()
            covered = select_routes(
                instance, routes, costs, best, end, search.price_routes
            )
            # The covering does not count the routes that it takes.
            most = search.max_routes
            if most is None or covered.num_routes <= most:
                best = covered
    return best
