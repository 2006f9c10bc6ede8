"""Calls of kernels that only kernels call, and instances to search on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numba import njit

import ncc_routing as nr


@njit
def call(kernel: Any, *arguments: Any) -> Any:
    """Return what a kernel returns."""
    return kernel(*arguments)


def one_by_one(instance: nr.Instance) -> nr.Solution:
    """Return a route for each customer."""
    customers = range(1, instance.num_customers + 1)
    return nr.Solution.from_routes(instance, [[c] for c in customers])


def with_matrix(instance: nr.Instance) -> nr.Instance:
    """Return an instance of distances alone."""
    nodes = np.arange(instance.num_customers + 1)
    matrix = instance.distances(nodes, nodes)
    return replace(instance, coords=None, matrix=matrix)


def one_way(seed: int, size: int = 40, capacity: int = 60) -> nr.Instance:
    """Return customers with a matrix that knows no way back."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(1, 100, (size + 1, size + 1)).astype(float)
    np.fill_diagonal(matrix, 0.0)
    demands = np.concatenate([[0], rng.integers(1, 9, size)])
    coords = rng.integers(0, 100, (size + 1, 2))
    return nr.Instance("one-way", demands, capacity, coords, matrix=matrix)
