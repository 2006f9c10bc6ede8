"""What a network is trained on: graphs, batches and targets."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.data import Batch, Data

from ncc_routing.paper.learning.center_draws import (
    draw_centers,
    list_nearest,
    medoids_of,
    spacings,
)
from ncc_routing.paper.learning.networks.paper import Centers
from ncc_routing.paper.learning.schedule import TrainingParams
from ncc_routing.paper.scoring import features
from ncc_routing.paper.scoring.center_features import (
    DEMAND,
    NUM_CENTER_FEATURES,
    center_features,
)
from ncc_routing.paper.scoring.vocabulary import GEOMETRY, MIXED, PAPER

if TYPE_CHECKING:
    from ncc_routing.paper.learning.label_files import LabelledInstance
    from ncc_routing.paper.learning.metrics import Table
    from ncc_routing.paper.scoring.network_params import NetworkParams
    from ncc_routing.paper.scoring.places import Region
    from ncc_routing.problems.ccp.points import PointSet
    from ncc_routing.problems.instance import Instance


def _edges(neighbours: np.ndarray) -> torch.Tensor:
    """Return the neighbour and the node of each pair, node by node."""
    nodes = np.arange(len(neighbours)).repeat(neighbours.shape[1])
    return torch.from_numpy(np.stack([neighbours.ravel(), nodes]))


def pair_graph(pairs: features.PairFeatures) -> Data:
    """Return customers and pairs of near customers for ``PairNetwork``.

    ``x`` (n, F) and ``edge_attr`` (n k, G) are the features; ``edge_index``
    (2, n k) leads from the neighbour to the customer, and ``edge_rank`` (n k)
    is its place among the neighbours, from 0.
    """
    size, degree = pairs.neighbours.shape
    return Data(
        x=torch.from_numpy(pairs.nodes),
        edge_index=_edges(pairs.neighbours),
        edge_attr=torch.from_numpy(pairs.pairs).flatten(0, 1),
        edge_rank=torch.arange(degree, dtype=torch.int16).repeat(size),
    )


def center_graph(
    instance: Instance | PointSet, degree: int, inputs: str = PAPER
) -> Data:
    """Return the nodes of an instance for the encoder of the paper.

    ``x`` is (n + 1, F), or (n, F) for points. ``edge_index`` (2, m) leads from
    each of ``degree`` neighbours, and from the depot, to the node, sorted by
    the node; ``edge_weight`` (m,) is the distance, as in the paper.
    ``first_node`` is 1 behind a depot, else 0; ``geometry`` is that of the
    features.
    """
    computed = center_features(instance, degree, inputs)
    graph = Data(
        x=torch.from_numpy(computed.nodes),
        edge_index=_edges(computed.neighbours),
        edge_weight=torch.from_numpy(computed.lengths.ravel()),
        first_node=computed.first_node,
    )
    if computed.geometry is not None:
        graph.geometry = computed.geometry
    return graph


class TrainingTask(Protocol):
    """How one architecture is trained."""

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance, with what its targets need."""

    def predict(
        self, network: nn.Module, batch: Batch, rng: np.random.Generator | None
    ) -> list[Table]:
        """Return logits and targets of each instance.

        With ``rng``, for training, they are mirrored and sampled.
        """


