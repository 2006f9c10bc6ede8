"""Compiled assignment of customers to listed seeds."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def assign_by_regret(
    seeds: np.ndarray,
    costs: np.ndarray,
    demands: np.ndarray,
    capacity: int,
    labels: np.ndarray,
    loads: np.ndarray,
) -> int:
    """Assign customers to seeds in the order of what they could lose.

    Rounds: the customers that are left are ordered by their regret, the
    difference between the costs of their two cheapest seeds with room; each
    gets its cheapest seed, or waits for the next round if that has no room
    any more.

    Parameters
    ----------
    seeds, costs
        Shape (n, m): the seeds that a customer may go to, and their costs.
    demands
        Int64 array of shape (n,).
    capacity
        Capacity of each seed.
    labels, loads
        Int64 arrays of shape (n,) and (number of seeds,), overwritten: the
        seed of each customer, -1 where none has room, and the loads.

    Returns
    -------
    int
        Number of customers without a seed.
    """
    size, degree = seeds.shape
    labels[:] = -1
    loads[:] = 0
    left = np.arange(size)
    cheapest = np.empty(size, dtype=np.int64)
    while len(left) > 0:
        regrets = np.empty(len(left))
        for a in range(len(left)):
            i = left[a]
            first, second = np.inf, np.inf
            cheapest[i] = -1
            for m in range(degree):
                if loads[seeds[i, m]] + demands[i] > capacity:
                    continue
                if costs[i, m] < first:
                    first, second = costs[i, m], first
                    cheapest[i] = seeds[i, m]
                elif costs[i, m] < second:
                    second = costs[i, m]
            # Without a second seed the regret is infinite: such customers
            # come first, those without any seed last.
            regrets[a] = second - first if cheapest[i] >= 0 else -1.0
        num_left = 0
        order = np.argsort(-regrets)
        waiting = np.empty(len(left), dtype=np.int64)
        for a in order:
            i = left[a]
            k = cheapest[i]
            if k >= 0 and loads[k] + demands[i] <= capacity:
                labels[i] = k
                loads[k] += demands[i]
            elif k >= 0:
                waiting[num_left] = i
                num_left += 1
        left = waiting[:num_left]
    count = 0
    for i in range(size):
        if labels[i] < 0:
            count += 1
    return count
