"""PyVRP's iterated local search, from a given solution or its own."""

from __future__ import annotations

import logging
import time
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ncc_routing.core.budget import Budget
from ncc_routing.core.events import TracePoint
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.processes import Workers, num_workers
from ncc_routing.core.stopping import (
    LOOK_SECONDS,
    Pace,
    Stop,
    Tally,
    TimeLimit,
)
from ncc_routing.pyvrp.parts import Cut, Part

if TYPE_CHECKING:
    import numpy as np
    import pyvrp

    from ncc_routing.core.run import Run
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

WHOLE_MAX_CUSTOMERS: Final = 5000
"""Customers up to which PyVRP gets the whole problem."""

PART_SIZE: Final = 500
"""Customers of a part beyond that, on average."""

SECONDS_PER_CUSTOMER: Final = 0.002
"""Time for a part before the next one has its turn, in seconds a customer: a
sixth of it sets PyVRP up."""

NUM_ROUNDS: Final = 5
"""Rounds where iterations alone are limited."""

SETUP_SECONDS_PER_PAIR: Final = 2e-7
"""Time per pair of nodes before PyVRP's search starts, half of it to rank the
neighbours: 0.2 s for 1,000 customers, 10 s for 7,000. It cannot be cut short.
"""

_FIRST_SEARCH: Final = 2.0
"""PyVRP's local search of a start, in times to rank the neighbours: 1.4 s
after 0.7 s for 3,000 customers. It cannot be cut short."""

_logger = logging.getLogger(__name__)


def setup_seconds(num_customers: int) -> float:
    """Return the time before PyVRP's search of a whole problem starts."""
    return SETUP_SECONDS_PER_PAIR * (num_customers + 1) ** 2


def improve_pyvrp(
    instance: Instance,
    solution: Solution,
    run: Run,
    max_whole: int = WHOLE_MAX_CUSTOMERS,
    part_size: int = PART_SIZE,
    *,
    tries_own_start: bool = False,
) -> Solution:
    """Improve a feasible solution by PyVRP, or return it.

    Too little time to set PyVRP up leaves it as it is. A number of iterations
    without a deadline makes the answer repeatable; one of the two is required.
    With ``tries_own_start``, PyVRP begins a CVRP with its own start where that
    is better; that of other problems can take minutes. Beyond ``max_whole``
    customers PyVRP gets parts of ``part_size`` customers on average,
    ``run.jobs`` at a time, so that no matrix of all is made.
    """
    from ncc_routing.pyvrp.adapter import require_whole_costs

    require_whole_costs(instance)
    if instance.num_customers > max_whole and solution.routes:
        return _improve_parts(instance, solution, run, part_size)
    stop = run.budget.criterion("PyVRP")
    tries_own_start = tries_own_start and instance.is_cvrp
    return _improve(instance, solution, stop, run.seed, tries_own_start)[0]


