"""Whole processes of the command: large instances, time limits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness.experiment import Variant, page_of
from benchmarks.harness.processes import (
    SMALL_FILE,
    generated_files,
    solve_file,
)
from benchmarks.harness.views import Summary

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Rows

AT_ONCE = 0.001
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


def with_gain(rows: Rows) -> list[dict[str, str]]:
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


PAGES = (
    page_of(
        "large",
        "Large instances",
        "Time and memory of `ncc-route solve` on up to 200,000 customers.",
        cases=partial(
            generated_files,
            (1000, 10_000, 30_000, 100_000, 200_000),
            3_000_002,
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
                derive=with_gain,
            ),
        ),
    ),
    page_of(
        "time_limit",
        "Time limits",
        "How exactly `ncc-route solve --time-limit` ends.",
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
"""The pages of this file, by which the registry finds them."""
