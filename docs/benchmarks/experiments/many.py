"""Many problems at once: the days of many depots."""

from __future__ import annotations

import csv
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.harness.experiment import Case, Experiment, Variant, vary
from benchmarks.harness.processes import COMMAND, run_process
from benchmarks.harness.views import Summary
from ncc_routing.core.text_files import replacing
from ncc_routing.problems.routes.days import compare_days

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Allowance

SEED: Final = 20_261_130
NUM_DAYS, NUM_ORDERS, NUM_CUSTOMERS = 20, 100, 200
"""Days of a depot, orders of a day, and the customers who place them."""

CAPACITY: Final = 55
"""Of a vehicle, about ten orders."""


def write_depots(num_depots: int) -> Path:
    """Write the orders of some depots on some days, unless they are there."""
    folder = Path(gettempdir(), "ncc_routing_benchmarks")
    file = folder / f"depots-{num_depots}.csv"
    if file.is_file():
        return file
    folder.mkdir(exist_ok=True)
    rng = np.random.default_rng(SEED)
    with (
        replacing(file) as part,
        part.open("w", encoding="utf-8", newline="") as out,
    ):
        write = csv.writer(out).writerow
        write(("id", "depot", "day", "x", "y", "demand"))
        for number in range(num_depots):
            depot = f"d{number:04d}"
            write((depot, depot, "", *rng.integers(0, 1001, 2), 0))
            places = rng.integers(0, 1001, (NUM_CUSTOMERS, 2))
            demands = rng.integers(1, 11, NUM_CUSTOMERS)
            for day in range(1, NUM_DAYS + 1):
                for one in rng.permutation(NUM_CUSTOMERS)[:NUM_ORDERS]:
                    name = f"{depot}c{one:03d}"
                    place = *places[one], demands[one]
                    write((name, depot, f"{day:02d}", *place))
    return file


def solve_depots(
    file: Path, _seed: int, budget: Allowance, *, consistency: float
) -> dict[str, Any]:
    """Plan all days of all depots by one command."""
    with TemporaryDirectory() as name:
        ended = run_process(
            [
                *(*COMMAND, "solve-many", str(file), "--by", "depot,day"),
                *("--capacity", str(CAPACITY), "--workers", "2"),
                *("--budget", f"{budget}s", "--output", name),
                *("--consistency", str(consistency)),
            ]
        )
        manifest = Path(name, "manifest.csv").read_text("utf-8")
        rows = list(csv.DictReader(manifest.splitlines()))
        solved = [row for row in rows if not row["error"]]
        return {
            "problems": len(rows),
            "solved": len(solved),
            "cost": fmean(float(row["cost"]) for row in solved),
            "drivers": _mean_drivers(Path(name), solved),
            "seconds": ended.seconds,
            "cpu_seconds": ended.cpu_seconds,
            "peak_mib": ended.peak_mib,
        }


def _mean_drivers(folder: Path, rows: Sequence[dict[str, str]]) -> float:
    """Return the drivers of a customer over the days of a depot."""
    found = []
    for _, days in groupby(rows, lambda row: row["name"].partition("-")[0]):
        results = [nr.Result.read(folder / row["file"]) for row in days]
        found.append(compare_days(results).mean_drivers)
    return round(fmean(found), 4)


def depots(*numbers: int) -> list[Case]:
    """Return tables of some depots."""
    return [Case(f"depots-{n}", partial(write_depots, n)) for n in numbers]


EXPERIMENTS = (
    Experiment(
        "many_depots",
        cases=partial(depots, 50),
        variants=(
            Variant(
                "1.0",
                partial(solve_depots, consistency=1.0),
                {"consistency": 1.0},
                budgets=(2400,),
                cases=partial(depots, 1000),
            ),
            *vary(solve_depots, "consistency", (0.0, 1.0)),
        ),
        columns="instance budget consistency problems solved cost drivers "
        "seconds cpu_seconds peak_mib",
        key="instance budget consistency",
        budgets=(180,),
        views=(
            Summary(
                "instance consistency",
                "problems: problems .0f; solved: solved .0f; cost: cost cost; "
                "drivers: drivers .2f; seconds: seconds .0f; "
                "CPU, s: cpu_seconds .0f; MiB: peak_mib .0f",
            ),
        ),
    ),
)
