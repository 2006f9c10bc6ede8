"""Instances as graphs of torch-geometric, one for each architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch_geometric.data import Data

from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.features import plane_of

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.features import PairFeatures

_TINY = 1e-9
"""Stands for an extent of nothing, where all nodes lie at one place."""


def _edges(neighbours: np.ndarray) -> torch.Tensor:
    """Return the neighbour and the node of each pair, node by node."""
    own = np.arange(len(neighbours)).repeat(neighbours.shape[1])
    return torch.from_numpy(np.stack([neighbours.ravel(), own]))


def pair_graph(found: PairFeatures) -> Data:
    """Return customers and pairs of near customers for ``PairNetwork``.

    Returns
    -------
    torch_geometric.data.Data
        ``x`` (n, F) and ``edge_attr`` (n k, G) are the features of nodes and
        pairs; ``edge_index`` (2, n k) leads from the neighbour to the
        customer, and ``edge_rank`` (n k) is its place among the neighbours,
        from 0.
    """
    size, degree = found.neighbours.shape
    return Data(
        x=torch.from_numpy(found.nodes),
        edge_index=_edges(found.neighbours),
        edge_attr=torch.from_numpy(found.pairs).flatten(0, 1),
        edge_rank=torch.arange(degree, dtype=torch.int16).repeat(size),
    )


def center_graph(instance: Instance | PointSet, degree: int) -> Data:
    """Return the nodes of an instance for the encoder of the paper.

    Coordinates are relative to the depot (to the mean of points), in units
    of the farthest customer; demands in units of the capacity. The weight of
    an edge is its distance, as in the paper. Every node also hears the
    depot.

    Parameters
    ----------
    instance
        The instance; it needs coordinates in the plane.
    degree
        Neighbours k of each node; at most n - 1 are used.

    Returns
    -------
    torch_geometric.data.Data
        ``x`` (n + 1, 3), ``edge_index`` (2, m) from the neighbour to the
        node, sorted by the node, and ``edge_weight`` (m,); n in the place of
        n + 1 for points. ``first_node`` is 1 behind a depot, else 0.
    """
    if isinstance(instance, PointSet):
        plane = plane_of(instance)
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
    places = places / max(float(np.sqrt((places**2).sum(1)).max()), _TINY)
    delta = places[idx] - places[:, None]
    weights = np.sqrt((delta * delta).sum(axis=2)).astype(np.float32)
    shares = demands[:, None] / instance.capacity
    nodes = np.concatenate([places, shares], axis=1).astype(np.float32)
    return Data(
        x=torch.from_numpy(nodes),
        edge_index=_edges(idx),
        edge_weight=torch.from_numpy(weights.ravel()),
        first_node=0 if isinstance(instance, PointSet) else 1,
    )
