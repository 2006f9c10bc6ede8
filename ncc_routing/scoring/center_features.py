"""What the network of the paper sees of an instance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring.scene import plane_of

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

_TINY: Final = 1e-9
"""Stands for an extent of nothing, where all nodes lie at one place."""


@dataclass(frozen=True, eq=False)
class CenterFeatures:
    """Nodes and their neighbours.

    Coordinates are relative to the depot (to the mean of points), in units
    of the farthest customer; demands in units of the capacity.

    Parameters
    ----------
    nodes
        Float32 array of shape (m, 3): two coordinates and the demand. Of a
        CVRP m = n + 1 and node 0 is the depot, of points m = n.
    neighbours
        Int64 array of shape (m, k): the nodes that each node hears, the
        depot last where there is one.
    lengths
        Float32 array of that shape: the distances to them, the weights of
        the edges as in the paper.
    first_node
        1 behind a depot, else 0.
    """

    nodes: np.ndarray
    neighbours: np.ndarray
    lengths: np.ndarray
    first_node: int


def center_features(
    instance: Instance | PointSet, degree: int
) -> CenterFeatures:
    """Describe the nodes of an instance for the encoder of the paper.

    Parameters
    ----------
    instance
        The instance; it needs coordinates in the plane.
    degree
        Neighbours k of each node; at most n - 1 are used.
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
    places = places / max(float(np.sqrt((places**2).sum(1)).max()), _TINY)
    delta = places[idx] - places[:, None]
    lengths = np.sqrt((delta * delta).sum(axis=2)).astype(np.float32)
    shares = demands[:, None] / instance.capacity
    nodes = np.concatenate([places, shares], axis=1).astype(np.float32)
    first = 0 if isinstance(instance, PointSet) else 1
    return CenterFeatures(nodes, idx, lengths, first)
