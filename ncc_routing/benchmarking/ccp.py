"""The tables of the clustering problem, one command each.

``python -m ncc_routing.benchmarking.ccp TABLE [--output DIR] ...`` with TABLE
one of gmm, cpmp, growth, ablation, paper. Each row is written as soon as it
is known; a table that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import csv
import logging
import math
import os
import resource
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.baselines.capkmeans import cluster_capkmeans
from ncc_routing.ccp_methods import run_method
from ncc_routing.checking import check_clustering
from ncc_routing.clustering.local_search import (
    SearchParams,
    cluster_by_search,
)
from ncc_routing.clustering.objectives import spectral_inertia
from ncc_routing.deadline import Deadline
from ncc_routing.exceptions import NccRoutingError
from ncc_routing.generators.ccp import generate_gmm
from ncc_routing.points import PointSet
from ncc_routing.points_files import read_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ncc_routing.clusters import Clustering

    Row = dict[str, Any]

logger = logging.getLogger(__name__)

TABLES = ("gmm", "cpmp", "growth", "ablation", "paper")
EFFORTS = {"ckm-quick": (2, 24), "ckm-thorough": (1, 200)}
"""Starts and kicks of the two efforts in the table gmm."""

GMM_METHODS = (
    "ckm-quick", "ckm-thorough", "random", "rnd-nn", "topk-nn", "capkmeans",
    "capkmeans-alt", "gb21", "pack",
)  # fmt: skip
INITS = (
    ("topk", 1), ("k-means++", 1), ("ckm++", 1), ("k-means++", 8),
    ("ckm++", 8),
)  # fmt: skip
PAPER_NAMES = (
    "ali535_005", "ali535_025", "ali535_050", "fnl4461_0020", "lin318_015",
    "pr2392_020", "rl1304_010", "SJC3a", "SJC4a", "u724_010", "u724_030",
)  # fmt: skip
FIELDS = (
    "table", "instance", "num_points", "num_clusters", "method", "seed",
    "time_limit", "objective", "feasible", "cost", "inertia",
    "spectral_inertia", "bks", "gap_percent", "seconds", "cpu_seconds",
    "peak_mb", "load_average",
)  # fmt: skip


def measure(
    points: PointSet,
    method: str,
    seed: int,
    run: Callable[[], Clustering],
    bks: float | None = None,
) -> Row:
    """Run once and return the figures; infeasible is a result."""
    row: Row = dict.fromkeys(FIELDS, "")
    row.update(
        instance=points.name,
        num_points=points.num_points,
        num_clusters=points.num_clusters,
        method=method,
        seed=seed,
        load_average=round(os.getloadavg()[0], 1),
    )
    begun, cpu = time.perf_counter(), time.process_time()
    try:
        found = run()
    except NccRoutingError as error:
        logger.info("%s: %s", points.name, error)
        row["feasible"] = False
    else:
        broken = check_clustering(points, found, points.num_clusters)
        row.update(
            feasible=not broken,
            objective=found.objective,
            cost=found.cost,
            inertia=found.inertia,
            spectral_inertia=spectral_inertia(points, found),
        )
        if bks is not None:
            row.update(bks=bks, gap_percent=100.0 * (found.cost / bks - 1.0))
    row["seconds"] = round(time.perf_counter() - begun, 5)
    row["cpu_seconds"] = round(time.process_time() - cpu, 5)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row["peak_mb"] = round(peak / 1024)
    return row


def gmm(arguments: argparse.Namespace, done: set[Any]) -> Iterator[Row]:
    """Yield the rows of the 100 Gaussian mixtures of seed 4321."""
    chosen = arguments.methods or GMM_METHODS
    for points in generate_gmm(100)[: arguments.first]:
        for method in chosen:
            for seed in range(1, arguments.seeds + 1):
                if (points.name, method, str(seed)) not in done:
                    yield measure(
                        points,
                        method,
                        seed,
                        _runner(points, method, seed, arguments.time_limit),
                    )


def ablation(arguments: argparse.Namespace, done: set[Any]) -> Iterator[Row]:
    """Yield the rows of the first centers of capacitated k-means."""
    for points in generate_gmm(100)[: arguments.first]:
        for init, starts in INITS:
            for seed in range(1, arguments.seeds + 1):
                method = f"capkmeans {init} x{starts}"
                if (points.name, method, str(seed)) not in done:
                    yield measure(
                        points,
                        method,
                        seed,
                        lambda p=points, i=init, n=starts, s=seed: (  # type: ignore[misc]
                            cluster_capkmeans(
                                p,
                                p.num_clusters,
                                init=i,
                                num_starts=n,
                                rng=np.random.default_rng(s),
                            )
                        ),
                    )


def cpmp(arguments: argparse.Namespace, done: set[Any]) -> Iterator[Row]:
    """Yield the rows of the p-median benchmarks."""
    best = best_known(arguments.data / "ccp" / "cpmp_bks.csv")
    for points in benchmark_sets(arguments.data):
        if arguments.only and points.name not in arguments.only:
            continue
        limit = arguments.time_limit or min(
            60.0, max(5.0, points.num_points / 50)
        )
        for method in arguments.methods or ("ckm",):
            for seed in range(1, arguments.seeds + 1):
                if (points.name, method, str(seed)) in done:
                    continue
                row = measure(
                    points,
                    method,
                    seed,
                    lambda p=points, m=method, s=seed, t=limit: run_method(  # type: ignore[misc]
                        p,
                        p.num_clusters,
                        m,
                        objective="cpmp",
                        seed=s,
                        deadline=Deadline(t),
                    ),
                    best.get(points.name),
                )
                yield {**row, "time_limit": limit}


def paper(arguments: argparse.Namespace, done: set[Any]) -> Iterator[Row]:
    """Yield the rows of the paper's generalisation table (inertia)."""
    for points in benchmark_sets(arguments.data):
        if points.name not in PAPER_NAMES:
            continue
        scaled = in_paper_units(points)
        for method in arguments.methods or ("ckm",):
            for seed in range(1, arguments.seeds + 1):
                if (points.name, method, str(seed)) not in done:
                    run = _runner(scaled, method, seed, arguments.time_limit)
                    yield measure(scaled, method, seed, run)


