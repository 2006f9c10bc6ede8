"""The polish that suits the size of the instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.polishing.pyvrp_search import polish_pyvrp
from ncc_routing.polishing.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from ncc_routing.deadline import Deadline
    from ncc_routing.instance import Instance
    from ncc_routing.solution import Solution

SEQUENCE_LIMIT: Final = 150
"""Customers up to which PyVRP takes over for the second half of the time.

Ruin and recreate alone is better from 200 customers on, both in turn are
better or equal at 50 and 100, and PyVRP alone is never better than both
(``docs/benchmarks/polish_choice.py``).
"""


def polish_auto(
    instance: Instance,
    solution: Solution,
    deadline: Deadline,
    seed: int,
    jobs: int = 1,
) -> Solution:
    """Improve a solution by ruin and recreate, on small instances PyVRP too.

    Parameters
    ----------
    instance
        The instance.
    solution
        A feasible solution to start from.
    deadline
        When to stop; it needs a limit.
    seed
        Seed of the searches.
    jobs
        Number of parts of a large instance that are searched at a time.

    Returns
    -------
    Solution
        A feasible solution, never worse than ``solution``.
    """
    if instance.num_customers > SEQUENCE_LIMIT:
        return ruin_and_recreate(
            instance, solution, deadline=deadline, seed=seed, jobs=jobs
        )
    half = deadline.within(0.5 * deadline.remaining())
    best = ruin_and_recreate(instance, solution, deadline=half, seed=seed)
    return polish_pyvrp(instance, best, deadline, seed)
