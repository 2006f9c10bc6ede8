"""Units of times and distances, by their names."""

from __future__ import annotations

from typing import Final

SECONDS_OF: Final = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Units that a user may name, and their seconds."""

TIME_UNITS: Final = tuple(SECONDS_OF)
"""What ``time_unit`` may be."""

SECONDS_IN: Final = {
    word: SECONDS_OF[unit]
    for unit, words in (
        ("s", "s sec secs second seconds sek sekunden"),
        ("min", "min mins mn minute minutes minuten minutos minuti"),
        ("h", "h hr hrs hour hours std stunde stunden heure heures"),
        ("h", "hora horas ora ore"),
    )
    for word in words.split()
}
METRES_IN: Final = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer"), 1000.0),
    **dict.fromkeys(("kilometers", "kms"), 1000.0),
    **dict.fromkeys(("mi", "mile", "miles"), 1609.344),
}
LOADS_IN: Final = {
    **{w: ("kg", "1") for w in ("kg", "kgs", "kilo", "kilos", "kilogram")},
    **dict.fromkeys(("kilograms", "kilogramm"), ("kg", "1")),
    **dict.fromkeys(("g", "gram", "grams", "gramm"), ("kg", "0.001")),
    **dict.fromkeys(("t", "tonne", "tonnes", "tonnen"), ("kg", "1000")),
    **dict.fromkeys(("lb", "lbs", "pound", "pounds"), ("kg", "0.45359237")),
    **dict.fromkeys(("m3", "cbm"), ("l", "1000")),
    **dict.fromkeys(("l", "litre", "litres", "liter", "dm3"), ("l", "1")),
}
"""Units of loads: what they measure, and how many kilograms or litres."""

METRES_A_SECOND: Final = {"km/h": 1 / 3.6, "m/s": 1.0, "mph": 0.44704}
"""Seconds, metres and metres a second of a unit."""
