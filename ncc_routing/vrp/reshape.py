"""The last step of a plan: other routes within a share of its cost."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import changed, chosen, following_seed, to_mapping
from ncc_routing.core.text import counted
from ncc_routing.problems.simplification import Prepared
from ncc_routing.problems.solution import Solution
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.extra_cost import WeightScale, cap_of, part_of, share_of
from ncc_routing.vrp.initial_solution import Start, read_start
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.problem import as_instance, checked_answer
from ncc_routing.vrp.result import Result, Stage
from ncc_routing.vrp.solve import (
    INITIAL_SOLUTION,
    in_terms_of,
    solve,
    with_files_read,
)
from ncc_routing.vrp.stages import default_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.initial_solution import InitialSolution
    from ncc_routing.vrp.problem import Problem

MAX_EXTRA_COST: Final = 0.01
"""Share of the cost of the plan that its new routes may cost more."""

NUM_ROUNDS: Final = 10
"""Searches that share time and iterations, each with a weight of its own."""


def reshape(  # noqa: PLR0913 - as solve
    problem: Problem,
    solution: InitialSolution,
    stop: AnyStop | None = None,
    *,
    max_extra_cost: float = MAX_EXTRA_COST,
    seed: int | None = None,
    time_limit: float | None = None,
    jobs: int | None = None,
    compactness: float | None = None,
    consistency: float | None = None,
    reference: object = None,
    params: SolveParams | None = None,
    callbacks: Callbacks | None = None,
) -> Result:
    """Make the routes of a plan compact, or consistent with a reference.

    Of the routes within the cost limit, the best ones by the preference are
    returned, or the plan itself if none are better.

    Parameters
    ----------
    problem
        As for :func:`ncc_routing.solve`.
    solution
        Feasible routes of any origin, as the ``initial_solution`` of
        :func:`ncc_routing.solve`: PyVRP's ``Solution`` for its data, a
        ``Result`` or ``Solution``, a file, or lists of customers.
    stop
        As for :func:`ncc_routing.solve`. Ten searches share its iterations.
        With a limit on iterations there is no default limit on time, and the
        result depends only on the seed.
    max_extra_cost
        Largest extra cost of the routes, as a share of the cost of the plan,
        at least 0. It is kept exactly. Default 0.01.
    compactness, consistency, reference
        ``compactness``, or ``consistency`` with a ``reference``, must be
        positive: it is the weight of the first round, and is raised and
        lowered to use the cost limit.
    seed, time_limit, jobs, params
        Parameters of the search, as for :func:`ncc_routing.solve`:
        ``reshape(data, solution, compactness=1.0, time_limit=10.0)``.
    callbacks
        Called for each round.

    Returns
    -------
    Result
        Its solution has passed ``check_solution`` for the given problem.
        ``Result.to_pyvrp`` converts it to PyVRP's.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range, there is no preference, or
        the plan breaks a rule.
    InstanceError, UnsupportedProblemError
        As for :func:`ncc_routing.solve`, or if the preference does not accept
        the instance.
    """
    share = share_of(max_extra_cost)
    asked = chosen(
        *(SolveParams, params),
        seed=seed,
        time_limit=time_limit,
        jobs=jobs,
        compactness=compactness,
        consistency=consistency,
        reference=reference,
    )
    asked.require_all_served("reshape")
    budget = budget_of(stop, asked.time_limit)
    params = with_files_read(asked)
    given = as_instance(problem)
    start = _feasible(read_start(solution, given, "solution"), given)
    penalty = _penalty(given, start, params)
    begin = time.perf_counter()
    cap = cap_of(Fraction(start.cost), share)
    budget = budget.or_within(default_seconds(given.num_customers))
    best, best_penalty = start, penalty(start)
    scale = WeightScale()
    for number in count():
        rounds_left = max(1, NUM_ROUNDS - number)
        part = part_of(budget, 1 / NUM_ROUNDS, 1 / rounds_left)
        changes = {
            "time_limit": None,
            "seed": following_seed(params.seed, number),
        }
        result = solve(
            *(given, part),
            params=changed(params, {**changes, **scale.of(params)}),
            callbacks=callbacks,
            initial_solution=best,
        )
        is_within = Fraction(result.cost) <= cap
        if is_within and penalty(result.best) < best_penalty:
            best, best_penalty = result.best, penalty(result.best)
        is_last = budget.counts_iterations and number + 1 == NUM_ROUNDS
        if is_last or result.interrupted or budget.is_spent(best.cost):
            break
        scale = scale.after(is_within)
    runtime = time.perf_counter() - begin
    return replace(
        result,
        best=checked_answer(problem, given, best),
        seed=asked.seed,
        stages=(
            Stage("start", 0.0, start.cost),
            Stage("reshape", runtime, best.cost),
        ),
        runtime=runtime,
        params={**to_mapping(asked), "max_extra_cost": float(share)},
        trace=(),
        phases=(
            INITIAL_SOLUTION,
            f"reshape in {counted(number + 1, 'round')}",
        ),
    )


def _feasible(start: Start, instance: Instance) -> Solution:
    """Return the solution; refuse one that breaks a rule."""
    for message in start.broken[:1]:
        raise ParameterError(
            f"the plan breaks a rule of {instance.name}: {message}. Its cost "
            "is no measure; solve(initial_solution=...) repairs it."
        )
    routes, types = start.solution.routes, start.solution.vehicle_types
    return Solution.from_routes(instance, routes, types)


def _penalty(
    instance: Instance, start: Solution, params: SolveParams
) -> Callable[[Solution], float]:
    prepared = Prepared.of(instance)
    preferences = in_terms_of(prepared, params)[0].preferences
    preferences.require(prepared.simplified)
    penalties = preferences.priced(
        prepared.searched, prepared.from_given(start)
    )
    if penalties is None:
        raise ParameterError(
            "reshape needs a positive compactness, or a reference and a "
            "positive consistency."
        )

    def penalty(solution: Solution) -> float:
        routes = prepared.from_given(solution).routes
        return float(penalties.penalties(PackedRoutes.of(routes)).sum())

    return penalty
