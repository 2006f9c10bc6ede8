"""What a second core gains at equal wall-clock time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.harness.cases import SMALL_ROUTES, large_of_ags, stratified
from benchmarks.harness.experiment import Experiment, Page, vary
from benchmarks.harness.runs import solve_cvrp
from benchmarks.harness.views import Differences, Summary
from ncc_routing.bench.tables import (
    format_number,
    format_table,
    grouped,
    numbers,
)

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Case, Cases
    from benchmarks.harness.views import View
    from ncc_routing.bench.tables import Rows

MIN_NODES = 500
"""Size of the instances of X, less than which none has."""


@dataclass(frozen=True)
class SpeedUp:
    """How much longer one core takes to the mean gap of two.

    The mean gap of one core is read as a straight line in the logarithm of
    the time between its budgets, and not at all beyond them.
    """

    def format(self, rows: Rows) -> str:
        """Return a table in Markdown."""
        means = {
            key: float(np.mean(numbers(own, "gap_percent")))
            for key, own in grouped(rows, ("cores", "seconds")).items()
        }
        alone = {float(s): gap for (c, s), gap in means.items() if c == "1"}
        gaps, times = sorted(alone.values()), sorted(alone, reverse=True)
        body = []
        for (cores, seconds), gap in means.items():
            factor = None
            if gaps[0] <= gap <= gaps[-1]:
                same = np.exp(np.interp(gap, gaps, np.log(times)))
                factor = float(same) / float(seconds)
            if cores != "1":
                found = [
                    format_number(number, ".2f") for number in (gap, factor)
                ]
                body.append([seconds, cores, *found])
        heads = ["seconds", "cores", "gap %", "times as fast as one"]
        return format_table(heads, body)


def large_of_x() -> list[Case]:
    """Return the instances of at least 500 among 25 of X."""
    return [
        case
        for case in stratified()
        if int(case.name.split("-")[1][1:]) > MIN_NODES
    ]


def _on_cores(
    name: str,
    cases: Cases,
    budgets: tuple[float, ...],
    views: tuple[View, ...],
    seeds: tuple[int, ...] = (1,),
) -> Experiment:
    solve = partial(solve_cvrp, method="auto", polish="auto")
    return Experiment(
        name,
        cases=cases,
        variants=vary(solve, "jobs", (1, 2)),
        columns="instance num_customers seed seconds=budget cores=jobs "
        "feasible cost num_routes bks gap_percent taken=runtime_seconds "
        "cpu_seconds load_average version",
        key="instance jobs seed budget",
        seeds=seeds,
        budgets=budgets,
        warm=SMALL_ROUTES,
        is_loading_timed=True,
        views=views,
    )


BY_CORES = Summary(
    "seconds cores",
    "runs; failed; gap %: gap_percent; wall, s: taken .1f; "
    "CPU, s: cpu_seconds .1f",
)

PAGES = (
    Page(
        "several_cores",
        "One core and two",
        "Gap of the default on one core and on two after the same wall-clock "
        "time, on instances of X with 500 customers or more and on four "
        "of AGS (Belgium).",
        (
            _on_cores(
                "x_cores",
                large_of_x,
                (5.0, 10.0, 20.0),
                (
                    BY_CORES,
                    Differences("cores", "1", "gap_percent", "seconds"),
                    SpeedUp(),
                ),
                seeds=(1, 2),
            ),
            _on_cores(
                "ags_cores",
                large_of_ags,
                (30.0, 60.0, 120.0),
                (
                    BY_CORES,
                    Differences(
                        "cores", "1", "gap_percent", "seconds instance"
                    ),
                    SpeedUp(),
                ),
                seeds=(1, 2, 3),
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
