"""The paper's own method: what of its gap is the network, what the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.experiments.routes import (
    BY_CLASS,
    BY_METHOD,
    COLUMNS,
    IN_PAPER,
    PAPER,
)
from benchmarks.harness.cases import (
    SMALL_ROUTES,
    entries_of,
    labelled,
    published,
)
from benchmarks.harness.center_scores import (
    DISTANCE,
    NETWORK,
    center_accuracy,
    center_scorer_of,
)
from benchmarks.harness.experiment import Case, Experiment, Page, Variant
from benchmarks.harness.runs import route_quickly, solve_cvrp
from benchmarks.harness.views import Summary
from ncc_routing.clustering.correlation import LEAST_CHANCE
from ncc_routing.clustering.scored_params import MEDOIDS
from ncc_routing.core.run import Run
from ncc_routing.learning.labels import LabelPlan
from ncc_routing.vrp.ncc_paper import (
    PAPER_RULES,
    NccPaperParams,
    cluster_ncc_paper,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.learning.label_files import LabelledInstance
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.scorers import CenterScorer

NUM_INSTANCES = 12
"""Labelled instances that the rules are compared on."""

JUDGED = LabelPlan(
    num_instances=25,
    first_seed=2_000_000,
    num_runs=4,
    iterations_per_customer=1000,
)
"""Their labels: the first file of those that networks are judged by."""

LABELS, OTHER = "labels", "another label"
"""Scores that know the best label, or the next one of the same instance,
beside ``DISTANCE`` and ``NETWORK``."""

Changes = dict[str, Any]
"""Fields of ``NccPaperParams`` and of its ``kmeans``, by name."""

COST = "log-odds of a distance"
"""Without any scores their size does not matter."""

STEPS: dict[str, Changes] = {
    "1 the paper's": {},
    "2 means without the depot": {"has_depot_in_mean": False},
    "3 judged by the tours": {"choice": "tours"},
    "4 log-odds as they are": {"scaling": "log-odds"},
    "5 by regret": {"assignment": "regret"},
    "6 members as medoids": {"medoids": "members"},
    "7 exchanges": {"max_passes": 10},
    "8 wider starts": {"has_wider_starts": True},
}
"""From the rules of the paper to the defaults: each keeps those before."""

SERIES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "judged by": ("choice", ("inertia", "depot-inertia")),
    "starts": ("num_starts", (1, 32)),
    "samples": ("num_samples", (4, 16)),
    "sampled fraction": ("last_fraction", (0.5,)),
    "room in the vehicles": ("spare_share", (0.02, 0.05)),
    COST: ("distance_weight", (0.1, 2.0)),
}
"""What varies about the defaults."""

SAMPLED = ("samples", "sampled fraction")
"""Those of the method "ncc-paper-sampling"."""


def changed(params: NccPaperParams, changes: Mapping[str, Any]) -> Any:
    """Return parameters with some fields changed, of either level."""
    inner = {k: v for k, v in changes.items() if k in vars(params.kmeans)}
    outer = {k: v for k, v in changes.items() if k not in inner}
    return replace(params, **outer, kmeans=replace(params.kmeans, **inner))


def steps() -> dict[str, NccPaperParams]:
    """Return the rules after each of the steps."""
    found, rules = {}, PAPER_RULES
    for name, changes in STEPS.items():
        rules = changed(rules, changes)
        found[name] = rules
    return found


@dataclass(frozen=True)
class LabelScores:
    """The scores of somebody who knows the labels of an instance.

    The log-odds of the share of the labels that put a customer into the
    route of the medoid of a center.

    Parameters
    ----------
    routes
        Route of each customer, shape (num_labels, n).
    """

    routes: np.ndarray
    distance_weight: float = 1.0

    def log_odds(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Return log-odds, cut where those of the vote are."""
        shared = [own[medoids][listed] == own for own in self.routes]
        chance = np.mean(shared, axis=0)
        chance = np.clip(chance, LEAST_CHANCE, 1.0 - LEAST_CHANCE)
        return np.asarray(np.log(chance / (1.0 - chance)))


@dataclass(frozen=True)
class LabelScorer:
    """Scores the validation instances by one label of each.

    Parameters
    ----------
    rank
        Which one, by its cost. Default: the best.
    """

    rank: int = 0

    def encode(self, instance: Any) -> LabelScores:
        """Return the scores of one instance."""
        entry = entries()[instance.name]
        chosen = np.argsort(entry.costs, kind="stable")[self.rank]
        return LabelScores(entry.labels[chosen : chosen + 1, 1:])


@cache
def entries() -> dict[str, LabelledInstance]:
    """Return the validation instances with their labels, by name."""
    return {e.instance.name: e for e in entries_of(JUDGED, "valid")}


def first_instance() -> Any:
    """Return an instance with labels, which compiles and loads."""
    return next(iter(entries().values())).instance


def scorer_of(scores: str) -> CenterScorer:
    """Return who scores: one of ``WHO`` or ``OTHER``."""
    if scores in (LABELS, OTHER):
        return LabelScorer(rank=int(scores == OTHER))
    return center_scorer_of(scores)