@dataclass(frozen=True)
class PairTask:
    """The question how often near customers share a route.

    ``num_sampled`` pairs of each customer count in a training step. A network
    that knows the places of a ``region`` has no mirror image.
    """

    num_pairs: int
    num_sampled: int = 16
    region: Region | None = None

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance, its targets in ``edge_label``."""
        pairs = features.pair_features(
            labelled.instance, self.num_pairs, self.region
        )
        graph = pair_graph(pairs)
        other, node = graph.edge_index.numpy() + pairs.first_node
        graph.edge_label = torch.from_numpy(labelled.together(node, other))
        return graph

    def predict(
        self, network: nn.Module, batch: Batch, rng: np.random.Generator | None
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
            (predicted.view(size, -1), wanted.view(size, -1))
            for predicted, wanted, size in zip(
                torch.split(logits, counts),
                torch.split(asked.edge_label, counts),
                sizes,
                strict=True,
            )
        ]


def mirror(batch: Batch, signs: Tensor) -> Batch:
    """Return a batch with the instances of sign -1 as mirror images."""
    mirrored = copy(batch)
    signs_of = signs[batch.batch, None]
    mirrored.x = batch.x.clone()
    mirrored.x[:, features.SIGNED_NODE_FEATURES] *= signs_of
    mirrored.edge_attr = batch.edge_attr.clone()
    columns = features.SIGNED_PAIR_FEATURES
    mirrored.edge_attr[:, columns] *= signs_of[batch.edge_index[1]]
    return mirrored


@dataclass(frozen=True)
class CenterTask:
    """The question whether a customer is in the route of a medoid.

    The target is defined for any center, so centers of good solutions are
    mixed with others. All are of one solution: two good ones often disagree.
    """

    degree: int
    inputs: str = PAPER
    params: TrainingParams = field(default_factory=TrainingParams)

    def prepare(self, labelled: LabelledInstance) -> Data:
        """Return the graph of an instance, with its labels and coordinates.

        These are arrays of numpy, of customers alone, which a batch keeps in
        lists.
        """
        instance = labelled.instance
        graph = center_graph(instance, self.degree, self.inputs)
        first = graph.first_node
        coords = np.asarray(instance.coords, dtype=np.float64)
        graph.labels = labelled.labels[:, first:]
        graph.coords = coords[first:]
        return graph

    def predict(
        self, network: nn.Module, batch: Batch, rng: np.random.Generator | None
    ) -> list[Table]:
        """Return logits and targets of customers and their centers."""
        device = next(network.parameters()).device
        entries, drawn = [], []
        for number in range(batch.num_graphs):
            entries.append(self._asked(batch, number, rng))
            if rng is not None:  # in turn, so that chunks draw the same
                angle = 2.0 * np.pi * rng.random()
                drawn.append((angle, rng.choice([-1.0, 1.0])))
        if drawn:
            angles, signs = torch.tensor(drawn, dtype=torch.float32).T
            batch = turn(batch, signs, angles)
        centers = [predicted.to(device) for predicted, _, _ in entries]
        logits = network(batch.to(device), centers)
        return [
            ((predicted - cost.to(device)).T, wanted.to(device).T)
            for predicted, (_, wanted, cost) in zip(
                logits, entries, strict=True
            )
        ]

    def _asked(
        self, batch: Batch, number: int, rng: np.random.Generator | None
    ) -> tuple[Centers, Tensor, Tensor]:
        """Return the centers of one instance, the targets and the costs."""
        params, coords = self.params, batch.coords[number]
        labels = batch.labels[number]
        labels = labels[0 if rng is None else int(rng.integers(len(labels)))]
        medoids = medoids_of(coords, labels, params.medoids)
        if rng is not None and params.centers == MIXED:
            rows = slice(*batch.ptr[number : number + 2].tolist())
            weights = batch.x[rows][-len(coords) :, DEMAND].double().numpy()
            medoids = draw_centers(medoids, coords, weights, rng)
        lengths = spacings(coords, medoids)
        wanted = (labels[medoids][:, None] == labels).astype(np.float32)
        every = np.arange(len(medoids))[:, None].repeat(len(coords), axis=1)
        listed = list_nearest(lengths, params.num_listed)
        if listed is not None:
            every = listed
            lengths = np.take_along_axis(lengths, listed, axis=0)
            wanted = np.take_along_axis(wanted, listed, axis=0)
        geometry = None
        if self.inputs == GEOMETRY:
            edges = batch.geometry[number].features(medoids, every)
            geometry = torch.from_numpy(edges)
        centers = Centers(
            torch.from_numpy(medoids + int(batch.first_node[number])),
            None if listed is None else torch.from_numpy(listed),
            geometry,
        )
        cost = params.distance_weight * torch.from_numpy(lengths)
        return centers, torch.from_numpy(wanted), cost


def turn(batch: Batch, signs: Tensor, angles: Tensor) -> Batch:
    """Return a batch with its instances rotated, and mirrored by a sign -1.

    The first two features of a node are its coordinates.
    """
    sine, cosine = angles.sin(), angles.cos()
    rows = torch.stack([cosine, -sine, signs * sine, signs * cosine], dim=1)
    turned = copy(batch)
    turned.x = batch.x.clone()
    rotations = rows[batch.batch].view(-1, 2, 2)
    turned.x[:, :2] = (rotations @ batch.x[:, :2, None])[:, :, 0]
    others = turned.x[:, NUM_CENTER_FEATURES:]
    if others.shape[1] > 0:
        columns = features.SIGNED_NODE_FEATURES
        others[:, columns] *= signs[batch.batch, None]
    return turned


def task_of(
    params: NetworkParams, training: TrainingParams | None = None
) -> TrainingTask:
    """Return how a network of that shape is trained."""
    if params.architecture == PAPER:
        training = training or TrainingParams()
        return CenterTask(params.degree, params.inputs, training)
    return PairTask(params.num_pairs, region=params.region)
