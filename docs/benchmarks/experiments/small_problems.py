"""Small problems, against all of their plans."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness.experiment import Case, Experiment, Page, Variant
from benchmarks.harness.views import Summary
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.problems.instance import Instance
from tests.vrp.test_full_problems import (
    ITERATIONS,
    SECONDS,
    answer,
    small_problem,
)
from tests.vrp.test_route_rules_search import ruled_problem

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyvrp

    from benchmarks.harness.experiment import Allowance

NUM_PROBLEMS = 4_000
NUM_RULED = 2_000


def run_search(
    data: pyvrp.ProblemData | Instance, seed: int, _budget: Allowance
) -> dict[str, Any]:
    """Compare the search with the cheapest plan."""
    found = answer(data, seed)
    if found.verdict == "too cheap":
        raise NccRoutingError(f"a plan of {found.cost} breaks a rule.")
    has_plan = math.isfinite(found.optimum)
    if isinstance(data, Instance):
        num_stops = data.num_customers
    else:
        num_stops = data.num_clients + 2 * data.num_shipments
    return {
        "num_stops": num_stops,
        "has_plan": int(has_plan),
        "optimum": found.optimum if has_plan else None,
        "is_found": int(math.isfinite(found.cost)),
        "cost": found.cost if math.isfinite(found.cost) else None,
        "is_optimal": int(found.cost == found.optimum) if has_plan else None,
        "feasible": True,
    }


def full_problems() -> list[Case]:
    """Return problems with any of the parts that PyVRP's problems have."""
    return [
        Case(f"full-{number:04}", partial(small_problem, number))
        for number in range(NUM_PROBLEMS)
    ]


def route_rules() -> list[Case]:
    """Return small problems with rules of routes, begun ones too."""
    return [
        Case(f"ruled-{number:04}", partial(ruled_problem, number))
        for number in range(NUM_RULED)
    ]


def _experiment(name: str, cases: Callable[[], list[Case]]) -> Experiment:
    """Return the comparison of some problems with all of their plans."""
    return Experiment(
        name,
        cases=cases,
        variants=(Variant("search", run_search),),
        columns="instance num_stops seed has_plan optimum is_found "
        "cost is_optimal feasible cpu_seconds error",
        key="instance seed",
        views=(
            Summary(
                "num_stops",
                "problems: runs; failed; with a plan: has_plan .0f "
                "sum; found: is_found .0f sum; cheapest: is_optimal "
                ".0f sum; share: is_optimal .4f",
                total=True,
            ),
        ),
        setting={
            "clock": "processor time",
            "iterations": ITERATIONS,
            "most_seconds": SECONDS,
        },
    )


PAGES = (
    Page(
        "small_problems",
        "Small problems with all features, solved to the optimum",
        "How often ruin and recreate find the cheapest plan of up to seven "
        "customers, and whether PyVRP agrees on feasibility and cost.",
        (
            _experiment("full_problems", full_problems),
            _experiment("route_rules", route_rules),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
