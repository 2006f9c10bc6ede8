"""A search of a CVRP: what it keeps between its phases."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.run import Run
from ncc_routing.problems.graph import bounded_degree, knn_graph
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.preferences import Penalties, price
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.annealing import (
    IteratedParams,
    anneal_routes,
    iterate_routes,
)
from ncc_routing.vrp.search.phases import Step
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.search.subproblem import (
    Found,
    Subproblem,
    search_side_by_side,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.preferences.penalties import RoutePenalties


class RuinRecreateSearch:
    """A search from a feasible solution that keeps its routes between runs.

    As many runs as jobs go on at a time, on ``max_routes`` routes at most.
    ``leaders`` are the routes that the last runs ended with, best first.
    With penalties the best routes have the least length and penalties
    together; ``best_length`` is that without penalties.
    """

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        run: Run = Run(),
        params: RuinRecreateParams | None = None,
        max_routes: int | None = None,
        penalties: Penalties | None = None,
    ) -> None:
        self._params = params or RuinRecreateParams()
        self._iterated = IteratedParams()
        self.max_routes = max_routes
        self._start = solution
        self.seed = run.seed
        self.jobs = run.jobs
        self.instance = instance
        degree = bounded_degree(instance.num_customers, self._params.degree)
        self._graph = knn_graph(instance, degree)
        self._best = first = PackedRoutes.of(solution.routes)
        self._penalties = penalties
        self.best_length = float(solution.cost)
        self.best_cost = self._start_cost = self.price(solution)
        self.lead_on(first)
        self.num_rounds = self.num_iterations = 0
        mean_edge = first.mean_edge(instance)
        self._cooling = Cooling(
            mean_edge * self._params.start_temperature,
            mean_edge * self._params.end_temperature,
        )
        self._search_params = self._params.for_search(
            # Sums of unrounded lengths carry rounding errors.
            tolerance=0.0 if instance.is_integral else 1e-9 * solution.cost,
            num_local_moves=self._params.tail_moves
            * (instance.num_customers / solution.num_routes),
        )

    @property
    def has_penalties(self) -> bool:
        """Whether routes cost something beside their length."""
        return self._penalties is not None

    def lead_on(self, routes: PackedRoutes) -> None:
        """Let the next phase begin with some routes alone."""
        self.leaders = [Found(routes, routes, self.best_cost, np.inf, 0)]

    def best(self) -> Solution:
        """Return the best solution so far, the start if none is better."""
        if self.best_cost >= self._start_cost:
            return self._start
        return self._best.to_solution(self.instance, self.best_length)

    def price(self, solution: Solution) -> float:
        """Return length and penalties of a solution together."""
        return price(solution, self._penalties)

    def around(self, routes: PackedRoutes) -> RoutePenalties | None:
        """Return the penalties with which a search goes on from routes."""
        if self._penalties is None:
            return None
        return self._penalties.around(routes)

    def subproblem(
        self, routes: PackedRoutes, penalties: RoutePenalties | None
    ) -> Subproblem:
        """Return the task to search some routes."""
        shares = (
            self.instance.matrix is not None
            or len(routes.nodes) == self.instance.num_customers
        )
        return Subproblem(
            self.instance,
            self._graph,
            routes,
            space=self._space.with_penalties(penalties) if shares else None,
            penalties=penalties,
            is_limited=self.max_routes is not None,
        )

    def whole(self, routes: PackedRoutes) -> Subproblem:
        """Return the task to search all routes."""
        return self.subproblem(routes, self.around(routes))

    @cached_property
    def _space(self) -> SearchSpace:
        return SearchSpace.of(
            self.instance,
            self._graph,
            self._params.num_candidates,
            self.max_routes,
        )

    def run(
        self,
        step: Step,
        subproblems: Sequence[Subproblem],
        progress: tuple[float, float],
        stops: Sequence[Stop],
        partners: Sequence[Sequence[PackedRoutes]] | None = None,
    ) -> list[Found]:
        """Search some subproblems at a time, each in a thread of its own.

        ``progress`` is that of temperatures or thresholds at the begin and at
        the end; ``stops`` has one criterion for each. An iterated local search
        of all customers may have other routes as ``partners``. The caller has
        to ``keep`` the results.
        """
        settings: list[tuple[object, ...]]
        if step is Step.ITERATE:
            params = self._iterated.for_search(self._search_params.tolerance)
            settings = [
                (iterate_routes, params, progress, each)
                for each in partners or [()] * len(stops)
            ]
        else:
            cooling = self._cooling.between(*progress)
            setting = anneal_routes, self._search_params, cooling
            settings = [setting] * len(stops)
        seeds = [self.seed, self.num_rounds]
        tasks = zip(subproblems, settings, stops, strict=True)
        outcomes = search_side_by_side(
            [
                (
                    one,
                    self._params.num_candidates,
                    *setting,
                    stop,
                    [*seeds, idx],
                )
                for idx, (one, setting, stop) in enumerate(tasks)
            ]
        )
        self.num_iterations += sum(one.num_iterations for one in outcomes)
        self.num_rounds += 1
        return outcomes

    def keep(self, best: list[PackedRoutes], cost: float) -> None:
        """Keep the routes of all subproblems if they are the best ones.

        ``cost`` is their length; with penalties it is computed anew, since the
        route centers move from round to round.
        """
        routes, length = PackedRoutes.joined(best), cost
        if self._penalties is not None:
            length = routes.cost(self.instance)
            cost = length + float(self._penalties.penalties(routes).sum())
        if cost < self.best_cost - self._search_params.tolerance:
            self._best = routes
            self.best_cost, self.best_length = cost, length
