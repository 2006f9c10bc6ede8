"""The order of the stages: construct, improve, answer, check."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import (
    TYPE_CHECKING,
    Concatenate,
    Final,
    NamedTuple,
    ParamSpec,
    TypeVar,
    cast,
)

from ncc_routing.core.budget import Budget
from ncc_routing.core.display import shown
from ncc_routing.core.events import Monitor
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.methods import runnable
from ncc_routing.core.params import load, to_mapping
from ncc_routing.core.stopping import (
    Restated,
    TimeLimit,
    waits_for_bound,
    with_bound,
)
from ncc_routing.problems.constraints import MIN_MAX
from ncc_routing.problems.features import (
    FORBIDDEN_ARCS,
    MAX_DISTANCES,
    OPTIONAL_CUSTOMERS,
)
from ncc_routing.problems.routes.balanced_routes import broken_balance
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.references import reference_labels
from ncc_routing.problems.routes.searched_form import Objective, SearchedForm
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.unserved import (
    Unserved,
    kept_whole,
    ranks_of,
)
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.bounded import (
    Bound,
    bound,
    bound_after,
    bounded_result,
    bounding,
    require_bound,
    weighs_more,
)
from ncc_routing.vrp.methods import (
    AFFINITY_SCORER,
    AUTOMATIC,
    CLUSTERERS,
    IMPROVEMENTS,
    METHODS,
    NO_IMPROVEMENT,
)
from ncc_routing.vrp.params import (
    FEWEST_VEHICLES,
    SolveParams,
)
from ncc_routing.vrp.problem import checked_answer, with_start
from ncc_routing.vrp.result import Result, Stage
from ncc_routing.vrp.search.balanced import with_balance, without_excess
from ncc_routing.vrp.search.fewest import best_of_starts
from ncc_routing.vrp.search.fleets.limits import (
    brought_home,
    choose_absent,
    keep_to_fleet,
    with_fewer_vehicles,
)
from ncc_routing.vrp.search.largest import setup_seconds, with_least_largest
from ncc_routing.vrp.search.phases import choose_phases
from ncc_routing.vrp.stages import (
    CHECK_SECONDS,
    EVENED_SETUPS,
    EVENED_SHARE,
    FEWEST_SHARE,
    PLACING_SHARE,
    REASONS_SECONDS,
    REASONS_SHARE,
    RICH_CHECK_SECONDS,
    SERVING_SHARE,
    choose_improvements,
    choose_method,
    clustering_budget,
    construction_budget,
    default_seconds,
)
from ncc_routing.vrp.tours.cluster_routes import route_clusters
from ncc_routing.vrp.why.absences import explained
from ncc_routing.vrp.why.verdict import require_possible

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop, Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.simplification import Prepared
    from ncc_routing.vrp.initial_solution import InitialSolution, Start
    from ncc_routing.vrp.methods import Construction, Improvement
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.run import SolveRun
    from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
    from ncc_routing.vrp.stages import ImprovementStep

P = ParamSpec("P")
Found = TypeVar("Found")

_logger = logging.getLogger(__name__)

INITIAL_SOLUTION = "initial-solution"
"""What runs in place of a method where the user gives routes."""

REPAIR = "repair"
"""What runs next where the given routes break a rule."""

_FEASIBLE: Final = (
    *("start", "fleet", "starts", "search", "polish", "balanced"),
)
"""Stages whose routes keep every limit, of fleets too."""


def run_steps(
    problem: Problem,
    stop: AnyStop | Budget | None,
    asked: SolveParams,
    *,
    initial_solution: InitialSolution | None = None,
    bound_seconds: float | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
) -> Result:
    """Construct, improve and answer, as :func:`ncc_routing.solve` says."""
    first, is_over, waits = None, False, waits_for_bound(stop)
    budget = Budget() if waits else budget_of(stop, asked.time_limit)
    task = prepare(problem, asked, initial_solution)
    if waits or bound_seconds is not None:
        require_bound(task.params, task.form, bound_seconds)
    if waits:
        first = bound(task.form, TimeLimit(bound_seconds))
        is_over = first.is_over
        stop = with_bound(cast("Stop", stop), first.lower_bound)
        budget = budget_of(stop, asked.time_limit)
    if is_over:
        budget.time_limit.expire()
    given, clock = task.form.given, budget.time_limit
    with shown(display, callbacks) as listeners:
        monitor = Monitor(clock, listeners)
        monitor.begin(given, asked)
        labels = _labels(task.form.searched, task.params)
        run = task.params.run(budget, monitor, labels)
        monitor.restart(task.form.split)
        state = State(task, run, Record(monitor), task.form)
        with (
            explained(task.form, asked.seed),
            expire_on_ctrl_c(clock) as interruption,
        ):
            seconds = bound_seconds if first is None else None
            state, beside = _improve_beside(construct(state), seconds)
        found, unserved = answer(state)
        left_out = [one.customer for one in unserved]
        best = checked_answer(problem, given, found, left_out)
        is_over = is_over or interruption.received
        result = Result(
            instance=given,
            best=best,
            method=state.record.phases[0],
            polish=asked.polish,
            seed=asked.seed,
            stages=tuple(state.record.stages),
            runtime=monitor.seconds,
            params=to_mapping(asked),
            trace=() if unserved else tuple(monitor.trace),
            interrupted=is_over,
            labels=task.labels,
            phases=tuple(state.record.phases),
            unserved=unserved,
        )
        if bound_seconds is not None:
            if beside is None or not beside.is_for(best):
                known = None if result.unserved else best
                left = 0.0 if is_over else bound_seconds
                beside = bound_after(
                    *(task.form, known, first, left, clock, monitor)
                )
                result = replace(
                    result, runtime=result.runtime + beside.seconds
                )
            result = bounded_result(problem, result, beside, asked, monitor)
        monitor.end(result)
    return result


def _improve_beside(
    state: State, bound_seconds: float | None
) -> tuple[State, Bound | None]:
    """Improve the routes, beside a search of a bound if there are two jobs."""
    run, form = state.run, state.task.form
    best = state.form.given_solution(state.solution)
    if (
        bound_seconds is None
        or run.jobs < 2
        or weighs_more(state.task.params)
        or state.form.balances  # no cost on their way is one of a plan
        or check_solution(form.given, best)
    ):
        return improve(state), None
    clock, monitor = run.budget.time_limit, state.record.monitor
    state = state._replace(run=replace(run, jobs=run.jobs - 1))
    with bounding(
        *(form, best, clock, clock.beyond(bound_seconds)),
        lambda: monitor.cost,
    ) as future:
        state = improve(state)
    return state, future.result()


class Task(NamedTuple):
    """What is solved and how; all is checked, and nothing computed yet.

    ``labels`` are the districts of the given nodes, and those of ``params``
    are of the searched ones. ``lost`` are the ids of customers whom no vehicle
    can serve, ``None`` where nothing is known to be impossible.
    """

    form: SearchedForm
    params: SolveParams
    method: Construction
    start: Start | None
    labels: tuple[int, ...]
    lost: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Record:
    """What happens in a run, to be read at its end."""

    monitor: Monitor
    phases: list[str] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)


class State(NamedTuple):
    """What a run has reached: routes of what is searched now."""

    task: Task
    run: SolveRun
    record: Record
    form: SearchedForm
    solution: Solution = Solution((), 0.0)

    @property
    def default_seconds(self) -> float:
        """Seconds for an improvement without any limit."""
        return default_seconds(self.form.searched.num_customers)


def prepare(
    problem: Problem, asked: SolveParams, initial: InitialSolution | None
) -> Task:
    """Read and check everything that a run is given."""
    params = with_files_read(asked)
    instance, routes = with_start(problem)
    initial = routes if initial is None else initial
    form = SearchedForm.of(instance)
    params, labels = in_terms_of(form, params)
    start, promised = None, tuple[int, ...]()
    if initial is not None:
        from ncc_routing.vrp.initial_solution import read_start

        if params.method != AUTOMATIC:
            raise ParameterError(
                "an initial solution replaces the construction, so "
                f"method {params.method} would have no effect."
            )
        start = read_start(initial, instance)
        promised = () if start.new_orders_compete else start.planned
    method = _accepting_method(params, form, start)
    if params.polish == "pyvrp":
        from ncc_routing.pyvrp.adapter import require_whole_costs

        require_whole_costs(form.searched, instance)
    lost = None
    if not form.searched.is_unlimited_cvrp or instance.oversized:
        lost = require_possible(
            instance,
            leaves_out=params.allow_unserved,
            is_roomy=start is not None and _is_roomy(form, start),
        )
    objective = Objective(
        leaves_out=params.allow_unserved,
        counts_vehicles=params.objective == FEWEST_VEHICLES,
        limit=MIN_MAX.get(params.objective),
        promised=promised,
    )
    form = replace(form, objective=objective)
    objective.require(form.given)
    return Task(form, params, method, start, labels, lost)


def _is_roomy(form: Prepared, start: Start) -> bool:
    """Return whether whom a start misses can have a vehicle each."""
    counts = [one.num_available for one in form.searched.vehicle_types]
    idle = sum(math.inf if count is None else count for count in counts)
    idle -= start.solution.num_routes
    absent = form.given.unserved(start.solution.routes)
    return start.is_whole and len(absent) <= idle


def construct(state: State) -> State:
    """Make the first routes, on the vehicles that there are.

    Where these cannot serve all, and need not, the best who can be left out
    are searched for from then on.
    """
    task, lost = state.task, state.task.lost
    is_short = lost is not None
    if is_short and task.method.accepted([OPTIONAL_CUSTOMERS]):
        return _on_fleet(_first(_with_absent(state)), choose_absent)
    try:
        if lost:  # the method serves all
            state = _first(_without(state, lost))._replace(run=state.run)
        else:
            state = _first(state)
    except InfeasibleError as error:
        if error.solution is None or not task.params.allow_unserved:
            raise
        state, is_short = state._replace(solution=error.solution), True
        if not state.record.phases:  # no vehicle can serve anybody
            is_given = task.start is not None
            first = INITIAL_SOLUTION if is_given else task.method.name
            state.record.phases.append(first)
    if is_short:
        return _on_fleet(_with_absent(state), choose_absent)
    if state.form.objective.counts_vehicles:
        return _with_fewest(state)
    return _evened(state)


def _with_fewest(state: State) -> State:
    """Give up vehicles, which cost more than any plan from then on."""
    plain, first = state.form.searched, state.solution
    run = state.run.for_stage("fleet")
    run = run.within(FEWEST_SHARE * run.budget.remaining())
    state = _on_fleet(state, with_fewer_vehicles, run)
    state = _turned(state, lambda form, _: form.with_vehicles())
    budget = state.run.budget.or_within(state.default_seconds)
    if (
        state.task.params.polish == NO_IMPROVEMENT
        or budget.counts_iterations
        or state.run.preferences.has_penalties
    ):
        return state
    run = _told(state, state.run.for_stage("starts").with_budget(budget))
    work = partial(best_of_starts, plain=plain, first=first)
    arguments = state.solution, run, run.ruin_recreate, run.spaces
    found = _run_stage(state, "starts", work, *arguments)
    return state._replace(solution=found)


def _without(state: State, lost: Collection[str]) -> State:
    """Search for first routes without some customers, by their ids."""
    form, run = state.form.without({*lost}), state.run
    if run.labels:
        kept = (0, *(form.customers or ()))
        labels = [run.labels[node] for node in kept]
        depots = run.labels[1 + state.form.searched.num_customers :]
        run = replace(run, labels=(*labels, *depots))
    return state._replace(form=form, run=run)


def _first(state: State) -> State:
    """Take the routes of the user, or of a construction."""
    start, phases = state.task.start, state.record.phases
    if start is None:
        state = state._replace(solution=_constructed(state))
        if state.form.searched.is_unlimited_cvrp:
            return state
        return _on_fleet(state, keep_to_fleet)
    phases.append(INITIAL_SOLUTION)
    given = state.form.from_given(start.solution)
    if not start.broken:
        routes = given.routes, given.vehicle_types
        first = _run_stage(state, "start", Solution.from_routes, *routes)
        return state._replace(solution=first)
    from ncc_routing.vrp.initial_solution import repair

    phases.append(REPAIR)
    if not start.is_rest:
        more = len(start.broken) - 1
        _logger.warning(
            "The initial solution is repaired: %s%s.",
            start.broken[0],
            f", and {more} more" if more else "",
        )
    work = partial(repair, is_whole=start.is_whole)
    state = state._replace(solution=given)
    return _on_fleet(state, work, name="start")


def _constructed(state: State) -> Solution:
    """Return the routes of a construction, by two stages for clusters."""
    searched, run = state.form.searched, state.run
    budget = construction_budget(run.budget, state.task.params)
    run = run.with_budget(budget)
    method = runnable(state.task.method, METHODS, searched, run)
    state.record.phases.append(method.name)
    name, stage, due = method.name, "construct", budget
    if name in CLUSTERERS:
        name = stage = "cluster"
        due = clustering_budget(budget, searched.num_customers)
    stage_run = run.with_budget(due).for_stage(stage)
    first = _run_stage(state, name, method, stage_run)
    if isinstance(first, Solution):
        return first
    run = run.for_stage("route")
    return _run_stage(state, "route", route_clusters, first, run, run.router)


def _turned(
    state: State, turn: Callable[[SearchedForm, Solution], SearchedForm]
) -> State:
    """Search from now on for more than the least cost."""
    plan = state.form.given_solution(state.solution)
    form = turn(state.form, plan)
    state.record.monitor.restart(form.split)
    return state._replace(form=form, solution=form.searched_solution(plan))


def _with_absent(state: State) -> State:
    return _turned(state, SearchedForm.with_absent)


def _evened(state: State) -> State:
    """Make the largest amount of a route small, if that is the objective.

    None has more from then on.
    """
    limit, seconds = state.form.measure, _evening_seconds(state)
    if limit is None or seconds == 0.0:
        return state
    budget = state.run.budget.or_within(state.default_seconds)
    if budget.is_timed:
        budget = budget.within(seconds)
    run = state.run.for_stage("evened").with_budget(budget)
    state = _turned(state, SearchedForm.for_largest)
    work = partial(with_least_largest, limit=limit)
    found = _run_stage(state, "evened", work, state.solution, run)
    state = state._replace(solution=found)
    return _turned(state, SearchedForm.with_largest)


def _evening_seconds(state: State) -> float:
    """Return the time to make a largest amount small, 0 if it is too short.

    A search for the least cost lowers that as well.
    """
    budget = state.run.budget.or_within(state.default_seconds)
    seconds = EVENED_SHARE * budget.remaining()
    least = EVENED_SETUPS * setup_seconds(state.form.searched)
    return seconds if seconds >= least else 0.0


def improve(state: State) -> State:
    """Make the routes better, by the improvement.

    Where a form does not tell all ranks apart, further searches follow.
    """
    if state.task.params.polish == NO_IMPROVEMENT:
        return state
    budget = state.run.budget.or_within(state.default_seconds)
    run = state.run.with_budget(budget)
    if budget.time_limit.is_limited():
        left = budget.remaining()
        run = run.within(left - _answer_seconds(state, left))
    while (share := state.form.share) < 1.0:
        part = run.within(share * budget.remaining())
        state = _with_absent(_improved(state, part))
    is_uneven = state.form.measure and state.form.most == math.inf
    if is_uneven and _evening_seconds(state) > 0.0:
        part = run.within(SERVING_SHARE * budget.remaining())
        state = _evened(_improved(state, part))
    if state.form.balances:
        part = run.within(SERVING_SHARE * budget.remaining())
        return _balanced(_improved(state, part), run, state.solution)
    return _improved(state, run)


def _balanced(state: State, run: SolveRun, first: Solution) -> State:
    """Balance the routes; whom no balanced plan serves may be left out."""
    may_leave_out = state.task.params.allow_unserved
    run = run.for_stage("balanced")
    state.record.phases.append("balanced")
    part = run.within((0.5 if may_leave_out else 1.0) * run.budget.remaining())
    state = _balanced_once(state, part, first)
    form = state.form
    balanced = form.given, form.given_solution(state.solution)
    if not may_leave_out or not _unbalanced(*balanced):
        return state
    if not state.form.prizes:
        state = _with_absent(state)
    return _balanced_once(state, run, state.solution)


def _balanced_once(state: State, run: SolveRun, known: Solution) -> State:
    work = partial(with_balance, balances=state.form.balances, known=known)
    found = _run_stage(state, "balanced", work, state.solution, run)
    return state._replace(solution=found)


def _unbalanced(given: Instance, plan: Solution) -> list[str]:
    """Return which spreads exceed their limits, in words."""
    return [
        text
        for balance, amounts in plan.balances(given)
        for _, text in broken_balance(given, balance, amounts)
    ]


def _answer_seconds(state: State, left: float) -> float:
    """Return the time for the check, and for reasons of the unserved."""
    given = state.form.given
    each = RICH_CHECK_SECONDS
    if given.is_unlimited_cvrp:
        each = CHECK_SECONDS
    if state.form.prizes:
        plan = state.form.given_solution(state.solution)
        each += REASONS_SECONDS * len(given.unserved(plan.routes))
    return min(each * given.num_customers, REASONS_SHARE * left)


def _told(state: State, run: SolveRun) -> SolveRun:
    """Return a run whose criterion gets costs without prices of vehicles."""
    budget, form = run.budget, state.form
    if budget.stop is None or form.vehicle_cost == 0.0:
        return run
    stop = Restated(budget.stop, form.told_cost)
    return run.with_budget(replace(budget, stop=stop))


def _improved(state: State, run: SolveRun) -> State:
    run = _told(state, run)
    searched, budget, record = state.form.searched, run.budget, state.record
    if budget.is_met(state.solution.cost):
        return state
    steps = choose_improvements(
        state.task.params,
        searched.num_customers,
        budget.remaining(),
        has_start=state.task.start is not None,
    )
    planned = [_planned(searched, each, run) for each in steps]
    record.phases.extend(chain.from_iterable(words for _, words in planned))
    _logger.info("Phases: %s.", ", ".join(record.phases))
    for step, (step_run, _) in zip(steps, planned, strict=True):
        solution = state.solution
        if not budget.is_met(solution.cost):
            solution = _run_stage(
                state, step.name, step.improvement, solution, step_run
            )
        state = state._replace(solution=solution)
    return state


def answer(state: State) -> tuple[Solution, tuple[Unserved, ...]]:
    """Return the answer to the given problem, and whom it leaves out.

    Nobody more has a place.
    """
    form, start = state.form, state.task.start
    given, plan = form.given, form.given_solution(state.solution)
    may_leave_out = state.task.params.allow_unserved and not given.in_progress
    if form.balances and may_leave_out:
        plan = kept_whole(given, without_excess(given, plan))
    unserved: tuple[Unserved, ...] = ()
    if given.unserved(plan.routes):
        from ncc_routing.vrp.why.reasons import filled, unserved_of

        planned = () if start is None else start.planned
        if form.prizes:
            ranks = ranks_of(given, form.objective.promised)
            plan, unserved = filled(given, plan, ranks, planned)
        else:
            unserved = unserved_of(given, plan, planned)
    plan = brought_home(given, plan)
    for text in _unbalanced(given, plan):
        if state.task.params.polish != NO_IMPROVEMENT:
            text += ", and no plan with a smaller spread was found"
        raise InfeasibleError(f"{given.name}: {text}.", plan)
    return plan, unserved


def _on_fleet(
    state: State,
    work: Callable[[Instance, Solution, SolveRun, FleetSpaces], Solution],
    run: SolveRun | None = None,
    *,
    name: str = "fleet",
) -> State:
    """Run a search for places, which needs a time limit."""
    if run is None:
        timed = Budget(state.run.budget.time_limit)
        budget = timed.or_within(state.default_seconds)
        if state.task.params.allow_unserved:
            budget = budget.within(PLACING_SHARE * budget.remaining())
        run = state.run.with_budget(budget).for_stage("fleet")
    found = _run_stage(state, name, work, state.solution, run, run.spaces)
    return state._replace(solution=found)


def _run_stage(
    state: State,
    name: str,
    work: Callable[Concatenate[Instance, P], Found],
    *arguments: P.args,
    **options: P.kwargs,
) -> Found:
    """Run a stage; note its seconds, and the cost of its solution."""
    monitor, form = state.record.monitor, state.form
    begin, cost = monitor.seconds, None
    with monitor.stage(name):
        outcome = work(form.searched, *arguments, **options)
        if isinstance(outcome, Solution):
            cost = form.given_solution(outcome).cost
            # A construction may use more vehicles than there are.
            if form.searched.is_unlimited_cvrp or name in _FEASIBLE:
                monitor.note(outcome.cost)
    seconds = monitor.seconds - begin
    state.record.stages.append(Stage(name, seconds, cost))
    return outcome


def with_files_read(params: SolveParams) -> SolveParams:
    """Return parameters with what their files hold in place of the paths.

    The method that alone asks for a scorer reads it.
    """
    reference, scorer = params.reference, params.scorer
    if isinstance(reference, str):
        # Imported here: nothing else needs tables.
        from ncc_routing.desk.references import read_reference

        reference = read_reference(reference)
    if params.affinity > 0.0:
        scorer = load(AFFINITY_SCORER)(scorer)
    return replace(params, reference=reference, scorer=scorer)


def _accepting_method(
    params: SolveParams, prepared: Prepared, start: Start | None
) -> Construction:
    """Return the construction; refuse what a step cannot take.

    The preference comes first: the user has named it. Nothing is constructed
    where there is a start that keeps every rule. Forbidden arcs are beyond a
    maximum distance in the searched form.
    """
    instance = prepared.searched
    params.preferences.require(prepared.simplified)
    method = choose_method(params, instance)
    steps: list[Construction | Improvement | None] = [
        IMPROVEMENTS.get(params.polish)
    ]
    if start is None:
        steps.append(method)
    elif start.broken:
        steps.append(METHODS["insertion"])  # repairs it
    has_forbidden = FORBIDDEN_ARCS in prepared.simplified.features
    for step in steps:
        if step is None:
            continue
        if has_forbidden and not step.accepted([MAX_DISTANCES]):
            step.require(instance.name, [FORBIDDEN_ARCS])
        step.require(instance.name, instance.features)
    return method


def in_terms_of(
    prepared: Prepared, params: SolveParams
) -> tuple[SolveParams, tuple[int, ...]]:
    """Return the parameters for the searched form of a problem.

    The second value has the districts of the given nodes in the reference.
    """
    labels = _labels(prepared.given, params)
    if not labels:
        return params, ()
    reference = tuple([*labels, -1][node] for node in prepared.nodes)
    return replace(params, reference=reference), labels


def _labels(instance: Instance, params: SolveParams) -> tuple[int, ...]:
    """Return the districts of the reference; without one none."""
    if params.reference is None:
        return ()
    return tuple(reference_labels(instance, params.reference).tolist())


def _planned(
    instance: Instance, step: ImprovementStep, run: SolveRun
) -> tuple[SolveRun, tuple[str, ...]]:
    """Return the run of an improvement, and its phases in words."""
    name, improvement, end = step
    if end < 1.0:
        run = run.within(end * run.budget.remaining())
    run = run.for_stage(name).watched()
    if "phases" not in improvement.reads:
        return run, (improvement.name,)
    phases = choose_phases(
        instance,
        run.budget.remaining(),
        jobs=run.jobs,
        preferences=run.preferences,
        counts_iterations=run.budget.counts_iterations,
    )
    words = tuple(str(each._replace(end=end * each.end)) for each in phases)
    return replace(run, phases=phases), words
