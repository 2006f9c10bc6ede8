"""Arcs that no vehicle may take: what stands for them in a matrix."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from ncc_routing.core.counts import counted

logger = logging.getLogger(__name__)

MARKS: Final = np.unique(
    [
        kind(np.iinfo(each).max)
        for each in (np.int32, np.uint32, np.int64, np.uint64)
        for kind in (np.float64, np.float32)
    ]
    + [np.float64(np.finfo(each).max) for each in (np.float32, np.float64)]
)
"""Numbers that stand for no way: the largest ones of the types of 32 and 64
bits, those of integers as float32 and as float64."""

_PRECISION: Final = 1e-14
"""Excel keeps 15 digits of a number."""


def is_no_way(lengths: np.ndarray) -> np.ndarray:
    """Return where a matrix holds a mark, inf or nan, but on the diagonal."""
    found: np.ndarray = ~(lengths < MARKS[0])
    values = lengths[found]
    is_marked = ~np.isfinite(values)
    for mark in MARKS:
        is_marked |= np.abs(values - mark) <= _PRECISION * mark
    found[found] = is_marked
    np.fill_diagonal(found, False)
    return found


def marks_in(lengths: np.ndarray) -> list[str]:
    """Return in words what stands for no way in some entries."""
    is_missing = np.isnan(lengths)
    numbers = np.unique(lengths[~is_missing]).tolist()
    words = [f"{number:.16g}" for number in numbers]
    return words + ["missing"] * bool(is_missing.any())


def say_forbidden(
    source: str, count: int, marks: list[str], example: str
) -> None:
    """Log how many arcs are forbidden, what stands for that, and one arc."""
    logger.warning(
        "%s: %s (length %s), such as %s.",
        source,
        counted(count, "forbidden arc"),
        " or ".join(marks),
        example,
    )
