"""Some routes of an instance and a search of them, wherever it runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.problems.instance import Instance, restrict
from ncc_routing.vrp.search._state import SearchSpace

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.graph import KnnGraph
    from ncc_routing.vrp.packed_routes import PackedRoutes
    from ncc_routing.vrp.preferences.penalties import RoutePenalties


@dataclass(frozen=True, eq=False)
class Found:
    """What a search leaves.

    ``mean_cost`` is that of the current routes in the last third, which says
    more about a search than the last routes do.
    """

    current: PackedRoutes
    best: PackedRoutes
    best_cost: float
    mean_cost: float
    num_iterations: int


@dataclass(frozen=True, eq=False)
class Subproblem:
    """Feasible routes, and what it takes to search them.

    It is cut out of its instance by the thread that searches it, or before it
    leaves the process, so that little travels. ``names`` holds the caller's
    nodes; a ``space`` that threads share knows the ``penalties`` already.
    """

    instance: Instance
    graph: KnnGraph
    routes: PackedRoutes
    names: np.ndarray | None = None
    space: SearchSpace | None = None
    is_limited: bool = False
    penalties: RoutePenalties | None = None

    @property
    def num_customers(self) -> int:
        """Number of customers on its routes."""
        return len(self.routes.nodes)

    def cut_out(self) -> Subproblem:
        """Return it with an instance of its own customers alone."""
        customers = np.sort(self.routes.nodes)
        if self.num_customers == self.instance.num_customers:
            return self
        names = np.concatenate([[0], customers]).astype(np.uint32)
        numbers = np.zeros(len(self.instance.demands), dtype=np.uint32)
        numbers[names] = np.arange(len(names), dtype=np.uint32)
        return Subproblem(
            restrict(self.instance, customers),
            self.graph.part(customers),
            self.routes.renamed(numbers),
            names,
            is_limited=self.is_limited,
            penalties=None
            if self.penalties is None
            else self.penalties.part(customers),
        )

    def __reduce__(self) -> tuple[type[Subproblem], tuple[object, ...]]:
        """Pickle its own customers alone, without the search space."""
        cut = self.cut_out()
        shape = (cut.instance, cut.graph, cut.routes, cut.names)
        return Subproblem, (*shape, None, self.is_limited, cut.penalties)


def search_subproblem(
    subproblem: Subproblem,
    num_candidates: int,
    function: Callable[..., Found],
    *arguments: Any,
) -> Found:
    """Search a subproblem; the result has the names of the caller.

    ``function`` is called with the search space, the routes and the
    ``arguments``, as ``anneal_routes`` is.
    """
    space = subproblem.space
    if space is None:
        subproblem = subproblem.cut_out()
        most = subproblem.routes.num_routes if subproblem.is_limited else None
        space = SearchSpace.of(
            subproblem.instance, subproblem.graph, num_candidates, most
        ).with_penalties(subproblem.penalties)

    def named(routes: PackedRoutes) -> PackedRoutes:
        solution, names = space.unpack(routes), subproblem.names
        return solution if names is None else solution.renamed(names)

    outcome = function(space, space.pack(subproblem.routes), *arguments)
    return replace(
        outcome, current=named(outcome.current), best=named(outcome.best)
    )


def search_side_by_side(tasks: list[tuple[Any, ...]]) -> list[Found]:
    """Call ``search_subproblem`` with each tuple of arguments, in threads."""
    if len(tasks) == 1:
        return [search_subproblem(*tasks[0])]
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=len(tasks), prefer="threads")
    return list(run(delayed(search_subproblem)(*task) for task in tasks))
