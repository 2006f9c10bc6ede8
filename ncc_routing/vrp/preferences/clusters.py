"""What a cluster costs besides its route, for cluster-first methods."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np


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
