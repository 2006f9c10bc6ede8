"""Points of an unusual size, in a unit in which the methods work."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.points import PointSet

_USUAL: Final = (2.0**-10, 2.0**30)
"""Sizes that are taken as they are: far beyond them, guards against a division
by zero and HiGHS's tolerances would count."""

_WEIGHTS: Final = (
    *("weights", "capacity", "capacities", "point_capacities", "min_load"),
)


def in_usual_units(points: PointSet, objective: str) -> tuple[PointSet, float]:
    """Return the points in usual units, and the cost of 1 in the given unit.

    The factors are powers of two, which change no digit. Points of a usual
    size are returned as the same object.
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
        if cost != 1.0:
            changes["matrix"] = points.matrix / cost
    if not points.has_whole_weights:
        unit = _unit_of(float(points.weights.max()))
        for name in _WEIGHTS:
            value = getattr(points, name)
            if unit != 1.0 and value is not None:
                changes[name] = value / unit
    rules = points.rules
    if cost != 1.0 and rules.given:
        prices: dict[str, Any] = {
            "compactness": rules.compactness / cost,
            "consistency": rules.consistency / cost,
        }
        if np.ndim(rules.centers) == 2 and length != 1.0:
            prices["centers"] = rules.centers / length
        changes["rules"] = replace(rules, **prices)
    return (replace(points, **changes) if changes else points), cost


def _unit_of(size: float) -> float:
    """Return the power of two that makes a size 0.5 to 1; 1 if usual."""
    low, high = _USUAL
    if size == 0.0 or low <= size <= high:
        return 1.0
    return math.ldexp(1.0, math.frexp(size)[1])
