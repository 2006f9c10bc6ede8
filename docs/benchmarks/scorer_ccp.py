"""Compare ``ncc`` with ``ckm`` on the capacitated clustering problem.

Run from the root of the repository:

    python docs/benchmarks/scorer_ccp.py weight OUT.csv [WEIGHTS]
    python docs/benchmarks/scorer_ccp.py labels OUT.csv OURS GB21
    python docs/benchmarks/scorer_ccp.py generated OUT.csv [WEIGHTS]
    python docs/benchmarks/scorer_ccp.py gmm OUT.csv
    python docs/benchmarks/scorer_ccp.py cpmp OUT.csv

``weight`` chooses the weight of the score, on mixtures of validation seeds.
``labels`` compares two folders of labels of the same mixtures.
``generated`` compares on mixtures of held-out seeds, ``gmm`` on the 100
mixtures of the published test set, ``cpmp`` on the p-median sets in the folder
of ``NCC_ROUTING_DATA``. The last two are for reporting alone. WEIGHTS is a
file of weights in place of the shipped one. On the p-median sets a third
method tells the network from its being given a start: ``ckm started`` is
``ckm`` from the first clustering by distances.

Time is processor time of one thread, with kernels and network loaded before;
the network and its features count. Efforts: ``first`` is one clustering by
regret, ``sampling`` the eight starts of the paper's Algorithm 2, both without
any search; ``quick`` and ``thorough`` are those of the table gmm; a number is
a budget of seconds, and ``n/500`` one that grows with the points. Gaps are to
the best of all runs on an instance, or to the best known cost of a p-median
problem.
"""

from __future__ import annotations

import csv
import logging
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from ncc_routing.benchmarking.ccp import (
    EFFORTS,
    benchmark_sets,
    best_known,
)
from ncc_routing.ccp.local_search.search import (
    SearchParams,
    cluster_by_search,
)
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.ncc import GREEDY, SAMPLING, first_clustering
from ncc_routing.clustering.capacitated_kmeans import capacitated_kmeans
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.priority import RegretPriority
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.generators.mixtures import generate_gmm
from ncc_routing.learning.label_problems import ccp_instance
from ncc_routing.learning.labels import read_labels
from ncc_routing.problems.checking import check_clustering
from ncc_routing.scoring.predictor import load_predictor, shipped_predictor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet
    from ncc_routing.scoring.predictor import PairPredictor

WEIGHTS = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0)
VALIDATION_SEED = 2_500_000
NUM_VALIDATION = 60
HELD_OUT_SEED = 3_000_000
HELD_OUT_SIZES = tuple(range(100, 1000, 45))
METHODS = ("ckm", "ncc", "ckm started")
ENDLESS = 1_000_000
FIELDS = (
    "instance", "num_points", "num_clusters", "method", "effort", "seconds",
    "cost", "reference", "gap_percent",
)  # fmt: skip

_logger = logging.getLogger("scorer_ccp")


def first(
    points: PointSet,
    scorer: PairPredictor | None,
    *,
    sampling: bool = False,
    weight: float | None = None,
    seed: int = 1,
) -> np.ndarray | None:
    """Return a clustering without a search, by the scorer or by distance."""
    count, rng = points.num_clusters, np.random.default_rng(seed)
    if scorer is not None:
        return first_clustering(
            scorer, points, count, sampling=sampling, weight=weight, rng=rng
        )
    try:
        return capacitated_kmeans(
            points, count, priority=RegretPriority(),
            params=SAMPLING if sampling else GREEDY, rng=rng,
        ).labels  # fmt: skip
    except InfeasibleError:
        return None


def solve(
    points: PointSet,
    objective: str,
    effort: str,
    method: str,
    scorer: PairPredictor,
) -> Clustering | None:
    """Cluster by a method with an effort."""
    judge = scorer if method == "ncc" else None
    count = points.num_clusters
    if effort in ("first", "sampling"):
        labels = first(points, judge, sampling=effort == "sampling")
        if labels is None:
            return None
        return summarize(points, labels, count, objective)
    rng = np.random.default_rng(1)
    deadline, params = None, None
    if effort not in EFFORTS:
        is_share = effort == "n/500"
        seconds = points.num_points / 500 if is_share else float(effort)
        deadline = Deadline(seconds, clock=time.process_time)
        params = SearchParams(num_kicks=ENDLESS)
    start = None if method == "ckm" else first(points, judge)
    if objective != "inertia":
        return cluster_by_annealing(
            points, count, objective=objective, start=start, rng=rng,
            deadline=deadline,
        )  # fmt: skip
    return cluster_by_search(
        points, count, start=start, rng=rng, deadline=deadline,
        params=params or SearchParams(*EFFORTS[effort]),
    )  # fmt: skip


def instances(
    source: str,
) -> Iterator[tuple[PointSet, str, tuple[str, ...], float]]:
    """Yield points, objective, efforts and the best known cost."""
    names = ("first", "sampling", *EFFORTS)
    if source == "generated":
        for number, size in enumerate(HELD_OUT_SIZES):
            points = ccp_instance(size, HELD_OUT_SEED + number)
            yield points, "inertia", (*names, "0.05", "0.2"), np.inf
    elif source == "gmm":
        for points in generate_gmm(100):
            yield points, "inertia", (*names, "0.05"), np.inf
    else:
        data = Path(os.environ["NCC_ROUTING_DATA"])
        known = best_known(data / "ccp" / "cpmp_bks.csv")
        for points in benchmark_sets(data):
            if points.rounding == "none":
                best = known[points.name]
                yield points, "cpmp", ("first", "0.5", "n/500"), best


