"""How far a solution may be from the best: a proven lower bound."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from ncc_routing.core.exceptions import (
    InfeasibleError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.problems.routes.simplification import Prepared
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.bounds.relaxed import (
    SETUPS,
    require_bounded,
    without_setups,
)
from ncc_routing.vrp.bounds.search import bound_of
from ncc_routing.vrp.initial_solution import read_start
from ncc_routing.vrp.problem import as_instance
from ncc_routing.vrp.result import bound_gap_percent, proves
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.bounds.search import BoundPoint
    from ncc_routing.vrp.initial_solution import InitialSolution
    from ncc_routing.vrp.problem import Problem

DEFAULT_SECONDS: Final = 60.0
"""Time for a bound where the caller sets no limit."""

_SOLVE_SHARE: Final = 0.1
"""Share of the time for a first solution, if none is given."""

_SOLVE_SECONDS: Final = 5.0
"""Longest time for it."""

_AGAIN_SHARE: Final = 0.2
"""Share of that where a solution is given."""


@dataclass(frozen=True, eq=False, repr=False)
class LowerBound:
    """A proven lower bound on the cost of any solution.

    Parameters
    ----------
    instance
        The instance that is bounded.
    lower_bound
        No solution costs less.
    kind
        The routes that the relaxation allows: "ng-routes" or, weaker,
        "q-routes".
    history
        The bound over time: ascending, the last one is ``lower_bound``.
    relaxed
        The features of the instance that the bound drops.
    marginal_costs
        Dual value of each node, float64: by how much the bound grows with its
        demand for a visit. Parts of inequalities for several customers are
        shared by load. All add up to the bound before rounding, but for
        prizes that no solution earns; depots have 0, and the customers of a
        group share equally.
    upper
        Cost of the best known solution, ``None`` without one.
    best
        That solution, ``None`` where only its cost is known.
    runtime
        Wall-clock seconds.
    interrupted
        Whether Ctrl-C ended the run.
    """

    instance: Instance
    lower_bound: float
    kind: str
    history: tuple[BoundPoint, ...]
    relaxed: tuple[str, ...]
    marginal_costs: np.ndarray
    upper: float | None
    best: Solution | None
    runtime: float
    interrupted: bool

    @property
    def bound_gap_percent(self) -> float | None:
        """Percentage by which ``upper`` is above the bound at most.

        ``None`` without a solution, or if one of the two is not positive.
        """
        return bound_gap_percent(self.upper, self.lower_bound)

    @property
    def is_optimal(self) -> bool:
        """Whether ``best`` is proven to be optimal.

        Only where all costs are whole numbers: others are known up to
        ``bound_gap_percent``.
        """
        return self.best is not None and proves(
            self.instance, self.lower_bound, self.best.cost
        )

    def to_json(self) -> str:
        """Return everything but the instance as JSON text."""
        return json.dumps(
            {
                "instance": self.instance.name,
                "num_customers": self.instance.num_customers,
                "lower_bound": self.lower_bound,
                "upper": self.upper,
                "bound_gap_percent": self.bound_gap_percent,
                "is_optimal": self.is_optimal,
                "routes": None if self.best is None else self.best.routes,
                "kind": self.kind,
                "relaxed": self.relaxed,
                "marginal_costs": self.marginal_costs.tolist(),
                "history": [point._asdict() for point in self.history],
                "runtime_seconds": self.runtime,
                "interrupted": self.interrupted,
            },
            allow_nan=False,
        )

    def __str__(self) -> str:
        """Return some lines of text."""
        lines = [
            f"{'instance':<12}{self.instance.name}, "
            f"{self.instance.describe_size()}",
            f"{'lower bound':<12}{self.lower_bound:,.10g} by {self.kind}",
        ]
        if self.relaxed:
            lines.append(f"{'left out':<12}{', '.join(self.relaxed)}")
        if self.upper is not None:
            lines.append(f"{'best cost':<12}{self.upper:,.10g}")
        if self.is_optimal:
            lines.append(f"{'gap':<12}none: the best cost is optimal")
        elif self.bound_gap_percent is not None:
            lines.append(f"{'gap':<12}{self.bound_gap_percent:.2f} % at most")
        lines.append(f"{'time':<12}{self.runtime:.2f} s")
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return one line."""
        gap = self.bound_gap_percent
        text = "" if gap is None else f", gap {gap:.2f} %"
        return (
            f"LowerBound({self.instance.name}: {self.lower_bound:,.10g} "
            f"by {self.kind}{text}, {self.runtime:.2f} s)"
        )


