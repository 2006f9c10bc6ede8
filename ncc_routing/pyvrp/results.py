"""What our search found, as PyVRP's result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyvrp
from pyvrp.Statistics import _Datum

if TYPE_CHECKING:
    from collections.abc import Iterable

solve_by_pyvrp = pyvrp.solve


def to_result(
    best: pyvrp.Solution,
    trace: Iterable[tuple[float, float]],
    num_iterations: int,
    runtime: float,
    *,
    collect_stats: bool,
) -> pyvrp.Result:
    """Return a result whose statistics are the best costs and their times."""
    stats, last = pyvrp.Statistics(collect_stats), 0.0
    for seconds, cost in trace if collect_stats else ():
        stats.runtimes.append(seconds - last)
        whole = round(cost)
        stats.data.append(_Datum(whole, True, whole, True, whole, True))
        last = seconds
    stats.num_iterations = len(stats.data)
    return pyvrp.Result(best, stats, num_iterations, runtime)
