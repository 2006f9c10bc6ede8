"""Batches and targets of the two architectures."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from ncc_routing.learning.center_draws import medoids_of, spacings
from ncc_routing.learning.label_files import LabelledInstance
from ncc_routing.learning.schedule import TrainingParams
from ncc_routing.learning.scorer import build_network
from ncc_routing.learning.tasks import (
    CenterTask,
    PairTask,
    TrainingTask,
    center_graph,
    mirror,
    task_of,
    turn,
)
from ncc_routing.problems.instance import Instance
from ncc_routing.scoring import features
from ncc_routing.scoring.network_params import NetworkParams
from tests.oracles.precision import single

PAIRS = NetworkParams(
    width=8, num_heads=2, num_layers=2, degree=4, num_pairs=6
)
CENTERS = NetworkParams("paper", width=8, num_layers=1, num_heads=2, degree=4)


Labels = list[LabelledInstance]


def batch_of(task: TrainingTask, entries: Labels) -> Batch:
    """Return the graphs of some instances as one."""
    return Batch.from_data_list([task.prepare(entry) for entry in entries])


@pytest.mark.parametrize("problem", ["cvrp", "ccp"])
def test_pair_targets_are_frequencies(
    problem: str, tiny_labels: Labels, tiny_ccp_labels: Labels
) -> None:
    """The target of a pair is how many of the two runs join it."""
    first = 1 if problem == "cvrp" else 0
    entry = (tiny_labels if problem == "cvrp" else tiny_ccp_labels)[0]
    graph = PairTask(15).prepare(entry)
    for edge in (12, 13, 40):
        other, own = graph.edge_index[:, edge] + first
        expected = np.mean(entry.labels[:, own] == entry.labels[:, other])
        assert float(graph.edge_label[edge]) == expected
    assert 0 < float(graph.edge_label.mean()) < 1


@pytest.mark.numeric
@pytest.mark.parametrize("shape", [PAIRS, CENTERS])
def test_batch_is_the_instances_one_by_one(
    shape: NetworkParams, tiny_labels: Labels
) -> None:
    """Without sampling a batch gives what its instances give alone."""
    torch.manual_seed(2)
    network = build_network(shape).eval()
    task = task_of(shape)
    together = task.predict(network, batch_of(task, tiny_labels), None)
    alone = [
        task.predict(network, batch_of(task, [entry]), None)[0]
        for entry in tiny_labels
    ]
    precision = single(3 * 4 * shape.width)
    torch.testing.assert_close(together, alone, **precision)
    for (logits, targets), entry in zip(together, tiny_labels, strict=True):
        assert len(logits) == entry.labels.shape[1] - 1
        assert logits.shape == targets.shape


@pytest.mark.numeric
def test_training_samples_pairs(tiny_labels: Labels) -> None:
    """A step of the training decodes a few pairs, drawn by the seed."""
    network = build_network(PAIRS)
    task = PairTask(6, num_sampled=2)
    batch = batch_of(task, tiny_labels)
    found = []
    for seed in (1, 1, 2):
        tables = task.predict(network, batch, np.random.default_rng(seed))
        found.append(torch.cat([targets for _, targets in tables]))
        assert found[-1].shape == (batch.num_nodes, 2)
    torch.testing.assert_close(found[0], found[1])
    assert not torch.equal(found[0], found[2])


def test_mirror_turns_the_signed_columns_of_an_instance(
    tiny_labels: Labels,
) -> None:
    """The second of two instances turns over; the batch itself stays."""
    task = PairTask(6)
    batch = batch_of(task, tiny_labels[:2])
    before = batch.clone()
    found = mirror(batch, torch.tensor([1.0, -1.0]))
    of_pairs = batch.batch[batch.edge_index[1]]
    for name, signed, own in (
        ("x", features.SIGNED_NODE_FEATURES, batch.batch),
        ("edge_attr", features.SIGNED_PAIR_FEATURES, of_pairs),
    ):
        torch.testing.assert_close(batch[name], before[name])
        signs = torch.ones(batch[name].shape[1])
        signs[list(signed)] = -1.0
        plain, turned = own == 0, own == 1
        assert torch.equal(found[name][plain], before[name][plain])
        assert torch.equal(found[name][turned], before[name][turned] * signs)


def test_center_targets(tiny_labels: Labels) -> None:
    """Without noise the target says who shares the route of the medoid."""
    entry = tiny_labels[0]
    assert isinstance(entry.instance, Instance)
    task = CenterTask(4)
    batch = batch_of(task, [entry])
    found = task.predict(build_network(CENTERS), batch, None)
    coords = entry.instance.require_coords("a test")[1:]
    routes = entry.labels[0, 1:]
    medoids = medoids_of(coords, routes)
    size = entry.instance.num_customers
    [(logits, targets)] = found
    assert logits.shape == targets.shape == (size, len(medoids))
    assert (targets.sum(dim=1) == 1.0).all()
    for k, medoid in enumerate(medoids):
        assert targets[medoid, k] == 1.0
        assert targets[2, k] == (routes[medoid] == routes[2])


@pytest.mark.numeric
def test_far_centers_do_not_count(tiny_labels: Labels) -> None:
    """Of each customer one center is left, the nearest; as among all."""
    network = build_network(CENTERS)
    tables = []
    for num_listed in (1, 24):
        course = TrainingParams(num_listed=num_listed, distance_weight=3.0)
        task = CenterTask(4, params=course)
        batch = batch_of(task, tiny_labels[:1])
        [(logits, _)] = task.predict(network, batch, None)
        tables.append(logits.detach().numpy())
    near, every = tables
    coords = np.asarray(tiny_labels[0].instance.coords, dtype=float)[1:]
    medoids = medoids_of(coords, tiny_labels[0].labels[0, 1:])
    nearest = spacings(coords, medoids).argmin(axis=0)
    assert set(nearest) == {0, 1}
    expected = every[np.arange(len(coords)), nearest]
    precision = single(3 * 4 * CENTERS.width)
    np.testing.assert_allclose(near[:, 0], expected, **precision)


@pytest.mark.parametrize("problem", ["cvrp", "ccp"])
def test_geometry_is_part_of_the_batch(
    problem: str, tiny_labels: Labels, tiny_ccp_labels: Labels
) -> None:
    """Without it the answers are others, of either problem."""
    shape = replace(CENTERS, inputs="geometry", problem=problem)
    network = build_network(shape)
    task = CenterTask(4, "geometry", TrainingParams(centers="labels"))
    entries = tiny_labels if problem == "cvrp" else tiny_ccp_labels
    batch = batch_of(task, entries)
    found = task.predict(network, batch, None)
    weights = dict(network.named_parameters())["decoder.geometry.weight"]
    torch.nn.init.zeros_(weights)
    blind = task.predict(network, batch, None)
    for (one, _), (other, _) in zip(found, blind, strict=True):
        assert not torch.allclose(one, other)


def test_training_turns_the_nodes_and_moves_medoids(
    tiny_labels: Labels,
) -> None:
    """Other targets by another seed; the batch keeps its coordinates."""
    task = CenterTask(4)
    batch = batch_of(task, tiny_labels)
    before = batch.x.clone()
    network = build_network(CENTERS)
    found = [
        task.predict(network, batch, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    torch.testing.assert_close(batch.x, before)
    torch.testing.assert_close(found[0], found[1])
    assert any(
        not torch.equal(one, other)
        for (_, one), (_, other) in zip(found[0], found[2], strict=True)
    )


def test_training_as_in_the_paper_keeps_the_medoids(
    tiny_labels: Labels,
) -> None:
    """With the centers of the labels only their run is drawn."""
    task = CenterTask(4, params=TrainingParams(centers="labels"))
    entry = tiny_labels[0]
    assert isinstance(entry.instance, Instance)
    batch = batch_of(task, [entry])
    coords = entry.instance.require_coords("a test")[1:]
    size = entry.instance.num_customers
    wanted = {
        np.float32(own[:, None] == own[medoids_of(coords, own)]).tobytes()
        for own in entry.labels[:, 1:]
    }
    for seed in range(8):
        rng = np.random.default_rng(seed)
        [(_, targets)] = task.predict(build_network(CENTERS), batch, rng)
        assert len(targets) == size
        assert targets.numpy().copy(order="C").tobytes() in wanted


@pytest.mark.numeric
def test_distance_is_taken_off_the_answers(tiny_labels: Labels) -> None:
    """One log-odd for each spacing, and nothing at the center itself."""
    network = build_network(CENTERS).eval()
    entry = tiny_labels[0]
    found = []
    for weight in (0.0, 2.0):
        course = TrainingParams(distance_weight=weight)
        task = CenterTask(4, params=course)
        batch = batch_of(task, [entry])
        [(logits, _)] = task.predict(network, batch, None)
        found.append(logits.detach())
    coords = np.asarray(entry.instance.coords, dtype=float)[1:]
    medoids = medoids_of(coords, entry.labels[0, 1:])
    expected = 2.0 * spacings(coords, medoids).T
    precision = single(3 * 4 * CENTERS.width)
    np.testing.assert_allclose(found[0] - found[1], expected, **precision)


@pytest.mark.numeric
def test_turned_coordinates_by_hand() -> None:
    """A quarter turn; then the second axis changes its sign."""
    graphs = [Data(x=torch.tensor([[1.0, 2.0, 0.5]])) for _ in range(2)]
    angles = torch.full((2,), np.pi / 2.0)
    signs = torch.tensor([1.0, -1.0])
    found = turn(Batch.from_data_list(graphs), signs, angles)
    expected = torch.tensor([[-2.0, 1.0, 0.5], [-2.0, -1.0, 0.5]])
    torch.testing.assert_close(found.x, expected, **single(2))


@pytest.mark.numeric
def test_turned_features_are_those_of_the_turned_instance(
    small_instance: Instance,
) -> None:
    """A quarter turn and a mirror; what lies between stays as it is."""
    coords = small_instance.require_coords("a test")
    other = replace(small_instance, coords=coords[:, ::-1].copy())
    graphs = [
        center_graph(one, 5, "geometry") for one in (small_instance, other)
    ]
    # (x, y) to (y, x) is a quarter turn, and a change of the second sign.
    quarter, sign = torch.tensor([-np.pi / 2.0]), torch.tensor([-1.0])
    found = turn(Batch.from_data_list(graphs[:1]), sign, quarter.float())
    torch.testing.assert_close(found.x, graphs[1].x, **single(2))
    medoids = np.array([3, 8, 1])
    every = np.arange(3)[:, None].repeat(len(coords) - 1, axis=1)
    one, same = (g.geometry.features(medoids, every) for g in graphs)
    np.testing.assert_allclose(one, same, **single(len(coords)))
