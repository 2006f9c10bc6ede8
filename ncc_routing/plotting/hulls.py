"""Convex hulls in the plane."""

from __future__ import annotations

import numpy as np


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull, counter-clockwise.

    Parameters
    ----------
    points
        Array of shape (num_points, 2) with at least one point.

    Returns
    -------
    numpy.ndarray
        Array of shape (num_corners, 2). One corner for a single place, two
        for points on a line.

    References
    ----------
    A. M. Andrew (1979), Another efficient algorithm for convex hulls in two
    dimensions. https://doi.org/10.1016/0020-0190(79)90072-3
    """
    places = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(places) <= 2:
        return places
    lower = _chain(places)
    upper = _chain(places[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(places: np.ndarray) -> list[np.ndarray]:
    """Return one side of the hull: the walk that only turns left."""
    chain: list[np.ndarray] = []
    for place in places:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], place) <= 0:
            chain.pop()
        chain.append(place)
    return chain


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Return the cross product of ab and ac: positive for a left turn."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
