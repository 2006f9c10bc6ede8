"""Routes of a problem beyond the CVRP, wherever they are searched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.problems.draft import restrict
from ncc_routing.vrp.search.fleets.spaces import FleetSpaces

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.packed_routes import PackedRoutes
    from ncc_routing.vrp.preferences.penalties import RoutePenalties
    from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams
    from ncc_routing.vrp.search.subproblem import Found


@dataclass(frozen=True, eq=False)
class FleetPart:
    """Feasible routes, and what it takes to search them.

    ``spare`` are the further vehicles of each type that they may use; ``None``
    where the routes are all. ``spaces`` are shared by threads.
    """

    instance: Instance
    routes: PackedRoutes
    params: RuinRecreateParams
    spaces: FleetSpaces
    spare: Sequence[int] | None = None
    penalties: RoutePenalties | None = None
    names: np.ndarray | None = None

    def search(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """Call a function with the part and the arguments.

        The result has the names of the caller.
        """
        found, names = function(self, *arguments), self.names
        if names is None:
            return found
        current, best = (
            routes.renamed(names) for routes in (found.current, found.best)
        )
        return replace(found, current=current, best=best)

    def __reduce__(self) -> tuple[type[FleetPart], tuple[object, ...]]:
        """Pickle its own customers and vehicles alone, without a space."""
        if self.spare is None:
            whole = (self.instance, self.routes, self.params, FleetSpaces())
            return FleetPart, (*whole, None, self.penalties, self.names)
        instance, depots = self.instance, self.instance.depots
        customers = np.setdiff1d(self.routes.nodes, depots)
        names = np.concatenate([[0], customers, depots[1:]]).astype(np.uint32)
        numbers = np.zeros(len(instance.demands), dtype=np.uint32)
        numbers[names] = np.arange(len(names))
        own = restrict(instance, customers), self.routes.renamed(numbers)
        rest = (self.params, FleetSpaces(), self.spare, None, names)
        return FleetPart, (*own, *rest)
