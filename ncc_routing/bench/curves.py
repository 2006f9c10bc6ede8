"""The mean gap of each method over the time of its runs."""

from __future__ import annotations

import json
from bisect import bisect_right
from statistics import fmean
from typing import TYPE_CHECKING, Final

from ncc_routing.bench.records import LEAST_SECONDS, gap_percent
from ncc_routing.bench.tables import feasible_of, grouped, numbers

if TYPE_CHECKING:
    from ncc_routing.bench.tables import Row, Rows

POINTS: Final = 100
"""Points of a curve, at times of equal ratio."""

Curve = tuple[list[float], list[float]]
"""Seconds and gaps in percent."""


def gap_curves(rows: Rows) -> dict[str, Curve]:
    """Return the mean gap of each method over the seconds.

    An instance without a best known cost is compared with the best of all its
    runs. A curve begins where all runs of its method have a solution.
    """
    rows = feasible_of(rows)
    base = {
        name: min(numbers(runs, "bks") or numbers(runs, "cost"))
        for (name,), runs in grouped(rows, ("instance",)).items()
    }
    end = max(numbers(rows, "runtime_seconds"), default=0.0)
    ratio = (end / LEAST_SECONDS) ** (1.0 / POINTS)
    grid = [LEAST_SECONDS * ratio**k for k in range(POINTS + 1)]
    curves = {}
    for (method,), runs in grouped(rows, ("method",)).items():
        gaps = [_gaps(run, base[run["instance"]], grid) for run in runs]
        points = [
            (seconds, fmean(gap for gap in at if gap is not None))
            for seconds, *at in zip(grid, *gaps, strict=True)
            if None not in at
        ]
        curves[method] = [s for s, _ in points], [gap for _, gap in points]
    return curves


def _gaps(run: Row, base: float, grid: list[float]) -> list[float | None]:
    """Return the gap of a run at each time, ``None`` before a solution."""
    points = json.loads(run["progress"])
    seconds = [float(taken) for taken, _ in points]
    gaps = [None, *(gap_percent(float(cost), base) for _, cost in points)]
    return [gaps[bisect_right(seconds, moment)] for moment in grid]
