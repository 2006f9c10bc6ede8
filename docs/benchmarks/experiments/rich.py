"""The package alone and PyVRP alone on problems beyond the CVRP.

They count processor time on one thread, so that other work on the machine
changes no run; runs on two cores count wall-clock time.
"""

from __future__ import annotations

import resource
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from benchmarks.experiments.routes import OURS
from benchmarks.experiments.warm_starts import (
    COLD,
    METRICS,
    as_pyvrp_reads,
    small_fleet,
)
from benchmarks.harness.experiment import Case, Experiment, Variant, vary
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Differences, Summary
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators.time_windows import (
    generate_time_windows,
    with_fleet,
)
from ncc_routing.pyvrp.adapter import objective_of, to_pyvrp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyvrp

    from benchmarks.harness.experiment import Allowance


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


SLOW, QUICK = "SDVRPTW", "PR02"
"""A set in which PyVRP looks for a feasible plan for minutes, and the instance
that takes it five."""


def quick() -> list[Case]:
    """Return the instance of the slow set that PyVRP gets."""
    return [case for case in as_pyvrp_reads(SLOW) if case.name == QUICK]


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
            for solver, run, cases in (
                (OURS, run_alone, cases),
                ("PyVRP", COLD, quick if each == SLOW else cases),
            )
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


def run_jobs(
    data: pyvrp.ProblemData, seed: int, budget: Allowance, *, jobs: int
) -> dict[str, Any]:
    """Solve PyVRP's problem by this package in wall-clock time."""
    cpu = time.process_time()
    found = nr.solve(data, TimeLimit(seconds_of(budget)), seed=seed, jobs=jobs)
    return {
        "num_customers": data.num_clients,
        "jobs": jobs,
        "cost": objective_of(to_pyvrp(found.best, data)),
        "cpu_seconds": round(time.process_time() - cpu, 3),
    }


LARGE_SEED = 59_001
"""Seed of the large problems."""


def large_fleet(num_customers: int) -> list[Case]:
    """Return a problem with windows and five types of vehicles."""

    def make() -> nr.Instance:
        base = generate_time_windows(num_customers, LARGE_SEED)
        return with_fleet(base, LARGE_SEED, "capacities")

    return [Case(f"{num_customers:,} customers", make)]


def run_large(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve by this package, without PyVRP's form of the problem."""
    cpu = time.process_time()
    found = nr.solve(instance, processor_deadline(budget), seed=seed)
    return {
        "cost": found.best.cost,
        "routes": found.best.num_routes,
        "cpu_seconds": round(time.process_time() - cpu, 3),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


LARGE = Experiment(
    "rich_large",
    cases=list,
    variants=tuple(
        Variant(
            OURS,
            run_large,
            {"num_customers": size},
            cases=partial(large_fleet, size),
            budgets=(budget,),
        )
        for size, budget in ((6000, 10), (6000, 60), (20000, 60), (20000, 600))
    ),
    columns="instance num_customers seed seconds=budget cost routes "
    "cpu_seconds peak_mib",
    key="num_customers seed budget",
    is_fresh=True,
    views=(
        Summary(
            "instance seconds",
            "cost: cost .0f; routes: routes .0f; CPU s: cpu_seconds .1f; "
            "MiB: peak_mib .0f",
        ),
    ),
    setting={"clock": "processor time", "threads": 1},
)


CORES = Experiment(
    "rich_cores",
    cases=lambda: as_pyvrp_reads("VRPTW")[::2],
    variants=vary(run_jobs, "jobs", (1, 2)),
    columns="instance num_customers seed seconds=budget cores=jobs cost "
    "reference gap_percent cpu_seconds load_average",
    key="instance jobs seed budget",
    budgets=(20.0,),
    warm=Case("warm-up", small_fleet),
    warm_budget=1.0,
    views=(
        Summary(
            "seconds cores",
            "runs; failed; gap %: gap_percent; CPU, s: cpu_seconds .1f",
        ),
        Differences("cores", "1", "gap_percent", "seconds"),
    ),
)


EXPERIMENTS = (
    LARGE,
    CORES,
    _alone(
        "rich_60s",
        {each: partial(as_pyvrp_reads, each) for each in METRICS},
        60.0,
    ),
    _alone("fleet_mixes", {"HFVRP": mixes}, 20.0, seeds=(1, 2, 3)),
)
"""Every experiment, by the page that shows its record."""
