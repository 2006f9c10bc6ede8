"""Instances as graphs of torch-geometric, one for each architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch_geometric.data import Data

from ncc_routing.scoring.center_features import center_features
from ncc_routing.scoring.vocabulary import PAPER

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.points import PointSet
    from ncc_routing.scoring.features import PairFeatures


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


def center_graph(
    instance: Instance | PointSet, degree: int, inputs: str = PAPER
) -> Data:
    """Return the nodes of an instance for the encoder of the paper.

    The weight of an edge is its distance, as in the paper. Every node also
    hears the depot.

    Parameters
    ----------
    instance
        The instance; it needs coordinates in the plane.
    degree
        Neighbours k of each node; at most n - 1 are used.
    inputs
        What the network sees, as ``center_features`` has it. Default
        "paper".

    Returns
    -------
    torch_geometric.data.Data
        ``x`` (n + 1, F), ``edge_index`` (2, m) from the neighbour to the
        node, sorted by the node, and ``edge_weight`` (m,); n in the place of
        n + 1 for points. ``first_node`` is 1 behind a depot, else 0;
        ``geometry`` is that of the features, where there is any.
    """
    found = center_features(instance, degree, inputs)
    graph = Data(
        x=torch.from_numpy(found.nodes),
        edge_index=_edges(found.neighbours),
        edge_weight=torch.from_numpy(found.lengths.ravel()),
        first_node=found.first_node,
    )
    if found.geometry is not None:
        graph.geometry = found.geometry
    return graph
