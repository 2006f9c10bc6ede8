"""A million customers on two cores, and parts on other machines."""

from __future__ import annotations

import resource
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
)
from benchmarks.harness.processes import generate_file
from benchmarks.harness.views import Summary
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.vrp.plan import CONSTRUCTION_SHARE
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Rows

SEED: Final = 3_000_002
"""Seed of the instances, that of the page ``large``."""

CORES: Final = 2

ROUTE_LENGTH: Final = 100.0
"""Customers a route, as in the long half of AGS."""

SIZES: Final = (100_000, 1_000_000)

SECONDS_A_CUSTOMER: Final = 3e-4
"""On two cores: 300 seconds for a million customers."""

AT_ONCE: Final = 0.001
"""A limit that has passed at once: the first feasible solution is it."""


def solve_on_cores(file: Path, seed: int, budget: Allowance) -> dict[str, Any]:
    """Solve as ``ncc-route solve`` does, by the clock of the processor.

    The budget is that of ``CORES`` cores without other work: reading and
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
            Budget(TimeLimit(CORES * left, clock=clock)), seed=seed, jobs=CORES
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


def with_gain(rows: Rows) -> list[dict[str, str]]:
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


def _files(
    sizes: tuple[int, ...], route_length: float | None = None
) -> list[Case]:
    """Return generated instances, with routes of some length or any."""
    mark = "" if route_length is None else f"-r{route_length:g}"
    return [
        Case(
            f"NCC-n{n + 1:04d}-s{SEED}{mark}",
            partial(generate_file, n, SEED, route_length),
        )
        for n in sizes
    ]


def _variants(
    name: str, seconds_a_customer: float, sizes: tuple[int, ...]
) -> list[Variant]:
    """Return a run on each size."""
    return [
        Variant(
            name,
            solve_on_cores,
            {"num_customers": size},
            budgets=(seconds_a_customer * size,),
            cases=partial(_files, (size,), ROUTE_LENGTH),
        )
        for size in sizes
    ]


PAGES = (
    Page(
        "million",
        "A million customers",
        "Time and memory of a million customers on two cores.",
        (
            Experiment(
                "million",
                cases=partial(_files, SIZES, ROUTE_LENGTH),
                variants=(
                    *_variants("first", 0.0, SIZES),
                    *_variants("polished", SECONDS_A_CUSTOMER, SIZES),
                ),
                columns="instance num_customers run=variant limit=budget "
                "reading_seconds construction_seconds construction_cost "
                "cost num_routes feasible bound cpu_seconds seconds peak_mib "
                "load_average",
                key="num_customers variant",
                is_fresh=True,
                warm=Case("warm-up", partial(generate_file, 2000, 1)),
                warm_budget=2.0,
                views=(
                    Summary(
                        "run size",
                        "first, s: begin .0f; cost: cost .0f; better by %: "
                        "gain; at most %: most; CPU s: cpu_seconds .0f; "
                        "MiB: peak_mib .0f",
                        "run customers",
                        derive=with_gain,
                    ),
                ),
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
