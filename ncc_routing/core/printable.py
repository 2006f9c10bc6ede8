"""Texts of files as they may be shown: nothing that a terminal obeys."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 200
"""Characters of a value that a message shows."""

_LONGEST_ID: Final = 40
"""Characters of an id that a message shows."""

_CONTROLS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters, marks that turn the direction of writing, line breaks
of any kind, and bytes of a file name that are no text."""

_DEVICE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"
)
"""Those that are no white space, and halves of characters."""


def printable(text: str) -> str:
    """Return a text on one line, control characters as escapes."""
    return _CONTROLS.sub(_escape, text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text, cut where it would not fit into a message."""
    return text if len(text) <= longest else f"{text[:longest]}..."


def with_id(name: str, own: str, word: str = "id") -> str:
    """Return a name with the id of the user: "customer 5 (id Main St)"."""
    return f"{name} ({word} {printable(shortened(own, _LONGEST_ID))})"


def has_controls(text: str) -> bool:
    """Whether a text holds controls but white space, or half a character."""
    return _DEVICE.search(text) is not None


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "surrogatepass").decode("ascii")
