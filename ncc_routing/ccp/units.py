"""Points of an unusual size, in a unit in which the methods work."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.points import PointSet

_USUAL: Final = (2.0**-10, 2.0**30)
"""Sizes that are taken as they are. Far beyond, the little numbers that keep
a method from dividing by zero would count, and HiGHS's tolerances."""


def in_usual_units(points: PointSet, objective: str) -> tuple[PointSet, float]:
    """Return the points in units in which they are of a usual size.

    The factors are powers of two: digits stay as they are.

    Parameters
    ----------
    points
        The points.
    objective
        What is minimised.

    Returns
    -------
    tuple[PointSet, float]
        The points themselves where their size is usual; and what a cost of
        1 is worth for the points as they were given.
    """
    changes: dict[str, Any] = {}
    length = 1.0
    if points.rounding == "none":  # a rounded length allows no other unit
        length = _unit_of(float(np.ptp(points.coords, axis=0).max()))
    if length != 1.0:
        changes["coords"] = points.coords / length
    cost = length * length if objective == "inertia" else length
    if points.matrix is not None:
        cost = _unit_of(float(points.matrix.max()))
        changes["matrix"] = points.matrix / cost
    if not points.has_whole_weights:
        changes |= _weights_of(points)
    if changes.keys() <= {"matrix"} and cost == 1.0:
        return points, 1.0
    return replace(points, **changes), cost


def _weights_of(points: PointSet) -> dict[str, Any]:
    """Return weights and capacities in a usual unit, where it is another."""
    unit = _unit_of(float(points.weights.max()))
    if unit == 1.0:
        return {}
    given = {
        name: getattr(points, name)
        for name in ("weights", "capacity", "capacities", "point_capacities")
    }
    return {
        name: value / unit
        for name, value in given.items()
        if value is not None
    }


def _unit_of(size: float) -> float:
    """Return the power of two that makes a size 0.5 to 1; 1 if usual."""
    low, high = _USUAL
    if size == 0.0 or low <= size <= high:
        return 1.0
    return math.ldexp(1.0, math.frexp(size)[1])
