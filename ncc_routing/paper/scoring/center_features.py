"""Features of nodes and of centers for the network of the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing._core import scoring as kernels
from ncc_routing.paper.scoring.features import (
    NUM_NEIGHBOURS,
    NUM_NODE_FEATURES,
    TINY,
    View,
    node_features,
    plane_of,
    view_of,
)
from ncc_routing.paper.scoring.vocabulary import GEOMETRY, PAPER
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.problems.ccp.points import PointSet

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

NUM_GEOMETRY_FEATURES: Final = kernels.NUM_FEATURES
"""Columns of the features of a customer and a center."""


@dataclass(frozen=True, eq=False)
class CenterGeometry:
    """The customers of an instance, ready to be compared with centers.

    ``places`` (n, 2), ``depot`` (n,), ``axis`` (n, 2) and ``local`` (n,) are
    as in ``features.Geometry``, ``shares`` (n,) demands in capacities, and
    ``scales`` the spacing and the mean distance to the depot. The features do
    not change with rotation, mirroring, shift or scale.
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
        """Describe customers and their listed centers in pairs, float32.

        ``medoids`` (K,) is the row of each center, ``listed`` (C, n) holds
        centers of customer i in column i. The shape is (C, n,
        NUM_GEOMETRY_FEATURES).
        """
        shape = (*listed.shape, NUM_GEOMETRY_FEATURES)
        out = np.empty(shape, dtype=np.float32)
        lengths = np.empty(listed.shape, dtype=np.float32)
        pairs = out.reshape(-1, NUM_GEOMETRY_FEATURES)
        kernels.fill_lengths(
            *(self.places, self.depot, self.axis, self.local, self.scales),
            *(medoids, listed, lengths, pairs),
        )
        kernels.fill_loads(self.shares, len(medoids), listed, lengths, pairs)
        return out


@dataclass(frozen=True, eq=False)
class CenterFeatures:
    """Nodes and their neighbours.

    ``nodes`` (m, F): m is n + 1 with a depot, node 0, and n for points.
    ``neighbours`` (m, k) holds near nodes, then the depot; ``lengths`` (m, k)
    are the distances in units of the farthest customer, as in the paper.
    ``first_node`` is 1 behind a depot, else 0. ``geometry`` is for inputs
    "geometry".
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

    ``inputs`` "paper": coordinates relative to the depot (the mean of points)
    in units of the farthest customer, and the demand in capacities.
    "geometry": behind these the features of customers of ``features``, zeros
    for the depot.
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
    shares = demands[:, None] / max(instance.capacity, TINY)
    nodes = np.concatenate([places, shares], axis=1).astype(np.float32)
    if inputs == PAPER:
        return CenterFeatures(nodes, idx, lengths, first, None)
    view = view_of(instance, NUM_NEIGHBOURS)
    more = np.pad(node_features(view), ((first, 0), (0, 0)))
    nodes = np.concatenate([nodes, more], axis=1)
    geometry = CenterGeometry.of(view)
    return CenterFeatures(nodes, idx, lengths, first, geometry)
