"""The package alone and PyVRP alone on problems beyond the CVRP.

Both count processor time on one thread, so that other work on the machine
changes no run.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from benchmarks.experiments.warm_starts import (
    COLD,
    METRICS,
    as_pyvrp_reads,
    small_fleet,
)
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Differences, Summary
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.pyvrp.adapter import objective_of, to_pyvrp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyvrp

    from benchmarks.harness.experiment import Allowance

OURS = "ncc_routing"
"""Name of this package among the solvers."""


def run_alone(
    data: pyvrp.ProblemData, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve PyVRP's problem by this package; PyVRP judges the answer."""
    cpu = time.process_time()
    stop = processor_deadline(budget)
    found = to_pyvrp(nr.solve(data, stop, seed=seed).best, data)
    spent = time.process_time() - cpu
    if not (found.is_feasible() and found.is_complete()):
        raise NccRoutingError("the plan breaks a rule.")
    return {
        "num_customers": data.num_clients,
        "cost": objective_of(found),
        "cpu_seconds": round(spent, 3),
    }


MIXES = ("X280-FSMF", "X284-FSMFD", "X670-FSMF", "X716-FSMFD")
"""Instances of fleets without a limit, whose vehicles have fixed costs."""


def mixes() -> list[Case]:
    """Return the instances where the choice of vehicles decides."""
    return [case for case in as_pyvrp_reads("HFVRP") if case.name in MIXES]


def _alone(
    name: str,
    sets: Mapping[str, Callable[[], Sequence[Case]]],
    seconds: float,
    seeds: tuple[int, ...] = (1,),
) -> Experiment:
    return Experiment(
        name,
        cases=list,
        variants=tuple(
            Variant(solver, run, {"set": each}, cases=cases)
            for each, cases in sets.items()
            for solver, run in ((OURS, run_alone), ("PyVRP", COLD))
        ),
        columns="set instance num_customers seed budget solver=variant "
        "cost reference gap_percent cpu_seconds error",
        key="set instance variant seed budget",
        seeds=seeds,
        budgets=(seconds,),
        views=(
            Summary(
                *("set", "runs; failed; gap %: gap_percent"),
                across="solver",
                total=True,
            ),
            Differences("solver", OURS, "gap_percent", "set"),
            Summary("set instance", "gap %: gap_percent", across="solver"),
        ),
        warm=Case("warm-up", small_fleet),
        warm_budget=1.0,
        setting={"clock": "processor time", "threads": 1},
    )


EXPERIMENTS = (
    _alone(
        "rich_60s",
        {each: partial(as_pyvrp_reads, each) for each in METRICS},
        60.0,
    ),
    _alone("fleet_mixes", {"HFVRP": mixes}, 20.0, seeds=(1, 2, 3)),
)
"""Every experiment, by the page that shows its record."""
