"""Which construction and which polish ``solve`` takes by itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import ncc_routing as nr
from ncc_routing.benchmarking.cases import SMALL_ROUTES, published
from ncc_routing.benchmarking.experiment import (
    Case,
    Variant,
    page_of,
    vary,
)
from ncc_routing.benchmarking.runs import processor_deadline
from ncc_routing.benchmarking.tables import Differences, Summary
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.io.names import public_names
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.benchmarking.tables import Rows

SIZES = (20, 50, 100, 200, 400, 1000, 3000)
"""Customers of the instances."""

ROUTE_LENGTHS = (4, 8, 15, 30)
"""Customers of a mean route, four for each size."""

X_ROUTE_LENGTHS = ("3-5", "5-8", "8-12", "11-17", "17-24")
"""Customers of a mean route in each class of X, at the least number of
routes. The instances by size cycle through the classes."""

_SEED = 661_000
"""Seed of the instances, to which size and length are added."""

PAIRS = (
    ("savings", "ruin-recreate"),
    ("savings", "pyvrp"),
    ("ckm", "ruin-recreate"),
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


def with_router(
    instance: nr.Instance, seed: int, budget: Budget, *, router: str
) -> nr.Solution:
    """Polish savings, whose routes a router has shortened or not."""
    deadline = processor_deadline(budget)
    start = solve_savings(
        instance,
        router=None if router == "none" else router,
        seed=seed,
        deadline=deadline.within(0.2 * deadline.remaining()),
    )
    return ruin_and_recreate(instance, start, deadline=deadline, seed=seed)


def of_all_sizes() -> list[Case]:
    """Return instances of every size and length of routes."""
    return [
        Case(
            f"NCC-n{size + 1:04d}-s{_SEED + size + length}",
            partial(
                generate_uchoa,
                size,
                _SEED + size + length,
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


def stratified() -> list[Case]:
    """Return 25 instances of X: five sizes, five lengths of routes.

    The instances by size cycle through five classes of route length; each
    class comes once in each fifth of the sizes.
    """
    cases = sorted(published("X"), key=lambda case: _num_nodes(case.name))
    return [
        cases[20 * fifth + 5 * ((fifth + length) % 4) + length]
        for fifth in range(5)
        for length in range(5)
    ]


def length_classes() -> dict[str, str]:
    """Return the class of route length of each instance of X by its name."""
    names = [name for name in public_names() if name.startswith("X-n")]
    names.sort(key=_num_nodes)
    return {
        name: X_ROUTE_LENGTHS[idx % len(X_ROUTE_LENGTHS)]
        for idx, name in enumerate(names)
    }


def _num_nodes(name: str) -> int:
    """Return the number of nodes that a name says: 101 of X-n101-k25."""
    return int(name.split("-")[1][1:])


def solve_untold(
    instance: nr.Instance, seed: int, budget: Budget
) -> nr.Result:
    """Solve with a time limit alone; it counts processor time."""
    deadline = processor_deadline(budget)
    return nr.solve(instance, seed=seed, deadline=deadline)


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
    page_of(
        "router_choice",
        "A router before a polish",
        "Whether the routes of savings should be shortened by a router before "
        "they are polished; the limit counts processor time.",
        cases=of_all_sizes,
        variants=vary(with_router, "router", ("lkh", "none")),
        columns="instance num_customers seed seconds=budget router cost",
        key="instance router seed budget",
        seeds=(1, 2),
        budgets=(0.5, 2.0),
        jobs=2,
        warm=SMALL_ROUTES,
        warm_budget=1.0,
        views=(
            Differences(*("router", "lkh", "cost", "seconds"), relative=True),
        ),
    ),
    page_of(
        "x_default",
        "No option but a time limit, on X",
        "What `ncc-route solve` does with a time limit and no other option, "
        "beside the explicit choices of construction and polish, on 25 "
        "instances of X, five lengths of routes in five sizes. The limit "
        "counts processor time.",
        cases=stratified,
        variants=(
            Variant("no option", solve_untold),
            *(
                Variant(
                    f"{method} {polish}",
                    partial(solve_by, method=method, polish=polish),
                )
                for method, polish in PAIRS[1:]
            ),
        ),
        columns="instance num_customers seed seconds=budget pair=variant "
        "cost bks gap_percent",
        key="instance variant seed budget",
        budgets=(2.0, 10.0),
        warm=SMALL_ROUTES,
        warm_budget=1.0,
        jobs=2,
        views=(
            Summary("pair seconds", "runs; gap %: gap_percent"),
            Differences(*("pair", "no option", "gap_percent", "seconds")),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
