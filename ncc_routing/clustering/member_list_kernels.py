"""Doubly linked lists of the members of each cluster, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INNER

# Numba compiles a function anew for each literal that it is called with, and
# for what a variable that starts as one is passed to. These are no literals.
NOBODY: Any = np.int64(-1)
"""No point, or no cluster."""

FIRST: Any = np.int64(0)
"""The first point or cluster."""


@njit(**INNER)
def relink(
    labels: np.ndarray,
    head: np.ndarray,
    after: np.ndarray,
    before: np.ndarray,
    i: int,
    to: int,
) -> None:
    """Move point i from the list of its cluster to that of another one.

    Parameters
    ----------
    labels
        Int64 array of shape (num_points,). Modified in place, as are all.
    head
        First member of each cluster, int64 of shape (num_clusters,).
    after, before
        Next and previous member, int64 of shape (num_points,); -1 ends.
    """
    left, right = before[i], after[i]
    if left >= 0:
        after[left] = right
    else:
        head[labels[i]] = right
    if right >= 0:
        before[right] = left
    before[i] = -1
    after[i] = head[to]
    if head[to] >= 0:
        before[head[to]] = i
    head[to] = i
    labels[i] = to
