"""PyVRP on parts of large plans, and ruin and recreate, at equal time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.harness.cases import SMALL_ROUTES
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
)
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Differences
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import generate_time_windows
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.search.pyvrp_search import polish_pyvrp
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

NUM_CUSTOMERS = 6000
"""Customers of each instance."""

SEED = 6_000_001
"""Seed of the instances; no choice was made on them."""

SECONDS = 20.0
"""Processor time after the start, which all variants share."""


def polish(
    instance: Instance, seed: int, budget: Allowance, *, share: float
) -> Solution:
    """Polish the first routes, for a share of the time without PyVRP."""
    if instance.is_unlimited_cvrp:
        found = solve_savings(instance, Run(seed=seed), router=None)
    else:
        found = insert_customers(instance, Run(Budget.of(0.0), seed=seed))
    run = Run(Budget(processor_deadline(budget)), seed=seed)
    if share > 0.0:
        first = run.within(share * run.budget.remaining())
        found = ruin_and_recreate(instance, found, first)
    if share < 1.0:
        found = polish_pyvrp(instance, found, run)
    return found


def _cases() -> list[Case]:
    """Return plain instances with short and long routes, one with windows."""
    short, long = (
        Case(
            f"{length} customers a route",
            partial(generate_uchoa, NUM_CUSTOMERS, SEED, route_length=length),
        )
        for length in (10, 60)
    )
    timed = partial(generate_time_windows, NUM_CUSTOMERS, SEED)
    return [short, Case("time windows", timed), long]


PAGES = (
    Page(
        "pyvrp_parts",
        "PyVRP on parts of large plans",
        "Ruin and recreate, PyVRP on parts of 500 of 6,000 customers, and "
        "half the time of each, after the same first routes.",
        (
            Experiment(
                "pyvrp_parts",
                cases=_cases,
                variants=(
                    Variant("ruin and recreate", partial(polish, share=1.0)),
                    Variant("half of each", partial(polish, share=0.5)),
                    Variant("PyVRP on parts", partial(polish, share=0.0)),
                ),
                columns="instance num_customers method=variant budget "
                "seconds=cpu_seconds cost num_routes",
                key="instance variant budget",
                budgets=(SECONDS,),
                warm=SMALL_ROUTES,
                views=(
                    Differences(
                        "method",
                        "ruin and recreate",
                        "cost",
                        by="instance",
                        relative=True,
                        shown="routes: num_routes",
                    ),
                ),
                setting={"clock": "processor time"},
            ),
        ),
    ),
)
"""The page of this file, by which the registry finds it."""
