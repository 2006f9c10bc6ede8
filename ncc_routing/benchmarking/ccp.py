"""The tables of the clustering problem, one command each.

``python -m ncc_routing.benchmarking.ccp TABLE [--output DIR] ...`` with TABLE
one of gmm, cpmp, growth, ablation, paper writes TABLE.csv and TABLE.md. Each
row is written as soon as it is known; a table that was interrupted goes on
where it stopped.
"""

from __future__ import annotations

import argparse
import csv
import logging
import math
import multiprocessing
import os
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.benchmarking.ccp_pages import PAPER_FIGURES, write_page
from ncc_routing.ccp.baselines.capkmeans import cluster_capkmeans
from ncc_routing.ccp.local_search.search import (
    SearchParams,
    cluster_by_search,
)
from ncc_routing.ccp.solve import cluster as run_method
from ncc_routing.clustering.objectives import spectral_inertia
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.generators.mixtures import generate_gmm
from ncc_routing.io.points import read_points
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.clusters import Clustering

    Row = dict[str, Any]

logger = logging.getLogger(__name__)

EFFORTS = {"ckm-quick": (2, 24), "ckm-thorough": (1, 200)}
"""Starts and kicks of the two efforts in the table gmm."""

MATHEURISTICS = ("gb21", "pack")
MATHEURISTIC_SECONDS = 2.0
"""Their limit on a Gaussian mixture where none is given."""

METHODS = {
    "gmm": (
        "ckm-quick", "ckm-thorough", "random", "rnd-nn", "topk-nn",
        "capkmeans", "capkmeans-alt", "gb21", "pack",
    ),
    "cpmp": ("ckm", "gb21"),
    "growth": ("ckm",),
    "ablation": (
        "capkmeans topk x1", "capkmeans k-means++ x1", "capkmeans ckm++ x1",
        "capkmeans k-means++ x8", "capkmeans ckm++ x8",
    ),
    "paper": ("ckm-quick", "ckm-thorough", "capkmeans", "gb21"),
}  # fmt: skip
"""Methods of each table; of the ablation also first centers and starts."""

