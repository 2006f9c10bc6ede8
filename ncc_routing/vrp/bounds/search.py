"""The bounds one after another: by q-routes, then by ng-routes and cuts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.bounds.ascent import ascend
from ncc_routing.vrp.bounds.branching import search_tree
from ncc_routing.vrp.bounds.generation import Master
from ncc_routing.vrp.bounds.relaxed import relax, without_setups
from ncc_routing.vrp.bounds.rows import Column, Cut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.simplification import Prepared
    from ncc_routing.vrp.bounds.listed import ListedRoutes
    from ncc_routing.vrp.bounds.relaxed import TypeRoutes

Q_ROUTES: Final = "q-routes"
NG_ROUTES: Final = "ng-routes"
"""Kinds of bounds: what routes they allow beside those of the problem."""

_MAX_STEPS: Final = 200
"""Steps of the subgradient."""


class BoundPoint(NamedTuple):
    """A bound, the kind that gave it, and the seconds until then."""

    seconds: float
    lower_bound: float
    kind: str


class FoundBound(NamedTuple):
    """What is proven about an instance: bounds in ascending order.

    ``shares`` are those of the nodes in the last one. ``better`` is the best
    solution that was met and costs less than the known one, if any.
    """

    points: tuple[BoundPoint, ...]
    relaxed: tuple[str, ...]
    shares: np.ndarray
    better: Solution | None = None
    upper: float = math.inf


def bound_of(
    prepared: Prepared,
    solution: Solution | None,
    upper: float | None,
    deadline: TimeLimit,
    *,
    prove: bool,
    known: Callable[[], float] = lambda: math.inf,
) -> FoundBound:
    """Bound the cost of any solution of the given problem.

    ``solution`` and ``better`` are solutions of it, and nodes those of the
    searched one. The rest is as for ``search_bound``.
    """
    given, prepared = prepared.given, without_setups(prepared)
    better, least = None, math.inf if upper is None else upper

    def judge(routes: Solution) -> float:
        nonlocal better, least
        routes = prepared.to_given(routes)
        met = Solution.from_routes(given, routes.routes, routes.vehicle_types)
        if met.cost < min(least, known()) and not check_solution(given, met):
            better, least = met, met.cost
        return min(least, known())

    start = None if solution is None else prepared.from_given(solution)
    found = search_bound(
        *(prepared.simplified, start, upper, deadline),
        prove=prove,
        judge=judge,
        known=known,
    )
    return found._replace(better=better)


def search_bound(
    instance: Instance,
    solution: Solution | None,
    upper: float | None,
    deadline: TimeLimit,
    *,
    prove: bool = False,
    judge: Callable[[Solution], float] = lambda _: math.inf,
    known: Callable[[], float] = lambda: math.inf,
) -> FoundBound:
    """Bound the cost of any solution until a deadline.

    Parameters
    ----------
    instance
        The simplified instance.
    solution
        Routes to begin with.
    upper
        Cost of a solution, if known.
    deadline
        When to stop.
    prove
        Whether to branch until no better solution is left.
    judge
        Is told each solution of the relaxation that is met, and returns the
        cost of the best solution known.
    known
        Returns the cost of another solution, which may fall meanwhile.
    """
    start = deadline.now()
    problem = relax(instance, deadline)
    best = problem.constant
    most = math.inf if upper is None else upper
    points = [BoundPoint(0.0, problem.bound_of(best), Q_ROUTES)]
    shares = np.zeros(len(problem.skipped))

    def note(units: int, of_rows: np.ndarray | None, kind: str) -> None:
        nonlocal best, shares
        # Beyond the cost of a solution, arcs of others may be missing.
        value = min(problem.bound_of(units), most)
        best = max(best, units)
        if value > points[-1].lower_bound:
            seconds = deadline.now() - start
            points.append(BoundPoint(seconds, value, kind))
            if of_rows is None:
                rest = problem.in_costs(units - problem.constant) - sum(shares)
                of_rows = shares + problem.by_weight(rest)
            shares = of_rows

    of_nodes = np.zeros(len(instance.demands))
    routes: list[TypeRoutes | ListedRoutes]
    routes = [*problem.types, *problem.listed]
    if not routes:
        return FoundBound(tuple(points), problem.relaxed, of_nodes)
    if upper is None:
        ends = [each.round_trips for each in routes]
        upper = float(np.nan_to_num(np.min(ends, axis=0), posinf=0.0).sum())
    duals, of_vehicles = ascend(
        *(problem, upper, deadline, _MAX_STEPS),
        lambda bound, of_rows: note(bound, of_rows, Q_ROUTES),
    )
    if problem.types:
        columns = [] if solution is None else _columns_of(instance, solution)
        cuts = [Cut(np.arange(problem.num_nodes) > 0, problem.num_vehicles)]
        num_limited = sum(
            each.num_available < problem.num_nodes - 1
            for each in problem.types
        )
        master = Master(
            columns,
            cuts,
            np.concatenate(
                [np.maximum(duals, 0.0), np.zeros(num_limited), [of_vehicles]]
            ),
            best,
            [each.units for each in problem.types],
        )

        def least() -> float:
            nonlocal most
            most = min(most, known())
            return most

        def tell(chosen: Sequence[Column]) -> float:
            nonlocal most
            most = min(most, judge(_solution_of(chosen)))
            return most

        search_tree(
            *(problem, master, least, deadline, prove),
            lambda bound, of_rows: note(bound, of_rows, NG_ROUTES),
            tell,
        )
    of_nodes[1 : problem.num_nodes] = problem.of_customers(shares)
    return FoundBound(tuple(points), problem.relaxed, of_nodes, upper=most)


def _columns_of(instance: Instance, solution: Solution) -> list[Column]:
    depots = set(instance.depots)
    return [
        Column(t, tuple(route))
        for route, t in zip(
            solution.routes, solution.vehicle_types, strict=True
        )
        if route and depots.isdisjoint(route)
    ]


def _solution_of(columns: Sequence[Column]) -> Solution:
    """Return columns as routes; the cost is not known."""
    return Solution(
        tuple(column.customers for column in columns),
        math.nan,
        tuple(column.vehicle_type for column in columns),
    )
