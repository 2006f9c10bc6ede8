"""What networks see of an instance: an origin, loads and lengths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.points import PointSet

NUM_LOCAL: Final = 8
"""Nearest customers whose mean distance is the local spacing."""
TINY: Final = 1e-9
"""Keeps quotients of lengths and loads finite."""
_LIMIT: Final = 6.0
"""Largest logarithm of a ratio: 400 times as long is as good as endless."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What the features need of an instance of either problem.

    ``plane`` has the origin as node 0 and, behind it, whatever is to be
    clustered; ``shares`` (n,) are the weights in units of a load, ``total``
    is how many loads there are, ``fill`` the share of the capacity that
    they use.
    """

    plane: Instance
    shares: np.ndarray
    total: float
    fill: float
    first_node: int


def scene_of(instance: Instance | PointSet) -> Scene:
    """Return what the features need of an instance.

    Loads are in units of the capacity, or, in a CCP with its given number
    of clusters (else the least possible), of the mean load.

    Raises
    ------
    InstanceError
        If points have not two coordinates each.
    """
    if isinstance(instance, PointSet):
        return _scene_of_points(instance)
    demands = instance.demands[1:].astype(np.float64)
    shares = (demands / instance.capacity).astype(np.float32)
    total = max(float(shares.sum()), TINY)
    return Scene(instance, shares, total, total / np.ceil(total), 1)


def plane_of(points: PointSet) -> Instance:
    """Return points in the plane behind their mean, which stands as node 0.

    So that whatever describes an instance with a depot, its neighbourhoods
    above all, describes points as well. The weights are left out.

    Raises
    ------
    InstanceError
        If the points have another number of coordinates than two.
    """
    if points.coords.shape[1] != 2:
        rule = "the neural scorer needs two coordinates of each point"
        raise InstanceError(points.name, "coords", rule, points.coords.shape)
    middle = points.coords.mean(axis=0)[None]
    nothing = np.zeros(points.num_points + 1, dtype=np.int64)
    coords = np.concatenate([middle, points.coords])
    return Instance(points.name, nothing, 1, coords)


def _scene_of_points(points: PointSet) -> Scene:
    count = points.num_clusters or points.min_num_clusters
    weights = points.weights.astype(np.float64)
    mean_load = max(float(weights.sum()) / count, TINY)
    room = count * float(points.capacity)
    if points.capacities is not None:
        room = float(points.capacities.sum())
    return Scene(
        plane_of(points),
        (weights / mean_load).astype(np.float32),
        float(count),
        count * mean_load / max(room, TINY),
        0,
    )


@dataclass(frozen=True, eq=False)
class Geometry:
    """Lengths of an instance with the depot, or the mean, at the origin.

    ``delta`` is (n, k, 2), ``length`` (n, k), ``depot`` (n,) the distance to
    the origin, ``axis`` (n, 2) the direction away from it, ``local`` (n,)
    the mean distance to the nearest ``NUM_LOCAL`` customers; ``spacing`` is
    the mean of these.
    """

    places: np.ndarray
    delta: np.ndarray
    length: np.ndarray
    depot: np.ndarray
    axis: np.ndarray
    local: np.ndarray

    @classmethod
    def of(cls, places: np.ndarray, neighbours: np.ndarray) -> Geometry:
        """Measure customers, (n, 2), about the origin, and to neighbours.

        The rows of the neighbours have shape (n, k), nearest first.
        """
        # Differences first: single precision is enough for what is left.
        delta = (places[neighbours] - places[:, None, :]).astype(np.float32)
        places = places.astype(np.float32)
        length = np.sqrt((delta * delta).sum(axis=2))
        depot = np.sqrt((places * places).sum(axis=1))
        axis = places / np.maximum(depot, TINY)[:, None]
        axis[depot <= TINY] = (1.0, 0.0)
        local = length[:, :NUM_LOCAL].mean(axis=1)
        floor = max(1e-3 * float(local.mean()), TINY)
        return cls(
            places, delta, length, depot, axis, np.maximum(local, floor)
        )

    def polar(self, delta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the parts of (n, ..., 2) away from the depot and across."""
        ax, ay = self.axis[:, 0], self.axis[:, 1]
        if delta.ndim == 3:
            ax, ay = ax[:, None], ay[:, None]
        dx, dy = delta[..., 0], delta[..., 1]
        return ax * dx + ay * dy, ax * dy - ay * dx

    @property
    def spacing(self) -> float:
        """Scale of the instance, in the unit of the coordinates."""
        return max(float(self.local.mean()), TINY)


def log_ratio(top: np.ndarray, bottom: np.ndarray | float) -> np.ndarray:
    """Return the logarithm of a ratio of lengths, cut at both ends."""
    value = np.log((top + TINY) / (bottom + TINY))
    return np.clip(value, -_LIMIT, _LIMIT)
