"""The phases of a search, chosen once by size, time and cores.

No other file decides when to anneal side by side, to restart, to cover, to
evolve or to cut into parts.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.vrp.search.fleets.limits import is_searched_plainly

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.preferences.zones import Preference

LONGEST_ROUTE: Final = 20
"""Customers of a route beyond which their number alone counts."""

HALVING_MAX_CUSTOMERS: Final = 1000
"""Customers up to which successive halving was measured."""

HALVING_SECONDS_PER_SIZE: Final = 5e-4
"""Seconds per unit of ``_search_size`` from which successive halving beats one
annealing: 0.6 ms by 0.13 +- 0.05 %, 0.3 ms by 0.05 +- 0.04
(``docs/benchmarks/choices.md``)."""

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

COVERING_SHARE: Final = 0.2
"""Share of the time from the second annealing on that the covering gets."""

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
``_search_size``: 2 s for a hundred customers on twenty routes. With less, the
annealing makes more of the time (``docs/benchmarks/choices.md``)."""

ANNEALED_SHARE: Final = 0.5
"""Share of the time that goes to the annealing before a genetic search."""

SCALING_SHARE: Final = 0.1
"""Share beyond the CVRP that first only shortens the routes: those of an
insertion cost up to twice as much as the best ones, and so would penalties."""


class Step(StrEnum):
    """What a search does in a phase."""

    SHORTEN = "shorten"
    """Anneal without penalties, before these count."""

    PARTS = "anneal"
    """One annealing, of parts of the routes where there are many."""

    WHOLE = "anneal whole"
    """One annealing of all routes in each job."""

    HALVE = "halve"
    """Annealings side by side, of which the better ones go on."""

    ITERATE = "iterate"
    """An iterated local search of all routes in each job."""

    COVER = "cover"
    """The best combination of the routes met so far, by set covering."""

    EVOLVE = "evolve"
    """A genetic search that begins with the best routes."""


class Phase(NamedTuple):
    """A step, and the share of the time of the search at which it ends."""

    step: Step
    end: float = 1.0

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.step} to {100.0 * self.end:.0f} %"


# Phases in their order, the last of which ends at 1.
Plan = tuple[Phase, ...]


def plan_search(
    instance: Instance,
    seconds: float,
    *,
    jobs: int = 1,
    preference: Preference | None = None,
    counts_iterations: bool = False,
) -> Plan:
    """Return the phases of a search by ruin and recreate.

    Parameters
    ----------
    instance
        The instance. Beyond the CVRP there is one annealing.
    seconds
        Time for the search; ``inf`` without a limit means one annealing.
    jobs
        Searches at a time. Default 1.
    preference
        What routes are to be besides short. Neither halving nor the genetic
        search can deal with penalties. Default: nothing.
    counts_iterations
        Whether the iterations are limited, which means one annealing: the
        answer is repeatable. Default no.
    """
    free_share, has_penalties = 0.0, False
    if preference is not None and preference.has_penalties:
        free_share, has_penalties = preference.free_share, True
        if not is_searched_plainly(instance):
            free_share = SCALING_SHARE
    first = (Phase(Step.SHORTEN, free_share),) if free_share > 0.0 else ()
    if (
        counts_iterations
        or seconds == inf
        or not is_searched_plainly(instance)
    ):
        return (*first, Phase(Step.PARTS))
    left, annealed = 1.0 - free_share, 1.0
    if not has_penalties and _is_time_to_evolve(instance, seconds):
        annealed = ANNEALED_SHARE
    phases = _plan_annealing(
        instance, left * annealed * seconds, jobs, has_penalties
    )
    scaled = [
        Phase(one.step, free_share + left * annealed * one.end)
        for one in phases
    ]
    last = (Phase(Step.EVOLVE),) if annealed < 1.0 else ()
    return (*first, *scaled, *last)


def _search_size(num_customers: int, num_routes: int) -> float:
    """Return customers times routes, to compare time limits with.

    Routes beyond ``LONGEST_ROUTE`` customers count as several.
    """
    return num_customers * max(num_routes, num_customers / LONGEST_ROUTE)


def _count_starts(num_customers: int, seconds: float) -> int:
    """Return how many annealings share a time limit."""
    starts = int(seconds / (START_SECONDS_PER_CUSTOMER * num_customers))
    if starts >= MIN_STARTS:
        return min(MAX_STARTS, starts)
    is_small = num_customers <= SMALL_NUM_CUSTOMERS
    gains = seconds >= SMALL_SECONDS_PER_CUSTOMER * num_customers
    return MIN_STARTS if is_small and gains else 1


def _plan_annealing(
    instance: Instance, seconds: float, jobs: int, has_penalties: bool
) -> Plan:
    """Return the phases before a genetic search, as shares of their time."""
    num_customers = instance.num_customers
    num_starts = _count_starts(num_customers, seconds)

    def halves(share: float) -> bool:
        enough = HALVING_SECONDS_PER_SIZE * _search_size(
            num_customers, instance.min_num_routes
        )
        is_small = num_customers <= HALVING_MAX_CUSTOMERS
        return not has_penalties and is_small and share * seconds >= enough

    if num_starts == 1:
        if halves(1.0):
            return (Phase(Step.HALVE),)
        is_small = num_customers <= WHOLE_MAX_CUSTOMERS
        enough = WHOLE_SECONDS_PER_CUSTOMER * num_customers
        if jobs > 1 and is_small and seconds >= enough:
            return (Phase(Step.WHOLE),)
        return (Phase(Step.PARTS),)
    phases = []
    for number in range(num_starts):
        covered = COVERING_SHARE if number > 0 else 0.0
        share = (1.0 - covered) / num_starts
        step = Step.HALVE if halves(share) else Step.WHOLE
        phases.append(Phase(step, number / num_starts + share))
        if covered:
            phases.append(Phase(Step.COVER, (number + 1) / num_starts))
    return tuple(phases)


def _is_time_to_evolve(instance: Instance, seconds: float) -> bool:
    """Whether the genetic search helps in a time limit.

    It does not with asymmetric distances or too many customers.
    """
    num_customers = instance.num_customers
    if not 1 < num_customers <= GENETIC_MAX_CUSTOMERS:
        return False
    size = _search_size(num_customers, instance.min_num_routes)
    return GENETIC_SECONDS_PER_SIZE * size <= seconds and instance.is_symmetric
