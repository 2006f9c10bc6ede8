"""Many problems at once: depots and days, small instances, workers."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.dispatch import (
    EXPLORATION,
    solve_by_vroom,
    why_vroom_is_absent,
)
from benchmarks.experiments.routes import OURS, beside_peers
from benchmarks.harness.cases import data_folder, file_cases
from benchmarks.harness.experiment import Case, Experiment, Variant, vary
from benchmarks.harness.processes import COMMAND, run_process
from benchmarks.harness.views import Differences, Summary
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.core.text_files import replacing
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.days import compare_days
from ncc_routing.problems.routes.solution import Solution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Allowance

SEED: Final = 20_261_130
NUM_DAYS, NUM_ORDERS, NUM_CUSTOMERS = 20, 100, 200
"""Days of a depot, orders of a day, and the customers who place them."""

CAPACITY: Final = 55
"""Of a vehicle, about ten orders."""

TOLERANCE: Final = 1e-9
"""Share by which a cost may differ from the optimum."""

NUM_PROBLEMS, ITERATIONS = 200, 100_000
"""Problems for the workers, and the iterations of each."""


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
        rows = _manifest(Path(name))
        solved = [row for row in rows if not row["error"]]
        return {
            "problems": len(rows),
            "solved": len(solved),
            "cost": fmean(float(row["cost"]) for row in solved),
            "drivers": _mean_drivers(Path(name), solved),
            **_taken(ended),
        }


def _manifest(folder: Path) -> list[dict[str, str]]:
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _mean_drivers(folder: Path, rows: Sequence[dict[str, str]]) -> float:
    """Return the drivers of a customer over the days of a depot."""
    found = []
    for _, days in groupby(rows, lambda row: row["name"].partition("-")[0]):
        results = [nr.Result.read(folder / row["file"]) for row in days]
        found.append(compare_days(results).mean_drivers)
    return round(fmean(found), 4)


def _taken(ended: Any) -> dict[str, float]:
    return {
        "seconds": ended.seconds,
        "cpu_seconds": ended.cpu_seconds,
        "peak_mib": ended.peak_mib,
    }


def all_of_xml100() -> Path:
    """Return the folder of the 10,000 files, with ``optima.csv`` beside."""
    return data_folder("cvrp", "XML100-all")


def why_no_xml100() -> str | None:
    """Return why the 10,000 files are missing, ``None`` where they are not."""
    try:
        all_of_xml100()
    except NccRoutingError as error:
        return str(error)
    return None


def optima(folder: Path) -> dict[str, float]:
    """Return the optimum of each instance."""
    with (folder / "optima.csv").open(encoding="utf-8", newline="") as file:
        return {r["name"]: float(r["optimum"]) for r in csv.DictReader(file)}


def solve_folder(
    folder: Path, _seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve all instances of a folder by one command."""
    known = optima(folder)
    with TemporaryDirectory() as name:
        ended = run_process(
            [
                *(*COMMAND, "solve-many", str(folder), "--workers", "2"),
                *("--time-limit", str(budget), "--output", name),
            ]
        )
        rows = _manifest(Path(name))
    solved = [row for row in rows if not row["error"]]
    gaps = [float(row["cost"]) / known[row["name"]] - 1.0 for row in solved]
    optimal = [gap <= TOLERANCE for gap in gaps]
    return {
        "problems": len(rows),
        "solved": len(solved),
        "gap_percent": 100.0 * fmean(gaps),
        "optimal_percent": 100.0 * fmean(optimal),
        "slowest": max(float(row["runtime_seconds"]) for row in solved),
        **_taken(ended),
    }


def sample_of_xml100() -> list[Case]:
    """Return 200 of the 10,000 instances, with their optima."""
    folder = data_folder("cvrp", "XML100")
    known = optima(folder)
    return [
        Case(case.name, case.load, partial(_given, known[case.name]))
        for case in file_cases(sorted(folder.glob("*.vrp")))
    ]


def _given(cost: float, _instance: object) -> float:
    return cost


