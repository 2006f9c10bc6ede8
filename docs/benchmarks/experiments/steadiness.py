"""What it costs to keep the routes of the day before, and how many are."""

from __future__ import annotations

from functools import cache, partial
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.harness.experiment import Case, page_of, vary
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.days import RECURRING, draw_days, generate_days
from ncc_routing.generators.time_windows import (
    generate_time_windows,
    with_fleet,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.consistency import measure_consistency
from ncc_routing.problems.references import PastRoutes, reference_labels
from ncc_routing.problems.route_shapes import measure_shapes
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.construction.zoned import solve_zones
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.solve import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

SIZES: Final = (100, 200, 300)
SEEDS: Final = range(90_001, 90_011)
"""Customers and seeds of the pairs of days; the start and the scale of the
weight were chosen on others, with seeds from 60,001, 70,001 and 80,001 on."""

STAYS: Final = (0.0, 0.5, 1.0, 1.25, 1.5, 2.0)

RICH_SEEDS: Final = range(91_001, 91_011)
"""Seeds with windows and a fleet; weights were set on others, below 1,000 and
from 95,001 on."""

SECONDS: Final = 10.0
"""Processor time of each plan with windows and a fleet."""

MILLISECONDS: Final = 10.0
"""Processor time of each plan, for each customer."""


class Days(NamedTuple):
    """What the second day knows of the first one."""

    today: Instance
    past: PastRoutes


@cache
def two_days(num_customers: int, seed: int, milliseconds: float) -> Days:
    """Return a day, and the plan of the day before, found in some time."""
    before, today = generate_days(num_customers, seed)
    plan = anneal(before, seed, milliseconds)
    return Days(today, PastRoutes(before, plan.routes))


@cache
def two_rich_days(num_customers: int, seed: int, seconds: float) -> Days:
    """Return two days with windows and a limited fleet, as ``two_days``."""
    size = 2 * num_customers - round(RECURRING * num_customers)
    pool = with_fleet(generate_time_windows(size, seed), seed, "limited")
    before, today = draw_days(pool, num_customers, seed)
    plan = solve(before, seed=seed, stop=processor_deadline(seconds))
    return Days(today, PastRoutes(before, plan.best.routes))


def anneal(
    instance: Instance,
    seed: int,
    milliseconds: Allowance,
    preferences: Preferences = Preferences(),
) -> Solution:
    """Anneal once; the budget is processor time for each customer."""
    seconds = instance.num_customers * (seconds_of(milliseconds) or 0) / 1000.0
    deadline = processor_deadline(seconds)
    start = (
        solve_savings(instance, router=None)
        if preferences.consistency == 0.0
        else solve_zones(
            instance, Run(), reference_labels(instance, preferences.reference)
        )
    )
    return ruin_and_recreate(
        instance,
        start,
        Run(Budget(deadline), seed=seed),
        preferences=preferences,
    )


def with_stay(
    days: Days, seed: int, budget: Allowance, *, stay: float
) -> Solution:
    """Plan the second day."""
    preferences = Preferences(consistency=stay, reference=days.past)
    return anneal(days.today, seed, budget, preferences)


def solve_with_stay(
    days: Days, seed: int, budget: Allowance, *, stay: float
) -> Solution:
    """Plan the second day as a user does, in processor time."""
    found = solve(
        days.today,
        reference=days.past,
        consistency=stay,
        seed=seed,
        stop=processor_deadline(budget),
    )
    return found.best


def measured(days: Days, found: Solution) -> Json:
    """Return cost and measures of a plan, by column."""
    labels = reference_labels(days.today, days.past)
    kept = measure_consistency(labels, found.routes)
    shapes = measure_shapes(days.today, found)
    return {
        "num_customers": days.today.num_customers,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "kept_pairs": round(kept.kept_pairs, 5),
        "moved": round(kept.moved, 5),
        "overlap": round(shapes.overlap, 5),
        "crossings": shapes.crossings,
        "feasible": not check_solution(days.today, found),
    }


def against_plain(rows: Rows) -> Rows:
    """Return rows with what the weight changes about the plain plans.

    ``more`` is what the cost gains, in percent. ``times`` is the share of
    kept pairs over the mean share of the plain plans, so that its mean says
    how often as many are kept.
    """

    def key(row: Row) -> tuple[str, ...]:
        return row["instance"], row["seed"]

    plain = {key(row): row for row in rows if float(row["stay"]) == 0.0}
    means: dict[str, float] = {}
    for size in {row["num_customers"] for row in plain.values()}:
        own = [r for r in plain.values() if r["num_customers"] == size]
        means[size] = fmean(float(row["kept_pairs"]) for row in own)
    everyone = fmean(float(row["kept_pairs"]) for row in plain.values())
    known = [row for row in rows if key(row) in plain]
    known.sort(key=lambda row: (int(row["num_customers"]), float(row["stay"])))
    return [
        {
            **row,
            "more": str(
                100.0
                * (float(row["cost"]) / float(plain[key(row)]["cost"]) - 1.0)
            ),
            "times": str(float(row["kept_pairs"]) / everyone),
            "times_of_size": str(
                float(row["kept_pairs"]) / means[row["num_customers"]]
            ),
        }
        for row in known
    ]


def _cases(
    load: Callable[[int, int, float], Days], seeds: range, budget: float
) -> list[Case]:
    return [
        Case(f"days-n{size}-s{seed}", partial(load, size, seed, budget))
        for seed in seeds
        for size in SIZES
    ]


_SHOWN: Final = (
    "cost +%: more .2f; kept: kept_pairs .3f; {}; moved: moved .3f; "
    "overlap: overlap .3f; crossings: crossings .0f; routes: num_routes .1f; "
    "runs"
)

PAGES = (
    page_of(
        "steadiness",
        "Steady routes",
        "What it costs to keep the routes of the day before: 30 generated "
        "pairs of days with 80 % of the customers in common, in 10 ms of "
        "processor time for each customer.",
        cases=partial(_cases, two_days, SEEDS, MILLISECONDS),
        variants=vary(with_stay, "stay", STAYS),
        columns="instance num_customers seed milliseconds=budget stay cost "
        "num_routes kept_pairs moved overlap crossings feasible",
        key="instance stay seed budget",
        budgets=(MILLISECONDS,),
        finish=measured,
        warm=Case("warm-up", partial(two_days, 60, 1, 1.0)),
        views=(
            Summary(
                "stay",
                _SHOWN.format("times: times .2f"),
                heads="consistency",
                derive=against_plain,
            ),
            Summary(
                "num_customers stay",
                _SHOWN.format("times: times_of_size .2f"),
                heads="customers consistency",
                derive=against_plain,
            ),
        ),
    ),
    page_of(
        "steadiness_windows",
        "Consistent routes with windows and a fleet",
        "What it costs to keep the routes of the day before: 30 generated "
        "pairs of days with time windows and vehicles of several types, 80 % "
        "of the customers in common, in 10 s of processor time.",
        cases=partial(_cases, two_rich_days, RICH_SEEDS, SECONDS),
        variants=vary(solve_with_stay, "stay", (0.0, 1.0)),
        columns="instance num_customers seed seconds=budget stay cost "
        "num_routes kept_pairs moved overlap crossings feasible",
        key="instance stay seed budget",
        budgets=(SECONDS,),
        finish=measured,
        warm=Case("warm-up", partial(two_rich_days, 60, 1, 1.0)),
        views=(
            Summary(
                "stay",
                _SHOWN.format("times: times .2f"),
                heads="consistency",
                derive=against_plain,
            ),
        ),
        setting={"clock": "processor time"},
    ),
)
"""The pages of this file, by which the registry finds them."""
