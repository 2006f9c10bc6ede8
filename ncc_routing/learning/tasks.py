"""What a network is trained on: graphs, batches and targets."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from ncc_routing.learning.center_draws import (
    draw_centers,
    medoids_of,
    spacings,
)
from ncc_routing.learning.graphs import center_graph, pair_graph
from ncc_routing.learning.schedule import TrainingParams
from ncc_routing.scoring import features
from ncc_routing.scoring.vocabulary import MIXED, PAPER

if TYPE_CHECKING:
    from torch_geometric.data import Batch, Data

    from ncc_routing.learning.labels import LabelledInstance
    from ncc_routing.learning.losses import Table
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
    ) -> list[Table]:
        """Return logits and targets of each instance.

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
    ) -> list[Table]:
        """Return logits and targets of customers and their neighbours."""
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
        logits = network(batch.to(device), asked)
        # Every customer of an instance has as many neighbours.
        owners = batch.batch[asked.edge_index[1]]
        counts = torch.bincount(owners, minlength=batch.num_graphs).tolist()
        sizes = batch.ptr.diff().tolist()
        return [
            (own.view(size, -1), wanted.view(size, -1))
            for own, wanted, size in zip(
                torch.split(logits, counts),
                torch.split(asked.edge_label, counts),
                sizes,
                strict=True,
            )
        ]


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
    are mixed with others.

    Parameters
    ----------
    degree
        Neighbours in the graph.
    centers
        Those of a training: "labels", as in the paper, or "mixed" (default)
        as ``center_draws.draw_centers`` has them.
    distance_weight
        As in ``TrainingParams``. Default 0.
    """

    degree: int
    centers: str = MIXED
    distance_weight: float = 0.0

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance; labels and coordinates beside it.

        These are arrays of numpy, which a batch keeps in lists.
        """
        graph = center_graph(labelled.instance, self.degree)
        graph.labels = labelled.labels
        graph.coords = np.asarray(labelled.instance.coords, dtype=np.float64)
        return graph

    def predict(
        self,
        network: nn.Module,
        batch: Batch,
        rng: np.random.Generator | None,
    ) -> list[Table]:
        """Return logits and targets of all customers and centers."""
        device = next(network.parameters()).device
        ends = batch.ptr.tolist()
        nodes, places, targets, costs = [], [], [], []
        for i, (labels, coords) in enumerate(
            zip(batch.labels, batch.coords, strict=True)
        ):
            own = batch.x[ends[i] : ends[i + 1]]
            run = 0 if rng is None else int(rng.integers(len(labels)))
            first = int(batch.first_node[i])
            medoids = medoids_of(coords, labels[run], first)
            if rng is not None:
                if self.centers == MIXED:
                    weights = own[first:, -1].double().numpy()
                    medoids = first + draw_centers(
                        medoids - first, coords[first:], weights, rng
                    )
                own = turn(own, rng)
            nodes.append(own)
            places.append(torch.from_numpy(medoids).to(device))
            same = labels[:, first:, None] == labels[:, None, medoids]
            wanted = same.mean(axis=0, dtype=np.float32)
            targets.append(torch.from_numpy(wanted).to(device))
            cost = self.distance_weight * spacings(
                coords[first:], medoids - first
            )
            costs.append(torch.from_numpy(cost).to(device))
        batch = copy(batch)
        batch.x = torch.cat(nodes)
        logits = network(batch.to(device), places)
        return [
            (own.T - cost, wanted)
            for own, wanted, cost in zip(logits, targets, costs, strict=True)
        ]


def turn(nodes: Tensor, rng: np.random.Generator) -> Tensor:
    """Rotate the coordinates by a random angle, and mirror half of them."""
    angle = rng.random() * 2.0 * np.pi
    sine, cosine = float(np.sin(angle)), float(np.cos(angle))
    sign = 1.0 if rng.random() < 0.5 else -1.0
    turned = nodes.clone()
    turned[:, 0] = cosine * nodes[:, 0] - sine * nodes[:, 1]
    turned[:, 1] = sign * (sine * nodes[:, 0] + cosine * nodes[:, 1])
    return turned


def task_of(
    params: NetworkParams, course: TrainingParams | None = None
) -> TrainingTask:
    """Return how a network of that shape is trained.

    Parameters
    ----------
    params
        Its shape.
    course
        The training. Default ``TrainingParams()``.
    """
    if params.architecture == PAPER:
        course = course or TrainingParams()
        return CenterTask(
            params.degree, course.centers, course.distance_weight
        )
    return PairTask(params.num_pairs, region=params.region)
