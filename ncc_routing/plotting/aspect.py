"""How much longer a step in y is drawn than one in x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.instance import Instance

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.points import PointSet

_NORTHERNMOST: Final = 85.0
"""Degrees of latitude beyond which no map is stretched further."""


def aspect_of(problem: Instance | PointSet) -> float:
    """Return the length of a unit of y divided by that of a unit of x.

    1 in the plane; 1 / cos(mean latitude) for longitude and latitude.
    """
    if not isinstance(problem, Instance) or not problem.is_geographic:
        return 1.0
    coords = problem.require_coords("a map")
    latitude = float(np.abs(coords[:, 1].mean()))
    return float(1.0 / np.cos(np.radians(min(latitude, _NORTHERNMOST))))
