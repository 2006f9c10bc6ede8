"""Colours that can be told apart."""

from __future__ import annotations

from typing import Final

from matplotlib import colormaps

_NUM_NAMED: Final = 10
"""Colours of matplotlib's palette "tab10"."""

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
