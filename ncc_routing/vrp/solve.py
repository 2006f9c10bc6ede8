"""The order of the stages: cluster, route, polish, check."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError, ParameterError
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.constants import (
    DEFAULT_METHOD,
    METHOD_NAMES,
    POLISH_NAMES,
    ROUTER_NAMES,
)
from ncc_routing.problems.result import Result, Stage
from ncc_routing.vrp.methods import CLUSTERERS, CONSTRUCTORS
from ncc_routing.vrp.tours.cluster_routes import route_clusters

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyvrp

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

POLISH_SECONDS = 10.0
"""Time for polishing where the caller sets no limit."""

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
        Name of the construction, a key of ``methods.METHODS``. Default
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

    Raises
    ------
    ParameterError
        If a name is unknown or a number out of range.
    """

    method: str = DEFAULT_METHOD
    polish: str = "none"
    router: str = "lkh"
    time_limit: float | None = None
    seed: int = 1
    jobs: int = 1

    def __post_init__(self) -> None:
        for field, names in (
            ("method", METHOD_NAMES),
            ("polish", POLISH_NAMES),
            ("router", ROUTER_NAMES),
        ):
            value = getattr(self, field)
            if value not in names:
                raise ParameterError(
                    f"{field} must be one of {', '.join(names)}, "
                    f"got {value!r}."
                )
        if self.time_limit is not None and not self.time_limit > 0:
            raise ParameterError(
                f"time_limit must be positive, got {self.time_limit}."
            )
        if self.seed < 0:
            raise ParameterError(f"seed must be >= 0, got {self.seed}.")
        if self.jobs < 1 and self.jobs != -1:
            raise ParameterError(
                f"jobs must be at least 1, or -1, got {self.jobs}."
            )

    @property
    def num_cores(self) -> int:
        """The number of cores that ``jobs`` stands for."""
        return self.jobs if self.jobs > 0 else os.cpu_count() or 1


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
    InfeasibleError
        If the method cannot place every customer.
    """
    start = time.perf_counter()
    params = _changed(params or SolveParams(), changes)
    deadline = deadline or Deadline()
    if params.time_limit is not None:
        deadline = deadline.within(params.time_limit)
    stages: list[Stage] = []
    best = _construct(instance, params, deadline, stages)
    if params.polish in POLISHERS:
        begun = time.perf_counter()
        if not deadline.is_limited():
            deadline = deadline.within(POLISH_SECONDS)
        polisher = POLISHERS[params.polish]
        best = polisher(instance, best, deadline, params)
        stages.append(Stage("polish", time.perf_counter() - begun, best.cost))
    for violation in check_solution(instance, best)[:1]:
        raise NccRoutingError(
            f"{instance.name}: {params.method} with polish {params.polish} "
            f"broke a rule: {violation.message}. Please report this."
        )
    return Result(
        instance=instance,
        best=best,
        method=params.method,
        polish=params.polish,
        seed=params.seed,
        stages=tuple(stages),
        runtime=time.perf_counter() - start,
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
    UnsupportedProblemError
        If the data have a feature beyond the CVRP, which it names.
    """
    from ncc_routing.vrp.pyvrp_adapter import from_problem_data, to_pyvrp

    deadline = Deadline(time_limit)
    instance = from_problem_data(data)
    params = SolveParams(method="savings", polish="ruin-recreate", seed=seed)
    result = solve(instance, params, deadline=deadline, **changes)
    return to_pyvrp(result.best, data)


def _changed(params: SolveParams, changes: dict[str, Any]) -> SolveParams:
    known = params.__dataclass_fields__
    for name in changes:
        if name not in known:
            raise ParameterError(
                f"there is no parameter {name!r}; the parameters are "
                f"{', '.join(known)}."
            )
    return replace(params, **changes)


def _construct(
    instance: Instance,
    params: SolveParams,
    deadline: Deadline,
    stages: list[Stage],
) -> Solution:
    """Run the construction and note its stages."""
    begun = time.perf_counter()
    if params.polish != "none" and deadline.is_limited():
        deadline = deadline.within(CONSTRUCTION_SHARE * deadline.remaining())
    if params.method in CONSTRUCTORS:
        construct = CONSTRUCTORS[params.method]
        solution = construct(instance, params.router, params.seed, deadline)
        seconds = time.perf_counter() - begun
        stages.append(Stage(params.method, seconds, solution.cost))
        return solution
    left = deadline.remaining()
    routing_seconds = min(
        ROUTING_SHARE * left,
        ROUTING_SECONDS_PER_CUSTOMER * instance.num_customers,
    )
    search = deadline.within(left - routing_seconds)
    clusters = CLUSTERERS[params.method](instance, params.seed, search)
    routing = time.perf_counter()
    stages.append(Stage("cluster", routing - begun, None))
    solution = route_clusters(
        instance, clusters, params.router, params.seed, deadline
    )
    stages.append(Stage("route", time.perf_counter() - routing, solution.cost))
    return solution


def _polish_ruin_recreate(
    instance: Instance,
    solution: Solution,
    deadline: Deadline,
    params: SolveParams,
) -> Solution:
    from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

    return ruin_and_recreate(
        instance,
        solution,
        deadline=deadline,
        seed=params.seed,
        jobs=params.num_cores,
    )


def _polish_pyvrp(
    instance: Instance,
    solution: Solution,
    deadline: Deadline,
    params: SolveParams,
) -> Solution:
    from ncc_routing.vrp.polishing.pyvrp_search import polish_pyvrp

    return polish_pyvrp(instance, solution, deadline, params.seed)


def _polish_auto(
    instance: Instance,
    solution: Solution,
    deadline: Deadline,
    params: SolveParams,
) -> Solution:
    from ncc_routing.vrp.polishing.automatic import polish_auto

    return polish_auto(
        instance, solution, deadline, params.seed, params.num_cores
    )


POLISHERS: dict[
    str, Callable[[Instance, Solution, Deadline, SolveParams], Solution]
] = {
    "ruin-recreate": _polish_ruin_recreate,
    "pyvrp": _polish_pyvrp,
    "auto": _polish_auto,
}
"""Every polish by name; "none" does nothing."""
