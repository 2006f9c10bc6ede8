"""The network of the paper: encoder, attention over centers, decoder."""

import pytest
import torch
from torch_geometric.data import Batch, Data

from ncc_routing.paper.learning.networks.paper import (
    CenterNetwork,
    Centers,
    GraphEncoder,
)
from ncc_routing.paper.scoring.network_params import NetworkParams
from tests.oracles.precision import single

pytestmark = pytest.mark.numeric

SHAPE = NetworkParams("paper", width=8, num_layers=2, num_heads=2)

PRECISION = single(3 * 4 * SHAPE.width)
"""Encoder, attention and decoder: layers of up to four widths."""


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


def test_gradients_pass_the_sparse_product() -> None:
    """The weights of both layers are trained."""
    encoder = GraphEncoder(3, 8, 2)
    encoder(random_graph(6, 3)).square().sum().backward()
    for parameter in encoder.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0


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
