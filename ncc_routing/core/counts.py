"""Numbers of things in words."""

from __future__ import annotations


def counted(number: float, what: str) -> str:
    """Return "1 vehicle" or "2 vehicles"; ``what`` is in the singular."""
    end = "" if number == 1 else "s"
    return f"{number:,.10g} {what}{end}"
