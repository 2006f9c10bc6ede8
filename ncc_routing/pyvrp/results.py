"""What our search found, as PyVRP's result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyvrp
from pyvrp.Statistics import _Datum

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_ENTRIES: Final = 4_000_000
"""Iterations with an entry each; they take 16 bytes."""

_LEAST_SECONDS: Final = 1e-9
"""Shortest run of a result, whose iterations share its time."""

solve_by_pyvrp = pyvrp.solve


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
