"""What a search keeps between its phases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.preferences import Penalties, price
from ncc_routing.vrp.search.phases import Step
from ncc_routing.vrp.search.subproblem import Found, Part, search_side_by_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.preferences.penalties import RoutePenalties


class LeadingRoutes(ABC):
    """A search from a feasible solution that keeps its routes between runs.

    As many runs as jobs go on at a time. ``leaders`` are the routes that the
    last runs ended with, best first. With penalties the best routes have the
    least cost and penalties together; ``best_length`` is that without
    penalties. ``tolerance`` is the least improvement.
    """

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        run: Run,
        penalties: Penalties | None,
        tolerance: float,
    ) -> None:
        self.instance = instance
        self.seed = run.seed
        self.jobs = run.jobs
        self._start = solution
        self._penalties = penalties
        self._tolerance = tolerance
        self.best_length = float(solution.cost)
        self.best_cost = self._start_cost = self.price(solution)
        self._best = self.pack(solution)
        self.lead_on(self._best)
        self.num_rounds = self.num_iterations = 0

    @abstractmethod
    def pack(self, solution: Solution) -> PackedRoutes:
        """Return the routes of a solution."""

    @property
    @abstractmethod
    def max_parts(self) -> int:
        """Parts at most that the routes can be cut into."""

    @abstractmethod
    def parts(
        self,
        step: Step,
        cut: Sequence[PackedRoutes],
        penalties: RoutePenalties | None,
    ) -> Sequence[Part]:
        """Return the tasks to search some routes, which are all together."""

    @abstractmethod
    def settings(
        self,
        step: Step,
        progress: tuple[float, float],
        partners: Sequence[Sequence[PackedRoutes]],
    ) -> list[tuple[object, ...]]:
        """Return what each task is called with, an entry for each partners."""

    @property
    def has_penalties(self) -> bool:
        """Whether routes cost something beside their length."""
        return self._penalties is not None

    def lead_on(self, routes: PackedRoutes) -> None:
        """Let the next phase begin with some routes alone."""
        self.leaders = [Found(routes, routes, self.best_cost, np.inf, 0)]

    @property
    def best_routes(self) -> PackedRoutes:
        """The best routes so far."""
        return self._best

    def best(self) -> Solution:
        """Return the best solution so far, the start if none is better."""
        if self.best_cost >= self._start_cost:
            return self._start
        return self._best.to_solution(self.instance, self.best_length)

    def price(self, solution: Solution) -> float:
        """Return cost and penalties of a solution together."""
        return price(solution, self._penalties)

    def around(self, routes: PackedRoutes) -> RoutePenalties | None:
        """Return the penalties with which a search goes on from routes."""
        if self._penalties is None:
            return None
        return self._penalties.around(routes)

    def whole(self, routes: PackedRoutes) -> Part:
        """Return the task to search all routes."""
        [part] = self.parts(Step.ANNEAL, [routes], self.around(routes))
        return part

    def run(
        self,
        step: Step,
        parts: Sequence[Part],
        progress: tuple[float, float],
        stops: Sequence[Stop],
        partners: Sequence[Sequence[PackedRoutes]] | None = None,
    ) -> list[Found]:
        """Search some parts at a time, each in a thread of its own.

        ``progress`` is that of temperatures or thresholds at the begin and at
        the end; ``stops`` has one criterion for each. An iterated local search
        of all customers may have other routes as ``partners``. The caller has
        to ``keep`` the results.
        """
        settings = self.settings(step, progress, partners or [()] * len(stops))
        tasks = zip(parts, settings, stops, strict=True)
        outcomes = search_side_by_side(
            [
                (part, *setting, stop, [self.seed, self.num_rounds, idx])
                for idx, (part, setting, stop) in enumerate(tasks)
            ]
        )
        self.num_iterations += sum(one.num_iterations for one in outcomes)
        self.num_rounds += 1
        return outcomes

    def keep(self, best: list[PackedRoutes], cost: float) -> None:
        """Keep the routes of all parts if they are the best ones.

        ``cost`` is theirs; with penalties it is computed anew, since the route
        centers move from round to round.
        """
        routes, length = PackedRoutes.joined(best), cost
        if self._penalties is not None:
            length = routes.cost(self.instance)
            cost = length + float(self._penalties.penalties(routes).sum())
        if cost < self.best_cost - self._tolerance:
            self._best = routes
            self.best_cost, self.best_length = cost, length
