"""Weighted points with cluster capacities as read-only data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.features import (
    CLUSTER_CAPACITIES,
    MATRIX,
    OTHER_DIMENSIONS,
    POINT_CAPACITIES,
)
from ncc_routing.problems.tolerances import LOAD_TOLERANCE

DISTANCE_RULES: Final = ("none", "floor")
"""The entries of ``rounding.ROUNDINGS`` that the methods for "cpmp" know."""


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points of a capacitated clustering problem (CCP).

    Parameters
    ----------
    coords
        Coordinates of shape (num_points, num_dims), num_dims >= 1.
    weights
        Weight of each point, shape (num_points,), >= 0. Whole numbers stay
        integers, so that capacities are exact.
    capacity
        Capacity of every cluster, >= 0, in the unit of the weights; the
        largest where ``capacities`` or ``point_capacities`` are given.
    name
        Name used in messages.
    num_clusters
        Number of clusters K that belongs to the data. Default: open.
    capacities
        Capacity of each cluster, shape (K,), >= 0, where they differ.
    point_capacities
        Capacity of a cluster whose medoid is that point, shape
        (num_points,), >= 0, where it depends on the medoid (objective "cpmp").
    matrix
        Distances between all pairs of points, shape (num_points,
        num_points), >= 0, where they do not follow from the coordinates.
        They count for the objective "cpmp".
    rounding
        What turns a Euclidean length into a distance of the objective
        "cpmp": "none" (default) or "floor" (whole part).

    Raises
    ------
    InstanceError
        If shapes do not agree, a value is not finite or negative, or a
        weight above the capacity: a capacity of 0 holds only points of no
        weight.
    """

    coords: np.ndarray
    weights: np.ndarray
    capacity: float
    name: str = "points"
    num_clusters: int | None = None
    capacities: np.ndarray | None = None
    point_capacities: np.ndarray | None = None
    matrix: np.ndarray | None = None
    rounding: str = "none"

    def __post_init__(self) -> None:
        coords = np.array(self.coords, dtype=np.float64, order="C")
        if coords.ndim != 2 or 0 in coords.shape:
            rule = "must have shape (num_points, num_dims), both >= 1"
            raise InstanceError(self.name, "coords", rule, coords.shape)
        weights = np.array(self.weights)
        self._require_shape("weights", weights, (len(coords),))
        if not np.issubdtype(weights.dtype, np.integer):
            weights = weights.astype(np.float64)
        for field, values in (("coords", coords), ("weights", weights)):
            self._require_finite(field, values)
        self._require_not_negative("weights", weights)
        if not np.isfinite(self.capacity) or self.capacity < 0:
            rule = "must be finite and not negative"
            raise InstanceError(self.name, "capacity", rule, self.capacity)
        if self.rounding not in DISTANCE_RULES:
            rule = f"must be one of {', '.join(DISTANCE_RULES)}"
            raise InstanceError(self.name, "rounding", rule, self.rounding)
        self._freeze("coords", coords)
        self._freeze("weights", weights)
        self._check_optional(len(coords))
        limit = self.largest_load()
        if weights.max() > limit:
            rule = f"must not exceed the capacity {self.capacity}"
            raise InstanceError(self.name, "weights", rule, weights.max())

    def _check_optional(self, size: int) -> None:
        """Check and freeze what may be missing."""
        count = self.num_clusters
        if count is not None and not 1 <= count <= size:
            rule = f"must lie in 1..{size}"
            raise InstanceError(self.name, "num_clusters", rule, count)
        shapes = {
            "capacities": (count if count is not None else -1,),
            "point_capacities": (size,),
            "matrix": (size, size),
        }
        for field, shape in shapes.items():
            given = getattr(self, field)
            if given is None:
                continue
            values = np.array(given)
            if field == "matrix":
                values = values.astype(np.float64, order="C")
            if field == "capacities" and count is None:
                shape = (len(np.atleast_1d(values)),)
                object.__setattr__(self, "num_clusters", shape[0])
            self._require_shape(field, values, shape)
            self._require_finite(field, values)
            self._require_not_negative(field, values)
            self._freeze(field, values)
            if field != "matrix":
                object.__setattr__(self, "capacity", values.max().item())

    def _require_shape(
        self, field: str, values: np.ndarray, shape: tuple[int, ...]
    ) -> None:
        if values.shape != shape:
            rule = f"must have shape {shape}"
            raise InstanceError(self.name, field, rule, values.shape)

    def _require_finite(self, field: str, values: np.ndarray) -> None:
        if not np.isfinite(values).all():
            raise InstanceError(self.name, field, "must be finite")

    def _require_not_negative(self, field: str, values: np.ndarray) -> None:
        if values.min() < 0:
            rule = "must not be negative"
            raise InstanceError(self.name, field, rule, values.min())

    def _freeze(self, field: str, values: np.ndarray) -> None:
        values.flags.writeable = False
        object.__setattr__(self, field, values)

    @property
    def num_points(self) -> int:
        """Number of points."""
        return len(self.coords)

    @property
    def features(self) -> tuple[str, ...]:
        """What it has beyond plain points in the plane, in words.

        A method is refused points with a feature that it does not accept
        (``core.methods.Method.accepts``).
        """
        found = {
            MATRIX: self.matrix is not None,
            POINT_CAPACITIES: self.point_capacities is not None,
            CLUSTER_CAPACITIES: self.capacities is not None,
            OTHER_DIMENSIONS: self.coords.shape[1] != 2,
        }
        return tuple(
            feature for feature, is_there in found.items() if is_there
        )

    @property
    def has_whole_weights(self) -> bool:
        """Whether the weights are integers, so that loads are exact."""
        return np.issubdtype(self.weights.dtype, np.integer)

    @property
    def min_num_clusters(self) -> int:
        """Lower bound on the number of clusters: ceil(sum q / Q)."""
        if self.capacity == 0:
            return 1
        if self.has_whole_weights:
            total = int(self.weights.sum())
            return max(1, int(-(-total // self.capacity)))
        ratio = float(self.weights.sum()) / float(self.capacity)
        return max(1, int(np.ceil(ratio - LOAD_TOLERANCE)))

    def largest_load(self, capacity: float | None = None) -> float:
        """Return the largest load that a capacity admits.

        Integer loads are exact. A sum of real weights may exceed the
        capacity by the share ``tolerances.LOAD_TOLERANCE``, the rounding of
        a sum.

        Parameters
        ----------
        capacity
            The capacity. Default: ``self.capacity``.
        """
        limit = self.capacity if capacity is None else capacity
        if self.has_whole_weights:
            return limit
        return limit * (1.0 + LOAD_TOLERANCE)

    def cluster_limits(self, num_clusters: int) -> np.ndarray:
        """Return the largest load of each cluster, float64 of shape (K,).

        Raises
        ------
        InstanceError
            If ``num_clusters`` is out of range or does not agree with
            ``capacities``, or the total weight exceeds all capacities.
        """
        if not 1 <= num_clusters <= self.num_points:
            rule = f"must lie in 1..{self.num_points}, the number of points"
            raise InstanceError(self.name, "num_clusters", rule, num_clusters)
        if self.capacities is None:
            limits = np.full(num_clusters, float(self.capacity))
        elif len(self.capacities) != num_clusters:
            rule = f"must be {len(self.capacities)}, one for each capacity"
            raise InstanceError(self.name, "num_clusters", rule, num_clusters)
        else:
            limits = self.capacities.astype(np.float64)
        room = self.largest_load(float(limits.sum()))
        if float(self.weights.sum()) > room:
            rule = f"must be enough for the total weight {self.weights.sum()}"
            value = f"{num_clusters} clusters of total capacity {room:g}"
            raise InstanceError(self.name, "num_clusters", rule, value)
        if not self.has_whole_weights:
            # A margin for the order in which a load is summed up.
            limits *= 1.0 + 0.5 * LOAD_TOLERANCE
        return limits
