"""What the network of the paper sees of an instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.center_geometry import CenterGeometry
from ncc_routing.scoring.features import (
    NUM_NEIGHBOURS,
    NUM_NODE_FEATURES,
    node_features,
    view_of,
)
from ncc_routing.scoring.scene import TINY, plane_of
from ncc_routing.scoring.vocabulary import GEOMETRY, PAPER

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


DEMAND: Final = 2
NUM_CENTER_FEATURES: Final = 3
"""Features of a node in the paper: two coordinates and the demand."""

NUM_INPUTS: Final = {
    PAPER: NUM_CENTER_FEATURES,
    GEOMETRY: NUM_CENTER_FEATURES + NUM_NODE_FEATURES,
}
"""Features of a node by what a network sees."""


@dataclass(frozen=True, eq=False)
class CenterFeatures:
    """Nodes and their neighbours.

    Parameters
    ----------
    nodes
        Float32 array of shape (m, F), the features of the nodes. Of a CVRP
        m = n + 1 and node 0 is the depot, of points m = n.
    neighbours
        Int64 array of shape (m, k): the nodes that each node hears, the
        depot last where there is one.
    lengths
        Float32 array of that shape: the distances to them in units of the
        farthest customer, the weights of the edges as in the paper.
    first_node
        1 behind a depot, else 0.
    geometry
        What lies between the customers and any centers, where the network
        sees it.
    """

    nodes: np.ndarray
    neighbours: np.ndarray
    lengths: np.ndarray
    first_node: int
    geometry: CenterGeometry | None


def center_features(
    instance: Instance | PointSet, degree: int, inputs: str = PAPER
) -> CenterFeatures:
    """Describe the nodes of an instance for the encoder of the paper.

    Parameters
    ----------
    instance
        The instance; it needs coordinates in the plane.
    degree
        Neighbours k of each node; at most n - 1 are used.
    inputs
        What the nodes show. "paper" (default): two coordinates relative to
        the depot (to the mean of points), in units of the farthest customer,
        and the demand in units of the capacity. "geometry": behind these the
        features of customers of ``features``, zeros for the depot.
    """
    if isinstance(instance, PointSet):
        plane = plane_of(instance)
        places = plane.plane_coords("the neural scorer")[1:]
        places = places - places.mean(axis=0)
        idx = knn_graph(plane, degree).neighbours[1:].astype(np.int64) - 1
        demands = instance.weights
    else:
        coords = instance.plane_coords("the neural scorer")
        places = coords - coords[0]
        near = knn_graph(instance, degree).neighbours.astype(np.int64)
        depot = np.zeros((len(near), 1), dtype=np.int64)
        idx = np.concatenate([near, depot], 1)
        demands = instance.demands
    places = places / max(float(np.sqrt((places**2).sum(1)).max()), TINY)
    delta = places[idx] - places[:, None]
    lengths = np.sqrt((delta * delta).sum(axis=2)).astype(np.float32)
    first = 0 if isinstance(instance, PointSet) else 1
    shares = demands[:, None] / instance.capacity
    nodes = np.concatenate([places, shares], axis=1).astype(np.float32)
    if inputs == PAPER:
        return CenterFeatures(nodes, idx, lengths, first, None)
    seen = view_of(instance, NUM_NEIGHBOURS)
    more = np.pad(node_features(seen), ((first, 0), (0, 0)))
    nodes = np.concatenate([nodes, more], axis=1)
    geometry = CenterGeometry.of(seen)
    return CenterFeatures(nodes, idx, lengths, first, geometry)
