"""How many vehicles a set of loads needs at least."""

from __future__ import annotations

import numpy as np


def least_bins(sizes: np.ndarray, capacity: int) -> int:
    """Return a lower bound on the number of bins that whole sizes need.

    Martello and Toth (1990), Discrete Applied Mathematics 28(1), 59: L2. Items
    of at most half of a bin fill what larger ones leave.
    """
    sizes = np.sort(sizes)
    sums = np.append(0, np.cumsum(sizes))
    half = int(np.searchsorted(sizes, capacity // 2, side="right"))
    most = -(-int(sums[-1]) // capacity)
    # Items from `first` on count, those up to half a bin by their size.
    least = np.unique(sizes[:half], return_index=True)
    for size, first in zip(*map(np.ndarray.tolist, least), strict=True):
        alone = int(np.searchsorted(sizes, capacity - size, side="right"))
        alone = max(alone, half)
        small = int(sums[half] - sums[first])
        room = (alone - half) * capacity - int(sums[alone] - sums[half])
        more = max(0, -(-(small - room) // capacity))
        most = max(most, len(sizes) - half + more)
    return max(most, len(sizes) - half)
