"""Ruin and recreate for fleets, several depots and time windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.cooling import Cooling
from ncc_routing.core.stopping import Pace
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing import _rich_annealing_kernels as _kernels
from ncc_routing.vrp.polishing import _rich_layout as _rich
from ncc_routing.vrp.polishing._rich_state import RichPlan, RichSpace

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution
    from ncc_routing.vrp.polishing.ruin_recreate_search import (
        RuinRecreateParams,
    )

NUM_STARTS: Final = 12
"""Orders of insertion that a construction tries."""

PLACING_ITERATIONS: Final = 200
"""Iterations between two looks at the clock while customers are absent."""


class RichSearch:
    """A search that keeps its routes."""

    def __init__(
        self, instance: Instance, seed: int, params: RuinRecreateParams
    ) -> None:
        self._params = params
        self._seed = seed
        self._space = RichSpace.of(
            instance, params.degree, params.num_candidates
        )
        self.num_iterations = 0

    def move(self, tail_moves: float, tolerance: float = 0.0) -> _layout.Move:
        params = self._params
        return _layout.Move(
            mean_removed=float(params.mean_removed),
            max_string=float(params.max_string),
            split=float(params.split),
            blink=float(params.blink),
            reach=float(params.reach),
            tolerance=tolerance,
            num_tail_moves=tail_moves,
        )

    def insert_all(self, deadline: Deadline):
        space = self._space
        empty = RichPlan(
            np.zeros(0, np.uint32), np.zeros(space.num_slots + 1, np.int64)
        )
        move = self.move(0.0)
        best = None
        for number in range(NUM_STARTS):
            state = space.load(empty, move.most_removed, [self._seed, number])
            left = _kernels.insert_all(space.problem, state, move)
            cost = state.costs[0]
            if best is None or (left, cost) < best[0]:
                best = (left, cost), state
            if deadline.passed():
                break
        return best

    def complete(self, state, deadline: Deadline) -> int:
        n = self._space.instance.num_customers
        move = self.move(self._params.tail_moves * 10)
        temperature = state.costs[0] / n * 0.1
        left = int(state.counts[_rich.NUM_ABSENT])
        while left and not deadline.passed():
            left = _kernels.place_absent(
                self._space.problem, state, move, PLACING_ITERATIONS, temperature
            )
        return left

    def run(self, solution: Solution, stop: Stop) -> Solution:
        space, params = self._space, self._params
        n = space.instance.num_customers
        edges = n + solution.num_routes
        types = space.problem.vehicles
        fixed = sum(types["fixed_cost"][k] for k in solution.vehicle_types)
        mean = (solution.cost - fixed) / edges
        cooling = Cooling(
            mean * params.start_temperature, mean * params.end_temperature
        )
        tails = params.tail_moves * n / solution.num_routes
        move = self.move(tails)
        state = space.load(
            space.pack(solution), move.most_removed, [self._seed, 99]
        )
        pace = Pace(stop, best_cost=float(state.costs[1]))
        while pace.progress < 1.0:
            progress = pace.progress
            num, reached = pace.next_batch()
            _kernels.anneal(
                space.problem, state, move, num, cooling.at(progress),
                cooling.factor((reached - progress) / num),
            )
            pace.advance(num, float(state.costs[1]))
            self.num_iterations += num
        return space.unpack(state.best_next)
