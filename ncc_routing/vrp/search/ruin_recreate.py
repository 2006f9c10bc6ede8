"""Ruin and recreate: slack induction by string removals, annealed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import (
    combine_limits,
    counts_iterations,
    first_of,
)
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.preferences.affinity import LearnedAffinity
from ncc_routing.vrp.preferences.zones import price
from ncc_routing.vrp.search.annealing import num_workers
from ncc_routing.vrp.search.fleets.limits import is_searched_plainly
from ncc_routing.vrp.search.fleets.search import anneal_fleet
from ncc_routing.vrp.search.genetic.search import evolve_solutions
from ncc_routing.vrp.search.geographic import (
    in_given_form,
    in_searchable_form,
)
from ncc_routing.vrp.search.phases import (
    annealed_share,
    count_starts,
    is_time_for_whole,
)
from ncc_routing.vrp.search.restarts import solve_from_starts
from ncc_routing.vrp.search.rounds import anneal_in_rounds
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.search.successive_halving import (
    anneal_by_halving,
    is_suited_for_halving,
)

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.preferences.zones import Preference

__all__ = ["RuinRecreateParams", "ruin_and_recreate"]

_NAME: Final = "ruin and recreate"

SECONDS_PER_CUSTOMER: Final = 3e-6
"""Time reserved for reading the routes out at the end."""


@dataclass(frozen=True)
class _Limits:
    """When to stop, as ``ruin_and_recreate`` takes it."""

    deadline: Deadline
    max_iterations: int | None = None
    stop: Stop | None = None

    @property
    def counts_iterations(self) -> bool:
        """Whether the iterations are limited: the answer is repeatable."""
        return self.max_iterations is not None or counts_iterations(self.stop)

    def combined(self) -> Stop:
        """Return all limits as one."""
        return combine_limits(
            _NAME, self.deadline, self.max_iterations, self.stop
        )

    def after(self, share: float) -> _Limits:
        """Return what is left when a share of the limits is used."""
        if share == 0.0:
            return self
        most, stop = self.max_iterations, self.stop
        if most is not None:
            most -= math.ceil(share * most)
        if stop is not None and counts_iterations(stop):
            stop = first_of(stop, stop.part(1.0 - share, 1.0))
        return _Limits(self.deadline, most, stop)


def ruin_and_recreate(  # noqa: PLR0913 - three ways to say when to stop
    instance: Instance,
    solution: Solution,
    *,
    deadline: Deadline | None = None,
    max_iterations: int | None = None,
    stop: Stop | None = None,
    seed: int = 1,
    params: RuinRecreateParams | None = None,
    jobs: int = 1,
    preference: Preference | LearnedAffinity | None = None,
) -> Solution:
    """Improve a feasible solution by ruin and recreate.

    Each iteration removes strings of customers from neighbouring routes and
    inserts them again where they cost least; 2-opt, 2-opt* and segment
    relocation follow. Small instances with much time get several annealings,
    set covering and a genetic search.

    Parameters
    ----------
    instance
        The instance. A matrix need not be symmetric.
    solution
        A feasible solution to start from.
    deadline
        When to stop.
    max_iterations
        Iterations at most. With them and no deadline, seed and number of
        jobs determine the answer.
    stop
        Another criterion. It or ``max_iterations`` limiting the iterations
        makes a single annealing.
    seed
        Seed of the search, at least 0.
    params
        Sizes and temperatures. Default: ``RuinRecreateParams()``.
    jobs
        Searches at a time, on parts of the routes or all; under a time limit
        at most one per core. Default 1, the only number beyond the CVRP.
        Threads unless ``joblib.parallel_config`` names a backend.
    preference
        What routes are to be besides short. Default: nothing.

    Returns
    -------
    Solution
        A feasible one, never worse in length and penalties together.

    Raises
    ------
    ParameterError
        If neither the time nor the iterations are limited.
    UnsupportedProblemError
        If the preference does not accept the instance.

    References
    ----------
    J. Christiaens, G. Vanden Berghe (2020). Slack induction by string
    removals for vehicle routing problems. Transportation Science 54(2).
    """
    params = params or RuinRecreateParams()
    limits = _Limits(deadline or Deadline(), max_iterations, stop)
    if preference is not None:
        preference.require(instance)
    if not is_searched_plainly(instance):
        whole = limits.combined()
        return anneal_fleet(instance, solution, whole, seed, params)
    settings = {"seed": seed, "params": params, "jobs": jobs}
    return _anneal_routes(instance, solution, limits, preference, **settings)


def _anneal_routes(
    instance: Instance,
    solution: Solution,
    limits: _Limits,
    preference: Preference | LearnedAffinity | None,
    **settings: Any,
) -> Solution:
    """Improve the routes of a CVRP by the settings of the search."""
    if isinstance(preference, LearnedAffinity):
        seen = preference.adjusted(instance)
        start = Solution.from_routes(seen, solution.routes)
        found = _anneal_routes(seen, start, limits, None, **settings)
        return Solution.from_routes(instance, found.routes)
    if settings["jobs"] > 1 and not limits.counts_iterations:
        settings["jobs"] = min(settings["jobs"], num_workers())
    most = instance.vehicle_types[0].num_available
    given = instance if most is None else replace(instance, fleet=None)
    plain, start = in_searchable_form(given, solution)
    settings["max_routes"] = most
    if preference is not None:
        start, more = _begin(plain, start, limits, preference, settings)
        limits = limits.after(preference.free_share)
        settings |= more
    search = RuinRecreateSearch(plain, start, **settings)
    found = _run(search, limits)
    return in_given_form(given, solution, found, search.price)


def _begin(
    instance: Instance,
    start: Solution,
    limits: _Limits,
    preference: Preference,
    settings: dict[str, Any],
) -> tuple[Solution, dict[str, Any]]:
    """Return the routes to begin with, and what changes about the settings.

    They are the start, or the shortest of a first search, whichever costs less
    with penalties; the shortest ones also limit the number of routes.
    """
    if preference.free_share == 0.0:
        return start, {"penalties": preference.priced(instance, start)}
    search = RuinRecreateSearch(instance, start, **settings)
    anneal_in_rounds(
        search, limits.combined().part(preference.free_share, 1.0)
    )
    shortest = search.best()
    penalties = preference.priced(instance, shortest)
    if price(start, penalties) < price(shortest, penalties):
        return start, {"penalties": penalties}
    most = {"max_routes": shortest.num_routes}
    return shortest, {"penalties": penalties, **most}


def _run(search: RuinRecreateSearch, limits: _Limits) -> Solution:
    """Anneal; the genetic search gets its share of a time limit."""
    deadline = limits.deadline
    share = 1.0
    if not (limits.counts_iterations or search.has_penalties):
        share = annealed_share(search.instance, deadline.remaining())
    if share == 1.0:
        return _anneal(search, limits)
    first = deadline.within(share * deadline.remaining())
    found = _anneal(search, _Limits(first, None, limits.stop))
    return evolve_solutions(
        search.instance,
        [found],
        deadline,
        limits.stop,
        seed=search.seed,
        max_routes=search.max_routes,
        jobs=search.jobs,
    )


def _anneal(search: RuinRecreateSearch, limits: _Limits) -> Solution:
    """Anneal once, by successive halving, or from several starts."""
    deadline, stop = limits.deadline, limits.stop
    num_customers = search.instance.num_customers
    seconds = deadline.remaining()
    end = deadline.within(seconds - SECONDS_PER_CUSTOMER * num_customers)
    if limits.counts_iterations:
        anneal_in_rounds(search, replace(limits, deadline=end).combined())
        return search.best()
    num_starts = count_starts(num_customers, seconds)
    if num_starts > 1:
        return solve_from_starts(search, num_starts, deadline, stop)
    if is_suited_for_halving(search, seconds):
        anneal_by_halving(search, end, stop=stop)
    elif search.jobs > 1 and is_time_for_whole(num_customers, seconds):
        search.anneal_whole(end, stop=stop)
    else:
        anneal_in_rounds(search, replace(limits, deadline=end).combined())
    return search.best()
