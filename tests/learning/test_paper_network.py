"""The network of the paper: instances do not see each other in a batch."""

from __future__ import annotations

import pytest
import torch
from torch_geometric.data import Batch

from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.learning.graphs import center_graph
from ncc_routing.learning.label_problems import ccp_instance
from ncc_routing.learning.networks.paper import CenterNetwork
from ncc_routing.scoring.weights_file import NetworkParams


@pytest.mark.parametrize("problem", ["cvrp", "ccp"])
def test_a_batch_answers_as_its_instances_alone(problem: str) -> None:
    """Of different sizes and numbers of centers."""
    torch.manual_seed(1)
    shape = NetworkParams(
        "paper", width=16, num_layers=2, degree=5, problem=problem
    )
    network = CenterNetwork(shape).eval()
    make = generate_uchoa if problem == "cvrp" else ccp_instance
    graphs = [center_graph(make(size, 3), 5) for size in (30, 20, 25)]
    medoids = [torch.tensor(own) for own in ([3, 8, 19], [7], [2, 1, 11, 5])]
    with torch.inference_mode():
        together = network(Batch.from_data_list(graphs), medoids)
        alone = [
            network(Batch.from_data_list([graph]), [own])[0]
            for graph, own in zip(graphs, medoids, strict=True)
        ]
        single = network.decoder(network.encoder(graphs[2]), medoids[2])
    assert [own.shape for own in together] == [(3, 30), (1, 20), (4, 25)]
    torch.testing.assert_close(together, alone)
    torch.testing.assert_close(single, alone[2])
    # The answers depend on all centers of the instance.
    with torch.inference_mode():
        [fewer] = network(Batch.from_data_list(graphs[:1]), [medoids[0][:2]])
    assert not torch.allclose(fewer, together[0][:2], atol=1e-5)
