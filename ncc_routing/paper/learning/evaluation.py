"""Measures of a trained network on held-out labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch_geometric.data import Batch

from ncc_routing.ccp.run import ClusterRun
from ncc_routing.clustering.objectives import inertia_of
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.paper.learning.metrics import Metrics, measure
from ncc_routing.paper.learning.schedule import TrainingParams
from ncc_routing.paper.learning.scorer import load_scorer, single_thread
from ncc_routing.paper.learning.tasks import task_of
from ncc_routing.paper.ncc_clusters import first_clustering
from ncc_routing.paper.ncc_paper_clusters import (
    cluster_ncc_paper as cluster_points,
)
from ncc_routing.paper.ncc_paper_routes import cluster_ncc_paper
from ncc_routing.paper.ncc_routes import roll_out
from ncc_routing.paper.scoring.features import require_problem
from ncc_routing.paper.scoring.predictor import load_predictor
from ncc_routing.paper.scoring.priority import ScorerPriority
from ncc_routing.paper.scoring.vocabulary import PAPER
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ncc_routing.paper.learning.label_files import (
        LabelFiles,
        LabelledInstance,
    )
    from ncc_routing.paper.scoring.network_params import NetworkParams
    from ncc_routing.problems.instance import Instance


@dataclass(frozen=True)
class Evaluation:
    """Measures of a network.

    Parameters
    ----------
    num_instances
        Labelled instances.
    metrics
        Its answers against the labels.
    first_gap
        Mean gap, in percent, of the first clustering by the network alone
        to the best label: of the routes, or of the inertia where there is
        no depot. ``None`` where no instance could be clustered.
    num_failed
        Instances whose first clustering placed not everyone; they do not
        count in the gap.
    """

    num_instances: int
    metrics: Metrics
    first_gap: float | None
    num_failed: int


def evaluate(
    weights: Path, files: LabelFiles, *, seed: int = 1
) -> Iterator[Evaluation]:
    """Compare a network with labels, one report after each file.

    Parameters
    ----------
    weights
        File of a network, as a training writes it.
    files
        Labels that it was not trained on. One file is in memory at a time.
    seed
        Seed of the first clusterings. Default 1.

    Yields
    ------
    Evaluation
        Of all files so far.

    Raises
    ------
    InstanceError
        If a file is damaged.
    ParameterError
        If the labels are of another problem than the network.
    """
    scorer = load_scorer(weights)
    weight = scorer.calibration.get("distance_weight", 0.0)
    task = task_of(scorer.params, TrainingParams(distance_weight=weight))
    tables, gaps, failed = [], [], 0
    for number in range(len(files)):
        for entry in files.read(number):
            require_problem(entry.instance, scorer.params.problem)
            batch = Batch.from_data_list([task.prepare(entry)])
            with single_thread(), torch.inference_mode():
                [(logits, wanted)] = task.predict(scorer.network, batch, None)
            tables.append((logits.numpy(), wanted.numpy()))
            gap = first_gap(weights, scorer.params, entry, seed)
            failed += gap is None
            gaps += [] if gap is None else [gap]
        mean = float(np.mean(gaps)) if gaps else None
        yield Evaluation(len(tables), measure(tables), mean, failed)


def first_gap(
    weights: Path, params: NetworkParams, entry: LabelledInstance, seed: int
) -> float | None:
    """Return the gap of the clustering by a network alone, in percent.

    Clusters and labels are judged alike, by tours of one router or by inertia.
    ``None`` means that not everyone was placed, or that the labels cost 0 and
    the clustering does not.
    """
    instance = entry.instance
    best = entry.labels[int(entry.costs.argmin())]
    try:
        if isinstance(instance, PointSet):
            grouped = _cluster_points(weights, params, instance, seed)
            if grouped is None:
                return None
            costs = [
                _inertia(instance, routes_of) for routes_of in (grouped, best)
            ]
        else:
            clusters = _cluster_customers(weights, params, instance, seed)
            routes = [
                np.flatnonzero(best == number)
                for number in np.unique(best[1:])
            ]
            costs = [
                _length(instance, routes_of)
                for routes_of in (clusters, routes)
            ]
    except InfeasibleError:
        return None
    if costs[1] == 0.0:
        return 0.0 if costs[0] == 0.0 else None
    return 100.0 * (costs[0] / costs[1] - 1.0)


def _cluster_customers(
    weights: Path, params: NetworkParams, instance: Instance, seed: int
) -> list[np.ndarray]:
    if params.architecture == PAPER:
        return cluster_ncc_paper(instance, Run(seed=seed), scorer=weights)
    priority = ScorerPriority.of(load_predictor(weights), instance)
    return roll_out(instance, priority, Run(seed=seed))


def _cluster_points(
    weights: Path, params: NetworkParams, points: PointSet, seed: int
) -> np.ndarray | None:
    run = ClusterRun(seed=seed, scorer=weights)
    count = points.num_clusters or points.min_num_clusters
    if params.architecture == PAPER:
        return cluster_points(points, count, run).labels
    rng = run.generator()
    return first_clustering(load_predictor(weights), points, count, rng=rng)


def _length(instance: Instance, clusters: list[np.ndarray]) -> float:
    return float(improve_routes(instance, clusters, TimeLimit())[1].sum())


def _inertia(points: PointSet, labels: np.ndarray) -> float:
    return inertia_of(points.coords, labels, int(labels.max()) + 1)
