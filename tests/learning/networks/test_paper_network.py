"""The network of the paper: encoder, attention over centers, decoder."""

from typing import cast

import pytest
import torch
from torch_geometric.data import Batch, Data
from torch_geometric.nn import GraphConv

from ncc_routing.learning.networks.paper import (
    CenterAttention,
    CenterDecoder,
    CenterNetwork,
    Centers,
    GraphEncoder,
)
from ncc_routing.scoring.network_params import NetworkParams
from tests.oracles.precision import single

pytestmark = pytest.mark.numeric

SHAPE = NetworkParams("paper", width=8, num_layers=2, num_heads=2)

PRECISION = single(3 * 4 * SHAPE.width)
"""Encoder, attention and decoder: layers of up to four widths."""


@pytest.fixture
def centers() -> torch.Tensor:
    """Three centers of width 8."""
    return torch.randn(3, 8, generator=torch.Generator().manual_seed(1))


def scores(
    decoder: CenterDecoder, nodes: torch.Tensor, medoids: list[int]
) -> torch.Tensor:
    """Return the logits of one instance."""
    [found] = decoder([nodes], [Centers(torch.tensor(medoids))])
    return cast("torch.Tensor", found)


def random_graph(size: int, seed: int) -> Data:
    """Return nodes with three weighted neighbours each."""
    source = torch.Generator().manual_seed(seed)
    own = torch.arange(size).repeat_interleave(3)
    other = torch.randint(0, size, (3 * size,), generator=source)
    return Data(
        x=torch.randn(size, 3, generator=source),
        edge_index=torch.stack([other, own]),
        edge_weight=torch.rand(3 * size, generator=source),
    )


def test_encoder_against_a_loop() -> None:
    """Rounds of h_i + LN(GELU(W_1 h_i + b + W_2 sum_j e_ji h_j))."""
    graph = random_graph(6, 3)
    encoder = GraphEncoder(3, 8, 2)
    hidden = encoder.input(graph.x)
    for layer, norm in zip(encoder.layers, encoder.norms, strict=True):
        assert isinstance(layer, GraphConv)
        pooled = torch.zeros_like(hidden)
        for (j, i), weight in zip(
            graph.edge_index.T.tolist(), graph.edge_weight, strict=True
        ):
            pooled[i] += weight * hidden[j]
        new = layer.lin_rel(pooled) + layer.lin_root(hidden)
        hidden = hidden + norm(torch.nn.functional.gelu(new))
    torch.testing.assert_close(encoder(graph), hidden, **PRECISION)


def test_gradients_pass_the_sparse_product() -> None:
    """The weights of both layers are trained."""
    encoder = GraphEncoder(3, 8, 2)
    encoder(random_graph(6, 3)).square().sum().backward()
    for parameter in encoder.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0


def test_attention_against_torch(centers: torch.Tensor) -> None:
    """The heads, scale and softmax axis of torch's own attention."""
    own = CenterAttention(8, 2)
    other = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    other.load_state_dict(
        {
            "in_proj_weight": own.project.weight,
            "in_proj_bias": own.project.bias,
            "out_proj.weight": own.output.weight,
            "out_proj.bias": own.output.bias,
        }
    )
    mixed, _ = other(centers, centers, centers)
    torch.testing.assert_close(
        own(centers, [len(centers)]), own.norm(centers + mixed), **PRECISION
    )


def test_attention_sees_the_other_centers(centers: torch.Tensor) -> None:
    """Moving one center changes what the others get."""
    layer = CenterAttention(8, 2)
    before = layer(centers, [len(centers)])
    centers[2] += 1.0
    assert not torch.allclose(layer(centers, [len(centers)])[0], before[0])
    # Those of another instance are not seen.
    apart = layer(centers, [2, len(centers) - 2])
    alone = layer(centers[:2], [2])
    torch.testing.assert_close(apart[:2], alone, **PRECISION)


def test_decoder_follows_the_centers() -> None:
    """Permuting the centers permutes the rows of the logits."""
    nodes = torch.randn(7, 8, generator=torch.Generator().manual_seed(2))
    decoder = CenterDecoder(SHAPE)
    found = scores(decoder, nodes, [1, 4, 6])
    assert found.shape == (3, 6)
    turned = scores(decoder, nodes, [6, 1, 4])
    torch.testing.assert_close(turned, found[[2, 0, 1]], **PRECISION)


def test_decoder_pools_customers_and_reads_the_depot() -> None:
    """The depot counts as itself, and not in the pooled graph."""
    nodes = torch.randn(7, 8, generator=torch.Generator().manual_seed(2))
    decoder = CenterDecoder(SHAPE)
    seen: list[torch.Tensor] = []
    decoder.graph.register_forward_hook(lambda *call: seen.append(call[1][0]))
    before = scores(decoder, nodes, [1, 4])
    pooled = [nodes[1:].max(0).values, nodes[1:].mean(0)]
    torch.testing.assert_close(seen[0], torch.cat(pooled)[None], **PRECISION)
    nodes[0] += 1.0
    after = scores(decoder, nodes, [1, 4])
    torch.testing.assert_close(seen[1], seen[0], **PRECISION)
    assert not torch.allclose(after, before)


def test_instances_of_a_batch_do_not_mix() -> None:
    """A batch gives what each instance gives alone."""
    network = CenterNetwork(SHAPE)
    graphs = [random_graph(size, size) for size in (6, 9)]
    medoids = [Centers(torch.tensor([1, 4])), Centers(torch.tensor([2, 3, 8]))]
    found = network(Batch.from_data_list(graphs), medoids)
    alone = [
        network(Batch.from_data_list([graph]), [places])[0]
        for graph, places in zip(graphs, medoids, strict=True)
    ]
    assert [part.shape for part in alone] == [(2, 5), (3, 8)]
    torch.testing.assert_close(found, alone, **PRECISION)
