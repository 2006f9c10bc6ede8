"""Networks that score pairs: two customers, or a customer and a center."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from ncc_routing.learning.encoders import gather_rows


class PairDecoder(nn.Module):
    """Logit that two customers share a route.

    Parameters
    ----------
    width
        Size d of the embedding of a customer.
    num_pair_features
        Features of a pair.
    hidden
        Size of the hidden layers.
    """

    def __init__(
        self, width: int, num_pair_features: int, hidden: int
    ) -> None:
        super().__init__()
        self.own = nn.Linear(width, hidden)
        self.other = nn.Linear(width, hidden, bias=False)
        self.pair = nn.Linear(num_pair_features, hidden, bias=False)
        self.head = nn.Sequential(
            nn.ReLU(),
            nn.Linear(hidden, hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, nodes: Tensor, pairs: Tensor, idx: Tensor) -> Tensor:
        """Return logits of shape (n, k).

        Parameters
        ----------
        nodes
            Embeddings of the customers, (n, d).
        pairs
            Features of the pairs, (n, k, num_pair_features).
        idx
            Rows of the other customers, (n, k).
        """
        return self.decode(nodes, self.other(nodes), pairs, idx)

    def decode(
        self, nodes: Tensor, other: Tensor, pairs: Tensor, idx: Tensor
    ) -> Tensor:
        """Return the logits of some rows, given ``other(nodes)`` of all."""
        hidden = self.pair(pairs) + gather_rows(other, idx)
        hidden = hidden + self.own(nodes)[:, None]
        logits: Tensor = self.head(hidden)
        return logits.squeeze(-1)


class CenterAttention(nn.Module):
    """Multi-head self-attention over the centers of an instance.

    Softmax runs over the keys, and absent centers are masked as keys, so
    that padding does not change what the others get.

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

    def forward(self, centers: Tensor, mask: Tensor) -> Tensor:
        """Return new vectors of the centers, (b, K, d).

        Parameters
        ----------
        centers
            Vectors, (b, K, d).
        mask
            Bool of shape (b, K): whether there is such a center. At least
            one in each row.
        """
        size, count, width = centers.shape
        shape = (size, count, 3, self.num_heads, width // self.num_heads)
        query, key, value = (
            self.project(centers).view(shape).permute(2, 0, 3, 1, 4)
        )
        logits = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
        logits = logits.masked_fill(~mask[:, None, None, :], -torch.inf)
        mixed = torch.softmax(logits, dim=-1) @ value
        mixed = mixed.transpose(1, 2).reshape(size, count, width)
        found: Tensor = self.norm(centers + self.output(mixed))
        return found


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
    after self-attention over the centers it is decoded with each node.

    Parameters
    ----------
    width
        Size d of the embeddings.
    num_heads
        Heads of the attention.
    has_depot
        Whether node 0 is a depot. Default ``True``; a CCP has none.
    """

    def __init__(
        self, width: int, num_heads: int, *, has_depot: bool = True
    ) -> None:
        super().__init__()
        self.has_depot = has_depot
        self.graph = _mlp(2 * width, width)
        self.merge = nn.Linear((3 if has_depot else 2) * width, width)
        self.attention = CenterAttention(width, num_heads)
        self.center = _mlp(width, width)
        self.join = nn.Linear(2 * width, width)
        self.score = nn.Linear(width, 1)

    def forward(self, nodes: Tensor, medoids: Tensor, mask: Tensor) -> Tensor:
        """Return logits of shape (b, K, n).

        Parameters
        ----------
        nodes
            Embeddings, (b, n + 1, d); node 0 is the depot, which belongs to
            no center. Without a depot (b, n, d).
        medoids
            Node nearest to each center, int64 of shape (b, K), no depot.
        mask
            Whether there is such a center, (b, K).
        """
        customers = nodes[:, 1:] if self.has_depot else nodes
        pooled = torch.cat([customers.amax(dim=1), customers.mean(dim=1)], 1)
        shape = (-1, medoids.shape[1], -1)
        graph = self.graph(pooled)[:, None].expand(*shape)
        own = nodes.gather(
            1, medoids[:, :, None].expand(-1, -1, nodes.shape[2])
        )
        parts = [graph, own]
        if self.has_depot:
            parts.append(nodes[:, :1].expand(*shape))
        centers = self.merge(torch.cat(parts, dim=2))
        centers = self.center(self.attention(centers, mask))
        # The first layer of the join, split: (K + n) products, not K * n.
        left, right = self.join.weight.chunk(2, dim=1)
        joined = (
            (centers @ left.T + self.join.bias)[:, :, None]
            + (customers @ right.T)[:, None]
        )  # fmt: skip
        logits: Tensor = self.score(nn.functional.gelu(joined))
        return logits.squeeze(-1)
