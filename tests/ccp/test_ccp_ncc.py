"""The scorer on the capacitated clustering problem."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

from ncc_routing.ccp.ncc import PointPriority, first_clustering
from ncc_routing.ccp.solve import cluster
from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.exceptions import InstanceError, ParameterError
from ncc_routing.learning.scorer import build_network, shipped_scorer
from ncc_routing.learning.tasks import CenterTask, center_graph, task_of
from ncc_routing.learning.training import TrainingParams, train
from ncc_routing.problems.checking import check_clustering
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.features import pair_features
from ncc_routing.scoring.predictor import shipped_predictor
from ncc_routing.scoring.weights_file import NetworkParams


def moved(points, matrix, shift=0.0, unit=1.0):
    """Return the points transformed, and their weights in another unit."""
    return PointSet(
        points.coords @ np.asarray(matrix).T + shift,
        points.weights * unit,
        points.capacity * unit,
        num_clusters=points.num_clusters,
    )


def test_features_of_points_have_no_unit_and_no_direction(small_points):
    """Shift, scale, rotation and the unit of the weights change nothing."""
    turn = 5.0 * np.array([[0.6, -0.8], [0.8, 0.6]])
    plain = pair_features(small_points, 10)
    other = pair_features(moved(small_points, turn, 70.0, 9.0), 10)
    assert plain.first_node == other.first_node == 0
    np.testing.assert_array_equal(plain.neighbours, other.neighbours)
    np.testing.assert_allclose(plain.nodes, other.nodes, atol=1e-3)
    np.testing.assert_allclose(plain.pairs, other.pairs, atol=1e-3)
    assert other.spacing == pytest.approx(5.0 * plain.spacing, rel=1e-5)


def test_mirror_of_points_changes_signed_columns_alone(
    small_points, require_mirrored
):
    """As for the CVRP: the columns named in SIGNED_... turn over."""
    plain = pair_features(small_points, 10)
    other = pair_features(moved(small_points, [[-1, 0], [0, 1]]), 10)
    require_mirrored(plain, other)


def test_loads_of_points_by_hand():
    """Weights 1, 2, 3 in two clusters of capacity 4: mean load 3."""
    points = PointSet(
        np.array([[0.0, 0], [1, 0], [5, 0]]), [1, 2, 3], 4, num_clusters=2
    )
    found = pair_features(points)
    np.testing.assert_allclose(found.nodes[:, 0], [1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(found.nodes[:, 2], np.log(3 / 2))
    np.testing.assert_allclose(found.nodes[:, 3], np.log(2))
    np.testing.assert_allclose(found.nodes[:, 4], 6 / 8)
    assert found.neighbours.tolist() == [[1, 2], [0, 2], [1, 0]]
    # The mean lies at 2: points 0 and 2 are on opposite sides of it.
    assert found.pairs[0, 1, 4] == pytest.approx(-1.0)


@pytest.mark.parametrize("num_points", [1, 2, 7])
def test_degenerate_points_are_finite(num_points):
    """One point, few points, all at one place, all without weight."""
    points = PointSet(np.full((num_points, 2), 4.0), [0] * num_points, 0)
    found = pair_features(points)
    assert np.isfinite(found.nodes).all()
    assert np.isfinite(found.pairs).all()


def test_points_outside_the_plane_are_refused():
    """The scorer needs two coordinates."""
    points = PointSet(np.zeros((3, 3)), [1, 1, 1], 3)
    with pytest.raises(InstanceError, match="two coordinates"):
        pair_features(points)


def test_network_of_the_other_problem_is_refused(small_points, small_instance):
    """A CVRP network gets no points, and the other way round."""
    for load in (shipped_predictor, shipped_scorer):
        with pytest.raises(ParameterError, match="trained for the CVRP"):
            load("ncc-cvrp").pair_probabilities(small_points)
        with pytest.raises(ParameterError, match="trained for the CCP"):
            load("ncc-ccp").pair_probabilities(small_instance)


def test_numpy_and_torch_agree_on_points(small_points):
    """To 1e-5; row i is point i, and no point is its own neighbour."""
    expected = shipped_scorer("ncc-ccp").pair_probabilities(small_points)
    found = shipped_predictor("ncc-ccp").pair_probabilities(small_points)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_allclose(found[1], expected[1], atol=1e-5)
    assert found[0].min() == 0
    assert (found[0] != np.arange(60)[:, None]).all()


def test_priority_table_by_hand():
    """Logarithms in units of the spacing; far pairs as the last column."""
    priority = PointPriority(
        np.array([[1, 2], [0, 2], [1, 0]]),
        np.array([[1.0, 0.2], [0.5, 0.4], [0.0, 0.3]]),
        2.0,
        0.5,
    )
    assert priority.far_chance == pytest.approx(0.3)
    table = priority.formula()
    assert table.far_affinity == pytest.approx(2.0 * np.log(0.3))
    np.testing.assert_allclose(
        table.affinity,
        2.0 * np.log([[1.0, 0.2], [0.5, 0.4], [1e-3, 0.3]]),
    )
    assert (table.affinity_weight, table.distance_weight) == (0.5, 1.0)


@pytest.mark.parametrize("sampling", [False, True])
def test_first_clustering_is_feasible(small_points, sampling):
    """Every point is placed within the capacity."""
    count = small_points.num_clusters
    labels = first_clustering(
        shipped_predictor("ncc-ccp"), small_points, count,
        sampling=sampling, rng=np.random.default_rng(1),
    )  # fmt: skip
    found = summarize(small_points, labels, count, "inertia")
    assert check_clustering(small_points, found, count) == []


@pytest.mark.parametrize("method", ["ncc", "ncc-sampling"])
@pytest.mark.parametrize("objective", ["inertia", "cccp", "cpmp"])
def test_methods_are_feasible_and_repeat(small_points, method, objective):
    """Each objective, the same answer twice."""
    count = small_points.num_clusters
    one, two = (
        cluster(small_points, count, method=method, objective=objective)
        for _ in range(2)
    )
    assert check_clustering(small_points, one, count) == []
    np.testing.assert_array_equal(one.labels, two.labels)


def test_what_the_network_cannot_see_falls_back_to_ckm(caplog):
    """Points in space are clustered by ckm, with a warning."""
    points = PointSet(np.random.default_rng(1).random((12, 3)), [1] * 12, 6)
    found = cluster(points, 2, method="ncc")
    plain = cluster(points, 2)
    np.testing.assert_array_equal(found.labels, plain.labels)
    assert "ckm instead of ncc" in caplog.text


def test_training_on_points(tiny_ccp_labels, tiny_shape, tmp_path):
    """Both architectures learn from labels of the CCP."""
    shape = replace(tiny_shape, problem="ccp")
    params = TrainingParams(num_epochs=4, batch_size=2, learning_rate=1e-2)
    data = (tiny_ccp_labels, tiny_ccp_labels[3:])
    reports = list(train(*data, tmp_path, network=shape, params=params))
    assert reports[-1].validation.loss < reports[0].validation.loss
    with pytest.raises(ParameterError, match="trained for the CVRP"):
        list(train(*data, tmp_path / "b", network=tiny_shape, params=params))


def test_targets_of_points(tiny_ccp_labels):
    """Pairs and centers: how many of the two runs join them."""
    entry = tiny_ccp_labels[0]
    shape = NetworkParams(problem="ccp", num_pairs=5)
    pairs = task_of(shape).prepare(entry)
    other = int(pairs.neighbours[3, 2])
    expected = np.mean(entry.labels[:, 3] == entry.labels[:, other])
    assert float(pairs.targets[3, 2]) == expected
    task = CenterTask(4)
    torch.manual_seed(1)
    network = build_network(
        NetworkParams(
            architecture="paper", width=8, num_layers=1, num_heads=2,
            problem="ccp",
        )
    )  # fmt: skip
    logits, targets = task.predict(network, [task.prepare(entry)], None)
    count = len(np.unique(entry.labels[0]))
    assert len(logits) == len(targets) == count * entry.instance.num_points
    assert (
        targets.numpy().reshape(count, -1).max(axis=1).tolist()
        == [1.0] * count
    )


def test_center_graph_of_points_has_no_depot():
    """Two points at distance 2 about their mean."""
    points = PointSet(np.array([[1.0, 1], [3, 1]]), [1, 3], 4)
    nodes, idx, weights = center_graph(points, 3)
    np.testing.assert_allclose(nodes, [[-1, 0, 0.25], [1, 0, 0.75]])
    assert idx.tolist() == [[1], [0]]
    np.testing.assert_allclose(weights, 2.0)


def test_ncc_on_points_loads_no_torch():
    """The command clusters without torch."""
    code = (
        "import sys\n"
        "from ncc_routing.ccp.solve import cluster\n"
        "from ncc_routing.generators.mixtures import generate_gmm\n"
        "cluster(generate_gmm(1, 30)[0], 12, method='ncc')\n"
        "print([m for m in sys.modules if m.startswith('torch')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"
