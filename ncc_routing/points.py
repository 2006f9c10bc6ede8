"""Weighted points with cluster capacities as read-only data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.exceptions import InstanceError

if TYPE_CHECKING:
    from ncc_routing.instance import Instance


@dataclass(frozen=True, eq=False)
class PointSet:
    """Points of a capacitated clustering problem (CCP).

    Parameters
    ----------
    coords
        Coordinates of shape (num_points, 2).
    weights
        Weight of each point, shape (num_points,), >= 0. Whole numbers stay
        integers, so that capacities are exact.
    capacity
        Capacity of every cluster, in the unit of the weights.
    name
        Name used in messages.

    Raises
    ------
    InstanceError
        If shapes do not agree, a value is not finite, a weight is negative
        or above the capacity.
    """

    coords: np.ndarray
    weights: np.ndarray
    capacity: float
    name: str = "points"

    def __post_init__(self) -> None:
        coords = np.array(self.coords, dtype=np.float64)
        if coords.ndim != 2 or coords.shape[1] != 2 or len(coords) == 0:
            rule = "must have shape (num_points, 2), num_points >= 1"
            raise InstanceError(self.name, "coords", rule, coords.shape)
        weights = np.array(self.weights)
        if weights.shape != (len(coords),):
            rule = f"must have shape ({len(coords)},)"
            raise InstanceError(self.name, "weights", rule, weights.shape)
        if not np.issubdtype(weights.dtype, np.integer):
            weights = weights.astype(np.float64)
        for field, values in (("coords", coords), ("weights", weights)):
            if not np.isfinite(values).all():
                raise InstanceError(self.name, field, "must be finite")
        if weights.min() < 0:
            rule = "must not be negative"
            raise InstanceError(self.name, "weights", rule, weights.min())
        if weights.max() > self.capacity:
            rule = f"must not exceed the capacity {self.capacity}"
            raise InstanceError(self.name, "weights", rule, weights.max())
        for field, values in (("coords", coords), ("weights", weights)):
            values.flags.writeable = False
            object.__setattr__(self, field, values)

    @classmethod
    def from_instance(cls, instance: Instance, purpose: str) -> PointSet:
        """Return the customers of a CVRP as points: customer i is point i - 1.

        Parameters
        ----------
        instance
            The instance.
        purpose
            What needs the coordinates, for the message where there are none.
        """
        coords = instance.require_coords(purpose)
        return cls(
            coords[1:], instance.demands[1:], instance.capacity, instance.name
        )

    @property
    def num_points(self) -> int:
        """Number of points."""
        return len(self.coords)

    @property
    def min_num_clusters(self) -> int:
        """Lower bound on the number of clusters: ceil(sum q / Q)."""
        if np.issubdtype(self.weights.dtype, np.integer):
            total = int(self.weights.sum())
            return max(1, int(-(-total // self.capacity)))
        ratio = float(self.weights.sum()) / float(self.capacity)
        return max(1, int(np.ceil(ratio - 1e-9)))
