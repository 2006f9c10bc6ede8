"""Ruin and recreate: slack induction by string removals, annealed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.stopping import (
    combine_limits,
    counts_iterations,
    first_of,
    is_met,
)
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.preferences.affinity import LearnedAffinity
from ncc_routing.vrp.preferences.zones import price
from ncc_routing.vrp.recombination.route_pool import RoutePool, select_routes
from ncc_routing.vrp.search.annealing import num_workers
from ncc_routing.vrp.search.fleets.limits import is_searched_plainly
from ncc_routing.vrp.search.fleets.search import anneal_fleet
from ncc_routing.vrp.search.genetic.search import evolve_solutions
from ncc_routing.vrp.search.geographic import (
    in_given_form,
    in_searchable_form,
)
from ncc_routing.vrp.search.plan import Step, plan_search
from ncc_routing.vrp.search.rounds import anneal_in_rounds
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.search.successive_halving import anneal_by_halving

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.preferences.zones import Preference
    from ncc_routing.vrp.search.plan import Plan

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
    plan: Plan | None = None,
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
    plan
        Phases of the search for a CVRP; other problems are annealed once. More
        than one annealing needs a time limit, and no limit of iterations.
        Default: what ``plan_search`` says.

    Returns
    -------
    Solution
        A feasible one, never worse in length and penalties together.

    Raises
    ------
    ParameterError
        If neither the time nor the iterations are limited, or the plan does
        not go with the limits.
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
    if jobs > 1 and not limits.counts_iterations:
        jobs = min(jobs, num_workers())
    if plan is None:
        plan = plan_search(
            instance,
            limits.deadline.remaining(),
            jobs=jobs,
            preference=preference,
            counts_iterations=limits.counts_iterations,
        )
    is_timed = limits.deadline.is_limited() and not limits.counts_iterations
    simple = {Step.SHORTEN, Step.PARTS}
    if not is_timed and any(phase.step not in simple for phase in plan):
        raise ParameterError(
            "a plan of several annealings needs a time limit, and no limit of "
            "iterations."
        )
    settings = {"seed": seed, "params": params, "jobs": jobs}
    return _anneal_routes(
        instance, solution, limits, plan, preference, **settings
    )


def _anneal_routes(
    instance: Instance,
    solution: Solution,
    limits: _Limits,
    plan: Plan,
    preference: Preference | LearnedAffinity | None,
    **settings: Any,
) -> Solution:
    """Improve the routes of a CVRP by the settings of the search."""
    if isinstance(preference, LearnedAffinity):
        seen = preference.adjusted(instance)
        start = Solution.from_routes(seen, solution.routes)
        found = _anneal_routes(seen, start, limits, plan, None, **settings)
        return Solution.from_routes(instance, found.routes)
    most = instance.vehicle_types[0].num_available
    given = instance if most is None else replace(instance, fleet=None)
    plain, start = in_searchable_form(given, solution)
    settings["max_routes"] = most
    seconds = limits.deadline.remaining()
    if preference is not None:
        share = plan[0].end if plan[0].step is Step.SHORTEN else 0.0
        start, more = _begin(plain, start, limits, preference, share, settings)
        limits = limits.after(share)
        settings |= more
    search = RuinRecreateSearch(plain, start, **settings)
    found = _run(search, limits, plan, seconds)
    return in_given_form(given, solution, found, search.price)


def _begin(
    instance: Instance,
    start: Solution,
    limits: _Limits,
    preference: Preference,
    share: float,
    settings: dict[str, Any],
) -> tuple[Solution, dict[str, Any]]:
    """Return the routes to begin with, and what changes about the settings.

    They are the start, or the shortest of a first search for a share of the
    limits, whichever costs less with penalties; the shortest ones also limit
    the number of routes.
    """
    if share == 0.0:
        return start, {"penalties": preference.priced(instance, start)}
    search = RuinRecreateSearch(instance, start, **settings)
    anneal_in_rounds(search, limits.combined().part(share, 1.0))
    shortest = search.best()
    penalties = preference.priced(instance, shortest)
    if price(start, penalties) < price(shortest, penalties):
        return start, {"penalties": penalties}
    most = {"max_routes": shortest.num_routes}
    return shortest, {"penalties": penalties, **most}


def _run(
    search: RuinRecreateSearch, limits: _Limits, plan: Plan, seconds: float
) -> Solution:
    """Run the phases of a plan for some seconds; return the best solution."""
    deadline, stop = limits.deadline, limits.stop
    has_covering = any(phase.step is Step.COVER for phase in plan)
    pool = RoutePool() if has_covering else None
    reading = SECONDS_PER_CUSTOMER * search.instance.num_customers
    best = search.best()
    for phase in plan:
        if phase.step is Step.SHORTEN:
            continue
        if deadline.passed() or is_met(stop, best.cost):
            break
        later = (1.0 - phase.end) * seconds if phase.end < 1.0 else 0.0
        end = deadline.within(deadline.remaining() - later)
        own = end.within(end.remaining() - reading)
        if phase.step is Step.PARTS:
            anneal_in_rounds(search, replace(limits, deadline=own).combined())
        elif phase.step is Step.WHOLE:
            search.anneal_whole(own, pool, stop)
        elif phase.step is Step.HALVE:
            anneal_by_halving(search, own, pool, stop)
        elif phase.step is Step.COVER and pool is not None:
            best = _covered(search, pool, best, end)
        elif phase.step is Step.EVOLVE:
            best = evolve_solutions(
                search.instance,
                [best],
                end,
                stop,
                seed=search.seed,
                max_routes=search.max_routes,
                jobs=search.jobs,
            )
        best = min(best, search.best(), key=search.price)
    return best


def _covered(
    search: RuinRecreateSearch,
    pool: RoutePool,
    best: Solution,
    deadline: Deadline,
) -> Solution:
    """Return the best combination of routes, if it is better than the best.

    Source: Rochat and Taillard (1995), Probabilistic diversification and
    intensification in local search for vehicle routing, Journal of
    Heuristics 1.
    """
    routes, costs = pool.arrays()
    found = select_routes(
        search.instance, routes, costs, best, deadline, search.price_routes
    )
    # The covering does not count the routes that it takes.
    most = search.max_routes
    return found if most is None or found.num_routes <= most else best
