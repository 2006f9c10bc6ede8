"""The order of the stages: cluster, route, polish, check."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.display import shown
from ncc_routing.core.events import Monitor
from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.methods import runnable
from ncc_routing.core.params import chosen, to_mapping
from ncc_routing.core.stopping import (
    counts_iterations,
    is_met,
    require_stop,
)
from ncc_routing.io.references import read_reference
from ncc_routing.problems.fleet import require_fleet_capacity
from ncc_routing.problems.references import reference_labels
from ncc_routing.problems.simplification import (
    restore,
    simplify,
    without_forbidden_arcs,
)
from ncc_routing.scoring.predictor import PairPredictor, pair_scorer
from ncc_routing.scoring.vocabulary import CVRP
from ncc_routing.vrp.methods import CLUSTERERS, METHODS, POLISHES
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.plan import (
    choose_method,
    clustering_deadline,
    construction_deadline,
    default_seconds,
)
from ncc_routing.vrp.problem import as_instance, checked_answer
from ncc_routing.vrp.result import Result, Stage
from ncc_routing.vrp.search.plan import plan_search
from ncc_routing.vrp.tours.cluster_routes import route_clusters

if TYPE_CHECKING:
    import pyvrp

    from ncc_routing.core.events import Callbacks
    from ncc_routing.core.methods import Method
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.problem import Problem
    from ncc_routing.vrp.search.plan import Plan

__all__ = ["SolveParams", "solve", "supports", "warm_start"]

_logger = logging.getLogger(__name__)

WARM_START_SECONDS = 2.0
"""Time for a warm start where the caller sets no limit."""

WARM_START_POLISH = "ruin-recreate"
"""Polish of a warm start: PyVRP itself comes afterwards."""


def solve(
    problem: Problem,
    params: SolveParams | None = None,
    *,
    deadline: Deadline | None = None,
    stop: Stop | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
    **changes: Any,
) -> Result:
    """Solve a CVRP: cluster first, route second, then polish.

    Ctrl-C ends the run with the best solution so far; a second one raises.

    Parameters
    ----------
    problem
        An instance, a VRPLIB file, the name of a known instance, or PyVRP's
        ``ProblemData`` or ``Model``.
    params
        Parameters of the run. Default: ``SolveParams()``.
    deadline
        A clock of the caller, which may expire at any time. The earlier of it
        and ``time_limit`` ends the run with the best solution so far.
    stop
        Another criterion, of :mod:`ncc_routing.core.stopping`. It counts the
        iterations of each search of the polish; with a limit on them only
        ``time_limit`` limits the time.
    callbacks
        Called at the start, at each better solution, and at the end.
    display
        Whether to show the progress on stderr. Default no.
    changes
        Single parameters by name, which replace those of ``params``:
        ``solve(instance, method="savings", time_limit=10.0)``.

    Returns
    -------
    Result
        Its solution has passed ``check_solution`` for the given problem.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range.
    UnsupportedProblemError, InfeasibleError
        If the method does not accept the instance, or cannot place every
        customer.
    """
    asked = chosen(SolveParams, params, changes)
    require_stop(stop)
    params = with_files_read(asked)
    deadline = (deadline or Deadline()).within(params.time_limit)
    given = as_instance(problem)
    instance = without_forbidden_arcs(simple := simplify(given))
    method = _accepting_method(params, instance)
    with shown(display, callbacks) as listeners:
        monitor = Monitor(deadline, listeners)
        monitor.begin(given, asked)
        with expire_on_ctrl_c(deadline) as interruption:
            run = _Run(instance, method, params, deadline, stop, monitor)
            found = run.polish(run.construct())
        best = checked_answer(problem, given, restore(given, simple, found))
        result = run.result(given, best, asked, interruption.received)
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


def _accepting_method(params: SolveParams, instance: Instance) -> Method:
    """Return the construction; refuse what a step cannot take.

    The preference comes first: the user has named it.
    """
    if params.preference is not None:
        params.preference.require(instance)
    method = choose_method(params, instance)
    for step in (POLISHES.get(params.polish), method):
        if step is not None:
            step.require(instance.name, instance.features)
    require_fleet_capacity(
        instance.name,
        instance.demands[1 : instance.num_customers + 1],
        instance.vehicle_types,
    )
    return method


def warm_start(
    data: pyvrp.ProblemData | pyvrp.Model,
    time_limit: float = WARM_START_SECONDS,
    seed: int = 1,
    **changes: Any,
) -> pyvrp.Solution:
    """Return a complete, feasible start for PyVRP.

    Parameters
    ----------
    data
        A problem that ``supports`` accepts, as data or model.
    time_limit
        Wall-clock seconds, with the conversion of the data. Default 2; 80 % of
        a total budget is a good choice from 300 customers on.
    seed
        Seed of the run.
    changes
        Other parameters of ``SolveParams`` by name, and ``stop``,
        ``callbacks`` and ``display`` of :func:`solve`. Default: savings, then
        ruin and recreate for the rest of the time.

    Returns
    -------
    pyvrp.Solution
        The ``initial_solution`` for ``pyvrp.solve``.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range.
    UnsupportedProblemError
        If the data have an unsupported feature, which it names.
    """
    from ncc_routing.vrp.pyvrp_adapter import problem_data, to_pyvrp

    start = {"polish": WARM_START_POLISH, **changes}
    params = SolveParams(time_limit=time_limit, seed=seed)
    deadline = Deadline(params.time_limit)
    data = problem_data(data)
    result = solve(data, params, deadline=deadline, **start)
    return to_pyvrp(result.best, data)


def supports(data: pyvrp.ProblemData | pyvrp.Model) -> list[str]:
    """Return the reasons for which :func:`warm_start` refuses some data.

    Parameters
    ----------
    data
        PyVRP's data, or its model.

    Returns
    -------
    list[str]
        Unsupported features in words; empty where the data are supported.

    Raises
    ------
    ParameterError
        If it is neither data nor a model.
    """
    from ncc_routing.vrp.pyvrp_adapter import (
        from_problem_data,
        problem_data,
        unsupported_parts,
    )

    data = problem_data(data)
    reasons = [str(reason) for reason in unsupported_parts(data)]
    if reasons:
        return reasons
    try:
        instance = from_problem_data(data)
    except InstanceError as error:
        return [str(error)]
    instance = without_forbidden_arcs(simplify(instance))
    params = SolveParams(polish=WARM_START_POLISH)
    steps = (choose_method(params, instance), POLISHES[WARM_START_POLISH])
    refused = [step.refused(instance.features) for step in steps]
    return list(dict.fromkeys(chain.from_iterable(refused)))


class _Run:
    """One run: its construction and its polish, and the stages so far."""

    def __init__(
        self,
        instance: Instance,
        method: Method,
        params: SolveParams,
        deadline: Deadline,
        stop: Stop | None,
        monitor: Monitor,
    ) -> None:
        self._instance = instance
        self._params = params
        self._deadline = deadline
        self._stop = stop
        self._monitor = monitor
        self._polish = POLISHES.get(params.polish)
        self._share = construction_deadline(deadline, params)
        self._labels: tuple[int, ...] = ()
        if params.reference is not None:
            labels = reference_labels(instance, params.reference)
            self._labels = tuple(labels.tolist())
        self.method: Method = runnable(method, METHODS, instance, self._share)
        self._phases: Plan = ()
        self._plan = [self.method.name]
        self.stages: list[Stage] = []

    def construct(self) -> Solution:
        """Return the first routes, on the vehicles that there are."""
        solution = self._construct()
        if self._instance.is_plain:
            return solution
        from ncc_routing.vrp.search.fleets.limits import keep_to_fleet

        deadline = self._limited()

        def keep(instance: Instance, *, run: dict[str, Any]) -> Solution:
            return keep_to_fleet(instance, solution, run["seed"], deadline)

        kept: Solution = self._stage("fleet", keep, "fleet", deadline)
        return kept

    def _construct(self) -> Solution:
        """Return the first routes."""
        deadline, method = self._share, self.method
        if method.name not in CLUSTERERS:
            found: Solution = self._stage(
                method.name, method, "construct", deadline
            )
            return found
        due = clustering_deadline(deadline, self._instance.num_customers)
        clusters = self._stage("cluster", method, "cluster", due)

        def route(instance: Instance, *, run: dict[str, Any]) -> Solution:
            return route_clusters(
                instance, clusters, run["router"], run["seed"], deadline
            )

        routed: Solution = self._stage("route", route, "route", deadline)
        return routed

    def polish(self, solution: Solution) -> Solution:
        """Return the improved routes; without a polish, the same."""
        if self._polish is None or is_met(self._stop, solution.cost):
            return solution
        deadline = self._deadline
        is_counted = counts_iterations(self._stop)
        if not is_counted:
            deadline = self._limited()
        if "plan" in self._polish.takes:
            self._phases = plan_search(
                self._instance,
                deadline.remaining(),
                jobs=self._params.num_cores,
                preference=self._params.preference,
                counts_iterations=is_counted,
            )
        self._plan += map(str, self._phases or [self._polish.name])
        _logger.info("Plan: %s.", ", ".join(self._plan))
        found: Solution = self._stage(
            "polish", self._polish, "polish", deadline, solution
        )
        return found

    def _limited(self) -> Deadline:
        """Return the deadline, or the default one where there is no limit."""
        if self._deadline.is_limited():
            return self._deadline
        seconds = default_seconds(self._instance.num_customers)
        return self._deadline.within(seconds)

    def result(
        self,
        instance: Instance,
        best: Solution,
        params: SolveParams,
        interrupted: bool,
    ) -> Result:
        """Return the result of the run for the instance that was given."""
        return Result(
            instance=instance,
            best=best,
            method=self.method.name,
            polish=params.polish,
            seed=params.seed,
            stages=tuple(self.stages),
            runtime=self._monitor.seconds,
            params=to_mapping(params),
            trace=tuple(self._monitor.trace),
            interrupted=interrupted,
            labels=self._labels,
            plan=tuple(self._plan),
        )

    def _stage(
        self,
        name: str,
        work: Any,
        seed_name: str,
        deadline: Deadline,
        *start: Solution,
    ) -> Any:
        """Run one stage; record its time and its cost."""
        run = self._params.run(seed_name, deadline)
        run["plan"] = self._phases
        run["stop"] = self._monitor.watched(self._stop)
        begun = self._monitor.seconds
        with self._monitor.stage(name):
            found = work(self._instance, *start, run=run)
            cost = getattr(found, "cost", None)
            if cost is not None:
                self._monitor.note(cost)
        seconds = self._monitor.seconds - begun
        self.stages.append(Stage(name, seconds, cost))
        return found
