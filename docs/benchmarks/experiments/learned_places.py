"""Whether a scorer learns from past plans what coordinates do not show."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness.cases import label_folder
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
)
from benchmarks.harness.past_plans import PastPlans
from benchmarks.harness.views import Summary
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators.rivers import as_on_the_map, generate_river
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.scoring.places import Region
from ncc_routing.scoring.predictor import load_predictor
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.records import Json
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.generators.rivers import RiverRegion
    from ncc_routing.learning.label_files import LabelledInstance
    from ncc_routing.learning.training import EpochReport
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.scorers import PairScorer

NUM_ADDRESSES = 1000

TRAINING, VALIDATION, TEST = range(300), range(300, 320), range(1000, 1050)
"""Days whose plans are known, days that choices are made on, and days that
are reported."""

EFFORT = 5000
"""Iterations of ruin and recreate for each customer of a plan.

With a tenth of them two plans of a day by the same distances have so little in
common that nothing else can be told from it."""

NUM_POOLED = 5
"""Addresses around each, whose past counts as well."""

COUNTS, POOLED, NETWORK = "counts", "counts with near ones", "network"
"""How often two addresses shared a route; the same with those of the nearest
addresses added; the trained scorer."""

WEIGHTS = {COUNTS: 1.0, POOLED: 1.0, NETWORK: 1.0}
"""The best one of each scorer on the days of the validation; for the second
one 0.5 is as good, as far as can be told."""

TRAINING_CHANGES: dict[str, Any] = {
    "num_epochs": 24,
    "decay_epochs": 6,
    "batch_size": 4,
}
"""Changes of the schedule for one core: days are small and few."""


@cache
def region() -> RiverRegion:
    """Return the region of all days."""
    return generate_river(NUM_ADDRESSES)


def plan(
    instance: Instance,
    seed: int,
    scorer: PairScorer | None = None,
    loyalty: float = 0.0,
) -> Solution:
    """Plan a day with the distances that an instance has."""
    preferences = Preferences()
    if scorer is not None and loyalty > 0.0:
        preferences = Preferences(affinity=loyalty, scorer=scorer)
    return ruin_and_recreate(
        instance,
        solve_savings(instance, router=None),
        Run(Budget.of(iterations=EFFORT * instance.num_customers), seed=seed),
        preferences=preferences,
    )


@cache
def true_plan(number: int) -> Solution:
    """Return the plan of a day, made with the true distances."""
    return plan(region().day(number), seed=number + 1)


def past_day(number: int) -> LabelledInstance:
    """Return what the past knows of a day: its map and its routes."""
    from ncc_routing.learning.label_files import LabelledInstance

    day, found = region().day(number), true_plan(number)
    labels = np.full((1, day.num_customers + 1), -1, dtype=np.int16)
    for route, customers in enumerate(found.routes):
        labels[0, list(customers)] = route
    costs = np.array([found.cost])
    return LabelledInstance(as_on_the_map(day), labels, costs)


@cache
def counted() -> PastPlans:
    """Return how often two addresses shared a route."""
    past = [
        (region().day(number), past_day(number).labels[0])
        for number in TRAINING
    ]
    return PastPlans.of(past, NUM_ADDRESSES)


def network_folder() -> Path:
    """Return where the trained network lies."""
    return label_folder("river")


def train_on_past(folder: Path) -> list[EpochReport]:
    """Train the network on the days of the past, and say what came of it."""
    from ncc_routing.learning import schedule, training

    return list(
        training.train(
            [past_day(number) for number in TRAINING],
            [past_day(number) for number in VALIDATION],
            folder,
            network=replace(
                schedule.CPU_NETWORK,
                num_layers=2,
                region=Region.around([region().coords]),
            ),
            params=replace(schedule.CPU_TRAINING, **TRAINING_CHANGES),
        )
    )


def trained(_problem: object, _seed: int, _budget: Allowance) -> Json:
    """Train the network anew, plans of the past included."""
    start = time.process_time()
    for number in (*TRAINING, *VALIDATION):
        true_plan(number)
    planned = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        reports = train_on_past(Path(name))
    best = min((one.validation for one in reports), key=lambda m: m.loss)
    return {
        "epochs": len(reports),
        "planning_seconds": round(planned - start, 1),
        "training_seconds": round(time.process_time() - planned, 1),
        "loss": round(best.loss, 4),
        "ranking": round(best.ranking, 4),
    }


@cache
def scorer_of(name: str) -> PairScorer:
    """Return what knows the past, trained or counted where it is missing."""
    if name == COUNTS:
        return counted()
    if name == POOLED:
        return counted().pooled(region().coords, NUM_POOLED)
    folder = network_folder()
    train_on_past(folder)  # goes on, or finds that nothing is left
    return load_predictor(folder / "best.safetensors")


def on_the_map(
    day: Instance,
    seed: int,
    _budget: Allowance,
    *,
    name: str = "",
    loyalty: float = 0.0,
) -> Solution:
    """Plan a day by its coordinates alone, with a scorer or without."""
    scorer = scorer_of(name) if loyalty > 0.0 else None
    return plan(as_on_the_map(day), seed, scorer, loyalty)


def on_the_roads(day: Instance, seed: int, _budget: Allowance) -> Solution:
    """Plan a day by its true distances, as the reference with other luck."""
    return plan(day, 100_000 + seed)


def days(numbers: range) -> list[Case]:
    """Return some days, compared with the plan by the true distances."""
    return [
        Case(region().day(number).name, partial(region().day, number), _true)
        for number in numbers
    ]


def nothing() -> list[Case]:
    """Return the one case of a training."""
    return [Case("NCC-river-s1", _nothing)]


def _nothing() -> None:
    """Load what a training needs: nothing."""


def _number(day: Instance) -> int:
    return int(day.name.rpartition("-d")[2])


def _true(day: Instance) -> float:
    return float(true_plan(_number(day)).cost)


def measured(day: Instance, found: Solution) -> Json:
    """Return what a plan costs on the roads, and what it keeps.

    Each route is driven in the order that is best there.
    """
    routes = [np.array(route) for route in found.routes]
    orders, _ = improve_routes(day, routes, TimeLimit())
    driven = Solution.from_routes(day, [tuple(o.tolist()) for o in orders])
    return {
        "cost": driven.cost,
        "num_routes": driven.num_routes,
        "kept": round(kept_pairs(true_plan(_number(day)), driven), 5),
        "feasible": not check_solution(day, driven),
    }


def kept_pairs(reference: Solution, found: Solution) -> float:
    """Return the share of the same-route pairs of a plan that one keeps."""
    route_of = {
        customer: number
        for number, route in enumerate(found.routes)
        for customer in route
    }
    num_kept = num_pairs = 0
    for route in reference.routes:
        owners = [route_of[customer] for customer in route]
        sizes = np.unique(owners, return_counts=True)[1]
        num_kept += int((sizes * (sizes - 1)).sum())
        num_pairs += len(route) * (len(route) - 1)
    return num_kept / num_pairs


def against_map(rows: Rows) -> Rows:
    """Return rows with what is left of the loss of plans on the map alone.

    ``left`` is the extra cost in percent of the mean extra cost of those
    plans, ``times`` the share of kept pairs over their mean one.
    """
    chosen = [row for row in rows if float(row["loyalty"]) == 0.0]
    plain = [row for row in chosen if row["scorer"] == "none"]
    loss = fmean(float(row["gap_percent"]) for row in plain)
    kept = fmean(float(row["kept"]) for row in plain)

    def changed(row: Row) -> Row:
        return {
            **row,
            "left": str(100.0 * float(row["gap_percent"]) / loss),
            "times": str(float(row["kept"]) / kept),
        }

    return [changed(row) for row in rows]


_PLAIN = Variant("the map alone", on_the_map, {"scorer": "none", "loyalty": 0})
_COLUMNS = (
    "instance num_customers scorer loyalty seconds=cpu_seconds cost "
    "reference gap_percent kept routes=num_routes feasible"
)
_SHOWN = (
    "cost +%: gap_percent .2f; of the loss, %: left .0f; "
    "pairs kept: kept .3f; times: times .2f; CPU s: seconds .2f; runs"
)

PAGES = (
    Page(
        "learned_places",
        "Learned places",
        "What a scorer learns from past plans about a river that the "
        "coordinates do not show, beside scorers that count.",
        (
            Experiment(
                "learned_places",
                cases=partial(days, TEST),
                variants=(
                    _PLAIN,
                    *(
                        Variant(
                            name,
                            partial(on_the_map, name=name, loyalty=weight),
                            {"scorer": name, "loyalty": weight},
                        )
                        for name, weight in WEIGHTS.items()
                    ),
                    Variant(
                        "the roads",
                        on_the_roads,
                        {"scorer": "true distances", "loyalty": 0},
                    ),
                ),
                columns=_COLUMNS,
                key="instance scorer loyalty",
                finish=measured,
                views=(
                    Summary(
                        "scorer loyalty",
                        _SHOWN,
                        heads="scorer affinity",
                        derive=against_map,
                    ),
                ),
            ),
            Experiment(
                "learned_places_training",
                cases=nothing,
                variants=(Variant(NETWORK, trained),),
                columns="instance scorer=variant epochs planning_seconds "
                "training_seconds loss ranking",
                key="instance variant",
                views=(
                    Summary(
                        "scorer",
                        "epochs: epochs .0f; plans, CPU s: planning_seconds "
                        ".0f; training, CPU s: training_seconds .0f; "
                        "validation loss: loss .4f; ranking: ranking .3f",
                    ),
                ),
            ),
        ),
    ),
)
"""The page of this file, by which the registry finds it."""
