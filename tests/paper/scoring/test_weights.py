"""The weights that the package ships."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from safetensors import safe_open

from ncc_routing import Instance, cluster
from ncc_routing.generators.mixtures import generate_gmm
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.paper.learning.labels import LabelPlan, label_instance
from ncc_routing.paper.learning.metrics import measure
from ncc_routing.paper.scoring.center_predictor import (
    blank_predictor,
    shipped_center_predictor,
)
from ncc_routing.paper.scoring.predictor import shipped_predictor
from ncc_routing.paper.scoring.weights_file import WEIGHTS

if TYPE_CHECKING:
    from ncc_routing.clustering.scorers import CenterScorer


def test_all_weights_are_small_and_safe() -> None:
    """No file but safetensors and the model card, 4 MB at most."""
    files = [path for path in WEIGHTS.iterdir() if path.is_file()]
    assert {path.suffix for path in files} == {".safetensors", ".md"}
    assert sum(path.stat().st_size for path in files) <= 4_000_000


@pytest.mark.parametrize(
    "name", ["ncc-cvrp", "ncc-ccp", "ncc-paper-cvrp", "ncc-paper-ccp"]
)
def test_weights_say_where_they_come_from(name: str) -> None:
    """Data, schedule and measures stand in the header."""
    path = WEIGHTS / f"{name}.safetensors"
    with safe_open(path, framework="np") as file:
        header = file.metadata()
    assert "seeds" in header["data"]
    assert json.loads(header["training"])["seed"] == 1234
    assert 0 < json.loads(header["validation"])["loss"] < 0.4


@pytest.mark.parametrize(
    ("problem", "changes", "ranking", "accuracy"),
    [
        ("cvrp", {"iterations_per_customer": 50}, 0.8, 0.72),
        ("ccp", {"sizes": (100, 200)}, 0.88, 0.78),
    ],
)
def test_predictions_rank_and_are_calibrated(
    problem: str, changes: dict[str, Any], ranking: float, accuracy: float
) -> None:
    """On fresh problems probabilities are about right."""
    scorer = shipped_predictor(f"ncc-{problem}")
    tables = []
    plan = LabelPlan(problem=problem, **changes)
    for seed in (41, 42, 43):
        entry = label_instance(plan, seed)
        idx, chances, _ = scorer.pair_probabilities(entry.instance)
        own = np.arange(len(idx))[:, None] + (problem == "cvrp")
        logits = np.log(chances / (1 - chances))
        tables.append((logits, entry.together(own, idx)))
    found = measure(tables)
    assert found.ranking > ranking
    assert found.accuracy > accuracy
    assert found.calibration_error < 0.1


def right_centers(
    instance: Instance, routes: np.ndarray, scorer: CenterScorer
) -> float:
    """Return the share of customers whose own center is scored highest.

    ``routes`` has the route of each customer. Asked for a center, the scores
    are those of its nearest member.
    """
    coords = np.asarray(instance.coords)[1:]
    count = int(routes.max()) + 1
    means = np.stack([coords[routes == k].mean(axis=0) for k in range(count)])
    lengths = np.linalg.norm(coords[None] - means[:, None], axis=2)
    is_own = np.arange(count)[:, None] == routes
    medoids = np.where(is_own, lengths, np.inf).argmin(axis=1)
    every = np.repeat(np.arange(count)[:, None], len(coords), axis=1)
    found = scorer.encode(instance)
    values = found.log_odds(medoids, every).astype(float)
    spacing = np.ptp(coords, axis=0).max() / np.sqrt(len(coords))
    values -= found.distance_weight * lengths / spacing
    return float((values.argmax(axis=0) == routes).mean())


def test_centers_are_known_better_than_by_distance() -> None:
    """Fresh instances: more customers have their own center first."""
    plan = LabelPlan(iterations_per_customer=50)
    found = []
    for seed in (41, 42, 43):
        entry = label_instance(plan, seed)
        assert isinstance(entry.instance, Instance)
        routes = entry.labels[int(entry.costs.argmin()), 1:]
        found.append(
            [
                right_centers(entry.instance, routes, scorer)
                for scorer in (
                    shipped_center_predictor("ncc-paper-cvrp"),
                    blank_predictor("cvrp"),
                )
            ]
        )
    network, distance = np.mean(found, axis=0)
    assert network > distance + 0.02


def test_centers_of_points_lead_to_good_clusters() -> None:
    """Fresh mixtures: at most three percent above the search."""
    for points in generate_gmm(3, 200, seed=41):
        paper, search = (
            cluster(points, points.num_clusters, method=method).inertia
            for method in ("ncc-paper", "ckm")
        )
        assert paper < 1.03 * search


def test_larger_instance() -> None:
    """Three thousand customers have a row of 48 pairs each."""
    instance = generate_uchoa(3000, 1)
    idx, chances, _ = shipped_predictor().pair_probabilities(instance)
    assert idx.shape == chances.shape == (3000, 48)
    assert np.isfinite(chances).all()
