"""What the annealings and the iterated searches of a plan are worth."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Literal, get_args

import ncc_routing as nr
from benchmarks.harness.cases import SMALL_ROUTES
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Differences
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import (
    WindowClass,
    generate_depots,
    generate_time_windows,
)
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.search.phases import (
    ANNEALED_SHARE,
    COOLED,
    RACE_MAX_CUSTOMERS,
    WARM,
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
    from ncc_routing.problems.routes.solution import Solution

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


RICH_SEED = 7_100_000
NUM_RICH = 20
RICH_SIZE = 200
PLACES: tuple[Literal["random", "clustered", "half"], ...]
PLACES = ("random", "clustered", "half")
RICH_PLANS: dict[str, Phases] = {
    "annealing": (Phase(Step.ANNEAL),),
    "iterated": (
        Phase(Step.ANNEAL, ANNEALED_SHARE, progress=(0.0, COOLED)),
        Phase(Step.ITERATE, progress=(WARM, 1.0)),
    ),
}
"""Phases of problems beyond the CVRP."""


def improve_rich(
    instance: Instance, seed: int, budget: Allowance, *, plan: str
) -> Solution:
    """Improve a first solution by a plan."""
    start = nr.solve(instance, nr.stop.MaxIterations(1), seed=seed).best
    run = Run(Budget(processor_deadline(budget)), seed=seed)
    return ruin_and_recreate(instance, start, run, phases=RICH_PLANS[plan])


def _windows() -> list[Case]:
    kinds = [*product(PLACES, get_args(WindowClass))]
    return [
        Case(
            f"windows-{idx}",
            partial(
                generate_time_windows,
                RICH_SIZE,
                RICH_SEED + idx,
                *kinds[idx % len(kinds)],
            ),
        )
        for idx in range(2 * NUM_RICH)
    ]


def _depots() -> list[Case]:
    return [
        Case(
            f"depots-{idx}",
            partial(generate_depots, RICH_SIZE, RICH_SEED + idx),
        )
        for idx in range(NUM_RICH)
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
    Experiment(
        "phases_rich",
        cases=list,
        variants=tuple(
            Variant(
                name,
                partial(improve_rich, plan=name),
                {"set": kind},
                cases=cases,
            )
            for kind, cases in (("windows", _windows), ("depots", _depots))
            for name in RICH_PLANS
        ),
        columns="set instance num_customers plan=variant seconds=budget "
        "cost num_routes cpu_seconds",
        key="set instance variant budget",
        budgets=(5.0, 12.0),
        warm=SMALL_ROUTES,
        views=(
            Differences(
                "plan", "annealing", "cost", by="set seconds", relative=True
            ),
        ),
        setting={"clock": "processor time"},
    ),
)
