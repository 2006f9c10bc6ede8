"""Networks that turn customers and their neighbours into embeddings."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def gather_rows(rows: Tensor, idx: Tensor) -> Tensor:
    """Return ``rows[idx]`` for (n, d) and (n, k), as (n, k, d)."""
    flat = rows.index_select(0, idx.reshape(-1))
    return flat.view(*idx.shape, rows.shape[1])


class NeighbourLayer(nn.Module):
    """One round of messages between near customers, with a residual.

    The message from j to i is ReLU(A h_i + B h_j + C e_ij); the mean and the
    maximum over the neighbours enter a two-layer network. (ReLU: on a CPU
    GELU takes several times as long, and messages are most of the work.)

    Parameters
    ----------
    width
        Size d of the embedding of a customer.
    pair_width
        Size p of the embedding of a pair.
    """

    def __init__(self, width: int, pair_width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.own = nn.Linear(width, width)
        self.other = nn.Linear(width, width, bias=False)
        self.pair = nn.Linear(pair_width, width, bias=False)
        self.update = nn.Sequential(
            nn.Linear(3 * width, width), nn.GELU(), nn.Linear(width, width)
        )

    def forward(self, nodes: Tensor, pairs: Tensor, idx: Tensor) -> Tensor:
        """Return new embeddings.

        Parameters
        ----------
        nodes
            Embeddings of the customers, (n, d).
        pairs
            Embeddings of the pairs with the k nearest, (n, k, p).
        idx
            Rows of these neighbours, (n, k).

        Returns
        -------
        Tensor
            Shape (n, d).
        """
        inner = self.norm(nodes)
        messages = self.pair(pairs) + gather_rows(self.other(inner), idx)
        messages = nn.functional.relu(messages + self.own(inner)[:, None])
        pooled = torch.cat(
            [inner, messages.mean(dim=1), messages.amax(dim=1)], dim=1
        )
        change: Tensor = self.update(pooled)
        return nodes + change


class PairEncoder(nn.Module):
    """Customers and pairs of customers to embeddings.

    Parameters
    ----------
    num_node_features, num_pair_features
        Sizes of the input.
    width, pair_width
        Sizes d and p of the embeddings.
    num_layers
        Rounds of messages.
    degree
        Number of nearest neighbours that send messages.
    """

    def __init__(
        self,
        num_node_features: int,
        num_pair_features: int,
        *,
        width: int,
        pair_width: int,
        num_layers: int,
        degree: int,
    ) -> None:
        super().__init__()
        self.degree = degree
        self.node_input = nn.Sequential(
            nn.Linear(num_node_features, width),
            nn.GELU(),
            nn.Linear(width, width),
        )
        self.pair_input = nn.Sequential(
            nn.Linear(num_pair_features, pair_width),
            nn.GELU(),
            nn.Linear(pair_width, pair_width),
        )
        self.layers = nn.ModuleList(
            NeighbourLayer(width, pair_width) for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(width)

    def forward(self, nodes: Tensor, pairs: Tensor, idx: Tensor) -> Tensor:
        """Return the embeddings of the customers, (n, d).

        Parameters
        ----------
        nodes
            Features of the customers, (n, num_node_features).
        pairs
            Features of the pairs, (n, k, num_pair_features); the first
            ``degree`` columns send messages.
        idx
            Rows of the neighbours, (n, k).
        """
        hidden = self.node_input(nodes)
        near = self.pair_input(pairs[:, : self.degree])
        idx = idx[:, : self.degree]
        for layer in self.layers:
            hidden = layer(hidden, near, idx)
        found: Tensor = self.norm(hidden)
        return found


class GraphConv(nn.Module):
    """The graph operator of Morris et al. 2019, without torch-geometric.

    W_1 h_i + b + W_2 sum_j e_ji h_j: the state dict has the names of
    ``torch_geometric.nn.GraphConv``, so that weights can be exchanged.

    Parameters
    ----------
    width
        Size d of the embeddings.

    References
    ----------
    Morris et al. (2019). Weisfeiler and Leman go neural: higher-order
    graph neural networks. AAAI.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.lin_rel = nn.Linear(width, width)
        self.lin_root = nn.Linear(width, width, bias=False)

    def forward(self, nodes: Tensor, idx: Tensor, weights: Tensor) -> Tensor:
        """Return the new embeddings, (n, d).

        Parameters
        ----------
        nodes
            Embeddings, (n, d).
        idx
            Neighbours of each node, (n, k).
        weights
            Weights of these edges, (n, k).
        """
        pooled = nn.functional.embedding_bag(
            idx, nodes, per_sample_weights=weights, mode="sum"
        )
        found: Tensor = self.lin_rel(pooled) + self.lin_root(nodes)
        return found


class GraphEncoder(nn.Module):
    """The node encoder of the paper (equation 9): L residual GraphConvs.

    Each layer is h + LayerNorm(GELU(W_1 h + W_2 sum_j e_ji h_j)), after a
    linear input and before a linear output.

    Parameters
    ----------
    num_features
        Features of a node: coordinates and weight.
    width
        Size d of the embeddings.
    num_layers
        Number of layers L.
    """

    def __init__(self, num_features: int, width: int, num_layers: int) -> None:
        super().__init__()
        self.input = nn.Linear(num_features, width)
        self.layers = nn.ModuleList(
            GraphConv(width) for _ in range(num_layers)
        )
        self.norms = nn.ModuleList(
            nn.LayerNorm(width) for _ in range(num_layers)
        )

    def forward(self, nodes: Tensor, idx: Tensor, weights: Tensor) -> Tensor:
        """Return the embeddings of all nodes, (n, d).

        Parameters
        ----------
        nodes
            Features, (n, num_features).
        idx, weights
            Neighbours of each node and the weights of the edges, (n, k).
        """
        hidden: Tensor = self.input(nodes)
        for layer, norm in zip(self.layers, self.norms, strict=True):
            new = nn.functional.gelu(layer(hidden, idx, weights))
            hidden = hidden + norm(new)
        return hidden
