"""The scorer as a priority of the clustering."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.learning.scorer import (
    ClusterScorer,
    build_network,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.scoring.priority import ScorerPriority
from ncc_routing.scoring.weights_file import NetworkParams
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm


def test_table_by_hand():
    """Log-probabilities times the spacing, best first; the depot empty."""
    table = ScorerPriority(
        np.array([[2, 3], [1, 3], [1, 2]]),
        np.array([[0.1, 1.0], [0.5, 0.0], [0.25, 0.5]]),
        spacing=10.0,
        weight=0.5,
        far_chance=0.01,
    ).formula()
    assert table.neighbours.tolist() == [[0, 0], [3, 2], [1, 3], [2, 1]]
    logs = 10 * np.log([[1.0, 0.1], [0.5, 0.01], [0.5, 0.25]])
    np.testing.assert_allclose(table.affinity[1:], logs)
    assert table.far_affinity == pytest.approx(10 * np.log(0.01))
    assert table.affinity_weight == 0.5
    assert table.distance_weight == 1.0


@pytest.mark.parametrize(
    "changes", [{"weight": -1.0}, {"spacing": 0.0}, {"far_chance": 0.0}]
)
def test_bad_values_are_refused(changes):
    """Values out of range name themselves."""
    values = {"spacing": 1.0, **changes}
    with pytest.raises(ParameterError, match=next(iter(changes))):
        ScorerPriority(np.ones((1, 1), int), np.ones((1, 1)), **values)


def test_clustering_with_a_scorer_is_feasible(small_instance):
    """Even an untrained network leaves every customer served."""
    torch.manual_seed(1)
    shape = NetworkParams(width=8, num_layers=1, num_heads=2)
    scorer = ClusterScorer(shape, build_network(shape), {"weight": 0.7})
    priority = ScorerPriority.of(scorer, small_instance)
    assert priority.weight == 0.7
    clusters = cluster_ckm(
        small_instance,
        priority=priority,
        params=CkmParams(trials_per_customer=5),
    )
    solution = Solution.from_routes(small_instance, clusters)
    assert check_solution(small_instance, solution) == []


def test_scorer_of_centers_has_no_pairs(small_instance):
    """The paper's architecture is refused with a clear message."""
    shape = NetworkParams(architecture="paper", width=8, num_heads=2)
    scorer = ClusterScorer(shape, build_network(shape), {})
    with pytest.raises(ParameterError, match="pairs"):
        ScorerPriority.of(scorer, small_instance)
