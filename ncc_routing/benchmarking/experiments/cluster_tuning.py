"""How the parameters of the clustering solver were chosen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ncc_routing.benchmarking.cases import SMALL_POINTS, mixtures
from ncc_routing.benchmarking.experiment import Experiment, Page, Variant
from ncc_routing.benchmarking.experiments.clusters import search
from ncc_routing.benchmarking.experiments.tuning_sets import median_sets
from ncc_routing.benchmarking.runs import processor_deadline
from ncc_routing.benchmarking.tables import Summary, gap_to_best
from ncc_routing.ccp.local_search.search import SearchParams
from ncc_routing.ccp.medians.annealing import (
    AnnealingParams,
    cluster_by_annealing,
)

if TYPE_CHECKING:
    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet

CHANGES: dict[str, dict[str, Any]] = {
    "default": {},
    "openings 0": {"openings": 0.0},
    "openings 0.1": {"openings": 0.1},
    "price 0.3": {"price": 0.3},
    "price 4": {"price": 4.0},
    "global share 0.25": {"global_share": 0.25},
    "global share 0.75": {"global_share": 0.75},
    "high 0.2": {"start_temperature": 0.2},
    "low 0.02": {"end_temperature": 0.02},
    "low 0.005": {"end_temperature": 0.005},
    "local high 0.1": {"local_start_temperature": 0.1},
    "effort 30": {"effort": 30},
    "effort 120": {"effort": 120},
}
"""Changes of ``AnnealingParams``."""

STRICT: dict[str, Any] = {"excess": 0.0, "local_price": 1.0}
"""No load may ever exceed the capacity."""

MEDIANS = {
    **{f"strict, {k}": {**STRICT, **v} for k, v in CHANGES.items()},
    "excess 0": {"excess": 0.0},
    "local price 1": {"local_price": 1.0},
    "default": {},
}
"""All changes were tried before an excess was allowed, few of them after."""

STARTS_AND_KICKS = (
    (8, 0), (1, 8), (1, 16), (1, 24), (2, 8), (2, 16), (2, 24), (1, 200),
)  # fmt: skip
"""Efforts of the search for a small inertia."""

GMM_SEED = 97
"""Seed of mixtures like those of the test set."""

BY_CHOICE = Summary(
    "choice share",
    "runs; gap %: gap_percent .3f; worst gap %: gap_percent max; "
    "cost: cost .5f; CPU s: cpu_seconds .4f",
    derive=gap_to_best("instance"),
)
"""Gaps are to the best of all runs on an instance."""

COLUMNS = "choice=variant instance seed share=budget cost cpu_seconds"
"""Columns of both tables of choices."""


def anneal(
    points: PointSet, seed: int, share: Budget, *, params: AnnealingParams
) -> Clustering:
    """Choose medians in a share of n / 50 s, at least 5 and at most 60."""
    limit = min(60.0, max(5.0, points.num_points / 50))
    return cluster_by_annealing(
        points,
        points.num_clusters or points.min_num_clusters,
        params=params,
        rng=np.random.default_rng(seed),
        deadline=processor_deadline(float(share or 0.0) * limit),
    )


def label(starts: int, kicks: int) -> str:
    """Return the name of an effort."""
    text = f"{starts} start{'s' if starts > 1 else ''}"
    return f"{text}, {kicks} kicks" if kicks else text


PAGES = (
    Page(
        "ccp/tuning",
        "Choices inside the clustering solver",
        "What the parameters of the medians' annealing and of the search "
        "for a small inertia change, on generated instances.",
        (
            Experiment(
                "tuning_medians",
                cases=median_sets,
                variants=tuple(
                    Variant(
                        name,
                        partial(anneal, params=AnnealingParams(**changes)),
                    )
                    for name, changes in MEDIANS.items()
                ),
                columns=COLUMNS,
                budgets=(0.2,),
                warm=SMALL_POINTS,
                warm_budget=0.002,
                views=(BY_CHOICE,),
            ),
            Experiment(
                "tuning_inertia",
                cases=partial(mixtures, 60, GMM_SEED),
                variants=tuple(
                    Variant(
                        label(*effort),
                        partial(search, params=SearchParams(*effort)),
                    )
                    for effort in STARTS_AND_KICKS
                ),
                columns=COLUMNS,
                budgets=(1.0,),
                warm=SMALL_POINTS,
                views=(BY_CHOICE,),
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
