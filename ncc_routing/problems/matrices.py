"""Matrices of lengths: those of some vehicles, and arcs that are forbidden."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ncc_routing.core.text import counted
from ncc_routing.problems.values import (
    ReadOnlyArrays,
    lengths,
    longest_finite,
    numbers,
    refuse,
    require_size,
)

logger = logging.getLogger(__name__)

MARKS: Final = np.array(
    sorted(
        {
            float(kind(np.iinfo(each).max))
            for each in (np.int32, np.uint32, np.int64, np.uint64)
            for kind in (np.float64, np.float32)
        }
        | {float(np.finfo(each).max) for each in (np.float32, np.float64)}
    )
)
"""Numbers that stand for a forbidden arc: the largest ones of the types of 32
and 64 bits, those of integers as float32 and as float64."""

_PRECISION: Final = 1e-14
"""Excel keeps 15 digits of a number."""


def is_forbidden_arc(lengths: np.ndarray) -> np.ndarray:
    """Return where a matrix holds a mark, inf or nan, but on the diagonal."""
    is_forbidden: np.ndarray = ~(lengths < MARKS[0])
    values = lengths[is_forbidden]
    is_marked = ~np.isfinite(values)
    for mark in MARKS:
        is_marked |= np.abs(values - mark) <= _PRECISION * mark
    is_forbidden[is_forbidden] = is_marked
    np.fill_diagonal(is_forbidden, False)
    return is_forbidden


def marks_in(lengths: np.ndarray) -> list[str]:
    """Return in words what marks a forbidden arc in some entries."""
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


@dataclass(frozen=True, eq=False)
class Profile(ReadOnlyArrays):
    """Distances and durations of some vehicle types.

    Parameters
    ----------
    matrix
        Distances between all nodes, depots included. ``inf`` is an arc that is
        forbidden for the profile.
    durations
        Durations between them; ``inf`` as there. Default: equal to the
        distances.
    lengths
        Metres between them, for the output, if the distances are what arcs
        cost. Default: the distances.

    Raises
    ------
    InstanceError
        If a matrix is not square, the two differ in size, or an entry is
        negative or not a number.
    """

    matrix: np.ndarray = field(repr=False)
    durations: np.ndarray | None = field(default=None, repr=False)
    lengths: np.ndarray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        size = len(np.atleast_1d(numbers("profile", "matrix", self.matrix)))
        matrix = checked_matrix("profile", "matrix", self.matrix, size)
        object.__setattr__(self, "matrix", matrix)
        for part in ("durations", "lengths"):
            if getattr(self, part) is not None:
                given = (part, getattr(self, part))
                array = checked_matrix("profile", *given, size)
                object.__setattr__(self, part, array)


def checked_matrix(
    source: str,
    field: str,
    value: object,
    size: int,
) -> np.ndarray:
    """Return a matrix of lengths that are not negative, ``inf`` included.

    From a node to itself they are 0, whatever is given. What marks a forbidden
    arc becomes ``inf``, and that is said.
    """
    matrix = lengths(source, field, value, (size, size))
    name = "distances" if field == "matrix" else field
    rule = f"{name} must not be negative, as entry {{entry}}"
    if not matrix.min(initial=0.0) >= 0:  # nan spreads
        refuse(matrix < 0, source, field, rule, matrix)
    np.fill_diagonal(matrix, 0.0)
    if not matrix.max(initial=0.0) < MARKS[0]:
        is_marked = is_forbidden_arc(matrix) & (matrix != np.inf)
        if is_marked.any():
            tail, head = (1 + np.argwhere(is_marked)[0]).tolist()
            where = f"entry {(tail, head)}"
            marks = marks_in(matrix[is_marked])
            count = int(is_marked.sum())
            say_forbidden(f"{source}: {field}", count, marks, where)
            matrix[is_marked] = np.inf
    require_size(source, field, np.array(longest_finite(matrix)))
    matrix.flags.writeable = False
    return matrix
