"""The network of pairs, against plain loops."""

import pytest
import torch
from torch_geometric.data import Batch, Data

from ncc_routing.learning.networks.pairs import (
    NeighbourLayer,
    PairDecoder,
    PairNetwork,
)
from ncc_routing.scoring import features
from ncc_routing.scoring.network_params import NetworkParams
from tests.oracles.precision import single

pytestmark = pytest.mark.numeric

SHAPE = NetworkParams(
    width=8, num_heads=2, num_layers=2, degree=2, pair_width=6, hidden=7
)

PRECISION = single(3 * 3 * SHAPE.width)
"""Two layers that join three widths, and the decoder."""


def random_graph(size: int, degree: int, seed: int) -> Data:
    """Return nodes with as many neighbours each, and random features."""
    source = torch.Generator().manual_seed(seed)
    edges = size * degree
    own = torch.arange(size).repeat_interleave(degree)
    other = torch.randint(0, size, (edges,), generator=source)
    return Data(
        x=torch.randn(size, features.NUM_NODE_FEATURES, generator=source),
        edge_index=torch.stack([other, own]),
        edge_attr=torch.randn(
            edges, features.NUM_PAIR_FEATURES, generator=source
        ),
        edge_rank=torch.arange(degree).repeat(size),
    )


@pytest.mark.parametrize("degree", [3, 4])
def test_neighbour_layer_against_a_loop(degree: int) -> None:
    """Mean and maximum of ReLU(A h_i + B h_j + C e_ij), plus h_i.

    As a table (three neighbours each) and scattered (at most four).
    """
    source = torch.Generator().manual_seed(4)
    nodes = torch.randn(6, 8, generator=source)
    pairs = torch.randn(18, 5, generator=source)
    other, own = edges = random_graph(6, 3, 3).edge_index
    layer = NeighbourLayer(8, 5, degree)
    found = layer(nodes, edges, pairs)
    inner = layer.norm(nodes)
    for i in range(6):
        messages = torch.stack(
            [
                torch.relu(
                    layer.own(inner[i])
                    + layer.other(inner[other[edge]])
                    + layer.pair(pairs[edge])
                )
                for edge in range(18)
                if own[edge] == i
            ]
        )
        pooled = [inner[i], messages.mean(0), messages.max(0).values]
        expected = nodes[i] + layer.update(torch.cat(pooled))
        torch.testing.assert_close(found[i], expected, **PRECISION)


def test_decoder_against_a_loop() -> None:
    """The head on the sum of three linear maps."""
    graph = random_graph(5, 2, 2)
    nodes = torch.randn(5, 8, generator=torch.Generator().manual_seed(2))
    decoder = PairDecoder(8, 6)
    found = decoder(nodes, graph)
    for edge, (j, i) in enumerate(graph.edge_index.T.tolist()):
        hidden = decoder.own(nodes[i]) + decoder.other(nodes[j])
        hidden = hidden + decoder.pair(graph.edge_attr[edge])
        expected = decoder.head(hidden)[0]
        torch.testing.assert_close(found[edge], expected, **PRECISION)


@pytest.mark.parametrize("degrees", [(3, 3), (3, 1)])
def test_instances_of_a_batch_do_not_mix(degrees: tuple[int, int]) -> None:
    """A batch gives what each gives alone, also with few neighbours."""
    network = PairNetwork(SHAPE)
    graphs = [random_graph(6, degree, degree) for degree in degrees]
    found = network(Batch.from_data_list(graphs))
    expected = torch.cat([network(graph) for graph in graphs])
    torch.testing.assert_close(found, expected, **PRECISION)


def test_encoder_looks_at_its_degree_only() -> None:
    """Pairs beyond the degree send no messages."""
    encoder = PairNetwork(SHAPE).encoder
    graph = random_graph(6, 3, 5)
    before = encoder(graph)
    graph.edge_attr[graph.edge_rank == 2] += 1.0
    torch.testing.assert_close(encoder(graph), before, **PRECISION)
    graph.edge_attr[graph.edge_rank == 1] += 1.0
    assert not torch.allclose(encoder(graph), before)


def test_some_pairs_are_decoded() -> None:
    """A part of the graph gives those of the logits."""
    network = PairNetwork(SHAPE)
    graph = random_graph(6, 3, 5)
    is_asked = graph.edge_rank != 1
    found = network(graph, graph.edge_subgraph(is_asked))
    expected = network(graph)[is_asked]
    torch.testing.assert_close(found, expected, **PRECISION)
