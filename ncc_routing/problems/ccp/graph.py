"""Which nodes lie close together: nearest neighbours, and a curve."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.neighbours import nearest_points, smallest
from ncc_routing.problems.distances import unit_vectors

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


ALL_PAIRS_LIMIT: Final = 1000
"""Up to this number of customers all pairs are compared: that takes 30 ms,
the import of ``scipy.spatial`` 250 ms."""

_BITS: Final = 16
"""Bits of a cell number: 65,536 cells along each side of the square."""

_LEAF_SIZE: Final = 32
"""Customers in a leaf of the tree."""

_BLOCK: Final = 4096
"""Customers whose neighbours are asked for at once: scipy answers with 16
bytes a neighbour, four times what is kept."""


@dataclass(frozen=True, eq=False)
class KnnGraph:
    """Nearest neighbours among the customers.

    ``neighbours`` is int32, (n + 1, k), read-only: row i lists the customers
    nearest to node i, nearest first, neither i itself nor the depot.
    """

    neighbours: np.ndarray

    @property
    def degree(self) -> int:
        """Number of neighbours of each customer."""
        return int(self.neighbours.shape[1])

    def part(self, customers: np.ndarray) -> KnnGraph:
        """Return the neighbours, by position, of customers among themselves.

        The degree stays; rows with neighbours outside the part are filled up
        with the customer itself.
        """
        nodes = np.concatenate([[0], customers])
        number = np.zeros(len(self.neighbours), dtype=np.int32)
        number[nodes] = np.arange(len(nodes), dtype=np.int32)
        neighbours = number[self.neighbours[nodes]]
        # Few customers lie at the border: only their rows are sorted.
        rows = np.flatnonzero((neighbours == 0).any(axis=1))
        border = neighbours[rows]
        order = np.argsort(border == 0, axis=1, kind="stable")
        border = np.take_along_axis(border, order, axis=1)
        itself = np.broadcast_to(rows[:, None], border.shape)
        neighbours[rows] = np.where(border == 0, itself, border)
        return KnnGraph(neighbours)


MAX_NEIGHBOURS: Final = 40_000_000
"""Neighbours that all customers have together at most: 160 MB."""


def bounded_degree(num_customers: int, degree: int) -> int:
    """Return the degree within ``MAX_NEIGHBOURS``: 40 for a million."""
    return max(1, min(degree, MAX_NEIGHBOURS // num_customers))


_GRAPHS: weakref.WeakKeyDictionary[Instance, dict[int, KnnGraph]] = (
    weakref.WeakKeyDictionary()
)
"""The graphs of the instances that are still in use, by their degree."""


def knn_graph(instance: Instance, degree: int) -> KnnGraph:
    """Return the k-nearest-neighbour graph of the customers.

    Distances are Euclidean, on the sphere for longitude and latitude, or those
    of the matrix where there are no coordinates. At most n - 1 neighbours are
    returned. Stages that ask for the same graph share one; its memory is
    linear in n, and kept as long as the instance is.
    """
    degree = max(1, min(degree, instance.num_customers - 1))
    graphs = _GRAPHS.setdefault(instance, {})
    if degree not in graphs:
        neighbours = _neighbours(instance, degree)
        neighbours.flags.writeable = False
        graphs[degree] = KnnGraph(neighbours)
    return graphs[degree]


def _neighbours(instance: Instance, degree: int) -> np.ndarray:
    """Return the neighbours of all nodes, int32 of shape (n + 1, k)."""
    if instance.num_customers == 1:
        return np.ones((2, 1), dtype=np.int32)
    if instance.coords is None and instance.matrix is not None:
        _, nearest = smallest(instance.matrix[:, 1:], degree + 1)
    elif instance.num_customers <= ALL_PAIRS_LIMIT:
        axes = _places(instance).T
        squares = sum((x[:, None] - x[1:]) ** 2 for x in axes)
        _, nearest = smallest(squares, degree + 1)
    else:
        return _neighbours_by_tree(instance, degree)
    nodes = np.arange(len(nearest))
    return _without_self(nearest.astype(np.int32) + 1, nodes)


def spatial_order(instance: Instance) -> np.ndarray:
    """Return the nodes, depot first, along a curve.

    Where a matrix holds the distances the order is the given one.
    """
    num_nodes = instance.num_customers + 1
    if instance.matrix is not None or instance.coords is None:
        return np.arange(num_nodes)
    return curve_order(instance.coords[:num_nodes])


def curve_order(places: np.ndarray) -> np.ndarray:
    """Return the first place, then the others along a Z-shaped curve.

    G. M. Morton (1966). A computer oriented geodetic data base and a new
    technique in file sequencing. IBM, Ottawa.
    """
    points = places[1:]
    corner = points.min(axis=0)
    side = float((points.max(axis=0) - corner).max()) or 1.0
    cells = (points - corner) / side * (2**_BITS - 1)
    code = np.zeros(len(points), dtype=np.int64)
    for axis in (0, 1):
        cell = cells[:, axis].astype(np.int64)
        for bit in range(_BITS):
            code |= ((cell >> bit) & 1) << (2 * bit + axis)
    return np.concatenate([[0], np.argsort(code, kind="stable") + 1])


def _neighbours_by_tree(instance: Instance, degree: int) -> np.ndarray:
    """Ask a tree along a curve, so that its leaves stay in the cache."""
    order = spatial_order(instance).astype(np.int32)
    coords = _places(instance)[order]
    search = nearest_points(coords[1:], _LEAF_SIZE)
    neighbours = np.empty((len(order), degree), dtype=np.int32)
    for low in range(0, len(order), _BLOCK):
        nodes = order[low : low + _BLOCK]
        _, nearest = search(coords[low : low + _BLOCK], degree + 1)
        neighbours[nodes] = _without_self(order[1:][nearest], nodes)
    return neighbours


def _places(instance: Instance) -> np.ndarray:
    """Return places whose straight distances rank as the lengths do."""
    coords = instance.require_coords("neighbours")
    return unit_vectors(coords) if instance.is_geographic else coords


def _without_self(nearest: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Drop each row's own node, or its last entry where it is missing.

    Others at the same place can displace a customer from its own row.
    """
    is_self = nearest == nodes[:, None]
    missing = ~is_self.any(axis=1)
    is_self[missing, -1] = True
    kept: np.ndarray = nearest[~is_self]
    return kept.reshape(len(nearest), nearest.shape[1] - 1)
