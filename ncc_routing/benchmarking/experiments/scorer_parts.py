"""What each part of the scorer brings to a first clustering."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.benchmarking.cases import (
    best_inertia,
    entries_of,
    label_folder,
    labelled,
    mixtures,
)
from ncc_routing.benchmarking.experiment import Case, Experiment, Variant
from ncc_routing.benchmarking.runs import route_quickly
from ncc_routing.benchmarking.tables import Summary, grouped, numbers
from ncc_routing.ccp.local_search.search import SearchParams
from ncc_routing.ccp.ncc import point_priority
from ncc_routing.clustering.capacitated_kmeans import (
    INITS,
    KMeansParams,
    capacitated_kmeans,
)
from ncc_routing.clustering.correlation import CorrelationParams
from ncc_routing.learning.labels import LabelPlan
from ncc_routing.plotting.panels import plot_panels
from ncc_routing.problems.instance import Instance
from ncc_routing.scoring.predictor import load_predictor, shipped_predictor
from ncc_routing.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.ncc import SEED_WEIGHT, roll_out
from ncc_routing.vrp.ncc_paper import PAPER_RULES, cluster_ncc_paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ncc_routing.benchmarking.experiment import Budget, Run
    from ncc_routing.benchmarking.tables import Rows
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet
    from ncc_routing.scoring.predictor import PairPredictor

NUM_VALIDATION, NUM_TRAINING = 40, 300
"""Instances that first clusterings are made of, and of small trainings."""

NUM_EPOCHS = 4
"""Epochs of the small networks."""

PAPER: dict[str, Any] = {"architecture": "paper", "width": 128}
"""The network of the paper, at half its width."""

PAPER_TRAINING: dict[str, Any] = {
    "num_epochs": 40,
    "learning_rate": 1e-3,
    "decay_epochs": 8,
}
"""Changes of the schedule for it."""

SHAPES: dict[str, tuple[str, tuple[int, ...]]] = {
    "width d": ("width", (16, 32, 64, 96)),
    "neighbours K": ("degree", (4, 8, 16, 32)),
    "layers L": ("num_layers", (1, 2, 3, 5)),
}
"""What varies between the small networks."""

VOTES: dict[str, tuple[str, tuple[float, ...]]] = {
    "number of samples": ("num_samples", (1, 2, 4, 8, 16, 32)),
    "moves per customer": (
        "moves_per_point",
        (0, 100, 300, 1000, 3000, 10000),
    ),
    "log-odds of far pairs": ("far_log_odds", (-2.0, -4.0, -6.0, -8.0, -10.0)),
}
"""What varies in the vote of the pairs."""

SAMPLING = KMeansParams(assignment="cyclic", last_fraction=0.2, num_starts=1)
"""Algorithm 2 of the paper."""

CENTERS: dict[str, dict[str, KMeansParams]] = {
    "alpha": {
        str(alpha): replace(SAMPLING, last_fraction=alpha)
        for alpha in (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
    },
    "samples of the last fifth": {
        str(count): replace(SAMPLING, num_samples=count)
        for count in (1, 4, 16, 64)
    },
    "seeding of the centers": {
        init: replace(SAMPLING, init=init) for init in INITS
    },
}
"""What varies in it."""

LONG = partial(best_inertia, params=SearchParams(2, 200), seed=98_001)
"""The search that Algorithm 2 is compared with."""

MIXTURES, MIXTURE_SEED, MIXTURE_RUNS = 40, 98_001, 8
"""Mixtures that Algorithm 2 is tried on, and runs on each."""

VALID = LabelPlan(
    num_instances=100,
    first_seed=2_000_000,
    num_runs=4,
    iterations_per_customer=1000,
)
TRAIN = LabelPlan(
    num_instances=875,
    first_seed=1_000_000,
    num_runs=3,
    iterations_per_customer=500,
)
"""Labels to judge by and to train on."""

VALIDATION = partial(labelled, VALID, "valid", NUM_VALIDATION)
"""Labelled instances that no network was trained on."""


def assign(
    instance: Instance, _seed: int, _budget: Budget, *, is_scored: bool
) -> list[np.ndarray]:
    """Return the assignment alone, classical without a score."""
    priority = None
    if is_scored:
        scorer = shipped_predictor()
        priority = ScorerPriority.of(scorer, instance, weight=SEED_WEIGHT)
    params = CkmParams(trials_per_customer=0)
    return cluster_ckm(instance, priority=priority, params=params)


def vote(
    instance: Instance, _seed: int, _budget: Budget, *, choice: dict[str, Any]
) -> list[np.ndarray]:
    """Return the first clustering of ncc, with one choice changed."""
    return _vote(instance, shipped_predictor(), **choice)


def vote_by_small(
    instance: Instance, _seed: int, _budget: Budget, *, field: str, value: int
) -> list[np.ndarray]:
    """Return the first clustering by a small network of some shape."""
    return _vote(instance, _trained(field, value))


def cluster_as_paper(
    instance: Instance, _seed: int, _budget: Budget, *, num_samples: int
) -> list[np.ndarray]:
    """Cluster by the paper's network and its Algorithm 2."""
    rules = replace(PAPER_RULES.kmeans, num_samples=num_samples)
    return cluster_ncc_paper(
        instance,
        sampling=num_samples > 1,
        scorer=_paper_network(),
        params=replace(PAPER_RULES, kmeans=rules),
    )


