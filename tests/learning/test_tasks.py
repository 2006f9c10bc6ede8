"""Examples, batches and targets of the two architectures."""

from __future__ import annotations

import numpy as np
import torch

from ncc_routing.learning.scorer import build_network
from ncc_routing.learning.tasks import (
    CenterTask,
    PairTask,
    center_graph,
    medoids_of,
    task_of,
)
from ncc_routing.scoring.weights_file import NetworkParams


def test_pair_targets_are_frequencies(tiny_labels):
    """The target of a pair is how many of the two runs join it."""
    entry = tiny_labels[0]
    example = PairTask(5).prepare(entry)
    own = 3
    other = int(example.neighbours[own - 1, 2]) + 1
    expected = np.mean(entry.labels[:, own] == entry.labels[:, other])
    assert float(example.targets[own - 1, 2]) == expected


def test_batch_is_the_instances_one_by_one(tiny_labels):
    """Without sampling a batch gives what its instances give alone."""
    shape = NetworkParams(width=8, num_layers=2, degree=4, num_pairs=6)
    torch.manual_seed(2)
    network = build_network(shape).eval()
    task = task_of(shape)
    batch = [task.prepare(entry) for entry in tiny_labels]
    logits, targets = task.predict(network, batch, None)
    alone = [task.predict(network, [entry], None) for entry in batch]
    torch.testing.assert_close(logits, torch.cat([a for a, _ in alone]))
    torch.testing.assert_close(targets, torch.cat([b for _, b in alone]))


def test_training_samples_columns(tiny_labels):
    """A step of the training decodes a few columns, drawn by the seed."""
    shape = NetworkParams(width=8, num_layers=1, degree=4, num_pairs=6)
    network = build_network(shape)
    task = PairTask(6, num_sampled=2)
    batch = [task.prepare(entry) for entry in tiny_labels]
    size = sum(entry.instance.num_customers for entry in tiny_labels)
    found = [
        task.predict(network, batch, np.random.default_rng(seed))[1]
        for seed in (1, 1, 2)
    ]
    assert all(len(targets) == 2 * size for targets in found)
    torch.testing.assert_close(found[0], found[1])
    assert not torch.equal(found[0], found[2])


def test_center_graph(square):
    """Depot at the origin, corners at distance 1, demands 1/5 to 4/5."""
    nodes, idx, weights = center_graph(square, 2)
    assert nodes.shape == (5, 3)
    np.testing.assert_allclose(nodes[0], 0)
    np.testing.assert_allclose(np.hypot(*nodes[1:, :2].T), 1.0, rtol=1e-6)
    np.testing.assert_allclose(nodes[1:, 2], [0.2, 0.4, 0.6, 0.8])
    # Two neighbours at the distance of a side, and the depot.
    assert sorted(idx[1]) == [0, 2, 4]
    np.testing.assert_allclose(weights[1], [2**0.5, 2**0.5, 1.0], rtol=1e-6)


def test_medoids_by_hand(square):
    """Two routes of one corner each, one of two: the nearest corners."""
    labels = np.array([-1, 0, 1, 2, 1])
    assert medoids_of(square.coords, labels).tolist()[::2] == [1, 3]


def test_center_targets(tiny_labels):
    """Without noise the target says who shares the route of the medoid."""
    entry = tiny_labels[0]
    task = CenterTask(4)
    example = task.prepare(entry)
    shape = NetworkParams(
        architecture="paper", width=8, num_layers=1, num_heads=2
    )
    network = build_network(shape)
    logits, targets = task.predict(network, [example], None)
    medoids = medoids_of(entry.instance.coords, entry.labels[0])
    size = entry.instance.num_customers
    assert len(logits) == len(targets) == len(medoids) * size
    table = targets.numpy().reshape(len(medoids), size)
    for k, medoid in enumerate(medoids):
        assert table[k, medoid - 1] == 1.0
        other = 3
        same = entry.labels[:, medoid] == entry.labels[:, other]
        assert table[k, other - 1] == same.mean()
