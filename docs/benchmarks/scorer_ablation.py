"""What each part of the scorer brings, on generated instances.

Run from the root of the repository, with labels of ``ncc-route label``:

    python docs/benchmarks/scorer_ablation.py rollouts VALIDATION
    python docs/benchmarks/scorer_ablation.py networks VALIDATION TRAINING
    python docs/benchmarks/scorer_ablation.py paper VALIDATION TRAINING FOLDER
    python docs/benchmarks/scorer_ablation.py points
    python docs/benchmarks/scorer_ablation.py plot

The first line varies how the first clustering of a CVRP is made with the
shipped network; the second trains small networks for a few epochs on a part
of the labels and makes first clusterings with each; the third trains the
architecture of the paper on all of them in FOLDER, or goes on there; the
fourth varies Algorithm 2 of the paper on Gaussian mixtures with the shipped
network of the CCP. All append to ``scorer_ablation.csv`` beside this file;
what it holds is not run again. The last line draws ``scorer_ablation.svg``.

For a CVRP the figure is the gap to the best label, with routes by the
built-in router; for mixtures the inertia above that of the best clustering
found by ``cluster_by_search``. Neither is optimal. A mixture has eight runs;
a run that leaves points over has no row.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ncc_routing.ccp.local_search.search import (
    SearchParams,
    cluster_by_search,
)
from ncc_routing.ccp.ncc import point_priority
from ncc_routing.clustering.capacitated_kmeans import (
    INITS,
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.correlation import CorrelationParams
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.generators.mixtures import generate_gmm
from ncc_routing.learning.centers import CenterParams, cluster_by_centers
from ncc_routing.learning.labels import LabelledInstance, read_labels
from ncc_routing.learning.scorer import load_scorer
from ncc_routing.learning.training import (
    BEST,
    CPU_NETWORK,
    CPU_TRAINING,
    train,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.instance import Instance
from ncc_routing.scoring.predictor import (
    PairPredictor,
    load_predictor,
    shipped_predictor,
)
from ncc_routing.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.ncc import SEED_WEIGHT, roll_out
from ncc_routing.vrp.tours.cluster_routes import route_clusters

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet

TARGET = Path(__file__).with_suffix(".csv")
FIELDS = ("series", "value", "instance", "gap_percent", "cpu_seconds")
NUM_VALIDATION = 40
NUM_TRAINING = 300
NUM_EPOCHS = 4
PAPER_WIDTH = 128
PAPER_TRAINING = replace(
    CPU_TRAINING, num_epochs=40, learning_rate=1e-3, decay_epochs=8
)
MIXTURES, MIXTURE_SEED, MIXTURE_RUNS = 40, 98_001, 8
SAMPLES = (1, 2, 4, 8, 16, 32)
MOVES = (0, 100, 300, 1000, 3000, 10_000)
FAR = (-2.0, -4.0, -6.0, -8.0, -10.0)
ALPHAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
WIDTHS = (16, 32, 64, 96)
DEGREES = (4, 8, 16, 32)
LAYERS = (1, 2, 3, 5)
Row = tuple[str, str, str]
Make = Callable[[Instance], list[np.ndarray]]


def cvrp_gaps(
    entries: Iterable[LabelledInstance], make: Make
) -> Iterator[tuple[str, float, float]]:
    """Yield instance, gap and processor time of a first clustering."""
    for entry in entries:
        instance = cast("Instance", entry.instance)
        begun = time.process_time()
        clusters = make(instance)
        seconds = time.process_time() - begun
        solution = route_clusters(instance, clusters, router="local-search")
        broken = check_solution(instance, solution)
        if broken:
            raise RuntimeError(f"{instance.name}: {broken[0]}")
        gap = 100.0 * (solution.cost / float(entry.costs.min()) - 1.0)
        yield instance.name, gap, seconds


def assign(
    instance: Instance, scorer: PairPredictor | None
) -> list[np.ndarray]:
    """Return the assignment alone, classical without a scorer."""
    priority = None
    if scorer is not None:
        priority = ScorerPriority.of(scorer, instance, weight=SEED_WEIGHT)
    params = CkmParams(trials_per_customer=0)
    return cluster_ckm(instance, priority=priority, params=params)


def vote(
    instance: Instance,
    scorer: PairPredictor,
    num_samples: int = 1,
    **params: Any,
) -> list[np.ndarray]:
    """Return the first clustering of ``ncc``."""
    return roll_out(
        instance,
        ScorerPriority.of(scorer, instance),
        num_samples=num_samples,
        params=CorrelationParams(**params),
    )


def rollout_choices() -> Iterator[tuple[str, str, Make]]:
    """Yield the ways to make the first clustering of a CVRP."""
    scorer = shipped_predictor()
    yield "first clustering", "ckm", partial(assign, scorer=None)
    yield "first clustering", "no vote", partial(assign, scorer=scorer)
    yield "first clustering", "ncc", partial(vote, scorer=scorer)
    varied: list[tuple[str, str, Iterable[float]]] = [
        ("number of samples", "num_samples", SAMPLES),
        ("moves per customer", "moves_per_point", MOVES),
        ("log-odds of far pairs", "far_log_odds", FAR),
    ]
    for series, field, values in varied:
        for value in values:
            choice: dict[str, Any] = {field: value}
            make = partial(vote, scorer=scorer, **choice)
            yield series, str(value), make


def run_rollouts(rows: dict[Row, object], validation: Path) -> None:
    """Vary the first clustering with the shipped network."""
    entries = read_labels([validation])[:NUM_VALIDATION]
    for series, value, make in rollout_choices():
        if is_missing(rows, series, value):
            append(rows, series, value, cvrp_gaps(entries, make))


def run_networks(
    rows: dict[Row, object], validation: Path, training: Path
) -> None:
    """Train networks of several shapes and cluster with each."""
    held_out = read_labels([validation])
    entries = read_labels([training])[:NUM_TRAINING]
    schedule = replace(CPU_TRAINING, num_epochs=NUM_EPOCHS, decay_epochs=1)
    base = replace(CPU_NETWORK, width=64, num_layers=3)
    choices: list[tuple[str, str, int]] = []
    choices += [("width d", "width", value) for value in WIDTHS]
    choices += [("neighbours K", "degree", value) for value in DEGREES]
    choices += [("layers L", "num_layers", value) for value in LAYERS]
    for series, field, value in choices:
        if not is_missing(rows, series, str(value)):
            continue
        shape = replace(base, **{field: value})
        with tempfile.TemporaryDirectory() as folder:
            reports = list(
                train(
                    entries, held_out, Path(folder), network=shape,
                    params=schedule,
                )
            )  # fmt: skip
            make = partial(vote, scorer=load_predictor(Path(folder) / BEST))
        append(
            rows, series, str(value),
            cvrp_gaps(held_out[:NUM_VALIDATION], make),
        )  # fmt: skip
        loss = min(report.validation.loss for report in reports)
        measure = ("validation", 100.0 * loss, 0.0)
        append(rows, f"{series}: loss x 100", str(value), [measure])


def run_paper(
    rows: dict[Row, object], validation: Path, training: Path, folder: Path
) -> None:
    """Train the architecture of the paper and cluster as the paper does."""
    held_out = read_labels([validation])
    shape = replace(CPU_NETWORK, architecture="paper", width=PAPER_WIDTH)
    for report in train(
        read_labels([training]), held_out, folder, network=shape,
        params=PAPER_TRAINING,
    ):  # fmt: skip
        print(report, flush=True)
    scorer = load_scorer(folder / BEST)
    series = "architecture"
    choices: list[tuple[str, Make]] = [
        ("pairs", partial(vote, scorer=shipped_predictor()))
    ]
    for name, num_samples in (("paper, greedy", 1), ("paper, sampled", 64)):
        params = CenterParams(num_samples=num_samples)
        choices.append(
            (name, partial(cluster_by_centers, scorer, params=params))
        )
    for value, make in choices:
        if is_missing(rows, series, value):
            append(
                rows, series, value,
                cvrp_gaps(held_out[:NUM_VALIDATION], make),
            )  # fmt: skip


def run_points(rows: dict[Row, object]) -> None:
    """Vary Algorithm 2 on mixtures with the shipped network."""
    rng = np.random.default_rng(MIXTURE_SEED)
    mixtures = generate_gmm(MIXTURES, seed=MIXTURE_SEED)
    best = {}
    for points in mixtures:
        count = int(points.num_clusters or points.min_num_clusters)
        best[points.name] = cluster_by_search(
            points, count, params=SearchParams(2, 200), rng=rng
        ).cost
    base = KMeansParams(assignment="cyclic", last_fraction=0.2, num_starts=1)
    choices = [
        ("alpha", str(alpha), replace(base, last_fraction=alpha))
        for alpha in ALPHAS
    ]
    choices += [
        ("samples of the last fifth", str(n), replace(base, num_samples=n))
        for n in (1, 4, 16, 64)
    ]
    choices += [
        ("seeding of the centers", init, replace(base, init=init))
        for init in INITS
    ]
    for series, value, params in choices:
        if is_missing(rows, series, value):
            found = mixture_gaps(mixtures, best, params)
            append(rows, series, value, found)


def mixture_gaps(
    mixtures: Iterable[PointSet], best: dict[str, float], params: KMeansParams
) -> Iterator[tuple[str, float, float]]:
    """Yield mixture, inertia above the best, processor time."""
    scorer = shipped_predictor("ncc-ccp")
    for points in mixtures:
        count = int(points.num_clusters or points.min_num_clusters)
        for seed in range(MIXTURE_RUNS):
            rng = np.random.default_rng(seed)
            begun = time.process_time()
            priority = point_priority(scorer, points, count)
            try:
                found = capacitated_kmeans(
                    points, count, priority=priority, params=params, rng=rng
                )
            except InfeasibleError:
                continue
            seconds = time.process_time() - begun
            gap = 100.0 * (found.cost / best[points.name] - 1.0)
            yield f"{points.name}#{seed}", gap, seconds


def is_missing(rows: dict[Row, object], series: str, value: str) -> bool:
    """Whether a choice has not been run yet."""
    return not any(row[:2] == (series, value) for row in rows)


def append(
    rows: dict[Row, object],
    series: str,
    value: str,
    found: Iterable[tuple[str, float, float]],
) -> None:
    """Run a choice, write its rows and print the mean."""
    measures = list(found)
    is_new = not TARGET.exists()
    with TARGET.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(FIELDS)
        for name, gap, seconds in measures:
            rows[series, value, name] = gap
            row = (series, value, name, round(gap, 4), round(seconds, 4))
            writer.writerow(row)
    gaps = [gap for _, gap, _ in measures]
    times = [seconds for *_, seconds in measures]
    print(
        f"{series:<28} {value:<34} {len(gaps):3d} {np.mean(gaps):8.3f} "
        f"cpu {np.mean(times):.3f} s",
        flush=True,
    )


def read_rows() -> dict[Row, object]:
    """Return what has been run."""
    if not TARGET.exists():
        return {}
    with TARGET.open(newline="", encoding="utf-8") as file:
        return {
            (row["series"], row["value"], row["instance"]): float(
                row["gap_percent"]
            )
            for row in csv.DictReader(file)
        }


def plot(rows: dict[Row, object]) -> None:
    """Draw the mean of each choice, one panel for each series."""
    import matplotlib.pyplot as plt

    series = [
        name
        for name in dict.fromkeys(row[0] for row in rows)
        if ": loss" not in name
    ]
    figure, axes = plt.subplots(
        -(-len(series) // 3), 3, figsize=(11, 2.6 * -(-len(series) // 3))
    )
    for panel in axes.flat[len(series) :]:
        panel.axis("off")
    for panel, name in zip(axes.flat, series, strict=False):
        values = list(dict.fromkeys(row[1] for row in rows if row[0] == name))
        groups = [
            [gap for row, gap in rows.items() if row[:2] == (name, value)]
            for value in values
        ]
        means = [float(np.mean(gaps)) for gaps in groups]  # type: ignore[arg-type]
        panel.plot(values, means, "o-" if len(values) > 3 else "o")
        panel.set_title(name, fontsize=9)
        panel.set_ylabel("gap, %", fontsize=8)
        panel.tick_params(labelsize=7)
        panel.set_ylim(bottom=0)
    figure.tight_layout()
    plt.rcParams["svg.hashsalt"] = "ncc"
    figure.savefig(TARGET.with_suffix(".svg"), metadata={"Date": None})


def main() -> None:
    """Run the part that the first argument names."""
    part, *folders = sys.argv[1:]
    rows = read_rows()
    paths = [Path(folder) for folder in folders]
    if part == "plot":
        plot(rows)
    elif part == "rollouts":
        run_rollouts(rows, *paths)
    elif part == "networks":
        run_networks(rows, *paths)
    elif part == "paper":
        run_paper(rows, *paths)
    else:
        run_points(rows)


if __name__ == "__main__":
    main()
