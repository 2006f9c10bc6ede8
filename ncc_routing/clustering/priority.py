"""Priorities: how strongly a point belongs to a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np


class PriorityTable(NamedTuple):
    """A priority in the form that the compiled loops evaluate.

    The priority of point i for a center c with medoid m is

        affinity_weight * affinity(m, i) + ratio_weight * q_i / d(i, c)
        + depot_weight * d(i, 0) - distance_weight * d(i, c)
        - detour_weight * (d(i, 0) + d(i, c) - d(c, 0)),

    where 0 is the depot (its terms are left out where there is none), q_i
    the weight, and d the plain Euclidean distance. Higher is better.

    Attributes
    ----------
    neighbours
        Int32 array of shape (num_points, k): row m lists the points with a
        known affinity to point m.
    affinity
        Float64 array of the same shape, <= 0, in the unit of the distances.
    far_affinity
        Affinity of pairs that are not listed.
    affinity_weight, ratio_weight, depot_weight, distance_weight,
    detour_weight
        Weights of the terms.
    """

    neighbours: np.ndarray
    affinity: np.ndarray
    far_affinity: float
    affinity_weight: float
    ratio_weight: float
    depot_weight: float
    distance_weight: float
    detour_weight: float


_NO_NEIGHBOURS = np.zeros((1, 1), dtype=np.int32)
_NO_AFFINITY = np.zeros((1, 1))


class Priority(Protocol):
    """Anything that can rank the clusters of a point.

    The clustering knows priorities by this protocol alone, so classical and
    learned rules are the same call with another argument.
    """

    def table(self) -> PriorityTable:
        """Return the priority in compiled form."""


@dataclass(frozen=True)
class DistancePriority:
    """The priority of Geetha et al. 2009: weight over distance.

    Parameters
    ----------
    depot_weight
        Weight of the distance to the depot, which the paper adds for a
        CVRP (section 5.2). Default 1; without effect where there is no
        depot.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering, eq. 8.
    """

    depot_weight: float = 1.0

    def table(self) -> PriorityTable:
        """Return the priority in compiled form."""
        return PriorityTable(
            _NO_NEIGHBOURS, _NO_AFFINITY, 0.0, 0.0,
            1.0, float(self.depot_weight), 0.0, 0.0,
        )  # fmt: skip


@dataclass(frozen=True)
class RegretPriority:
    """Closeness to the center, mixed with the detour of a trip to it.

    Parameters
    ----------
    detour_share
        Share of the detour d(0, i) + d(i, c) - d(0, c) of a vehicle on its
        way from the depot to the center; the rest is the distance to the
        center. In [0, 1], default 0.
    """

    detour_share: float = 0.0

    def table(self) -> PriorityTable:
        """Return the priority in compiled form."""
        share = float(self.detour_share)
        return PriorityTable(
            _NO_NEIGHBOURS, _NO_AFFINITY, 0.0, 0.0,
            0.0, 0.0, 1.0 - share, share,
        )  # fmt: skip
