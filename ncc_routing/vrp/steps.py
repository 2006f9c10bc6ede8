"""The order of the stages: construct, improve, answer, check."""

from __future__ import annotations

import logging
import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from ncc_routing.core.budget import Budget
from ncc_routing.core.display import shown
from ncc_routing.core.events import Monitor
from ncc_routing.core.exceptions import (
    InfeasibleError,
    ParameterError,
)
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.methods import runnable
from ncc_routing.core.params import load, to_mapping
from ncc_routing.core.stopping import TimeLimit, waits_for_bound, with_bound
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.features import (
    FORBIDDEN_ARCS,
    MAX_DISTANCES,
    OPTIONAL_CUSTOMERS,
)
from ncc_routing.problems.routes.references import reference_labels
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.problems.routes.unserved import (
    OpenForm,
    Unserved,
    cost_bound,
    kept_whole,
    ranks_of,
    with_prizes,
    with_vehicle_costs,
)
from ncc_routing.pyvrp.criteria import budget_of
from ncc_routing.vrp.methods import (
    AFFINITY_SCORER,
    AUTOMATIC,
    CLUSTERERS,
    IMPROVEMENTS,
    METHODS,
    NO_IMPROVEMENT,
)
from ncc_routing.vrp.params import FEWEST_VEHICLES, SolveParams
from ncc_routing.vrp.problem import (
    checked_answer,
    with_start,
)
from ncc_routing.vrp.result import Result, Stage
from ncc_routing.vrp.search.phases import choose_phases
from ncc_routing.vrp.stages import (
    CHECK_SECONDS,
    PLACING_SHARE,
    REASONS_SECONDS,
    REASONS_SHARE,
    RICH_CHECK_SECONDS,
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
    from collections.abc import Callable, Sequence

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.stopping import AnyStop, Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.initial_solution import InitialSolution, Start
    from ncc_routing.vrp.methods import Construction, Improvement
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.run import SolveRun
    from ncc_routing.vrp.stages import ImprovementStep

P = ParamSpec("P")
Found = TypeVar("Found")

_logger = logging.getLogger(__name__)

INITIAL_SOLUTION = "initial-solution"
"""What runs in place of a method where the user gives routes."""

REPAIR = "repair"
"""What runs next where the given routes break a rule."""

MOST_PASSES: Final = 4
"""Searches for the priorities that do not fit into one; the lowest ones of the
last search count alike."""


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
    task, bound, is_over = None, None, False
    if waits_for_bound(stop):
        task = _prepare(problem, asked, initial_solution)
        seconds = _bound_seconds(task, bound_seconds)
        bound, is_over = _lower_bound(task.prepared, seconds)
        stop = with_bound(cast("Stop", stop), bound)
    budget = budget_of(stop, asked.time_limit)
    if is_over:
        budget.time_limit.expire()
    if task is None:
        task = _prepare(problem, asked, initial_solution)
    if bound_seconds is not None:
        _bound_seconds(task, bound_seconds)
    given, clock = task.prepared.given, budget.time_limit
    with shown(display, callbacks) as listeners:
        monitor = Monitor(clock, listeners)
        monitor.begin(given, asked)
        steps = _Steps(task, budget, monitor)
        with (
            explained(task.prepared, asked.seed),
            expire_on_ctrl_c(clock) as interruption,
        ):
            solution = steps.construct()
            solution = steps.improve(solution)
        answer, unserved = steps.answer(solution)
        left_out = [one.customer for one in unserved]
        best = checked_answer(problem, given, answer, left_out)
        is_over = is_over or interruption.received
        result = steps.result(asked, best, unserved, interrupted=is_over)
        if bound_seconds is not None:
            if bound is None:
                seconds = 0.0 if is_over else bound_seconds
                bound, _ = _lower_bound(task.prepared, seconds, best)
            result = replace(result, lower_bound=bound)
        monitor.end(result)
    return result


def _bound_seconds(task: _Task, seconds: float | None) -> float:
    """Return the seconds for a bound, if it is possible."""
    from ncc_routing.vrp.bounds.relaxed import (
        require_bounded,
        without_setups,
    )

    if seconds is None:
        raise ParameterError("BoundGap needs bound_seconds.")
    if task.params.objective == FEWEST_VEHICLES:
        raise ParameterError("bound_seconds goes with the objective cost.")
    require_bounded(without_setups(task.prepared).simplified)
    return seconds


def _lower_bound(
    prepared: Prepared, seconds: float, best: Solution | None = None
) -> tuple[float, bool]:
    """Return a proven lower bound, and whether Ctrl-C ended its search."""
    from ncc_routing.vrp.bounds.relaxed import without_setups
    from ncc_routing.vrp.bounds.search import search_bound

    deadline = TimeLimit(seconds)
    prepared = without_setups(prepared)
    start = None if best is None else prepared.from_given(best)
    cost = None if best is None else best.cost
    with expire_on_ctrl_c(deadline) as interruption:
        found = search_bound(prepared.simplified, start, cost, deadline)
    return found.points[-1].lower_bound, interruption.received


class _Task(NamedTuple):
    """What is solved and how; all is checked, and nothing computed yet.

    ``labels`` are the districts of the given nodes, and those of ``params``
    are of the searched ones. ``lost`` are the ids of customers whom no vehicle
    can serve, ``None`` where nothing is known to be impossible.
    """

    prepared: Prepared
    params: SolveParams
    method: Construction
    start: Start | None
    labels: tuple[int, ...]
    lost: tuple[str, ...] | None = None


def _prepare(
    problem: Problem, asked: SolveParams, initial: InitialSolution | None
) -> _Task:
    """Read and check everything that a run is given."""
    params = with_files_read(asked)
    instance, routes = with_start(problem)
    initial = routes if initial is None else initial
    prepared = Prepared.of(instance)
    params, labels = in_terms_of(prepared, params)
    start = None
    if initial is not None:
        from ncc_routing.vrp.initial_solution import read_start

        _require_no_construction(params)
        start = read_start(initial, prepared.given)
        start = start._replace(solution=prepared.from_given(start.solution))
    method = _accepting_method(params, prepared, start)
    if params.polish == "pyvrp":
        from ncc_routing.pyvrp.adapter import require_whole_costs

        require_whole_costs(prepared.searched, prepared.given)
    lost = None
    if not _has_room(prepared):
        lost = require_possible(
            prepared.given,
            leaves_out=params.allow_unserved,
            is_roomy=start is not None and _is_roomy(prepared, start),
        )
    return _Task(prepared, params, method, start, labels, lost)


def _has_room(prepared: Prepared) -> bool:
    """Return whether all customers can have a vehicle each."""
    is_unlimited = prepared.searched.is_unlimited_cvrp
    return is_unlimited and not prepared.given.oversized


def _is_roomy(prepared: Prepared, start: Start) -> bool:
    """Return whether whom a start misses can have a vehicle each."""
    counts = [one.num_available for one in prepared.searched.vehicle_types]
    idle = sum(math.inf if count is None else count for count in counts)
    idle -= start.solution.num_routes
    absent = prepared.searched.unserved(start.solution.routes)
    return start.is_whole and len(absent) <= idle


class _Steps:
    """The stages of a run, one after another, with their times and costs."""

    def __init__(self, task: _Task, budget: Budget, monitor: Monitor) -> None:
        self._task, self._monitor = task, monitor
        self.prepared = task.prepared
        self._instance = task.prepared.searched
        labels = _labels(self._instance, task.params)
        self._run = task.params.run(budget, monitor, labels)
        self._phases: list[str] = []
        self._stages: list[Stage] = []
        self._base, self._vehicle_cost = task.prepared.given, 0.0
        if task.params.objective == FEWEST_VEHICLES:
            self._base, self._vehicle_cost = with_vehicle_costs(self._base)
        self._is_integral = task.prepared.given.is_integral
        self._form: OpenForm | None = None
        self._aside: np.ndarray | None = None
        self._planned = self._promised = tuple[int, ...]()
        if task.start is not None:
            self._planned = task.start.planned
            competes = task.start.new_orders_compete
            self._promised = () if competes else self._planned
        monitor.split = self._split

    def construct(self) -> Solution:
        """Return the first routes, on the vehicles that there are.

        Where these cannot serve all, and need not, the next steps search for
        the best who can be left out.
        """
        task, optional = self._task, [OPTIONAL_CUSTOMERS]
        if task.lost is not None and task.method.accepted(optional):
            self._open()
            return self._chosen(self._construct())
        is_short = task.lost is not None
        try:
            if task.lost:  # the method serves all
                self._set_aside(task.lost)
            first = self._widened(self._construct())
        except InfeasibleError as error:
            if error.solution is None:
                raise
            if not task.params.allow_unserved:
                raise
            first, is_short = self._widened(error.solution), True
        self._aside, self._instance = None, self.prepared.searched
        if is_short:
            return self._chosen(self._open(first))
        if self._vehicle_cost > 0.0:
            return self._turn_to(self._base, self._on_fewer(first))
        return first

    def _on_fewer(self, solution: Solution) -> Solution:
        """Return a solution on as few vehicles as are found soon."""
        from ncc_routing.vrp.search.fleets.limits import with_fewer_vehicles

        run, instance = self._run.for_stage("fleet"), self._instance
        run = run.within(PLACING_SHARE * run.budget.remaining())
        return self._do(
            "fleet", with_fewer_vehicles, instance, solution, run, run.spaces
        )

    def _chosen(self, solution: Solution) -> Solution:
        """Leave the customers of the lowest priority out."""
        from ncc_routing.vrp.search.fleets.limits import choose_absent

        run = self._for_fleet()
        return self._do(
            "fleet", choose_absent, self._instance, solution, run, run.spaces
        )

    def _set_aside(self, ids: Sequence[str]) -> None:
        """Go on without some customers, whom nobody can serve."""
        whole, names = self._instance, self._task.prepared.given.node_ids
        is_lost = np.isin(names[1 : whole.num_customers + 1], ids)
        customers = 1 + np.flatnonzero(~is_lost)
        if len(customers) == 0:
            nobody = Solution((), 0.0)
            raise InfeasibleError(f"{whole.name}: no customer", nobody)
        self._aside = np.array([0, *customers, *whole.depots[1:]])
        self._instance = restrict(whole, customers)

    def _widened(self, solution: Solution) -> Solution:
        """Return routes with the numbers of all customers."""
        if self._aside is None:
            return solution
        nodes = self._aside.tolist()
        routes = ([nodes[node] for node in route] for route in solution.routes)
        return Solution.from_routes(
            self.prepared.searched, routes, solution.vehicle_types
        )

    def _open(
        self, solution: Solution | None = None, above: float = math.inf
    ) -> Solution:
        """Search from now on for the best customers to leave out.

        Those of rank ``above`` are settled by the solution.
        """
        given, most_cost = self.prepared.given, None
        settled = kept = Solution((), 0.0)
        if solution is not None:
            settled = kept = kept_whole(
                given, self.prepared.to_given(solution)
            )
            kept = self.prepared.from_given(settled)
        if self._vehicle_cost > 0.0:
            fleet, most_routes = given.fleet, given.num_customers
            if fleet is not None and fleet.num_vehicles is not None:
                most_routes = min(most_routes, fleet.num_vehicles)
            most_cost = cost_bound(given) + most_routes * self._vehicle_cost
        self._form = with_prizes(
            self._base, most_cost, settled, above, self._promised
        )
        return self._turn_to(self._form.instance, kept)

    def _turn_to(self, instance: Instance, solution: Solution) -> Solution:
        """Search another form of the problem from now on."""
        forms = Prepared.of(instance)
        self.prepared = replace(forms, given=self.prepared.given)
        self._instance = forms.searched
        self._monitor.restart()
        return _as_driven(self._instance, solution)

    def _split(self, cost: float) -> tuple[int, float]:
        """Return how many a solution leaves out, and what it costs."""
        count = 0
        if self._form is not None:
            count, cost = self._form.split(cost)
        if self._vehicle_cost > 0.0:
            cost -= self._vehicle_cost * math.floor(cost / self._vehicle_cost)
        # Sums with large prizes have rounding errors.
        is_whole = self._form is not None and self._is_integral
        return count, float(round(cost)) if is_whole else cost

    def _construct(self) -> Solution:
        instance, start, run = self._instance, self._task.start, self._run
        if start is not None:
            self._phases.append(INITIAL_SOLUTION)
            if not start.broken:
                return self._do("start", _as_driven, instance, start.solution)
            from ncc_routing.vrp.initial_solution import repair

            self._phases.append(REPAIR)
            if not start.is_rest:
                more = len(start.broken) - 1
                _logger.warning(
                    "The initial solution is repaired: %s%s.",
                    start.broken[0],
                    f", and {more} more" if more else "",
                )
            given, fleet_run = start.solution, self._for_fleet()
            return self._do(
                "start",
                repair,
                instance,
                given,
                fleet_run,
                run.spaces,
                is_whole=start.is_whole,
            )
        first = self._first_routes()
        if instance.is_unlimited_cvrp:
            return first
        from ncc_routing.vrp.search.fleets.limits import keep_to_fleet

        fleet_run = self._for_fleet()
        return self._do(
            "fleet", keep_to_fleet, instance, first, fleet_run, run.spaces
        )

    def _first_routes(self) -> Solution:
        """Return the routes of a construction, by two stages for clusters."""
        instance, run = self._instance, self._run
        budget = construction_budget(run.budget, self._task.params)
        run = run.with_budget(budget)
        method = runnable(self._task.method, METHODS, instance, run)
        self._phases.append(method.name)
        name, stage_run = method.name, run.for_stage("construct")
        if name in CLUSTERERS:
            due = clustering_budget(budget, instance.num_customers)
            name, stage_run = (
                "cluster",
                run.with_budget(due).for_stage("cluster"),
            )
        first = self._do(name, method, instance, stage_run)
        if isinstance(first, Solution):
            return first
        stage_run = run.for_stage("route")
        return self._do(
            "route", route_clusters, instance, first, stage_run, run.router
        )

    def improve(self, solution: Solution) -> Solution:
        """Return better routes, by the improvement.

        Where prizes of all priorities would be too large, the highest ones
        come first, and searches for the next ones follow.
        """
        if self._task.params.polish == NO_IMPROVEMENT:
            return solution
        budget = self._run.budget.or_within(self._default_seconds)
        run = self._run.with_budget(budget)
        if budget.time_limit.is_limited():
            left = budget.remaining()
            run = run.within(left - self._answer_seconds(solution, left))
        for _ in range(MOST_PASSES - 1):
            if self._form is None or self._form.share >= 1.0:
                break
            share = self._form.share * budget.remaining()
            solution = self._improve(solution, run.within(share))
            solution = self._open(solution, self._form.levels[-1])
        return self._improve(solution, run)

    def _answer_seconds(self, solution: Solution, left: float) -> float:
        """Return the time for the check, and for reasons of the unserved."""
        given = self.prepared.given
        each = RICH_CHECK_SECONDS
        if given.is_unlimited_cvrp:
            each = CHECK_SECONDS
        if self._form is not None:
            count = len(given.unserved(self._to_given(solution).routes))
            each += REASONS_SECONDS * count
        return min(each * given.num_customers, REASONS_SHARE * left)

    def _improve(self, solution: Solution, run: SolveRun) -> Solution:
        params, budget = self._task.params, run.budget
        if budget.is_met(solution.cost):
            return solution
        steps = choose_improvements(
            params,
            self._instance.num_customers,
            run.budget.remaining(),
            has_start=self._task.start is not None,
        )
        planned = [_planned(self._instance, each, run) for each in steps]
        self._phases += chain.from_iterable(words for _, words in planned)
        _logger.info("Phases: %s.", ", ".join(self._phases))
        for step, (step_run, _) in zip(steps, planned, strict=True):
            if not budget.is_met(solution.cost):
                solution = self._do(
                    step.name,
                    step.improvement,
                    self._instance,
                    solution,
                    step_run,
                )
        return solution

    def _to_given(self, solution: Solution) -> Solution:
        """Return a solution of the given problem, at its own cost."""
        solution = self._widened(solution)
        given, answer = self.prepared.given, self.prepared.to_given(solution)
        if self._base is given and not self._task.params.allow_unserved:
            return answer
        return kept_whole(given, _as_driven(given, answer))

    def answer(
        self, solution: Solution
    ) -> tuple[Solution, tuple[Unserved, ...]]:
        """Return the answer to the given problem, and whom it leaves out.

        Nobody more has a place.
        """
        answer, given = self._to_given(solution), self.prepared.given
        unserved: tuple[Unserved, ...] = ()
        if given.unserved(answer.routes):
            from ncc_routing.vrp.why.reasons import filled, unserved_of

            if self._form is None:
                unserved = unserved_of(given, answer, self._planned)
            else:
                ranks = ranks_of(given, self._promised)
                answer, unserved = filled(given, answer, ranks, self._planned)
        from ncc_routing.vrp.search.fleets.limits import brought_home

        return brought_home(given, answer), unserved

    def result(
        self,
        asked: SolveParams,
        best: Solution,
        unserved: tuple[Unserved, ...],
        *,
        interrupted: bool,
    ) -> Result:
        """Return the best solution, and how it came about."""
        return Result(
            instance=self._task.prepared.given,
            best=best,
            method=self._phases[0],
            polish=asked.polish,
            seed=asked.seed,
            stages=tuple(self._stages),
            runtime=self._monitor.seconds,
            params=to_mapping(asked),
            trace=() if unserved else tuple(self._monitor.trace),
            interrupted=interrupted,
            labels=self._task.labels,
            phases=tuple(self._phases),
            unserved=unserved,
        )

    @property
    def _default_seconds(self) -> float:
        return default_seconds(self._instance.num_customers)

    def _for_fleet(self) -> SolveRun:
        """Return the run of a search for places, which needs a time limit."""
        timed = Budget(self._run.budget.time_limit)
        budget = timed.or_within(self._default_seconds)
        if self._task.params.allow_unserved:
            budget = budget.within(PLACING_SHARE * budget.remaining())
        return self._run.with_budget(budget).for_stage("fleet")

    def _do(
        self,
        name: str,
        work: Callable[P, Found],
        *arguments: P.args,
        **options: P.kwargs,
    ) -> Found:
        """Run a stage; note its seconds, and the cost of its solution."""
        begin, cost = self._monitor.seconds, None
        with self._monitor.stage(name):
            outcome = work(*arguments, **options)
            if isinstance(outcome, Solution):
                cost = self._to_given(outcome).cost
                # A construction may use more vehicles than there are.
                if self._instance.is_unlimited_cvrp or name in _FEASIBLE:
                    self._monitor.note(outcome.cost)
        seconds = self._monitor.seconds - begin
        self._stages.append(Stage(name, seconds, cost))
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


def _require_no_construction(params: SolveParams) -> None:
    """Refuse a construction beside given routes."""
    if params.method != AUTOMATIC:
        raise ParameterError(
            "an initial solution replaces the construction, so "
            f"method {params.method} would have no effect."
        )


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


_FEASIBLE: Final = ("start", "fleet", "search", "polish")
"""Stages whose routes keep every limit, of fleets too."""


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


def _as_driven(instance: Instance, solution: Solution) -> Solution:
    """Return given routes with their cost in an instance."""
    return Solution.from_routes(
        instance, solution.routes, solution.vehicle_types
    )


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
