"""Layers of the networks, against plain loops and torch-geometric."""

from __future__ import annotations

import pytest
import torch

from ncc_routing.learning.encoders import (
    GraphConv,
    GraphEncoder,
    NeighbourLayer,
    PairEncoder,
    gather_rows,
)


@pytest.fixture
def graph():
    """Six nodes of width 8, three neighbours each, weights."""
    source = torch.Generator().manual_seed(3)
    nodes = torch.randn(6, 8, generator=source)
    idx = torch.randint(0, 6, (6, 3), generator=source)
    weights = torch.rand(6, 3, generator=source)
    return nodes, idx, weights


def test_gather_rows(graph):
    """Row i, column a holds the row that idx[i, a] names."""
    nodes, idx, _ = graph
    torch.testing.assert_close(gather_rows(nodes, idx), nodes[idx])


def test_graph_conv_against_a_loop(graph):
    """W_1 h_i + b + W_2 sum_j e_ij h_j, node by node."""
    nodes, idx, weights = graph
    layer = GraphConv(8)
    found = layer(nodes, idx, weights)
    for i in range(6):
        pooled = sum(weights[i, a] * nodes[idx[i, a]] for a in range(3))
        expected = layer.lin_root(nodes[i]) + layer.lin_rel(pooled)
        torch.testing.assert_close(found[i], expected)


def test_graph_conv_has_the_weights_of_torch_geometric(graph):
    """The same state dict gives the same output."""
    geometric = pytest.importorskip("torch_geometric.nn")
    nodes, idx, weights = graph
    other = geometric.GraphConv(8, 8, aggr="add")
    layer = GraphConv(8)
    layer.load_state_dict(other.state_dict())
    rows = torch.arange(6).repeat_interleave(3)
    edges = torch.stack([idx.flatten(), rows])
    expected = other(nodes, edges, weights.flatten())
    torch.testing.assert_close(layer(nodes, idx, weights), expected)


def test_gradients_reach_nodes_and_weights(graph):
    """The pooled sum is differentiable in both factors."""
    nodes, idx, weights = (part.clone() for part in graph)
    nodes.requires_grad_()
    weights.requires_grad_()
    GraphConv(8)(nodes, idx, weights).square().sum().backward()
    assert nodes.grad.abs().sum() > 0
    assert weights.grad.abs().sum() > 0


def test_neighbour_layer_against_a_loop(graph):
    """Mean and maximum of ReLU(A h_i + B h_j + C e_ij), plus h_i."""
    nodes, idx, _ = graph
    pairs = torch.randn(6, 3, 5, generator=torch.Generator().manual_seed(4))
    layer = NeighbourLayer(8, 5)
    found = layer(nodes, pairs, idx)
    inner = layer.norm(nodes)
    for i in range(6):
        messages = torch.stack(
            [
                torch.relu(
                    layer.own(inner[i])
                    + layer.other(inner[idx[i, a]])
                    + layer.pair(pairs[i, a])
                )
                for a in range(3)
            ]
        )
        pooled = [inner[i], messages.mean(0), messages.max(0).values]
        expected = nodes[i] + layer.update(torch.cat(pooled))
        torch.testing.assert_close(found[i], expected)


def test_encoders_do_not_mix_instances(graph):
    """Two instances in one batch give what each gives alone."""
    nodes, idx, weights = graph
    both = torch.cat([nodes[:, :3], 2 * nodes[:, :3]])
    wide = torch.cat([idx, idx + 6])
    encoder = GraphEncoder(3, 8, 2)
    found = encoder(both, wide, torch.cat([weights, weights]))
    torch.testing.assert_close(found[:6], encoder(nodes[:, :3], idx, weights))
    pairs = torch.randn(12, 3, 4, generator=torch.Generator().manual_seed(4))
    shape = {"width": 8, "pair_width": 6, "num_layers": 2, "degree": 2}
    pairwise = PairEncoder(3, 4, **shape)
    found = pairwise(both, pairs, wide)
    torch.testing.assert_close(
        found[6:], pairwise(2 * nodes[:, :3], pairs[6:], idx)
    )


def test_pair_encoder_looks_at_its_degree_only():
    """Columns beyond the degree send no messages."""
    encoder = PairEncoder(3, 4, width=8, pair_width=6, num_layers=1, degree=2)
    source = torch.Generator().manual_seed(5)
    nodes = torch.randn(6, 3, generator=source)
    pairs = torch.randn(6, 3, 4, generator=source)
    idx = torch.randint(0, 6, (6, 3), generator=source)
    before = encoder(nodes, pairs, idx)
    pairs[:, 2] += 1.0
    torch.testing.assert_close(encoder(nodes, pairs, idx), before)
    pairs[:, 1] += 1.0
    assert not torch.allclose(encoder(nodes, pairs, idx), before)
