"""Insertion, and ruin and recreate, for fleets, depots and time windows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.stopping import Pace
from ncc_routing.problems.fleet import Fleet
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing.fleets import _annealing_kernels as _kernels
from ncc_routing.vrp.polishing.fleets import _layout as _rich
from ncc_routing.vrp.polishing.fleets._state import RichPlan, RichSpace
from ncc_routing.vrp.polishing.fleets.reach import out_of_reach
from ncc_routing.vrp.polishing.ruin_recreate_params import RuinRecreateParams

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

NUM_ORDERS: Final = 12
"""Orders of insertion that a construction tries."""

SIDES: Final = 2
"""Twice as many neighbours as in the plain problem are tried, since often only
one side is in time."""

MOVES_PER_CUSTOMER: Final = 5
"""Random moves, where the plain problem tries the near neighbours of one
customer in turn."""

PLACING_ITERATIONS: Final = 500
"""Iterations between two looks at the clock while customers are absent."""

PLACING_TEMPERATURE: Final = 0.1
"""Temperature then, in units of the mean cost of a customer."""


def anneal_fleet(
    instance: Instance,
    solution: Solution,
    stop: Stop,
    seed: int,
    params: RuinRecreateParams,
) -> Solution:
    """Improve a feasible solution of an instance of any kind.

    The result is feasible, and never worse than ``solution``.
    """
    search = RichSearch(instance, seed, params)
    search.load(solution)
    search.run(stop, solution)
    best = search.best()
    return best if best.cost < solution.cost else solution


class RichSearch:
    """A search that keeps its routes, on one thread.

    ``space`` and ``state`` hold the instance and the routes for the kernels.
    """

    def __init__(
        self,
        instance: Instance,
        seed: int,
        params: RuinRecreateParams | None = None,
    ) -> None:
        self._params = params or RuinRecreateParams()
        self._seed = seed
        self.space = RichSpace.of(
            instance,
            self._params.degree,
            SIDES * self._params.num_candidates,
        )
        self.state = self._fresh(self.space.empty_plan(), 0)

    @property
    def num_absent(self) -> int:
        """Number of customers without a place."""
        return int(self.state.counts[_rich.NUM_ABSENT])

    @property
    def num_iterations(self) -> int:
        """Ruins and recreates so far."""
        return int(self.state.counts[_layout.NUM_ITERATIONS])

    def unservable(self) -> list[int]:
        """Return the customers that no vehicle can serve."""
        problem = self.space.problem
        least = problem.singles[:, 1:].min(axis=0)
        # Without the triangle inequality others may be on a path to them.
        suspects = (1 + np.flatnonzero(np.isinf(least))).tolist()
        return out_of_reach(problem, suspects)

    def load(self, solution: Solution) -> None:
        """Begin with some routes; the other customers are absent."""
        self.state = self._fresh(self.space.pack(solution), 0)

    def insert_all(self, deadline: Deadline) -> Solution:
        """Insert all customers in several orders, and keep the best result.

        The orders are by window, demand, distance, and at random; only the
        first ignores the deadline. Customers may be missing.
        """
        empty, params = self.space.empty_plan(), self._kernel_params(0.0)
        best = np.inf, np.inf
        for number in range(NUM_ORDERS):
            state = self._fresh(empty, number)
            left = _kernels.insert_all(self.space.problem, state, params)
            found = left, float(state.costs[_layout.COST])
            if found < best:
                best, self.state = found, state
            if deadline.passed():
                break
        return self.current()

    def with_more_vehicles(self) -> Solution:
        """Return the routes, absent customers on vehicles beyond the fleet."""
        found = self.current()
        if self.num_absent == 0:
            return found
        instance = self.space.instance
        types = tuple(
            replace(kind, num_available=None)
            for kind in instance.vehicle_types
        )
        search = RichSearch(replace(instance, fleet=Fleet(types)), self._seed)
        search.load(found)
        _kernels.insert_all(
            search.space.problem, search.state, search._kernel_params(0.0)
        )
        return search.current()

    def place_absent(self, deadline: Deadline) -> None:
        """Look for places for absent customers until there is none."""
        problem, state = self.space.problem, self.state
        num_customers = len(problem.demands) - 1
        params = self._kernel_params(self._mean_route_length(state))
        mean_cost = float(state.costs[_layout.COST]) / num_customers
        while self.num_absent > 0 and not deadline.passed():
            _kernels.place_absent(
                problem,
                state,
                params,
                PLACING_ITERATIONS,
                PLACING_TEMPERATURE * mean_cost,
            )

    def run(self, stop: Stop, start: Solution) -> None:
        """Anneal the loaded ``start`` until a criterion is met."""
        problem, state = self.space.problem, self.state
        mean_edge = self._mean_edge(start)
        cooling = Cooling(
            mean_edge * self._params.start_temperature,
            mean_edge * self._params.end_temperature,
        )
        params = self._kernel_params(self._mean_route_length(state))
        pace = Pace(stop, best_cost=self.space.best_cost(state))
        while pace.progress < 1.0:
            progress = pace.progress
            num_iterations, reached = pace.next_batch()
            _kernels.anneal(
                problem,
                state,
                params,
                num_iterations,
                cooling.at(progress),
                cooling.factor((reached - progress) / num_iterations),
            )
            pace.advance(num_iterations, self.space.best_cost(state))

    def best(self) -> Solution:
        """Return the best complete solution."""
        return self.space.unpack(self.state.best_next)

    def current(self) -> Solution:
        """Return the routes as they are; absent customers are missing."""
        return self.space.unpack(self.state.nodes["next"])

    def _mean_edge(self, start: Solution) -> float:
        """Return the mean cost of the edges between two customers.

        The edges share the start's cost without its vehicles by length; those
        of a depot count only where there are no others.
        """
        vehicles, nodes = self.space.problem.vehicles, self.state.nodes
        num_nodes = len(self.space.problem.demands)
        is_inner = nodes["next"] < num_nodes
        is_inner[0] = False
        is_inner[num_nodes:] = False
        lengths = nodes["to_next"]
        if self.space.breaks_ties:
            driven = float(lengths.sum())
        else:
            fixed = vehicles["fixed_cost"][list(start.vehicle_types)].sum()
            driven = float(start.cost - fixed)
        inner = float(lengths[is_inner].sum())
        if inner <= 0.0:
            return driven / (num_nodes + start.num_routes)
        share = inner / float(lengths.sum()) / int(is_inner.sum())
        return driven * share

    def _fresh(self, plan: RichPlan, number: int) -> _rich.RichRoutes:
        most = self._kernel_params(0.0).most_removed
        return self.space.load(plan, most, [self._seed, number])

    def _mean_route_length(self, state: _rich.RichRoutes) -> float:
        slots = len(state.free)
        num_routes = slots - int(state.counts[_layout.NUM_FREE])
        return (len(self.space.problem.demands) - 1) / max(1, num_routes)

    def _kernel_params(self, route_length: float) -> _layout.KernelParams:
        """Return sizes and probabilities for routes of a mean length."""
        moves = MOVES_PER_CUSTOMER * self._params.tail_moves * route_length
        return _layout.KernelParams.of(
            self._params,
            tolerance=self.space.tolerance,
            num_tail_moves=moves,
        )
