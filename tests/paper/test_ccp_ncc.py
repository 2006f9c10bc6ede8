"""The scorer on the capacitated clustering problem."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch

import ncc_routing as nr
from ncc_routing.clustering.objectives import summarize
from ncc_routing.paper.learning.schedule import TrainingParams
from ncc_routing.paper.learning.scorer import build_network
from ncc_routing.paper.learning.tasks import task_of
from ncc_routing.paper.learning.training import train
from ncc_routing.paper.ncc_clusters import first_clustering, point_priority
from ncc_routing.paper.scored_params import ScoredKMeansParams
from ncc_routing.paper.scoring.center_predictor import blank_predictor
from ncc_routing.paper.scoring.features import PairFeatures, pair_features
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.predictor import shipped_predictor
from ncc_routing.paper.scoring.vocabulary import CCP
from tests.oracles.precision import rounding, single

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import ArrayLike

    from ncc_routing.paper.learning.label_files import LabelledInstance


def moved(
    points: nr.PointSet,
    matrix: ArrayLike,
    shift: float = 0.0,
    unit: float = 1.0,
) -> nr.PointSet:
    """Return the points transformed, and their weights in another unit."""
    return nr.PointSet(
        points.coords @ np.asarray(matrix).T + shift,
        points.weights * unit,
        points.capacity * unit,
        num_clusters=points.num_clusters,
    )


@pytest.mark.numeric
def test_features_of_points_have_no_unit_and_no_direction(
    small_points: nr.PointSet,
) -> None:
    """Shift, scale, rotation and the unit of the weights change nothing."""
    turn = 5.0 * np.array([[0.6, -0.8], [0.8, 0.6]])
    plain = pair_features(small_points, 10)
    other = pair_features(moved(small_points, turn, 70.0, 9.0), 10)
    assert plain.first_node == other.first_node == 0
    np.testing.assert_array_equal(plain.neighbours, other.neighbours)
    precision = single(len(plain.nodes))
    np.testing.assert_allclose(plain.nodes, other.nodes, **precision)
    np.testing.assert_allclose(plain.pairs, other.pairs, **precision)
    spacing = pytest.approx(5.0 * plain.spacing, rel=precision["rtol"])
    assert other.spacing == spacing


@pytest.mark.numeric
def test_mirror_of_points_changes_signed_columns_alone(
    small_points: nr.PointSet,
    require_mirrored: Callable[[PairFeatures, PairFeatures], None],
) -> None:
    """As for the CVRP: the columns named in SIGNED_... turn over."""
    plain = pair_features(small_points, 10)
    other = pair_features(moved(small_points, [[-1, 0], [0, 1]]), 10)
    require_mirrored(plain, other)


@pytest.mark.numeric
def test_loads_of_points_by_hand() -> None:
    """Weights 1, 2, 3 in two clusters of capacity 4: mean load 3."""
    coords = np.array([[0.0, 0], [1, 0], [5, 0]])
    points = nr.PointSet(coords, np.array([1, 2, 3]), 4, num_clusters=2)
    found = pair_features(points)
    np.testing.assert_allclose(
        found.nodes[:, 0], [1 / 3, 2 / 3, 1], **single(3)
    )
    rest = np.tile([np.log(3 / 2), np.log(2), 6 / 8], (3, 1))
    np.testing.assert_allclose(found.nodes[:, 2:5], rest, **single(3))
    assert found.neighbours.tolist() == [[1, 2], [0, 2], [1, 0]]
    # The mean lies at 2: points 0 and 2 are on opposite sides of it.
    assert found.pairs[0, 1, 4] == pytest.approx(-1.0, rel=rounding(2))


def test_what_a_network_does_not_know_is_refused(
    small_points: nr.PointSet, small_instance: nr.Instance, center_file: Path
) -> None:
    """Points outside the plane, the other problem, the other method."""
    with pytest.raises(nr.InstanceError, match="two coordinates"):
        pair_features(nr.PointSet(np.zeros((3, 3)), np.ones(3), 3))
    with pytest.raises(nr.ParameterError, match="trained for the CVRP"):
        shipped_predictor("ncc-cvrp").pair_probabilities(small_points)
    with pytest.raises(nr.ParameterError, match="trained for the CCP"):
        shipped_predictor("ncc-ccp").pair_probabilities(small_instance)
    with pytest.raises(nr.ParameterError, match="gb21 takes no scorer"):
        nr.ClusterParams(method="gb21", scorer=str(center_file))
    params = nr.ClusterParams("ncc-paper", scorer=center_file)
    with pytest.raises(nr.ParameterError, match="trained for the CVRP"):
        nr.cluster(small_points, 3, params=params)


@pytest.mark.numeric
def test_priority_of_points(small_points: nr.PointSet) -> None:
    """The given number of clusters counts; the first clusters are feasible."""
    predictor = shipped_predictor("ncc-ccp")
    count = small_points.num_clusters or 0
    found = point_priority(predictor, small_points, count, weight=2.0)
    _, chances, spacing = predictor.pair_probabilities(small_points)
    np.testing.assert_array_equal(found.chances, chances)
    assert (found.spacing, found.weight) == (spacing, 2.0)
    other = point_priority(predictor, small_points, count + 3)
    assert not np.array_equal(other.chances, chances)
    for sampling in (False, True):
        run: Any = {"sampling": sampling, "rng": np.random.default_rng(1)}
        labels = first_clustering(predictor, small_points, count, **run)
        assert labels is not None
        clusters = summarize(small_points, labels, count, "inertia")
        assert nr.check_clustering(small_points, clusters, count) == []


@pytest.mark.numeric
@pytest.mark.parametrize(
    "method", ["ncc", "ncc-sampling", "ncc-paper", "ncc-paper-sampling"]
)
@pytest.mark.parametrize("objective", ["inertia", "cccp", "cpmp"])
def test_methods_are_feasible_and_repeat(
    small_points: nr.PointSet, method: str, objective: str
) -> None:
    """Each objective, the same answer twice; the paper's without weights."""
    scorer = blank_predictor(CCP) if "paper" in method else None
    params = nr.ClusterParams(method, objective, scorer=scorer)
    one, other = (nr.cluster(small_points, params=params) for _ in "ab")
    assert one.method == method
    assert nr.check_clustering(small_points, one) == []
    np.testing.assert_array_equal(one.labels, other.labels)


