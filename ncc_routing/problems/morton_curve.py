"""The nodes in the order of a curve that fills the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

_BITS: Final = 16
"""Bits of a cell number: 65,536 cells along each side of the square."""


def spatial_order(instance: Instance) -> np.ndarray:
    """Return the nodes along a Z-shaped curve through the plane.

    Parameters
    ----------
    instance
        The instance.

    Returns
    -------
    numpy.ndarray
        Int64 array of shape (n + 1,), the depot first. The nodes in their
        given order where a matrix holds the distances.

    References
    ----------
    G. M. Morton (1966). A computer oriented geodetic data base and a new
    technique in file sequencing. IBM, Ottawa.
    """
    num_nodes = instance.num_customers + 1
    if instance.matrix is not None or instance.coords is None:
        return np.arange(num_nodes)
    points = instance.coords[1:]
    corner = points.min(axis=0)
    side = float((points.max(axis=0) - corner).max()) or 1.0
    cells = (points - corner) / side * (2**_BITS - 1)
    code = np.zeros(num_nodes - 1, dtype=np.int64)
    for axis in (0, 1):
        cell = cells[:, axis].astype(np.int64)
        for bit in range(_BITS):
            code |= ((cell >> bit) & 1) << (2 * bit + axis)
    return np.concatenate([[0], np.argsort(code, kind="stable") + 1])
