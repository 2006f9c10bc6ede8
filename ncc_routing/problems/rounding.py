"""The rules that turn a length into a distance, for each geometry."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError

FLOORED: Final = 0
"""Kind of the rule floor(scale * length + shift)."""

CEILED: Final = 1
"""Kind of the rule ceil(length)."""

UNROUNDED: Final = 2
"""Kind of the rule that leaves the length as it is."""

ARC_FLOORED: Final = 3
"""As ``FLOORED``, but of the great circle between longitudes and latitudes."""

ARC_UNROUNDED: Final = 4
"""As ``UNROUNDED``, but of the great circle."""


class LengthRule(NamedTuple):
    """How a length is rounded: its kind, and the numbers of a floored one."""

    kind: int
    scale: float = 1.0
    shift: float = 0.0


ROUNDINGS: Final = {
    "nearest": LengthRule(FLOORED, shift=0.5),
    "ceil": LengthRule(CEILED),
    "floor": LengthRule(FLOORED),
    "exact": LengthRule(FLOORED, scale=1000.0, shift=0.5),
    "dimacs": LengthRule(FLOORED, scale=10.0),
    "none": LengthRule(UNROUNDED),
}
"""Rule of each name; in VRPLIB terms EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D
(nearest integer to 1000 times the length); ten times the length, cut to a
whole number; and the unrounded length."""

ARC_ROUNDINGS: Final = {
    "nearest": LengthRule(ARC_FLOORED, shift=0.5),
    "none": LengthRule(ARC_UNROUNDED),
}
"""Rule of each name for longitude and latitude: whole metres, or metres."""


def length_rule(
    source: str, rounding: object, is_geographic: bool
) -> LengthRule:
    """Return the rule of a name."""
    known = ARC_ROUNDINGS if is_geographic else ROUNDINGS
    if not isinstance(rounding, str) or rounding not in known:
        rule = f"must be one of {', '.join(known)}"
        if is_geographic:
            rule += " for longitude and latitude"
        raise InstanceError(source, "rounding", rule, rounding)
    return known[rounding]


def round_lengths(rule: LengthRule, lengths: np.ndarray) -> np.ndarray:
    """Return the distances that lengths stand for, whole ones in float64."""
    if rule.kind in (FLOORED, ARC_FLOORED):
        return np.asarray(np.floor(rule.scale * lengths + rule.shift))
    return np.ceil(lengths) if rule.kind == CEILED else lengths