def cluster(
    instance: Instance,
    seed: int,
    _budget: Allowance,
    *,
    scores: str,
    params: NccPaperParams,
    is_sampled: bool = False,
) -> list[np.ndarray]:
    """Cluster by somebody's scores and some rules."""
    return cluster_ncc_paper(
        instance,
        Run(seed=seed),
        sampling=is_sampled,
        scorer=scorer_of(scores),
        params=params,
    )


def right_center(
    instance: Instance,
    _seed: int,
    _budget: Allowance,
    *,
    scores: str,
    medoids: str,
) -> dict[str, float]:
    """Measure scores for the centers of the best label."""
    routes = LabelScorer().encode(instance).routes[0]
    return center_accuracy(instance, routes, scorer_of(scores), medoids)


def solve_paper(
    instance: Instance,
    seed: int,
    budget: Allowance,
    *,
    method: str,
    scores: str,
    params: NccPaperParams | None = None,
) -> Any:
    """Solve by the paper's method with somebody's scores."""
    return solve_cvrp(
        instance,
        seed,
        budget,
        method=method,
        scorer=scorer_of(scores),
        ncc_paper=params,
    )


def _rules(scores: str) -> list[Variant]:
    """Return the steps from the rules of the paper to the defaults."""
    return [
        _variant(scores, "rules", name, params)
        for name, params in steps().items()
    ]


def _choices(scores: str) -> list[Variant]:
    """Return what varies about the defaults."""
    return [
        _variant(
            *(scores, series, str(value)),
            changed(NccPaperParams(), {field: value}),
            is_sampled=series in SAMPLED,
        )
        for series, (field, values) in SERIES.items()
        for value in values
        if (scores, series) != (DISTANCE, COST)
    ]


def _variant(
    scores: str,
    series: str,
    value: str,
    params: NccPaperParams,
    is_sampled: bool = False,
) -> Variant:
    return Variant(
        f"{scores}, {series} {value}",
        partial(cluster, scores=scores, params=params, is_sampled=is_sampled),
        {"scores": scores, "series": series, "value": value},
    )


WHO = (DISTANCE, NETWORK, LABELS)
CASES = partial(labelled, JUDGED, "valid", NUM_INSTANCES)
WARM = Case("warm-up", first_instance)

GAP = Experiment(
    "paper_gap",
    cases=CASES,
    variants=tuple(
        variant
        for scores in WHO
        for variant in (*_rules(scores), *_choices(scores))
    ),
    columns="scores series value instance num_customers cost num_routes "
    "reference gap_percent cpu_seconds",
    key="scores series value instance",
    finish=route_quickly,
    warm=WARM,
    views=(
        Summary(
            "series value",
            "gap %: gap_percent; CPU s, median: cpu_seconds seconds median; "
            "routes: num_routes .1f",
            across="scores",
        ),
    ),
)
"""First clusterings of validation instances, rule by rule."""

CENTERS = Experiment(
    "paper_centers",
    cases=CASES,
    variants=tuple(
        Variant(
            f"{scores}, {medoids}",
            partial(right_center, scores=scores, medoids=medoids),
            {"scores": scores, "medoids": medoids},
        )
        for scores in (*WHO, OTHER)
        for medoids in MEDOIDS[::-1]
    ),
    columns="scores medoids instance num_customers right_center auc",
    key="scores medoids instance",
    warm=WARM,
    views=(
        Summary(
            "scores medoids",
            "instances: runs; right center first: right_center .3f; "
            "AUC: auc .3f",
        ),
    ),
)
"""How well the scores know the centers of the labels."""


def _on_x(name: str, method: str, scores: str, **more: Any) -> Variant:
    return Variant(
        name,
        partial(solve_paper, method=method, scores=scores, **more),
        {"method": name, "polish": "none"},
    )


METRIC = Experiment(
    "paper_metric_paper",
    cases=partial(published, "X", metric=IN_PAPER.metric),
    variants=(
        _on_x("distance", "ncc-paper", DISTANCE),
        _on_x("ncc-paper", "ncc-paper", NETWORK),
        _on_x("ncc-paper-sampling", "ncc-paper-sampling", NETWORK),
        _on_x("paper's rules", "ncc-paper", NETWORK, params=PAPER_RULES),
        _on_x("distance-sampling", "ncc-paper-sampling", DISTANCE),
    ),
    columns=COLUMNS,
    key="instance method seed",
    views=(BY_METHOD, BY_CLASS),
    warm=SMALL_ROUTES,
    is_loading_timed=True,
    setting={"metric": IN_PAPER.metric},
)
"""The table of the paper, with every customer served."""

PAGES = (
    Page(
        "paper_gap",
        "The paper's own method: network or rules?",
        "What separates the paper's method from good clusters, by switching "
        "one rule after the other, with the labels themselves as scores.",
        (GAP, CENTERS),
    ),
    Page(
        "paper_metric_paper",
        "The paper's own method in its metric",
        f"`ncc-paper` on X with the distances {PAPER}, beside the same loop "
        "without a network.",
        (METRIC,),
    ),
)
"""The pages of this file, by which the registry finds them."""
