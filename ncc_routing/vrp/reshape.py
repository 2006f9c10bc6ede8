"""The last step of a plan: other routes within a share of its cost."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import changed, following_seed, to_mapping
from ncc_routing.core.text import counted
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.extra_cost import WeightScale, cap_of, part_of, share_of
from ncc_routing.vrp.initial_solution import Start, read_start
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.problem import as_instance, checked_answer
from ncc_routing.vrp.result import Result, Stage
from ncc_routing.vrp.stages import default_seconds
from ncc_routing.vrp.steps import (
    INITIAL_SOLUTION,
    in_terms_of,
    run_steps,
    with_files_read,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.core.budget import Budget
    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.initial_solution import InitialSolution
    from ncc_routing.vrp.params import SolveParams
    from ncc_routing.vrp.problem import Problem

NUM_ROUNDS: Final = 10
"""Searches that share time and iterations, each with a weight of its own."""


def reshape(
    problem: Problem,
    initial_solution: InitialSolution,
    stop: AnyStop | Budget | None,
    asked: SolveParams,
    callbacks: Callbacks | None = None,
    *,
    display: bool = False,
) -> Result:
    """Make the routes of a plan compact, or consistent with a reference.

    Of the routes within the extra cost of ``asked``, the best ones by the
    preference are returned, or the plan itself if none are better. Ten
    searches share the budget; with a limit on iterations the result depends
    only on the seed. Parameters and errors are as of
    :func:`ncc_routing.solve`; ``ParameterError`` as well if there is no
    preference, or the plan breaks a rule.
    """
    asked.require_all_served("max_extra_cost")
    share = share_of(asked.max_extra_cost, 0.0)
    budget = budget_of(stop, asked.time_limit)
    params = with_files_read(asked)
    given = as_instance(problem)
    start = _feasible(read_start(initial_solution, given), given)
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
            "max_extra_cost": None,
            "seed": following_seed(params.seed, number),
        }
        result = run_steps(
            *(given, part),
            changed(params, {**changes, **scale.of(params)}),
            callbacks=callbacks,
            initial_solution=best,
            display=display,
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
        params=to_mapping(asked),
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
            "is no measure; solve repairs it without max_extra_cost."
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
            "max_extra_cost needs a positive compactness, or a reference and "
            "a positive consistency."
        )

    def penalty(solution: Solution) -> float:
        routes = prepared.from_given(solution).routes
        return float(penalties.penalties(PackedRoutes.of(routes)).sum())

    return penalty
