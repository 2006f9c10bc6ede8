"""What a second core gains at equal wall-clock time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.benchmarking.cases import SMALL_ROUTES, published
from ncc_routing.benchmarking.experiment import Experiment, Page, vary
from ncc_routing.benchmarking.experiments.choices import of_all_lengths
from ncc_routing.benchmarking.experiments.defaults import stratified
from ncc_routing.benchmarking.runs import (
    search_from_savings,
    seconds_of,
    solve_cvrp,
)
from ncc_routing.benchmarking.tables import (
    Differences,
    Summary,
    format_number,
    format_table,
    grouped,
    numbers,
)
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.vrp.polishing.rounds import anneal_in_rounds

if TYPE_CHECKING:
    from ncc_routing.benchmarking.experiment import Budget, Case, Cases
    from ncc_routing.benchmarking.tables import Rows, View
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

AGS_NAMES = ("Leuven1", "Leuven2", "Antwerp1", "Antwerp2")
"""Two sizes of AGS, each with the depot inside and outside."""

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


def large_of_ags() -> list[Case]:
    """Return four instances of AGS with 3,000 to 7,000 customers."""
    return published("AGS", AGS_NAMES)


def on_two_cores(
    instance: Instance, seed: int, budget: Budget, *, threads: str
) -> Solution:
    """Anneal once on one thread, or on two in one of two ways.

    Parameters
    ----------
    instance, seed
        The instance and the seed.
    budget
        The wall-clock time, in milliseconds for each customer.
    threads
        ``"one"``, ``"parts"`` for two that have half of the routes each, and
        ``"whole"`` for two that have all of them.
    """
    milliseconds = seconds_of(budget) or 0.0
    jobs = 1 if threads == "one" else 2
    search = search_from_savings(instance, seed, jobs=jobs)
    deadline = Deadline(instance.num_customers * milliseconds / 1000.0)
    if threads == "whole":
        search.anneal_whole(deadline)
    else:
        anneal_in_rounds(search, TimeLimit(deadline))
    return search.best()


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


CHOICE = Experiment(
    "cores_choice",
    cases=partial(of_all_lengths, (500, 750, 1000, 1500), (4, 9, 13, 17, 25)),
    variants=vary(on_two_cores, "threads", ("one", "parts", "whole")),
    columns="instance num_customers seed milliseconds=budget threads cost "
    "cpu_seconds load_average",
    key="instance threads seed budget",
    budgets=(2.5, 5.0, 10.0),
    warm=SMALL_ROUTES,
    views=tuple(
        Differences(
            *("threads", against, "cost", columns),
            pair="instance seed milliseconds",
            relative=True,
        )
        for against, columns in (
            ("one", "milliseconds"),
            ("whole", "milliseconds"),
            ("whole", "num_customers milliseconds"),
        )
    ),
)
"""Two threads in two ways, and one."""

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
            CHOICE,
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
