"""Hybrid genetic search from solutions that are good already."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import Pace
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.genetic import _state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance

NUM_LEGS: Final = 10
"""Stretches of a search with several populations, which share their best
solution after each."""

_CUSTOMERS_PER_LOOK: Final = 2000
"""Customers of the offspring between two looks at the clock."""

_COST: Final = attrgetter("cost")


class GeneticSearch:
    """A population of routes that begins with some good ones.

    It takes symmetric instances of the CVRP, and memory grows with the square
    of their customers. ``max_routes`` is by default a third more than the load
    fills.

    Source: T. Vidal (2022), Hybrid genetic search for the CVRP: open-source
    implementation and SWAP* neighborhood, Computers & OR 140.
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
        self._start = min(solutions, key=_COST)
        most = max(each.num_routes for each in solutions)
        limit = max_routes or _state.max_num_routes(instance, most)
        self._search = _state.make_search(instance, limit, seed)
        for each in solutions:
            self.add(each)

    def add(self, solution: Solution) -> None:
        """Add a feasible solution to the population."""
        nodes, starts = PackedRoutes.of(solution.routes)
        self._search.add(nodes, starts)

    @property
    def best_cost(self) -> float:
        """Length of the best solution so far."""
        found = self._search.population.best_length
        return min(found, float(self._start.cost))

    @property
    def num_offspring(self) -> int:
        """Offspring since the population last began."""
        return self._search.num_offspring

    def evolve(self, stop: Stop) -> GeneticSearch:
        """Produce offspring, one an iteration, until a criterion is met."""
        batch = max(1, _CUSTOMERS_PER_LOOK // self._instance.num_customers)
        pace = Pace(stop, batch, best_cost=self.best_cost)
        while pace.progress < 1.0:
            size, _ = pace.next_batch()
            self._search.evolve(size)
            pace.advance(size, self.best_cost)
        return self

    def best(self) -> Solution:
        """Return the best solution so far."""
        if self.best_cost >= self._start.cost:
            return self._start
        found = self._search.population.best_routes()
        return Solution.from_routes(self._instance, found)


def evolve_solutions(
    instance: Instance,
    solutions: Sequence[Solution],
    run: Run,
    max_routes: int | None = None,
) -> Solution:
    """Return the best solution of a genetic search from some in a time.

    One population for each job runs at a time, in a thread; ten times the best
    solution of all is added to each. The budget limits no iterations.
    """
    best = min(solutions, key=_COST)
    islands: list[GeneticSearch] = []
    num_legs = NUM_LEGS if run.jobs > 1 else 1
    for leg in range(num_legs):
        if run.budget.is_spent(best.cost):
            break
        islands = islands or [
            GeneticSearch(
                instance,
                solutions,
                seed=[run.seed, number],
                max_routes=max_routes,
            )
            for number in range(run.jobs)
        ]
        part = run.budget.within(run.budget.remaining() / (num_legs - leg))
        islands = _evolve_all(islands, part.criterion("the genetic search"))
        best = min((each.best() for each in islands), key=_COST)
        if leg + 1 < num_legs:
            for island in islands:
                island.add(best)
    return best


def _evolve_all(
    searches: list[GeneticSearch], stop: Stop
) -> list[GeneticSearch]:
    """Run searches at a time, in threads; return them as they are then."""
    if len(searches) == 1:
        return [searches[0].evolve(stop)]
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=len(searches), prefer="threads")
    task = delayed(GeneticSearch.evolve)
    return list(run(task(one, stop) for one in searches))
