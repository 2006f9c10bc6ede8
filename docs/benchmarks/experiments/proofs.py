"""How many plans are proven to be optimal, and after how many seconds.

Runs count processor time on one thread. A run solves first, and the rest of
its time is for the proof, which ends it.
"""

from __future__ import annotations

from csv import DictReader
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.bounds import (
    PROTOCOL,
    SHORT,
    all_of_x,
    length_of,
    with_windows,
)
from benchmarks.harness.cases import SMALL_ROUTES, data_folder, published
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows

SOLVED = {"XML100": 5.0, "days": 10.0, "windows": 10.0, "X": 10.0}
"""Seconds of each kind for the plan; days are proven beyond them."""

SECONDS = {"XML100": 60.0, "days": 70.0, "windows": 300.0, "X": 600.0}
"""Seconds in all."""

LARGEST_X = 250
"""Most customers of the files of X."""

NUM_XML = 40
"""Files of XML100, as many before as behind each other by name."""

XML_STOPS = 10.0
"""Most customers of a mean route of them."""

NUM_DAYS = 30
DAYS_SEED = 8_100_000
"""Of the first day."""

SPEED = 40.0 / 3.6
"""Metres a second."""


def prove(
    instance: nr.Instance, seed: int, budget: Allowance, *, solved: float
) -> Json:
    """Solve for some seconds, and prove for the rest."""
    seconds = seconds_of(budget) or solved
    solved = min(solved, 0.5 * seconds)
    plan = nr.solve(instance, processor_deadline(solved), seed=seed)
    left = seconds - solved
    found = nr.lower_bound(
        instance, processor_deadline(left), plan, prove=True
    )
    if found.best is None:
        raise AssertionError("the plan is no solution.")
    return {
        "cost": found.best.cost,
        "plan": plan.cost,
        "bound": found.lower_bound,
        "proven": int(found.is_optimal),
        "proof_seconds": round(found.runtime, 2),
        "routes": found.best.num_routes,
        "relaxed": "; ".join(found.relaxed),
    }


def short_xml() -> list[Case]:
    """Return files of XML100 with short routes, and their proven optima."""
    with (data_folder("cvrp", "XML100") / "optima.csv").open() as file:
        optima = {
            row["name"]: float(row["optimum"]) for row in DictReader(file)
        }
    short = []
    for case in published("XML100"):
        instance = case.load()
        least = -(-int(instance.demands.sum()) // instance.capacity)
        if instance.num_customers <= XML_STOPS * least:
            optimum = optima[case.name]
            short.append(replace(case, reference=partial(_known, optimum)))
    chosen = np.linspace(0, len(short) - 1, NUM_XML).round().astype(int)
    return [short[k] for k in chosen]


def _known(cost: float, _: nr.Instance) -> float:
    return cost


def short_x() -> list[Case]:
    """Return the files of X with short routes and up to 250 customers."""
    return [
        case
        for case in all_of_x()
        if length_of(case.name) <= SHORT
        and case.load().num_customers <= LARGEST_X
    ]


def generate_day(seed: int, num_orders: int = 0) -> nr.Instance:
    """Generate a day of a dispatcher, by default of 40 to 80 orders.

    Lengths are whole metres. Eight to twelve stops fit a vehicle of one of two
    types, by load. A third of the days have orders in towns. Half of the
    orders have a window of one to four hours between 8:00 and 17:00.
    """
    rng = np.random.default_rng(seed)
    count = num_orders or int(rng.integers(40, 81))
    side = 30_000
    coords = rng.integers(0, side, (count + 1, 2))
    if rng.random() < 1 / 3:
        towns = rng.integers(0, side, (5, 2))
        near = towns[rng.integers(5, size=count)]
        coords[1:] = np.clip(near + rng.normal(0, 1500, (count, 2)), 0, side)
    demands = np.append(0, rng.integers(1, 11, count))
    early, late = np.full(count + 1, 8 * 3600), np.full(count + 1, 17 * 3600)
    timed = 1 + rng.permutation(count)[: count // 2]
    widths = rng.integers(3600, 4 * 3600 + 1, len(timed))
    early[timed] += (rng.random(len(timed)) * (9 * 3600 - widths)).astype(int)
    late[timed] = early[timed] + widths
    places = coords.astype(float)
    distances = np.rint(np.linalg.norm(places[:, None] - places, axis=2))
    types = tuple(
        nr.VehicleType(
            capacity=capacity,
            fixed_cost=fixed_cost,
            tw_early=8 * 3600,
            tw_late=17 * 3600,
        )
        for capacity, fixed_cost in ((66, 25_000), (44, 18_000))
    )
    service = np.append(0, rng.integers(240, 601, count))
    return nr.Instance(
        f"day_{seed}",
        demands,
        matrix=distances,
        durations=np.rint(distances / SPEED),
        coords=coords,
        fleet=nr.Fleet(types),
        windows=nr.TimeWindows.of(
            count + 1,
            tw_early=early,
            tw_late=late,
            service_durations=service,
        ),
    )


def days() -> list[Case]:
    """Return the generated days."""
    return [
        Case(f"day_{number}", partial(generate_day, DAYS_SEED + number))
        for number in range(NUM_DAYS)
    ]


def _judged(rows: Rows) -> list[Row]:
    found: list[Row] = []
    for row in rows:
        cost, bound = float(row["cost"]), float(row["bound"])
        least = float(row.get("bks") or cost)
        gap = 100.0 * (cost / bound - 1.0) if bound > 0.0 else np.nan
        is_false = row["proven"] == "1" and cost != least
        found.append({**row, "gap": repr(gap), "false": str(int(is_false))})
    return found


def _experiment(kind: str, name: str, cases: Any) -> Experiment:
    solve = partial(prove, solved=SOLVED[kind])
    return Experiment(
        name,
        cases=cases,
        variants=(Variant("proof", solve),),
        columns="instance num_customers seed budget plan cost bound proven "
        "proof_seconds routes relaxed bks load_average error",
        key="instance seed budget",
        budgets=(SECONDS[kind],),
        views=(
            Summary(
                "budget",
                "problems: runs; proven: proven .0f sum; "
                "seconds: proof_seconds .1f; gap %: gap; worst: gap max; "
                "false: false .0f sum",
                derive=_judged,
            ),
        ),
        warm=SMALL_ROUTES,
        setting={**PROTOCOL, "solution_seconds": SOLVED[kind]},
    )


EXPERIMENTS = (
    _experiment("XML100", "proofs_xml", short_xml),
    _experiment("days", "proofs_days", days),
    _experiment("windows", "proofs_windows", with_windows),
    _experiment("X", "proofs_x", short_x),
)
"""Every experiment, by the page that shows its record."""
