"""The longest route beside OR-Tools, and what a small spread costs."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.proofs import generate_day
from benchmarks.experiments.routes import OURS
from benchmarks.harness.cases import data_folder, published
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.peers import FOLDER
from benchmarks.harness.processes import run_process
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.problems.constraints import MIN_MAX
from ncc_routing.problems.values import NO_LIMIT

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Row, Rows

NUM_X: Final = 20
"""Instances of X, the smallest ones: up to 200 customers."""

SCALE: Final = 100
"""Units of a distance of Cordeau's instances, so that all are whole."""

OBJECTIVE: Final = "min-max-duration"

THEIRS: Final = "OR-Tools"

SPREAD_SHARE: Final = 0.4
"""Largest spread, as a share of that of the plan without a limit."""

NUM_FLEETS, FLEETS_SEED = 20, 8_200_000
NUM_ORDERS: Final = (60, 100, 150, 200)
"""Of the generated fleets, in turn."""


def read_cordeau(path: Path) -> nr.Instance:
    """Read an instance with several depots in Cordeau's form."""
    rows = [line.split() for line in path.read_text().splitlines() if line]
    _, vehicles, count, depots = map(int, rows[0][:4])
    limits = [tuple(map(int, row[:2])) for row in rows[1 : 1 + depots]]
    listed = rows[1 + depots : 1 + depots + count + depots]
    nodes = np.array([[float(cell) for cell in row[1:5]] for row in listed])
    first, *others = range(count, count + depots)
    nodes = nodes[[first, *range(count), *others]]
    away = np.linalg.norm(nodes[:, None, :2] - nodes[:, :2], axis=2)
    types = tuple(
        nr.VehicleType(
            capacity=capacity,
            num_available=vehicles,
            start_depot=depot,
            end_depot=depot,
            shift_duration=SCALE * longest if longest else NO_LIMIT,
        )
        for depot, (longest, capacity) in enumerate(limits)
    )
    services = (SCALE * nodes[:, 2]).round().astype(int)
    services[[0, *range(count + 1, count + depots)]] = 0
    return nr.Instance(
        path.stem,
        nodes[:, 3].astype(int),
        matrix=np.rint(SCALE * away),
        num_depots=depots,
        fleet=nr.Fleet(types),
        windows=nr.TimeWindows.of(count + depots, service_durations=services),
    )


def _with_vehicles(load: Any, name: str) -> nr.Instance:
    """Return an instance of X with as many vehicles as its name says."""
    given = load()
    places = np.arange(given.num_customers + 1)
    van = nr.VehicleType(
        capacity=given.capacity,
        num_available=int(name.rpartition("-k")[2]),
    )
    return nr.Instance(
        name,
        given.demands,
        matrix=given.lengths(places[:, None], places),
        fleet=nr.Fleet((van,)),
    )


def of_min_max() -> list[Case]:
    """Return Cordeau's 33 instances, and 20 of X."""
    files = sorted(data_folder("vrp", "MDVRP").glob("*.txt"))
    smallest = sorted(published("X"), key=lambda case: case.name)[:NUM_X]
    return [
        *(Case(file.stem, partial(read_cordeau, file)) for file in files),
        *(
            replace(
                case,
                load=partial(_with_vehicles, case.load, case.name),
                reference=None,
            )
            for case in smallest
        ),
    ]


def judged(plan: nr.Solution, instance: nr.Instance) -> dict[str, Any]:
    """Return the longest route and the length of all."""
    broken = nr.check_solution(instance, plan)
    return {
        "longest": plan.largest(instance, MIN_MAX[OBJECTIVE]),
        "cost": plan.cost,
        "routes": plan.num_routes,
        "feasible": not broken,
    }


