"""Insertion, and ruin and recreate, for fleets, depots and time windows."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import fleets as kernels
from ncc_routing.core.cooling import Cooling
from ncc_routing.core.stopping import Pace, Stop, TimeLimit
from ncc_routing.problems.fleet import Fleet
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.search.annealing import (
    MEAN_BEGIN,
    mean_of,
    run_iterations,
)
from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing._core.search import SearchParams
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.vrp.preferences.penalties import RoutePenalties
    from ncc_routing.vrp.preferences.preferences import Penalties
    from ncc_routing.vrp.search.annealing import IteratedParams
    from ncc_routing.vrp.search.fleets._state import FleetRoutes

NUM_ORDERS: Final = 12
"""Orders of insertion that a construction tries."""

EJECTIONS: Final = 20
"""Ejections between two looks at the clock while customers are absent."""

PLACING_TEMPERATURE: Final = 0.1
"""Temperature meanwhile, in units of the mean cost of an edge."""

PRIZE_RISE: Final = 0.3
"""Share by which prizes are raised at the start temperature; it falls with the
temperature. Routes are long at first, and would serve too few customers at
their prizes; later a vehicle more pays only with many of them."""


class FleetSearch:
    """A search that keeps its routes, on one thread.

    ``space`` and ``state`` hold the instance and the routes for the kernels.
    A space of ``spaces`` serves all stages of a run.
    """

    def __init__(
        self,
        instance: Instance,
        seed: int | list[int],
        params: RuinRecreateParams | None = None,
        spaces: FleetSpaces | None = None,
    ) -> None:
        self._params = params or RuinRecreateParams()
        self._seed = [seed] if isinstance(seed, int) else seed
        self.space = (spaces or FleetSpaces()).of(instance, self._params)
        self.state = self._fresh(self.space.empty_plan(), 0)

    @property
    def num_absent(self) -> int:
        """Number of customers without a place."""
        return self.state.num_absent

    @property
    def num_iterations(self) -> int:
        """Ruins and recreates so far."""
        return self.state.num_iterations

    def load(
        self, solution: Solution, penalties: Penalties | None = None
    ) -> None:
        """Begin with some routes; the other customers are absent.

        Penalties are those around the routes.
        """
        routes = PackedRoutes.of(solution.routes, solution.vehicle_types)
        around = None if penalties is None else penalties.around(routes)
        self.load_routes(routes, around)

    def load_routes(
        self,
        routes: PackedRoutes,
        penalties: RoutePenalties | None = None,
        spare: Sequence[int] | None = None,
        absent: Sequence[int] | np.ndarray = (),
    ) -> None:
        """Begin with some routes, or a part of them: see ``FleetSpace``."""
        most = self._search_params(0.0).most_removed
        plan = self.space.pack(routes)
        seed = [*self._seed, 0]
        self.state = self.space.load(
            plan, most, seed, penalties, spare, absent
        )

    def insert_all(self, deadline: TimeLimit) -> Solution:
        """Insert all customers in several orders, and keep the best result.

        The orders are by window, demand, distance, and at random, then some in
        which one vehicle type alone is opened; only the first ignores the
        deadline. These are along a curve, so that the gaps next to neighbours
        come soon, and many customers have such orders alone. Customers may be
        missing.
        """
        empty, params = self.space.empty_plan(), self._search_params(0.0)
        num_types, is_large = len(self.space.vehicles), self.space.is_large
        types = range(min(NUM_ORDERS, num_types) if num_types > 1 else 0)
        orders: list[tuple[bool, int | None]]
        orders = [(True, None)] if is_large else [(False, None)] * NUM_ORDERS
        orders += [(True, opened) for opened in types]
        best = np.inf, np.inf
        for number, order in enumerate(orders):
            state = self._fresh(empty, number)
            cost = state.insert_all(params, *order), state.cost
            if cost < best:
                best, self.state = cost, state
            if deadline.passed():
                break
        return self.current()

    def place_absent(
        self, deadline: TimeLimit, most: float = np.inf
    ) -> Solution:
        """Look for places for absent customers until there is none.

        Those who fit are inserted, even after the deadline; then customers
        are ejected for them, in ``most`` iterations at most. The routes that
        leave the fewest without a place are returned.
        """
        state = self.state
        params = self._search_params(self._mean_route_length(state))
        state.insert_all(params)
        best, fewest, left = self.current(), self.num_absent, most
        temperature = PLACING_TEMPERATURE * self.mean_edge(best)
        while fewest > 0 and left > 0 and not deadline.passed():
            state.place_absent(params, EJECTIONS, fewest, temperature)
            left -= EJECTIONS
            if self.num_absent < fewest:
                best, fewest = self.current(), self.num_absent
        return best

    def run(
        self,
        stop: Stop,
        mean_edge: float,
        progress: tuple[float, float] = (0.0, 1.0),
    ) -> tuple[float, float]:
        """Anneal the loaded routes until a criterion is met.

        ``mean_edge`` scales the fall of the temperature; ``progress`` is that
        at the begin and at the end. Returns the best cost, and the mean one of
        the last third.
        """
        state = self.state
        whole = Cooling(
            mean_edge * self._params.start_temperature,
            mean_edge * self._params.end_temperature,
        )
        cooling = whole.between(*progress)
        prize_rise = self._prize_rise(whole.start_temperature)
        params = self._search_params(self._mean_route_length(state))
        served = self._cost_of_served(state)

        def best_cost() -> float:
            return served + self.space.best_cost(state)

        last_costs: list[float] = []
        pace = Pace(stop, best_cost=best_cost())
        for size, begin, end in pace.batches(best_cost):
            state.anneal(
                params,
                size,
                *cooling.during(size, begin, end),
                prize_rise,
                whole.end_temperature,
            )
            if end > MEAN_BEGIN:
                last_costs.append(state.cost)
        return best_cost(), mean_of(last_costs or [state.cost])

    def iterate(
        self,
        stop: Stop,
        params: IteratedParams,
        progress: tuple[float, float] = (0.0, 1.0),
    ) -> tuple[float, float]:
        """Improve the loaded routes by iterated local search.

        Distances and thresholds follow ``progress``, at the begin and at the
        end. Returns the best cost, and the mean one of the last third.
        """
        state = self.state
        served = self._cost_of_served(state)
        search = kernels.IteratedSearch(
            state,
            self._search_params(self._mean_route_length(state)),
            params.for_search(self.space.tolerance),
        )

        def best_cost() -> float:
            return served + self.space.best_cost(state)

        mean_cost = run_iterations(
            search.iterate, stop, progress, lambda: state.cost, best_cost
        )
        return best_cost(), mean_cost

    def _cost_of_served(self, state: kernels.FleetSearch) -> float:
        """Return what in-progress routes have cost so far.

        The lost prizes of the other members of their customers' groups are
        part of it. A state knows nothing of either; it is the same for all of
        its routes.
        """
        instance = self.space.instance
        if not instance.in_progress:
            return 0.0
        known = self.space.best_cost(state)
        if not self.space.breaks_ties:
            known = state.cost - state.penalty_cost
        solution = self.space.unpack(state.next)
        cost = sum(solution.route_costs(instance)) - known
        if instance.selection is not None:
            members = self.space.order[self.space.members].tolist()
            served = chain.from_iterable(solution.routes)
            cost += instance.selection.lost_prizes({*members, *served})
        return cost

    def best(self) -> Solution:
        """Return the best complete solution."""
        return self.space.unpack(self.state.best_next)

    def current(self) -> Solution:
        """Return the routes as they are; absent customers are missing."""
        return self.space.unpack(self.state.next)

    def current_routes(self) -> PackedRoutes:
        """Return the routes as they are, packed."""
        return PackedRoutes.of(*self.space.routes_of(self.state.next))

    def best_routes(self) -> PackedRoutes:
        """Return the best complete routes, packed."""
        return PackedRoutes.of(*self.space.routes_of(self.state.best_next))

    def _prize_rise(self, start_temperature: float) -> float:
        if not self.space.problem.has_optional or start_temperature <= 0.0:
            return 0.0
        return PRIZE_RISE / start_temperature

    def mean_edge(self, start: Solution) -> float:
        """Return the mean cost of the edges between two loaded customers.

        The edges share the start's cost without its vehicles by length; those
        of a depot count only where there are no others.
        """
        num_nodes = self.space.instance.num_customers + 1
        is_inner = self.space.by_customer(self.state.next) < num_nodes
        is_inner &= self._is_placed(self.state)
        is_inner[0] = False
        is_inner[num_nodes:] = False
        lengths = self.space.by_customer(self.state.to_next)
        lengths[~self._is_placed(self.state)] = 0.0
        if self.space.breaks_ties:
            driven = float(lengths.sum())
        else:
            fixed = [vehicle.fixed_cost for vehicle in self.space.vehicles]
            used = np.take(fixed, list(start.vehicle_types))
            driven = float(start.cost - used.sum())
            if self.space.instance.selection is not None:
                driven -= self.space.instance.selection.lost_prizes(
                    set(chain.from_iterable(start.routes))
                )
        inner = float(lengths[is_inner].sum())
        if inner <= 0.0:
            return driven / (num_nodes + start.num_routes)
        share = inner / float(lengths.sum()) / int(is_inner.sum())
        return driven * share

    def _fresh(
        self,
        plan: FleetRoutes,
        number: int,
    ) -> kernels.FleetSearch:
        most = self._search_params(0.0).most_removed
        return self.space.load(plan, most, [*self._seed, number])

    def _mean_route_length(self, state: kernels.FleetSearch) -> float:
        count = len(self.space.members)
        if self.space.instance.selection is not None or state.num_absent == 0:
            num_customers = self.space.instance.num_customers
            count = int(self._is_placed(state)[1 : num_customers + 1].sum())
        return count / max(1, state.num_routes)

    def _is_placed(self, state: kernels.FleetSearch) -> np.ndarray:
        return self.space.by_customer(state.route_of) < self.space.num_slots

    def _search_params(self, route_length: float) -> SearchParams:
        moves = self._params.tail_moves * route_length
        return self._params.for_search(self.space.tolerance, moves)


def with_more_vehicles(
    instance: Instance, solution: Solution, seed: int
) -> Solution:
    """Return routes with absent customers on vehicles beyond the fleet."""
    if not instance.unserved(solution.routes):
        return solution
    types = tuple(
        replace(vehicle_type, num_available=None)
        for vehicle_type in instance.vehicle_types
    )
    return insert_absent(instance.derived(fleet=Fleet(types)), solution, seed)


def insert_absent(
    instance: Instance, solution: Solution, seed: int
) -> Solution:
    """Return routes with absent customers where they cost least.

    No position is overlooked; whoever fits nowhere stays absent.
    """
    params = RuinRecreateParams(blink=0.0)
    search = FleetSearch(instance, seed, params)
    search.load(solution)
    search.state.insert_all(params.for_search(search.space.tolerance, 0.0))
    return search.current()
