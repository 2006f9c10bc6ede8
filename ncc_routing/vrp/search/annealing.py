"""Annealing of some routes by ruin and recreate, and as iterated search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ncc_routing._core import iterated as kernels
from ncc_routing.core.params import bounded, check_bounds
from ncc_routing.core.stopping import Pace, Stop
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.subproblem import Found

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
        mean_cost=mean_of(last_costs or [search.cost]),
        num_iterations=search.num_iterations,
    )


NEAR_SHARE: Final = 0.15
LEAST_NEAR: Final = 10
DISTANCE_SHARE: Final = 0.2
"""Near customers and changed edges of small problems, as shares of the
customers. After 0.3 s routes of 100 are 0.09 +- 0.01 % shorter than with the
same as larger problems, after 1 s alike (commit c715eb7568e8)."""

FIRST_LOOK: Final = 10
"""Iterations before the first look: each takes about a millisecond."""


@dataclass(frozen=True)
class IteratedParams:
    """Parameters of the iterated local search.

    Parameters
    ----------
    num_near
        Nearest customers that a move joins a customer to. Default 30.
    window
        Iterations that the means of costs and distances reach back.
        Default 30.
    start_distance, end_distance
        Edges by which a local optimum is to differ from the routes before,
        which decides how many customers a ruin removes. Defaults 30 and 15.
    start_threshold, end_threshold
        Share of the way from the best recent cost to the mean one up to which
        routes are accepted. Defaults 1 and 0.01.
    partner_share
        Share of the iterations that take edges of a partner over, where there
        is one. Default 0.3.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    num_near: int = bounded(30, 1, 10_000)
    window: int = bounded(30, 1, 1_000_000)
    start_distance: float = bounded(30.0, 1.0, 1e6)
    end_distance: float = bounded(15.0, 1.0, 1e6)
    start_threshold: float = bounded(1.0, 1e-6, 100.0)
    end_threshold: float = bounded(0.01, 1e-6, 100.0)
    partner_share: float = bounded(0.3, 0.0, 1.0)

    def __post_init__(self) -> None:
        check_bounds(self)

    @classmethod
    def of_size(cls, num_customers: int) -> IteratedParams:
        """Return the defaults, or less where there are few customers."""
        most = cls()
        near = max(LEAST_NEAR, round(NEAR_SHARE * num_customers))
        edges = max(2.0, DISTANCE_SHARE * num_customers)
        return cls(
            num_near=min(most.num_near, near),
            start_distance=min(most.start_distance, edges),
            end_distance=min(most.end_distance, 0.5 * edges),
        )

    def for_search(self, tolerance: float) -> kernels.Params:
        """Return what a search needs of them; see ``iterated/params.h``."""
        return kernels.Params(
            num_near=self.num_near,
            window=self.window,
            distance=(self.start_distance, self.end_distance),
            threshold=(self.start_threshold, self.end_threshold),
            partner_share=self.partner_share,
            tolerance=tolerance,
        )


def iterate_routes(
    space: SearchSpace,
    routes: PackedRoutes,
    params: kernels.Params,
    progress: tuple[float, float],
    partners: Sequence[PackedRoutes],
    stop: Stop,
    seed: list[int],
) -> Found:
    """Improve feasible routes of kernel nodes by iterated local search.

    It changes no argument, so several can run at a time on disjoint routes.
    Distances and thresholds follow ``progress``, at the begin and at the end
    of ``stop``. ``partners`` are other routes of all customers of the space,
    whose edges some iterations take over. Penalties do not count.

    References
    ----------
    V. Maximo, J.-F. Cordeau, M. Nascimento (2024). AILS-II: an adaptive
    iterated local search heuristic for the large-scale capacitated vehicle
    routing problem. INFORMS Journal on Computing 36(4).

    Y. Nagata, O. Braysy (2009). Edge assembly-based memetic algorithm for the
    capacitated vehicle routing problem. Networks 54(4).
    """
    search = space.load_iterated(routes, params, seed)
    for partner in partners:
        search.add_partner(*space.pack(partner)[:2])
    mean_cost = run_iterations(
        search.iterate,
        stop,
        progress,
        lambda: search.cost,
        lambda: search.best_cost,
    )
    return Found(
        current=PackedRoutes(*search.current_routes()),
        best=PackedRoutes(*search.best_routes()),
        best_cost=search.best_cost,
        mean_cost=mean_cost,
        num_iterations=search.num_iterations,
    )


def run_iterations(
    iterate: Callable[[int, float, float], object],
    stop: Stop,
    progress: tuple[float, float],
    cost: Callable[[], float],
    best_cost: Callable[[], float],
) -> float:
    """Iterate until a criterion is met.

    ``iterate`` gets a number of iterations, and the progress at the begin and
    at the end of them. The mean cost of the last third is returned.
    """
    last_costs: list[float] = []
    pace = Pace(stop, best_cost=best_cost(), first=FIRST_LOOK)
    first, span = progress[0], progress[1] - progress[0]
    while pace.progress < 1.0:
        begin = pace.progress
        size, end = pace.next_batch()
        iterate(size, first + begin * span, first + end * span)
        if end > MEAN_BEGIN:
            last_costs.append(cost())
        pace.advance(size, best_cost())
    return mean_of(last_costs or [cost()])


def mean_of(costs: Sequence[float]) -> float:
    """Return the mean; ``statistics`` takes 30 ms to import."""
    return math.fsum(costs) / len(costs)
