"""Ruin and recreate: slack induction by string removals, annealed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import (
    combine_limits,
    counts_iterations,
    first_of,
)
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.polishing.fleets.limits import is_searched_plainly
from ncc_routing.vrp.polishing.fleets.search import anneal_fleet
from ncc_routing.vrp.polishing.genetic.search import (
    annealed_share,
    evolve_solutions,
)
from ncc_routing.vrp.polishing.geographic import (
    in_given_form,
    in_searchable_form,
)
from ncc_routing.vrp.polishing.heats import (
    anneal_in_heats,
    is_suited_for_heats,
)
from ncc_routing.vrp.polishing.parts import num_workers
from ncc_routing.vrp.polishing.restarts import (
    count_starts,
    is_time_for_whole,
    solve_from_starts,
)
from ncc_routing.vrp.polishing.rounds import anneal_in_rounds
from ncc_routing.vrp.polishing.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.preferences.affinity import LearnedAffinity
from ncc_routing.vrp.preferences.zones import price

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.preferences.zones import Preference

__all__ = ["RuinRecreateParams", "ruin_and_recreate"]

_NAME: Final = "ruin and recreate"

SECONDS_PER_CUSTOMER: Final = 3e-6
"""Time that reading the routes out at the end takes, generously."""


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
    inserts them again where they cost least. Small instances with much
    time get several annealings, set covering and a genetic search.

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
        Another criterion. Where it or ``max_iterations`` limits the
        iterations, there is a single annealing.
    seed
        Seed of the search, at least 0.
    params
        Sizes and temperatures. Default: ``RuinRecreateParams()``.
    jobs
        Searches at a time, on parts of the routes or each on all of them;
        under a time limit no more than there are cores. Default 1, as beyond
        the CVRP. Threads unless ``joblib.parallel_config`` names a backend.
    preference
        What routes are to be beside short. Default: nothing.

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
    deadline = deadline or Deadline()
    if preference is not None:
        preference.require(instance)
    if not is_searched_plainly(instance):
        whole = combine_limits(_NAME, deadline, max_iterations, stop)
        return anneal_fleet(instance, solution, whole, seed, params)
    settings = {"seed": seed, "params": params, "jobs": jobs}
    limits = (deadline, max_iterations, stop)
    return _anneal_routes(instance, solution, limits, preference, **settings)


def _anneal_routes(
    instance: Instance,
    solution: Solution,
    limits: tuple[Deadline, int | None, Stop | None],
    preference: Preference | LearnedAffinity | None,
    **settings: Any,
) -> Solution:
    """Improve the routes of a CVRP, whatever its distances.

    ``settings`` are those of ``RuinRecreateSearch``.
    """
    if isinstance(preference, LearnedAffinity):
        seen = preference.adjusted(instance)
        start = Solution.from_routes(seen, solution.routes)
        found = _anneal_routes(seen, start, limits, None, **settings)
        return Solution.from_routes(instance, found.routes)
    if settings["jobs"] > 1 and not _is_counted(*limits[1:]):
        settings["jobs"] = min(settings["jobs"], num_workers())
    most = instance.vehicle_types[0].num_available
    given = instance if most is None else replace(instance, fleet=None)
    plain, start = in_searchable_form(given, solution)
    settings["max_routes"] = most
    if preference is not None:
        start, more = _begin(plain, start, limits, preference, settings)
        limits = _after(preference.free_share, *limits)
        settings |= more
    search = RuinRecreateSearch(plain, start, **settings)
    found = _run(search, plain, *limits)
    return in_given_form(given, solution, found, search.price)


def _begin(
    instance: Instance,
    start: Solution,
    limits: tuple[Deadline, int | None, Stop | None],
    preference: Preference,
    settings: dict[str, Any],
) -> tuple[Solution, dict[str, Any]]:
    """Return the routes to begin with, and what changes about the settings.

    The routes are the start, or the shortest that the preference's share of
    the limits finds, whichever costs less with penalties. A search that
    begins with the shortest ones takes no more than these are.
    """
    if preference.free_share == 0.0:
        return start, {"penalties": preference.priced(instance, start)}
    search = RuinRecreateSearch(instance, start, **settings)
    whole = combine_limits(_NAME, *limits)
    anneal_in_rounds(search, whole.part(preference.free_share, 1.0))
    shortest = search.best()
    penalties = preference.priced(instance, shortest)
    if price(start, penalties) < price(shortest, penalties):
        return start, {"penalties": penalties}
    most = {"max_routes": shortest.num_routes}
    return shortest, {"penalties": penalties, **most}


def _is_counted(max_iterations: int | None, stop: Stop | None) -> bool:
    """Whether the iterations are limited, so that an answer is repeatable."""
    return max_iterations is not None or counts_iterations(stop)


def _after(
    share: float,
    deadline: Deadline,
    max_iterations: int | None,
    stop: Stop | None,
) -> tuple[Deadline, int | None, Stop | None]:
    """Return what is left of limits when a share of them is used."""
    if share == 0.0:
        return deadline, max_iterations, stop
    if max_iterations is not None:
        max_iterations -= math.ceil(share * max_iterations)
    if stop is not None and counts_iterations(stop):
        stop = first_of(stop, stop.part(1.0 - share, 1.0))
    return deadline, max_iterations, stop


def _run(
    search: RuinRecreateSearch,
    instance: Instance,
    deadline: Deadline,
    max_iterations: int | None,
    stop: Stop | None,
) -> Solution:
    """Search as long as there is time, and return the best solution.

    Children of the annealed routes get the rest of a time limit, where the
    instance is small enough for it.
    """
    is_counted = _is_counted(max_iterations, stop)
    share = 1.0
    if not (is_counted or search.has_penalties):
        share = annealed_share(instance, deadline.remaining())
    if share == 1.0:
        return anneal(search, instance, deadline, max_iterations, stop)
    first = deadline.within(share * deadline.remaining())
    found = anneal(search, instance, first, None, stop)
    return evolve_solutions(
        instance,
        [found],
        deadline,
        stop,
        seed=search.seed,
        max_routes=search.max_routes,
        jobs=search.jobs,
    )


def anneal(
    search: RuinRecreateSearch,
    instance: Instance,
    deadline: Deadline,
    max_iterations: int | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Anneal once, in heats, or several times and combine the routes.

    Parameters
    ----------
    search
        The search, with its start.
    instance
        Its instance.
    deadline, max_iterations, stop
        See ``ruin_and_recreate``.
    """
    num_customers, seconds = instance.num_customers, deadline.remaining()
    num_starts = count_starts(num_customers, seconds)
    is_counted = _is_counted(max_iterations, stop)
    if num_starts > 1 and not is_counted:
        return solve_from_starts(instance, search, num_starts, deadline, stop)
    end = deadline.within(seconds - SECONDS_PER_CUSTOMER * num_customers)
    is_whole = search.jobs > 1 and is_time_for_whole(num_customers, seconds)
    if is_suited_for_heats(instance, search, seconds) and not is_counted:
        anneal_in_heats(search, end, stop=stop)
    elif is_whole and not is_counted:
        search.anneal_whole(end, stop=stop)
    else:
        limits = combine_limits(_NAME, end, max_iterations, stop)
        anneal_in_rounds(search, limits)
    return search.best()
