"""First clusterings of a CVRP by the answers of a network."""

from __future__ import annotations

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.clustering.correlation import CorrelationParams
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.paper.ncc_routes import roll_out
from ncc_routing.paper.scoring.predictor import shipped_predictor
from ncc_routing.paper.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.tours.cluster_routes import route_clusters

PARAMS = CorrelationParams(moves_per_point=200)


@pytest.fixture(scope="module")
def two_groups() -> tuple[nr.Instance, ScorerPriority]:
    """Six customers in a row; the network wants every second one together."""
    coords = np.array([[0, 0], *[[10 + i, 0] for i in range(6)]], dtype=float)
    instance = nr.Instance("row", np.array([0, 1, 1, 1, 1, 1, 1]), 3, coords)
    rows = np.arange(1, 7)
    neighbours = np.array([np.delete(rows, i) for i in range(6)])
    same = (neighbours + rows[:, None]) % 2 == 0
    return instance, ScorerPriority(
        neighbours, np.where(same, 0.9, 0.1), spacing=1.0
    )


def test_pairs_decide(two_groups: tuple[nr.Instance, ScorerPriority]) -> None:
    """Odd and even customers, though neighbours are nearer."""
    instance, priority = two_groups
    clusters = roll_out(instance, priority, params=PARAMS)
    assert sorted(sorted(c.tolist()) for c in clusters) == [
        [1, 3, 5],
        [2, 4, 6],
    ]


@pytest.mark.numeric
def test_samples_are_not_longer(small_instance: nr.Instance) -> None:
    """The seed decides; the first of the rollouts is made in any case."""
    priority = ScorerPriority.of(shipped_predictor(), small_instance)
    costs = []
    for num, limit in ((1, None), (1, None), (4, None), (3, 0.0)):
        clusters = roll_out(
            small_instance,
            priority,
            Run(Budget.of(limit), seed=3),
            num_samples=num,
            params=PARAMS,
        )
        solution = route_clusters(
            small_instance, clusters, router="local-search"
        )
        assert nr.check_solution(small_instance, solution) == []
        costs.append(solution.cost)
    assert costs[2] <= costs[1] == costs[0]


def test_search_goes_on_from_a_start(small_instance: nr.Instance) -> None:
    """Without trials the start comes back; with trials it gets no longer."""
    start = cluster_ckm(
        small_instance, Run(seed=9), params=CkmParams(trials_per_customer=0)
    )
    costs = []
    for trials in (0, 5):
        clusters = cluster_ckm(
            small_instance,
            start=start,
            params=CkmParams(trials_per_customer=trials),
        )
        solution = route_clusters(
            small_instance, clusters, router="local-search"
        )
        assert nr.check_solution(small_instance, solution) == []
        costs.append(solution.cost)
        if trials == 0:
            assert [sorted(c.tolist()) for c in clusters] == [
                sorted(c.tolist()) for c in start
            ]
    assert costs[1] < costs[0]
