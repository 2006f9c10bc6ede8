"""Hybrid genetic search from solutions that are good already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import Pace, TimeLimit, first_of, is_met
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing.genetic import _evolution_kernels as _kernels
from ncc_routing.vrp.polishing.genetic import _layout, _state
from ncc_routing.vrp.polishing.search_size import search_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

MAX_CUSTOMERS: Final = 1000
"""Customers at most: time and memory of a child grow with their square."""

SECONDS_PER_SIZE: Final = 1e-3
"""Time from which children help, in seconds for each unit of ``search_size``:
2 s for a hundred customers on twenty routes, 50 s for 500 on a hundred. With
less the annealing would have made more of the time, the more so the shorter
the routes are (``docs/benchmarks/children_choice.md``)."""

ANNEALED_SHARE: Final = 0.5
"""Share of the time that the routes are annealed for before."""

NUM_LEGS: Final = 10
"""Stretches of a search with several populations, which share their best
solution after each."""

_CUSTOMERS_PER_LOOK: Final = 2000
"""Customers of the children between two looks at the clock."""


def annealed_share(instance: Instance, seconds: float) -> float:
    """Return the share of a time limit in which routes are annealed.

    In what is left of it their children are raised.

    Parameters
    ----------
    instance
        The instance.
    seconds
        The time limit; ``inf`` for none.

    Returns
    -------
    float
        1 where children do not help: a matrix that is not symmetric, too
        many customers, too little time, or no limit.
    """
    num_customers = instance.num_customers
    is_suited = 1 < num_customers <= MAX_CUSTOMERS and instance.is_symmetric
    is_enough = is_time_for_children(
        num_customers, instance.min_num_routes, seconds
    )
    return ANNEALED_SHARE if is_suited and is_enough else 1.0


def is_time_for_children(
    num_customers: int, num_routes: int, seconds: float
) -> bool:
    """Whether a time limit, in seconds, is one in which children help."""
    least = SECONDS_PER_SIZE * search_size(num_customers, num_routes)
    return least <= seconds < float("inf")


class GeneticSearch:
    """A population of routes that begins with some good ones.

    Parameters
    ----------
    instance
        A symmetric instance of the CVRP; memory grows with the square of
        its customers.
    solutions
        Feasible ones to begin with, at least one.
    seed
        Seed of the search, at least 0, or several.
    max_routes
        Routes at most. Default: a third more than the load fills.

    References
    ----------
    T. Vidal (2022). Hybrid genetic search for the CVRP: open-source
    implementation and SWAP* neighborhood. Computers & Operations Research
    140.
    """

    def __init__(
        self,
        instance: Instance,
        solutions: Sequence[Solution],
        *,
        seed: int | Sequence[int] = 1,
        max_routes: int | None = None,
    ) -> None:
        self._instance = instance
        self._start = min(solutions, key=_cost)
        most = max(each.num_routes for each in solutions)
        slots = max_routes or _state.count_slots(instance, most)
        self._world = _state.make_world(instance)
        self._rings = _state.make_rings(self._world, slots)
        self._tour = _state.make_tour(self._world, slots)
        self._population = _state.make_population(self._world, seed)
        for each in solutions:
            self.welcome(each)

    def welcome(self, solution: Solution) -> None:
        """Let a feasible solution join the population."""
        packed = PackedRoutes.of(solution.routes)
        _kernels.add_routes(
            self._world, self._rings, self._population, *packed
        )

    @property
    def best_cost(self) -> float:
        """Length of the best solution so far."""
        found = float(self._population.costs[_layout.BEST_LENGTH])
        return min(found, float(self._start.cost))

    @property
    def num_children(self) -> int:
        """Children since the population last began."""
        return int(self._population.counts[_layout.NUM_BORN])

    def run(self, stop: Stop) -> GeneticSearch:
        """Raise children until a criterion is met; return the search.

        Parameters
        ----------
        stop
            When to stop; an iteration is a child.
        """
        batch = max(1, _CUSTOMERS_PER_LOOK // self._instance.num_customers)
        pace = Pace(stop, batch, best_cost=self.best_cost)
        while pace.progress < 1.0:
            size, _ = pace.next_batch()
            _kernels.raise_children(
                self._world,
                self._rings,
                self._tour,
                self._population,
                size,
            )
            pace.advance(size, self.best_cost)
        return self

    def best(self) -> Solution:
        """Return the best solution so far."""
        if self.best_cost >= self._start.cost:
            return self._start
        found = _state.read_best(self._population)
        return found.to_solution(self._instance)


def evolve_solutions(
    instance: Instance,
    solutions: Sequence[Solution],
    deadline: Deadline,
    stop: Stop | None = None,
    *,
    seed: int = 1,
    max_routes: int | None = None,
    jobs: int = 1,
) -> Solution:
    """Raise children of some solutions until a deadline.

    Parameters
    ----------
    instance, solutions, max_routes
        See ``GeneticSearch``.
    deadline
        When to stop.
    stop
        Another criterion; it counts no iterations.
    seed
        Seed of the search, at least 0.
    jobs
        Populations at a time, each in a thread. Now and then the best
        solution of all joins each of them.

    Returns
    -------
    Solution
        The best one, never longer than the shortest of those given.
    """
    best = min(solutions, key=_cost)
    islands: list[GeneticSearch] = []
    num_legs = NUM_LEGS if jobs > 1 else 1
    for leg in range(num_legs):
        if deadline.passed() or is_met(stop, best.cost):
            break
        if not islands:
            islands = [
                GeneticSearch(
                    instance,
                    solutions,
                    seed=[seed, number],
                    max_routes=max_routes,
                )
                for number in range(jobs)
            ]
        part = deadline.remaining() / (num_legs - leg)
        limit: Stop = TimeLimit(deadline.within(part))
        if stop is not None:
            limit = first_of(limit, stop)
        islands = _run_all(islands, limit)
        best = min((each.best() for each in islands), key=_cost)
        if leg + 1 < num_legs:
            for island in islands:
                island.welcome(best)
    return best


def _run_all(searches: list[GeneticSearch], stop: Stop) -> list[GeneticSearch]:
    """Run searches at a time, in threads; return them as they are then."""
    if len(searches) == 1:
        return [searches[0].run(stop)]
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=len(searches), prefer="threads")
    return list(run(delayed(GeneticSearch.run)(one, stop) for one in searches))


def _cost(solution: Solution) -> float:
    return solution.cost
