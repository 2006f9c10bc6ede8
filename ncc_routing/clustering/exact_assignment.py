"""Assignments of points to given centers as 0/1 programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.mip import SparseRows, solve_binary_program

if TYPE_CHECKING:
    from ncc_routing.core.stopping import TimeLimit


def assign_exactly(
    costs: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray,
    limits: np.ndarray,
    deadline: TimeLimit,
    incumbent: np.ndarray | None = None,
    gap: float = 1e-2,
) -> tuple[np.ndarray | None, str]:
    """Assign points to candidate clusters at least cost, within limits.

    ``costs`` and ``clusters`` have the shape (num_points, num_candidates).
    Returns the labels, or ``None``, and the status of ``mip.BinaryResult``.
    """
    size, degree = costs.shape
    num_clusters = len(limits)
    by_cluster = np.argsort(clusters.ravel(), kind="stable")
    counts = np.bincount(clusters.ravel(), minlength=num_clusters)
    by_point = np.arange(size) * degree
    by_limit = size * degree + np.concatenate([[0], np.cumsum(counts)])
    rows = SparseRows(
        np.concatenate([by_point, by_limit]).astype(np.int64),
        np.concatenate([np.arange(size * degree), by_cluster]),
        np.concatenate(
            [np.ones(size * degree), weights[by_cluster // degree]]
        ).astype(np.float64),
    )
    lower = np.concatenate([np.ones(size), np.full(num_clusters, -np.inf)])
    upper = np.concatenate([np.ones(size), limits])
    start = None
    if incumbent is not None:
        start = (clusters == incumbent[:, None]).ravel()
        if start.sum() != size:
            start = None
    result = solve_binary_program(
        costs.ravel(), rows, lower, upper, deadline, start, gap
    )
    if result.values is None:
        return None, result.status
    chosen = result.values.reshape(size, degree).argmax(axis=1)
    return clusters[np.arange(size), chosen], result.status
