"""Some routes of an instance and a search of them, wherever it runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ncc_routing.problems.draft import restrict
from ncc_routing.vrp.search._state import SearchSpace

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing.problems.ccp.graph import KnnGraph
    from ncc_routing.problems.instance import Instance
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


class Part(Protocol):
    """Some routes to be searched, or all."""

    @property
    def routes(self) -> PackedRoutes:
        """The routes, under the names of the caller."""
        ...

    def search(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """Call a function with what it searches, and the arguments.

        The result has the names of the caller.
        """
        ...


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
    num_candidates: int
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
            self.num_candidates,
            names,
            is_limited=self.is_limited,
            penalties=None
            if self.penalties is None
            else self.penalties.part(customers),
        )

    def __reduce__(self) -> tuple[type[Subproblem], tuple[object, ...]]:
        """Pickle its own customers alone, without the search space."""
        cut = self.cut_out()
        shape = (cut.instance, cut.graph, cut.routes, self.num_candidates)
        rest = (cut.names, None, self.is_limited, cut.penalties)
        return Subproblem, (*shape, *rest)

    def search(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """Call a function with the search space, the routes and arguments.

        The result has the names of the caller.
        """
        part, space = self, self.space
        if space is None:
            part = self.cut_out()
            most = part.routes.num_routes if part.is_limited else None
            space = SearchSpace.of(
                part.instance, part.graph, part.num_candidates, most
            ).with_penalties(part.penalties)

        def named(routes: PackedRoutes) -> PackedRoutes:
            solution = space.unpack(routes)
            return (
                solution
                if part.names is None
                else solution.renamed(part.names)
            )

        outcome = function(space, space.pack(part.routes), *arguments)
        return replace(
            outcome, current=named(outcome.current), best=named(outcome.best)
        )


def search_side_by_side(tasks: list[tuple[Any, ...]]) -> list[Found]:
    """Search parts in threads; each tuple is a part and its arguments."""
    if len(tasks) == 1:
        return [_search(*tasks[0])]
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=len(tasks), prefer="threads")
    return list(run(delayed(_search)(*task) for task in tasks))


def _search(part: Part, *arguments: Any) -> Found:
    return part.search(*arguments)
