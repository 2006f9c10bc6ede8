"""The order of the stages: cluster, route, polish, check."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.core.methods import require_name, runnable
from ncc_routing.core.params import (
    changed,
    require_limits,
    resolve_groups,
    to_mapping,
)
from ncc_routing.core.seeds import stage_seed
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.result import Result, Stage
from ncc_routing.vrp.methods import (
    CLUSTERERS,
    DEFAULT_METHOD,
    METHODS,
    NO_POLISH,
    PARAMS,
    POLISH_NAMES,
    POLISHES,
)
from ncc_routing.vrp.preparation import prepare_kernels
from ncc_routing.vrp.tours.cluster_routes import route_clusters
from ncc_routing.vrp.tours.routers import ROUTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyvrp

    from ncc_routing.clustering.priority import Priority
    from ncc_routing.core.methods import Method
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.ckm.search import CkmParams
    from ncc_routing.vrp.ncc import NccParams
    from ncc_routing.vrp.polishing.ruin_recreate import RuinRecreateParams

WARM_START_SECONDS = 2.0
"""Time for a warm start where the caller sets no limit."""

ROUTING_SECONDS_PER_CUSTOMER = 5e-4
"""Time that the routing of clusters takes, generously."""

ROUTING_SHARE = 0.3
"""Share of the time for a construction that it takes at most."""

CONSTRUCTION_SHARE = 0.2
"""Share of a time limit that a construction may use before a polish."""


@dataclass(frozen=True)
class SolveParams:
    """What :func:`solve` may be told.

    Parameters
    ----------
    method
        Name of the construction, a key of ``vrp.methods.METHODS``. Default
        "ckm".
    polish
        Improvement after it: "none" (default), "ruin-recreate", "pyvrp", or
        "auto", ruin and recreate with PyVRP at the end where size and time
        let it improve anything.
    router
        Solver for the tour of each cluster: "lkh" (default) or
        "local-search".
    time_limit
        Wall-clock seconds for everything. Default: each stage takes what
        its own effort asks for, a polish 10 seconds.
    seed
        Seed of every random choice, >= 0. Default 1. The same seed gives
        the same solution as long as no time limit cuts the work short;
        "petal" and "gap" set HiGHS one of their own.
    jobs
        Cores that the polish may use; -1 for all. Default 1. Ruin and
        recreate takes them, everything else runs on one. The solution
        depends on their number.
    priority
        How strongly a customer belongs to a cluster, for the method "ckm".
        Default: that of the method.
    ckm, ncc, ruin_recreate
        Parameters of these algorithms: ``CkmParams``, ``NccParams``,
        ``RuinRecreateParams``, or a mapping with some of their fields,
        ``ruin_recreate={"mean_removed": 12}``. Default: theirs.

    Raises
    ------
    ParameterError
        If a name is unknown or a number out of range.
    """

    method: str = DEFAULT_METHOD
    polish: str = NO_POLISH
    router: str = ROUTERS[0]
    time_limit: float | None = None
    seed: int = 1
    jobs: int = 1
    priority: Priority | None = None
    ckm: CkmParams | Mapping[str, object] | None = None
    ncc: NccParams | Mapping[str, object] | None = None
    ruin_recreate: RuinRecreateParams | Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        require_name("method", self.method, METHODS)
        require_name("polish", self.polish, POLISH_NAMES)
        require_name("router", self.router, ROUTERS)
        require_limits(self.time_limit, self.seed)
        if self.jobs < 1 and self.jobs != -1:
            raise ParameterError(
                f"jobs must be at least 1, or -1, got {self.jobs}."
            )
        if self.priority is not None:
            METHODS[self.method].require_priority(self.priority)
        resolve_groups(self, PARAMS)

    @property
    def num_cores(self) -> int:
        """The number of cores that ``jobs`` stands for."""
        return self.jobs if self.jobs > 0 else os.cpu_count() or 1

    def run(self, stage: str, deadline: Deadline) -> dict[str, object]:
        """Return what the method of a stage takes, by name."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            **known,
            "seed": stage_seed(self.seed, stage),
            "jobs": self.num_cores,
            "deadline": deadline,
        }


