"""The network of pairs: whether two near customers share a route."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing

from ncc_routing.paper.scoring import features

if TYPE_CHECKING:
    from torch_geometric.data import Data

    from ncc_routing.paper.scoring.network_params import NetworkParams


class PairMessages(MessagePassing):  # type: ignore[misc]
    """Mean and maximum of ReLU(a_i + b_j + c_ij) over the neighbours j.

    ReLU: on a CPU GELU takes several times as long, and messages are most of
    the work. There are no weights here.

    Parameters
    ----------
    degree
        Most neighbours of a customer.
    """

    def __init__(self, degree: int) -> None:
        super().__init__(aggr=["mean", "max"])
        self.degree = degree

    def forward(
        self, edge_index: Tensor, node: Tensor, other: Tensor, pair: Tensor
    ) -> Tensor:
        """Return the two pooled messages side by side, (n, 2 d).

        Parameters
        ----------
        edge_index
            The neighbour j and the customer i of each pair, (2, m), sorted
            by i.
        own, other
            Terms a and b of the customers, (n, d).
        pair
            Term c of the pairs, (m, d).
        """
        messages: Tensor = self.propagate(
            edge_index, own=node, other=other, pair=pair
        )
        return messages

    def message(self, own_i: Tensor, other_j: Tensor, pair: Tensor) -> Tensor:
        """Return the message of each pair, (m, d)."""
        return nn.functional.relu(pair + other_j + own_i)

    def aggregate(
        self, inputs: Tensor, index: Tensor, dim_size: int
    ) -> Tensor:
        """Return mean and maximum, (n, 2 d), of messages sorted by index."""
        if len(inputs) == self.degree * dim_size:
            # A table of messages is pooled in half the time of a scatter.
            rows = inputs.view(dim_size, self.degree, -1)
            return torch.cat([rows.mean(dim=1), rows.amax(dim=1)], dim=1)
        sums: Tensor = super().aggregate(inputs, index, dim_size=dim_size)
        return sums


class NeighbourLayer(nn.Module):
    """One round of messages between near customers, with a residual.

    Parameters
    ----------
    width
        Size d of the embedding of a customer.
    pair_width
        Size p of the embedding of a pair.
    degree
        Most neighbours of a customer.
    """

    def __init__(self, width: int, pair_width: int, degree: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.own = nn.Linear(width, width)
        self.other = nn.Linear(width, width, bias=False)
        self.pair = nn.Linear(pair_width, width, bias=False)
        self.update = nn.Sequential(
            nn.Linear(3 * width, width), nn.GELU(), nn.Linear(width, width)
        )
        self.messages = PairMessages(degree)

    def forward(
        self, nodes: Tensor, edge_index: Tensor, pairs: Tensor
    ) -> Tensor:
        """Return new embeddings, (n, d), for those of nodes and pairs.

        These are (n, d) and (m, p); the edges are those of ``PairMessages``.
        """
        inner = self.norm(nodes)
        pooled = self.messages(
            edge_index, self.own(inner), self.other(inner), self.pair(pairs)
        )
        change: Tensor = self.update(torch.cat([inner, pooled], dim=1))
        return nodes + change


class PairEncoder(nn.Module):
    """Customers and pairs of customers to embeddings of the customers.

    Parameters
    ----------
    params
        Shape of the network.
    """

    def __init__(self, params: NetworkParams) -> None:
        super().__init__()
        width, pair_width = params.width, params.pair_width
        self.degree = params.degree
        self.node_input = nn.Sequential(
            nn.Linear(params.num_node_features, width),
            nn.GELU(),
            nn.Linear(width, width),
        )
        self.pair_input = nn.Sequential(
            nn.Linear(features.NUM_PAIR_FEATURES, pair_width),
            nn.GELU(),
            nn.Linear(pair_width, pair_width),
        )
        self.layers = nn.ModuleList(
            NeighbourLayer(width, pair_width, params.degree)
            for _ in range(params.num_layers)
        )
        self.norm = nn.LayerNorm(width)

    def forward(self, graph: Data) -> Tensor:
        """Return the embeddings of the customers, (n, d).

        Parameters
        ----------
        graph
            As of ``tasks.pair_graph``; the ``degree`` nearest neighbours of
            each customer send messages.
        """
        near = graph.edge_subgraph(graph.edge_rank < self.degree)
        hidden = self.node_input(near.x)
        pairs = self.pair_input(near.edge_attr)
        for layer in self.layers:
            hidden = layer(hidden, near.edge_index, pairs)
        encoded: Tensor = self.norm(hidden)
        return encoded


class PairDecoder(nn.Module):
    """Logit that two customers share a route.

    Parameters
    ----------
    width
        Size d of the embedding of a customer.
    hidden
        Size of the hidden layers.
    """

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.own = nn.Linear(width, hidden)
        self.other = nn.Linear(width, hidden, bias=False)
        self.pair = nn.Linear(features.NUM_PAIR_FEATURES, hidden, bias=False)
        self.head = nn.Sequential(
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, nodes: Tensor, graph: Data) -> Tensor:
        """Return the logits of the pairs of a graph, (m,).

        Parameters
        ----------
        nodes
            Embeddings of the customers, (n, d).
        graph
            As of ``tasks.pair_graph``, or a part of its pairs.
        """
        other, node = graph.edge_index
        # The gradient of index_select is far cheaper than that of an index.
        hidden = self.pair(graph.edge_attr)
        hidden = hidden + self.other(nodes).index_select(0, other)
        hidden = hidden + self.own(nodes).index_select(0, node)
        logits: Tensor = self.head(hidden)
        return logits.squeeze(1)


class PairNetwork(nn.Module):
    """Probability that two near customers share a route, as a logit."""

    def __init__(self, params: NetworkParams) -> None:
        super().__init__()
        self.encoder = PairEncoder(params)
        self.decoder = PairDecoder(params.width, params.hidden)

    def forward(self, graph: Data, asked: Data | None = None) -> Tensor:
        """Return the logits of pairs, (m,).

        Parameters
        ----------
        graph
            One instance or a batch of them, as of ``tasks.pair_graph``.
        asked
            The part of the graph whose pairs are decoded. Default: all.
        """
        nodes = self.encoder(graph)
        logits: Tensor = self.decoder(nodes, graph if asked is None else asked)
        return logits
