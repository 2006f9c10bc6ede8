"""The scorer as a priority of the clustering."""

from typing import Any

import numpy as np
import pytest
import torch

from ncc_routing import (
    Instance,
    ParameterError,
    PointSet,
    Solution,
    check_solution,
)
from ncc_routing.paper.learning.scorer import build_network
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.predictor import PairPredictor
from ncc_routing.paper.scoring.priority import ScorerPriority
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm


def test_table_by_hand() -> None:
    """Log-probabilities times the spacing, best first; the depot empty."""
    table = ScorerPriority(
        np.array([[2, 3], [1, 3], [1, 2]]),
        np.array([[0.1, 1.0], [0.5, 0.0], [0.25, 0.5]]),
        spacing=10.0,
        weight=0.5,
        far_chance=0.01,
    ).formula()
    assert table.neighbours.tolist() == [[0, 0], [3, 2], [1, 3], [2, 1]]
    logs = 10 * np.log([[1.0, 0.1], [0.5, 1e-3], [0.5, 0.25]])
    np.testing.assert_allclose(table.affinity[1:], logs)
    assert table.far_affinity == pytest.approx(10 * np.log(0.01))
    assert table.affinity_weight == 0.5
    assert table.distance_weight == 1.0


@pytest.mark.parametrize(
    "changes", [{"weight": -1.0}, {"spacing": 0.0}, {"far_chance": 0.0}]
)
def test_bad_values_are_refused(changes: dict[str, Any]) -> None:
    """Values out of range name themselves."""
    values = {"spacing": 1.0, **changes}
    with pytest.raises(ParameterError, match=next(iter(changes))):
        ScorerPriority(np.ones((1, 1), int), np.ones((1, 1)), **values)


def test_points_by_hand() -> None:
    """No row of a depot; the first unlisted pair is not the least likely."""
    table = ScorerPriority(
        np.array([[1, 2], [0, 2], [1, 0]]),
        np.array([[1.0, 0.2], [0.5, 0.4], [0.0, 0.3]]),
        spacing=2.0,
        weight=0.5,
        far_chance=0.3,
        first_node=0,
    ).formula()
    assert table.neighbours.tolist() == [[1, 2], [0, 2], [0, 1]]
    logs = 2.0 * np.log([[1.0, 0.2], [0.5, 0.4], [0.3, 1e-3]])
    np.testing.assert_allclose(table.affinity, logs)
    assert table.far_affinity == pytest.approx(2.0 * np.log(0.3))
    assert (table.affinity_weight, table.distance_weight) == (0.5, 1.0)


class FixedScorer:
    """Says the same of every problem: three nodes, two neighbours each."""

    def __init__(self, first: int, calibration: dict[str, float]) -> None:
        self.first, self.calibration = first, calibration

    def pair_probabilities(
        self, instance: Instance | PointSet
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Return nodes, probabilities and spacing."""
        chances = np.array([[0.9, 0.2], [0.8, 0.4], [0.5, 0.3]])
        nodes = np.array([[1, 2], [0, 2], [1, 0]]) + self.first
        return nodes, chances, 2.0


def test_priority_of_a_scorer() -> None:
    """The calibrated weight, else 1; far points as the last column."""
    three = Instance("three", np.array([0, 1, 1, 1]), 9, np.eye(4, 2))
    found = ScorerPriority.of(FixedScorer(1, {"weight": 0.7}), three)
    assert (found.weight, found.far_chance, found.first_node) == (0.7, 1e-3, 1)
    points = PointSet(np.zeros((3, 2)), np.ones(3), 3, num_clusters=1)
    found = ScorerPriority.of(FixedScorer(0, {}), points)
    assert (found.weight, found.first_node) == (1.0, 0)
    assert found.far_chance == pytest.approx(0.3)
    assert ScorerPriority.of(FixedScorer(0, {}), points, weight=3).weight == 3


@pytest.mark.numeric
def test_clustering_with_a_scorer_is_feasible(
    small_instance: Instance,
) -> None:
    """Even an untrained network leaves every customer served."""
    torch.manual_seed(1)
    shape = NetworkParams(width=8, num_layers=1, num_heads=2)
    state = build_network(shape).state_dict()
    tensors = {name: tensor.numpy() for name, tensor in state.items()}
    clusters = cluster_ckm(
        small_instance,
        priority=ScorerPriority.of(
            PairPredictor(shape, tensors, {"weight": 0.7}), small_instance
        ),
        params=CkmParams(trials_per_customer=5),
    )
    solution = Solution.from_routes(small_instance, clusters)
    assert check_solution(small_instance, solution) == []
