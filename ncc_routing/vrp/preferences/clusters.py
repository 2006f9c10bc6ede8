"""What a cluster costs besides its route, for cluster-first methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


class ClusterPenalties(NamedTuple):
    """Costs that depend on the members of a cluster alone.

    ``rate`` is the cost of a squared distance to the mean place, and ``unit``
    that of two customers of a zone in different clusters. ``places`` or
    ``zones`` and ``zone_sizes`` are empty where their cost is 0; a negative
    zone is none.
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
