"""Drivers and distance of several days, planned alone and together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import ncc_routing as nr
from benchmarks.harness.cases import data_folder
from benchmarks.harness.experiment import Case, Variant, page_of
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.generators.days import generate_days
from ncc_routing.problems.checking import check_solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Rows
    from ncc_routing.problems.instance import Instance

SHARES: Final = (0.01, 0.03)
ALONE: Final = "alone"
"""Variants: caps of the extra cost, and each day for itself."""


class Found(NamedTuple):
    """What was found for the days, and against what its cost was held."""

    results: Sequence[nr.Result]
    extra_percent: float


def plan_alone(
    days: Sequence[Instance], seed: int, budget: Allowance
) -> Found:
    """Plan each day for itself; the days share the time."""
    seconds = (seconds_of(budget) or 0.0) / len(days)
    results = [
        nr.solve(day, seed=seed + number, stop=processor_deadline(seconds))
        for number, day in enumerate(days)
    ]
    return Found(results, 0.0)


def plan_together(
    days: Sequence[Instance],
    seed: int,
    budget: Allowance,
    *,
    max_extra_cost: float,
) -> Found:
    """Plan the days so that customers see few drivers."""
    found = nr.solve_days(
        days,
        max_extra_cost=max_extra_cost,
        seed=seed,
        stop=processor_deadline(budget),
    )
    return Found(found.results, found.extra_percent)


def measured(days: Sequence[Instance], found: Found) -> Json:
    """Return cost and measures of all days, by column."""
    results = found.results
    matched = nr.compare_days(results)
    numbered = nr.compare_days(results, by_vehicle=True)
    return {
        "num_customers": sum(day.num_customers for day in days),
        "cost": round(sum(result.cost for result in results), 3),
        "own_percent": round(found.extra_percent, 5),
        "num_routes": sum(result.best.num_routes for result in results),
        "drivers": round(matched.mean_drivers, 5),
        "drivers_by_route": round(numbered.mean_drivers, 5),
        "max_drivers": matched.max_drivers,
        "spread": round(matched.mean_arrival_spread, 5),
        "feasible": not any(
            check_solution(day, result.best)
            for day, result in zip(days, results, strict=True)
        ),
    }


def against_alone(rows: Rows) -> Rows:
    """Return rows with what changes against the days alone.

    ``more`` is what the distance gains, in percent. ``of_matched`` and
    ``of_numbered`` are drivers per customer over those of the days alone,
    whose drivers are matched to their routes, or have the numbers of these.
    """

    def ratio(name: str, base: str) -> str:
        return str(float(row[name]) / float(plain[base]))

    alone = {
        (row["instance"], row["seed"], row["seconds"]): row
        for row in rows
        if row["plans"] == ALONE
    }
    found = []
    for row in rows:
        plain = alone[row["instance"], row["seed"], row["seconds"]]
        more = 100.0 * (float(row["cost"]) / float(plain["cost"]) - 1.0)
        found.append(
            {
                **row,
                "more": str(more),
                "of_matched": ratio("drivers", "drivers"),
                "of_numbered": ratio("drivers", "drivers_by_route"),
            }
        )
    return found


def _cases() -> list[Case]:
    files = sorted(data_folder("vrp", "ConVRP").glob("*.vrp"))
    return [
        Case(file.stem, partial(nr.read_days, file, metric="none"))
        for file in files
    ]


_SHOWN: Final = (
    "runs; failed; distance +%: more .2f; own cap +%: own_percent .4f max; "
    "drivers: drivers .3f; by route: drivers_by_route .3f; of matched: "
    "of_matched .2f; of by route: of_numbered .2f; most: max_drivers .0f max; "
    "arrivals apart: spread .1f; routes: num_routes .1f"
)

PAGES = (
    page_of(
        "consistent_days",
        "Several days with few drivers",
        "How many drivers does a customer see in five days that are planned "
        "together, on the twelve public sets of ConVRP, and what does it "
        "cost?",
        cases=_cases,
        variants=(
            Variant(ALONE, plan_alone),
            *(
                Variant(
                    f"+{100.0 * share:g} %",
                    partial(plan_together, max_extra_cost=share),
                )
                for share in SHARES
            ),
        ),
        columns="instance num_customers seed seconds=budget plans=variant "
        "cost own_percent num_routes drivers drivers_by_route max_drivers "
        "spread feasible",
        key="instance variant seed budget",
        budgets=(30.0,),
        finish=measured,
        warm=Case("warm-up", partial(generate_days, 20, 1)),
        views=(
            Summary("plans", _SHOWN, derive=against_alone),
            Summary("instance plans", _SHOWN, derive=against_alone),
        ),
        setting={"clock": "processor time"},
    ),
)
"""The page of this file, by which the registry finds it."""
