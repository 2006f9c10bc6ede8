"""Texts and numbers: how files spell them, and how messages show them."""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from typing import Any, Final


def with_article(name: str) -> str:
    """Return a name behind "a" or "an"."""
    return f"an {name}" if name[0] in "AEIOUaeiou" else f"a {name}"


def counted(number: float, what: str) -> str:
    """Return "1 vehicle" or "2 vehicles"; ``what`` is in the singular."""
    end = "" if number == 1 else "s"
    return f"{number:,.10g} {what}{end}"


def money(cost: float, sign: str = "") -> str:
    """Return a cost as money: two decimals at most."""
    return f"{round(cost, 2):{sign},.10g}"


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


def quoted(text: str) -> str:
    """Return a text as one argument of a shell."""
    if re.fullmatch(r"[\w./:-][\w./:=-]*", text):
        return text
    return shlex.quote(text) if set(text) & set('"$`\\!') else f'"{text}"'


def with_id(name: str, identity: str, word: str = "id") -> str:
    """Return a name with the id of the user: "customer 5 (id Main St)"."""
    return f"{name} ({word} {printable(shortened(identity, _LONGEST_ID))})"


def has_controls(text: str) -> bool:
    """Whether a text holds controls but white space, or half a character."""
    return _DEVICE.search(text) is not None


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape", "surrogatepass").decode("ascii")


_NUMERAL: Final = re.compile(
    r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII
)
"""A decimal number: sign, digits with a point, exponent."""

_LONGEST: Final = 400
"""Characters of a number: 1e308 has 309 digits."""

_FOREIGN: Final = re.compile(r"[^\d\s.eE+-]", re.ASCII)
"""What stands in no list of numbers."""


def number_of(text: str) -> float:
    """Return the number that a text spells, nan where it is none.

    It is a decimal number in ASCII of at most 400 characters; one too large
    for float64 is infinite.
    """
    text = text.strip()
    is_number = len(text) <= _LONGEST and _NUMERAL.fullmatch(text)
    return float(text) if is_number else math.nan


def may_be_number(text: str) -> bool:
    """Whether a text could be taken for a number: "1_0", "nan", "5"."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def has_foreign_signs(text: str) -> bool:
    """Whether a list of numbers between blanks holds anything else.

    In the rest, Python and ``number_of`` read the same numbers.
    """
    return _FOREIGN.search(text) is not None


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object for ``json.loads``.

    A key that is there twice is a ``ValueError``.
    """
    content = dict(pairs)
    if len(content) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {shortened(repr(key))} appears twice")
    return content
