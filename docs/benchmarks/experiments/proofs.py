"""How many plans are proven to be optimal, and after how many seconds.

Runs count processor time on one thread. A run solves first, and the rest of
its time is for the proof, which ends it.
"""

from __future__ import annotations

from csv import DictReader
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.bounds import PROTOCOL
from benchmarks.harness.cases import SMALL_ROUTES, data_folder, published
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows

SOLVED = 5.0
"""Seconds for the plan."""

SECONDS = 60.0
"""Seconds in all."""

NUM_XML = 40
"""Files of XML100, as many before as behind each other by name."""

XML_STOPS = 10.0
"""Most customers of a mean route of them."""


def prove(instance: nr.Instance, seed: int, budget: Allowance) -> Json:
    """Solve for some seconds, and prove for the rest."""
    plan = nr.solve(instance, processor_deadline(SOLVED), seed=seed)
    left = (seconds_of(budget) or SOLVED) - SOLVED
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


def _judged(rows: Rows) -> list[Row]:
    found: list[Row] = []
    for row in rows:
        cost, bound = float(row["cost"]), float(row["bound"])
        least = float(row.get("bks") or cost)
        gap = 100.0 * (cost / bound - 1.0) if bound > 0.0 else np.nan
        is_false = row["proven"] == "1" and cost != least
        found.append({**row, "gap": repr(gap), "false": str(int(is_false))})
    return found


EXPERIMENTS = (
    Experiment(
        "proofs_xml",
        cases=short_xml,
        variants=(Variant("proof", prove),),
        columns="instance num_customers seed budget plan cost bound proven "
        "proof_seconds routes relaxed bks load_average error",
        key="instance seed budget",
        budgets=(SECONDS,),
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
        setting={**PROTOCOL, "solution_seconds": SOLVED},
    ),
)
"""Every experiment, by the page that shows its record."""
