"""Routes that the user gives, in place of a construction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.io.vrplib import StatedSolution
from ncc_routing.problems import features
from ncc_routing.problems.distances import LARGEST_MATRIX
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.route_constraints import RouteConstraints
from ncc_routing.problems.routes.checking import check_routes, check_solution
from ncc_routing.problems.routes.schedules import route_nodes, schedule_route
from ncc_routing.problems.routes.solution import Solution, route_ids
from ncc_routing.problems.values import exceeds
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.result import Result
from ncc_routing.vrp.search.fleets.limits import keep_to_fleet

if TYPE_CHECKING:
    import pyvrp

    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.search.fleets.spaces import FleetSpaces

    InitialSolution: TypeAlias = (
        Solution
        | Result
        | StatedSolution
        | "Start"
        | pyvrp.Solution
        | str
        | PathLike[str]
        | Sequence[Sequence[int | str]]
    )

_UNUSABLE: Final = ("unknown", "duplicate")
"""Kinds of violations that no repair can mean to mend."""

_HARMLESS: Final = ("cost", "empty")
"""Kinds that say nothing of the visits."""

_OF_OTHERS: Final = ("empty", "in_progress")
"""Kinds that say nothing of a route that is there."""

_WHOLE: Final = frozenset(
    {
        features.LOAD_DIMENSIONS,
        features.PICKUPS,
        features.SHIPMENTS,
        features.INITIAL_LOADS,
        features.RELOAD_DEPOTS,
        features.OPTIONAL_CUSTOMERS,
        features.CLIENT_GROUPS,
        *features.ROUTE_RULES,
        *features.BEYOND_PYVRP,
    }
)
"""Features beside which a part of a route may break what the whole keeps."""


_NOTHING: Final = Solution((), 0.0)


class Start(NamedTuple):
    """Routes to begin with, and the rules that they break, in words.

    The rest of a plan that is driven need not keep them. Routes that are
    whole only miss customers. Who was ``planned`` before is left out after
    others of the same priority, unless ``new_orders_compete``.
    """

    solution: Solution
    broken: tuple[str, ...] = ()
    is_rest: bool = False
    is_whole: bool = False
    planned: tuple[int, ...] = ()
    new_orders_compete: bool = False


def read_start(
    initial: InitialSolution,
    instance: Instance,
    source: str = "initial_solution",
) -> Start:
    """Return the routes of a user in the terms of an instance.

    ``source`` is what the user calls them, for messages. ``ParameterError``
    is raised for what is no solution, a customer or a vehicle type that there
    is not, and a customer who is there twice; the errors of
    ``desk.routes.read_plan`` for files.
    """
    start = initial if isinstance(initial, Start) else Start(_NOTHING)
    if isinstance(initial, Start):
        initial = initial.solution
    if isinstance(initial, str | PathLike):
        source = str(initial)
        # Imported here: routes at hand need no reader.
        from ncc_routing.desk.routes import read_plan

        stated = read_plan(initial, instance, skips_unknown=True)
        routes, vehicle_types = stated.routes, stated.vehicle_types
    elif isinstance(initial, Solution):
        routes, vehicle_types = initial.routes, initial.vehicle_types
    elif isinstance(initial, Result):
        past, best = initial.instance, initial.best
        routes, vehicle_types = best.routes, best.vehicle_types
        if past.ids is not None and instance.ids is not None:
            routes = _numbered(route_ids(past, best), instance, source)
    elif isinstance(initial, StatedSolution):
        routes, vehicle_types = initial.routes_of(instance)
    elif is_pyvrp(initial):
        from ncc_routing.pyvrp.adapter import routes_of_pyvrp

        routes, vehicle_types = routes_of_pyvrp(initial, instance)
    else:
        routes = _numbered(initial, instance, source)
        vehicle_types = (0,) * len(routes)
        if len(instance.vehicle_types) > 1:
            raise ParameterError(
                f"{source} needs the vehicle types of its routes: "
                f"{instance.name} has several. Give a Solution."
            )
    solution = Solution(routes, 0.0, vehicle_types)
    tidy = _without_idle_reloads(instance, solution)
    if tidy != solution and not _breaks_rules(instance, tidy):
        solution = tidy
    violations = check_solution(instance, solution)
    for violation in violations:
        if violation.kind in _UNUSABLE:
            raise ParameterError(f"{source}: {violation.message}.")
    broken = [one for one in violations if one.kind not in _HARMLESS]
    return start._replace(
        solution=solution,
        broken=tuple(one.message for one in broken),
        is_whole=all(one.kind == "missing" for one in broken),
    )


def _without_idle_reloads(instance: Instance, solution: Solution) -> Solution:
    """Return routes without reloads at a depot where the vehicle is."""
    routes = []
    for route, idx in zip(
        solution.routes, solution.vehicle_types, strict=True
    ):
        is_known = idx in range(len(instance.vehicle_types))
        if set(route).isdisjoint(instance.depots) or not is_known:
            routes.append(route)
            continue
        visits = [
            node for node, _ in groupby(route_nodes(instance, route, idx))
        ]
        vehicle = instance.vehicle_types[idx]
        if vehicle.start_depot is not None:
            visits = visits[1:]
        if vehicle.end_depot is not None:
            visits = visits[:-1]
        routes.append(tuple(visits))
    return Solution(tuple(routes), 0.0, solution.vehicle_types)


def _breaks_rules(instance: Instance, solution: Solution) -> bool:
    violations = check_solution(instance, solution)
    return any(one.kind not in _HARMLESS for one in violations)


def repair(
    instance: Instance,
    solution: Solution,
    run: Run,
    spaces: FleetSpaces | None = None,
    *,
    is_whole: bool = False,
) -> Solution:
    """Return complete routes that keep every rule, near to those given.

    Routes that only miss customers stay. Others keep their customers in order
    as long as they keep every limit, and as a whole or not at all where there
    is more than demands; perhaps another vehicle drives them then. Absent
    customers are inserted where they cost least, or, in a problem without any
    further limit that is too large for the matrix of the insertion, get routes
    of their own. ``InfeasibleError`` is raised as by ``keep_to_fleet``.
    """
    vehicle_types: Sequence[int] = solution.vehicle_types
    routes: Sequence[Sequence[int]] = solution.routes
    if is_whole:
        pass
    elif _WHOLE.isdisjoint(instance.features):
        driven = zip(solution.routes, vehicle_types, strict=True)
        routes = [_feasible_part(instance, *each) for each in driven]
    else:
        routes, vehicle_types = _whole_routes(instance, solution)
    kept = Solution.from_routes(instance, routes, vehicle_types)
    if instance.is_unlimited_cvrp and instance.num_customers >= LARGEST_MATRIX:
        absent = np.array(instance.unserved(kept.routes), dtype=np.int64)
        if len(absent) > 0:
            served = solve_savings(
                restrict(instance, absent), run, router=None
            )
            added = [absent[np.array(route) - 1] for route in served.routes]
            kept = Solution.from_routes(instance, [*kept.routes, *added])
        return kept
    return keep_to_fleet(instance, kept, run, spaces)


def _numbered(
    routes: Any, instance: Instance, source: str
) -> tuple[tuple[int, ...], ...]:
    ids = instance.node_ids
    customers = {name: node for node, name in enumerate(ids)}  # and reloads

    def number_of(visit: int | str) -> int:
        if isinstance(visit, bool):
            raise TypeError
        if not isinstance(visit, str):
            return index(visit)
        if visit not in customers:
            raise ParameterError(
                f"{source}: there is no customer with the id {visit!r} in "
                f"{instance.name}."
            )
        return customers[visit]

    try:
        # A text or a mapping is no route, though it has entries.
        each = list(routes)
        if any(isinstance(one, str | Mapping) for one in (routes, *each)):
            raise TypeError
        return tuple(tuple(map(number_of, route)) for route in each)
    except TypeError:
        raise ParameterError(
            f"{source} must be routes of customers, a Solution, a Result, a "
            f"file, or PyVRP's Solution, got {_class_of(routes)}."
        ) from None


def _class_of(value: object) -> str:
    """Return the class of a value with its module: others have a Solution."""
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def _whole_routes(
    instance: Instance, solution: Solution
) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the routes that break no rule, and their vehicle types.

    Those that do so may keep them with an idle vehicle, the cheapest one;
    others are empty.
    """
    types = instance.vehicle_types
    used = Counter(solution.vehicle_types)
    served: set[int] = set()
    routes, vehicle_types = [], []
    for route, given in zip(
        solution.routes, solution.vehicle_types, strict=True
    ):
        kept, idx = route, given
        if not _is_whole(instance, route, given, served):
            idle = {
                replace(one, name="", num_available=None): idx
                for idx, one in enumerate(types)
                if one.num_available is None or used[idx] < one.num_available
            }
            fitting = [
                other
                for other in idle.values()
                if _is_whole(instance, route, other, served)
            ]
            kept = route if fitting else ()
            idx = min(
                fitting,
                key=lambda other: (
                    Solution.from_routes(instance, [route], [other]).cost
                ),
                default=given,
            )
            used[given] -= 1
            used[idx] += 1
        served.update(kept)
        routes.append(kept)
        vehicle_types.append(idx)
    return routes, vehicle_types