def by_center(
    points: PointSet, seed: int, _budget: Budget, *, params: KMeansParams
) -> Clustering:
    """Run Algorithm 2 once with the network of the CCP."""
    count = points.num_clusters or points.min_num_clusters
    scorer = shipped_predictor("ncc-ccp")
    return capacitated_kmeans(
        points,
        count,
        priority=point_priority(scorer, points, count),
        params=params,
        rng=np.random.default_rng(seed),
    )


def mixture_runs() -> list[Case]:
    """Return every mixture once for each of its runs."""
    return [
        Case(f"{case.name}#{seed}", case.load, LONG, (seed,))
        for case in mixtures(MIXTURES, MIXTURE_SEED)
        for seed in range(MIXTURE_RUNS)
    ]


def finish(problem: object, found: Any) -> Any:
    """Route what is clusters of customers."""
    if isinstance(problem, Instance):
        return route_quickly(problem, found)
    return found


def draw(rows: Rows, _traces: Rows) -> Figure:
    """Draw the mean gap of each choice, a panel for each series."""
    panels = {
        series: {
            "gap": (
                [value for (value,) in grouped(own, ("value",))],
                [
                    fmean(numbers(runs, "gap_percent"))
                    for runs in grouped(own, ("value",)).values()
                ],
            )
        }
        for (series,), own in grouped(rows, ("series",)).items()
        if ": loss" not in series
    }
    return plot_panels(panels)


def _vote(
    instance: Instance,
    scorer: PairPredictor,
    *,
    num_samples: int = 1,
    **params: Any,
) -> list[np.ndarray]:
    return roll_out(
        instance,
        ScorerPriority.of(scorer, instance),
        num_samples=num_samples,
        params=CorrelationParams(**params),
    )


@cache
def _trained(field: str, value: int) -> PairPredictor:
    """Return a small network that was trained for it."""
    from ncc_routing.learning.schedule import CPU_NETWORK, CPU_TRAINING
    from ncc_routing.learning.training import BEST, train

    changes: dict[str, Any] = {"width": 64, "num_layers": 3, field: value}
    shape = replace(CPU_NETWORK, **changes)
    schedule = replace(CPU_TRAINING, num_epochs=NUM_EPOCHS, decay_epochs=1)
    entries = entries_of(TRAIN, "train")[:NUM_TRAINING]
    held_out = entries_of(VALID, "valid")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in train(
            entries, held_out, folder, network=shape, params=schedule
        ):
            pass
        return load_predictor(folder / BEST)


@cache
def _paper_network() -> Path:
    """Train the network of the paper, or go on where it stopped."""
    from ncc_routing.learning.schedule import CPU_NETWORK, CPU_TRAINING
    from ncc_routing.learning.training import BEST, train

    folder = label_folder("network-of-the-paper")
    for _ in train(
        entries_of(TRAIN, "train"),
        entries_of(VALID, "valid"),
        folder,
        network=replace(CPU_NETWORK, **PAPER),
        params=replace(CPU_TRAINING, **PAPER_TRAINING),
    ):
        pass
    return folder / BEST


def _part(series: str, value: object, run: Run, **more: Any) -> Variant:
    cells = {"series": series, "value": str(value)}
    return Variant(f"{series} {value}", run, cells, **more)


FIRST = "first clustering"

PARTS = Experiment(
    "scorer_ablation",
    cases=VALIDATION,
    variants=(
        _part(FIRST, "ckm", partial(assign, is_scored=False)),
        _part(FIRST, "no vote", partial(assign, is_scored=True)),
        _part(FIRST, "ncc", partial(vote, choice={})),
        *(
            _part(series, value, partial(vote, choice={field: value}))
            for series, (field, values) in VOTES.items()
            for value in values
        ),
        *(
            _part(
                series, value, partial(vote_by_small, field=field, value=value)
            )
            for series, (field, values) in SHAPES.items()
            for value in values
        ),
        _part("architecture", "pairs", partial(vote, choice={})),
        *(
            _part(
                "architecture",
                name,
                partial(cluster_as_paper, num_samples=count),
            )
            for name, count in (("paper, greedy", 1), ("paper, sampled", 64))
        ),
        *(
            _part(
                series,
                value,
                partial(by_center, params=params),
                cases=mixture_runs,
            )
            for series, choices in CENTERS.items()
            for value, params in choices.items()
        ),
    ),
    columns="series value instance gap_percent cpu_seconds",
    key="series value instance",
    finish=finish,
    figure=draw,
    views=(
        Summary(
            "series value",
            "runs; gap %: gap_percent; "
            "CPU s, median: cpu_seconds seconds median",
        ),
    ),
)
"""First clusterings of validation instances, and runs of Algorithm 2."""
