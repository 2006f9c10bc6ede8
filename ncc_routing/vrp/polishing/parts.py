"""Some routes of an instance, annealed in threads or anywhere else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.problems.restriction import restrict
from ncc_routing.vrp.polishing._annealing import Annealed, anneal_routes
from ncc_routing.vrp.polishing._state import SearchSpace

if TYPE_CHECKING:
    from ncc_routing.problems.graph import KnnGraph
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.packed_routes import PackedRoutes
    from ncc_routing.vrp.preferences.zones import SameRoutePairs, Zones


@dataclass(frozen=True, eq=False)
class Part:
    """Some routes, and what it takes to anneal them.

    In this process it refers to the whole instance. It is cut out of it by
    the thread that anneals it, unless all share one search space, and before
    it goes to another process or machine: what travels is proportional to
    the part.

    Parameters
    ----------
    instance
        The instance.
    graph
        Neighbours of each customer.
    routes
        Feasible routes of the instance.
    names
        What the caller calls each node of the instance, where it has been
        cut out. Default: the same.
    space
        The search space of the instance, where threads share one.
    is_limited
        Whether the routes must not become more.
    zones
        What customers cost on routes that are bound to zones; the search
        space has them already. Default: nothing.
    """

    instance: Instance
    graph: KnnGraph
    routes: PackedRoutes
    names: np.ndarray | None = None
    space: SearchSpace | None = None
    is_limited: bool = False
    zones: Zones | SameRoutePairs | None = None

    @property
    def num_customers(self) -> int:
        """Number of customers on its routes."""
        return len(self.routes.nodes)

    def cut_out(self) -> Part:
        """Return the part with an instance of its own customers alone."""
        customers = np.sort(self.routes.nodes)
        if self.num_customers == self.instance.num_customers:
            return self
        names = np.concatenate([[0], customers]).astype(np.uint32)
        numbers = np.zeros(len(self.instance.demands), dtype=np.uint32)
        numbers[names] = np.arange(len(names), dtype=np.uint32)
        return Part(
            restrict(self.instance, customers),
            self.graph.part(customers),
            self.routes.renamed(numbers),
            names,
            is_limited=self.is_limited,
            zones=None if self.zones is None else self.zones.part(customers),
        )

    def named(self, routes: PackedRoutes) -> PackedRoutes:
        """Return routes of the part in the names of the caller."""
        return routes if self.names is None else routes.renamed(self.names)

    def __reduce__(self) -> tuple[type[Part], tuple[object, ...]]:
        """Pickle the part alone."""
        own = self.cut_out()
        shape = (own.instance, own.graph, own.routes, own.names)
        return Part, (*shape, None, self.is_limited, own.zones)


def anneal_part(part: Part, num_candidates: int, *arguments: Any) -> Annealed:
    """Anneal a part; ``arguments`` follow in ``anneal_routes``.

    Parameters
    ----------
    part
        The part.
    num_candidates
        See ``SearchSpace.of``.
    *arguments
        Further arguments of ``anneal_routes``.

    Returns
    -------
    Annealed
        Its routes have the names of the caller.
    """
    space = part.space
    if space is None:
        part = part.cut_out()
        most = part.routes.num_routes if part.is_limited else None
        space = SearchSpace.of(part.instance, part.graph, num_candidates, most)
        space = space.with_zones(part.zones)

    def named(routes: PackedRoutes) -> PackedRoutes:
        return part.named(space.unpack(routes))

    found = anneal_routes(space, space.pack(part.routes), *arguments)
    return replace(
        found,
        current=named(found.current),
        best=named(found.best),
        samples=tuple(map(named, found.samples)),
    )


def num_workers() -> int:
    """Return how many parts can be annealed at a time.

    The cores of this machine, or the workers of the backend that
    ``joblib.parallel_config`` names.
    """
    from joblib import effective_n_jobs

    return int(effective_n_jobs(-1))


def anneal_parts(tasks: list[tuple[Any, ...]]) -> list[Annealed]:
    """Call ``anneal_part`` with each tuple of arguments, in threads."""
    if len(tasks) == 1:
        return [anneal_part(*tasks[0])]
    from joblib import Parallel, delayed

    run = Parallel(n_jobs=len(tasks), prefer="threads")
    return list(run(delayed(anneal_part)(*task) for task in tasks))
