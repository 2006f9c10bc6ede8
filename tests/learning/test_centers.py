"""Algorithm 2 of the paper with a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.learning.centers import CenterParams, cluster_by_centers
from ncc_routing.learning.scorer import (
    ClusterScorer,
    build_network,
)
from ncc_routing.problems.checking import check_solution
from ncc_routing.problems.solution import Solution
from ncc_routing.scoring.weights_file import NetworkParams

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


@pytest.fixture
def center_scorer() -> ClusterScorer:
    """Return an untrained scorer of architecture "paper"."""
    torch.manual_seed(1)
    shape = NetworkParams("paper", width=8, num_layers=1, num_heads=2)
    return ClusterScorer(shape, build_network(shape).eval(), {})


@pytest.mark.parametrize("num_samples", [1, 4])
def test_clusters_are_feasible(
    center_scorer: ClusterScorer, small_instance: Instance, num_samples: int
) -> None:
    """Every customer is served within the capacity, the same again."""
    params = CenterParams(
        num_samples=num_samples, num_starts=2, max_iterations=5
    )
    found = [
        cluster_by_centers(
            center_scorer, small_instance, params=params, seed=3
        )
        for _ in range(2)
    ]
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
    solution = Solution.from_routes(small_instance, found[0])
    assert check_solution(small_instance, solution) == []
    assert len(found[0]) >= small_instance.min_num_routes


def test_other_architecture_is_refused(small_instance: Instance) -> None:
    """A scorer of pairs knows no centers."""
    shape = NetworkParams(width=8, num_heads=2)
    scorer = ClusterScorer(shape, build_network(shape), {})
    with pytest.raises(ParameterError, match="paper"):
        cluster_by_centers(scorer, small_instance)


@pytest.mark.parametrize(
    "changes", [{"num_starts": 0}, {"last_fraction": 1.5}]
)
def test_bad_parameters_are_refused(changes: dict[str, Any]) -> None:
    """Values out of range name themselves."""
    with pytest.raises(ParameterError, match=next(iter(changes))):
        CenterParams(**changes)
