"""Convex hulls in the plane."""

from __future__ import annotations

import numpy as np


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull, counter-clockwise.

    The leftmost and of those the lowest is first; one place has one corner, a
    line has two. By A. M. Andrew (1979), Another efficient algorithm for
    convex hulls in two dimensions, Information Processing Letters 9(5).
    """
    places = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(places) <= 2:
        return places
    forward = [(float(x), float(y)) for x, y in places]
    below, above = _chain(forward), _chain(forward[::-1])
    return np.array(below[:-1] + above[:-1])


def _chain(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners from the first place to the last, turning left."""
    corners: list[tuple[float, float]] = []
    for x, y in places:
        while len(corners) > 1:
            (ax, ay), (bx, by) = corners[-2:]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            corners.pop()
        corners.append((x, y))
    return corners
