"""Ruin and recreate, then PyVRP where it gets anywhere."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ncc_routing.core.extras import is_installed
from ncc_routing.core.seeds import stage_seed
from ncc_routing.core.stopping import is_met
from ncc_routing.vrp.polishing.fleets.limits import limits_only_the_fleet
from ncc_routing.vrp.polishing.pyvrp_search import (
    SETUP_SECONDS_PER_PAIR,
    polish_pyvrp,
)
from ncc_routing.vrp.polishing.ruin_recreate import (
    RuinRecreateParams,
    ruin_and_recreate,
)
from ncc_routing.vrp.pyvrp_limits import fits_pyvrp

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.polishing.loyalty import LoyalRoutes
    from ncc_routing.vrp.polishing.zones import Preference

TAIL_SHARE: Final = 0.05
"""Share of the time in which PyVRP has the last word.

At 10 seconds that shortens the routes at every size from 100 to 800
customers on average, at 2 seconds it lengthens them from 200 customers on
(``docs/benchmarks/polish_choice.csv``): it needs some time at all.
"""

MIN_TAIL: Final = 0.4
"""Seconds below which PyVRP is left out, its set-up not counted."""

SMALL: Final = 150
SMALL_TAIL: Final = 1.0
"""Up to this number of customers PyVRP gets that many seconds at least, half
of the time at most: it finds what ruin and recreate does not."""


def tail_seconds(num_customers: int, seconds: float) -> float:
    """Return how much of a time limit PyVRP gets at the end.

    Parameters
    ----------
    num_customers
        Number of customers.
    seconds
        The time limit; without one (``inf``) PyVRP is left out, since its
        iterations are not those of ruin and recreate.
    """
    if math.isinf(seconds) or not fits_pyvrp(num_customers):
        return 0.0
    tail = TAIL_SHARE * seconds
    if num_customers <= SMALL:
        return min(0.5 * seconds, max(tail, SMALL_TAIL))
    setup = SETUP_SECONDS_PER_PAIR * num_customers * num_customers
    return tail if tail >= MIN_TAIL + 2.0 * setup else 0.0


def polish_auto(  # noqa: PLR0913 - what a run gives to a polish
    instance: Instance,
    solution: Solution,
    deadline: Deadline,
    seed: int,
    stop: Stop | None = None,
    jobs: int = 1,
    params: RuinRecreateParams | None = None,
    preference: Preference | LoyalRoutes | None = None,
) -> Solution:
    """Improve a solution by ruin and recreate, then by PyVRP.

    Where PyVRP is not installed, or the problem is more than a CVRP, ruin
    and recreate gets all the time, and so it does where a preference
    counts: PyVRP would only shorten the routes.

    Parameters
    ----------
    instance
        The instance.
    solution
        A feasible solution to start from.
    deadline
        When to stop.
    stop
        Another criterion that ends each of the two searches. Without it
        the deadline needs a limit.
    seed
        Seed of the searches.
    jobs
        Number of cores that ruin and recreate may use.
    params
        Parameters of ruin and recreate. Default: its own.
    preference
        As in ``ruin_and_recreate``. Default: nothing.

    Returns
    -------
    Solution
        A feasible solution, never worse than ``solution``, as
        ``ruin_and_recreate`` says.
    """
    seconds = deadline.remaining()
    tail = 0.0
    is_cvrp = instance.is_plain or limits_only_the_fleet(instance)
    if is_cvrp and preference is None and is_installed("pyvrp"):
        tail = tail_seconds(instance.num_customers, seconds)
    best = ruin_and_recreate(
        instance,
        solution,
        deadline=deadline.within(seconds - tail),
        stop=stop,
        seed=stage_seed(seed, "ruin-recreate"),
        params=params,
        jobs=jobs,
        preference=preference,
    )
    if tail > 0.0 and not is_met(stop, best.cost):
        best = polish_pyvrp(
            instance, best, deadline, stage_seed(seed, "pyvrp"), stop=stop
        )
    return best