GROWTH_SIZES = (1_000, 10_000, 100_000, 1_000_000)
FIELDS = (
    "table", "instance", "num_points", "num_clusters", "method", "seed",
    "time_limit", "objective", "feasible", "cost", "inertia",
    "spectral_inertia", "bks", "gap_percent", "seconds", "cpu_seconds",
    "peak_mb", "load_average",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Task:
    """One run of a table.

    Parameters
    ----------
    table
        Name of the table.
    points
        What to cluster.
    method
        Name of the method, one of ``METHODS[table]``.
    seed
        Seed of the run.
    limit
        Time limit in seconds, if any.
    bks
        Best known cost, if any.
    """

    table: str
    points: PointSet
    method: str
    seed: int
    limit: float | None = None
    bks: float | None = None

    def solve(self) -> Clustering:
        """Return what the method finds."""
        points, seed = self.points, self.seed
        count = points.num_clusters or points.min_num_clusters
        if self.method in EFFORTS:
            return cluster_by_search(
                points,
                count,
                params=SearchParams(*EFFORTS[self.method]),
                rng=np.random.default_rng(seed),
            )
        if self.table == "ablation":
            _, init, starts = self.method.split()
            return cluster_capkmeans(
                points,
                count,
                init=init,
                num_starts=int(starts[1:]),
                rng=np.random.default_rng(seed),
            )
        return run_method(
            points,
            count,
            method=self.method,
            objective="cpmp" if self.table == "cpmp" else "inertia",
            seed=seed,
            deadline=Deadline(self.limit),
        )


def measure(task: Task) -> Row:
    """Run once and return the figures; infeasible is a result."""
    points = task.points
    row: Row = dict.fromkeys(FIELDS, "")
    row.update(
        table=task.table,
        instance=points.name,
        num_points=points.num_points,
        num_clusters=points.num_clusters,
        method=task.method,
        seed=task.seed,
        time_limit="" if task.limit is None else task.limit,
        load_average=round(os.getloadavg()[0], 1),
    )
    begun, cpu = time.perf_counter(), _cpu_seconds()
    try:
        found = task.solve()
    except NccRoutingError as error:
        logger.info("%s: %s", points.name, error)
        found = None
    row["seconds"] = round(time.perf_counter() - begun, 5)
    row["cpu_seconds"] = round(_cpu_seconds() - cpu, 5)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row.update(peak_mb=round(peak / 1024), feasible=False)
    if found is not None:
        row.update(
            feasible=not check_clustering(points, found, points.num_clusters),
            objective=found.objective,
            cost=found.cost,
            inertia=found.inertia,
            spectral_inertia=spectral_inertia(points, found),
        )
    if found is not None and task.bks is not None:
        gap = 100.0 * (found.cost / task.bks - 1.0)
        row.update(bks=task.bks, gap_percent=gap)
    return row


def _cpu_seconds() -> float:
    """Return the processor time of this process and its ended children.

    HiGHS may run in a child process.
    """
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def tasks_of(arguments: argparse.Namespace) -> Iterator[Task]:
    """Yield the runs of a table, an instance at a time."""
    table = arguments.table
    best: dict[str, float] = {}
    if table == "cpmp":
        best = best_known(arguments.data / "ccp" / "cpmp_bks.csv")
    for points in points_of(arguments):
        if arguments.only and points.name not in arguments.only:
            continue
        for method in arguments.methods or METHODS[table]:
            limit = arguments.time_limit
            if limit is None and table == "cpmp":
                limit = min(60.0, max(5.0, points.num_points / 50))
            elif limit is None and method in MATHEURISTICS:
                limit = MATHEURISTIC_SECONDS
                if table == "paper":
                    limit = 10.0 * MATHEURISTIC_SECONDS
            for seed in range(1, arguments.seeds + 1):
                yield Task(
                    table, points, method, seed, limit, best.get(points.name)
                )


def points_of(arguments: argparse.Namespace) -> Iterator[PointSet]:
    """Yield the instances of a table."""
    if arguments.table in ("gmm", "ablation"):
        yield from generate_gmm(100)[: arguments.first]
    elif arguments.table == "growth":
        for size in GROWTH_SIZES:
            yield uniform_points(size)
    else:
        for points in benchmark_sets(arguments.data):
            if arguments.table == "cpmp":
                yield points
            elif points.name in PAPER_FIGURES:
                yield in_paper_units(points)


def uniform_points(size: int) -> PointSet:
    """Return uniform points with K = n / 100, loads at 91 %."""
    rng = np.random.default_rng(size)
    weights = rng.integers(1, 11, size)
    count = size // 100
    return PointSet(
        rng.random((size, 2)),
        weights,
        math.ceil(1.1 * float(weights.sum()) / count),
        f"uniform-{size}",
        num_clusters=count,
    )


def in_paper_units(points: PointSet) -> PointSet:
    """Scale coordinates and weights as the paper's program did.

    Both axes are moved by the global minimum and divided by the global
    maximum. The capacity stays exact: the program divided by Q + 1.
    """
    coords = points.coords + max(0.0, -float(points.coords.min()))
    coords = coords - coords.min()
    return PointSet(
        coords / coords.max(),
        points.weights,
        points.capacity,
        points.name,
        num_clusters=points.num_clusters,
    )


def benchmark_sets(data: Path) -> Iterator[PointSet]:
    """Yield the p-median instances, the small ones first."""
    files = [
        file
        for folder in ("osman_christofides", "sjc", "stefanello2015")
        for file in sorted((data / "ccp" / folder).iterdir())
        if file.suffix in (".txt", ".dat")
    ]
    for file in files:
        is_rounded = file.parent.name == "osman_christofides"
        yield read_points(file, rounding="floor" if is_rounded else "none")


def best_known(path: Path) -> dict[str, float]:
    """Return the best value of each instance, reported ones included."""
    with path.open(newline="", encoding="utf-8") as file:
        return {
            row["instance"]: min(
                float(row[column])
                for column in (
                    "best_verified_feasible_here",
                    "better_value_reported",
                )
                if row[column]
            )
            for row in csv.DictReader(file)
        }


def main(argv: list[str] | None = None) -> None:
    """Run one table from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=METHODS)
    parser.add_argument("--output", type=Path, default=Path("."))
    default = os.environ.get("NCC_ROUTING_DATA", "data")
    parser.add_argument("--data", type=Path, default=Path(default))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--methods", nargs="*")
    parser.add_argument("--time-limit", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args(argv)
    arguments.output.mkdir(parents=True, exist_ok=True)
    file = arguments.output / f"{arguments.table}.csv"
    done = _known(file)
    tasks = (
        task
        for task in tasks_of(arguments)
        if (task.points.name, task.method, str(task.seed)) not in done
    )
    run = _in_processes if arguments.jobs > 1 else _here
    if arguments.table == "growth":
        # Each size in a process of its own: its peak memory is that.
        run = _one_process_each
    for row in run(tasks, arguments.jobs):
        _append(file, row)
    write_page(file)


def _here(tasks: Iterator[Task], _jobs: int) -> Iterator[Row]:
    _warm_up()
    yield from map(measure, tasks)


def _in_processes(tasks: Iterator[Task], jobs: int) -> Iterator[Row]:
    _warm_up()  # once, so that the processes find everything compiled
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, initializer=_warm_up) as pool:
        yield from pool.map(measure, list(tasks))


def _one_process_each(tasks: Iterator[Task], _jobs: int) -> Iterator[Row]:
    for task in tasks:
        yield from _in_processes(iter([task]), 1)


def _warm_up() -> None:
    """Load or compile what will be timed."""
    points = generate_gmm(1, 30)[0]
    for objective in ("inertia", "cpmp"):
        run_method(points, 12, objective=objective)
    cluster_capkmeans(points, 12, rng=np.random.default_rng(0))


def _known(file: Path) -> set[Any]:
    if not file.exists():
        return set()
    with file.open(newline="", encoding="utf-8") as text:
        return {
            (row["instance"], row["method"], row["seed"])
            for row in csv.DictReader(text)
        }


def _append(file: Path, row: Row) -> None:
    is_new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


if __name__ == "__main__":
    main()
