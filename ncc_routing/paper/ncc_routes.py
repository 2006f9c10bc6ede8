"""Cluster first by the trained scorer: its pairs vote, then ckm improves."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.correlation import (
    CorrelationParams,
    Pairs,
    cluster_by_correlation,
    link_pairs,
)
from ncc_routing.core.params import MAX_EFFORT, bounded, check_bounds
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.paper.scoring.predictor import SECONDS_PER_NODE, pair_scorer
from ncc_routing.paper.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.tours.cluster_routes import improve_routes, members_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.clustering.scorers import Scorer
    from ncc_routing.problems.instance import Instance

SPARE_SHARE: Final = 0.01
"""Share of the capacity kept free, so that votes can move customers."""

SEED_WEIGHT: Final = 2.0
"""Weight of the score in the assignment that precedes the pairs' vote."""


@dataclass(frozen=True)
class NccParams:
    """How the scorer makes the first clustering.

    Parameters
    ----------
    correlation
        How the pairs vote. Default ``CorrelationParams()``.
    num_samples
        First clusterings of "ncc-sampling", of which the best one is
        improved. Default 8.
    sample_moves
        Moves per customer in each of them. Default 200.
    rollout_share
        Share of the time for the first clusterings. Default 0.1.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    correlation: CorrelationParams = field(default_factory=CorrelationParams)
    num_samples: int = bounded(8, 1, MAX_EFFORT)
    sample_moves: int = bounded(200, 0, MAX_EFFORT)
    rollout_share: float = bounded(0.1, 1e-6, 1.0)

    def __post_init__(self) -> None:
        check_bounds(self)


def why_unscored(instance: Instance, run: Run) -> str | None:
    """Return why the scorer cannot be used, or ``None`` where it can."""
    if run.budget.remaining() < SECONDS_PER_NODE * instance.num_customers:
        return f"{instance.name} has too little time to score pairs"
    return None


def cluster_ncc(
    instance: Instance,
    run: Run = Run(),
    *,
    sampling: bool = False,
    scorer: Scorer | None = None,
    params: NccParams | None = None,
    ckm: CkmParams | None = None,
    preferences: Preferences = Preferences(),
) -> list[np.ndarray]:
    """Return the customers of each cluster, by a trained scorer and ckm.

    ``sampling`` improves the best of several first clusterings. The scorer is
    of architecture "pairs", by default the shipped one; the network itself
    ignores the deadline. Source: Falkner and Schmidt-Thieme (2023), Neural
    Capacitated Clustering.
    """
    params = params or NccParams()
    votes = params.correlation
    if sampling:
        votes = replace(votes, moves_per_point=params.sample_moves)
    answering = pair_scorer(scorer, "ncc-cvrp")
    priority = ScorerPriority.of(answering, instance)
    share = params.rollout_share * run.budget.remaining()
    start = roll_out(
        instance,
        priority,
        run.for_stage("rollouts").within(share),
        num_samples=params.num_samples if sampling else 1,
        params=votes,
    )
    return cluster_ckm(
        instance,
        run.for_stage("ckm"),
        priority=priority,
        start=start,
        params=ckm,
        preferences=preferences,
    )


def roll_out(
    instance: Instance,
    priority: ScorerPriority,
    run: Run = Run(),
    *,
    num_samples: int = 1,
    params: CorrelationParams | None = None,
) -> list[np.ndarray]:
    """Cluster the customers by the answers of the network.

    A rollout assigns the customers to the medoids of ckm++ centers by regret
    (the paper's Algorithm 2 without its turns), with as few clusters as leave
    ``SPARE_SHARE`` of the capacity free; then pairs of near customers vote
    (``clustering.correlation``). The shortest routes of ``num_samples`` count.
    The weight of ``priority`` is ignored, and one rollout is always made.
    """
    params = params or CorrelationParams()
    rng, deadline = run.generator(), run.budget.time_limit
    pairs = link_pairs(
        priority.neighbours - 1, priority.chances, params.far_log_odds
    )
    seeding = replace(priority, weight=SEED_WEIGHT)
    best: list[np.ndarray] = []
    least = np.inf
    for _ in range(num_samples):
        if best and deadline.passed():
            break
        clusters = cluster_ckm(
            instance,
            run.with_seed(int(rng.integers(2**31))),
            priority=seeding,
            params=CkmParams(0, spare_share=SPARE_SHARE),
        )
        labels = _vote(instance, clusters, pairs, params, rng, deadline)
        cost = np.inf
        if num_samples > 1:
            cost = float(
                improve_routes(instance, labels, TimeLimit())[1].sum()
            )
        if not best or cost < least:
            best, least = labels, cost
    return best


def _vote(
    instance: Instance,
    clusters: Sequence[np.ndarray],
    pairs: Pairs,
    params: CorrelationParams,
    rng: np.random.Generator,
    deadline: TimeLimit,
) -> list[np.ndarray]:
    labels = np.zeros(instance.num_customers, dtype=np.int64)
    for number, members in enumerate(clusters):
        labels[members - 1] = number
    labels = cluster_by_correlation(
        pairs,
        labels,
        instance.demands[1:],
        np.full(len(clusters), instance.capacity),
        params=params,
        rng=rng,
        deadline=deadline,
    )
    return members_of(labels)
