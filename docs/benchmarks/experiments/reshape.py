"""Plans of PyVRP made compact within a share of their cost."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import ncc_routing as nr
from benchmarks.harness.experiment import Case, page_of, vary
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Summary
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_time_windows,
)
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.io.pyvrp_adapter import from_pyvrp, to_problem_data
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.route_shapes import measure_shapes

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

CLASSES: Final[dict[str, Callable[[int, int], Instance]]] = {
    "CVRP": generate_uchoa,
    "VRPTW": generate_time_windows,
    "HFVRP": generate_fleet,
    "MDVRPTW": generate_depots,
}
"""Generators of problems, by class."""

NUM_PROBLEMS: Final = 34
SIZES: Final = (100, 150, 200)
FIRST_SEED: Final = 97_001
"""The problems go through the classes, and each class through the sizes."""

SHARES: Final = (0.005, 0.01, 0.02)

PLAN_SECONDS: Final = 5.0
"""Processor time of PyVRP, or more until it has a plan."""

_NO_COST: Final = 2**62
"""PyVRP says more than that where it has no feasible solution yet."""


class Planned(NamedTuple):
    """A problem, and the plan that somebody made of it."""

    name: str
    instance: Instance
    plan: Solution


@cache
def planned(name: str, size: int, seed: int, seconds: float) -> Planned:
    """Return a problem of a class with a plan of PyVRP."""
    import pyvrp

    instance = CLASSES[name](size, seed)
    until = time.process_time() + seconds

    def is_over(best_cost: int) -> bool:
        return best_cost < _NO_COST and time.process_time() >= until

    found = pyvrp.solve(
        to_problem_data(instance), is_over, seed=seed, collect_stats=False
    )
    return Planned(name, instance, from_pyvrp(found.best, instance))


def within_share(
    problem: Planned, seed: int, budget: Allowance, *, max_extra_cost: float
) -> Solution:
    """Make a plan compact within a share of its cost."""
    return nr.reshape(
        *(problem.instance, problem.plan),
        compactness=1.0,
        max_extra_cost=max_extra_cost,
        seed=seed,
        stop=processor_deadline(budget),
    ).best


def measured(problem: Planned, found: Solution) -> Json:
    """Return cost and overlap, before and after, by column."""
    instance, plan = problem.instance, problem.plan
    return {
        "class": problem.name,
        "num_customers": instance.num_customers,
        "cost_before": plan.cost,
        "cost": found.cost,
        "overlap_before": round(measure_shapes(instance, plan).overlap, 5),
        "overlap": round(measure_shapes(instance, found).overlap, 5),
        "feasible": not check_solution(instance, found),
    }


def against_cap(rows: Rows) -> Rows:
    """Return rows with extra cost and cap in percent, and whether it is over.

    Costs and shares are compared as exact numbers.
    """
    found: list[Row] = []
    for row in rows:
        before, after = Fraction(row["cost_before"]), Fraction(row["cost"])
        share = Fraction(row["max_extra_cost"])
        extra = after / before - 1
        found.append(
            {
                **row,
                "cap_percent": f"{100.0 * float(share):g}",
                "extra": repr(100.0 * float(extra)),
                "over": str(int(extra > share)),
            }
        )
    return found


def _cases() -> list[Case]:
    names = list(CLASSES)
    found = []
    for number in range(NUM_PROBLEMS):
        name, turn = names[number % len(names)], number // len(names)
        size, seed = SIZES[turn % len(SIZES)], FIRST_SEED + number
        load = partial(planned, name, size, seed, PLAN_SECONDS)
        found.append(Case(f"{name}-n{size}-s{seed}", load))
    return found


_SHOWN: Final = (
    "runs; failed; over the cap: over .0f sum; largest extra %: extra .4f "
    "max; extra %: extra .2f; overlap before: overlap_before .3f; overlap: "
    "overlap .3f"
)

PAGES = (
    page_of(
        "reshape",
        "Plans of PyVRP within a share of their cost",
        "How much overlap does `reshape` take from plans of PyVRP for half a "
        "percent, one and two percent more cost, and does it keep the cap?",
        cases=_cases,
        variants=vary(within_share, "max_extra_cost", SHARES),
        columns="instance class num_customers seed seconds=budget "
        "max_extra_cost cost_before cost overlap_before overlap feasible",
        key="instance max_extra_cost seed budget",
        budgets=(8.0,),
        finish=measured,
        warm=Case("warm-up", partial(planned, "VRPTW", 20, 1, 0.1)),
        views=(
            Summary(
                "cap_percent", _SHOWN, heads="limit_%", derive=against_cap
            ),
            Summary(
                "class cap_percent",
                _SHOWN,
                heads="class limit_%",
                derive=against_cap,
            ),
        ),
        setting={
            "clock": "processor time",
            "plans": f"PyVRP, {PLAN_SECONDS} s",
        },
    ),
)
"""The page of this file, by which the registry finds it."""
