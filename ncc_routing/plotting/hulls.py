"""Convex hulls in the plane."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull, counter-clockwise.

    Parameters
    ----------
    points
        Array of shape (num_points, 2) with at least one point.

    Returns
    -------
    numpy.ndarray
        Array of shape (num_corners, 2), the leftmost (of those the lowest)
        first. One corner for a single place, two for points on a line.
    """
    places = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(places) <= 2:
        return places
    try:
        corners = ConvexHull(places).vertices
    except QhullError:  # all on a line, whose ends are first and last
        return places[[0, -1]]
    # Qhull goes counter-clockwise, but starts anywhere.
    first = int(corners.argmin())
    return np.asarray(places[np.roll(corners, -first)])