def compare(source: str, output: Path, scorer: PairPredictor) -> None:
    """Run both methods at every effort and write the table."""
    warm, objective, efforts, _ = next(iter(instances(source)))
    for effort in ("0.01", *set(efforts) & {"first", "sampling", *EFFORTS}):
        for method in METHODS:
            solve(warm, objective, effort, method, scorer)
    methods = METHODS if source == "cpmp" else METHODS[:2]
    gaps: dict[tuple[str, str], list[float]] = {}
    times: dict[tuple[str, str], list[float]] = {}
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for points, objective, efforts, reference in instances(source):
            runs = []
            for effort in efforts:
                for method in methods:
                    begun = time.process_time()
                    found = solve(points, objective, effort, method, scorer)
                    spent = time.process_time() - begun
                    cost = np.nan
                    if found is not None:
                        cost = found.cost
                        broken = check_clustering(
                            points, found, points.num_clusters
                        )
                        if broken:
                            raise RuntimeError(f"{points.name}: {broken[0]}")
                    runs.append((method, effort, spent, cost))
            best = min(reference, np.nanmin([run[-1] for run in runs]))
            for method, effort, spent, cost in runs:
                gap = 100.0 * (cost / best - 1.0)
                gaps.setdefault((method, effort), []).append(gap)
                times.setdefault((method, effort), []).append(spent)
                writer.writerow(
                    [points.name, points.num_points, points.num_clusters,
                     method, effort, round(spent, 4), cost, best,
                     round(gap, 4)]
                )  # fmt: skip
            file.flush()
    _report(gaps, times)


def _report(
    gaps: dict[tuple[str, str], list[float]],
    times: dict[tuple[str, str], list[float]],
) -> None:
    for method, effort in gaps:
        if method == "ckm":
            continue
        ours, other = (np.array(gaps[m, effort]) for m in (method, "ckm"))
        both = np.isfinite(ours) & np.isfinite(other)
        change = (ours - other)[both]
        _logger.info(
            "%-9s ckm %.3f %% %.4f s, %s %.3f %% %.4f s, difference "
            "%.3f +- %.3f, %d of %d", effort, other[both].mean(),
            np.mean(times["ckm", effort]), method, ours[both].mean(),
            np.mean(times[method, effort]), change.mean(),
            change.std(ddof=1) / len(change) ** 0.5, len(change), len(ours),
        )  # fmt: skip


def calibrate(output: Path, scorer: PairPredictor) -> None:
    """Compare weights of the score: the first clustering, and a descent."""
    gaps: dict[tuple[str, float], list[float]] = {}
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["instance", "num_points", "num_clusters", "weight", "effort",
             "inertia", "reference", "gap_percent"]
        )  # fmt: skip
        for number in range(NUM_VALIDATION):
            size = int(np.random.default_rng(number).integers(100, 401))
            points = ccp_instance(size, VALIDATION_SEED + number)
            count = points.num_clusters
            search = partial(
                cluster_by_search, points, count, rng=np.random.default_rng(1)
            )
            reference = search(params=SearchParams(8, size)).inertia
            for weight in WEIGHTS:
                found = scorer if weight > 0 else None
                labels = first(points, found, weight=weight)
                costs = dict.fromkeys(("first", "descent"), np.nan)
                if labels is not None:
                    answer = summarize(points, labels, count, "inertia")
                    costs["first"] = answer.inertia
                    costs["descent"] = search(
                        start=labels, params=SearchParams(1, 0)
                    ).inertia
                for effort, cost in costs.items():
                    gap = 100.0 * (cost / reference - 1.0)
                    gaps.setdefault((effort, weight), []).append(gap)
                    writer.writerow(
                        [points.name, size, count, weight, effort, cost,
                         reference, round(gap, 4)]
                    )  # fmt: skip
            file.flush()
    for (effort, weight), values in gaps.items():
        column = np.array(values)
        change = (column - np.array(gaps[effort, 0.0]))[np.isfinite(column)]
        _logger.info(
            "%-8s weight %.2f: gap %.3f %%, difference %.3f +- %.3f, "
            "%d infeasible", effort, weight, np.nanmean(column),
            np.nanmean(change), np.nanstd(change) / len(change) ** 0.5,
            np.isnan(column).sum(),
        )  # fmt: skip


def compare_labels(output: Path, ours: Path, other: Path) -> None:
    """Write the inertia of both labels of each mixture."""
    ratios = []
    with output.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["instance", "num_points", "ours", "gb21"])
        for one, two in zip(
            read_labels([ours]), read_labels([other]), strict=True
        ):
            points = cast("PointSet", one.instance)
            costs = (float(one.costs.min()), float(two.costs.min()))
            ratios.append(costs[1] / costs[0])
            writer.writerow([points.name, points.num_points, *costs])
    _logger.info(
        "gb21 %.3f %% above ours, %d mixtures, %d better",
        100.0 * (np.mean(ratios) - 1.0), len(ratios),
        np.sum(np.array(ratios) < 1.0),
    )  # fmt: skip


def main(source: str, output: Path, paths: list[Path]) -> None:
    """Run what the first argument names."""
    if source == "labels":
        compare_labels(output, *paths)
        return
    if paths:
        scorer = load_predictor(paths[0])
    else:
        scorer = shipped_predictor("ncc-ccp")
    if source == "weight":
        calibrate(output, scorer)
    else:
        compare(source, output, scorer)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main(sys.argv[1], Path(sys.argv[2]), [Path(p) for p in sys.argv[3:]])
