"""The tables of the paper for the general clustering problem."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import ncc_routing as nr
from benchmarks.experiments.clusters import (
    COLUMNS,
    MEANS,
    PAPER_FIGURES,
    with_published,
)
from benchmarks.harness.cases import (
    SMALL_POINTS,
    in_paper_units,
    mixtures,
)
from benchmarks.harness.center_scores import (
    DISTANCE,
    NETWORK,
    center_scorer_of,
)
from benchmarks.harness.experiment import Experiment, Page, Variant
from benchmarks.harness.runs import cluster_points
from benchmarks.harness.views import Summary
from ncc_routing.scoring.vocabulary import CCP

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance

KEY = "instance variant seed"


def cluster(
    points: nr.PointSet,
    seed: int,
    _budget: Allowance,
    *,
    method: str,
    scores: str,
) -> nr.Clustering:
    """Cluster points by the paper's method with somebody's scores."""
    return nr.cluster(
        points,
        points.num_clusters or points.min_num_clusters,
        method=method,
        scorer=center_scorer_of(scores, CCP),
        seed=seed,
    )


def _variant(name: str, method: str, scores: str) -> Variant:
    return Variant(name, partial(cluster, method=method, scores=scores))


VARIANTS = (
    _variant("distance", "ncc-paper", DISTANCE),
    _variant("distance-sampling", "ncc-paper-sampling", DISTANCE),
    _variant("ncc-paper", "ncc-paper", NETWORK),
    _variant("ncc-paper-sampling", "ncc-paper-sampling", NETWORK),
    *(
        Variant(name, partial(cluster_points, method=name))
        for name in ("ncc", "ckm")
    ),
)
"""Algorithm 2 with distances and with the network, and what is best here."""

PAGES = (
    Page(
        "ccp/paper_method",
        "The paper's own method on clusters",
        "`ncc-paper` on the paper's Gaussian mixtures and its benchmark "
        "instances, beside the same loop without a network.",
        (
            Experiment(
                "paper_method_gmm",
                cases=partial(mixtures, 100),
                variants=VARIANTS,
                columns=COLUMNS,
                key=KEY,
                seeds=(1, 2, 3),
                warm=SMALL_POINTS,
                views=(MEANS,),
            ),
            Experiment(
                "paper_method_instances",
                cases=partial(in_paper_units, tuple(PAPER_FIGURES)),
                variants=VARIANTS,
                columns=COLUMNS,
                key=KEY,
                warm=SMALL_POINTS,
                views=(
                    MEANS,
                    Summary(
                        "instance",
                        "spectral: spectral_inertia .3f",
                        across="method",
                        derive=with_published,
                    ),
                ),
            ),
        ),
    ),
)
"""The page of this file, by which the registry finds it."""