def by_vroom(
    instance: nr.Instance, _seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve a CVRP by VROOM, which ends by itself or at the limit."""
    places = np.arange(instance.num_customers + 1)
    lengths = instance.lengths(places[:, None], places).astype(int)
    loads = instance.demands.tolist()
    least = -(-sum(loads) // instance.capacity)
    problem = {
        "vehicles": [
            {
                "id": number,
                "start_index": 0,
                "end_index": 0,
                "capacity": [int(instance.capacity)],
            }
            for number in range(1, 2 + least + least // 5)
        ],
        "jobs": [
            {"id": int(one), "location_index": int(one), "delivery": [load]}
            for one, load in zip(places[1:], loads[1:], strict=True)
        ],
        "matrices": {"car": {"durations": lengths.tolist()}},
    }
    answer, taken = solve_by_vroom(problem, float(budget or 0.0))
    routes = [
        [step["job"] for step in route["steps"] if step["type"] == "job"]
        for route in answer["routes"]
    ]
    found = Solution.from_routes(instance, routes)
    return {
        "cost": found.cost,
        "num_routes": found.num_routes,
        "feasible": not check_solution(instance, found),
        "cpu_seconds": taken,
        "version": version("pyvroom"),
        "options": f"exploration {EXPLORATION}",
    }


def by_workers(
    problems: Sequence[nr.Instance],
    seed: int,
    _budget: Allowance,
    *,
    workers: int,
) -> dict[str, Any]:
    """Solve problems by Dask, on some workers of this machine."""
    from distributed import Client
    from joblib import parallel_config

    options = {"n_workers": workers, "threads_per_worker": 1}
    stop = nr.stop.MaxIterations(ITERATIONS)
    with (
        Client(**options, dashboard_address=None),
        parallel_config(backend="dask"),
    ):
        # The processes start before the clock does.
        list(nr.solve_many(problems[: 2 * workers], stop, jobs=-1))
        begun = time.perf_counter()
        found = dict(nr.solve_many(problems, stop, seed=seed, jobs=-1))
        seconds = time.perf_counter() - begun
    costs = [one.cost for one in found.values() if isinstance(one, nr.Result)]
    return {
        "problems": len(costs),
        "cost": fmean(costs),
        "seconds": round(seconds, 3),
    }


def problems_of_workers() -> list[nr.Instance]:
    """Return the problems that workers share."""
    return [
        generate_uchoa(NUM_ORDERS, SEED + number)
        for number in range(NUM_PROBLEMS)
    ]


def depots(*numbers: int) -> list[Case]:
    """Return tables of some depots."""
    return [Case(f"depots-{n}", partial(write_depots, n)) for n in numbers]


TAKEN = "seconds: seconds .0f; CPU, s: cpu_seconds .0f; MiB: peak_mib .0f"

_XML100 = beside_peers(
    "peers_xml100",
    sample_of_xml100,
    (0.1, 0.3, 1.0),
    (
        Summary(
            "seconds solver",
            "runs; failed; gap %: gap_percent .3f; wall, s: taken .2f; "
            "CPU, s: cpu_seconds .2f",
        ),
        Differences("solver", OURS, "gap_percent", "seconds"),
    ),
    ("HGS-CVRP", "PyVRP"),
)

EXPERIMENTS = (
    replace(
        _XML100,
        variants=(
            *_XML100.variants,
            Variant("VROOM", by_vroom, why_absent=why_vroom_is_absent),
        ),
    ),
    Experiment(
        "many_xml100",
        cases=lambda: [Case("XML100", all_of_xml100)],
        variants=(Variant(OURS, solve_folder, why_absent=why_no_xml100),),
        columns="instance budget problems solved gap_percent optimal_percent "
        "slowest seconds cpu_seconds peak_mib",
        key="instance budget",
        budgets=(0.3,),
        views=(
            Summary(
                "budget",
                "problems: problems .0f; solved: solved .0f; gap %: "
                f"gap_percent .3f; optimal %: optimal_percent .1f; {TAKEN}",
            ),
        ),
    ),
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
                f"drivers: drivers .2f; {TAKEN}",
            ),
        ),
    ),
    Experiment(
        "many_workers",
        cases=lambda: [Case("n100", problems_of_workers)],
        variants=vary(by_workers, "workers", (1, 2)),
        columns="instance workers seed problems cost seconds",
        key="instance workers seed",
        seeds=(1, 2, 3),
        views=(
            Summary(
                "workers",
                "runs; problems: problems .0f; cost: cost cost; "
                "seconds: seconds .1f",
            ),
        ),
    ),
)
