"""Solutions that keep to the vehicles that there are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.problems import features
from ncc_routing.problems.routes.checking import check_routes, check_solution
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.search.fleets.search import (
    FleetSearch,
    with_more_vehicles,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.search.fleets.spaces import FleetSpaces


NUM_CHOICES: Final = 500
"""Iterations that choose who is left out."""

LEAST_EJECTIONS: Final = 500
EJECTIONS_PER_CUSTOMER: Final = 50
"""Ejections that look for places for the customers of one route."""

FILLING_ITERATIONS: Final = 500
"""Iterations between two looks at the clock while routes have too little."""

UNBOUNDED: Final = frozenset(
    {
        features.OPTIONAL_CUSTOMERS,
        features.CLIENT_GROUPS,
        features.RELOAD_DEPOTS,
        features.SHIPMENTS,
        features.IN_PROGRESS_ROUTES,
    }
)
"""Features with which demands are no bound on the number of routes."""

_UNPROVEN: Final = "which is no proof that there is none"
"""What a search says that ends at its time."""

_OF_ARCS: Final = (
    *("arc", "window", "shift", "break", "hours", "distance", "driving"),
)
"""Violations that the way back of a vehicle may break."""


def keep_to_fleet(
    instance: Instance,
    solution: Solution,
    run: Run,
    spaces: FleetSpaces | None = None,
) -> Solution:
    """Return a solution with all customers on the vehicles that there are.

    The solution may only use too many vehicles of a type or leave customers
    out. Routes with the least loads are given up, and ruin and recreate places
    their customers. Raises ``InfeasibleError`` at the deadline; it says for
    how many vehicles there is a plan, or which customer no vehicle takes, and
    holds the plan with the fewest customers absent. It is raised as well where
    no customers who follow bring the vehicle of an in-progress route home, or
    a route has less than the least number of stops or load.
    """
    kept = _fitting(instance, solution)
    is_complete = not instance.unserved(solution.routes)
    is_complete &= all(
        any(one.begins(*each, instance.depots) for each in _driven(solution))
        for one in instance.in_progress
    )
    if is_complete and len(kept) == solution.num_routes:
        return _ready(instance, solution, run, spaces)
    search = FleetSearch(instance, run.seed, spaces=spaces)
    search.load(_only(instance, solution, kept))
    placed = search.place_absent(run.budget.time_limit)
    absent = instance.unserved(placed.routes)
    if not absent:
        return _ready(instance, placed, run, spaces)
    least = with_more_vehicles(instance, placed, run.seed)
    unplaced = instance.unserved(least.routes)
    if not unplaced and len(_fitting(instance, least)) == least.num_routes:
        return _ready(instance, least, run, spaces)
    if unplaced:
        text = (
            "no route was found on which "
            f"{instance.describe_node(unplaced[0])} can be served"
        )
    elif len(instance.vehicle_types) > 1:
        text = (
            "no plan for the available vehicles was found in time, "
            f"{_UNPROVEN}; the best one found takes {_excess(instance, least)}"
        )
    else:
        reached = least.num_routes
        if is_complete:
            reached = min(reached, solution.num_routes)
        available = instance.vehicle_types[0].num_available
        text = (
            f"no plan for {available} vehicle{'s' * (available != 1)} was "
            f"found in time, {_UNPROVEN}; the fewest found are {reached}"
        )
    raise InfeasibleError(
        f"{instance.name}: {text}.",
        placed,
        tuple(instance.node_ids[node] for node in absent),
    )


def with_fewer_vehicles(
    instance: Instance,
    solution: Solution,
    run: Run,
    spaces: FleetSpaces | None = None,
    least: int = 1,
) -> Solution:
    """Return a solution on as few vehicles as are found, at any cost.

    The route with the least load is given up, again and again, as long as
    places for its customers are found on the others before the deadline, and
    there are more than ``least``, by default 1.
    """
    search = FleetSearch(instance, run.seed, spaces=spaces)
    most = LEAST_EJECTIONS + EJECTIONS_PER_CUSTOMER * instance.num_customers
    best = solution
    if UNBOUNDED.isdisjoint(instance.features):
        least = max(least, instance.min_num_routes)
    while best.num_routes > least:
        kept = _fitting(instance, best)[:-1]
        search.load(_only(instance, best, kept))
        search.state.close_empty()
        placed = search.place_absent(run.budget.time_limit, most)
        if (
            placed.num_routes >= best.num_routes  # all have begun
            or instance.unserved(placed.routes)
            or lacking(instance, placed)
        ):
            break
        best = placed
    return best


def lacking(instance: Instance, solution: Solution) -> list[int]:
    """Return the routes with fewer stops or less load than they must have."""
    return [
        number
        for number, (route, idx) in enumerate(_driven(solution))
        if _lacks(instance, route, idx)
    ]


def _lacks(instance: Instance, route: Sequence[int], idx: int) -> bool:
    vehicle, depots = instance.vehicle_types[idx], instance.depots
    if vehicle.min_stops == vehicle.min_load == 0 or any(
        one.begins(route, idx, depots) for one in instance.in_progress
    ):
        return False
    stops = [node for node in route if node not in depots]
    load = int(instance.handled[stops].sum())
    return len(stops) < vehicle.min_stops or load < vehicle.min_load


def _ready(
    instance: Instance,
    solution: Solution,
    run: Run,
    spaces: FleetSpaces | None,
) -> Solution:
    """Return a solution whose routes come back and have enough."""
    return _filled(instance, brought_home(instance, solution), run, spaces)


def _filled(
    instance: Instance,
    solution: Solution,
    run: Run,
    spaces: FleetSpaces | None,
) -> Solution:
    """Return a solution whose routes have enough.

    A search, in which all that they lack costs more than any plan, gives them
    more, or gives them up.
    """
    if not lacking(instance, solution):
        return solution
    search = FleetSearch(instance, run.seed, spaces=spaces)
    search.load(solution)
    best, is_late = solution, False
    while lacking(instance, best) and not is_late:
        is_late = run.budget.time_limit.passed()
        iterations = 1 if is_late else FILLING_ITERATIONS
        search.run(MaxIterations(iterations), search.mean_edge(solution))
        best = search.best()
    short = lacking(instance, best)
    if not short:
        return best
    kept = [number for number in range(best.num_routes) if number not in short]
    rest = _only(instance, best, kept)
    if not check_solution(instance, rest):
        return rest
    text = "no plan was found in time whose routes all have the minimum "
    raise InfeasibleError(
        f"{instance.name}: {text}number of stops and the minimum load.",
        rest,
        tuple(instance.node_ids[n] for n in instance.unserved(rest.routes)),
    )


def choose_absent(
    instance: Instance,
    solution: Solution,
    run: Run,
    spaces: FleetSpaces | None = None,
) -> Solution:
    """Return routes that leave customers of small prizes out, if any.

    It takes the better of two constructions, and a search of ``NUM_CHOICES``
    ruins and recreates, whatever the time.
    """
    search = FleetSearch(instance, run.seed, spaces=spaces)
    anew = search.insert_all(run.budget.time_limit)

    def rank(one: Solution) -> tuple[int, float]:
        return len(lacking(instance, one)), one.cost

    if not instance.unserved(anew.routes) and rank(anew) < rank(solution):
        solution = anew
    search.load(solution)
    search.run(MaxIterations(NUM_CHOICES), search.mean_edge(solution))
    best = min(solution, search.best(), key=rank)
    return _filled(instance, best, run, spaces)


def brought_home(instance: Instance, solution: Solution) -> Solution:
    """Return a solution whose in-progress routes come back.

    The search admits no other ones where somebody follows.
    """
    for number, one in enumerate(instance.in_progress, start=1):
        stops = one.stops(instance.depots)
        if not stops or stops not in solution.routes:
            continue
        alone = Solution((stops,), 0.0, (one.vehicle_type,))
        for violation in check_routes(instance, alone):
            if violation.kind in _OF_ARCS:
                raise InfeasibleError(
                    f"{instance.name}: in-progress route {number} cannot "
                    f"return: {violation.message}."
                )
    return solution


def _excess(instance: Instance, solution: Solution) -> str:
    lines = []
    for idx, count in sorted(Counter(solution.vehicle_types).items()):
        vehicle_type = instance.vehicle_types[idx]
        if (
            vehicle_type.num_available is not None
            and count > vehicle_type.num_available
        ):
            name = f"type {idx}" + (
                f" ({vehicle_type.name})" if vehicle_type.name else ""
            )
            lines.append(
                f"{count} of the {vehicle_type.num_available} of {name}"
            )
    return " and ".join(lines)


def _driven(solution: Solution) -> list[tuple[tuple[int, ...], int]]:
    return list(zip(solution.routes, solution.vehicle_types, strict=True))


def _only(
    instance: Instance, solution: Solution, kept: Sequence[int]
) -> Solution:
    return Solution.from_routes(
        instance,
        [solution.routes[number] for number in kept],
        [solution.vehicle_types[number] for number in kept],
    )


def _fitting(instance: Instance, solution: Solution) -> list[int]:
    """Return the routes for which there are vehicles, fullest first.

    Those that have begun come before all others, and have their vehicles even
    where the solution lacks them.
    """
    driven = _driven(solution)
    going_on = [
        [one.begins(*each, instance.depots) for one in instance.in_progress]
        for each in driven
    ]
    loads = [
        -np.inf if any(in_progress) else -instance.demands[list(route)].sum()
        for (route, _), in_progress in zip(driven, going_on, strict=True)
    ]
    used = Counter(
        one.vehicle_type
        for number, one in enumerate(instance.in_progress)
        if not any(in_progress[number] for in_progress in going_on)
    )
    kept = []
    for number in np.argsort(loads, kind="stable").tolist():
        vehicle_type = solution.vehicle_types[number]
        available = instance.vehicle_types[vehicle_type].num_available
        if available is None or used[vehicle_type] < available:
            used[vehicle_type] += 1
            kept.append(number)
    return kept
