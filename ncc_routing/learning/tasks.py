"""What a network is trained on: examples, batches and targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring import features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncc_routing.learning.labels import LabelledInstance
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.weights_file import NetworkParams

Example = TypeVar("Example")


class Task(Protocol[Example]):
    """How one architecture is trained."""

    def prepare(self, labelled: LabelledInstance) -> Example:
        """Return an instance with its targets, ready for any batch."""

    def predict(
        self,
        network: nn.Module,
        batch: Sequence[Example],
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits and targets, both flat.

        With ``rng`` for training: mirrored, sampled; else all, as is.
        """


@dataclass(frozen=True, eq=False)
class PairExample:
    """Features of an instance, (n, ...), and targets of shape (n, k)."""

    nodes: Tensor
    pairs: Tensor
    neighbours: Tensor
    targets: Tensor


@dataclass(frozen=True)
class PairTask:
    """The question how often near customers share a route.

    Parameters
    ----------
    num_pairs
        Neighbours of each customer.
    num_sampled
        Columns of pairs that count in a step of the training.
    """

    num_pairs: int
    num_sampled: int = 16

    def prepare(self, labelled: LabelledInstance) -> PairExample:
        """Return features and targets of an instance."""
        found = features.pair_features(labelled.instance, self.num_pairs)
        first = found.first_node
        own = np.arange(len(found.nodes))[:, None]
        targets = labelled.together(own + first, found.neighbours + first)
        return PairExample(
            torch.from_numpy(found.nodes),
            torch.from_numpy(found.pairs),
            torch.from_numpy(found.neighbours),
            torch.from_numpy(targets),
        )

    def predict(
        self,
        network: nn.Module,
        batch: Sequence[PairExample],
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits and targets of the pairs of a batch."""
        width = min(example.neighbours.shape[1] for example in batch)
        sizes = [len(example.nodes) for example in batch]
        starts = np.cumsum([0, *sizes[:-1]])
        nodes = torch.cat([example.nodes for example in batch])
        pairs = torch.cat([example.pairs[:, :width] for example in batch])
        idx = torch.cat(
            [
                example.neighbours[:, :width] + int(start)
                for example, start in zip(batch, starts, strict=True)
            ]
        )
        targets = torch.cat([example.targets[:, :width] for example in batch])
        device = next(network.parameters()).device
        columns = None
        if rng is not None:
            signs = rng.choice([-1.0, 1.0], size=len(batch))
            nodes, pairs = _mirror(nodes, pairs, np.repeat(signs, sizes))
            count = min(self.num_sampled, width)
            drawn = np.sort(rng.choice(width, size=count, replace=False))
            columns = torch.from_numpy(drawn)
            targets = targets[:, columns]
            columns = columns.to(device)
        logits = network(
            nodes.to(device), pairs.to(device), idx.to(device), columns
        )
        return logits.flatten(), targets.flatten().to(device)


def _mirror(
    nodes: Tensor, pairs: Tensor, signs: np.ndarray
) -> tuple[Tensor, Tensor]:
    """Turn the instances of sign -1 into their mirror images."""
    factor = torch.from_numpy(signs.astype(np.float32))
    flip = torch.ones_like(nodes[:1]).repeat(len(nodes), 1)
    flip[:, list(features.SIGNED_NODE_FEATURES)] = factor[:, None]
    turn = torch.ones(len(nodes), 1, pairs.shape[2])
    turn[:, 0, list(features.SIGNED_PAIR_FEATURES)] = factor[:, None]
    return nodes * flip, pairs * turn


@dataclass(frozen=True, eq=False)
class CenterExample:
    """Graph of an instance, and the labels and coordinates of its nodes.

    ``first_node`` is 1 where node 0 is a depot, else 0.
    """

    nodes: Tensor
    neighbours: Tensor
    weights: Tensor
    labels: np.ndarray
    coords: np.ndarray
    first_node: int


def center_graph(
    instance: Instance | PointSet, degree: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return nodes, neighbours and edge weights for the paper's encoder.

    Coordinates are relative to the depot (to the mean of points), in units
    of the farthest customer; demands in units of the capacity. The weight of
    an edge is its distance, as in the paper. Every customer also hears the
    depot.

    Returns
    -------
    tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]
        Float32 (n + 1, 3), int64 (n + 1, k) and float32 (n + 1, k); n in
        the place of n + 1 for points.
    """
    if isinstance(instance, PointSet):
        plane = features.plane_of(instance)
        places = plane.require_coords("the neural scorer")[1:]
        places = places - places.mean(axis=0)
        idx = knn_graph(plane, degree).neighbours[1:].astype(np.int64) - 1
        demands = instance.weights
    else:
        coords = instance.require_coords("the neural scorer")
        places = coords - coords[0]
        near = knn_graph(instance, degree).neighbours.astype(np.int64)
        depot = np.zeros((len(near), 1), dtype=np.int64)
        idx = np.concatenate([near, depot], 1)
        demands = instance.demands
    places = places / max(float(np.sqrt((places**2).sum(1)).max()), 1e-9)
    delta = places[idx] - places[:, None]
    weights = np.sqrt((delta * delta).sum(axis=2))
    shares = demands[:, None] / instance.capacity
    nodes = np.concatenate([places, shares], axis=1)
    return nodes.astype(np.float32), idx, weights.astype(np.float32)


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

    def prepare(self, labelled: LabelledInstance) -> CenterExample:
        """Return the graph and the labels of an instance."""
        nodes, idx, weights = center_graph(labelled.instance, self.degree)
        return CenterExample(
            torch.from_numpy(nodes),
            torch.from_numpy(idx),
            torch.from_numpy(weights),
            labelled.labels,
            np.asarray(labelled.instance.coords),
            0 if isinstance(labelled.instance, PointSet) else 1,
        )

    def predict(
        self,
        network: nn.Module,
        batch: Sequence[CenterExample],
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Return logits and targets of all centers and customers."""
        device = next(network.parameters()).device
        logits, targets = [], []
        for example in batch:
            run = 0 if rng is None else int(rng.integers(len(example.labels)))
            first = example.first_node
            medoids = medoids_of(example.coords, example.labels[run], first)
            nodes = example.nodes
            if rng is not None:
                noisy = rng.random(len(medoids)) < self.noise
                drawn = rng.integers(first, len(nodes), size=len(medoids))
                medoids = np.where(noisy, drawn, medoids)
                nodes = _turn(nodes, rng)
            places = torch.from_numpy(medoids)[None].to(device)
            scores = network(
                nodes.to(device),
                example.neighbours.to(device),
                example.weights.to(device),
                places,
                torch.ones_like(places, dtype=torch.bool),
            )
            labels = example.labels
            same = labels[:, medoids][:, :, None] == labels[:, None, first:]
            logits.append(scores.flatten())
            wanted = same.mean(axis=0, dtype=np.float32)
            targets.append(torch.from_numpy(wanted.ravel()))
        return torch.cat(logits), torch.cat(targets).to(device)


def _turn(nodes: Tensor, rng: np.random.Generator) -> Tensor:
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


def task_of(params: NetworkParams) -> PairTask | CenterTask:
    """Return how a network of that shape is trained."""
    if params.architecture == "paper":
        return CenterTask(params.degree)
    return PairTask(params.num_pairs)
