"""The bounds one after another: by q-routes, then by ng-routes and cuts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.vrp.bounds.ascent import ascend
from ncc_routing.vrp.bounds.generation import Column, Generation
from ncc_routing.vrp.bounds.relaxed import relax

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
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

    ``shares`` are those of the nodes in the last one.
    """

    points: tuple[BoundPoint, ...]
    relaxed: tuple[str, ...]
    shares: np.ndarray


def search_bound(
    instance: Instance,
    solution: Solution | None,
    upper: float | None,
    deadline: TimeLimit,
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
    """
    start = deadline.now()
    problem = relax(instance, deadline)
    best = problem.constant
    most = math.inf if upper is None else upper
    points = [BoundPoint(0.0, problem.bound_of(best), Q_ROUTES)]
    shares = np.zeros(len(problem.skipped))

    def note(units: int, of_rows: np.ndarray, kind: str) -> None:
        nonlocal best, shares
        # Beyond the cost of a solution, arcs of others may be missing.
        value = min(problem.bound_of(units), most)
        best = max(best, units)
        if value > points[-1].lower_bound:
            seconds = deadline.now() - start
            points.append(BoundPoint(seconds, value, kind))
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
        generation = Generation(
            *(problem, columns, duals, of_vehicles, best, most),
            lambda bound, of_rows: note(bound, of_rows, NG_ROUTES),
        )
        generation.run(deadline)
    of_nodes[1 : problem.num_nodes] = problem.of_customers(shares)
    return FoundBound(tuple(points), problem.relaxed, of_nodes)


def _columns_of(instance: Instance, solution: Solution) -> list[Column]:
    depots = set(instance.depots)
    return [
        Column(t, tuple(route))
        for route, t in zip(
            solution.routes, solution.vehicle_types, strict=True
        )
        if route and depots.isdisjoint(route)
    ]
