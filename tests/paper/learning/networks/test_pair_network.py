"""The network of pairs, against plain loops."""

import pytest
import torch
from torch_geometric.data import Batch, Data

from ncc_routing.paper.learning.networks.pairs import (
    PairNetwork,
)
from ncc_routing.paper.scoring import features
from ncc_routing.paper.scoring.network_params import NetworkParams
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


@pytest.mark.parametrize("degrees", [(3, 3), (3, 1)])
def test_instances_of_a_batch_do_not_mix(degrees: tuple[int, int]) -> None:
    """A batch gives what each gives alone, also with few neighbours."""
    network = PairNetwork(SHAPE)
    graphs = [random_graph(6, degree, degree) for degree in degrees]
    found = network(Batch.from_data_list(graphs))
    expected = torch.cat([network(graph) for graph in graphs])
    torch.testing.assert_close(found, expected, **PRECISION)
