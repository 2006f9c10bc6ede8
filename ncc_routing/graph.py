"""The k nearest neighbours of every customer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.instance import Instance


ALL_PAIRS_LIMIT = 1000
"""Up to this number of customers all pairs are compared: that takes 30 ms,
the import of ``scipy.spatial`` 250 ms."""


@dataclass(frozen=True, eq=False)
class KnnGraph:
    """Nearest neighbours among the customers.

    Parameters
    ----------
    neighbours
        Int32 array of shape (n + 1, k): row i lists the customers nearest
        to customer i, nearest first, neither i itself nor the depot. Row 0
        lists the customers nearest to the depot.
    """

    neighbours: np.ndarray

    @property
    def degree(self) -> int:
        """Number of neighbours of each customer."""
        return int(self.neighbours.shape[1])


def knn_graph(instance: Instance, degree: int) -> KnnGraph:
    """Return the k-nearest-neighbour graph of the customers.

    Distances are the plain Euclidean ones; the explicit matrix counts where
    there are no coordinates (row-wise, where it is not symmetric).

    Parameters
    ----------
    instance
        The instance.
    degree
        Number of neighbours k; at most n - 1 are returned.

    Returns
    -------
    KnnGraph
        Its memory is linear in n.
    """
    num_customers = instance.num_customers
    degree = max(1, min(degree, num_customers - 1))
    if num_customers == 1:
        return KnnGraph(np.ones((2, 1), dtype=np.int32))
    coords = instance.coords
    if coords is None and instance.matrix is not None:
        found = _smallest(instance.matrix[:, 1:], degree + 1)
    elif coords is not None and num_customers <= ALL_PAIRS_LIMIT:
        x, y = coords.T
        squares = (x[:, None] - x[1:]) ** 2 + (y[:, None] - y[1:]) ** 2
        found = _smallest(squares, degree + 1)
    else:
        from scipy.spatial import cKDTree

        tree = cKDTree(instance.require_coords("neighbours")[1:])
        _, found = tree.query(coords, k=degree + 1)
    return KnnGraph(_without_self(found.astype(np.int32) + 1))


def _smallest(lengths: np.ndarray, count: int) -> np.ndarray:
    """Return the columns of the smallest entries of each row, in order."""
    columns = np.argpartition(lengths, count - 1, axis=1)[:, :count]
    columns.sort(axis=1)
    chosen = np.take_along_axis(lengths, columns, axis=1)
    order = np.argsort(chosen, axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)


def _without_self(found: np.ndarray) -> np.ndarray:
    """Drop each row's own index, or its last entry where it is missing.

    A customer can be missing from its own row where others share its
    place.
    """
    is_self = found == np.arange(len(found))[:, None]
    missing = ~is_self.any(axis=1)
    is_self[missing, -1] = True
    return np.ascontiguousarray(
        found[~is_self].reshape(len(found), found.shape[1] - 1)
    )
