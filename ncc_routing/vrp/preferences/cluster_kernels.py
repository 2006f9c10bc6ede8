"""Compiled penalties of the members of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.core.compiling import OUTER

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.vrp.preferences.clusters import ClusterPenalties


@njit(**OUTER)
def cluster_penalty(
    penalties: ClusterPenalties, nodes: np.ndarray, size: int
) -> float:
    """Return what a cluster costs beside its route.

    Parameters
    ----------
    penalties
        The penalties.
    nodes
        Int64 array: the depot, then the members.
    size
        How many of it count, the depot included; 2 at least.
    """
    total = 0.0
    if penalties.rate > 0.0:
        x = y = 0.0
        for i in range(1, size):
            x += penalties.places[nodes[i], 0]
            y += penalties.places[nodes[i], 1]
        x /= size - 1
        y /= size - 1
        for i in range(1, size):
            dx = penalties.places[nodes[i], 0] - x
            dy = penalties.places[nodes[i], 1] - y
            total += penalties.rate * (dx * dx + dy * dy)
    if penalties.unit > 0.0:
        parted = 0
        for i in range(1, size):
            zone = penalties.zones[nodes[i]]
            if zone < 0:
                continue
            parted += penalties.zone_sizes[nodes[i]]
            for j in range(1, size):
                if penalties.zones[nodes[j]] == zone:
                    parted -= 1
        total += 0.5 * penalties.unit * parted
    return total