def growth(arguments: argparse.Namespace, done: set[Any]) -> Iterator[Row]:
    """Yield the rows of uniform points, K = n / 100."""
    for size in (1_000, 10_000, 100_000, 1_000_000):
        rng = np.random.default_rng(size)
        weights = rng.integers(1, 11, size)
        count = size // 100
        points = PointSet(
            rng.random((size, 2)),
            weights,
            math.ceil(1.1 * float(weights.sum()) / count),
            f"uniform-{size}",
            num_clusters=count,
        )
        if (points.name, "ckm", "1") not in done:
            run = _runner(points, "ckm", 1, arguments.time_limit)
            yield measure(points, "ckm", 1, run)


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
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--output", type=Path, default=Path("."))
    default = os.environ.get("NCC_ROUTING_DATA", "data")
    parser.add_argument("--data", type=Path, default=Path(default))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--methods", nargs="*")
    parser.add_argument("--time-limit", type=float)
    arguments = parser.parse_args(argv)
    table = {
        "gmm": gmm,
        "cpmp": cpmp,
        "growth": growth,
        "ablation": ablation,
        "paper": paper,
    }[arguments.table]
    arguments.output.mkdir(parents=True, exist_ok=True)
    file = arguments.output / f"{arguments.table}.csv"
    done = _known(file)
    _warm_up()
    for row in table(arguments, done):
        _append(file, {**row, "table": arguments.table})


def _runner(
    points: PointSet, method: str, seed: int, limit: float | None
) -> Callable[[], Clustering]:
    count = points.num_clusters or points.min_num_clusters
    if method in EFFORTS:
        params = SearchParams(*EFFORTS[method])
        return lambda: cluster_by_search(
            points, count, params=params, rng=np.random.default_rng(seed)
        )
    return lambda: run_method(
        points, count, method, seed=seed, deadline=Deadline(limit)
    )


def _warm_up() -> None:
    """Compile what will be timed."""
    points = generate_gmm(1, 30)[0]
    for objective in ("inertia", "cpmp"):
        run_method(points, 12, "ckm", objective=objective)
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
