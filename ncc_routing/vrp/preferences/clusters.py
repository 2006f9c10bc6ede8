"""What a cluster costs besides its route, for cluster-first methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


class ClusterPenalties(NamedTuple):
    """Costs that depend on the members of a cluster alone.

    Attributes
    ----------
    places
        Float64 array of shape (n + 1, 2), or (0, 2) where ``rate`` is 0.
    rate
        Cost of a squared distance of a member to the mean place.
    zones
        Int32 array of shape (n + 1,): zone of each node, negative for none;
        or of shape (0,) where ``unit`` is 0.
    zone_sizes
        Int32 array of the same shape: customers of that zone in all.
    unit
        Cost of two customers of one zone in different clusters.
    """

    places: np.ndarray
    rate: float
    zones: np.ndarray
    zone_sizes: np.ndarray
    unit: float


NO_PENALTIES: Final = ClusterPenalties(
    np.zeros((0, 2)),
    0.0,
    np.zeros(0, dtype=np.int32),
    np.zeros(0, dtype=np.int32),
    0.0,
)


class ClusterPreference(Protocol):
    """What clusters shall be besides good for short routes."""

    def adjusted(self, instance: Instance) -> Instance:
        """Return the instance with the distances that the search uses."""

    def for_clusters(
        self, instance: Instance, start: Solution
    ) -> ClusterPenalties:
        """Return what clusters cost; any solution tells the scale."""
