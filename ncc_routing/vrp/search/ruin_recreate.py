"""Ruin and recreate: slack induction by string removals, annealed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ncc_routing.core.budget import Budget
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.processes import num_workers
from ncc_routing.problems import features
from ncc_routing.problems.fleet import Fleet
from ncc_routing.vrp.preferences.preferences import (
    Penalties,
    Preferences,
    price,
)
from ncc_routing.vrp.search.fleets.runs import FleetRuns
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
from ncc_routing.vrp.search.geographic import in_given_form, in_searchable_form
from ncc_routing.vrp.search.phases import (
    NOT_ELIMINATED,
    NOT_ITERATED,
    Phase,
    Phases,
    Step,
    choose_phases,
)
from ncc_routing.vrp.search.race import race
from ncc_routing.vrp.search.rounds import search_in_rounds
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.search.leaders import LeadingRoutes

__all__ = ["RuinRecreateParams", "ruin_and_recreate"]

ONE_TRIP_SHARES: Final = 0.1, 0.25
"""Shares of the time for routes that never reload, where reloads are allowed;
the second one where the first one pays."""

FIRST_ITERATIONS: Final = 100
FIRST_MAX_CUSTOMERS: Final = 1000
"""Iterations that problems up to a size have even if the time is over by then,
as on a busy machine: some milliseconds."""

SECONDS_PER_CUSTOMER: Final = 3e-6
"""Time reserved for reading the routes out at the end."""


def ruin_and_recreate(
    instance: Instance,
    solution: Solution,
    run: Run,
    params: RuinRecreateParams | None = None,
    preferences: Preferences = Preferences(),
    phases: Phases | None = None,
    spaces: FleetSpaces | None = None,
) -> Solution:
    """Improve a feasible solution by ruin and recreate.

    Each iteration removes strings of customers from neighbouring routes and
    inserts them again where they cost least; 2-opt, 2-opt* and segment
    relocation follow. Under a time limit, a CVRP is then searched by iterated
    local search, small ones from several annealings.

    Parameters
    ----------
    instance
        The instance. A matrix need not be symmetric.
    solution
        A feasible solution to start from.
    run
        Its budget limits the time or the iterations; iterations make a single
        annealing, and without a deadline seed and number of jobs determine the
        answer. The jobs are searches at a time, on parts of the routes or all;
        under a time limit at most one per core.
        Threads unless ``joblib.parallel_config`` names a backend.
    params
        Sizes and temperatures. Default: ``RuinRecreateParams()``.
    preferences
        What routes are to be besides short. Default: nothing.
    phases
        Phases of the search; with some features beyond the CVRP, all of them
        anneal. More than one phase needs a time limit, and no limit of
        iterations. Default: what ``choose_phases`` says.
    spaces
        Search spaces of the stages before, beyond the CVRP. Default: none.

    Returns
    -------
    Solution
        A feasible one, never worse in length and penalties together.

    Raises
    ------
    ParameterError
        If neither the time nor the iterations are limited, or the phases do
        not go with the limits.
    UnsupportedProblemError
        If a preference does not accept the instance.

    References
    ----------
    J. Christiaens, G. Vanden Berghe (2020). Slack induction by string
    removals for vehicle routing problems. Transportation Science 54(2).
    """
    preferences.require(instance)
    budget = run.budget
    if run.jobs > 1 and not budget.counts_iterations:
        run = replace(run, jobs=min(run.jobs, num_workers()))
    if phases is None:
        phases = choose_phases(
            instance,
            budget.remaining(),
            jobs=run.jobs,
            preferences=preferences,
            counts_iterations=budget.counts_iterations,
        )
    is_timed = budget.time_limit.is_limited() and not budget.counts_iterations
    searches = [phase for phase in phases if phase.step is not Step.SHORTEN]
    if not is_timed and (len(searches) > 1 or searches[0].runs > 1):
        raise ParameterError(
            "phases of several searches need a time limit, and no limit of "
            "iterations."
        )
    _require_steps(instance, {phase.step for phase in phases}, preferences)
    adjusted, start = preferences.adjusted(instance), solution
    if adjusted is not instance:
        start = solution.costed(adjusted)
    common = adjusted, start, run, params, preferences, phases
    if instance.is_cvrp:
        improved = _anneal_routes(*common)
    else:
        improved = _anneal_fleet(*common, spaces)
    return improved if adjusted is instance else improved.costed(instance)


def _require_steps(
    instance: Instance, steps: set[Step], preferences: Preferences
) -> None:
    """Refuse steps that know no such problem."""
    if Step.ITERATE in steps and preferences.has_penalties:
        raise ParameterError("an iterated local search counts no penalties.")
    for step, name, unknown in (
        (Step.ITERATE, "iterated local search", NOT_ITERATED),
        (Step.ELIMINATE, "elimination of routes", NOT_ELIMINATED),
    ):
        refused = sorted(unknown.intersection(instance.features))
        if step in steps and refused:
            raise ParameterError(f"no {name} takes {', '.join(refused)}.")
    if Step.ELIMINATE in steps and (
        instance.is_cvrp or preferences.has_penalties
    ):
        raise ParameterError(
            "an elimination of routes takes no plain CVRP, and no penalties."
        )


def _anneal_routes(
    instance: Instance,
    solution: Solution,
    run: Run,
    params: RuinRecreateParams | None,
    preferences: Preferences,
    phases: Phases,
) -> Solution:
    most = instance.vehicle_types[0].num_available
    searchable, start = in_searchable_form(instance, solution)

    def begin(
        first: Solution, penalties: Penalties | None, run: Run
    ) -> LeadingRoutes:
        routes = most if first is start else first.num_routes
        return RuinRecreateSearch(
            searchable, first, run, params, routes, penalties
        )

    search = _search(searchable, start, run, preferences, phases, begin)
    return in_given_form(instance, solution, search.best(), search.price)


def _anneal_fleet(
    instance: Instance,
    solution: Solution,
    run: Run,
    params: RuinRecreateParams | None,
    preferences: Preferences,
    phases: Phases,
    spaces: FleetSpaces | None,
) -> Solution:
    common = params or RuinRecreateParams(), spaces or FleetSpaces()

    def begin(
        first: Solution, penalties: Penalties | None, run: Run
    ) -> LeadingRoutes:
        return FleetRuns(instance, first, run, penalties, *common)

    if not common[1].of(instance, common[0]).has_members:
        return solution
    is_timed = run.budget.is_timed and not run.budget.counts_iterations
    without = solution
    may_reload = features.RELOAD_DEPOTS in instance.features
    if may_reload and is_timed and not instance.in_progress:
        without = _without_reloads(
            instance, solution, run, common[0], preferences
        )
    search = _search(instance, solution, run, preferences, phases, begin)
    return min(solution, without, search.best(), key=search.price)


def _without_reloads(
    instance: Instance,
    solution: Solution,
    run: Run,
    params: RuinRecreateParams,
    preferences: Preferences,
) -> Solution:
    """Return routes that never reload; the given ones where these cost less.

    A search that may reload takes several times as long for an iteration.
    """
    types = instance.vehicle_types
    fleet = Fleet(tuple(replace(each, reload_depots=()) for each in types))
    single, spaces = instance.derived(fleet=fleet), FleetSpaces()
    if any(map(set(instance.depots).intersection, solution.routes)):
        search = FleetSearch(single, run.seed, params, spaces)
        found = search.insert_all(run.budget.time_limit)
        if search.num_absent > 0:
            return solution
    else:
        found = solution.costed(single)
    for share in ONE_TRIP_SHARES:
        within = run.within(share * run.budget.remaining())
        found = ruin_and_recreate(
            *(single, found, within, params, preferences), spaces=spaces
        )
        if found.cost >= solution.cost:
            return solution
    return found.costed(instance)


def _search(
    instance: Instance,
    start: Solution,
    run: Run,
    preferences: Preferences,
    phases: Phases,
    begin: Callable[[Solution, Penalties | None, Run], LeadingRoutes],
) -> LeadingRoutes:
    """Run the phases; return the search that went through them.

    ``begin`` makes a search from some routes.
    """
    seconds = run.budget.remaining()
    first = phases[0]
    best, penalties = start, None
    if preferences.has_penalties:
        shortest = start
        if first.step is Step.SHORTEN:
            # The shortest routes of a first search for a share of the limits,
            # or the start, whichever costs less with penalties.
            whole = run.budget.criterion("ruin and recreate")
            shorter = begin(start, None, run)
            budget = Budget(stop=whole.part(first.end, 1.0))
            search_in_rounds(shorter, Phase(Step.ANNEAL), budget)
            shortest = shorter.best()
            run = run.with_budget(run.budget.after(first.end))
        penalties = preferences.priced(instance, shortest)
        best = min(shortest, start, key=lambda each: price(each, penalties))
    search = begin(best, penalties, run)
    _run_phases(search, run, phases, seconds)
    return search


def _run_phases(
    search: LeadingRoutes, run: Run, phases: Phases, seconds: float
) -> None:
    """Run phases for some seconds."""
    reading = SECONDS_PER_CUSTOMER * search.instance.num_customers
    for phase in phases:
        if phase.step is Step.SHORTEN:
            continue
        if run.budget.is_spent(search.best_length):
            break
        later = (1.0 - phase.end) * seconds if phase.end < 1.0 else 0.0
        left = run.budget.remaining() - later - reading
        of_phase = run.budget.within(left)
        run_phase = race if phase.runs > 1 else search_in_rounds
        run_phase(search, phase, of_phase)
    _make_up(search, run.budget)


def _make_up(search: LeadingRoutes, budget: Budget) -> None:
    """Do the first iterations of a small problem where time was too short."""
    missing = FIRST_ITERATIONS - search.num_iterations
    limit, is_met = budget.time_limit, budget.is_met(search.best_length)
    is_late = limit.passed() and not (limit.is_zero() or limit.is_called_off())
    is_small = search.instance.num_customers <= FIRST_MAX_CUSTOMERS
    if missing > 0 and is_late and is_small and not is_met:
        left = Budget.of(iterations=missing)
        search_in_rounds(search, Phase(Step.ANNEAL), left)