def _is_whole(
    instance: Instance, route: tuple[int, ...], idx: int, served: set[int]
) -> bool:
    """Return whether a route breaks no rule beside customers served."""
    violations = check_routes(instance, Solution((route,), 0.0, (idx,)))
    groups = () if instance.selection is None else instance.selection.groups
    constraints = instance.constraints or RouteConstraints()
    rivals = served.union(route)
    return (
        instance.vehicle_types[idx].num_available != 0
        and all(one.kind in _OF_OTHERS for one in violations)
        and all(
            len(rivals.intersection(group.customers)) < 2 for group in groups
        )
        and not any(
            served.intersection(group) and set(group).intersection(route)
            for group in constraints.same_route
        )
        and all(
            one.begins(route, idx, instance.depots)
            for one in constraints.in_progress
            if {*one.customers, *one.on_board}.intersection(route)
        )
    )


def _feasible_part(
    instance: Instance, route: Sequence[int], vehicle_type: int
) -> list[int]:
    """Return the customers that a route can keep, in their order."""
    kept = list(route)
    if _is_feasible(instance, kept, vehicle_type):
        return kept
    kept = []
    for customer in route:
        if _is_feasible(instance, [*kept, customer], vehicle_type):
            kept.append(customer)
    return kept


def _is_feasible(
    instance: Instance, route: list[int], vehicle_type: int
) -> bool:
    vehicle = instance.vehicle_types[vehicle_type]
    if instance.demands[route].sum() > vehicle.capacity:
        return False
    if instance.is_cvrp:
        return True
    schedule = schedule_route(instance, route, vehicle_type)
    return not (
        schedule.is_late
        or schedule.misses_break
        or schedule.misses_rest
        or exceeds(schedule.distance, vehicle.max_distance)
        or exceeds(schedule.duration, vehicle.max_duration)
    )
