"""What our search found, as PyVRP's result."""

from __future__ import annotations

import logging
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np
import pyvrp
from pyvrp import Model as ModelOfPyvrp
from pyvrp.constants import MAX_VALUE
from pyvrp.ProgressPrinter import ProgressPrinter
from pyvrp.Statistics import _Datum

__all__ = [
    "LARGEST",
    "ModelOfPyvrp",
    "Printed",
    "minimise_by_pyvrp",
    "on_stdout",
    "solve_by_pyvrp",
    "to_result",
    "with_all_clients",
]

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_ENTRIES: Final = 4_000_000
"""Iterations with an entry each; they take 16 bytes."""

_LEAST_SECONDS: Final = 1e-9
"""Shortest run of a result, whose iterations share its time."""

solve_by_pyvrp, minimise_by_pyvrp = pyvrp.solve, pyvrp.minimise_fleet

LARGEST: Final = MAX_VALUE
"""Distance of edges that are not there."""


@contextmanager
def on_stdout(*, display: bool) -> Iterator[None]:
    """Let PyVRP's log be where PyVRP has it while it is shown."""
    handlers = [
        one
        for one in logging.getLogger("pyvrp").handlers
        if display
        and isinstance(one, logging.StreamHandler)
        and one.stream is sys.stderr
    ]
    for one in handlers:
        one.setStream(sys.stdout)
    try:
        yield
    finally:
        for one in handlers:
            one.setStream(sys.stderr)


class Printed:
    """Prints the progress of a run as PyVRP does, on stdout."""

    def __init__(self, data: pyvrp.ProblemData, *, display: bool) -> None:
        interval = pyvrp.SolveParams().display_interval
        self._printer = ProgressPrinter(display, interval)
        self._printer.start(data)

    def show(
        self, iterations: int, seconds: float, cost: float, *, is_whole: bool
    ) -> None:
        """Print a line, if it is time for one."""
        stats = pyvrp.Statistics()
        stats.data = [_Datum(*(round(cost), is_whole) * 3)]
        stats.runtimes, stats.num_iterations = [seconds], iterations
        self._printer.iteration(stats)

    def end(self, result: pyvrp.Result) -> None:
        """Print what was found."""
        self._printer.end(result)


def with_all_clients(
    best: pyvrp.Solution, data: pyvrp.ProblemData, seed: int
) -> pyvrp.Solution:
    """Return a solution with the required clients that another leaves out.

    They come where they break least, by PyVRP's largest penalties.
    """
    if best.is_complete():
        return best
    params, rng = pyvrp.SolveParams(), pyvrp.RandomNumberGenerator(seed)
    neighbours = pyvrp.search.compute_neighbours(data, params.neighbourhood)
    shaking = pyvrp.search.PerturbationManager(params.perturbation)
    search = pyvrp.search.LocalSearch(data, rng, neighbours, shaking)
    for kind in params.operators:
        if kind.supports(data):
            search.add_operator(kind(data))
    penalties = params.penalty.midpoint_penalties(data)
    manager = pyvrp.PenaltyManager(penalties, params.penalty)
    return search(best, manager.max_cost_evaluator(), exhaustive=True)


def to_result(
    best: pyvrp.Solution,
    trace: Sequence[tuple[float, float]],
    num_iterations: int,
    runtime: float,
    *,
    collect_stats: bool,
) -> pyvrp.Result:
    """Return a result whose statistics are the best costs and their times.

    PyVRP's plots need an entry for each iteration; those are taken as equally
    long. Above ``_MOST_ENTRIES`` there is one for each better solution.
    """
    stats = pyvrp.Statistics(collect_stats)
    trace = trace if collect_stats else ()
    seconds = np.array([each for each, _ in trace])
    length = max(runtime, seconds.max(initial=_LEAST_SECONDS))
    counts = np.ones(len(trace), dtype=int)
    if num_iterations <= _MOST_ENTRIES:
        begins = np.floor(num_iterations * seconds / length)
        begins = np.minimum(begins, max(0, num_iterations - 1))
        begins[:1] = 0
        counts = np.diff(begins.astype(int), append=num_iterations)
    times = np.diff(seconds, append=length)
    times[:1] += seconds[:1]
    for (_, cost), count, time in zip(trace, counts, times, strict=True):
        whole, is_feasible = round(cost), best.is_feasible()
        costs = (whole, is_feasible) * 3
        stats.data += [_Datum(*costs)] * count
        stats.runtimes += [float(time) / max(1, count)] * count
    stats.num_iterations = len(stats.data)
    return pyvrp.Result(best, stats, num_iterations, runtime)
