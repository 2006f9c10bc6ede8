"""Units of times and distances, by their names."""

from __future__ import annotations

from typing import Final

SECONDS_OF: Final = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Units that a user may name, and their seconds."""

TIME_UNITS: Final = tuple(SECONDS_OF)
"""What ``time_unit`` may be."""

SECONDS_IN: Final = {
    word: SECONDS_OF[words[0]]
    for words in (
        ("s", "sec", "secs", "second", "seconds"),
        ("min", "mins", "minute", "minutes"),
        ("h", "hr", "hrs", "hour", "hours"),
    )
    for word in words
}
METRES_IN: Final = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer"), 1000.0),
    **dict.fromkeys(("kilometers", "kms"), 1000.0),
    **dict.fromkeys(("mi", "mile", "miles"), 1609.344),
}
METRES_A_SECOND: Final = {"km/h": 1 / 3.6, "m/s": 1.0, "mph": 0.44704}
"""Seconds, metres and metres a second of a unit."""