def lower_bound(
    problem: Problem,
    time_limit: float | TimeLimit | None = DEFAULT_SECONDS,
    upper: InitialSolution | float | None = None,
    *,
    prove: bool = False,
) -> LowerBound:
    """Prove a lower bound on the cost of any solution.

    The bound is valid whenever the run ends; Ctrl-C ends it with the best
    bound so far. It bounds the problem as given, in its rounding. Constraints
    that are not modelled are dropped, which keeps it valid;
    ``LowerBound.relaxed`` names them.

    Parameters
    ----------
    problem
        As for :func:`ncc_routing.solve`.
    time_limit
        Seconds, or a ``TimeLimit``. Default 60; ``None`` for no limit.
    upper
        A solution in any form that :func:`ncc_routing.solve` takes, or the
        cost of one. It speeds the run up, and the bound is never above it.
        Default: that of a short search, which ``prove`` adds in any case.
    prove
        Whether to go on by branching until the best solution is proven to be
        optimal, or the time is over. Default: the run ends when linear
        programs alone raise the bound no more.

    Returns
    -------
    LowerBound
        The bound, its history, and the gap to the best known solution.

    Raises
    ------
    ParameterError
        If ``time_limit`` or ``upper`` is no such value, or a solution breaks
        a rule.
    UnsupportedProblemError
        If the problem has negative fixed costs, reloads or shipments, or more
        than 30,000 nodes.
    InstanceError
        If a file or a table is missing or wrong.

    References
    ----------
    Baldacci, Christofides and Mingozzi (2008), Mathematical Programming
    115(2), 351; Baldacci, Mingozzi and Roberti (2011), Operations Research
    59(5), 1269.
    """
    instance = as_instance(problem)
    deadline = time_limit
    if not isinstance(deadline, TimeLimit):
        deadline = TimeLimit(deadline)
    start = deadline.now()
    prepared = Prepared.of(instance)
    require_bounded(without_setups(prepared).simplified)
    with expire_on_ctrl_c(deadline) as interruption:
        solution, cost = _start_of(instance, upper, deadline, search=prove)
        found = bound_of(prepared, solution, cost, deadline, prove=prove)
    if found.better is not None:
        solution, cost = found.better, found.better.cost
    points = found.points
    marginal_costs = np.zeros(1 + max(prepared.nodes))
    marginal_costs[prepared.nodes] = found.shares
    marginal_costs = marginal_costs[: len(instance.demands)]
    marginal_costs.flags.writeable = False
    return LowerBound(
        instance=instance,
        lower_bound=points[-1].lower_bound,
        kind=points[-1].kind,
        history=points,
        relaxed=(
            *sorted(SETUPS.intersection(instance.features)),
            *found.relaxed,
        ),
        marginal_costs=marginal_costs,
        upper=cost,
        best=solution,
        runtime=deadline.now() - start,
        interrupted=interruption.received,
    )


def _start_of(
    instance: Instance,
    upper: InitialSolution | float | None,
    deadline: TimeLimit,
    *,
    search: bool,
) -> tuple[Solution | None, float | None]:
    """Return the given solution and its cost, or those of a short search.

    ``search`` is for a better one than is given.
    """
    solution, cost = None, None
    if isinstance(upper, Real):
        is_cost = abs(upper) <= sys.float_info.max
        if not is_cost or isinstance(upper, bool):
            raise ParameterError("upper must be a solution or a finite cost.")
        cost = float(upper)
    elif upper is not None:
        start = read_start(cast("InitialSolution", upper), instance, "upper")
        if start.broken:
            raise ParameterError(f"upper breaks a rule: {start.broken[0]}.")
        given = start.solution
        solution = Solution.from_routes(
            instance, given.routes, given.vehicle_types
        )
        cost = solution.cost
    if upper is not None and not search:
        return solution, cost
    seconds = min(_SOLVE_SECONDS, _SOLVE_SHARE * deadline.remaining())
    if solution is not None:  # which mostly is the end of a search
        seconds *= _AGAIN_SHARE
    try:
        found = solve(
            instance, deadline.within(seconds), initial_solution=solution
        ).best
    except (InfeasibleError, UnsupportedProblemError):
        return solution, cost
    is_better = cost is None or found.cost <= cost
    return (found, found.cost) if is_better else (solution, cost)
