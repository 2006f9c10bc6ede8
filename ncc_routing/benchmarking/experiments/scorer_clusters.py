"""What the network brings to the general clustering problem."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.benchmarking.cases import (
    SMALL_POINTS,
    best_inertia,
    entries_of,
    label_folder,
    medians,
    mixtures,
)
from ncc_routing.benchmarking.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
    vary,
)
from ncc_routing.benchmarking.experiments.clusters import EFFORTS
from ncc_routing.benchmarking.runs import processor_deadline
from ncc_routing.benchmarking.tables import Differences, Summary, gap_to_best
from ncc_routing.ccp.local_search.search import SearchParams, cluster_by_search
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.ncc import GREEDY, SAMPLING, first_clustering
from ncc_routing.clustering.capacitated_kmeans import capacitated_kmeans
from ncc_routing.clustering.objectives import summarize
from ncc_routing.clustering.priority import RegretPriority
from ncc_routing.core.exceptions import InfeasibleError
from ncc_routing.learning.label_problems import ccp_instance
from ncc_routing.learning.labels import LabelPlan
from ncc_routing.scoring.predictor import load_predictor, shipped_predictor

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet
    from ncc_routing.scoring.predictor import PairPredictor

ENDLESS = 1_000_000
"""More kicks than any budget takes."""

WEIGHTS = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Weights of the score; 0 is the rule by distances."""

HELD_OUT = tuple(
    (n, 3_000_000 + i) for i, n in enumerate(range(100, 1000, 45))
)
"""Mixtures that no choice was made on."""

OURS, GB21 = (
    LabelPlan(
        num_instances=300,
        first_seed=4_000_000,
        num_runs=1,
        iterations_per_customer=effort,
        problem=problem,
    )
    for problem, effort in (("ccp", None), ("ccp-gb21", 2))
)
"""The same mixtures, labelled by our search and by GB21."""

VALID = LabelPlan(
    num_instances=60, first_seed=2_000_000, num_runs=2, problem="ccp"
)
"""What the networks trained on them are judged by while they train."""


def first(
    points: PointSet,
    seed: int,
    scorer: PairPredictor | None,
    *,
    is_sampling: bool = False,
    weight: float | None = None,
) -> np.ndarray:
    """Return labels without a search, by a scorer or by distances."""
    count = points.num_clusters or points.min_num_clusters
    rng = np.random.default_rng(seed)
    if scorer is None:
        return capacitated_kmeans(
            points,
            count,
            priority=RegretPriority(),
            params=SAMPLING if is_sampling else GREEDY,
            rng=rng,
        ).labels
    found = first_clustering(
        scorer, points, count, sampling=is_sampling, weight=weight, rng=rng
    )
    if found is None:
        raise InfeasibleError(f"{points.name}: no feasible first clustering.")
    return found


def compare(
    points: PointSet,
    seed: int,
    effort: Budget,
    *,
    is_scored: bool = False,
    is_started: bool = False,
    objective: str = "inertia",
) -> Clustering:
    """Cluster with an effort.

    ``first`` is one clustering by regret, ``sampling`` the eight starts of
    the paper's Algorithm 2, both without any search; a name of ``EFFORTS``
    fixes starts and kicks; a number is seconds of processor time, n/500
    seconds in proportion to the points.
    """
    scorer = shipped_predictor("ncc-ccp") if is_scored else None
    count = points.num_clusters or points.min_num_clusters
    if effort in ("first", "sampling"):
        is_sampling = effort == "sampling"
        labels = first(points, seed, scorer, is_sampling=is_sampling)
        return summarize(points, labels, count, objective)
    rng = np.random.default_rng(seed)
    deadline, params = None, EFFORTS.get(str(effort))
    if params is None:
        is_share = effort == "n/500"
        seconds = points.num_points / 500 if is_share else float(effort or 0.0)
        deadline = processor_deadline(seconds)
        params = SearchParams(num_kicks=ENDLESS)
    start = None
    if is_scored or is_started:
        start = first(points, seed, scorer)
    if objective == "inertia":
        return cluster_by_search(
            points,
            count,
            start=start,
            rng=rng,
            deadline=deadline,
            params=params,
        )
    return cluster_by_annealing(
        points,
        count,
        objective=objective,
        start=start,
        rng=rng,
        deadline=deadline,
    )


def weigh(
    points: PointSet,
    seed: int,
    effort: Budget,
    *,
    weight: float,
    labels: str | None,
) -> Clustering:
    """Make a first clustering with a weight, and descend from it."""
    count = points.num_clusters or points.min_num_clusters
    scorer = None
    if weight > 0:
        scorer = shipped_predictor("ncc-ccp")
        if labels is not None:
            scorer = load_predictor(_network(labels))
    found = first(points, seed, scorer, weight=weight)
    if effort == "first":
        return summarize(points, found, count, "inertia")
    rng = np.random.default_rng(seed)
    params = SearchParams(1, 0)
    return cluster_by_search(
        points, count, start=found, rng=rng, params=params
    )


def validation() -> list[Case]:
    """Return mixtures of 100 to 400 points of validation seeds."""
    sizes = (
        int(np.random.default_rng(i).integers(100, 401)) for i in range(60)
    )
    return [
        _mixture(size, 2_500_000 + number, has_reference=True)
        for number, size in enumerate(sizes)
    ]


