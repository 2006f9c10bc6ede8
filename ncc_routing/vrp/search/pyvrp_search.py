"""PyVRP's iterated local search, started from a given solution."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from ncc_routing.core.stopping import Tally

if TYPE_CHECKING:
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.core.run import Run
    from ncc_routing.core.stopping import Stop
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

SETUP_SECONDS_PER_PAIR: Final = 2e-7
"""Time per pair of nodes before PyVRP's search starts, half of it to rank the
neighbours: 0.2 s for 1,000 customers, 10 s for 7,000. It cannot be cut short.
"""

_FIRST_SEARCH: Final = 2.0
"""PyVRP's first local search, in times to rank the neighbours: 1.4 s after 0.7
s for 3,000 customers. It cannot be cut short."""

_logger = logging.getLogger(__name__)


def polish_pyvrp(instance: Instance, solution: Solution, run: Run) -> Solution:
    """Improve a feasible solution by PyVRP, or return it.

    Too little time to set PyVRP up leaves it as it is. A number of iterations
    without a deadline makes the answer repeatable; one of the two is required,
    and two n x n matrices have to fit into memory.
    """
    import pyvrp

    from ncc_routing.io import pyvrp_adapter as adapter

    whole, deadline = run.budget.criterion("PyVRP"), run.budget.deadline
    size = instance.num_customers + 1
    if deadline.remaining() < SETUP_SECONDS_PER_PAIR * size * size:
        _logger.info("no time left to set PyVRP up for %d nodes", size)
        return solution
    started = deadline.now()
    data = adapter.to_problem_data(instance)
    if deadline.remaining() < 2.0 * (deadline.now() - started):
        # Ranking the neighbours takes as long as this did, and then the
        # first local search has to come to an end.
        _logger.info("no time left to set PyVRP up for %d nodes", size)
        return solution
    start = adapter.to_pyvrp(solution, data)
    # Lengths that are no whole numbers are scaled; nothing else is.
    unit = 1.0
    if instance.is_plain:
        unit = solution.cost / max(1, start.distance())
    found = pyvrp.solve(
        data,
        _Stop(whole, unit, deadline),
        seed=run.seed,
        collect_stats=False,
        initial_solution=start,
    ).best
    polished = adapter.from_pyvrp(found, instance)
    if not found.is_feasible() or polished.cost >= solution.cost:
        return solution
    return polished


class _Stop:
    """Tells PyVRP of a criterion, and the criterion of PyVRP's costs."""

    def __init__(self, stop: Stop, unit: float, deadline: Deadline) -> None:
        self._stop = stop
        self._unit = unit
        self._deadline = deadline
        self._begun = deadline.now()
        self._tally: Tally | None = None

    def __call__(self, best_cost: float) -> bool:
        """Return whether to end before the next iteration."""
        done = 1
        if self._tally is None:
            done = 0
            ranking = self._deadline.now() - self._begun
            if self._deadline.remaining() < _FIRST_SEARCH * ranking:
                return True
        tally = self._tally or Tally()
        self._tally = tally.after(done, self._unit * best_cost)
        return self._stop.progress(self._tally) >= 1.0
