"""Features of nodes and of centers for the network of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.points import PointSet
from ncc_routing.scoring._geometry_kernels import (
    NUM_LENGTHS,
    fill_lengths,
    fill_loads,
)
from ncc_routing.scoring.features import (
    NUM_NEIGHBOURS,
    NUM_NODE_FEATURES,
    TINY,
    node_features,
    plane_of,
    view_of,
)
from ncc_routing.scoring.vocabulary import GEOMETRY, PAPER

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.scoring.features import View


DEMAND: Final = 2
NUM_CENTER_FEATURES: Final = 3
"""Features of a node in the paper: two coordinates and the demand."""

NUM_INPUTS: Final = {
    PAPER: NUM_CENTER_FEATURES,
    GEOMETRY: NUM_CENTER_FEATURES + NUM_NODE_FEATURES,
}
"""Features of a node by what a network sees."""

NUM_GEOMETRY_FEATURES: Final = NUM_LENGTHS + 4
"""Columns of the features of a customer and a center."""


@dataclass(frozen=True, eq=False)
class CenterGeometry:
    """The customers of an instance, ready to be compared with centers.

    Its features are free of units; rotating, mirroring, shifting or scaling
    the instance does not change them.

    Parameters
    ----------
    places, depot, axis, local
        Float32 arrays of shapes (n, 2), (n,), (n, 2) and (n,), as in
        ``features.Geometry``.
    shares
        Float32 demands in capacities, shape (n,).
    scales
        Float32 array: the spacing, and the mean distance to the depot.
    """

    places: np.ndarray
    depot: np.ndarray
    axis: np.ndarray
    local: np.ndarray
    shares: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, view: View) -> CenterGeometry:
        """Return the geometry that ``features.view_of`` measured."""
        geometry = view.geometry
        scales = (geometry.spacing, geometry.depot.mean())
        return cls(
            geometry.places,
            geometry.depot,
            np.ascontiguousarray(geometry.axis, dtype=np.float32),
            geometry.local,
            view.scene.shares,
            np.array(scales, dtype=np.float32),
        )

    def features(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Describe customers and centers in pairs.

        Parameters
        ----------
        medoids
            The row of each center, ints of shape (K,).
        listed
            Int64 centers of shape (C, n), those of customer i in column i.

        Returns
        -------
        numpy.ndarray
            Float32 array of shape (C, n, NUM_GEOMETRY_FEATURES), the columns
            as the kernels name them.
        """
        shape = (*listed.shape, NUM_GEOMETRY_FEATURES)
        out = np.empty(shape, dtype=np.float32)
        lengths = np.empty(listed.shape, dtype=np.float32)
        fill_lengths(
            *(self.places, self.depot, self.axis, self.local, self.scales),
            *(medoids, listed, lengths, out),
        )
        fill_loads(self.shares, len(medoids), listed, lengths, out)
        return out


@dataclass(frozen=True, eq=False)
class CenterFeatures:
    """Nodes and their neighbours.

    Parameters
    ----------
    nodes
        Float32 array of shape (m, F), the features of the nodes. Of a CVRP
        m = n + 1 and node 0 is the depot, of points m = n.
    neighbours
        Int64 array of shape (m, k): the neighbours of each node, then the
        depot where there is one.
    lengths
        Float32 array of that shape: the distances to them in units of the
        farthest customer, the weights of the edges as in the paper.
    first_node
        1 behind a depot, else 0.
    geometry
        Geometry of customers and centers, for inputs "geometry".
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
    view = view_of(instance, NUM_NEIGHBOURS)
    more = np.pad(node_features(view), ((first, 0), (0, 0)))
    nodes = np.concatenate([nodes, more], axis=1)
    geometry = CenterGeometry.of(view)
    return CenterFeatures(nodes, idx, lengths, first, geometry)
