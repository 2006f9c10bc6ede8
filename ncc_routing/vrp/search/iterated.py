"""Iterated local search of routes that may be overloaded on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing._core import iterated as kernels
from ncc_routing.core.params import bounded, check_bounds
from ncc_routing.core.stopping import Pace
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.annealing import SAMPLE_BEGIN, Annealed

if TYPE_CHECKING:
    from ncc_routing.core.stopping import Stop
    from ncc_routing.vrp.search._state import SearchSpace


@dataclass(frozen=True)
class IteratedParams:
    """Parameters of the iterated local search.

    Parameters
    ----------
    num_near
        Nearest customers that a move joins a customer to. Default 40.
    window
        Iterations that the means of costs and distances reach back.
        Default 30.
    start_distance, end_distance
        Edges by which a local optimum is to differ from the routes before,
        which decides how many customers a ruin removes. Defaults 30 and 15.
    start_threshold, end_threshold
        Share of the way from the best recent cost to the mean one up to which
        routes are accepted. Defaults 1 and 0.01.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    num_near: int = bounded(40, 1, 10_000)
    window: int = bounded(30, 1, 1_000_000)
    start_distance: float = bounded(30.0, 1.0, 1e6)
    end_distance: float = bounded(15.0, 1.0, 1e6)
    start_threshold: float = bounded(1.0, 1e-6, 100.0)
    end_threshold: float = bounded(0.01, 1e-6, 100.0)

    def __post_init__(self) -> None:
        check_bounds(self)

    def for_search(self, tolerance: float) -> kernels.Params:
        """Return what a search needs of them; see ``iterated/params.h``."""
        return kernels.Params(
            num_near=self.num_near,
            window=self.window,
            distance=(self.start_distance, self.end_distance),
            threshold=(self.start_threshold, self.end_threshold),
            tolerance=tolerance,
        )


def iterate_routes(
    space: SearchSpace,
    routes: PackedRoutes,
    params: kernels.Params,
    stop: Stop,
    seed: list[int],
    takes_samples: bool = False,
) -> Annealed:
    """Improve feasible routes of kernel nodes by iterated local search.

    It changes no argument, so several can run at a time on disjoint routes.
    Distances and thresholds follow the progress of ``stop``. Penalties do not
    count.

    References
    ----------
    V. Maximo, J.-F. Cordeau, M. Nascimento (2024). AILS-II: an adaptive
    iterated local search heuristic for the large-scale capacitated vehicle
    routing problem. INFORMS Journal on Computing 36(4).
    """
    samples: list[PackedRoutes] = []
    costs: list[float] = []
    search = space.load_iterated(routes, params, seed)
    pace = Pace(stop, best_cost=search.best_cost)
    while pace.progress < 1.0:
        begin = pace.progress
        size, end = pace.next_batch()
        search.iterate(size, begin, end)
        costs.append(search.cost)
        if takes_samples and end > SAMPLE_BEGIN:
            samples.append(PackedRoutes(*search.current_routes()))
        pace.advance(size, search.best_cost)
    return Annealed(
        current=PackedRoutes(*search.current_routes()),
        best=PackedRoutes(*search.best_routes()),
        cost=search.cost,
        best_cost=search.best_cost,
        mean_cost=float(
            np.mean(costs[-max(1, len(costs) // 3) :] or [search.cost])
        ),
        num_iterations=search.num_iterations,
        samples=tuple(samples),
    )