def held_out() -> list[Case]:
    """Return the mixtures that no choice was made on."""
    return [_mixture(size, seed) for size, seed in HELD_OUT]


def both_labels() -> list[Case]:
    """Return the least inertia of either label of each mixture."""
    ours, other = (entries_of(plan, plan.problem) for plan in (OURS, GB21))
    return [
        Case(one.instance.name, partial(_costs, one, two))
        for one, two in zip(ours, other, strict=True)
    ]


def show(problem: dict[str, Any], _seed: int, _budget: Budget) -> Any:
    """Return what a case is made of."""
    return problem


def with_ratio(rows: Any) -> list[dict[str, str]]:
    """Add how much GB21's inertia is above ours, in percent."""
    ratios = (float(row["gb21"]) / float(row["ours"]) - 1.0 for row in rows)
    return [
        {**row, "above": repr(100.0 * ratio)}
        for row, ratio in zip(rows, ratios, strict=True)
    ]


def _mixture(size: int, seed: int, has_reference: bool = False) -> Case:
    name = f"gmm-n{size}-s{seed}-000"
    reference = _long_search if has_reference else None
    return Case(name, partial(ccp_instance, size, seed), reference)


def _long_search(points: PointSet) -> float:
    """Return the inertia of eight starts and one kick per point."""
    return best_inertia(points, SearchParams(8, points.num_points), seed=1)


def _costs(one: Any, two: Any) -> dict[str, object]:
    return {
        "num_points": one.instance.num_points,
        "ours": float(one.costs.min()),
        "gb21": float(two.costs.min()),
    }


def _network(labels: str) -> Path:
    """Train a network on labels of a kind, unless that was done before."""
    from ncc_routing.learning.schedule import CPU_TRAINING
    from ncc_routing.learning.training import BEST, train

    folder = label_folder(f"network-{labels}")
    if not (folder / BEST).is_file():
        plan = OURS if labels == "ours" else GB21
        params = replace(CPU_TRAINING, num_epochs=10)
        entries, held_out = (
            entries_of(plan, plan.problem),
            entries_of(VALID, "ccp-valid"),
        )
        for _ in train(entries, held_out, folder, params=params):
            pass
    return folder / BEST


def _comparison(
    name: str, cases: Any, efforts: tuple[str, ...], objective: str = "inertia"
) -> Experiment:
    run = partial(compare, objective=objective)
    started = (Variant("ckm started", partial(run, is_started=True)),)
    is_inertia = objective == "inertia"
    return Experiment(
        f"scorer_ccp_{name}",
        cases=cases,
        variants=(
            Variant("ckm", run),
            Variant("ncc", partial(run, is_scored=True)),
            *(() if is_inertia else started),
        ),
        columns="instance num_points num_clusters method=variant "
        "effort=budget seconds=cpu_seconds cost reference gap_percent",
        key="instance variant budget",
        budgets=efforts,
        warm=SMALL_POINTS,
        views=(
            Differences(
                "method",
                "ckm",
                "gap_percent",
                "effort",
                shown="CPU s: seconds seconds",
                derive=gap_to_best("instance") if is_inertia else None,
            ),
        ),
    )


def _weights(name: str, labels: str | None) -> Experiment:
    return Experiment(
        name,
        cases=validation,
        variants=vary(partial(weigh, labels=labels), "weight", WEIGHTS),
        columns="instance num_points num_clusters weight effort=budget "
        "inertia reference gap_percent",
        key="instance weight budget",
        budgets=("first", "descent"),
        warm=SMALL_POINTS,
        views=(Differences("weight", "0.0", "gap_percent", "effort"),),
    )


WITHOUT_SEARCH = ("first", "sampling")
SEARCHES = ("ckm-quick", "ckm-thorough")
"""Variants without a search, and efforts of the search."""

PAGES = (
    Page(
        "scorer_ccp",
        "Does the network earn its place on the CCP?",
        "`ncc` against `ckm` at equal time on the clustering problem, and "
        "whose labels teach more.",
        (
            _comparison(
                "generated",
                held_out,
                (*WITHOUT_SEARCH, *SEARCHES, "0.05", "0.2"),
            ),
            _comparison(
                "gmm",
                partial(mixtures, 100),
                (*WITHOUT_SEARCH, *SEARCHES, "0.05"),
            ),
            _comparison(
                "cpmp",
                partial(medians, ("sjc", "stefanello2015")),
                ("first", "0.5", "n/500"),
                "cpmp",
            ),
            _weights("scorer_ccp_weight", None),
            _weights("scorer_ccp_weight_ours", "ours"),
            _weights("scorer_ccp_weight_gb21", "gb21"),
            Experiment(
                "scorer_ccp_labels",
                cases=both_labels,
                variants=(Variant("both", show),),
                columns="instance num_points ours gb21",
                key="instance",
                views=(
                    Summary(
                        "",
                        "mixtures: runs; ours: ours .4f; GB21: gb21 .4f; "
                        "GB21 above ours, %: above; at least: above min",
                        derive=with_ratio,
                    ),
                ),
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
