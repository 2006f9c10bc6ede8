"""What lies between customers and centers, compiled."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from ncc_routing.core.compiling import ALLOCATING, INLINED, OUTER

NUM_LENGTHS: Final = 12
"""Features that ``fill_lengths`` fills in; those of ``fill_loads`` follow."""

_TINY: Final = np.float32(1e-9)
_LIMIT: Final = np.float32(6.0)
"""As in ``scene``."""


@njit(**INLINED)
def _log_ratio(top: float, bottom: float) -> float:
    """Return the logarithm of a ratio, cut at both ends."""
    value = np.log((top + _TINY) / (bottom + _TINY))
    return min(max(value, -_LIMIT), _LIMIT)


@njit(**OUTER)
def fill_lengths(
    places: np.ndarray,
    depot: np.ndarray,
    axis: np.ndarray,
    local: np.ndarray,
    scales: np.ndarray,
    medoids: np.ndarray,
    listed: np.ndarray,
    lengths: np.ndarray,
    out: np.ndarray,
) -> None:
    """Describe the way from customers to the medoids of centers.

    Parameters
    ----------
    places, depot, axis, local
        Float32 arrays of shapes (n, 2), (n,), (n, 2) and (n,), as in
        ``features.Geometry``.
    scales
        Float32 array: the spacing, and the mean distance to the depot.
    medoids
        The row of each center, shape (K,).
    listed
        Int64 centers of shape (C, n), those of customer i in column i.
    lengths
        Float32 array of shape (C, n): the distances. Modified in place.
    out
        Float32 array of shape (C, n, G); its first ``NUM_LENGTHS`` columns
        are set: the distance in local spacings and to those of the medoid,
        its parts away from the depot and across, the angle at the depot
        (cosine and sine), what the way saves against two by the depot, the
        detours either way, the distance to the mean one to the depot, and
        how much longer it is than to the nearest medoid. Column 7 is left.
    """
    num_listed, size = listed.shape
    one = np.float32(1.0)
    for i in range(size):
        ax, ay, scale = axis[i, 0], axis[i, 1], local[i]
        nearest = np.float32(np.inf)
        for c in range(num_listed):
            m = medoids[listed[c, i]]
            dx = places[m, 0] - places[i, 0]
            dy = places[m, 1] - places[i, 1]
            length = np.sqrt(dx * dx + dy * dy)
            lengths[c, i] = length
            nearest = min(nearest, length)
            near, far, row = depot[i], depot[m], out[c, i]
            row[0] = np.log(one + length / scale)
            row[1] = _log_ratio(length, local[m])
            row[2] = np.arcsinh((ax * dx + ay * dy) / scale)
            row[3] = np.arcsinh(abs(ax * dy - ay * dx) / scale)
            row[4] = ax * axis[m, 0] + ay * axis[m, 1]
            row[5] = abs(ax * axis[m, 1] - ay * axis[m, 0])
            row[6] = (near + far - length) / (near + far + _TINY)
            row[8] = np.arcsinh((near + length - far) / scale)
            row[9] = np.arcsinh((far + length - near) / scale)
            row[10] = _log_ratio(length, scales[1])
        for c in range(num_listed):
            out[c, i, 11] = (lengths[c, i] - nearest) / scales[0]


@njit(**ALLOCATING)
def fill_loads(
    shares: np.ndarray,
    num_centers: int,
    listed: np.ndarray,
    lengths: np.ndarray,
    out: np.ndarray,
) -> None:
    """Describe how full centers are before they reach a customer.

    A center sees the customers that list it.

    Parameters
    ----------
    shares
        Float32 demands in capacities, shape (n,).
    num_centers
        Number of centers K.
    listed, lengths
        As ``fill_lengths`` takes and leaves them.
    out
        Float32 array of shape (C, n, G). Column 7 becomes the demand of the
        customer; behind the first ``NUM_LENGTHS`` come, as log(1 + load),
        the load up to the customer, that of all customers to whom no medoid
        is nearer, that of those among them up to the customer; and how many
        listed medoids are nearer to the customer, in eighths.
    """
    num_listed, size = listed.shape
    cells = np.zeros(num_centers, dtype=np.float32)
    starts = np.zeros(num_centers + 1, dtype=np.int64)
    is_nearest = np.zeros((num_listed, size), dtype=np.bool_)
    for i in range(size):
        for c in range(num_listed):
            starts[listed[c, i] + 1] += 1
            rank = 0
            for b in range(num_listed):
                closer = lengths[b, i] < lengths[c, i]
                rank += closer or (lengths[b, i] == lengths[c, i] and b < c)
            out[c, i, 7] = shares[i]
            out[c, i, NUM_LENGTHS + 3] = np.float32(0.125) * rank
            if rank == 0:
                is_nearest[c, i] = True
                cells[listed[c, i]] += shares[i]
    starts = np.cumsum(starts)
    ends = starts[:-1].copy()
    entries = np.empty(num_listed * size, dtype=np.int64)
    keys = np.empty(num_listed * size, dtype=np.float32)
    for c in range(num_listed):
        for i in range(size):
            k = listed[c, i]
            entries[ends[k]], keys[ends[k]] = c * size + i, lengths[c, i]
            ends[k] += 1
    one = np.float32(1.0)
    for k in range(num_centers):
        load, claimed = np.float32(0.0), np.float32(0.0)
        order = np.argsort(keys[starts[k] : ends[k]], kind="mergesort")
        for place in order:
            c, i = divmod(entries[starts[k] + place], size)
            load += shares[i]
            if is_nearest[c, i]:
                claimed += shares[i]
            row = out[c, i]
            row[NUM_LENGTHS] = np.log(one + load)
            row[NUM_LENGTHS + 1] = np.log(one + cells[k])
            row[NUM_LENGTHS + 2] = np.log(one + claimed)
