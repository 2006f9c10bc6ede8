"""A search by ruin and recreate: what it keeps between annealings."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.stopping import TimeLimit, first_of, is_met
from ncc_routing.problems.graph import bounded_degree, knn_graph
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing._annealing import SAMPLE_BEGIN
from ncc_routing.vrp.polishing._state import SearchSpace
from ncc_routing.vrp.polishing.parts import Part, anneal_parts
from ncc_routing.vrp.polishing.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.preferences.zones import price

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.polishing._annealing import Annealed
    from ncc_routing.vrp.preferences.zones import (
        RoutePenalties,
        SameRoutePairs,
        Zones,
    )
    from ncc_routing.vrp.recombination.route_pool import RoutePool

NUM_LEGS: Final = 10
"""Stretches of an annealing with penalties, each in the zones of the routes
that the one before it left, and of several annealings with a criterion."""


class RuinRecreateSearch:
    """A search that keeps its routes between runs.

    Parameters
    ----------
    instance
        The instance.
    solution
        A feasible solution to start from.
    seed
        Seed of the search, at least 0.
    params
        Sizes and temperatures.
    jobs
        Number of parts that are searched at a time.
    max_routes
        Routes at most, no fewer than the solution has. Default: no limit.
    penalties
        What routes cost beside their length. Where there is something, the
        best routes are those of the least length and penalties together.
        Default: nothing.

    Attributes
    ----------
    instance
        The instance.
    first
        The routes of the start.
    current
        The routes that the next round begins with.
    """

    def __init__(
        self,
        instance: Instance,
        solution: Solution,
        *,
        seed: int = 1,
        params: RuinRecreateParams | None = None,
        jobs: int = 1,
        max_routes: int | None = None,
        penalties: RoutePenalties | None = None,
    ) -> None:
        self._params = params or RuinRecreateParams()
        self.max_routes = max_routes
        self._start = solution
        self.seed = seed
        self.jobs = jobs
        self.instance = instance
        degree = bounded_degree(instance.num_customers, self._params.degree)
        self._graph = knn_graph(instance, degree)
        self.first = PackedRoutes.of(solution.routes)
        self.current = self._best = self.first
        self._penalties = penalties
        self._best_length = float(solution.cost)
        self._best_cost = self._start_cost = self.price(solution)
        self._num_rounds = 0
        self._num_iterations = 0
        mean_edge = self.first.mean_edge(instance)
        self._cooling = Cooling(
            mean_edge * self._params.start_temperature,
            mean_edge * self._params.end_temperature,
        )
        self._move = _layout.Move(
            mean_removed=float(self._params.mean_removed),
            max_string=float(self._params.max_string),
            split=float(self._params.split),
            blink=float(self._params.blink),
            reach=float(self._params.reach),
            # Sums of unrounded lengths carry rounding errors.
            tolerance=0.0 if instance.is_integral else 1e-9 * solution.cost,
            num_tail_moves=self._params.tail_moves
            * (instance.num_customers / solution.num_routes),
        )

    @property
    def has_penalties(self) -> bool:
        """Whether routes cost something beside their length."""
        return self._penalties is not None

    @property
    def num_iterations(self) -> int:
        """Iterations run so far."""
        return self._num_iterations

    @property
    def num_rounds(self) -> int:
        """Calls of ``anneal`` so far."""
        return self._num_rounds

    @property
    def best_length(self) -> float:
        """Length of the best solution so far."""
        return self._best_length

    @property
    def best_cost(self) -> float:
        """Cost of the best solution so far, penalties included."""
        return self._best_cost

    def best(self) -> Solution:
        """Return the best solution so far, the start if none is better."""
        if self.best_cost >= self._start_cost:
            return self._start
        return self._best.to_solution(self.instance, self._best_length)

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

    def anneal(
        self,
        parts: Sequence[Part],
        way: tuple[float, float],
        stops: Sequence[Stop],
        takes_samples: bool = False,
    ) -> list[Annealed]:
        """Anneal some parts at a time, each in a thread of its own.

        Parameters
        ----------
        parts
            What is annealed; each gets random numbers of its own.
        way
            Shares of the fall of the temperature, in [0, 1], between which
            they are annealed.
        stops
            When each stops.
        takes_samples
            Whether to return routes met on the way.

        Returns
        -------
        list[Annealed]
            What is left of each, in the same order. It is the caller's to
            ``keep``.
        """
        settings = (
            self._params.num_candidates,
            self._move,
            self._cooling.between(*way),
        )
        seeds = [self.seed, self._num_rounds]
        found = anneal_parts(
            [
                (part, *settings, stop, [*seeds, idx], takes_samples)
                for idx, (part, stop) in enumerate(
                    zip(parts, stops, strict=True)
                )
            ]
        )
        self._num_iterations += sum(one.num_iterations for one in found)
        self._num_rounds += 1
        return found

    def keep(self, best: list[PackedRoutes], cost: float) -> None:
        """Keep the routes of all parts if they are the best ones.

        Parameters
        ----------
        best
            The routes of each part.
        cost
            Their length. With penalties it is that in zones which move from
            round to round, and is reckoned anew.
        """
        routes, length = PackedRoutes.joined(best), cost
        if self._penalties is not None:
            length = routes.cost(self.instance)
            cost = length + float(self._penalties.penalties(routes).sum())
        if cost < self._best_cost - self._move.tolerance:
            self._best = routes
            self._best_cost, self._best_length = cost, length

    def zones(self, routes: PackedRoutes) -> Zones | SameRoutePairs | None:
        """Return the zones around some routes, where these are penalised."""
        if self._penalties is None:
            return None
        return self._penalties.zones(routes)

    def part(
        self, routes: PackedRoutes, zones: Zones | SameRoutePairs | None
    ) -> Part:
        """Return the task that some routes are."""
        shares = (
            self.instance.matrix is not None
            or len(routes.nodes) == self.instance.num_customers
        )
        return Part(
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

    def anneal_whole(
        self,
        deadline: Deadline,
        pool: RoutePool | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Anneal all routes from the start once more, whatever their number.

        Each job does so with random numbers of its own.

        Parameters
        ----------
        deadline
            When to stop; it needs a limit.
        pool
            Takes the routes seen, as customers. Default: nobody does.
        stop
            Another criterion, which limits no iterations. Several jobs ask
            it a few times only, and so does a search with penalties.
        """
        is_asked = self.jobs == 1 and self._penalties is None
        is_simple = stop is None and self._penalties is None
        num_legs = 1 if is_asked or is_simple else NUM_LEGS
        current = [self.first] * self.jobs
        for leg in range(num_legs):
            if is_met(stop, self._best_length):
                break
            end = deadline.within(deadline.remaining() / (num_legs - leg))
            way = leg / num_legs, (leg + 1) / num_legs
            found = self.anneal_side_by_side(current, way, end, pool, stop)
            current = [one.current for one in found]

    def anneal_side_by_side(
        self,
        starts: Sequence[PackedRoutes],
        way: tuple[float, float],
        deadline: Deadline,
        pool: RoutePool | None = None,
        stop: Stop | None = None,
    ) -> list[Annealed]:
        """Anneal all routes once from each of several starts, in threads.

        Parameters
        ----------
        starts
            As many as there are jobs, or fewer; each gets random numbers of
            its own.
        way
            Shares of the fall of the temperature, in [0, 1], between which
            they are annealed.
        deadline, pool
            See ``anneal_whole``.
        stop
            Another criterion. Where there are several jobs, or penalties, it
            is the caller's to ask.
        """
        limit: Stop = TimeLimit(deadline)
        if stop is not None and self.jobs == 1 and self._penalties is None:
            limit = first_of(limit, stop)
        takes_samples = pool is not None and way[1] > SAMPLE_BEGIN
        found = self.anneal(
            [self.part(routes, self.zones(routes)) for routes in starts],
            way,
            [limit] * len(starts),
            takes_samples,
        )
        for one in found:
            self.keep([one.best], one.best_cost)
            if pool is not None:
                self._remember(one, pool)
        return found

    def _remember(self, annealed: Annealed, pool: RoutePool) -> None:
        """Add the routes of an annealing to a pool, as customers."""
        for packed in (*annealed.samples, annealed.best):
            routes = packed.to_solution(self.instance).routes
            pool.add_routes(routes, self.price_routes(routes))
