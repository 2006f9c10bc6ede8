"""Which nodes are at one place. Nothing of the package is imported."""

from __future__ import annotations

import math
from typing import Any

METRES = 6_371_008.8 * math.pi / 180
"""Length of a degree of latitude."""


def share_place(instance: Any, one: int, other: int) -> bool:
    """Whether two nodes are where no set-up is needed between them."""
    if instance.places is not None:
        return bool(instance.places[one] == instance.places[other])
    if instance.coords is None:
        return one == other
    (x, y), (u, v) = instance.coords[one], instance.coords[other]
    if not instance.is_geographic:
        return bool((x, y) == (u, v))
    across = math.cos(math.radians((y + v) / 2))
    return math.hypot(METRES * (u - x) * across, METRES * (v - y)) <= 1
