"""A search by ruin and recreate: its parameters, parts and rounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.cooling import Cooling, require_cooling
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.stopping import Pace, Tally, TimeLimit, first_of
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing._annealing import Annealed, anneal_routes
from ncc_routing.vrp.polishing._packed import PackedRoutes
from ncc_routing.vrp.polishing._state import SearchSpace

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.recombination.route_pool import RoutePool

NUM_ROUNDS: Final = 40
"""Rounds of a parallel search; the parts have other borders in each."""

MIN_PART_SIZE: Final = 50
"""Customers that a part has at least, on average."""

MIN_ROUND_SECONDS: Final = 0.2
ROUND_SECONDS_PER_CUSTOMER: Final = 3e-5
"""Least length of a round: setting one up takes a few hundredths of it."""


@dataclass(frozen=True)
class RuinRecreateParams:
    """Parameters of the search; the defaults come from generated instances.

    Parameters
    ----------
    degree
        Neighbours that an insertion looks at. Default 100.
    num_candidates
        Neighbours, the nearest in routes with room, next to which it tries
        the customer. Default 8.
    mean_removed
        Customers that a ruin removes, on average. Default 9.
    max_string
        Most customers that a ruin removes from one route. Default 7.
    split
        Probability that a customer inside the string stays. Default 0.3.
    blink
        Probability that an insertion overlooks a position. Default 0.01.
    reach
        It does not look at neighbours further away than this many times the
        least detour found so far. Default 4.
    tail_moves
        Moves of whole tails and of segments that follow each ruin and
        recreate, per customer of a mean route: long routes need more of
        them. Default 0.25.
    start_temperature, end_temperature
        Temperatures of the annealing in units of the mean length of an
        edge of the start. Defaults 0.7 and 0.01.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    degree: int = 100
    num_candidates: int = 8
    mean_removed: float = 9.0
    max_string: int = 7
    split: float = 0.3
    blink: float = 0.01
    reach: float = 4.0
    tail_moves: float = 0.25
    start_temperature: float = 0.7
    end_temperature: float = 0.01

    def __post_init__(self) -> None:
        for name in (
            "degree",
            "num_candidates",
            "mean_removed",
            "max_string",
            "reach",
        ):
            if not getattr(self, name) >= 1:
                raise ParameterError(
                    f"{name} must be at least 1, got {getattr(self, name)}."
                )
        if not 0.0 <= self.tail_moves < math.inf:
            raise ParameterError(
                f"tail_moves must be finite and >= 0, got {self.tail_moves}."
            )
        for name in ("split", "blink"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ParameterError(
                    f"{name} must lie in [0, 1), got {getattr(self, name)}."
                )
        require_cooling(self.start_temperature, self.end_temperature)


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
    ) -> None:
        self._params = params or RuinRecreateParams()
        self.max_routes = max_routes
        self._start = solution
        self._seed = seed
        self._jobs = jobs
        self._space = SearchSpace.of(
            instance,
            self._params.degree,
            self._params.num_candidates,
            max_routes,
        )
        self._first = self._space.pack(solution)
        self._current = self._best = self._first
        self._best_cost = float(solution.cost)
        self._num_rounds = 0
        self._num_iterations = 0
        num_edges = instance.num_customers + solution.num_routes
        mean_edge = solution.cost / num_edges
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
    def num_iterations(self) -> int:
        """Iterations run so far."""
        return self._num_iterations

    @property
    def best_cost(self) -> float:
        """Cost of the best solution so far."""
        return self._best_cost

    def best(self) -> Solution:
        """Return the best solution so far, the start if none is better."""
        if self.best_cost >= self._start.cost:
            return self._start
        return self._space.unpack(self._best, self._best_cost)

    def run(self, stop: Stop) -> None:
        """Anneal from the start to the end temperature.

        Parameters
        ----------
        stop
            When to stop. With several jobs it is asked between the rounds,
            and its parts during them.
        """
        if self._jobs == 1:
            cooling = self._cooling.between(0.0, 1.0)
            self._anneal([self._current], cooling, [stop])
            return
        step = self._round_share(stop.left(Tally()).seconds)
        num_customers = len(self._current.nodes)
        pace = Pace(stop, best_cost=self._best_cost)
        while pace.progress < 1.0:
            begin = pace.progress
            parts = self._parts()
            done = self._anneal(
                parts,
                self._cooling.between(begin, min(1.0, begin + step)),
                [
                    stop.part(step, len(part.nodes) / num_customers)
                    for part in parts
                ],
            )
            pace.advance(done, self._best_cost)

    def _round_share(self, seconds: float) -> float:
        """Return the share of the limits that one round takes."""
        least = MIN_ROUND_SECONDS
        least += ROUND_SECONDS_PER_CUSTOMER * len(self._current.nodes)
        return min(1.0, max(1.0 / NUM_ROUNDS, least / max(seconds, least)))

    def _anneal(
        self, parts: list[PackedRoutes], cooling: Cooling, stops: list[Stop]
    ) -> int:
        """Anneal all parts, take over what they found; count iterations.

        The shortest routes of all parts form the shortest solution.
        """
        seeds = [self._seed, self._num_rounds]
        found = _anneal_all(
            [
                (self._space, part, self._move, cooling, stop, [*seeds, idx])
                for idx, (part, stop) in enumerate(
                    zip(parts, stops, strict=True)
                )
            ]
        )
        best_cost = sum(part.best_cost for part in found)
        if best_cost < self._best_cost - self._move.tolerance:
            self._best = PackedRoutes.joined([part.best for part in found])
            self._best_cost = best_cost
        self._current = PackedRoutes.joined([part.current for part in found])
        num_iterations = sum(part.num_iterations for part in found)
        self._num_iterations += num_iterations
        self._num_rounds += 1
        return num_iterations

    def sample(
        self, deadline: Deadline, pool: RoutePool, stop: Stop | None = None
    ) -> None:
        """Anneal from the start once more and remember the routes seen.

        Each job does so with random numbers of its own.

        Parameters
        ----------
        deadline
            When to stop; it needs a limit.
        pool
            Takes the routes, as customers.
        stop
            Another criterion. Several jobs do not ask it while they work.
        """
        limit: Stop = TimeLimit(deadline)
        if stop is not None and self._jobs == 1:
            limit = first_of(limit, stop)
        arguments = (self._space, self._first, self._move, self._cooling)
        tasks = [
            (*arguments, limit, [self._seed, self._num_rounds, job], True)
            for job in range(self._jobs)
        ]
        for one in _anneal_all(tasks):
            if one.best_cost < self._best_cost - self._move.tolerance:
                self._best, self._best_cost = one.best, one.best_cost
            for packed in (*one.samples, one.best):
                pool.add_solution(
                    self._space.instance, self._space.unpack(packed)
                )
            self._num_iterations += one.num_iterations
        self._num_rounds += 1

    def _parts(self) -> list[PackedRoutes]:
        """Return the current routes, cut into parts of neighbours."""
        num_parts = min(
            self._jobs,
            self._current.num_routes,
            len(self._current.nodes) // MIN_PART_SIZE,
        )
        if num_parts <= 1:
            return [self._current]
        from ncc_routing.vrp.polishing.decomposition import (
            route_adjacency,
            split_graph,
        )

        graph = route_adjacency(self._current, self._space.problem.neighbours)
        rng = np.random.default_rng([self._seed, self._num_rounds])
        return [
            self._current.take(part)
            for part in split_graph(graph, num_parts, rng)
        ]


def _anneal_all(tasks: list[tuple[Any, ...]]) -> list[Annealed]:
    """Call ``anneal_routes`` with each tuple of arguments, in threads."""
    if len(tasks) == 1:
        return [anneal_routes(*tasks[0])]
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=len(tasks), prefer="threads")
    return list(run(delayed(anneal_routes)(*task) for task in tasks))
