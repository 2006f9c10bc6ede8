"""Cluster first as the paper does: its network and its Algorithm 2."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.objectives import inertia_of
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.core.run import Run
from ncc_routing.paper.scored_kmeans import ScoredKMeans
from ncc_routing.paper.scored_params import ScoredKMeansParams
from ncc_routing.paper.scoring.center_predictor import (
    MAX_PAIRS,
    SECONDS_PER_NODE,
    center_scorer,
)
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.vrp.tours.cluster_routes import improve_members, members_of

if TYPE_CHECKING:
    from ncc_routing.clustering.scorers import Scorer
    from ncc_routing.problems.instance import Instance

CHOICES: Final = ("tours", "inertia", "depot-inertia")
"""Costs of the clusters of a round."""


@dataclass(frozen=True)
class NccPaperParams:
    """How the paper's method clusters the customers of a CVRP.

    The rules of the paper are those of ``PAPER_RULES``;
    ``docs/benchmarks/network.md`` compares them with the defaults.

    Parameters
    ----------
    kmeans
        Assignment, starts and samples. Default ``ScoredKMeansParams()``.
    choice
        What the clusters of a round cost: "tours" (default), the length of
        their routes by the built-in router; "inertia", the squared distances
        of customers to their mean; "depot-inertia", as in the released code:
        the depot is a member of every cluster, and the squared distances of
        the depot to the means are subtracted.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    kmeans: ScoredKMeansParams = field(default_factory=ScoredKMeansParams)
    choice: str = CHOICES[0]

    def __post_init__(self) -> None:
        if self.choice not in CHOICES:
            raise ParameterError(
                f"choice must be one of {', '.join(CHOICES)}, "
                f"got {self.choice!r}."
            )


PAPER_RULES: Final = NccPaperParams(
    ScoredKMeansParams(
        scaling="paper",
        assignment="cyclic",
        medoids="nearest",
        max_passes=0,
        has_wider_starts=False,
        has_depot_in_mean=True,
    ),
    choice="depot-inertia",
)
"""The rules of the paper, of section 5.2 above all."""


def why_unscored(instance: Instance, run: Run) -> str | None:
    """Return why the network cannot be used, or ``None`` where it can."""
    if instance.num_customers * instance.min_num_routes > MAX_PAIRS:
        return f"{instance.name} has too many customers and vehicles"
    if run.budget.remaining() < SECONDS_PER_NODE * instance.num_customers:
        return f"{instance.name} has too little time to score centers"
    return None


def cluster_ncc_paper(
    instance: Instance,
    run: Run = Run(),
    *,
    sampling: bool = False,
    scorer: Scorer | None = None,
    params: NccPaperParams | None = None,
) -> list[np.ndarray]:
    """Return the customers of each cluster, by scores for centers.

    Each round scores the encoded customers for all centers together, assigns
    them, and moves the centers to the means. The number of clusters grows
    until every customer is placed; the best round of several starts counts.
    ``sampling`` places the last customers in several orders. The scorer is of
    architecture "paper"; the network itself ignores the deadline.

    Source: Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering,
    Algorithm 2 and section 5.2.
    """
    params = params or NccPaperParams()
    coords = instance.plane_coords("the neural scorer")
    points = PointSet(
        coords[1:], instance.demands[1:], instance.capacity, instance.name
    )
    scores = center_scorer(scorer, "ncc-paper-cvrp").encode(instance)
    search = ScoredKMeans(
        points,
        scores,
        partial(price, instance, params.choice),
        params.kmeans,
        is_sampled=sampling,
        depot=coords[0],
    )
    size = instance.num_customers
    used = float(points.weights.sum()) / instance.capacity
    fewest = ceil(used / (1.0 - params.kmeans.spare_share) - 1e-9)
    fewest = min(max(fewest, instance.min_num_routes), size)
    clustering = search.run(
        fewest, size, run.generator(), run.budget.time_limit
    )
    if clustering is None:
        raise InfeasibleError(
            f"{instance.name}: no start placed every customer."
        )
    return members_of(clustering.labels)


def price(
    instance: Instance, choice: str, labels: np.ndarray, num_clusters: int
) -> float:
    """Return the cost of clusters by one of ``CHOICES``; labels are (n,)."""
    if choice == "tours":
        sizes = np.bincount(labels, minlength=num_clusters)
        offsets = np.concatenate([[0], np.cumsum(sizes[sizes > 0])])
        members = np.argsort(labels, kind="stable") + 1
        return float(improve_members(instance, members, offsets).sum())
    coords = instance.plane_coords("the neural scorer")
    depot = coords[0] if choice == "depot-inertia" else None
    return inertia_of(coords[1:], labels, num_clusters, depot)
