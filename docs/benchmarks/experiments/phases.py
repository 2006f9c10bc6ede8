"""What the annealings and the iterated searches of a plan are worth."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from benchmarks.harness.cases import SMALL_ROUTES
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Differences
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.search.phases import (
    RACE_MAX_CUSTOMERS,
    Phase,
    Phases,
    Step,
    choose_phases,
    race_phases,
)
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

SIZES = (150, 250, 400, 650, 1000)
LENGTHS = (4, 8, 14, 24)
"""Customers, and those of a route."""

PLANS = ("plan", "annealing", "iterated", "one of each")

SEED = 7_000_000
"""Of the first instance; the choices of the plan were made on others."""


def plan_of(instance: Instance, seconds: float, name: str) -> Phases:
    """Return the phases of a variant."""
    if name == "annealing":
        return (Phase(Step.ANNEAL),)
    if name == "iterated":
        return (Phase(Step.ITERATE),)
    if name == "one of each":
        return race_phases(RACE_MAX_CUSTOMERS + 1, seconds)
    return choose_phases(instance, seconds)


def improve(
    instance: Instance, seed: int, budget: Allowance, *, plan: str
) -> Solution:
    """Improve savings routes by a plan."""
    start = solve_savings(instance, router=None)
    deadline = processor_deadline(budget)
    phases = plan_of(instance, deadline.remaining(), plan)
    run = Run(Budget(deadline), seed=seed)
    return ruin_and_recreate(instance, start, run, phases=phases)


def _cases() -> list[Case]:
    return [
        Case(
            f"n{size}-r{length}",
            partial(
                generate_uchoa,
                size,
                SEED + idx,
                route_length=length,
            ),
        )
        for idx, (size, length) in enumerate(product(SIZES, LENGTHS))
    ]


EXPERIMENTS = (
    Experiment(
        "phases",
        cases=_cases,
        variants=tuple(
            Variant(name, partial(improve, plan=name)) for name in PLANS
        ),
        columns="instance num_customers plan=variant seconds=budget "
        "cost num_routes cpu_seconds",
        key="instance variant budget",
        budgets=(1.0, 10.0),
        warm=SMALL_ROUTES,
        views=(
            Differences("plan", "plan", "cost", by="seconds", relative=True),
            Differences(
                "plan",
                "plan",
                "cost",
                by="num_customers seconds",
                relative=True,
            ),
        ),
        setting={"clock": "processor time"},
    ),
)