def solve(
    instance: Instance,
    params: SolveParams | None = None,
    *,
    deadline: Deadline | None = None,
    **changes: Any,
) -> Result:
    """Solve a CVRP: cluster first, route second, then polish.

    Parameters
    ----------
    instance
        The instance, for example from :func:`ncc_routing.read`.
    params
        Parameters of the run; the defaults of ``SolveParams`` if missing.
    deadline
        A clock of the caller, who may let it expire at any time: the run
        then ends soon with its best solution so far. It counts together
        with the ``time_limit``.
    changes
        Single parameters by name, which replace those of ``params``:
        ``solve(instance, method="savings", time_limit=10.0)``.

    Returns
    -------
    Result
        Its solution has passed ``check_solution``.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range.
    UnsupportedProblemError, InfeasibleError
        If the method does not accept the instance, or places not everyone.
    """
    params = changed(params or SolveParams(), changes)
    deadline = deadline or Deadline()
    prepare_kernels(instance, params.method, params.polish, deadline)
    start = deadline.now()
    if params.time_limit is not None:
        deadline = deadline.within(params.time_limit)
    polish = POLISHES.get(params.polish)
    construction = deadline
    if polish is not None:
        polish.require(instance.name, instance.features)
        if deadline.is_limited():
            share = CONSTRUCTION_SHARE * deadline.remaining()
            construction = deadline.within(share)
    method = METHODS[params.method]
    method.require(instance.name, instance.features)
    method = runnable(method, METHODS, instance, construction)
    stages: list[Stage] = []
    best = _construct(instance, method, params, construction, stages)
    if polish is not None:
        best = _polish(instance, best, polish, params, deadline, stages)
    for violation in check_solution(instance, best)[:1]:
        raise NccRoutingError(
            f"{instance.name}: {method.name} with polish {params.polish} "
            f"broke a rule: {violation.message}. Please report this."
        )
    return Result(
        instance=instance,
        best=best,
        method=method.name,
        polish=params.polish,
        seed=params.seed,
        stages=tuple(stages),
        runtime=deadline.now() - start,
        params=to_mapping(params),
    )


def warm_start(
    data: pyvrp.ProblemData,
    time_limit: float = WARM_START_SECONDS,
    seed: int = 1,
    **changes: Any,
) -> pyvrp.Solution:
    """Return a complete, feasible start for PyVRP.

    Parameters
    ----------
    data
        A CVRP. Its own distances count, whether or not they follow from the
        coordinates.
    time_limit
        Wall-clock seconds, the conversion of the data included. Default 2;
        80 % of a total budget is a good choice from 300 customers on.
    seed
        Seed of the run.
    changes
        Other parameters of ``SolveParams`` by name. Default: savings, the
        quickest construction, then ruin and recreate for the rest of the
        time.

    Returns
    -------
    pyvrp.Solution
        To be given to ``pyvrp.solve`` as ``initial_solution``.

    Raises
    ------
    ParameterError
        If a parameter is unknown or out of range.
    UnsupportedProblemError
        If the data have a feature beyond the CVRP, which it names.
    """
    from ncc_routing.vrp.pyvrp_adapter import from_problem_data, to_pyvrp

    start = {"method": "savings", "polish": "ruin-recreate", **changes}
    params = changed(SolveParams(time_limit=time_limit, seed=seed), start)
    deadline = Deadline(params.time_limit)
    instance = from_problem_data(data)
    result = solve(instance, params, deadline=deadline)
    return to_pyvrp(result.best, data)


def _construct(
    instance: Instance,
    method: Method,
    params: SolveParams,
    deadline: Deadline,
    stages: list[Stage],
) -> Solution:
    """Run the construction and note its stages."""
    begun = deadline.now()
    if method.name not in CLUSTERERS:
        solution: Solution = method(
            instance, run=params.run("construct", deadline)
        )
        seconds = deadline.now() - begun
        stages.append(Stage(method.name, seconds, solution.cost))
        return solution
    left = deadline.remaining()
    routing_seconds = min(
        ROUTING_SHARE * left,
        ROUTING_SECONDS_PER_CUSTOMER * instance.num_customers,
    )
    search = deadline.within(left - routing_seconds)
    clusters = method(instance, run=params.run("cluster", search))
    routing = deadline.now()
    stages.append(Stage("cluster", routing - begun, None))
    seed = stage_seed(params.seed, "route")
    solution = route_clusters(
        instance, clusters, params.router, seed, deadline
    )
    stages.append(Stage("route", deadline.now() - routing, solution.cost))
    return solution


def _polish(
    instance: Instance,
    solution: Solution,
    polish: Method,
    params: SolveParams,
    deadline: Deadline,
    stages: list[Stage],
) -> Solution:
    """Run the polish and note its stage."""
    begun = deadline.now()
    if not deadline.is_limited() and polish.default_seconds is not None:
        deadline = deadline.within(polish.default_seconds)
    best: Solution = polish(
        instance, solution, run=params.run("polish", deadline)
    )
    stages.append(Stage("polish", deadline.now() - begun, best.cost))
    return best
