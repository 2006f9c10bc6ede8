"""The phases of a search of a problem beyond the CVRP."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.annealing import IteratedParams
from ncc_routing.vrp.search.fleets.elimination import eliminate_routes
from ncc_routing.vrp.search.fleets.part import FleetPart
from ncc_routing.vrp.search.fleets.search import FleetSearch
from ncc_routing.vrp.search.leaders import LeadingRoutes
from ncc_routing.vrp.search.phases import TYING, Step
from ncc_routing.vrp.search.subproblem import Found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.preferences.penalties import RoutePenalties
    from ncc_routing.vrp.preferences.preferences import Penalties
    from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
    from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams


ITERATED_REMOVED: Final = 15.0
"""Customers that a ruin of an iterated local search removes, on average; with
9 routes were longer in 7 of 10 problems with windows, and shorter in none."""


def anneal_part(
    part: FleetPart,
    mean_edge: float,
    progress: tuple[float, float],
    stop: Stop,
    seed: list[int],
) -> Found:
    """Anneal the routes of a part until a criterion is met.

    ``mean_edge`` scales the temperature, and ``progress`` is that at the begin
    and at the end.
    """
    search = FleetSearch(part.instance, seed, part.params, part.spaces)
    search.load_routes(part.routes, part.penalties, part.spare)
    return _found(search, *search.run(stop, mean_edge, progress))


def iterate_part(
    part: FleetPart,
    params: IteratedParams,
    progress: tuple[float, float],
    stop: Stop,
    seed: list[int],
) -> Found:
    """Improve the routes of a part by iterated local search.

    Thresholds follow ``progress``, at the begin and at the end of ``stop``.
    """
    ruins = replace(part.params, mean_removed=ITERATED_REMOVED)
    search = FleetSearch(part.instance, seed, ruins, part.spaces)
    search.load_routes(part.routes, part.penalties, part.spare)
    return _found(search, *search.iterate(stop, params, progress))


def _found(search: FleetSearch, best_cost: float, mean_cost: float) -> Found:
    return Found(
        current=search.current_routes(),
        best=search.best_routes(),
        best_cost=best_cost,
        mean_cost=mean_cost,
        num_iterations=search.num_iterations,
    )


class FleetRuns(LeadingRoutes):
    """A search of a problem beyond the CVRP."""

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        run: Run,
        penalties: Penalties | None,
        params: RuinRecreateParams,
        spaces: FleetSpaces,
    ) -> None:
        scaled = FleetSearch(instance, run.seed, params, spaces)
        tolerance = scaled.space.tolerance
        super().__init__(instance, solution, run, penalties, tolerance)
        scaled.load_routes(self._best)
        self._mean_edge = scaled.mean_edge(solution)
        self._params, self._spaces = params, spaces

    def pack(self, solution: Solution) -> PackedRoutes:
        """Return the routes of a solution."""
        return PackedRoutes.of(solution.routes, solution.vehicle_types)

    @property
    def max_parts(self) -> int:
        """Parts at most: one where something ties all routes together."""
        tied = TYING.intersection(self.instance.features)
        if self.has_penalties or tied:
            return 1
        return self.leaders[0].current.num_routes

    def parts(
        self,
        step: Step,
        cut: Sequence[PackedRoutes],
        penalties: RoutePenalties | None,
    ) -> Sequence[FleetPart]:
        """Return the tasks to search some routes.

        They share the vehicles that are idle.
        """
        whole = FleetPart(
            self.instance,
            cut[0],
            self._params,
            self._spaces,
            penalties=penalties,
        )
        if len(cut) == 1:
            return [whole]
        vehicles = self.instance.vehicle_types
        most = np.array(
            [
                each.num_available or self.instance.num_customers
                for each in vehicles
            ]
        )
        for routes in cut:
            types = [vehicle_type for _, vehicle_type in routes.driven()]
            most -= np.bincount(types, minlength=len(most))
        each, rest = np.divmod(np.maximum(most, 0), len(cut))
        return [
            replace(
                whole, routes=routes, spare=(each + (number < rest)).tolist()
            )
            for number, routes in enumerate(cut)
        ]

    def settings(
        self,
        step: Step,
        progress: tuple[float, float],
        partners: Sequence[Sequence[PackedRoutes]],
    ) -> list[tuple[object, ...]]:
        """Return what each task is called with."""
        if step is Step.ITERATE:
            setting = iterate_part, IteratedParams(), progress
            return [setting] * len(partners)
        search = eliminate_routes if step is Step.ELIMINATE else anneal_part
        return [(search, self._mean_edge, progress)] * len(partners)