@pytest.mark.parametrize("method", ["ncc", "ncc-paper"])
@pytest.mark.parametrize("num_dims", [1, 3])
def test_what_the_network_cannot_see_falls_back_to_ckm(
    caplog: pytest.LogCaptureFixture, method: str, num_dims: int
) -> None:
    """Points outside the plane are clustered by ckm, with a warning."""
    coords = np.random.default_rng(1).random((12, num_dims))
    points = nr.PointSet(coords, np.ones(12), 6)
    found, plain = (nr.cluster(points, 2, method=m) for m in (method, "ckm"))
    np.testing.assert_array_equal(found.labels, plain.labels)
    assert found.method == "ckm"
    warning = f"one, or more than two, coordinates: ckm instead of {method}"
    assert warning in caplog.text


def test_rules_of_the_paper_count(small_points: nr.PointSet) -> None:
    """A group of parameters is a mapping or its dataclass."""
    group: dict[str, Any] = {
        "scaling": "paper", "assignment": "cyclic", "num_starts": 2,
    }  # fmt: skip
    params = nr.ClusterParams("ncc-paper", scorer=blank_predictor(CCP))
    one, other = (
        nr.cluster(small_points, params=replace(params, ncc_paper=given))
        for given in (group, ScoredKMeansParams(**group))
    )
    np.testing.assert_array_equal(one.labels, other.labels)


def test_too_few_clusters_are_infeasible() -> None:
    """Three points of two thirds of a load each do not fit into two."""
    points = nr.PointSet(np.eye(3)[:, :2], np.full(3, 2), 3)
    params = nr.ClusterParams("ncc-paper", scorer=blank_predictor(CCP))
    with pytest.raises(nr.InfeasibleError, match="2 clusters"):
        nr.cluster(points, 2, params=params)
    found = nr.cluster(points, params=params)
    assert found.num_clusters == 3


@pytest.mark.numeric
def test_training_on_points(
    tiny_ccp_labels: list[LabelledInstance],
    tiny_shape: NetworkParams,
    tmp_path: Path,
) -> None:
    """Both architectures learn from labels of the CCP."""
    shape = replace(tiny_shape, problem="ccp")
    params = TrainingParams(num_epochs=4, batch_size=2, learning_rate=1e-2)
    data = (tiny_ccp_labels, tiny_ccp_labels[3:])
    reports = list(train(*data, tmp_path, network=shape, params=params))
    assert reports[-1].validation.loss < reports[0].validation.loss
    with pytest.raises(nr.ParameterError, match="trained for the CVRP"):
        list(train(*data, tmp_path / "b", network=tiny_shape, params=params))


@pytest.mark.numeric
def test_center_targets_of_points(
    tiny_ccp_labels: list[LabelledInstance],
) -> None:
    """Each center is in the cluster of its own medoid, in both runs."""
    entry = tiny_ccp_labels[0]
    assert isinstance(entry.instance, nr.PointSet)
    torch.manual_seed(1)
    shape = NetworkParams(
        "paper", width=8, num_layers=1, num_heads=2, problem="ccp"
    )
    task = task_of(shape)
    batch = Batch.from_data_list([task.prepare(entry)])
    [(logits, targets)] = task.predict(build_network(shape), batch, None)
    count = len(np.unique(entry.labels[0]))
    assert logits.shape == targets.shape
    assert targets.shape == (entry.instance.num_points, count)
    best = targets.numpy().max(axis=0)
    assert best.tolist() == [1.0] * count
