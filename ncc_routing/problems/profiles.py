"""Distances and durations that count for some vehicles alone."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.forbidden_arcs import (
    MARKS,
    is_no_way,
    marks_in,
    say_forbidden,
)
from ncc_routing.problems.values import (
    ReadOnlyArrays,
    lengths,
    longest_finite,
    numbers,
    require_size,
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

    Raises
    ------
    InstanceError
        If a matrix is not square, the two differ in size, or an entry is
        negative or not a number.
    """

    matrix: np.ndarray = field(repr=False)
    durations: np.ndarray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        size = len(np.atleast_1d(numbers("profile", "matrix", self.matrix)))
        matrix = checked_matrix("profile", "matrix", self.matrix, size)
        object.__setattr__(self, "matrix", matrix)
        if self.durations is not None:
            durations = checked_matrix(
                "profile", "durations", self.durations, size
            )
            object.__setattr__(self, "durations", durations)


def checked_matrix(
    source: str, field: str, value: object, size: int
) -> np.ndarray:
    """Return a matrix of lengths that are not negative, ``inf`` included.

    From a node to itself they are 0, whatever is given. What stands for no way
    becomes ``inf``, and that is said.
    """
    matrix = lengths(source, field, value, (size, size))
    for tail, head in np.argwhere(matrix < 0)[:1].tolist():
        name = "distances" if field == "matrix" else field
        rule = f"{name} must not be negative, as entry {(tail + 1, head + 1)}"
        raise InstanceError(source, field, rule, float(matrix[tail, head]))
    np.fill_diagonal(matrix, 0.0)
    if longest_finite(matrix) >= MARKS[0] or np.isnan(matrix).any():
        is_marked = is_no_way(matrix) & (matrix != np.inf)
        if is_marked.any():
            tail, head = (1 + np.argwhere(is_marked)[0]).tolist()
            where = f"entry {(tail, head)}"
            marks = marks_in(matrix[is_marked])
            count = int(is_marked.sum())
            say_forbidden(f"{source}: {field}", count, marks, where)
            matrix[is_marked] = np.inf
    require_size(source, field, matrix[np.isfinite(matrix)])
    matrix.flags.writeable = False
    return matrix