def _improve_parts(
    instance: Instance, solution: Solution, run: Run, part_size: int
) -> Solution:
    """Improve parts of a plan, with other borders in each round.

    Several jobs work in processes, and ask the criterion between two waves.
    """
    stop, rng = run.budget.criterion("PyVRP"), run.generator()
    jobs, num_parts = run.jobs, -(-instance.num_customers // part_size)
    step = jobs / (NUM_ROUNDS * num_parts)
    if run.budget.time_limit.is_limited():
        seconds = _seconds_left(stop)
        step = SECONDS_PER_CUSTOMER * part_size / max(seconds, LOOK_SECONDS)
        jobs = min(jobs, num_workers())
    pace = Pace(stop, best_cost=solution.cost)
    is_idle = False
    with Workers() as workers:
        while pace.progress < 1.0 and not is_idle:
            cut, is_idle = Cut(instance, solution, num_parts, rng), True
            cost = solution.cost
            for low in range(0, cut.num_parts, jobs):
                left = 1.0 - pace.progress
                if left <= 0.0:
                    break
                wave = range(low, min(low + jobs, cut.num_parts))
                share = left / max(1, round(left / step))
                part_stop = stop.part(share, 1.0 / len(wave))
                gain, done = _improve_wave(cut, wave, part_stop, rng, workers)
                cost -= gain
                is_idle = is_idle and done == 0
                pace.advance(done, cost)
            solution = min(solution, cut.joined(), key=attrgetter("cost"))
    return solution


def _improve_wave(
    cut: Cut,
    wave: range,
    stop: Stop,
    rng: np.random.Generator,
    workers: Workers,
) -> tuple[float, int]:
    """Improve some parts at a time; return the gain and the iterations."""
    parts = [cut.part(idx) for idx in wave]
    seeds = rng.integers(2**31, size=len(parts)).tolist()
    if len(parts) == 1:
        part = parts[0]
        answers = [_improve(part.instance, part.solution, stop, seeds[0])]
    else:
        from joblib import Parallel, delayed

        # Threads, each of which waits for a process. What cannot be sent to
        # one stays here: a criterion may be any function.
        seconds, iterations = stop.left(Tally())
        # The clock of the wall, which all processes share.
        limits = time.time() + seconds, iterations
        improve = delayed(workers.call)
        answers = Parallel(n_jobs=len(parts), prefer="threads")(
            improve(_improve_there, part, limits, seed)
            for part, seed in zip(parts, seeds, strict=True)
        )
    gain, num_iterations = 0.0, 0
    for idx, part, (better, num_done) in zip(
        wave, parts, answers, strict=True
    ):
        cut.put(idx, part.named(better))
        gain += part.solution.cost - better.cost
        num_iterations += num_done
    return gain, num_iterations


def _improve_there(
    part: Part, limits: tuple[float, float], seed: int
) -> tuple[Solution, int]:
    """Improve a part in another process, up to a moment and a number."""
    end, iterations = limits
    most = None if iterations == inf else int(iterations)
    stop = Budget.of(max(0.0, end - time.time()), most).criterion("PyVRP")
    return _improve(part.instance, part.solution, stop, seed)


def _improve(
    instance: Instance,
    solution: Solution,
    stop: Stop,
    seed: int,
    tries_own_start: bool = False,
) -> tuple[Solution, int]:
    from ncc_routing.pyvrp import adapter

    if stop.progress(Tally(best_cost=solution.cost)) >= 1.0:
        return solution, 0
    at_first = _seconds_left(stop)
    size = instance.num_customers + 1
    if at_first < setup_seconds(instance.num_customers):
        _logger.info("no time left to set PyVRP up for %d nodes", size)
        return solution, 0
    data = adapter.to_problem_data(instance)
    left = _seconds_left(stop)
    if left < inf and left < 2.0 * (at_first - left):
        # Ranking the neighbours takes as long as this did, and then the
        # first local search has to come to an end.
        _logger.info("no time left to set PyVRP up for %d nodes", size)
        return solution, 0
    start = adapter.to_pyvrp(solution, data, instance)
    # Lengths that are no whole numbers are scaled; nothing else is.
    unit = 1.0
    if instance.is_unlimited_cvrp:
        unit = solution.cost / max(1, start.distance())
    improved, num_iterations = _search(
        data, start, stop, seed, unit, tries_own_start
    )
    better = adapter.from_pyvrp(improved, instance)
    if not improved.is_feasible() or better.cost >= solution.cost:
        better = solution
    return better, num_iterations


def _search(
    data: pyvrp.ProblemData,
    start: pyvrp.Solution,
    stop: Stop,
    seed: int,
    unit: float,
    tries_own_start: bool,
) -> tuple[pyvrp.Solution, int]:
    """Return what PyVRP finds, and the iterations.

    ``pyvrp.solve`` ends its own start in a local optimum, but no given one,
    and then stays beside it. Here it does so with both.
    """
    import pyvrp
    from pyvrp import search as moves

    at_first = _seconds_left(stop)
    rng = pyvrp.RandomNumberGenerator(seed)
    search = moves.LocalSearch(
        data, rng, moves.compute_neighbours(data), moves.PerturbationManager()
    )
    for operator in moves.OPERATORS:
        if operator.supports(data):
            search.add_operator(operator(data))
    params = pyvrp.PenaltyParams()
    penalties = pyvrp.PenaltyManager(params.midpoint_penalties(data), params)
    evaluator = penalties.max_cost_evaluator()
    left = _seconds_left(stop)
    enough = _FIRST_SEARCH * (at_first - left) if left < inf else 0.0
    if left < enough:
        return start, 0
    starts = [start]
    if tries_own_start and left >= 2.0 * enough:
        starts.insert(0, pyvrp.Solution.make_random(data, rng))
    optima = [search(one, evaluator, exhaustive=True) for one in starts]
    best = min(start, *optima, key=evaluator.cost)
    algorithm = pyvrp.IteratedLocalSearch(data, penalties, search, best)
    result = algorithm.run(_Stop(stop, unit), collect_stats=False)
    return result.best, result.num_iterations


def _seconds_left(stop: Stop) -> float:
    seconds, _ = stop.left(Tally())
    return seconds


def solve_alone(
    instance: Instance, seed: int, seconds: float
) -> tuple[Solution, tuple[TracePoint, ...]]:
    """Solve an instance by ``pyvrp.solve``, which has all of the time.

    Returns its best solution and the trace. Raises ``InfeasibleError`` if it
    finds no feasible one.
    """
    import pyvrp

    from ncc_routing.pyvrp import adapter

    start, limit = time.perf_counter(), TimeLimit(seconds)
    adapter.require_whole_costs(instance)
    data = adapter.to_problem_data(instance)
    result = pyvrp.solve(data, _Stop(limit, 1.0), seed=seed)
    if not result.is_feasible():
        raise InfeasibleError(
            f"{instance.name}: PyVRP has found no solution in {seconds:g} s."
        )
    best = adapter.from_pyvrp(result.best, instance)
    unit = best.cost / result.cost() if result.cost() else 1.0
    now, points, cost = time.perf_counter() - start - result.runtime, [], inf
    for taken, datum in zip(
        result.stats.runtimes, result.stats.data, strict=True
    ):
        now += taken
        if datum.best_feas and datum.best_cost < cost:
            cost = datum.best_cost
            points.append(TracePoint(now, "pyvrp", unit * cost))
    return best, tuple(points)


class _Stop:
    """Tells PyVRP of a criterion, and the criterion of PyVRP's costs."""

    def __init__(self, stop: Stop, unit: float) -> None:
        self._stop = stop
        self._unit = unit
        self._tally: Tally | None = None

    def __call__(self, best_cost: float) -> bool:
        done = 0 if self._tally is None else 1
        tally = self._tally or Tally()
        self._tally = tally.after(done, self._unit * best_cost)
        return self._stop.progress(self._tally) >= 1.0
