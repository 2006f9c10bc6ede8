"""Compiled petals: arcs of the ring of ``_sweep_kernels``, and wider ones."""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import OUTER


@njit(**OUTER)
def cut_into_petals(
    ends: np.ndarray,
    costs: np.ndarray,
    closing_costs: np.ndarray,
    start: int,
    reach: np.ndarray,
    came_from: np.ndarray,
) -> float:
    """Cut the ring at ``start`` into arcs of the least total cost.

    A shortest path: from each position on to the end of each arc.

    Parameters
    ----------
    ends
        See ``fill_ends``.
    costs
        Float64 array of shape (n, width): ``costs[i, w]`` is the cost of
        the arc from i to ``ends[i] - w``; infinite where there is none.
    closing_costs
        Float64 array of shape (n,): cost of the arc from a position to
        ``start``; infinite where it is not used.
    start
        Position below n.
    reach, came_from
        Float64 and int64 arrays of shape (n + 1,), overwritten: least cost
        up to ``start + a``, and the number of steps at which its last arc
        starts.

    Returns
    -------
    float
        The least cost; infinite where the arcs do not close the ring.
    """
    n, width = costs.shape
    reach[:] = np.inf
    reach[0] = 0.0
    for a in range(n):
        if reach[a] == np.inf:
            continue
        i = start + a
        at = i if i < n else i - n
        for w in range(width):
            b = ends[i] - w - start
            if b <= a:
                break
            if b <= n and reach[a] + costs[at, w] < reach[b]:
                reach[b] = reach[a] + costs[at, w]
                came_from[b] = a
        if ends[i] >= start + n and reach[a] + closing_costs[at] < reach[n]:
            reach[n] = reach[a] + closing_costs[at]
            came_from[n] = a
    return float(reach[n])


@njit(**OUTER)
def grow_petals(
    ring: np.ndarray,
    demands: np.ndarray,
    capacity: int,
    radii: np.ndarray,
    band: float,
    span: int,
    members: np.ndarray,
    offsets: np.ndarray,
) -> None:
    """Grow one petal from each position, skipping what does not belong.

    A customer is skipped if it does not fit any more, or if its distance
    from the depot differs from that of the first one by more than ``band``.

    Parameters
    ----------
    ring
        Int64 array of shape (2n,).
    demands, capacity
        As in ``fill_ends``.
    radii
        Float64 array of shape (n + 1,): distances from the depot.
    band
        Half the width of the band.
    span
        Number of positions that the beam passes, at most n.
    members, offsets
        Int64 arrays, overwritten: petal i holds
        ``members[offsets[i]:offsets[i + 1]]``.
    """
    n = len(ring) // 2
    size = 0
    offsets[0] = 0
    for i in range(n):
        load = 0
        for at in range(i, i + span):
            customer = ring[at]
            if load + demands[customer] > capacity:
                continue
            if abs(radii[customer] - radii[ring[i]]) <= band:
                load += demands[customer]
                members[size] = customer
                size += 1
        offsets[i + 1] = size
