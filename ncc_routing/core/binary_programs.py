"""Programs in 0/1 variables as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import ParameterError

_FEASIBILITY_TOLERANCE: Final = 1e-6
"""What a row of a 0/1 solution may be off by: rounding errors."""


class SparseRows(NamedTuple):
    """A matrix by rows (CSR).

    Attributes
    ----------
    starts
        Int array of shape (num_rows + 1,): row r has the entries
        ``starts[r]:starts[r + 1]``.
    indices
        Int array of the columns of the entries.
    values
        Float array of the entries.
    """

    starts: np.ndarray
    indices: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class BinaryProgram:
    """Minimise costs x, row_lower <= A x <= row_upper, x in {0, 1}.

    Parameters
    ----------
    costs
        Cost of each variable, shape (num_cols,).
    matrix
        The matrix A.
    by_rows
        Whether it is stored by rows; else by columns.
    row_lower, row_upper
        Bounds of A x, shape (num_rows,).
    gap
        Relative gap at which a solution counts as optimal.
    incumbent
        A known solution, shape (num_cols,), or ``None``.
    """

    costs: np.ndarray
    matrix: SparseRows
    by_rows: bool
    row_lower: np.ndarray
    row_upper: np.ndarray
    gap: float
    incumbent: np.ndarray | None

    def activity(self, values: np.ndarray) -> np.ndarray:
        """Return A x, shape (num_rows,)."""
        major = np.repeat(
            np.arange(len(self.matrix.starts) - 1),
            np.diff(self.matrix.starts),
        )
        minor = self.matrix.indices
        rows, cols = (major, minor) if self.by_rows else (minor, major)
        return np.bincount(
            rows,
            weights=self.matrix.values * values[cols],
            minlength=len(self.row_lower),
        )

    def accepts(self, values: np.ndarray) -> bool:
        """Whether 0/1 values satisfy every row."""
        activity = self.activity(values)
        slack = _FEASIBILITY_TOLERANCE
        return bool(
            (activity >= self.row_lower - slack).all()
            and (activity <= self.row_upper + slack).all()
        )

    def require_consistent(self) -> None:
        """Refuse shapes that do not agree, and a wrong incumbent.

        Raises
        ------
        ParameterError
            It names the rule.
        """
        num_cols, num_rows = len(self.costs), len(self.row_lower)
        matrix = self.matrix
        major, minor = num_rows, num_cols
        if not self.by_rows:
            major, minor = num_cols, num_rows
        if len(matrix.starts) != major + 1 or len(self.row_upper) != num_rows:
            raise ParameterError(
                f"the matrix must have {num_rows} rows and {num_cols} columns."
            )
        used = matrix.indices
        if len(used) > 0 and not 0 <= used.min() <= used.max() < minor:
            raise ParameterError(f"matrix indices must lie in 0..{minor - 1}.")
        start = self.incumbent
        if start is None:
            return
        if len(start) != num_cols:
            raise ParameterError(
                f"the incumbent must have {num_cols} values, got {len(start)}."
            )
        if not self.accepts(np.asarray(start).astype(bool)):
            raise ParameterError("the incumbent must satisfy every row.")
