"""What the paper's network has to see: small ones, trained for it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness.cases import cases_of, entries_of
from benchmarks.harness.center_scores import center_accuracy
from benchmarks.harness.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
)
from benchmarks.harness.runs import route_quickly
from benchmarks.harness.views import Summary
from ncc_routing.core.run import Run
from ncc_routing.learning.labels import LabelPlan
from ncc_routing.scoring.center_predictor import (
    blank_predictor,
    load_center_predictor,
)
from ncc_routing.scoring.network_params import NetworkParams
from ncc_routing.scoring.vocabulary import CVRP, CVRP_PAPER, GEOMETRY, PAPER
from ncc_routing.vrp.ncc_paper import cluster_ncc_paper

if TYPE_CHECKING:
    import numpy as np

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.learning.label_files import LabelledInstance
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.scorers import CenterScorer

NUM_TRAINING, NUM_JUDGED = 300, 20
"""Labelled instances of each family that are trained on and judged by."""

NUM_EPOCHS = 8
"""Epochs of the small networks, with half the rate every two."""

SHAPE = NetworkParams(PAPER, width=64, num_layers=3)
"""A quarter of the paper's width."""

FAMILIES = {CVRP_PAPER: (200, 200), "x": (100, 300)}
"""Folders of labels: the paper's distribution, and the X family; the numbers
of customers of both."""


@dataclass(frozen=True)
class Small:
    """A small network: what its shape and its training differ in."""

    shape: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)


PLAIN = {"medoids": "nearest", "choice_weight": 0.0, "distance_weight": 0.0}
SEEN = {"inputs": GEOMETRY}

NETWORKS: dict[str, Small | None] = {
    "distance alone": None,
    "the paper's": Small({}, {**PLAIN, "centers": "labels"}),
    "choice and distance": Small({}, {"medoids": "nearest"}),
    "members as medoids": Small(),
    "geometry": Small(SEEN),
    "geometry, centers of the labels": Small(SEEN, {"centers": "labels"}),
    "geometry, the paper's loss": Small(SEEN, {"choice_weight": 0.0}),
    **{
        f"geometry, {number} neighbours": Small({**SEEN, "degree": number})
        for number in (5, 10, 50)
    },
    "geometry, 1 layer": Small({**SEEN, "num_layers": 1}),
    "geometry, width 32": Small({**SEEN, "width": 32}),
}
"""What is compared: from the third on, each but for one thing "geometry" or
the line before it."""


def plan(family: str, seed: int, count: int) -> LabelPlan:
    """Return the labels of some instances of a family."""
    return LabelPlan(
        num_instances=count,
        first_seed=seed,
        sizes=FAMILIES[family],
        shard_size=50,
        problem=family if family == CVRP_PAPER else CVRP,
    )


def judged(family: str) -> list[LabelledInstance]:
    """Return the validation instances of a family, named after it."""
    labels = plan(family, 2_000_000, 100)
    found = []
    for entry in entries_of(labels, f"{family}-valid")[:NUM_JUDGED]:
        name = f"{family}, {entry.instance.name}"
        found.append(
            replace(entry, instance=replace(entry.instance, name=name))
        )
    return found


@cache
def best_routes() -> dict[str, np.ndarray]:
    """Return the best label of each, by the name of the instance."""
    return {
        entry.instance.name: entry.labels[int(entry.costs.argmin()), 1:]
        for family in FAMILIES
        for entry in judged(family)
    }


def cases() -> list[Case]:
    """Return the validation instances of both families."""
    return [case for family in FAMILIES for case in cases_of(judged(family))]


def first_instance() -> Any:
    """Return one of them, which compiles and loads."""
    return judged(CVRP_PAPER)[0].instance


@cache
def scorer_of(name: str) -> CenterScorer:
    """Return a network, trained where there is anything to train."""
    from ncc_routing.learning.schedule import TrainingParams
    from ncc_routing.learning.training import BEST, train

    small = NETWORKS[name]
    if small is None:
        return blank_predictor(CVRP)
    entries, held_out = [], []
    for family in FAMILIES:
        labels = plan(family, 1_000_000, NUM_TRAINING)
        entries += entries_of(labels, family)[:NUM_TRAINING]
        held_out += judged(family)
    course = TrainingParams(
        num_epochs=NUM_EPOCHS,
        batch_size=16,
        decay=0.5,
        decay_epochs=2,
        choice_weight=1.0,
        distance_weight=1.0,
    )
    with tempfile.TemporaryDirectory() as folder:
        for _ in train(
            entries,
            held_out,
            Path(folder),
            network=replace(SHAPE, **small.shape),
            params=replace(course, **small.training),
        ):
            pass
        return load_center_predictor(Path(folder) / BEST)


def cluster(
    instance: Instance, seed: int, _budget: Allowance, *, name: str
) -> list[np.ndarray]:
    """Cluster by a small network."""
    return cluster_ncc_paper(instance, Run(seed=seed), scorer=scorer_of(name))


def accuracy(
    instance: Instance, _seed: int, _budget: Allowance, *, name: str
) -> dict[str, float]:
    """Compare a small network with the best label."""
    routes = best_routes()[instance.name]
    return center_accuracy(instance, routes, scorer_of(name))


WARM = Case("warm-up", first_instance)

GAP = Experiment(
    "paper_inputs",
    cases=cases,
    variants=tuple(
        Variant(name, partial(cluster, name=name), {"network": name})
        for name in NETWORKS
    ),
    columns="network instance num_customers cost num_routes reference "
    "gap_percent cpu_seconds",
    key="network instance",
    finish=route_quickly,
    warm=WARM,
    views=(
        Summary(
            "network",
            "gap %: gap_percent; CPU s, median: cpu_seconds seconds median; "
            "routes: num_routes .1f",
        ),
    ),
)
"""First clusterings by small networks."""

ACCURACY = Experiment(
    "paper_inputs_centers",
    cases=cases,
    variants=tuple(
        Variant(name, partial(accuracy, name=name), {"network": name})
        for name in NETWORKS
    ),
    columns="network instance num_customers right_center auc",
    key="network instance",
    warm=WARM,
    views=(
        Summary(
            "network",
            "instances: runs; right center first: right_center .3f; "
            "AUC: auc .3f",
        ),
    ),
)
"""How well they know the centers of the labels."""

PAGES = (
    Page(
        "paper_inputs",
        "What the paper's network has to see",
        "Small networks of the paper's architecture, trained with one thing "
        "changed after the other, by their first choices and their first "
        "clusterings.",
        (GAP, ACCURACY),
    ),
)
"""The pages of this file, by which the registry finds them."""
