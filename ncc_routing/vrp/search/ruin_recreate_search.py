"""A search of a CVRP."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.run import Run
from ncc_routing.problems.ccp.graph import bounded_degree, knn_graph
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.annealing import (
    IteratedParams,
    anneal_routes,
    iterate_routes,
)
from ncc_routing.vrp.search.leaders import LeadingRoutes
from ncc_routing.vrp.search.phases import Step
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.search.subproblem import Subproblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.preferences.penalties import RoutePenalties
    from ncc_routing.vrp.preferences.preferences import Penalties


class RuinRecreateSearch(LeadingRoutes):
    """A search of a CVRP, on ``max_routes`` routes at most."""

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        run: Run = Run(),
        params: RuinRecreateParams | None = None,
        max_routes: int | None = None,
        penalties: Penalties | None = None,
    ) -> None:
        # Sums of unrounded lengths carry rounding errors.
        tolerance = 0.0 if instance.is_integral else 1e-9 * solution.cost
        super().__init__(instance, solution, run, penalties, tolerance)
        self._params = params or RuinRecreateParams()
        self._iterated = IteratedParams.of_size(instance.num_customers)
        self.max_routes = max_routes
        degree = bounded_degree(instance.num_customers, self._params.degree)
        self._graph = knn_graph(instance, degree)
        mean_edge = self._best.mean_edge(instance)
        self._cooling = Cooling(
            mean_edge * self._params.start_temperature,
            mean_edge * self._params.end_temperature,
        )
        self._search_params = self._params.for_search(
            tolerance=tolerance,
            num_local_moves=self._params.tail_moves
            * (instance.num_customers / solution.num_routes),
        )

    def pack(self, solution: Solution) -> PackedRoutes:
        """Return the routes of a solution."""
        return PackedRoutes.of(solution.routes)

    @property
    def max_parts(self) -> int:
        """Parts at most that the routes can be cut into."""
        return self.leaders[0].current.num_routes

    def parts(
        self,
        step: Step,
        cut: Sequence[PackedRoutes],
        penalties: RoutePenalties | None,
    ) -> Sequence[Subproblem]:
        """Return the tasks to search some routes."""
        # An iterated search copies the lengths: those of a part alone.
        shares = len(cut) == 1 or (
            self.instance.matrix is not None and step is not Step.ITERATE
        )
        space = self._space.with_penalties(penalties) if shares else None
        return [
            Subproblem(
                self.instance,
                self._graph,
                routes,
                self._params.num_candidates,
                space=space,
                penalties=penalties,
                is_limited=self.max_routes is not None,
            )
            for routes in cut
        ]

    @cached_property
    def _space(self) -> SearchSpace:
        return SearchSpace.of(
            self.instance,
            self._graph,
            self._params.num_candidates,
            self.max_routes,
        )

    def settings(
        self,
        step: Step,
        progress: tuple[float, float],
        partners: Sequence[Sequence[PackedRoutes]],
    ) -> list[tuple[object, ...]]:
        """Return what each task is called with."""
        if step is Step.ITERATE:
            params = self._iterated.for_search(self._tolerance)
            return [
                (iterate_routes, params, progress, each) for each in partners
            ]
        cooling = self._cooling.between(*progress)
        setting = anneal_routes, self._search_params, cooling
        return [setting] * len(partners)
