"""Where customers lie in a region that a network knows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUM_WAVES: Final = 4
"""Lengths of the waves over each axis; the longest spans the region, each
other one is half as long as the one before it."""

NUM_PLACE_FEATURES: Final = 2 + 4 * _NUM_WAVES
"""Columns that places add to the features of the nodes."""

_REACH: Final = 1.5
"""Half extents from the middle at which places are cut off."""


class Region(NamedTuple):
    """A square of the map: its middle, and half of its side."""

    x: float
    y: float
    half: float

    @classmethod
    def around(cls, coords: Iterable[np.ndarray]) -> Region:
        """Return the least square around at least one place."""
        places = np.concatenate(list(coords))
        low, high = places.min(axis=0), places.max(axis=0)
        x, y = (low + high) / 2.0
        half = float((high - low).max()) / 2.0
        return cls(float(x), float(y), half if half > 0.0 else 1.0)


def place_features(region: Region, coords: np.ndarray) -> np.ndarray:
    """Describe places so that a network can tell near ones apart.

    The rows are places in half extents of the region, then their sines and
    cosines, after Tancik et al. (2020), Fourier features let networks learn
    high frequency functions in low dimensional domains. NeurIPS 33.
    """
    places = (coords - (region.x, region.y)) / region.half
    places = np.clip(places, -_REACH, _REACH)
    columns = [places]
    for number in range(_NUM_WAVES):
        angles = math.pi * 2.0**number * places
        columns += [np.sin(angles), np.cos(angles)]
    return np.concatenate(columns, axis=1).astype(np.float32)
