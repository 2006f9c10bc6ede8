"""Networks and classical rules, each with the same time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.experiments.scorer import (
    ENDLESS,
    improve,
    trials,
)
from benchmarks.harness.cases import SMALL_ROUTES, generated
from benchmarks.harness.center_scores import (
    DISTANCE,
    NETWORK,
    center_scorer_of,
)
from benchmarks.harness.experiment import Experiment, Page, Variant
from benchmarks.harness.runs import processor_deadline, route_quickly
from benchmarks.harness.views import Summary, gap_to_best
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.vrp.ncc import NccParams
from ncc_routing.vrp.ncc_paper import NccPaperParams, cluster_ncc_paper

if TYPE_CHECKING:
    import numpy as np

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.instance import Instance

SIZES = (100, 300, 1000, 3000, 10_000, 30_000)
SEEDS = range(5_000_001, 5_000_005)
"""Customers and seeds of the instances; no choice was made on them."""

SECONDS = (0.05, 0.2, 1.0, 5.0)
"""Processor time of a run, that of the network included."""


def by_centers(
    instance: Instance, seed: int, budget: Allowance, *, scores: str
) -> list[np.ndarray]:
    """Start Algorithm 2 anew as long as there is time."""
    params = NccPaperParams()
    kmeans = replace(params.kmeans, num_starts=ENDLESS)
    return cluster_ncc_paper(
        instance,
        Run(Budget(processor_deadline(budget)), seed=seed),
        scorer=center_scorer_of(scores),
        params=replace(params, kmeans=kmeans),
    )


def then_trials(
    instance: Instance, seed: int, budget: Allowance
) -> list[np.ndarray]:
    """Cluster by the paper's network, and go on with trials.

    The network has the share of the time that ``ncc`` gives its own.
    """
    deadline = processor_deadline(budget)
    share = NccParams().rollout_share * deadline.remaining()
    first = cluster_ncc_paper(
        instance,
        Run(Budget(processor_deadline(share)), seed=seed),
        scorer=center_scorer_of(NETWORK),
    )
    return improve(instance, seed, deadline, start=first)


PAGES = (
    Page(
        "equal_time",
        "Networks and rules at equal time",
        "The network of pairs, the paper's network and classical rules, each "
        "with the same processor time, from 100 to 30,000 customers.",
        (
            Experiment(
                "equal_time",
                cases=partial(
                    generated, [(n, seed) for n in SIZES for seed in SEEDS]
                ),
                variants=(
                    Variant("ckm", partial(trials, is_scored=False)),
                    Variant("ncc", partial(trials, is_scored=True)),
                    Variant("paper's network, then trials", then_trials),
                    *(
                        Variant(
                            f"Algorithm 2, {scores}",
                            partial(by_centers, scores=scores),
                        )
                        for scores in (NETWORK, DISTANCE)
                    ),
                ),
                columns="instance num_customers method=variant budget "
                "seconds=cpu_seconds cost num_routes",
                key="instance variant budget",
                budgets=SECONDS,
                finish=route_quickly,
                warm=SMALL_ROUTES,
                views=(
                    Summary(
                        "num_customers budget",
                        "above the best, %: gap_percent; s: seconds",
                        "n time",
                        across="method",
                        derive=gap_to_best("instance"),
                    ),
                ),
            ),
        ),
    ),
)
"""The page of this file, by which the registry finds it."""
