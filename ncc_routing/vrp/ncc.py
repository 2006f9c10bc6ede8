"""First clusterings of a CVRP by the scorer: one, or the best of several."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.clustering.correlation import (
    CorrelationParams,
    cluster_by_correlation,
    link_pairs,
)
from ncc_routing.core.deadline import Deadline
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.priority import ScorerPriority

SPARE_SHARE: Final = 0.01
"""Room in the vehicles without which the votes cannot move anything."""

SEED_WEIGHT: Final = 2.0
"""Weight of the score in the assignment that precedes the pairs' vote."""


def roll_out(
    instance: Instance,
    priority: ScorerPriority,
    *,
    num_samples: int = 1,
    params: CorrelationParams | None = None,
    seed: int = 1,
    deadline: Deadline | None = None,
) -> list[np.ndarray]:
    """Cluster the customers of a CVRP by the answers of the network.

    A rollout assigns the customers to the medoids of ckm++ centers by
    regret (the paper's Algorithm 2 without its turns), with as few clusters
    as leave ``SPARE_SHARE`` of their capacity free; then the pairs of near
    customers vote: relocations and swaps raise the sum of the log-odds
    within the clusters (``clustering.correlation``).

    Parameters
    ----------
    instance
        The instance; it needs coordinates.
    priority
        The answers of the network; its weight does not count here.
    num_samples
        Rollouts, each with its own centers and moves, of which the one with
        the shortest routes counts. Default 1.
    params
        How the pairs vote. Default ``CorrelationParams()``.
    seed
        Seed of every random choice.
    deadline
        Ends a rollout early, and leaves out those that it does not give the
        time for; the first one is always made. Default: none.

    Returns
    -------
    list[numpy.ndarray]
        The customers (1..n) of each cluster, within the capacity.
    """
    params = params or CorrelationParams()
    deadline = deadline or Deadline()
    rng = np.random.default_rng(seed)
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
            priority=seeding,
            params=CkmParams(0, spare_share=SPARE_SHARE),
            seed=int(rng.integers(2**31)),
            deadline=deadline,
        )
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
        order = np.argsort(labels, kind="stable") + 1
        stops = np.cumsum(np.bincount(labels, minlength=len(clusters)))
        found = [c for c in np.split(order, stops[:-1]) if len(c)]
        cost = np.inf
        if num_samples > 1:
            cost = float(improve_routes(instance, found, Deadline())[1].sum())
        if not best or cost < least:
            best, least = found, cost
    return best
