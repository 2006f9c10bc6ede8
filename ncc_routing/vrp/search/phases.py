"""What a time limit is best spent on, by the size of the instance.

An iteration limit gets a single annealing.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

LONGEST_ROUTE: Final = 20
"""Customers of a route beyond which their number alone counts."""

HALVING_MAX_CUSTOMERS: Final = 1000
"""Customers up to which successive halving was measured."""

HALVING_SECONDS_PER_SIZE: Final = 5e-4
"""Seconds per unit of ``search_size`` from which successive halving beats one
annealing: 0.6 ms by 0.13 +- 0.05 %, 0.3 ms by 0.05 +- 0.04
(``docs/benchmarks/heat_choice.md``)."""

START_SECONDS_PER_CUSTOMER: Final = 0.025
"""Time for one of several annealings, in seconds a customer."""

MIN_STARTS: Final = 3
MAX_STARTS: Final = 10
"""Bounds of the number of annealings, where there is more than one."""

SMALL_NUM_CUSTOMERS: Final = 400
SMALL_SECONDS_PER_CUSTOMER: Final = 0.0375
"""Customers up to which ``MIN_STARTS`` short annealings are made from this
time on. At 40 and 80 ms a customer three are 0.19 +- 0.05 % better than one up
to 300 customers, and no better with 500
(``docs/benchmarks/restart_choice.csv``)."""

WHOLE_MAX_CUSTOMERS: Final = 1000
WHOLE_SECONDS_PER_CUSTOMER: Final = 0.0025
"""Customers up to which each job anneals all routes from this time on. The
better of two annealings is 0.10 +- 0.03 % ahead of one up to 1,000 customers,
and equal with 1,500; subproblems gain nothing
(``docs/benchmarks/cores_choice.csv``)."""

GENETIC_MAX_CUSTOMERS: Final = 1000
"""Customers at most in the genetic search: time and memory of an offspring
grow with their square."""

GENETIC_SECONDS_PER_SIZE: Final = 1e-3
"""Time from which the genetic search helps, in seconds for each unit of
``search_size``: 2 s for a hundred customers on twenty routes. With less, the
annealing makes more of the time (``docs/benchmarks/children_choice.md``)."""

ANNEALED_SHARE: Final = 0.5
"""Share of the time that goes to the annealing before a genetic search."""


def search_size(num_customers: int, num_routes: int) -> float:
    """Return customers times routes, to compare time limits with.

    Routes beyond ``LONGEST_ROUTE`` customers count as several.
    """
    return num_customers * max(num_routes, num_customers / LONGEST_ROUTE)


def count_starts(num_customers: int, seconds: float) -> int:
    """Return how many annealings share a time limit; 1 for ``inf``."""
    if seconds == inf:
        return 1
    starts = int(seconds / (START_SECONDS_PER_CUSTOMER * num_customers))
    if starts >= MIN_STARTS:
        return min(MAX_STARTS, starts)
    is_small = num_customers <= SMALL_NUM_CUSTOMERS
    gains = seconds >= SMALL_SECONDS_PER_CUSTOMER * num_customers
    return MIN_STARTS if is_small and gains else 1


def is_time_for_whole(num_customers: int, seconds: float) -> bool:
    """Whether each of several jobs is to anneal all routes, not some."""
    least = WHOLE_SECONDS_PER_CUSTOMER * num_customers
    is_small = num_customers <= WHOLE_MAX_CUSTOMERS
    return is_small and least <= seconds < inf


def is_time_for_halving(
    num_customers: int, num_routes: int, seconds: float
) -> bool:
    """Whether successive halving beats one annealing in a time limit."""
    size = search_size(num_customers, num_routes)
    is_small = num_customers <= HALVING_MAX_CUSTOMERS
    return is_small and HALVING_SECONDS_PER_SIZE * size <= seconds < inf


def is_time_for_offspring(
    num_customers: int, num_routes: int, seconds: float
) -> bool:
    """Whether the genetic search helps in a time limit."""
    size = search_size(num_customers, num_routes)
    return GENETIC_SECONDS_PER_SIZE * size <= seconds < inf


def annealed_share(instance: Instance, seconds: float) -> float:
    """Return the share of a time limit for annealing.

    The genetic search has the rest: nothing for asymmetric distances, too many
    customers, too little time or no limit (``inf``).
    """
    num_customers = instance.num_customers
    is_suited = 1 < num_customers <= GENETIC_MAX_CUSTOMERS
    is_enough = is_time_for_offspring(
        num_customers, instance.min_num_routes, seconds
    )
    suits = is_suited and instance.is_symmetric and is_enough
    return ANNEALED_SHARE if suits else 1.0
