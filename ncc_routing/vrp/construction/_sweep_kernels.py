"""Compiled sweeps.

They work on ``ring``: the customers in the order of the beam, written twice,
shape (2n,), so that an arc that passes the end needs no modulo. An *arc* is
a run of consecutive positions of the ring; one that no vehicle can extend is
*full*.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ncc_routing.core.compiling import ALLOCATING, OUTER
from ncc_routing.problems.distances import Metric, distance


@njit(**OUTER)
def fill_ends(
    ring: np.ndarray, demands: np.ndarray, capacity: int, ends: np.ndarray
) -> None:
    """Set ``ends[i]`` to the position after the full arc that starts at i.

    Parameters
    ----------
    ring
        Int64 array of shape (2n,).
    demands
        Int64 array of shape (n + 1,), none above ``capacity``.
    capacity
        Capacity of a vehicle.
    ends
        Int64 array of shape (2n,). Modified in place; ``ends[i] <= i + n``.
    """
    n = len(ring) // 2
    load = 0
    end = 0
    for i in range(n):
        end = max(end, i)
        while end < i + n and load + demands[ring[end]] <= capacity:
            load += demands[ring[end]]
            end += 1
        ends[i] = end
        ends[i + n] = end + n
        load -= demands[ring[i]]


@njit(**OUTER)
def fill_lengths(
    metric: Metric, ring: np.ndarray, lengths: np.ndarray
) -> None:
    """Set ``lengths[i]`` to the way from position 0 to position i."""
    total = 0.0
    for i in range(len(ring)):
        if i > 0:
            total += distance(metric, ring[i - 1], ring[i])
        lengths[i] = total


@njit(**ALLOCATING)
def find_best_start(
    metric: Metric, ring: np.ndarray, ends: np.ndarray, lengths: np.ndarray
) -> tuple[int, int, float]:
    """Return start, number of routes and cost of the best sweep.

    Every position is a start. Fewer routes come first, then lower cost,
    then the earlier start. The numbers of routes of two starts differ by at
    most one, so that all but the last few routes of every start are added
    up at once, by doubling: O(n log n).

    Parameters
    ----------
    metric
        Distances of the instance.
    ring, ends, lengths
        See ``fill_ends`` and ``fill_lengths``.
    """
    n = len(ring) // 2
    # Where the next 1, 2, 4, ... routes end, and what they cost.
    step = np.full(2 * n + 1, 2 * n)
    costs = np.zeros(2 * n + 1)
    for i in range(2 * n):
        step[i] = min(ends[i], 2 * n)
        last = step[i] - 1
        costs[i] = distance(metric, 0, ring[i]) + lengths[last] - lengths[i]
        costs[i] += distance(metric, ring[last], 0)
    num_skipped = -1
    i = 0
    while i < n:
        i = ends[i]
        num_skipped += 1
    num_skipped = max(0, num_skipped - 1)
    position = np.arange(n)
    totals = np.zeros(n)
    left = num_skipped
    while left > 0:
        if left % 2 == 1:
            for start in range(n):
                totals[start] += costs[position[start]]
                position[start] = step[position[start]]
        for i in range(2 * n):
            costs[i] += costs[step[i]]
            step[i] = step[step[i]]
        left //= 2
    best_start, best_count, best_cost = 0, n + 1, np.inf
    for start in range(n):
        stop = start + n
        count = num_skipped
        cost = totals[start]
        i = position[start]
        while i < stop:
            last = min(ends[i], stop) - 1
            cost += distance(metric, 0, ring[i])
            cost += lengths[last] - lengths[i]
            cost += distance(metric, ring[last], 0)
            count += 1
            i = last + 1
        if count < best_count or (count == best_count and cost < best_cost):
            best_start, best_count, best_cost = start, count, cost
    return best_start, best_count, best_cost


@njit(**OUTER)
def walk_sweeps(
    ends: np.ndarray,
    starts: np.ndarray,
    costs: np.ndarray,
    totals: np.ndarray,
    lasts: np.ndarray,
) -> None:
    """Add up the routes of sweeps whose arcs have a cost.

    Parameters
    ----------
    ends
        See ``fill_ends``.
    starts
        Positions below n at which the sweeps start.
    costs
        Float64 array of shape (n,): cost of the full arc from a position,
        NaN where it is not known yet. The unknown ones that a sweep takes
        become infinite. Modified in place.
    totals
        Float64 array of shape (len(starts),), overwritten: cost of the full
        arcs of the sweep; infinite where one is not known.
    lasts
        Int64 array of that shape, overwritten: where the last route starts
        if it is cut short by the end of the sweep, else -1.
    """
    n = len(ends) // 2
    for k in range(len(starts)):
        totals[k] = 0.0
        lasts[k] = -1
        i = starts[k]
        stop = i + n
        while i < stop:
            if ends[i] > stop:
                lasts[k] = i
                break
            at = i if i < n else i - n
            if np.isnan(costs[at]):
                costs[at] = np.inf
            totals[k] += costs[at]
            i = ends[i]
