"""Route elimination: fewer routes, where these cost less.

An annealing keeps about as many routes as it has when it is cold: a cluster of
customers that nearly fills a vehicle stays alone on it, though other vehicles
that pass by could serve it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.stopping import (
    FirstOf,
    MaxIterations,
    Pace,
    Stop,
    TimeLimit,
)
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.subproblem import Found

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Tally
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.search.fleets.part import FleetPart

REGION_SIZE: Final = 300
"""Customers of the routes among which one is given up."""

EJECTIONS: Final = 300
"""Most ejections until its customers have places on the others."""

ITERATIONS_PER_CUSTOMER: Final = 10, 33, 200
"""Iterations of the annealings from there, each longer than the one before."""

MOST_EXCESS: Final = 1.5, 0.7
"""Most that the routes then cost more than before, in units of the mean cost
of a route, for the next annealing."""

LEAST_FAILURES: Final = 20
FAILURES_PER_ROUTE: Final = 3.0
"""Failures in a row that end it."""


class Attempt(NamedTuple):
    """What an attempt to give up a route leaves.

    ``routes`` are better ones, if there are any, and ``saved`` what they cost
    less.
    """

    routes: PackedRoutes | None = None
    saved: float = 0.0
    num_iterations: int = 0


class Within(Stop):
    """Ends an annealing with the search around it; its cooling is its own."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    def progress(self, tally: Tally) -> float:
        """Return 1 where nothing is left, else 0."""
        return 1.0 if min(self.left(tally)) <= 0.0 else 0.0

    def left(self, tally: Tally) -> tuple[float, float]:
        """Return what is left of the search around it."""
        seconds, iterations = self._pace.left()
        return seconds, iterations - tally.iterations


def eliminate_routes(
    part: FleetPart,
    mean_edge: float,
    progress: tuple[float, float],
    stop: Stop,
    seed: list[int],
) -> Found:
    """Give up random routes, as long as the others cost less without them.

    Each of their customers finds a place on a route nearby, perhaps with
    ejections; then these routes are annealed, with no vehicle more.
    ``mean_edge`` scales the temperatures, and ``progress`` is theirs. It ends
    after many failures in a row.
    """
    rng = np.random.default_rng(seed)
    search = FleetSearch(part.instance, seed, part.params, part.spaces)
    search.load_routes(part.routes, spare=part.spare)
    routes, cost = part.routes, search.space.best_cost(search.state)
    num_attempts = num_failures = num_iterations = 0
    pace = Pace(stop, best_cost=cost)
    while pace.progress < 1.0 and num_failures < max(
        LEAST_FAILURES, FAILURES_PER_ROUTE * routes.num_routes
    ):
        number = int(rng.integers(routes.num_routes))
        near = _region(part.instance, routes, number)
        num_attempts += 1
        found = _give_up_first(
            *(part, routes.take(near), mean_edge, progress),
            *(cost / routes.num_routes, pace, [*seed, num_attempts]),
        )
        num_failures += 1
        num_iterations += found.num_iterations
        if found.routes is not None:
            others = np.setdiff1d(np.arange(routes.num_routes), near)
            routes = PackedRoutes.joined([routes.take(others), found.routes])
            cost, num_failures = cost - found.saved, 0
        pace.advance(0, cost)
    return Found(routes, routes, cost, cost, num_iterations)


def _region(
    instance: Instance, routes: PackedRoutes, first: int
) -> np.ndarray:
    """Return the numbers of a route and of those that may serve its customers.

    These come nearest first: the detour of a vehicle to the middle customer of
    the one on its way to its own, or the other way round.
    """
    middles, types = routes.middles, instance.vehicle_types
    middle = np.full_like(middles, middles[first])
    depots = np.zeros_like(middles)
    if routes.vehicle_types is not None:
        starts = [instance.depots[each.start_depot or 0] for each in types]
        depots = np.array(starts)[routes.vehicle_types]
    there, here = (
        np.nan_to_num(instance.lengths(depots, each), posinf=0.0)
        for each in (middles, middle)
    )
    detours = instance.lengths(middle, middles) - np.abs(there - here)
    detours[first] = -np.inf
    nearest = np.argsort(detours, kind="stable")
    reached = np.cumsum(routes.sizes[nearest])
    return nearest[: max(2, int(np.searchsorted(reached, REGION_SIZE)) + 1)]


def _give_up_first(
    part: FleetPart,
    routes: PackedRoutes,
    mean_edge: float,
    progress: tuple[float, float],
    mean_cost: float,
    pace: Pace,
    seed: list[int],
) -> Attempt:
    """Try to serve all customers of some routes for less without the first.

    ``mean_cost`` is that of a route. The iterations are counted by ``pace``,
    which ends the attempt.
    """
    if routes.num_routes < 2:
        return Attempt()
    search = FleetSearch(part.instance, seed, part.params, part.spaces)
    spare = [0] * len(part.instance.vehicle_types)
    search.load_routes(routes, spare=spare)
    before = search.space.best_cost(search.state)
    others, size = routes.take(range(1, routes.num_routes)), routes.sizes[0]
    search.load_routes(others, spare=spare, absent=routes.nodes[:size])
    search.place_absent(TimeLimit(), EJECTIONS)
    if search.num_absent > 0:
        return Attempt()
    placed, num_iterations = search.current_routes(), 0
    for each, most in zip(
        ITERATIONS_PER_CUSTOMER, (*MOST_EXCESS, 0.0), strict=True
    ):
        search.load_routes(placed, spare=spare)
        limit = FirstOf(
            (MaxIterations(each * len(routes.nodes)), Within(pace))
        )
        cost, _ = search.run(limit, mean_edge, progress)
        num_iterations += search.num_iterations
        pace.advance(search.num_iterations)
        if cost < before - search.space.tolerance:
            saved = before - cost
            return Attempt(search.best_routes(), saved, num_iterations)
        if cost - before > most * mean_cost or pace.progress >= 1.0:
            break
    return Attempt(num_iterations=num_iterations)
