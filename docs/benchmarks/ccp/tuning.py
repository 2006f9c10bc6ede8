"""Choose the parameters of the clustering solver on generated instances.

``python docs/benchmarks/ccp/tuning.py {medians|inertia} [--share 0.2]``, from
the root of the repository, appends to ``tuning_medians.csv`` or
``tuning_inertia.csv`` beside this file and prints the mean of each choice.
What is in the file already is not run again. The clock of the medians is
processor time, so that other work on the machine does not count: ``share``
times n / 50 seconds, at least 5 and at most 60.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
from tuning_sets import median_sets, mixtures

from ncc_routing.ccp.local_search.search import (
    SearchParams,
    cluster_by_search,
)
from ncc_routing.ccp.medians.annealing import (
    AnnealingParams,
    cluster_by_annealing,
)
from ncc_routing.core.deadline import Deadline

FIELDS = ("choice", "instance", "seed", "share", "cost", "cpu_seconds")
CHANGES: dict[str, dict[str, Any]] = {
    "default": {},
    "openings 0": {"openings": 0.0},
    "openings 0.1": {"openings": 0.1},
    "price 0.3": {"price": 0.3},
    "price 4": {"price": 4.0},
    "global share 0.25": {"global_share": 0.25},
    "global share 0.75": {"global_share": 0.75},
    "high 0.2": {"start_temperature": 0.2},
    "low 0.02": {"end_temperature": 0.02},
    "low 0.005": {"end_temperature": 0.005},
    "local high 0.1": {"local_start_temperature": 0.1},
    "effort 30": {"effort": 30},
    "effort 120": {"effort": 120},
}
STRICT: dict[str, Any] = {"excess": 0.0, "local_price": 1.0}
MEDIANS = {
    **{f"strict, {k}": {**STRICT, **v} for k, v in CHANGES.items()},
    "excess 0": {"excess": 0.0},
    "local price 1": {"local_price": 1.0},
    **CHANGES,
}
"""Choices of ``AnnealingParams``; "strict" ones never allow an excess."""

INERTIA = {
    "8 starts": SearchParams(8, 0),
    "1 start, 8 kicks": SearchParams(1, 8),
    "1 start, 16 kicks": SearchParams(1, 16),
    "1 start, 24 kicks": SearchParams(1, 24),
    "2 starts, 8 kicks": SearchParams(2, 8),
    "2 starts, 16 kicks": SearchParams(2, 16),
    "2 starts, 24 kicks": SearchParams(2, 24),
    "1 start, 200 kicks": SearchParams(1, 200),
}


def main() -> None:
    """Run what is missing; print the mean of each choice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problem", choices=("medians", "inertia"))
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--choices", nargs="*")
    arguments = parser.parse_args()
    problem = arguments.problem
    target = Path(__file__).with_name(f"tuning_{problem}.csv")
    choices: dict[str, AnnealingParams | SearchParams] = {**INERTIA}
    if problem == "medians":
        choices = {k: AnnealingParams(**v) for k, v in MEDIANS.items()}
    share = arguments.share if problem == "medians" else 1.0
    rows = _read(target)
    instances = median_sets() if problem == "medians" else mixtures(60)
    warm = True
    for name, params in choices.items():
        if arguments.choices and name not in arguments.choices:
            continue
        for points in instances:
            for seed in range(1, arguments.seeds + 1):
                key = (name, points.name, str(seed), str(share))
                if key in rows:
                    continue
                if warm:
                    _solve(points, params, 0, 0.01)
                    warm = False
                begun = time.process_time()
                cost = _solve(points, params, seed, share)
                spent = round(time.process_time() - begun, 5)
                rows[key] = (cost, spent)
                _append(target, (*key, cost, spent))
    _report(rows)


def _solve(points, params, seed: int, share: float) -> float:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    count = points.num_clusters
    if isinstance(params, SearchParams):
        return cluster_by_search(points, count, params=params, rng=rng).cost
    limit = share * min(60.0, max(5.0, points.num_points / 50))
    return cluster_by_annealing(
        points, count, params=params, rng=rng,
        deadline=Deadline(limit, clock=time.process_time),
    ).cost  # fmt: skip


def _report(rows: dict[tuple[str, ...], tuple[float, float]]) -> None:
    """Print each choice's mean gap to the best of all runs, and time."""
    best: dict[str, float] = {}
    for (_, name, *_), (cost, _) in rows.items():
        best[name] = min(cost, best.get(name, cost))
    for choice in dict.fromkeys((key[0], key[3]) for key in rows):
        mine = [k for k in rows if (k[0], k[3]) == choice]
        gaps = [100.0 * (rows[k][0] / best[k[1]] - 1.0) for k in mine]
        mean = np.mean([rows[k][0] for k in mine])
        print(
            f"{choice[0]:<20} share {choice[1]} runs {len(mine):3d} "
            f"gap {np.mean(gaps):.3f} % worst {max(gaps):.2f} % "
            f"cost {mean:.5f} cpu {np.mean([rows[k][1] for k in mine]):.4f} s"
        )


def _read(file: Path) -> dict[tuple[str, ...], tuple[float, float]]:
    if not file.exists():
        return {}
    with file.open(newline="", encoding="utf-8") as text:
        return {
            tuple(row[field] for field in FIELDS[:4]): (
                float(row["cost"]),
                float(row["cpu_seconds"]),
            )
            for row in csv.DictReader(text)
        }


def _append(file: Path, values: tuple[object, ...]) -> None:
    is_new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as text:
        writer = csv.writer(text, lineterminator="\n")
        if is_new:
            writer.writerow(FIELDS)
        writer.writerow(values)


if __name__ == "__main__":
    main()
