"""An assignment of points to capacitated clusters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, eq=False)
class Clustering:
    """Which point belongs to which cluster.

    Parameters
    ----------
    labels
        Cluster of each point, shape (num_points,); -1 marks a point of no
        cluster. For a CVRP ``labels[0] = -1``, since point 0 is the depot.
    centers
        Center of each cluster, shape (num_clusters, num_dims): the mean of
        its points, or the medoid for the objective "cpmp". In the unit in
        which the points are given: longitude and latitude where they are.
    medoids
        Index of the point nearest to each center (the medoid for "cpmp"),
        shape (num_clusters,); -1 for an empty cluster.
    loads
        Total weight of each cluster, shape (num_clusters,).
    inertia
        Sum of the squared distances of the points to the mean of their
        cluster.
    objective
        Objective of ``cost``, one of ``OBJECTIVES``. Default "inertia".
    cost
        Value of the objective; for "inertia" always ``inertia``. Required for
        the others.
    method
        Method of ``ncc_routing.cluster`` that ran, perhaps in place of the
        requested one.
    """

    labels: np.ndarray
    centers: np.ndarray
    medoids: np.ndarray
    loads: np.ndarray
    inertia: float
    objective: str = "inertia"
    cost: float = -1.0
    method: str = ""

    def __post_init__(self) -> None:
        if self.objective == "inertia":
            object.__setattr__(self, "cost", self.inertia)

    @property
    def num_clusters(self) -> int:
        """Number of clusters, empty ones included."""
        return len(self.centers)

    def members(self) -> list[np.ndarray]:
        """Return the indices of the points of each cluster, ascending."""
        order = np.argsort(self.labels, kind="stable")
        bounds = np.searchsorted(
            self.labels[order], np.arange(self.num_clusters + 1)
        )
        return [order[low:high] for low, high in pairwise(bounds)]
