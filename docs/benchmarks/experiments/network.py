"""What networks bring: ``ncc`` at equal time, and the paper's own method."""

from __future__ import annotations

import math
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import ncc_routing as nr
from benchmarks.experiments import clusters
from benchmarks.experiments.routes import (
    BY_CLASS,
    BY_METHOD,
    COLUMNS,
    IN_PAPER,
    solving,
)
from benchmarks.harness.cases import (
    SMALL_POINTS,
    SMALL_ROUTES,
    in_paper_units,
    mixtures,
    published,
)
from benchmarks.harness.experiment import Experiment, Variant
from benchmarks.harness.runs import (
    cluster_points,
    processor_deadline,
    solve_cvrp,
)
from benchmarks.harness.views import Differences
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.paper.ncc_paper_routes import PAPER_RULES, NccPaperParams
from ncc_routing.paper.ncc_routes import NccParams, roll_out
from ncc_routing.paper.scoring.center_predictor import (
    blank_predictor,
    shipped_center_predictor,
)
from ncc_routing.paper.scoring.predictor import shipped_predictor
from ncc_routing.paper.scoring.priority import ScorerPriority
from ncc_routing.paper.scoring.vocabulary import CCP, CVRP
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import route_clusters

if TYPE_CHECKING:
    import numpy as np

    from benchmarks.harness.experiment import Allowance, Cases
    from ncc_routing.clustering.scorers import CenterScorer
    from ncc_routing.problems.ccp.clusters import Clustering
    from ncc_routing.problems.instance import Instance

ENDLESS = 1_000_000_000
"""More trials than any budget takes."""


def trials(
    instance: Instance, seed: int, budget: Allowance, *, is_scored: bool
) -> list[np.ndarray]:
    """Cluster in a budget of processor time; 0 is the first clustering."""
    seconds = float(budget or 0.0)
    deadline = processor_deadline(seconds) if seconds > 0 else TimeLimit()
    params = CkmParams(trials_per_customer=0)
    if math.isfinite(deadline.remaining()):
        params = CkmParams(ENDLESS, max_trials=ENDLESS)
    priority, first = None, None
    if is_scored:
        priority = ScorerPriority.of(shipped_predictor(), instance)
        part = TimeLimit()
        if seconds > 0:
            share = NccParams().rollout_share
            part = processor_deadline(share * deadline.remaining())
        first = roll_out(instance, priority, Run(Budget(part)))
    return cluster_ckm(
        instance,
        Run(Budget(deadline), seed=seed),
        params=params,
        priority=priority,
        start=first,
    )


def route_quickly(
    instance: Instance, clusters: list[np.ndarray]
) -> nr.Solution:
    """Route clusters by the built-in router."""
    return route_clusters(instance, clusters, router="local-search")


PAIRS = (
    Experiment(
        "scorer_x",
        cases=partial(published, "X"),
        variants=(
            Variant("ckm", partial(trials, is_scored=False)),
            Variant("ncc", partial(trials, is_scored=True)),
        ),
        columns="instance num_customers method=variant budget "
        "seconds=cpu_seconds cost reference gap_percent",
        key="instance variant budget",
        budgets=(0.0, 0.5, 2.0, 5.0),
        finish=route_quickly,
        warm=SMALL_ROUTES,
        views=(Differences("method", "ckm", "gap_percent", "budget"),),
    ),
    solving("paper_metric_ncc", ("ckm", "ncc", "ncc-sampling"), IN_PAPER),
)
"""The network of pairs of customers, beside the search without one."""


@cache
def center_scorer_of(scores: str, problem: str = CVRP) -> CenterScorer:
    """Return the network of the paper, or distances alone, read once."""
    if scores == "distance":
        return blank_predictor(problem)
    return shipped_center_predictor(f"ncc-paper-{problem}")


def solve_paper(
    instance: Instance,
    seed: int,
    budget: Allowance,
    *,
    method: str,
    scores: str,
    params: NccPaperParams | None = None,
) -> nr.Result:
    """Solve by the paper's method with the network or with distances."""
    return solve_cvrp(
        instance,
        seed,
        budget,
        method=method,
        scorer=center_scorer_of(scores),
        ncc_paper=params,
    )


def cluster_paper(
    points: nr.PointSet,
    seed: int,
    _budget: Allowance,
    *,
    method: str,
    scores: str,
) -> Clustering:
    """Cluster points likewise."""
    return nr.cluster(
        points,
        points.num_clusters or points.min_num_clusters,
        seed=seed,
        params=nr.ClusterParams(method, scorer=center_scorer_of(scores, CCP)),
    )


WITHOUT, WITHOUT_SAMPLING, WITH, SAMPLING = (
    ("distance", "ncc-paper", "distance"),
    ("distance-sampling", "ncc-paper-sampling", "distance"),
    ("ncc-paper", "ncc-paper", "network"),
    ("ncc-paper-sampling", "ncc-paper-sampling", "network"),
)
"""Algorithm 2 of the paper: what tables call it, its method, its scores."""


def _on_x(name: str, method: str, scores: str, **more: Any) -> Variant:
    run = partial(solve_paper, method=method, scores=scores, **more)
    return Variant(name, run, {"method": name, "polish": "none"})


def _on_points(name: str, cases: Cases, **more: Any) -> Experiment:
    return Experiment(
        name,
        cases=cases,
        variants=(
            *(
                Variant(
                    called,
                    partial(cluster_paper, method=method, scores=scores),
                )
                for called, method, scores in (
                    *(WITHOUT, WITHOUT_SAMPLING, WITH, SAMPLING),
                )
            ),
            *(
                Variant(name, partial(cluster_points, method=name))
                for name in ("ncc", "ckm")
            ),
        ),
        columns=clusters.COLUMNS,
        key="instance variant seed",
        warm=SMALL_POINTS,
        **more,
    )


OF_THE_PAPER = (
    Experiment(
        "paper_metric_paper",
        cases=partial(published, "X", metric=IN_PAPER.metric),
        variants=(
            _on_x(*WITHOUT),
            _on_x(*WITH),
            _on_x(*SAMPLING),
            _on_x("paper's rules", "ncc-paper", "network", params=PAPER_RULES),
            _on_x(*WITHOUT_SAMPLING),
        ),
        columns=COLUMNS,
        key="instance method seed",
        views=(BY_METHOD, BY_CLASS),
        warm=SMALL_ROUTES,
        is_loading_timed=True,
        setting={"metric": IN_PAPER.metric},
    ),
    _on_points(
        "paper_method_gmm",
        partial(mixtures, 100),
        seeds=(1, 2, 3),
        views=(clusters.MEANS,),
    ),
    _on_points(
        "paper_method_instances",
        partial(in_paper_units, tuple(clusters.PAPER_FIGURES)),
        views=(clusters.MEANS, clusters.SPECTRAL_BY_INSTANCE),
    ),
)
"""The paper's own method, beside the same loop without a network."""

EXPERIMENTS = (*PAIRS, *OF_THE_PAPER)
