"""The phases of a search, chosen once by size, time and cores.

No other file decides how often to anneal, and when to iterate.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf, log2
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.problems import features
from ncc_routing.vrp.preferences.preferences import Preferences

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

RACE_MAX_CUSTOMERS: Final = 1000
"""Customers up to which several searches are raced."""

START_SECONDS_PER_CUSTOMER: Final = 4e-3
"""Time for each of several annealings, in seconds a customer."""

SMALL_MAX_CUSTOMERS: Final = 200
SMALL_START_SECONDS: Final = 3e-6
"""The same of small problems, in seconds a pair of customers. Routes of 100
customers are 0.02 % shorter after 0.3 s than after one annealing, and 0.03 %
after 1 s (commit 045245c202ec)."""

MAX_RUNS: Final = 8
"""Annealings at most that a race begins with."""

WHOLE_SECONDS_PER_CUSTOMER: Final = 2.5e-3
"""Time from which each job searches all routes, in seconds a customer. Two
annealings are 0.10 +- 0.03 % ahead of one then, and parts of the routes gain
nothing (commit 22b5417233dc)."""

ANNEALED_SHARE: Final = 0.4
"""Share of the time that the annealings take, before an iterated search."""

COOLED: Final = 0.6
"""Progress of the annealings at which they end."""

NOT_ITERATED: Final = frozenset(
    {
        features.OPTIONAL_CUSTOMERS,
        features.CLIENT_GROUPS,
        features.SHIPMENTS,
        features.RELOAD_DEPOTS,
    }
)
"""Features that no iterated local search takes: customers come and go, or do
so together."""

TYING: Final = frozenset(
    {features.OPTIONAL_CUSTOMERS, features.CLIENT_GROUPS}
    | (features.ROUTE_RULES - {features.SKILLS, features.PINNED})
)
"""Features of problems that cannot be cut into parts."""

NOT_ELIMINATED: Final = NOT_ITERATED | TYING
"""Features with which no route is given up alone."""

NOT_COMPARED: Final = features.DRIVERS_DAY | {features.UNIT_DURATION_COSTS}
"""Features that make moves slow, with which it was not compared."""

RICH_SECONDS_PER_CUSTOMER: Final = 7.5e-3
"""The same as ``WHOLE_SECONDS_PER_CUSTOMER`` beyond the CVRP, where an
iteration takes three times as long."""

RICH_START_SECONDS_PER_CUSTOMER: Final = 9e-3
"""The same as ``START_SECONDS_PER_CUSTOMER`` with windows. Backhauls, which
are searched as fast as the CVRP, have its own: with 0.06 s a customer routes
of 200 are 0.19 +- 0.07 % shorter (commit 73370ef03690)."""

RICH_LEAST_RUNS: Final = 4
"""Annealings for which such a race is worth it. With four and 0.1 s a customer
routes are 0.08 +- 0.07 % shorter with windows, 0.14 +- 0.09 % with several
depots and 0.15 +- 0.20 % with skills; two with 0.06 s gain nothing (commit
b7bd6ec72cee)."""

RICH_SHARE: Final = 0.5
"""Share of the time that the first annealings take then, where an annealing
follows."""

ITERATED_SECONDS_PER_CUSTOMER: Final = 0.05
"""Time from which problems with windows or backhauls end by an iterated local
search, in seconds a customer. With 0.06 s routes are 0.10 +- 0.05 % shorter,
with several depots 0.19 +- 0.14 %; with 0.025 s they are alike (commit
c02acd60ddb1)."""

WARM: Final = 0.3
"""Progress at which the iterated local searches of annealed routes begin."""

ELIMINATED_SHARES: Final = 1 / 6, 5 / 12
"""Shares of the last phase between which routes are eliminated, at most: an
iterated local search has polished them before. Where clusters nearly fill a
vehicle routes of 400 customers are 0.28 +- 0.10 % shorter (commit
a939fa85e007), of 1,000 0.34 +- 0.10 % (commit e4e641a2c9cb), elsewhere
alike."""

HEATED: Final = 0.3
"""Progress at which its annealings begin."""

RESTART_SECONDS_PER_CUSTOMER: Final = 0.025
"""Time for one of several annealings with penalties, in seconds a customer."""

MAX_STARTS: Final = 10
"""Annealings with penalties at most."""

SCALING_SHARE: Final = 0.1
"""Share beyond the CVRP that first only shortens the routes: those of an
insertion cost up to twice as much as the best ones, and so would penalties."""


class Step(StrEnum):
    """What a search does in a phase."""

    SHORTEN = "shorten"
    """Anneal without penalties, before these count."""

    ANNEAL = "anneal"
    """Ruin and recreate with falling temperature."""

    ELIMINATE = "eliminate"
    """Give up routes whose customers others serve for less, until none is
    found."""

    ITERATE = "iterate"
    """Iterated local search, with the edges of the other leaders."""


class Phase(NamedTuple):
    """A step, and the share of the time of the search at which it ends.

    ``runs`` are searches of all routes, from the best that the phase before
    ended with; a single one may search parts of the routes. ``progress`` is
    that of temperatures or thresholds at the begin and at the end.
    """

    step: Step
    end: float = 1.0
    runs: int = 1
    progress: tuple[float, float] = (0.0, 1.0)

    def progress_at(self, share: float) -> float:
        """Return the progress after a share of the phase."""
        begin, end = self.progress
        return begin + share * (end - begin)

    def __str__(self) -> str:
        """Return it in words."""
        times = f"{self.runs} x " if self.runs > 1 else ""
        return f"{times}{self.step} to {100.0 * self.end:.0f} %"


# Phases in their order, the last of which ends at 1.
Phases = tuple[Phase, ...]


def choose_phases(
    instance: Instance,
    seconds: float,
    *,
    jobs: int = 1,
    preferences: Preferences = Preferences(),
    counts_iterations: bool = False,
) -> Phases:
    """Return the phases of a search by ruin and recreate.

    Parameters
    ----------
    instance
        The instance. Beyond the CVRP several jobs may begin with an annealing
        each, the best of which goes on in parts of the routes; problems with
        windows or backhauls end by iterated local search where there is time.
    seconds
        Time for the search; ``inf`` without a limit means one annealing.
    jobs
        Searches at a time. Default 1.
    preferences
        What routes are to be besides short. Penalties are annealed alone,
        again and again where there is much time. Default: nothing.
    counts_iterations
        Whether the iterations are limited, which means one annealing: the
        answer is repeatable. Default no.
    """
    has_penalties, free_share = preferences.has_penalties, 0.0
    if has_penalties:
        is_cvrp = instance.is_cvrp
        free_share = preferences.free_share if is_cvrp else SCALING_SHARE
    first = (Phase(Step.SHORTEN, free_share),) if free_share > 0.0 else ()
    is_rich = not instance.is_cvrp
    if counts_iterations or seconds == inf or (is_rich and has_penalties):
        return (*first, Phase(Step.ANNEAL))
    if is_rich:
        is_timed = features.TIME_WINDOWS in instance.features
        iterates = (is_timed or instance.has_backhauls) and (
            NOT_ITERATED | NOT_COMPARED
        ).isdisjoint(instance.features)
        eliminates = NOT_ELIMINATED.isdisjoint(instance.features)
        return rich_phases(
            *(instance.num_customers, seconds, jobs),
            iterates=iterates,
            eliminates=eliminates,
            start_seconds=RICH_START_SECONDS_PER_CUSTOMER
            if is_timed
            else START_SECONDS_PER_CUSTOMER,
        )
    if not has_penalties:
        return race_phases(instance.num_customers, seconds, jobs)
    left = (1.0 - free_share) * seconds
    enough = RESTART_SECONDS_PER_CUSTOMER * instance.num_customers
    num_starts = max(1, min(MAX_STARTS, int(left / enough)))
    step = (1.0 - free_share) / num_starts
    ends = [free_share + step * (idx + 1) for idx in range(num_starts)]
    return (*first, *(Phase(Step.ANNEAL, end) for end in ends))


def rich_phases(
    num_customers: int,
    seconds: float,
    jobs: int,
    *,
    iterates: bool,
    eliminates: bool,
    start_seconds: float = RICH_START_SECONDS_PER_CUSTOMER,
) -> Phases:
    """Return one annealing, or one for each job of which the best goes on.

    If ``iterates``, and if there is time, these are the phases of a race, with
    an elimination of routes in the last one if ``eliminates``. Its first
    annealings have ``start_seconds`` a customer each.
    """
    count = max(1, num_customers)
    least = _least_runs(
        num_customers, seconds, jobs, RICH_SECONDS_PER_CUSTOMER
    )
    if iterates and seconds >= ITERATED_SECONDS_PER_CUSTOMER * count:
        each = start_seconds * count
        runs = _count_runs(num_customers, seconds * jobs, each)
        first, *others = _halving(runs if runs >= RICH_LEAST_RUNS else 1)
        # A single run has a part of the routes for each job.
        phases = (
            first._replace(runs=max(first.runs, least)),
            *(
                each if each.runs >= jobs else each._replace(runs=1)
                for each in others
            ),
        )
        return _with_elimination(phases) if eliminates else phases
    if least == 1:
        return (Phase(Step.ANNEAL),)
    return (
        Phase(Step.ANNEAL, RICH_SHARE, least, (0.0, COOLED)),
        Phase(Step.ANNEAL, progress=(COOLED, 1.0)),
    )


def _with_elimination(phases: Phases) -> Phases:
    """Return a race whose last phase eliminates routes after its begin."""
    *first, last = phases
    start, (begin, end) = first[-1].end, ELIMINATED_SHARES
    half = last.progress_at(begin / (1.0 - (end - begin)))
    ends = [start + share * (1.0 - start) for share in (begin, end)]
    return (
        *first,
        Phase(Step.ITERATE, ends[0], progress=(last.progress[0], half)),
        Phase(Step.ELIMINATE, ends[1], progress=(HEATED, 1.0)),
        Phase(Step.ITERATE, progress=(half, last.progress[1])),
    )


def race_phases(num_customers: int, seconds: float, jobs: int = 1) -> Phases:
    """Return annealings, and iterated searches of the better halves."""
    each = START_SECONDS_PER_CUSTOMER * max(1, num_customers)
    if num_customers <= SMALL_MAX_CUSTOMERS:
        each = SMALL_START_SECONDS * max(1, num_customers) ** 2
    return _halving(
        _count_runs(num_customers, seconds * jobs, each),
        _least_runs(num_customers, seconds, jobs, WHOLE_SECONDS_PER_CUSTOMER),
    )


def _least_runs(
    num_customers: int, seconds: float, jobs: int, per_customer: float
) -> int:
    """Return 1, or the jobs where each may search all routes."""
    is_raced = num_customers <= RACE_MAX_CUSTOMERS
    return jobs if is_raced and seconds >= per_customer * num_customers else 1


def _count_runs(num_customers: int, seconds: float, each: float) -> int:
    """Return how many annealings of so many seconds each a race begins with.

    ``seconds`` are those of all jobs together.
    """
    if num_customers > RACE_MAX_CUSTOMERS:
        return 1
    most = min(ANNEALED_SHARE * seconds / each, MAX_RUNS)
    return int(2 ** max(0, int(log2(max(1.0, most)))))


def _halving(runs: int, least: int = 1) -> Phases:
    """Return so many annealings, and iterated searches of the better halves.

    There are at least ``least`` of each. Default 1.
    """
    num_rungs = max(1, int(log2(runs)))
    phases = [
        Phase(Step.ANNEAL, ANNEALED_SHARE, max(runs, least), (0.0, COOLED))
    ]
    for rung in range(num_rungs):
        begin, end = rung / num_rungs, (rung + 1) / num_rungs
        runs = max(1, runs // 2)
        phases.append(
            Phase(
                Step.ITERATE,
                ANNEALED_SHARE + (1.0 - ANNEALED_SHARE) * end,
                max(runs, least),
                (WARM + (1.0 - WARM) * begin, WARM + (1.0 - WARM) * end),
            )
        )
    return tuple(phases)
