"""Colours that can be told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib import colormaps

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUM_NAMED: Final = 10
"""Colours of matplotlib's palette "tab10"."""

_TINTS: Final = (0.0, 0.45, 0.25)
"""Shares of white in the colours of one type."""

_GOLDEN_RATIO: Final = (5**0.5 - 1) / 2
"""Step around the hue circle that comes near no earlier one."""


def spread_colours(count: int) -> list[tuple[float, ...]]:
    """Return ``count`` colours; neighbours differ much.

    Up to ten are those of matplotlib; more walk around the hue circle.
    """
    if count <= _NUM_NAMED:
        return [colormaps["tab10"](idx) for idx in range(count)]
    hues = colormaps["hsv"]
    colours: list[tuple[float, ...]] = []
    for idx in range(count):
        red, green, blue, _ = hues((idx * _GOLDEN_RATIO) % 1.0)
        shade = (0.62, 0.85, 0.74)[idx % 3]
        # Pure yellow and green glare on white: green is taken back a bit.
        colours.append((shade * red, 0.85 * shade * green, shade * blue))
    return colours


def typed_colours(vehicle_types: Sequence[int]) -> list[tuple[float, ...]]:
    """Return a colour for each route; the hue is that of its type."""
    hues = spread_colours(max(vehicle_types, default=0) + 1)
    counts = [0] * len(hues)
    colours: list[tuple[float, ...]] = []
    for vehicle_type in vehicle_types:
        white = _TINTS[counts[vehicle_type] % len(_TINTS)]
        counts[vehicle_type] += 1
        mixed = (
            white + (1.0 - white) * part for part in hues[vehicle_type][:3]
        )
        colours.append(tuple(mixed))
    return colours
