"""Which construction and which polish ``solve`` takes by itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import ncc_routing as nr
from ncc_routing.benchmarking.cases import SMALL_ROUTES
from ncc_routing.benchmarking.experiment import Case, Variant, page_of
from ncc_routing.benchmarking.runs import processor_deadline
from ncc_routing.benchmarking.tables import Differences
from ncc_routing.generators.uchoa import generate_uchoa

if TYPE_CHECKING:
    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.benchmarking.tables import Rows

SIZES = (20, 50, 100, 200, 400, 1000, 3000)
"""Customers of the instances."""

ROUTE_LENGTHS = (4, 8, 15, 30)
"""Customers of a mean route, four for each size."""

PAIRS = (
    ("savings", "ruin-recreate"),
    ("savings", "auto"),
    ("savings", "pyvrp"),
    ("ckm", "ruin-recreate"),
    ("ckm", "auto"),
)
"""Construction and polish that are compared."""


def solve_by(
    instance: nr.Instance,
    seed: int,
    budget: Budget,
    *,
    method: str,
    polish: str,
) -> nr.Result:
    """Solve by a pair; the limit counts processor time."""
    return nr.solve(
        instance,
        method=method,
        polish=polish,
        seed=seed,
        deadline=processor_deadline(budget),
    )


def of_all_sizes() -> list[Case]:
    """Return instances of every size and length of routes."""
    return [
        Case(
            f"NCC-n{size + 1:04d}-r{length}",
            partial(
                generate_uchoa,
                size,
                661_000 + size + length,
                route_length=float(length),
            ),
        )
        for size in SIZES
        for length in ROUTE_LENGTHS
    ]


def with_group(rows: Rows) -> Rows:
    """Return rows with the size of the instance in words."""
    groups = ((100, "up to 100"), (400, "200, 400"))
    return [
        {
            **row,
            "customers": next(
                (
                    text
                    for top, text in groups
                    if int(row["num_customers"]) <= top
                ),
                "1,000, 3,000",
            ),
        }
        for row in rows
    ]


PAGES = (
    page_of(
        "default_choice",
        "Construction and polish by default",
        "Which construction and which polish make the most of a time limit "
        "that counts processor time, on generated instances.",
        cases=of_all_sizes,
        variants=tuple(
            Variant(
                f"{method} {polish}",
                partial(solve_by, method=method, polish=polish),
            )
            for method, polish in PAIRS
        ),
        columns="instance num_customers seed seconds=budget pair=variant cost",
        key="instance variant seed budget",
        budgets=(0.5, 2.0, 10.0),
        warm=SMALL_ROUTES,
        warm_budget=1.0,
        views=(
            Differences(
                *("pair", "savings ruin-recreate", "cost", "seconds"),
                relative=True,
            ),
            Differences(
                *("pair", "savings ruin-recreate", "cost"),
                "customers seconds",
                relative=True,
                derive=with_group,
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
