"""The annealing of one set of routes, on one thread."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import Pace
from ncc_routing.vrp.polishing import _annealing_kernels as _kernels
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing._state import SearchSpace, read_packed

if TYPE_CHECKING:
    from ncc_routing.core.cooling import Cooling
    from ncc_routing.core.stopping import Stop
    from ncc_routing.vrp.packed_routes import PackedRoutes

SAMPLE_BEGIN: Final = 0.3
"""Share of the way after which the routes are worth to be remembered."""

MEAN_BEGIN: Final = 2.0 / 3.0
"""Share of the way after which lengths count for their mean."""


@dataclass(frozen=True, eq=False)
class Annealed:
    """What an annealing leaves.

    Parameters
    ----------
    current, best
        The last routes and the shortest ones.
    cost, best_cost
        Their lengths.
    mean_cost
        Mean length of the routes met in the last third of the way, which
        says more about an annealing than the last ones do.
    num_iterations
        Iterations done.
    samples
        Routes met on the way, if they were asked for.
    """

    current: PackedRoutes
    best: PackedRoutes
    cost: float
    best_cost: float
    mean_cost: float
    num_iterations: int
    samples: tuple[PackedRoutes, ...]


def anneal_routes(
    space: SearchSpace,
    routes: PackedRoutes,
    move: _layout.Move,
    cooling: Cooling,
    stop: Stop,
    seed: list[int],
    takes_samples: bool = False,
) -> Annealed:
    """Anneal some routes of an instance by ruin and recreate.

    Everything that it changes is its own, so that several can run at a
    time on disjoint routes: in threads, which share the arrays of the
    space, or in other processes or on other machines, which get a copy.

    Parameters
    ----------
    space
        The instance.
    routes
        Feasible routes. Customers on none of them are left alone.
    move
        Sizes and probabilities of a move.
    cooling
        Temperatures, which follow the progress of ``stop``.
    stop
        When to stop.
    seed
        Seeds of the random numbers.
    takes_samples
        Whether to return the routes seen between two calls of the kernel.
    """
    samples: list[PackedRoutes] = []
    last_costs: list[float] = []
    state = space.load(routes, move.most_removed, seed)
    costs = state.costs
    pace = Pace(stop, best_cost=float(costs[_layout.BEST_COST]))
    while pace.progress < 1.0:
        progress = pace.progress
        num_iterations, reached = pace.next_batch()
        _kernels.anneal(
            space.problem,
            state,
            move,
            num_iterations,
            cooling.at(progress),
            cooling.factor((reached - progress) / num_iterations),
        )
        pace.advance(num_iterations, float(costs[_layout.BEST_COST]))
        if pace.progress > MEAN_BEGIN:
            last_costs.append(float(costs[_layout.COST]))
        if takes_samples and pace.progress > SAMPLE_BEGIN:
            samples.append(read_packed(state.nodes["next"], state))
    return Annealed(
        current=read_packed(state.nodes["next"], state),
        best=read_packed(state.best_next, state),
        cost=float(costs[_layout.COST]),
        best_cost=float(costs[_layout.BEST_COST]),
        mean_cost=fmean(last_costs or [float(costs[_layout.COST])]),
        num_iterations=int(state.counts[_layout.NUM_ITERATIONS]),
        samples=tuple(samples),
    )
