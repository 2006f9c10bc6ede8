"""Units of times and distances, by their names."""

from __future__ import annotations

from typing import Final

TIME_UNITS: Final = ("s", "min", "h")
"""What ``time_unit`` may be."""

SECONDS_IN: Final = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
}
METRES_IN: Final = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer"), 1000.0),
    **dict.fromkeys(("kilometers", "kms"), 1000.0),
    **dict.fromkeys(("mi", "mile", "miles"), 1609.344),
}
METRES_A_SECOND: Final = {"km/h": 1 / 3.6, "m/s": 1.0, "mph": 0.44704}
"""Seconds, metres and metres a second of a unit."""
