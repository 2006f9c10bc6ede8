"""Priorities: how strongly a point belongs to a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ncc_routing.core.exceptions import ParameterError


class PriorityFormula(NamedTuple):
    """A priority as the weights of the terms of one fixed formula.

    The priority of point i for a center c with medoid m is

        affinity_weight * affinity(m, i) + ratio_weight * q_i / d(i, c)
        + depot_weight * d(i, 0) - distance_weight * d(i, c)
        - detour_weight * (d(i, 0) + d(i, c) - d(c, 0)),

    where 0 is the depot (its terms are left out where there is none), q_i
    the weight, and d the plain Euclidean distance. Higher is better. The
    weights of the terms default to 0.

    Attributes
    ----------
    neighbours
        Integers of shape (num_points, k): row m lists the points with a
        known affinity to point m. With a depot its row 0 is not read, and
        no row lists point 0.
    affinity
        Floats of the same shape, <= 0, in the unit of the distances; that of
        the medoid to itself is 0.
    far_affinity
        Affinity of pairs that are not listed.
    """

    neighbours: np.ndarray = np.zeros((1, 1), dtype=np.int32)
    affinity: np.ndarray = np.zeros((1, 1))
    far_affinity: float = 0.0
    affinity_weight: float = 0.0
    ratio_weight: float = 0.0
    depot_weight: float = 0.0
    distance_weight: float = 0.0
    detour_weight: float = 0.0


class Priority(Protocol):
    """Anything that gives the terms of ``PriorityFormula`` their weights.

    Classical and learned rules are the same call with another argument. One
    of your own is a class with the method ``formula``; this one prefers
    points that shared a cluster before::

        class FormerPartners:
            def __init__(self, partners, times):
                self.partners = partners  # (num_points, k), point numbers
                self.times = times  # how often, of the same shape

            def formula(self):
                return PriorityFormula(
                    neighbours=self.partners,
                    affinity=-1.0 / (1.0 + self.times),
                    far_affinity=-1.0,
                    affinity_weight=2.0,
                    distance_weight=1.0,
                )

        capacitated_kmeans(points, 9, priority=FormerPartners(...), rng=rng)
    """

    def formula(self) -> PriorityFormula:
        """Return the weights of the terms, and the affinities."""


@dataclass(frozen=True)
class DistancePriority:
    """The priority of Geetha et al. 2009: weight over distance.

    Parameters
    ----------
    depot_weight
        Weight of the distance to a depot, which the paper adds for a CVRP
        (section 5.2). Default 1.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering, eq. 8.
    """

    depot_weight: float = 1.0

    def formula(self) -> PriorityFormula:
        """Return the weights of the terms."""
        return PriorityFormula(
            ratio_weight=1.0, depot_weight=self.depot_weight
        )


@dataclass(frozen=True)
class RegretPriority:
    """Closeness to the center, mixed with the detour of a trip to it.

    Parameters
    ----------
    detour_share
        Share of the detour d(0, i) + d(i, c) - d(0, c) of a trip from the
        depot to the center; the rest is the distance to the center. In
        [0, 1], default 0.
    """

    detour_share: float = 0.0

    def formula(self) -> PriorityFormula:
        """Return the weights of the terms."""
        return PriorityFormula(
            distance_weight=1.0 - self.detour_share,
            detour_weight=self.detour_share,
        )


def formula_of(
    priority: Priority, num_points: int, *, has_depot: bool
) -> PriorityFormula:
    """Return the formula of a priority as the compiled loops take it.

    With a depot, point 0 is in no cluster. ``ParameterError`` if the table of
    affinities has not ``num_points`` rows or lists an unknown point.
    """
    given = priority.formula()
    near = np.array(given.neighbours, dtype=np.int32, order="C")
    affinity = np.array(given.affinity, dtype=np.float64, order="C")
    if given.affinity_weight != 0.0:
        if near.ndim != 2 or len(near) != num_points:
            raise ParameterError(
                f"neighbours of a priority must have {num_points} rows, got "
                f"the shape {near.shape}."
            )
        if affinity.shape != near.shape:
            raise ParameterError(
                f"neighbours and affinity of a priority must have one shape, "
                f"got {near.shape} and {affinity.shape}."
            )
        first = int(has_depot)
        listed = near[first:]
        if listed.size > 0 and not (
            first <= listed.min() and listed.max() < num_points
        ):
            raise ParameterError(
                f"neighbours of a priority must lie in "
                f"{first}..{num_points - 1}."
            )
    return PriorityFormula(near, affinity, *map(float, given[2:]))
