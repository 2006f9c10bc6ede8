"""The paper's own method on points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing.ccp.solve import ClusterParams, cluster
from ncc_routing.clustering.scored_params import ScoredKMeansParams
from ncc_routing.core.exceptions import InfeasibleError, ParameterError
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.center_predictor import (
    CenterPredictor,
    blank_predictor,
)
from ncc_routing.scoring.vocabulary import CCP

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def predictor() -> CenterPredictor:
    """Return a network that knows nothing: the distance decides."""
    return blank_predictor(CCP)


@pytest.mark.parametrize("method", ["ncc-paper", "ncc-paper-sampling"])
@pytest.mark.parametrize("objective", ["inertia", "cccp", "cpmp"])
def test_methods_are_feasible_and_repeat(
    small_points: PointSet,
    predictor: CenterPredictor,
    method: str,
    objective: str,
) -> None:
    """Each objective, the same answer twice."""
    count = small_points.num_clusters
    assert count is not None
    one, other = (
        cluster(
            small_points,
            count,
            method=method,
            objective=objective,
            scorer=predictor,
        )
        for _ in range(2)
    )
    assert one.method == method
    assert check_clustering(small_points, one, count) == []
    np.testing.assert_array_equal(one.labels, other.labels)


def test_rules_of_the_paper_count(
    small_points: PointSet, predictor: CenterPredictor
) -> None:
    """A group of parameters is a mapping or its dataclass."""
    count = small_points.num_clusters
    groups = (
        {"scaling": "paper", "assignment": "cyclic", "num_starts": 2},
        ScoredKMeansParams(scaling="paper", assignment="cyclic", num_starts=2),
    )
    one, other = (
        cluster(
            small_points,
            count,
            method="ncc-paper",
            scorer=predictor,
            ncc_paper=group,
        )
        for group in groups
    )
    np.testing.assert_array_equal(one.labels, other.labels)


def test_too_few_clusters_are_infeasible(predictor: CenterPredictor) -> None:
    """Three points of two thirds of a load each do not fit into two."""
    points = PointSet(np.eye(3)[:, :2], np.full(3, 2), 3)
    with pytest.raises(InfeasibleError, match="2 clusters"):
        cluster(points, 2, method="ncc-paper", scorer=predictor)
    found = cluster(points, method="ncc-paper", scorer=predictor)
    assert found.num_clusters == 3


def test_what_the_network_cannot_see_falls_back_to_ckm(
    predictor: CenterPredictor, caplog: pytest.LogCaptureFixture
) -> None:
    """Points in space are clustered by ckm, with a warning."""
    points = PointSet(np.random.default_rng(1).random((12, 3)), np.ones(12), 6)
    found = cluster(points, 2, method="ncc-paper", scorer=predictor)
    assert found.method == "ckm"
    assert "ckm instead of ncc-paper" in caplog.text


def test_scorers_are_refused_in_one_line(
    small_points: PointSet, center_file: Path
) -> None:
    """One that is not read, and one of the other problem."""
    with pytest.raises(ParameterError, match="gb21 takes no scorer"):
        ClusterParams(method="gb21", scorer=str(center_file))
    with pytest.raises(ParameterError, match="trained for the CVRP"):
        cluster(small_points, 3, method="ncc-paper", scorer=center_file)
