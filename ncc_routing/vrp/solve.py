"""The order of the stages: cluster, route, polish, check."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, Unpack

from ncc_routing.core.budget import Budget
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.display import shown
from ncc_routing.core.events import Monitor
from ncc_routing.core.exceptions import (
    InstanceError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.methods import runnable
from ncc_routing.core.params import chosen, to_mapping
from ncc_routing.core.text_files import describe_value
from ncc_routing.io.criteria import limits_of
from ncc_routing.io.references import read_reference
from ncc_routing.problems.features import FORBIDDEN_ARCS, MAX_DISTANCES
from ncc_routing.problems.references import reference_labels
from ncc_routing.problems.simplification import (
    kept_nodes,
    restore,
    simplified_routes,
    simplify,
    without_forbidden_arcs,
)
from ncc_routing.problems.solution import Solution
from ncc_routing.scoring.predictor import PairPredictor, pair_scorer
from ncc_routing.scoring.vocabulary import CVRP
from ncc_routing.vrp.diagnosis.absences import explained
from ncc_routing.vrp.diagnosis.verdict import require_possible
from ncc_routing.vrp.methods import (
    AUTOMATIC,
    CLUSTERERS,
    METHODS,
    NO_POLISH,
    POLISHES,
)
from ncc_routing.vrp.params import OtherChanges, SolveParams
from ncc_routing.vrp.plan import (
    choose_improvements,
    choose_method,
    clustering_budget,
    construction_budget,
    default_seconds,
)
from ncc_routing.vrp.problem import as_instance, checked_answer
from ncc_routing.vrp.result import Result, Stage
from ncc_routing.vrp.search.plan import plan_search
from ncc_routing.vrp.tours.cluster_routes import route_clusters

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyvrp

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.initial_solution import InitialSolution, Start
    from ncc_routing.vrp.methods import Construction, Polish
    from ncc_routing.vrp.params import SolveChanges
    from ncc_routing.vrp.plan import Improvement
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.run import SolveRun

P = ParamSpec("P")
Found = TypeVar("Found")

__all__ = ["SolveParams", "solve", "supports", "warm_start"]

_logger = logging.getLogger(__name__)

INITIAL_SOLUTION = "initial-solution"
"""What runs in place of a method where the user gives routes."""

REPAIR = "repair"
"""The next step where these break a rule."""

WARM_START_SECONDS = 2.0
"""Time for a warm start where the caller sets no limit."""

WARM_START_POLISH = "ruin-recreate"
"""Polish of a warm start: PyVRP itself comes afterwards."""


def solve(
    problem: Problem,
    params: SolveParams | None = None,
    *,
    deadline: Deadline | None = None,
    stop: AnyStop | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
    initial_solution: InitialSolution | None = None,
    **changes: Unpack[SolveChanges],
) -> Result:
    """Solve a vehicle routing problem: make first routes, then improve them.

    Ctrl-C ends the run with the best solution so far; a second one raises.

    Parameters
    ----------
    problem
        An ``Instance``; a VRPLIB file, or a table (.csv, .tsv, .json, .xlsx);
        the name of a known instance; a table as a DataFrame, a mapping of
        columns or a list of mappings (:func:`ncc_routing.problem` makes an
        instance of several tables); or PyVRP's ``ProblemData`` or ``Model``.
    params
        Parameters of the run. Default: ``SolveParams()``.
    deadline
        A ``core.deadline.Deadline`` of the caller. The earlier of this and
        ``time_limit`` ends the run with the best solution so far; its method
        ``expire`` ends it at once. Default: none.
    stop
        Another criterion: one of :mod:`ncc_routing.core.stopping`, one of
        PyVRP's (``MaxRuntime`` becomes a time limit), or a function of the
        best cost that returns whether to stop. It counts the iterations of
        each search of the polish. With an iteration limit, there is no default
        time limit.
    callbacks
        Called at the start, at each better solution, and at the end.
    display
        Whether to show the progress on stderr. Default no.
    initial_solution
        Routes in place of the construction: a ``Solution``, a ``Result``, a
        file in any form that ``ncc-route solve`` writes, PyVRP's ``Solution``,
        or lists of customers, by number or as texts by id. Routes that omit
        customers or break a rule are repaired; the log and ``Result.plan`` say
        so. Default: none.
    changes
        Fields of :class:`ncc_routing.SolveParams` by name, which replace
        those of ``params``:
        ``solve(instance, method="savings", time_limit=10.0)``.

    Returns
    -------
    Result
        Its solution has passed ``check_solution`` for the given problem.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range, or the initial solution has
        an unknown customer, one twice, or is given with a construction.
    InstanceError
        If a file or a table is missing or wrong.
    UnsupportedProblemError
        If the method or the polish does not accept the instance.
    InfeasibleError
        If no feasible plan is found; its ``plan`` has the fewest absent ones.
    MissingDependencyError
        If the method or the polish needs a package that is not installed.
    """
    asked = chosen(SolveParams, params, changes)
    seconds, criterion = limits_of(stop)
    deadline = Deadline.of(deadline).within(asked.time_limit)
    deadline = deadline.within(seconds)
    params = with_files_read(asked)
    given = as_instance(problem)
    instance = without_forbidden_arcs(simple := simplify(given))
    labels = _labels(given, params)
    params = in_terms_of(simple, given, params)
    start = None
    if initial_solution is not None:
        start = _read_start(initial_solution, given, params)
        routes = simplified_routes(given, simple, start.routes)
        start = start._replace(routes=routes)
    method = _accepting_method(params, instance, start, simple)
    if params.polish == "pyvrp":
        from ncc_routing.io.pyvrp_adapter import require_whole_costs

        require_whole_costs(instance, given)
    if not simple.is_unlimited_cvrp:
        require_possible(given)
    with shown(display, callbacks) as listeners:
        monitor = Monitor(deadline, listeners)
        monitor.begin(given, asked)
        stages = _Stages(
            monitor,
            is_plain=instance.is_unlimited_cvrp,
        )
        with (
            explained(given, simple, params.seed),
            expire_on_ctrl_c(deadline) as interruption,
        ):
            budget = Budget(deadline, criterion)
            run = params.run(budget, monitor, _labels(instance, params))
            if start is None:
                first = run.with_budget(construction_budget(budget, params))
                method = runnable(method, METHODS, instance, first)
                found = _construct(instance, method, first, stages)
                found = _keep_to_fleet(instance, found, run, stages)
                plan = [method.name]
            else:
                found, plan = _begin_with(instance, start, run, stages)
            if params.polish != NO_POLISH and not budget.is_met(found.cost):
                if not budget.counts_iterations:
                    run = _limited(instance, run)
                steps = choose_improvements(
                    params,
                    instance.num_customers,
                    run.budget.remaining(),
                    has_start=start is not None,
                )
                planned = [_planned(instance, each, run) for each in steps]
                plan += chain.from_iterable(words for _, words in planned)
                _logger.info("Plan: %s.", ", ".join(plan))
                for step, (own, _) in zip(steps, planned, strict=True):
                    if not budget.is_met(found.cost):
                        work = step.polish.function
                        found = stages.run(
                            step.name, work, instance, found, own
                        )
        best = checked_answer(problem, given, restore(given, simple, found))
        result = Result(
            instance=given,
            best=best,
            method=plan[0],
            polish=asked.polish,
            seed=asked.seed,
            stages=tuple(stages.done),
            runtime=monitor.seconds,
            params=to_mapping(asked),
            trace=tuple(monitor.trace),
            interrupted=interruption.received,
            labels=labels,
            plan=tuple(plan),
        )
        monitor.end(result)
    return result


def with_files_read(params: SolveParams) -> SolveParams:
    """Return parameters with what their files hold in place of the paths.

    The method that alone asks for a scorer reads it.
    """
    reference, scorer = params.reference, params.scorer
    if isinstance(reference, str):
        reference = read_reference(reference)
    if params.affinity > 0.0:
        scorer = pair_scorer(scorer, "ncc-cvrp")
        if isinstance(scorer, PairPredictor) and scorer.params.problem != CVRP:
            raise ParameterError(
                f"scorer {params.scorer} was trained for the "
                f"{scorer.params.problem.upper()}, not for routes."
            )
    return replace(params, reference=reference, scorer=scorer)


def _read_start(
    initial: InitialSolution, given: Instance, params: SolveParams
) -> Start:
    """Return the routes to begin with; refuse a construction beside them."""
    groups = ("priority", "ckm", "ncc", "ncc_paper")
    named = [name for name in groups if getattr(params, name) is not None]
    if params.method != AUTOMATIC:
        named.insert(0, f"method {params.method}")
    for name in named[:1]:
        raise ParameterError(
            "the given routes take the place of a construction: "
            f"{name} does not go with it."
        )
    from ncc_routing.vrp.initial_solution import read_start

    return read_start(initial, given)


def _accepting_method(
    params: SolveParams,
    instance: Instance,
    start: Start | None,
    simple: Instance,
) -> Construction:
    """Return the construction; refuse what a step cannot take.

    The preference comes first: the user has named it. Nothing is constructed
    where there is a start that keeps every rule. Forbidden arcs of the simple
    instance are beyond a maximum distance by now.
    """
    params.preferences.require(simple)
    method = choose_method(params, instance)
    steps: list[Construction | Polish | None] = [POLISHES.get(params.polish)]
    if start is None:
        steps.append(method)
    elif start.broken:
        steps.append(METHODS["insertion"])  # repairs it
    has_forbidden = FORBIDDEN_ARCS in simple.features
    for step in steps:
        if step is None:
            continue
        if has_forbidden and not step.accepted([MAX_DISTANCES]):
            step.require(instance.name, [FORBIDDEN_ARCS])
        step.require(instance.name, instance.features)
    return method


_FEASIBLE: Final = ("start", "fleet", "search", "polish")
"""Stages whose routes keep every limit, of fleets too."""


class _Stages:
    """Runs one stage after another; records the time and the cost of each."""

    def __init__(self, monitor: Monitor, *, is_plain: bool) -> None:
        self._monitor, self._is_plain = monitor, is_plain
        self.done: list[Stage] = []

    def run(
        self,
        name: str,
        work: Callable[P, Found],
        *arguments: P.args,
        **options: P.kwargs,
    ) -> Found:
        """Return what a stage finds."""
        begun, cost = self._monitor.seconds, None
        with self._monitor.stage(name):
            found = work(*arguments, **options)
            if isinstance(found, Solution):
                cost = found.cost
                # A construction may use more vehicles than there are.
                if self._is_plain or name in _FEASIBLE:
                    self._monitor.note(cost)
        seconds = self._monitor.seconds - begun
        self.done.append(Stage(name, seconds, cost))
        return found


def in_terms_of(
    simple: Instance, given: Instance, params: SolveParams
) -> SolveParams:
    """Return the parameters for the simplified form of an instance.

    The reference is given for the nodes of the instance.
    """
    if params.reference is None or simple.num_depots == given.num_depots:
        return params
    labels = _labels(given, params)
    own = tuple(labels[node] for node in kept_nodes(given, simple))
    return replace(params, reference=own)


def _labels(instance: Instance, params: SolveParams) -> tuple[int, ...]:
    """Return the zones of the reference; without one none."""
    if params.reference is None:
        return ()
    return tuple(reference_labels(instance, params.reference).tolist())


def _construct(
    instance: Instance, method: Construction, run: SolveRun, stages: _Stages
) -> Solution:
    """Return the first routes, those of clusters in two stages."""
    name, own = method.name, run.for_stage("construct")
    if name in CLUSTERERS:
        due = clustering_budget(run.budget, instance.num_customers)
        name, own = "cluster", run.for_stage("cluster").with_budget(due)
    found = stages.run(name, method.function, instance, own)
    if isinstance(found, Solution):
        return found
    own = run.for_stage("route")
    return stages.run(
        "route", route_clusters, instance, found, own, run.router
    )


def _begin_with(
    instance: Instance, start: Start, run: SolveRun, stages: _Stages
) -> tuple[Solution, list[str]]:
    """Return the routes of the user, and the plan so far.

    They are repaired where they break a rule.
    """
    from ncc_routing.vrp.initial_solution import use_start

    plan = [INITIAL_SOLUTION]
    if start.broken:
        plan.append(REPAIR)
        more = len(start.broken) - 1
        _logger.warning(
            "The initial solution is repaired: %s%s.",
            start.broken[0],
            f", and {more} more" if more else "",
        )
    own = _limited(instance, run).for_stage("fleet")
    found = stages.run("start", use_start, instance, start, own)
    return found, plan


def _keep_to_fleet(
    instance: Instance, solution: Solution, run: SolveRun, stages: _Stages
) -> Solution:
    """Return routes for the vehicles that there are."""
    if instance.is_unlimited_cvrp:
        return solution
    from ncc_routing.vrp.search.fleets.limits import keep_to_fleet

    run = _limited(instance, run).for_stage("fleet")
    return stages.run("fleet", keep_to_fleet, instance, solution, run)


def _planned(
    instance: Instance, improvement: Improvement, run: SolveRun
) -> tuple[SolveRun, tuple[str, ...]]:
    """Return the run of an improvement, and its phases in words."""
    name, polish, end = improvement
    if end < 1.0:
        run = run.within(end * run.budget.remaining())
    run = run.for_stage(name).watched()
    if "plan" not in polish.reads:
        return run, (polish.name,)
    plan = plan_search(
        instance,
        run.budget.remaining(),
        jobs=run.jobs,
        preferences=run.preferences,
        counts_iterations=run.budget.counts_iterations,
    )
    words = tuple(str(each._replace(end=end * each.end)) for each in plan)
    return replace(run, plan=plan), words


def _limited(instance: Instance, run: SolveRun) -> SolveRun:
    """Return the run with the default time where it has no limit of time."""
    if run.budget.deadline.is_limited():
        return run
    return run.within(default_seconds(instance.num_customers))


class WarmStartChanges(OtherChanges, total=False):
    """The keywords of ``warm_start`` beside those that it names."""

    callbacks: Callbacks | None
    display: bool
    initial_solution: InitialSolution | None


def warm_start(
    data: pyvrp.ProblemData | pyvrp.Model,
    time_limit: float | None = None,
    seed: int = 1,
    *,
    stop: AnyStop | None = None,
    **changes: Unpack[WarmStartChanges],
) -> pyvrp.Solution:
    """Return a complete, feasible start for PyVRP.

    Parameters
    ----------
    data
        A problem that ``supports`` accepts, as PyVRP's data or model; for
        others, use ``solve``.
    time_limit
        Wall-clock seconds, including the conversion of the data. Default 2,
        unless ``stop`` limits time or iterations; 80 % of a total budget is a
        good choice from 300 customers on.
    seed
        Seed of the run.
    stop
        As for :func:`solve`.
    changes
        Other parameters of ``SolveParams`` by name, and ``callbacks``,
        ``display`` and ``initial_solution`` of :func:`solve`. Default:
        savings, or insertion beyond the CVRP, then ruin and recreate for the
        rest of the time.

    Returns
    -------
    pyvrp.Solution
        The ``initial_solution`` for ``pyvrp.solve``.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range.
    UnsupportedProblemError
        If the data has an unsupported feature, which the message names.
    InstanceError
        If a demand exceeds every capacity, or there is no client.
    InfeasibleError
        If no feasible plan is found, as by :func:`solve`.
    """
    from ncc_routing.io.pyvrp_adapter import problem_data, to_pyvrp

    if not is_pyvrp(data):
        raise ParameterError(
            "warm_start returns a pyvrp.Solution and so takes PyVRP's "
            f"ProblemData or Model, got {describe_value(data)}: call solve, "
            "or give io.pyvrp_adapter.to_problem_data(instance)."
        )
    for name in ("params", "deadline"):
        if name in changes:
            raise ParameterError(
                f"warm_start takes no {name}: call solve, whose result has "
                "to_pyvrp(data)."
            )
    if is_pyvrp(time_limit):
        raise ParameterError(
            "time_limit must be a number of seconds, got "
            f"{type(time_limit).__name__}: a criterion is the argument stop."
        )
    seconds, criterion = limits_of(stop)
    budget = Budget(Deadline(seconds), criterion)
    if time_limit is None and not budget.is_limited:
        time_limit = WARM_START_SECONDS
    params = SolveParams(
        polish=WARM_START_POLISH, time_limit=time_limit, seed=seed
    )
    deadline = Deadline(params.time_limit)
    data = problem_data(data)
    result = solve(data, params, deadline=deadline, stop=stop, **changes)
    return to_pyvrp(result.best, data)


def supports(problem: Problem) -> list[str]:
    """Return the reasons for which a problem is refused.

    They are those of :func:`warm_start`, and of :func:`solve` with defaults.

    Parameters
    ----------
    problem
        As for :func:`solve`.

    Returns
    -------
    list[str]
        Unsupported features in words; empty where the problem is supported.

    Raises
    ------
    ParameterError, InstanceError
        If it is not a problem, or a file or a table is wrong.
    """
    try:
        instance = as_instance(problem)
    except InstanceError as error:
        if is_pyvrp(problem) or isinstance(error, UnsupportedProblemError):
            return [str(error)]
        raise
    instance = without_forbidden_arcs(simplify(instance))
    params = SolveParams(polish=WARM_START_POLISH)
    steps = (choose_method(params, instance), POLISHES[WARM_START_POLISH])
    refused = [step.refused(instance.features) for step in steps]
    return list(dict.fromkeys(chain.from_iterable(refused)))
