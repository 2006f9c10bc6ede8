"""What a run begins with, and the time of its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.pyvrp.search import WHOLE_MAX_CUSTOMERS, setup_seconds
from ncc_routing.vrp.methods import (
    AUTOMATIC,
    IMPROVEMENTS,
    METHODS,
    NO_IMPROVEMENT,
    PYVRP_AFTER_SEARCH,
    QUICKEST,
    STEADY,
)

if TYPE_CHECKING:
    from ncc_routing.core.budget import Budget
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.methods import Construction, Improvement
    from ncc_routing.vrp.params import SolveParams

CONSTRUCTION_SHARE: Final = 0.2
"""Share of a time limit that a construction may use before an improvement."""

PLACING_SHARE: Final = 0.2
"""Share of the time left in which all customers are to find a place where some
may stay without one."""

FEWEST_SHARE: Final = 0.5
"""Share of the time left in which vehicles are given up where they count."""

EVENED_SHARE: Final = 0.6
"""The same in which the largest amount of a route falls where it counts."""

EVENED_SETUPS: Final = 5
"""Set-ups of a search that this time has to be enough for."""

SERVING_SHARE: Final = 0.3
"""Share of the time left in which fewer are left out before that."""

CHECK_SECONDS: Final = 8e-6
RICH_CHECK_SECONDS: Final = 3e-5
"""Time that is left for the check of the answer, in seconds a customer: of the
CVRP, and of any other problem."""

REASONS_SECONDS: Final = 3e-5
REASONS_SHARE: Final = 0.2
"""Time that is left for the reasons of each unserved order, in seconds a
customer, and the most of the time for all of them."""

SEARCH_SHARE: Final = 0.8
"""Share of the time of the improvement ``pyvrp`` in which ruin and recreate
makes PyVRP's start. On 20 generated instances of 100 to 1,000 customers,
shares of 0.5, 0.8 and 0.95 are 0.47, 0.32 and 0.33 % above the best cost
after 1 s, and 0.15, 0.13 and 0.05 % after 5 s; on 5 of them 0.06, 0.09 and
0.15 % after 20 s. PyVRP alone is 2.56, 1.69 and 0.91 % above it."""

ROUTING_SHARE: Final = 0.3
ROUTING_SECONDS_PER_CUSTOMER: Final = 5e-4
"""Time that the routing of clusters takes at most: a share of that for the
construction, and generously what customers take."""

SECONDS_PER_CUSTOMER: Final = 0.01
LEAST_SECONDS: Final = 2.0
MOST_SECONDS: Final = 60.0
"""Time for an improvement without a limit: it grows with the instance between
these bounds."""

TINY_SECONDS_PER_CUSTOMER: Final = 0.1
"""Time for a few customers, less than ``LEAST_SECONDS``."""


def choose_method(params: SolveParams, instance: Instance) -> Construction:
    """Return the construction that a run names, or what suits it.

    Before an improvement the quickest construction is as good as any other
    (``QUICKEST``); without one the best construction is chosen. Instances that
    only insertion accepts get insertion. Steady routes start from the
    districts of their reference.
    """
    if params.method != AUTOMATIC:
        return METHODS[params.method]
    if not METHODS["savings"].accepted(instance.features):
        return METHODS["insertion"]
    if params.consistency > 0.0:
        return STEADY
    best = METHODS["ckm"]
    is_last = params.polish == NO_IMPROVEMENT
    if is_last and best.accepted(instance.features):
        return best
    return METHODS["savings"] if is_last else QUICKEST


class ImprovementStep(NamedTuple):
    """A stage after the first routes, and the share of the time at its end."""

    name: str
    improvement: Improvement
    end: float = 1.0


def choose_improvements(
    params: SolveParams, num_customers: int, seconds: float, *, has_start: bool
) -> tuple[ImprovementStep, ...]:
    """Return the stages of an improvement, for the seconds that are left.

    PyVRP has all the time from routes that the user gives or whose
    construction he names. Else a search makes its start, and has all the time
    where too little would be left to set PyVRP up.
    """
    last = ImprovementStep("polish", IMPROVEMENTS[params.polish])
    if params.polish != "pyvrp" or params.method != AUTOMATIC or has_start:
        return (last,)
    search = ImprovementStep("search", IMPROVEMENTS["ruin-recreate"])
    is_whole = num_customers <= WHOLE_MAX_CUSTOMERS
    left = (1.0 - SEARCH_SHARE) * seconds
    if is_whole and left < setup_seconds(num_customers):
        return (search,)
    return (
        search._replace(end=SEARCH_SHARE),
        last._replace(improvement=PYVRP_AFTER_SEARCH),
    )


def default_seconds(num_customers: int) -> float:
    """Return the time of a run with an improvement and without any limit."""
    least = min(LEAST_SECONDS, TINY_SECONDS_PER_CUSTOMER * num_customers)
    return min(MOST_SECONDS, max(least, SECONDS_PER_CUSTOMER * num_customers))


def construction_budget(budget: Budget, params: SolveParams) -> Budget:
    """Return that of the construction: it ends early before an improvement."""
    if params.polish == NO_IMPROVEMENT or not budget.time_limit.is_limited():
        return budget
    return budget.within(CONSTRUCTION_SHARE * budget.remaining())


def clustering_budget(budget: Budget, num_customers: int) -> Budget:
    """Return that of clusters which are routed until its end."""
    left = budget.remaining()
    routing = min(
        ROUTING_SHARE * left, ROUTING_SECONDS_PER_CUSTOMER * num_customers
    )
    return budget.within(left - routing)
