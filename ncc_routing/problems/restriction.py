"""Instances with some of their customers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def restrict(instance: Instance, customers: np.ndarray) -> Instance:
    """Return an instance with some of its customers only.

    Parameters
    ----------
    instance
        An instance with one depot, without times and profiles.
    customers
        Customers in any order; customer k of the result is the k-th. Its
        nodes have no ids.
    """
    nodes = np.concatenate([[0], customers])
    coords, matrix = instance.coords, instance.matrix
    return replace(
        instance,
        demands=instance.demands[nodes],
        coords=None if coords is None else coords[nodes],
        matrix=None if matrix is None else matrix[np.ix_(nodes, nodes)],
        ids=None,
    )
