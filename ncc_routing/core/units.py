"""Units of times, distances and loads, and what stands for no limit."""

from __future__ import annotations

from typing import Final

SECONDS_OF: Final = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Units that a user may name, and their seconds."""

TIME_UNITS: Final = tuple(SECONDS_OF)
"""What ``time_unit`` may be."""

METRES_OF: Final = {"m": 1.0, "km": 1000.0, "mi": 1609.344}

LOADS_OF: Final = {
    "kg": ("kg", "1"),
    "g": ("kg", "0.001"),
    "t": ("kg", "1000"),
    "lb": ("kg", "0.45359237"),
    "m3": ("l", "1000"),
    "l": ("l", "1"),
}
"""What units of loads measure, and how many kilograms or litres."""

METRES_A_SECOND: Final = {"km/h": 1 / 3.6, "m/s": 1.0, "mph": 0.44704}
"""Seconds, metres and metres a second of a unit."""

NO_LIMIT: Final = 2**60
"""Time, distance or load that stands for none at all.

A whole number in float64 as well, and the sum of two is no overflow. Limits
that count lie below a quarter of it.
"""
