"""A search by ruin and recreate: what it keeps between annealings."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.problems.graph import bounded_degree, knn_graph
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.zones import price
from ncc_routing.vrp.search._state import SearchSpace
from ncc_routing.vrp.search.annealing import (
    SAMPLE_BEGIN,
    Subproblem,
    anneal_routes,
    search_side_by_side,
)
from ncc_routing.vrp.search.iterated import IteratedParams, iterate_routes
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.budget import Budget
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.preferences.zones import AnyZones, RoutePenalties
    from ncc_routing.vrp.recombination.route_pool import RoutePool
    from ncc_routing.vrp.search.annealing import Annealed

NUM_LEGS: Final = 10
"""Stretches of several annealings with a criterion, or of one with penalties,
whose zones follow from the routes of the stretch before."""


class RuinRecreateSearch:
    """A search from a feasible solution that keeps its routes between runs.

    As many annealings as jobs run at a time, on ``max_routes`` routes at most.
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
        penalties: RoutePenalties | None = None,
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
        self.first = PackedRoutes.of(solution.routes)
        self.current = self._best = self.first
        self._penalties = penalties
        self.best_length = float(solution.cost)
        self.best_cost = self._start_cost = self.price(solution)
        self.num_rounds = self.num_iterations = 0
        mean_edge = self.first.mean_edge(instance)
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

    def best(self) -> Solution:
        """Return the best solution so far, the start if none is better."""
        if self.best_cost >= self._start_cost:
            return self._start
        return self._best.to_solution(self.instance, self.best_length)

    def price_routes(self, routes: Sequence[Sequence[int]]) -> np.ndarray:
        """Return length and penalty of each route, shape (routes,)."""
        lengths = self.instance.route_costs(routes)
        if self._penalties is None:
            return lengths
        packed = PackedRoutes.of(routes)
        return np.asarray(lengths + self._penalties.penalties(packed))

    def price(self, solution: Solution) -> float:
        """Return length and penalties of a solution together."""
        return price(solution, self._penalties)

    def zones(self, routes: PackedRoutes) -> AnyZones | None:
        """Return the zones around some routes, where these are penalised."""
        if self._penalties is None:
            return None
        return self._penalties.zones(routes)

    def subproblem(
        self, routes: PackedRoutes, zones: AnyZones | None
    ) -> Subproblem:
        """Return the task to anneal some routes."""
        shares = (
            self.instance.matrix is not None
            or len(routes.nodes) == self.instance.num_customers
        )
        return Subproblem(
            self.instance,
            self._graph,
            routes,
            space=self._space.with_zones(zones) if shares else None,
            zones=zones,
            is_limited=self.max_routes is not None,
        )

    @cached_property
    def _space(self) -> SearchSpace:
        """The search space of all customers, made when it is needed."""
        return SearchSpace.of(
            self.instance,
            self._graph,
            self._params.num_candidates,
            self.max_routes,
        )

    def anneal(
        self,
        subproblems: Sequence[Subproblem],
        progress: tuple[float, float],
        stops: Sequence[Stop],
        takes_samples: bool = False,
    ) -> list[Annealed]:
        """Anneal some subproblems at a time, each in a thread of its own.

        ``progress`` holds the shares of the fall of the temperature at the
        begin and at the end; ``stops`` has one criterion for each. The caller
        has to ``keep`` the results.
        """
        cooling = self._cooling.between(*progress)
        settings = anneal_routes, self._search_params, cooling
        return self._search(subproblems, settings, stops, takes_samples)

    def _search(
        self,
        subproblems: Sequence[Subproblem],
        settings: tuple[object, ...],
        stops: Sequence[Stop],
        takes_samples: bool,
    ) -> list[Annealed]:
        """Search subproblems by a function with its first arguments."""
        seeds = [self.seed, self.num_rounds]
        pairs = zip(subproblems, stops, strict=True)
        shared = self._params.num_candidates, *settings
        found = search_side_by_side(
            [
                (one, *shared, stop, [*seeds, idx], takes_samples)
                for idx, (one, stop) in enumerate(pairs)
            ]
        )
        self.num_iterations += sum(one.num_iterations for one in found)
        self.num_rounds += 1
        return found

    def keep(self, best: list[PackedRoutes], cost: float) -> None:
        """Keep the routes of all subproblems if they are the best ones.

        ``cost`` is their length; with penalties it is computed anew, since the
        zones move from round to round.
        """
        routes, length = PackedRoutes.joined(best), cost
        if self._penalties is not None:
            length = routes.cost(self.instance)
            cost = length + float(self._penalties.penalties(routes).sum())
        if cost < self.best_cost - self._search_params.tolerance:
            self._best = routes
            self.best_cost, self.best_length = cost, length

    def anneal_whole(
        self, budget: Budget, pool: RoutePool | None = None
    ) -> None:
        """Anneal all routes from the start once more, in each job.

        The budget limits the time, and no iterations; several jobs or
        penalties ask its criterion rarely. ``pool`` receives the routes met,
        as customers.
        """
        is_asked = self.jobs == 1 and self._penalties is None
        is_simple = budget.stop is None and self._penalties is None
        num_legs = 1 if is_asked or is_simple else NUM_LEGS
        current = [self.first] * self.jobs
        for leg in range(num_legs):
            if budget.is_met(self.best_length):
                break
            part = budget.within(budget.remaining() / (num_legs - leg))
            progress = leg / num_legs, (leg + 1) / num_legs
            found = self.anneal_from(current, progress, part, pool)
            current = [one.current for one in found]

    def iterate_whole(
        self, budget: Budget, pool: RoutePool | None = None
    ) -> None:
        """Search all routes from the start by iterated local search.

        Each job makes a search of its own. Several share a limit of
        iterations, and do not ask for a target. ``pool`` is that of
        ``anneal_whole``.
        """
        stop = budget.criterion("an iterated local search")
        stops = [stop]
        if self.jobs > 1:
            stops = [stop.part(1.0, 1.0 / self.jobs)] * self.jobs
        subproblem = self.subproblem(self.first, None)
        params = self._iterated.for_search(self._search_params.tolerance)
        found = self._search(
            [subproblem] * self.jobs,
            (iterate_routes, params),
            stops,
            takes_samples=pool is not None,
        )
        self._keep_all(found, pool)

    def anneal_from(
        self,
        starts: Sequence[PackedRoutes],
        progress: tuple[float, float],
        budget: Budget,
        pool: RoutePool | None = None,
    ) -> list[Annealed]:
        """Anneal all routes once from each start, at most one for each job.

        ``progress``, ``budget`` and ``pool`` are those of ``anneal`` and
        ``anneal_whole``. With several jobs or penalties the caller has to ask
        the criterion.
        """
        limit: Stop = TimeLimit(budget.deadline)
        if self.jobs == 1 and self._penalties is None:
            limit = budget.criterion("an annealing")
        found = self.anneal(
            [self.subproblem(each, self.zones(each)) for each in starts],
            progress,
            [limit] * len(starts),
            takes_samples=pool is not None and progress[1] > SAMPLE_BEGIN,
        )
        self._keep_all(found, pool)
        return found

    def _keep_all(
        self, found: Sequence[Annealed], pool: RoutePool | None
    ) -> None:
        """Keep the best of several searches, and add all routes to a pool."""
        for one in found:
            self.keep([one.best], one.best_cost)
            if pool is None:
                continue
            for packed in (*one.samples, one.best):
                routes = packed.to_solution(self.instance).routes
                pool.add_routes(routes, self.price_routes(routes))
