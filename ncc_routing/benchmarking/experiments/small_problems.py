"""Random small problems: the search against all plans, and PyVRP's word.

The problems have every combination of features. Whether there is a plan, and
what the cheapest one costs, comes from a look at all of them.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from ncc_routing.benchmarking.brute_force import cheapest_plan
from ncc_routing.benchmarking.experiment import Case, Variant, page_of
from ncc_routing.benchmarking.random_problems import random_problem
from ncc_routing.benchmarking.runs import processor_deadline
from ncc_routing.benchmarking.tables import Summary
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.vrp.pyvrp_adapter import (
    from_problem_data,
    objective_of,
    to_pyvrp,
)

if TYPE_CHECKING:
    import pyvrp

    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.benchmarking.tables import Rows

NUM_PROBLEMS = 2_000

MOST_CUSTOMERS = 7
"""Customers of the largest problems: 13,699 routes of a vehicle type."""

ITERATIONS = 2_000
"""Iterations of ruin and recreate."""

SECONDS = 0.2
"""Processor time after which no plan is looked for any more."""


def small_problems(count: int = NUM_PROBLEMS) -> list[Case]:
    """Return problems of up to seven customers."""
    return [
        Case(f"small-{idx:04d}", partial(random_problem, idx, MOST_CUSTOMERS))
        for idx in range(count)
    ]


def solve_small(
    data: pyvrp.ProblemData, seed: int, budget: Budget
) -> dict[str, Any]:
    """Solve a problem, and hold the answer against all plans and PyVRP.

    Parameters
    ----------
    data
        The problem.
    seed
        Seed of the search.
    budget
        Processor time of the search.

    Returns
    -------
    dict
        ``agrees`` says whether PyVRP finds the plan complete, feasible and
        of the same cost, or rightly there is none.
    """
    least = cheapest_plan(from_problem_data(data))
    has_plan = math.isfinite(least)
    row: dict[str, Any] = {
        "num_customers": data.num_clients,
        "has_plan": "yes" if has_plan else "no",
        "optimum": least if has_plan else None,
    }
    try:
        result = nr.solve(
            data,
            polish="ruin-recreate",
            seed=seed,
            stop=MaxIterations(ITERATIONS),
            deadline=processor_deadline(budget),
        )
    except InfeasibleError as error:
        message = str(error) if has_plan else None
        return {**row, "is_found": 0, "agrees": int(not has_plan)} | {
            "is_cheapest": 0,
            "error": message,
        }
    theirs = to_pyvrp(result.best, data)
    is_feasible = theirs.is_feasible() and theirs.is_complete()
    cost = objective_of(theirs)
    return {
        **row,
        "cost": result.best.cost,
        "pyvrp_cost": cost,
        "is_found": 1,
        "is_cheapest": int(result.best.cost == least),
        "agrees": int(is_feasible and cost == result.best.cost),
    }


def with_plan(rows: Rows) -> Rows:
    """Return the rows of the problems that have a plan."""
    return [row for row in rows if row["has_plan"] == "yes"]


def without_plan(rows: Rows) -> Rows:
    """Return the rows of the problems that have none."""
    return [row for row in rows if row["has_plan"] == "no"]


PAGES = (
    page_of(
        "small_problems",
        "Small problems with all features, solved to the optimum",
        "How often 2,000 iterations of ruin and recreate find the cheapest "
        "plan of up to seven customers, and whether PyVRP agrees on "
        "feasibility and cost.",
        cases=small_problems,
        variants=(Variant("ruin-recreate", solve_small),),
        columns="instance num_customers seed budget has_plan optimum "
        "is_found cost pyvrp_cost is_cheapest agrees cpu_seconds error",
        key="instance seed budget",
        budgets=(SECONDS,),
        warm=Case("warm-up", partial(random_problem, 255)),
        views=(
            Summary(
                "num_customers",
                "problems: runs; found: is_found .0f sum; cheapest: "
                "is_cheapest .0f sum; share: is_cheapest .4f; PyVRP agrees: "
                "agrees .0f sum",
                total=True,
                derive=with_plan,
            ),
            Summary(
                "num_customers",
                "problems without a plan: runs; infeasible by the search: "
                "agrees .0f sum",
                total=True,
                derive=without_plan,
            ),
        ),
        setting={"clock": "processor time", "iterations": ITERATIONS},
    ),
)
"""The pages of this file, by which the registry finds them."""
