"""What a small spread of durations costs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import ncc_routing as nr
from benchmarks.experiments.proofs import generate_day
from benchmarks.experiments.routes import OURS
from benchmarks.harness.cases import SMALL_ROUTES
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Summary
from ncc_routing.problems.constraints import MIN_MAX

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Row, Rows

SPREAD_SHARE: Final = 0.4
"""Largest spread, as a share of that of the plan without a limit."""

NUM_FLEETS, FLEETS_SEED = 20, 8_200_000
NUM_ORDERS: Final = (60, 100, 150, 200)
"""Of the generated fleets, in turn."""


def generate_fleet(number: int) -> nr.Instance:
    """Generate a day, every other one without fixed costs."""
    day = generate_day(FLEETS_SEED + number, NUM_ORDERS[number % 4])
    if number % 2:
        return day
    types = (replace(each, fixed_cost=0) for each in day.vehicle_types)
    return replace(day, fleet=nr.Fleet(tuple(types)))


def fleets() -> list[Case]:
    """Return the generated fleets."""
    return [
        Case(f"fleet_{number}", partial(generate_fleet, number))
        for number in range(NUM_FLEETS)
    ]


def balance(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve without and with a limit on the spread of durations."""
    limit = MIN_MAX["min-max-duration"]
    plain = nr.solve(instance, processor_deadline(budget), seed=seed)
    amounts = plain.best.amounts(instance, limit)
    spread = max(amounts) - min(amounts)
    rule = nr.Balance("duration", max_spread=SPREAD_SHARE * spread)
    types = [replace(x, balances=(rule,)) for x in instance.vehicle_types]
    fair = replace(instance, fleet=nr.Fleet(tuple(types)))
    found = nr.solve(fair, processor_deadline(budget), seed=seed)
    amounts = found.best.amounts(instance, limit)
    return {
        "plain": plain.cost,
        "cost": found.cost,
        "plain_spread": spread,
        "spread": max(amounts) - min(amounts),
        "routes": found.best.num_routes,
    }


def _shares(rows: Rows) -> list[Row]:
    def more(row: Row) -> float:
        return 100.0 * (float(row["cost"]) / float(row["plain"]) - 1.0)

    return [
        {
            **row,
            "more": repr(more(row)),
            "left": repr(float(row["spread"]) / float(row["plain_spread"])),
        }
        for row in rows
    ]


EXPERIMENTS = (
    Experiment(
        "balances",
        cases=fleets,
        variants=(Variant(OURS, balance),),
        columns="instance num_customers seed budget plain cost plain_spread "
        "spread routes load_average error",
        key="instance seed",
        budgets=(10.0,),
        views=(
            Summary(
                "budget",
                "fleets: runs; spread left: left; most: left max; "
                "cost +%: more; worst: more max",
                derive=_shares,
            ),
        ),
        warm=SMALL_ROUTES,
        setting={"clock": "processor time", "threads": 1},
    ),
)
"""Every experiment, by the page that shows its record."""
