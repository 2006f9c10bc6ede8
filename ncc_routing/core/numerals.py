"""Numbers as the text of a file spells them: one rule for every reader.

Python accepts more: ``1_0``, digits of other scripts, "inf" and "nan".
"""

from __future__ import annotations

import math
import re
from typing import Final

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
