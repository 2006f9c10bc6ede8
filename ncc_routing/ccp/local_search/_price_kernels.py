"""Compiled assignment of points to centers under a price of each cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from ncc_routing.clustering.center_kernels import square
from ncc_routing.clustering.member_list_kernels import NOBODY
from ncc_routing.core.compiling import OUTER

if TYPE_CHECKING:
    from ncc_routing.ccp.local_search._partition_kernels import (
        PartitionProblem,
    )


@njit(**OUTER)
def assign_by_price(
    problem: PartitionProblem,
    means: np.ndarray,
    prices: np.ndarray,
    near: np.ndarray,
    labels: np.ndarray,
    margins: np.ndarray,
    sums: np.ndarray,
    low: int,
    high: int,
    stride: int,
) -> None:
    """Give points the near cluster of least squared distance plus price.

    Parameters
    ----------
    near
        Int64 array of shape (num_clusters, m): clusters that the members of
        each one may join, itself among them.
    labels
        Cluster of each point. Modified in place, as are the next two.
    margins
        By how much the second choice of each point is worse, float64 of
        shape (num_points,).
    sums
        Float64 array of shape (num_clusters, num_dims + 3), added to: sum of
        the coordinates, number, weight and squared distances of the points
        of each cluster.
    low, high, stride
        Which points: ``range(low, high, stride)``.
    """
    num_dims = problem.coords.shape[1]
    for i in range(low, high, stride):
        own = labels[i]
        best, second, reach, chosen = np.inf, np.inf, 0.0, NOBODY
        for c in range(near.shape[1]):
            k = near[own, c]
            length = square(problem.coords, i, means, k)
            value = length + prices[k]
            if value < best:
                second = best
                best, reach, chosen = value, length, k
            elif value < second:
                second = value
        labels[i] = chosen
        margins[i] = second - best
        for d in range(num_dims):
            sums[chosen, d] += problem.coords[i, d]
        sums[chosen, num_dims] += 1.0
        sums[chosen, num_dims + 1] += problem.weights[i]
        sums[chosen, num_dims + 2] += reach
