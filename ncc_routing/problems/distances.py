"""Distances as the compiled kernels see them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit

from ncc_routing.core.compiling import INLINED, INNER, OUTER
from ncc_routing.problems.geography import DEGREE, EARTH_RADIUS
from ncc_routing.problems.rounding import (
    ARC_FLOORED,
    CEILED,
    FLOORED,
    UNROUNDED,
    LengthRule,
)

LARGEST_MATRIX: Final = 3000
"""Nodes up to which a search computes all distances: 72 MB."""


class Metric(NamedTuple):
    """What a kernel needs to compute a distance.

    ``coords`` is (n + 1, 2), zeros where only a matrix is known; ``matrix`` is
    (0, 0) where distances follow from the coordinates. ``rounding`` is an
    entry of ``rounding.ROUNDINGS``, or of ``ARC_ROUNDINGS`` for longitude and
    latitude.
    """

    coords: np.ndarray
    matrix: np.ndarray
    rounding: LengthRule


@njit(**INNER)
def arc_length(
    is_rounded: bool,
    lon: float,
    lat: float,
    other_lon: float,
    other_lat: float,
) -> float:
    """Return the great circle between two places, rounded or not.

    The same as ``geography.great_circle``. A call and not inlined, since most
    callers are planar.
    """
    rise = np.sin(0.5 * (other_lat * DEGREE - lat * DEGREE))
    turn = np.sin(0.5 * (other_lon * DEGREE - lon * DEGREE))
    across = np.cos(lat * DEGREE) * np.cos(other_lat * DEGREE)
    root = np.sqrt(rise * rise + across * turn * turn)
    arc = 2.0 * EARTH_RADIUS * np.arcsin(min(1.0, root))
    return np.floor(arc + 0.5) if is_rounded else arc


@njit(**INLINED)
def round_length(rule: LengthRule, length: float) -> float:
    """Return the distance of one length, as ``rounding.round_lengths``."""
    if rule.kind == FLOORED:
        return np.floor(rule.scale * length + rule.shift)
    if rule.kind == CEILED:
        return np.ceil(length)
    return length


@njit(**OUTER)
def distance(metric: Metric, i: int, j: int) -> float:
    """Return the distance from node ``i`` to node ``j``.

    Whole numbers in float64 have exact sums up to 2**53.
    """
    if metric.matrix.shape[0] > 0:
        return metric.matrix[i, j]
    if metric.rounding.kind > UNROUNDED:
        return arc_length(
            metric.rounding.kind == ARC_FLOORED,
            metric.coords[i, 0],
            metric.coords[i, 1],
            metric.coords[j, 0],
            metric.coords[j, 1],
        )
    dx = metric.coords[i, 0] - metric.coords[j, 0]
    dy = metric.coords[i, 1] - metric.coords[j, 1]
    length = np.sqrt(dx * dx + dy * dy)
    return round_length(metric.rounding, length)


@njit(**OUTER)
def fill_block(
    metric: Metric, nodes: np.ndarray, size: int, out: np.ndarray
) -> None:
    """Fill ``out[:size, :size]`` with the distances of ``nodes[:size]``."""
    for a in range(size):
        out[a, a] = 0.0
        for b in range(size):
            if a != b:
                out[a, b] = distance(metric, nodes[a], nodes[b])