def by_us(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve by this package."""
    stop = processor_deadline(budget)
    found = nr.solve(instance, stop, seed=seed, objective=OBJECTIVE)
    return {
        **judged(found.best, instance),
        "cpu_seconds": round(found.runtime, 2),
    }


def by_ortools(
    instance: nr.Instance, _seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve by OR-Tools, whose limit is wall-clock time."""
    places = np.arange(len(instance.demands))
    lengths = instance.lengths(places[:, None], places).astype(int)
    services = np.zeros(len(places), dtype=int)
    if instance.windows is not None:
        services = instance.windows.service_durations
    types = [
        idx
        for idx, each in enumerate(instance.vehicle_types)
        for _ in range(each.num_available or 0)
    ]
    vehicles = [instance.vehicle_types[idx] for idx in types]
    longest = int(lengths.sum() + services.sum())
    shifts = [min(longest, int(each.shift_duration)) for each in vehicles]
    problem = {
        "distances": lengths.tolist(),
        "durations": (lengths + services[:, None]).tolist(),
        "demands": instance.demands.tolist(),
        "ends": [instance.depots[each.start_depot or 0] for each in vehicles],
        "capacities": [each.capacity for each in vehicles],
        "shifts": shifts,
    }
    program = Path(__file__).parents[1] / "harness" / "ortools_min_max.py"
    with TemporaryDirectory() as name:
        file = Path(name, "problem.json")
        file.write_text(json.dumps(problem), encoding="utf-8")
        words = [interpreter(), program, file, seconds_of(budget)]
        ended = run_process([*map(str, words)])
    routes = json.loads(ended.output)
    plan = nr.Solution.from_routes(instance, routes, types if routes else [])
    return {**judged(plan, instance), "cpu_seconds": ended.cpu_seconds}


def interpreter() -> Path:
    """Return the Python that has OR-Tools."""
    return Path(os.environ.get(FOLDER, "peers"), "ortools", "bin", "python")


def why_absent() -> str | None:
    """Return why OR-Tools cannot run here, ``None`` where it can."""
    path = interpreter()
    return None if path.is_file() else f"{path} does not exist."


def beside_theirs(rows: Rows) -> list[Row]:
    """Return our runs with how much shorter our longest route is."""
    theirs = {
        row["instance"]: float(row["longest"])
        for row in rows
        if row["solver"] == THEIRS and row["feasible"] == "True"
    }
    found: list[Row] = []
    for row in rows:
        if row["solver"] == OURS:
            least, name = float(row["longest"]), row["instance"]
            other = theirs.get(name)
            share = 100.0 * (least / other - 1.0) if other else np.nan
            found.append(
                {
                    **row,
                    "set": "X" if name.startswith("X-") else "MDVRP",
                    "share": repr(share),
                    "above": str(int(other is not None and least > other)),
                    "alone": str(int(other is None)),
                }
            )
    return found


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


def small_fleet() -> nr.Instance:
    """Return five customers about a depot, whom two vans share."""
    coords = [(0, 0), (10, 0), (0, 10), (-10, 0), (0, -10), (9, 9)]
    van = nr.VehicleType(capacity=4, num_available=3)
    return nr.Instance(
        "small",
        np.array([0, 1, 1, 1, 1, 1]),
        coords=np.array(coords),
        fleet=nr.Fleet((van,)),
    )


def balance(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve without and with a limit on the spread of durations."""
    limit = MIN_MAX[OBJECTIVE]
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
        "min_max",
        cases=of_min_max,
        variants=(
            Variant(OURS, by_us),
            Variant(THEIRS, by_ortools, why_absent=why_absent),
        ),
        columns="instance num_customers seed solver=variant budget longest "
        "cost routes feasible cpu_seconds load_average error",
        key="instance seed variant",
        budgets=(60.0,),
        views=(
            Summary(
                "set",
                "instances: runs; longest route %: share; worst: share max; "
                "longer: above .0f sum; no plan of OR-Tools: alone .0f sum",
                derive=beside_theirs,
            ),
        ),
        warm=Case("warm-up", small_fleet),
        setting={"objective": OBJECTIVE, "OR-Tools": "9.15.6755"},
    ),
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
        warm=Case("warm-up", small_fleet),
        setting={"clock": "processor time", "threads": 1},
    ),
)
"""Every experiment, by the page that shows its record."""
