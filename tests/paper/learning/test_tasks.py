"""Batches and targets of the two architectures."""

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch

from ncc_routing import Instance
from ncc_routing.paper.learning.center_draws import medoids_of, spacings
from ncc_routing.paper.learning.label_files import LabelledInstance
from ncc_routing.paper.learning.schedule import TrainingParams
from ncc_routing.paper.learning.scorer import build_network
from ncc_routing.paper.learning.tasks import (
    CenterTask,
    PairTask,
    TrainingTask,
    task_of,
)
from ncc_routing.paper.scoring.network_params import NetworkParams
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
