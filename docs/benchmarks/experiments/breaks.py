"""How fast the search is where drivers have breaks, and stops two windows."""

from __future__ import annotations

import time
from functools import partial
from itertools import product
from statistics import median
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Summary
from ncc_routing.bench.tables import grouped, mean, numbers
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.vrp.search.fleets.search import FleetSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Rows

SEED: Final = 6_100_000
"""Of the problem."""

CUSTOMERS, DAY = 100, 4800
"""A vehicle for ten customers."""

MANY: Final = 1000
"""Customers for which a plan is due in ``SECONDS``."""

SECONDS: Final = 10.0
"""Processor time from the problem to the checked plan."""

BREAK: Final = nr.Break(300, ((2000, 2900),))
"""Half an hour of a day of eight, in tenths of a minute."""

DAYS: Final = ("neither", "two windows", "breaks", "both")
PRICES: Final = ("distance", "duration")

ITERATIONS: Final = 20_000
"""Of each run, from the hot end to the cold one."""


def day_of(
    breaks: bool, two: bool, price: str, customers: int = CUSTOMERS
) -> nr.Instance:
    """Return a day of a vehicle for ten: stops are open for four hours.

    A third of them is open for two hours, and two again after two; without
    ``two`` windows, all of the time.
    """
    rng = np.random.default_rng(SEED)
    size, vehicles = customers + 1, customers // 10
    coords = rng.integers(0, 1000, (size, 2))
    coords[0] = 500
    demands = np.concatenate([[0], rng.integers(1, 20, customers)])
    early = np.concatenate([[0], rng.integers(0, DAY - 2400, customers)])
    late = early + 2400
    late[0] = DAY
    windows: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for node in range(1, size, 3):
        early[node] //= 2
        late[node] = early[node] + 3600
        a, b = int(early[node]), int(late[node])
        windows[node] = [(a, a + 1200), (b - 1200, b)]
    van = nr.VehicleType(
        capacity=int(1.15 * demands.sum() / vehicles),
        num_available=vehicles,
        unit_distance_cost=1,
        unit_duration_cost=int(price == "duration"),
        tw_late=DAY,
        breaks=(BREAK,) if breaks else (),
    )
    return nr.Instance(
        "day",
        demands,
        coords=coords,
        fleet=nr.Fleet((van,)),
        windows=nr.TimeWindows.of(
            *(size, early, late, [0, *[50] * customers]),
            windows=windows if two else None,
        ),
    )


def cases_of(day: str, price: str, customers: int) -> list[Case]:
    """Return one day as a case."""
    breaks, two = day in ("breaks", "both"), day in ("two windows", "both")
    return [Case("day", partial(day_of, breaks, two, price, customers))]


def iterate(
    instance: nr.Instance, seed: int, _budget: Allowance
) -> dict[str, Any]:
    """Anneal by a number of iterations, by the clock of the processor."""
    search = FleetSearch(instance, seed)
    start = search.insert_all(TimeLimit(None))
    if search.num_absent > 0:
        start = search.place_absent(TimeLimit(60.0))
    search.load(start)
    begun = time.process_time()
    search.run(nr.stop.MaxIterations(ITERATIONS), search.mean_edge(start))
    seconds = time.process_time() - begun
    best = search.best()
    return {
        "cost": best.cost,
        "feasible": not nr.check_solution(instance, best),
        "rate": search.num_iterations / seconds,
    }


def plan(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve by processor time, and tell how much of it was used.

    The first plan has all customers, and breaks no limit.
    """
    begun = time.process_time()
    result = nr.solve(instance, processor_deadline(budget), seed=seed)
    seconds, best = time.process_time() - begun, result.best
    return {
        "cost": best.cost,
        "feasible": not nr.check_solution(instance, best),
        "first_plan_seconds": result.trace[0].seconds,
        "processor_seconds": seconds,
        "num_routes": best.num_routes,
    }


def with_shares(rows: Rows) -> list[dict[str, str]]:
    """Add each rate as a share of the median rate without both."""
    base = {
        key: median(numbers(own, "rate"))
        for key, own in grouped(rows, ("price", "day")).items()
    }
    return [
        {
            **row,
            "share": repr(float(row["rate"]) / base[row["price"], "neither"]),
        }
        for row in rows
    ]


def with_gaps(rows: Rows) -> list[dict[str, str]]:
    """Add how much more each plan costs than the mean without breaks."""
    base: dict[Any, Any] = {
        key: mean(numbers(own, "cost"))
        for key, own in grouped(rows, ("price", "day")).items()
    }
    gaps = (
        100 * (float(row["cost"]) / base[row["price"], "neither"] - 1)
        for row in rows
    )
    return [
        {**row, "gap": repr(gap)} for row, gap in zip(rows, gaps, strict=True)
    ]


def variants_of(
    run: Any, days: Sequence[str], customers: int
) -> tuple[Variant, ...]:
    """Return each of the days, with each price."""
    return tuple(
        Variant(
            f"{day} {price}",
            run,
            {"day": day, "price": price},
            cases=partial(cases_of, day, price, customers),
        )
        for price, day in product(PRICES, days)
    )


EXPERIMENTS = (
    Experiment(
        "breaks",
        cases=list,
        variants=variants_of(iterate, DAYS, CUSTOMERS),
        columns="price day seed rate cost feasible load_average",
        key="price day seed",
        seeds=(1, 2, 3, 4, 5),
        views=(
            Summary(
                "price day",
                "runs; failed; iterations a second: rate .0f median; "
                "of neither: share median; cost: cost .0f",
                derive=with_shares,
            ),
        ),
        setting={"clock": "processor time"},
    ),
    Experiment(
        "many_breaks",
        cases=list,
        variants=variants_of(plan, ("neither", "breaks"), MANY),
        columns="price day seed cost num_routes first_plan_seconds "
        "processor_seconds feasible",
        key="price day seed",
        seeds=(1, 2, 3),
        budgets=(SECONDS,),
        views=(
            Summary(
                "price day",
                "runs; failed; first plan, s: first_plan_seconds .2f max; "
                "seconds: processor_seconds .2f max; "
                "routes: num_routes .1f; cost: cost .0f; "
                "more than neither %: gap .2f",
                derive=with_gaps,
            ),
        ),
        setting={"clock": "processor time"},
    ),
)
