"""What a case of the attack tells: counts, or what it found."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

Counts = Counter[str]
"""Whatever a case counts, by name: inputs, refused, solves, kills, ..."""

Case = Callable[[int, random.Random, Path], Counts]
"""One case: its number, its random choices, and an empty folder for what it
writes."""

HIDDEN: Final = ("Cc", "Cs", "Zl", "Zp")
"""Categories of Unicode that no message may hold: control characters, halves
of a pair, and the ends of lines and paragraphs."""

MOST_LINE: Final = 2_000
"""Characters of the longest message that a user should be shown."""


MOST_SHOWN: Final = 200
"""Characters of a wrong message that a finding shows."""


class Found(Exception):
    """Something that must not happen; the text says what."""


def require(condition: object, text: str) -> None:
    """Report what does not hold.

    Raises
    ------
    Found
        If ``condition`` is false.
    """
    if not condition:
        raise Found(text)


def require_line(message: str, *parts: object) -> None:
    """Report a message that is not one clear line.

    Parameters
    ----------
    message
        What a user is shown.
    parts
        Texts that it must name, such as the file.

    Raises
    ------
    Found
        If it is empty, long, of several lines, has control characters, or
        lacks a part.
    """
    shown = ascii(message[:MOST_SHOWN])
    require(message.strip(), "an empty message")
    require(len(message) <= MOST_LINE, f"a message that never ends: {shown}")
    is_plain = not any(unicodedata.category(c) in HIDDEN for c in message)
    require(is_plain, f"not one printable line: {shown}")
    for part in parts:
        require(str(part) in message, f"{part!s} is not named: {shown}")


def seeded(seed: int, part: str, number: int) -> random.Random:
    """Return the random choices of one case, the same on every machine."""
    return random.Random(f"{seed}/{part}/{number}")
