"""Cores, size and time: large instances, time limits, a server."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    large_of_ags,
    published,
    stratified,
)
from benchmarks.harness.experiment import Case, Experiment, Variant, vary
from benchmarks.harness.processes import (
    SMALL_FILE,
    generated_files,
    solve_file,
)
from benchmarks.harness.runs import solve_cvrp
from benchmarks.harness.views import Differences, Summary
from ncc_routing.bench.tables import (
    format_number,
    format_table,
    grouped,
    numbers,
)
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.stages import CONSTRUCTION_SHARE

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.harness.experiment import Allowance, Cases
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

ON_CORES = (
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
            Differences("cores", "1", "gap_percent", "seconds instance"),
            SpeedUp(),
        ),
        seeds=(1, 2, 3),
    ),
)
"""The default on one core and on two, after the same wall-clock time."""

SEED: Final = 3_000_002
"""Seed of the large instances."""

AT_ONCE: Final = 0.001
"""A limit that has passed at once: the first feasible solution is it."""

LONG = 30.0
"""Seconds of a run with polish."""

PAIRS = (
    ("savings", "none"),
    ("ckm", "none"),
    ("ncc", "none"),
    ("sweep", "none"),
    ("petal", "none"),
    ("savings", "ruin-recreate"),
    ("ckm", "ruin-recreate"),
    ("savings", "pyvrp"),
    ("ncc", "auto"),
)
"""Each construction alone, and each polish."""

WORK_SLACK, PROCESS_SLACK = 0.3, 1.5
"""Seconds that the work, and the process, may end after the limit."""

LARGE, LARGE_SHARE = 10_000, 0.05
"""Beyond so many customers the work may take that share of the limit more."""


def solve_pair(
    file: Path, seed: int, budget: Allowance, *, method: str, polish: str
) -> dict[str, Any]:
    """Solve and write the solution, as a user does.

    "ran" is the method that ran where the time is too short for a network.
    """
    output = file.with_suffix(".found.sol")
    words = ("--method", method, "--polish", polish, "--output", output)
    found = solve_file(file, seed, budget, *words)
    return {**found, "ran": found["method"], "method": method}


def solve_large(
    file: Path, seed: int, budget: Allowance, *, options: tuple[object, ...]
) -> dict[str, Any]:
    """Solve by the savings method and some options."""
    return solve_file(file, seed, budget, "--method", "savings", *options)


def seconds_over(rows: Rows) -> list[dict[str, str]]:
    """Add how much later than the limit work and process ended."""
    found = []
    for row in rows:
        limit, customers = float(row["time_limit"]), int(row["num_customers"])
        work, process = (
            float(row[f"{name}_seconds"]) - limit
            for name in ("work", "process")
        )
        slack = WORK_SLACK + (LARGE_SHARE * limit) * (customers > LARGE)
        is_late = work > slack or process > PROCESS_SLACK
        found.append(
            {
                **row,
                "size": f"n = {customers:,}:",
                "work": repr(work),
                "process": repr(process),
                "late": str(int(is_late)),
            }
        )
    return found


def with_speed(rows: Rows) -> list[dict[str, str]]:
    """Add what the polish gained, and the time for 1,000 customers."""
    return [
        {
            **row,
            "size": f"{int(row['num_customers']):,}",
            "gain": repr(
                100.0
                * (1.0 - float(row["cost"]) / float(row["construction_cost"]))
            ),
            "share": repr(
                1000.0 * float(row["work_seconds"]) / int(row["num_customers"])
            ),
        }
        for row in rows
    ]


WHOLE_PROCESSES = (
    Experiment(
        "large",
        cases=partial(
            generated_files,
            (1000, 10_000, 30_000, 100_000, 200_000),
            SEED,
        ),
        variants=(
            Variant(
                "first", partial(solve_large, options=()), budgets=(AT_ONCE,)
            ),
            Variant(
                "polished",
                partial(
                    solve_large,
                    options=("--polish", "ruin-recreate", "--jobs", 2),
                ),
                budgets=(LONG,),
            ),
        ),
        columns="instance num_customers run=variant "
        "construction_seconds construction_cost cost num_routes "
        "work_seconds process_seconds cpu_seconds peak_mib",
        key="instance variant",
        warm=SMALL_FILE,
        warm_budget=2.0,
        views=(
            Summary(
                "run size",
                "first routes: construction_cost .0f; cost: cost .0f; "
                "better by %: gain; work, s: work_seconds; "
                "for 1,000, s: share .3f; "
                "process, s: process_seconds; MiB: peak_mib .0f",
                "run customers",
                derive=with_speed,
            ),
        ),
    ),
    Experiment(
        "time_limit",
        cases=partial(generated_files, (100, 1000, 10_000, 30_000), 3_000_001),
        variants=tuple(
            Variant(
                f"{method} {polish}",
                partial(solve_pair, method=method, polish=polish),
                {"method": method, "polish": polish},
            )
            for method, polish in PAIRS
        ),
        columns="num_customers instance method ran polish "
        "time_limit=budget work_seconds process_seconds cpu_seconds "
        "stages cost",
        key="instance method polish budget",
        budgets=(3.0,),
        warm=SMALL_FILE,
        warm_budget=1.0,
        views=(
            Summary(
                "method polish",
                "work: work +.2f max; process: process +.2f max",
                across="size",
                derive=seconds_over,
            ),
            Summary("", "runs; late: late .0f sum", derive=seconds_over),
        ),
    ),
)


NUM_CORES: Final = 2

ROUTE_LENGTH: Final = 100.0
"""Customers a route, as in the long half of AGS."""

MANY: Final = (100_000, 1_000_000)

SECONDS_A_CUSTOMER: Final = 3e-4
"""On two cores: 300 seconds for a million customers."""


def solve_on_cores(file: Path, seed: int, budget: Allowance) -> dict[str, Any]:
    """Solve as ``ncc-route solve`` does, by the clock of the processor.

    The budget is that of ``NUM_CORES`` cores without other work: reading and
    construction take their seconds of one core, ruin and recreate the rest
    of all.
    """
    limit = max(AT_ONCE, float(budget or 0.0))
    clock = time.process_time
    begun = clock()
    instance = nr.read(file)
    reading = clock() - begun
    first = nr.solve(
        instance,
        method="savings",
        polish="none",
        seed=seed,
        stop=TimeLimit(CONSTRUCTION_SHARE * limit, clock=clock),
    )
    construction = clock() - begun - reading
    left = max(0.0, limit - reading - construction)
    found = ruin_and_recreate(
        instance,
        first.best,
        Run(
            Budget(TimeLimit(NUM_CORES * left, clock=clock)),
            seed=seed,
            jobs=NUM_CORES,
        ),
    )
    return {
        "reading_seconds": round(reading, 2),
        "construction_seconds": round(construction, 2),
        "construction_cost": first.best.cost,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "feasible": not nr.check_solution(instance, found),
        "bound": round(radial_bound(instance)),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def radial_bound(instance: nr.Instance) -> float:
    """Return what no solution is shorter than: 2 d q / Q of each customer.

    References
    ----------
    Haimovich and Rinnooy Kan (1985), Bounds and heuristics for capacitated
    routing problems. Mathematics of Operations Research 10(4).
    """
    customers = np.arange(1, instance.num_customers + 1)
    ways = instance.lengths(np.zeros_like(customers), customers)
    return float(2.0 * (ways @ instance.demands[1:]) / instance.capacity)


def with_bound(rows: Rows) -> list[dict[str, str]]:
    """Add by how much each is below the first solution, and could be."""
    firsts = {
        row["instance"]: float(row["cost"])
        for row in rows
        if row["run"] == "first"
    }
    found = []
    for row in rows:
        first = firsts[row["instance"]]
        count = int(row["num_customers"])
        begin = float(row["reading_seconds"])
        begin += float(row["construction_seconds"])
        found.append(
            {
                **row,
                "size": f"{count:,}",
                "gain": repr(100.0 * (1.0 - float(row["cost"]) / first)),
                "most": repr(100.0 * (1.0 - float(row["bound"]) / first)),
                "begin": repr(begin),
            }
        )
    return found


def _variants(name: str, seconds_a_customer: float) -> list[Variant]:
    """Return a run on each size."""
    return [
        Variant(
            name,
            solve_on_cores,
            {"num_customers": size},
            budgets=(seconds_a_customer * size,),
            cases=partial(generated_files, (size,), SEED, ROUTE_LENGTH),
        )
        for size in MANY
    ]


MILLION = Experiment(
    "million",
    cases=list,
    variants=(
        *_variants("first", 0.0),
        *_variants("polished", SECONDS_A_CUSTOMER),
    ),
    columns="instance num_customers run=variant limit=budget "
    "reading_seconds construction_seconds construction_cost cost num_routes "
    "feasible bound cpu_seconds seconds peak_mib load_average",
    key="num_customers variant",
    is_fresh=True,
    warm=SMALL_FILE,
    warm_budget=2.0,
    views=(
        Summary(
            "run size",
            "first, s: begin .0f; cost: cost .0f; better by %: gain; "
            "at most %: most; CPU s: cpu_seconds .0f; MiB: peak_mib .0f",
            "run customers",
            derive=with_bound,
        ),
    ),
)
"""Time and memory of a million customers on two cores."""


BY_LENGTH: Final = (
    *((100_000, length, 20.0) for length in (4.0, 10.0, 50.0)),
    (1_000_000, 10.0, 60.0),
)
"""Customers, customers a route, and seconds."""


def solve_by_processor(
    file: Path, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve on one core by the clock of the processor, and tell the time."""
    instance = nr.read(file)
    begun = time.process_time()
    limit = TimeLimit(float(budget or 0.0), clock=time.process_time)
    found = nr.solve(instance, limit, seed=seed)
    return {
        "cost": found.cost,
        "num_routes": len(found.routes),
        "feasible": True,
        "work_seconds": round(time.process_time() - begun, 2),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def by_length(rows: Rows) -> list[dict[str, str]]:
    """Add by how much the limit was exceeded."""
    return [
        {
            **row,
            "size": f"{int(row['num_customers']):,}",
            "over": repr(
                100.0 * (float(row["work_seconds"]) / float(row["limit"]) - 1)
            ),
        }
        for row in rows
    ]


SHORT_ROUTES = Experiment(
    "short_routes",
    cases=list,
    variants=tuple(
        Variant(
            f"{size}-{length:.0f}",
            solve_by_processor,
            {"num_customers": size, "length": length},
            budgets=(seconds,),
            cases=partial(generated_files, (size,), SEED, length),
        )
        for size, length, seconds in BY_LENGTH
    ),
    columns="instance num_customers length limit=budget cost num_routes "
    "feasible work_seconds peak_mib load_average",
    key="num_customers length",
    is_fresh=True,
    warm=SMALL_FILE,
    warm_budget=2.0,
    views=(
        Summary(
            "size length",
            "limit, s: limit .0f; over by %: over +.1f; "
            "routes: num_routes .0f; cost: cost .0f; MiB: peak_mib .0f",
            "customers stops",
            derive=by_length,
        ),
    ),
)
"""Memory, and how well limits are kept, with short and long routes."""


MAX_STARVED: Final = 200

PERIOD: Final = 0.1
"""Seconds of a period, in which a starved process runs once."""


def solve_starved(
    instance: nr.Instance, seed: int, budget: Allowance, *, share: float
) -> dict[str, Any]:
    """Solve in a process that is stopped for the rest of each period."""
    answer, written = os.pipe()
    child = os.fork()
    if child == 0:
        found = solve_cvrp(
            *(instance, seed, budget), method="auto", polish="auto"
        )
        with os.fdopen(written, "wb") as pipe:
            pickle.dump(found.best.cost, pipe)
        os._exit(0)
    os.close(written)
    while share < 1.0 and os.waitpid(child, os.WNOHANG) == (0, 0):
        os.kill(child, signal.SIGSTOP)
        time.sleep((1.0 - share) * PERIOD)
        os.kill(child, signal.SIGCONT)
        time.sleep(share * PERIOD)
    with os.fdopen(answer, "rb") as pipe:
        return {"share": share, "cost": pickle.load(pipe)}


def small_of_x() -> list[Case]:
    """Return the instances of X of at most 200 customers."""
    return [
        case
        for case in published("X")
        if int(case.name.split("-")[1][1:]) <= MAX_STARVED
    ]


STARVED = Experiment(
    "starved",
    cases=small_of_x,
    variants=vary(solve_starved, "share", (1.0, 0.1)),
    columns="instance num_customers share seed seconds=budget cost bks "
    "gap_percent load_average",
    key="instance share seed budget",
    seeds=(1, 2, 3, 4),
    budgets=(1.0,),
    warm=SMALL_ROUTES,
    views=(
        Summary(
            "share",
            "runs; failed; gap %: gap_percent; worst: gap_percent max",
        ),
    ),
)
"""Runs on a tenth of a core, as on a busy server."""


EXPERIMENTS = (
    *(*ON_CORES, *WHOLE_PROCESSES),
    *(MILLION, SHORT_ROUTES, STARVED),
)
