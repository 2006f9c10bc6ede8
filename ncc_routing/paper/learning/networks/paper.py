"""The network of the paper: whether a customer belongs to a center."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn
from torch_geometric import EdgeIndex
from torch_geometric.nn import GraphConv
from torch_geometric.utils import unbatch

from ncc_routing.paper.scoring.center_features import (
    NUM_GEOMETRY_FEATURES,
    NUM_INPUTS,
)
from ncc_routing.paper.scoring.vocabulary import CVRP, GEOMETRY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch_geometric.data import Data

    from ncc_routing.paper.scoring.network_params import NetworkParams

# Sparse products are announced as new, and nothing depends on the notice.
warnings.filterwarnings("ignore", "Sparse (CSC|invariant)", UserWarning)


class Centers(NamedTuple):
    """Centers of one instance.

    Attributes
    ----------
    medoids
        Node that stands for each center, int64 of shape (K,), no depot.
    listed
        Centers that each customer is compared with, int64 of shape (C, n),
        or ``None`` for all of them in their order.
    geometry
        Features of shape (C, n, G) as of ``CenterGeometry``, or ``None``.
    """

    medoids: Tensor
    listed: Tensor | None = None
    geometry: Tensor | None = None

    def to(self, device: torch.device) -> Centers:
        """Return the same on a device."""
        medoids, listed, geometry = self
        return Centers(
            medoids.to(device),
            None if listed is None else listed.to(device),
            None if geometry is None else geometry.to(device),
        )


class GraphEncoder(nn.Module):
    """The node encoder of the paper (equation 9): L residual GraphConvs.

    Each layer is h + LayerNorm(GELU(W_1 h + W_2 sum_j e_ji h_j)), after a
    linear input.

    Parameters
    ----------
    num_features
        Features of a node.
    width
        Size d of the embeddings.
    num_layers
        Number of layers L.
    """

    def __init__(self, num_features: int, width: int, num_layers: int) -> None:
        super().__init__()
        self.input = nn.Linear(num_features, width)
        self.layers = nn.ModuleList(
            GraphConv(width, width) for _ in range(num_layers)
        )
        self.norms = nn.ModuleList(
            nn.LayerNorm(width) for _ in range(num_layers)
        )

    def forward(self, graph: Data) -> Tensor:
        """Return the embeddings of all nodes, (n, d).

        Parameters
        ----------
        graph
            One instance or a batch of them, as of ``tasks.center_graph``.
        """
        size = (graph.num_nodes, graph.num_nodes)
        # Sorted edges are one sparse product, 20 times as fast as messages.
        edges = EdgeIndex(graph.edge_index, sparse_size=size, sort_order="col")
        hidden: Tensor = self.input(graph.x)
        for layer, norm in zip(self.layers, self.norms, strict=True):
            new = nn.functional.gelu(layer(hidden, edges, graph.edge_weight))
            hidden = hidden + norm(new)
        return hidden


class CenterAttention(nn.Module):
    """Multi-head self-attention over the centers of an instance.

    Softmax runs over the keys.

    Parameters
    ----------
    width
        Size d of the vectors.
    num_heads
        Number of heads; it divides the width.
    """

    def __init__(self, width: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.project = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, centers: Tensor, counts: Sequence[int]) -> Tensor:
        """Return new vectors of the centers, (C, d).

        Parameters
        ----------
        centers
            Those of all instances, one instance after the other, (C, d).
        counts
            How many each instance has; centers of different instances do
            not see each other.
        """
        parts = self.project(centers).view(len(centers), 3, self.num_heads, -1)
        mixed = [
            nn.functional.scaled_dot_product_attention(
                *part.permute(1, 2, 0, 3)
            )
            for part in torch.split(parts, list(counts))
        ]
        joined = torch.cat([part.transpose(0, 1) for part in mixed]).flatten(1)
        attended: Tensor = self.norm(centers + self.output(joined))
        return attended


def _mlp(source: int, width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(source, width),
        nn.GELU(),
        nn.LayerNorm(width),
        nn.Linear(width, width),
    )


class CenterDecoder(nn.Module):
    """Logit that a customer belongs to a center, given all the centers.

    Equations 10 and 11 of the paper, with the embedding of the depot beside
    that of the graph (section 5.2): the vector of a center is that of its
    medoid, of the graph ([max; mean] over the customers) and of the depot;
    after self-attention over the centers it is decoded with each node and,
    beyond the paper, with their geometry (inputs "geometry").

    Parameters
    ----------
    params
        Shape of the network.
    """

    def __init__(self, params: NetworkParams) -> None:
        super().__init__()
        width, num_heads = params.width, params.num_heads
        self.has_depot = has_depot = params.problem == CVRP
        self.graph = _mlp(2 * width, width)
        self.merge = nn.Linear((3 if has_depot else 2) * width, width)
        self.attention = CenterAttention(width, num_heads)
        self.center = _mlp(width, width)
        self.join = nn.Linear(2 * width, width)
        if params.inputs == GEOMETRY:
            self.geometry = nn.Linear(NUM_GEOMETRY_FEATURES, width, bias=False)
        self.score = nn.Linear(width, 1)

    def forward(
        self, nodes: Sequence[Tensor], centers: Sequence[Centers]
    ) -> list[Tensor]:
        """Return the logits of each instance, (C, n).

        Layers run over all instances at once; what grows with centers times
        customers runs instance by instance, and stays in the cache.

        Parameters
        ----------
        nodes
            Embeddings of each instance, (n + 1, d); node 0 is the depot,
            which belongs to no center. Without a depot (n, d).
        centers
            Those of each instance.
        """
        first = 1 if self.has_depot else 0
        customers = [each[first:] for each in nodes]
        medoids = [each.medoids for each in centers]
        counts = [len(each) for each in medoids]
        vectors = self._centers(nodes, medoids, counts)
        # The first layer of the join, split: (K + n) products, not K * n.
        left, right = self.join.weight.chunk(2, dim=1)
        sizes = [len(each) for each in customers]
        lefts = torch.split(vectors @ left.T + self.join.bias, counts)
        rights = torch.split(torch.cat(customers) @ right.T, sizes)
        return [
            self._logits(a, b, each)
            for a, b, each in zip(lefts, rights, centers, strict=True)
        ]

    def _logits(self, left: Tensor, right: Tensor, centers: Centers) -> Tensor:
        """Return the logits of one instance, (C, n)."""
        if centers.listed is None:
            asked = left[:, None]
        else:
            # The gradient of index_select is cheaper than that of an index.
            asked = left.index_select(0, centers.listed.flatten())
            asked = asked.view(*centers.listed.shape, -1)
        hidden = asked + right[None]
        if centers.geometry is not None:
            hidden = hidden + self.geometry(centers.geometry)
        logits: Tensor = self.score(nn.functional.gelu(hidden))
        return logits.squeeze(2)

    def _centers(
        self,
        nodes: Sequence[Tensor],
        medoids: Sequence[Tensor],
        counts: Sequence[int],
    ) -> Tensor:
        """Return the vectors of the centers of all instances, (C, d)."""
        first = 1 if self.has_depot else 0
        pooled = [
            torch.cat(
                [vectors[first:].amax(dim=0), vectors[first:].mean(dim=0)]
            )
            for vectors in nodes
        ]
        owner = torch.arange(len(counts)).repeat_interleave(
            torch.tensor(counts)
        )
        owner = owner.to(nodes[0].device)
        near = [
            vectors[places]
            for vectors, places in zip(nodes, medoids, strict=True)
        ]
        parts = [self.graph(torch.stack(pooled))[owner], torch.cat(near)]
        if self.has_depot:
            parts.append(torch.stack([vectors[0] for vectors in nodes])[owner])
        centers = self.merge(torch.cat(parts, dim=1))
        attended: Tensor = self.center(self.attention(centers, counts))
        return attended


class CenterNetwork(nn.Module):
    """Probability that a customer belongs to a center, as a logit."""

    def __init__(self, params: NetworkParams) -> None:
        super().__init__()
        self.encoder = GraphEncoder(
            NUM_INPUTS[params.inputs], params.width, params.num_layers
        )
        self.decoder = CenterDecoder(params)

    def forward(self, batch: Data, centers: Sequence[Centers]) -> list[Tensor]:
        """Return the logits of each instance, (C, n).

        Parameters
        ----------
        batch
            Instances, as of ``tasks.center_graph``.
        centers
            Those of each instance.
        """
        nodes = unbatch(self.encoder(batch), batch.batch)
        logits: list[Tensor] = self.decoder(nodes, centers)
        return logits
