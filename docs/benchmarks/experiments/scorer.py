"""What the network brings to the CVRP, and what it costs."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness.cases import (
    SMALL_ROUTES,
    data_folder,
    generated,
    published,
)
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
    vary,
)
from benchmarks.harness.processes import (
    SMALL_FILE,
    generated_files,
    solve_file,
)
from benchmarks.harness.runs import processor_deadline, route_quickly
from benchmarks.harness.views import Differences, Summary
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.scoring.predictor import shipped_predictor
from ncc_routing.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.ncc import NccParams, roll_out

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.instance import Instance

ENDLESS = 1_000_000_000
"""More trials than any budget takes."""

FRESH = tuple((n, 3_000_000 + i) for i, n in enumerate(range(100, 1000, 45)))
"""Generated instances that no choice was made on."""

COSTS = (100, 1000, 10_000, 30_000)
"""Customers of the instances that time and memory are measured on."""

SEED = 3_000_003
"""Seed of these instances."""

EQUAL_TIME = Differences("method", "ckm", "gap_percent", "budget")
"""The gap of ncc against that of ckm, at each time."""


def trials(
    instance: Instance, seed: int, budget: Allowance, *, is_scored: bool
) -> list[np.ndarray]:
    """Cluster in a budget of processor time; 0 is the first clustering."""
    seconds = float(budget or 0.0)
    deadline, share = TimeLimit(), 0.0
    if seconds > 0:
        deadline = processor_deadline(seconds)
    priority, first = None, None
    if is_scored:
        priority = ScorerPriority.of(shipped_predictor(), instance)
        part = TimeLimit()
        if seconds > 0:
            share = NccParams().rollout_share * deadline.remaining()
            part = processor_deadline(share)
        first = roll_out(instance, priority, Run(Budget(part)))
    return improve(instance, seed, deadline, priority=priority, start=first)


def improve(
    instance: Instance, seed: int, deadline: TimeLimit, **begun: Any
) -> list[np.ndarray]:
    """Run trials until a deadline, none without one.

    ``begun`` are the priority and the start of ``cluster_ckm``.
    """
    params = CkmParams(trials_per_customer=0)
    if math.isfinite(deadline.remaining()):
        params = CkmParams(ENDLESS, max_trials=ENDLESS)
    return cluster_ckm(
        instance, Run(Budget(deadline), seed=seed), params=params, **begun
    )


def process(
    file: Path, seed: int, budget: Allowance, *, method: str
) -> dict[str, Any]:
    """Solve a file by a method in a process of its own."""
    words = ("--method", method, "--polish", "none")
    found = solve_file(file, seed, budget, *words)
    return {**found, "clustering_seconds": found["construction_seconds"]}


def files() -> list[Case]:
    """Return one instance of X and generated ones of growing size."""
    known = data_folder("cvrp", "X") / "X-n101-k25.vrp"
    return [Case(known.stem, known.absolute), *generated_files(COSTS, SEED)]


def _equal_time(name: str, cases: Any) -> Experiment:
    return Experiment(
        name,
        cases=cases,
        variants=(
            Variant("ckm", partial(trials, is_scored=False)),
            Variant("ncc", partial(trials, is_scored=True)),
        ),
        columns="instance num_customers method=variant budget "
        "seconds=cpu_seconds cost reference gap_percent",
        key="instance variant budget",
        budgets=(0.0, 0.5, 2.0, 5.0),
        finish=route_quickly,
        warm=SMALL_ROUTES,
        views=(EQUAL_TIME,),
    )


PAGES = (
    Page(
        "scorer",
        "Does the network earn its place?",
        "`ncc` against `ckm` at equal time, what the parts of the network "
        "bring, and what it costs.",
        (
            _equal_time("scorer_x", partial(published, "X")),
            _equal_time(
                "scorer_generated",
                partial(generated, FRESH, has_reference=True),
            ),
            Experiment(
                "scorer_process",
                cases=files,
                variants=vary(process, "method", ("ckm", "ncc")),
                columns="instance method cost num_routes "
                "clustering_seconds work_seconds process_seconds "
                "cpu_seconds peak_mib",
                key="instance method",
                views=(
                    Summary(
                        "instance",
                        "clustering, s: clustering_seconds; "
                        "process, s: process_seconds; MiB: peak_mib .0f",
                        across="method",
                    ),
                ),
                warm=SMALL_FILE,
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
