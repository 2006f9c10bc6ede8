"""Annealing of some routes by ruin and recreate."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import Pace, Stop
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.subproblem import Found

if TYPE_CHECKING:
    from ncc_routing._core.search import SearchParams
    from ncc_routing.core.cooling import Cooling
    from ncc_routing.vrp.search._state import SearchSpace

MEAN_BEGIN: Final = 2.0 / 3.0
"""Progress from which on the current cost counts for the mean."""


def anneal_routes(
    space: SearchSpace,
    routes: PackedRoutes,
    params: SearchParams,
    cooling: Cooling,
    stop: Stop,
    seed: list[int],
) -> Found:
    """Anneal feasible routes of kernel nodes by ruin and recreate.

    It changes no argument, so several can run at a time on disjoint routes.
    The temperatures of ``cooling`` follow the progress of ``stop``.
    """
    last_costs: list[float] = []
    search = space.load(routes, params, seed)
    pace = Pace(stop, best_cost=search.best_cost)
    for size, begin, end in pace.batches(lambda: search.best_cost):
        search.anneal(size, *cooling.during(size, begin, end))
        if end > MEAN_BEGIN:
            last_costs.append(search.cost)
    return Found(
        current=PackedRoutes(*search.current_routes()),
        best=PackedRoutes(*search.best_routes()),
        best_cost=search.best_cost,
        mean_cost=fmean(last_costs or [search.cost]),
        num_iterations=search.num_iterations,
    )
