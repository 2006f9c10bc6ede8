"""What a network is trained on: graphs, batches and targets."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from ncc_routing.learning.graphs import center_graph, pair_graph
from ncc_routing.scoring import features
from ncc_routing.scoring.vocabulary import PAPER

if TYPE_CHECKING:
    from torch_geometric.data import Batch, Data

    from ncc_routing.learning.labels import LabelledInstance
    from ncc_routing.scoring.places import Region
    from ncc_routing.scoring.weights_file import NetworkParams


class TrainingTask(Protocol):
    """How one architecture is trained."""

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance, with what its targets need."""

    def predict(
        self,
        network: nn.Module,
        batch: Batch,
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits and targets, both flat.

        With ``rng`` for training: mirrored, sampled; else all, as is.
        """


@dataclass(frozen=True)
class PairTask:
    """The question how often near customers share a route.

    Parameters
    ----------
    num_pairs
        Neighbours of each customer.
    num_sampled
        Pairs of each customer that count in a step of the training.
    region
        The region whose places the network knows: it has no mirror image.
        Default: none.
    """

    num_pairs: int
    num_sampled: int = 16
    region: Region | None = None

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance, its targets in ``edge_label``."""
        found = features.pair_features(
            labelled.instance, self.num_pairs, self.region
        )
        graph = pair_graph(found)
        other, own = graph.edge_index.numpy() + found.first_node
        graph.edge_label = torch.from_numpy(labelled.together(own, other))
        return graph

    def predict(
        self,
        network: nn.Module,
        batch: Batch,
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits and targets of the pairs of a batch."""
        asked = batch
        if rng is not None:
            if self.region is None:
                signs = rng.choice([-1.0, 1.0], size=batch.num_graphs)
                batch = mirror(batch, torch.from_numpy(signs).float())
            width = int(batch.edge_rank.max()) + 1
            count = min(self.num_sampled, width)
            drawn = rng.choice(width, size=count, replace=False)
            is_asked = torch.isin(batch.edge_rank, torch.from_numpy(drawn))
            asked = batch.edge_subgraph(is_asked)
        device = next(network.parameters()).device
        asked = asked.to(device)
        return network(batch.to(device), asked), asked.edge_label


def mirror(batch: Batch, signs: Tensor) -> Batch:
    """Return a batch with the instances of sign -1 as mirror images."""
    mirrored = copy(batch)
    own = signs[batch.batch, None]
    mirrored.x = batch.x.clone()
    mirrored.x[:, features.SIGNED_NODE_FEATURES] *= own
    mirrored.edge_attr = batch.edge_attr.clone()
    columns = features.SIGNED_PAIR_FEATURES
    mirrored.edge_attr[:, columns] *= own[batch.edge_index[1]]
    return mirrored


@dataclass(frozen=True)
class CenterTask:
    """The question how often a customer is in the route of a medoid.

    The target is defined for any center, so that centers of good solutions
    are mixed with arbitrary ones.

    Parameters
    ----------
    degree
        Neighbours in the graph.
    noise
        Probability that a medoid is replaced by a random customer.
    """

    degree: int
    noise: float = 0.3

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance; labels and coordinates beside it.

        These are arrays of numpy, which a batch keeps in lists.
        """
        graph = center_graph(labelled.instance, self.degree)
        graph.labels = labelled.labels
        graph.coords = np.asarray(labelled.instance.coords)
        return graph

    def predict(
        self,
        network: nn.Module,
        batch: Batch,
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits and targets of all centers and customers."""
        device = next(network.parameters()).device
        ends = batch.ptr.tolist()
        nodes, places, targets = [], [], []
        for i, (labels, coords) in enumerate(
            zip(batch.labels, batch.coords, strict=True)
        ):
            own = batch.x[ends[i] : ends[i + 1]]
            run = 0 if rng is None else int(rng.integers(len(labels)))
            first = int(batch.first_node[i])
            medoids = medoids_of(coords, labels[run], first)
            if rng is not None:
                noisy = rng.random(len(medoids)) < self.noise
                drawn = rng.integers(first, len(own), size=len(medoids))
                medoids = np.where(noisy, drawn, medoids)
                own = turn(own, rng)
            nodes.append(own)
            places.append(torch.from_numpy(medoids).to(device))
            same = labels[:, medoids][:, :, None] == labels[:, None, first:]
            wanted = same.mean(axis=0, dtype=np.float32)
            targets.append(torch.from_numpy(wanted.ravel()))
        batch = copy(batch)
        batch.x = torch.cat(nodes)
        logits = network(batch.to(device), places)
        return logits, torch.cat(targets).to(device)


def turn(nodes: Tensor, rng: np.random.Generator) -> Tensor:
    """Rotate the coordinates by a random angle, and mirror half of them."""
    angle = rng.random() * 2.0 * np.pi
    sine, cosine = float(np.sin(angle)), float(np.cos(angle))
    sign = 1.0 if rng.random() < 0.5 else -1.0
    turned = nodes.clone()
    turned[:, 0] = cosine * nodes[:, 0] - sine * nodes[:, 1]
    turned[:, 1] = sign * (sine * nodes[:, 0] + cosine * nodes[:, 1])
    return turned


def medoids_of(
    coords: np.ndarray, labels: np.ndarray, first_node: int = 1
) -> np.ndarray:
    """Return the customer nearest to the mean of each route.

    Parameters
    ----------
    coords
        Coordinates of shape (n + 1, 2), the depot first.
    labels
        Route of each customer, shape (n + 1,); the depot has -1.
    first_node
        1 (default) where node 0 is a depot; 0 where there is none, and n
        nodes.

    Returns
    -------
    numpy.ndarray
        Int64 customers, one for each route; any customer can be nearest.
    """
    labels, coords = labels[first_node:], coords[first_node:]
    counts = np.bincount(labels)
    means = np.stack(
        [np.bincount(labels, coords[:, a]) for a in (0, 1)], axis=1
    )
    used = counts > 0
    centers = means[used] / counts[used, None]
    delta = coords[None] - centers[:, None]
    nearest = (delta * delta).sum(axis=2).argmin(axis=1)
    return np.asarray(nearest + first_node)


def task_of(params: NetworkParams) -> TrainingTask:
    """Return how a network of that shape is trained."""
    if params.architecture == PAPER:
        return CenterTask(params.degree)
    return PairTask(params.num_pairs, region=params.region)
