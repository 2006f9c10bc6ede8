"""Cordeau's form of routing problems, which is told and not read.

A line with type, vehicles, customers and days or depots; lines with a longest
duration and a capacity; the customers.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.io._vrplib_text import leading_numbers, refuse

if TYPE_CHECKING:
    from pathlib import Path

_TYPES: Final = (
    *("VRP", "PVRP", "MDVRP", "SDVRP"),
    *("VRPTW", "PVRPTW", "MDVRPTW", "SDVRPTW"),
)
"""Types of problems, by their numbers from 0."""


def looks_like_cordeau(text: str) -> bool:
    """Whether a text begins with lines of four and of two numbers."""
    head = leading_numbers(text, 3)
    if [len(line) for line in head[:2]] != [4, 2] or len(head[-1]) < 2:
        return False
    numbers = list(itertools.chain.from_iterable(head))
    is_whole = all(map(float.is_integer, head[0]))
    return (
        is_whole
        and not np.isnan(numbers).any()
        and int(head[0][0]) in range(len(_TYPES))
    )


def refuse_cordeau(source: Path, content: str) -> NoReturn:
    """Refuse a file in this form, by the type of its problem."""
    kind = _TYPES[int(leading_numbers(content, 1)[0][0])]
    rule = (
        f"is in Cordeau's text format ({kind}), which is not read: take "
        "VRPLIB or a table"
    )
    refuse(source, "file", rule, None, UnsupportedProblemError)
