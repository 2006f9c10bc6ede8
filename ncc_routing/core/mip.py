"""Linear programs and programs in 0/1 variables: the one door to HiGHS."""

from __future__ import annotations

import logging
import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.processes import call_in_child
from ncc_routing.core.stopping import TimeLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

logger = logging.getLogger(__name__)

DEFAULT_GAP: Final = 1e-6
"""Relative gap between solution and bound that counts as optimal."""

_SEED: Final = 1
"""Seed of HiGHS, always the same."""

_MAX_NONZEROS_IN_PROCESS: Final = 60_000
"""Nonzeros up to which HiGHS runs in this process.

It looks at its clock only between its steps: with so many it ended within
0.2 s of its limit, with 900,000 it took 13 s where 5 s were allowed. Beyond,
it runs in a process that can be ended, whose start costs about 0.3 s.
"""

_HEAD_START: Final = 0.1
"""Seconds before the deadline at which a process ends by itself."""

_TURN: Final = threading.Lock()
"""Held while HiGHS runs in this process: a second run at the same time, in
another thread, is an error of highspy."""

_PATIENCE: Final = 0.05
"""Seconds between two looks at the deadline."""


_FEASIBILITY_TOLERANCE: Final = 1e-6
"""What a row of a 0/1 solution may be off by: rounding errors."""


_DUAL_SIMPLEX: Final = 1
_PRIMAL_SIMPLEX: Final = 4
"""Strategies of HiGHS."""


class SparseRows(NamedTuple):
    """A matrix by rows (CSR); row r is starts[r]:starts[r + 1]."""

    starts: np.ndarray
    indices: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class _BinaryProgram:
    """Minimise costs x, row_lower <= A x <= row_upper, x in {0, 1}.

    ``by_rows`` says whether A is stored by rows, else by columns.
    """

    costs: np.ndarray
    matrix: SparseRows
    by_rows: bool
    row_lower: np.ndarray
    row_upper: np.ndarray
    gap: float
    incumbent: np.ndarray | None

    def activity(self, values: np.ndarray) -> np.ndarray:
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


@dataclass(frozen=True, eq=False)
class BinaryResult:
    """What is known about a 0/1 program when the solver ends.

    ``status`` is "optimal" (proven up to the gap), "feasible", "infeasible"
    (proven) or "timeout" (neither). ``values`` is ``None`` and ``objective``
    ``inf`` without a solution; ``bound`` is -inf where none is proven.
    """

    values: np.ndarray | None
    objective: float
    status: str
    bound: float


_TIMEOUT: Final = BinaryResult(None, math.inf, "timeout", -math.inf)
_INFEASIBLE: Final = BinaryResult(None, math.inf, "infeasible", math.inf)
"""Answers without a solution."""


def solve_binary_program(
    costs: np.ndarray,
    rows: SparseRows,
    row_lower: np.ndarray,
    row_upper: np.ndarray,
    deadline: TimeLimit,
    incumbent: np.ndarray | None = None,
    gap: float = DEFAULT_GAP,
) -> BinaryResult:
    """Minimise ``costs x`` over 0/1 vectors with bounded rows, by HiGHS.

    One thread and a fixed seed: the same program gives the same answer unless
    a limit strikes. The deadline is kept to about 0.2 s at any size. The
    answer is never worse than ``incumbent``. ``gap`` is the relative gap that
    counts as optimal.

    ``ParameterError`` is raised if shapes differ or the incumbent breaks a
    row.
    """
    program = _BinaryProgram(
        np.asarray(costs, dtype=np.float64),
        rows,
        True,
        np.asarray(row_lower, dtype=np.float64),
        np.asarray(row_upper, dtype=np.float64),
        gap,
        incumbent,
    )
    return _solve(program, deadline)


def solve_set_covering(
    costs: np.ndarray,
    columns: Sequence[Sequence[int] | np.ndarray],
    num_rows: int,
    deadline: TimeLimit,
    incumbent: np.ndarray | None = None,
    gap: float = DEFAULT_GAP,
) -> BinaryResult:
    """Choose the cheapest columns that together contain every row.

    ``columns`` lists the rows, 0..num_rows - 1, of each column. The rest
    is as in ``solve_binary_program``.
    """
    sizes = [len(column) for column in columns]
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    members = [np.asarray(column, dtype=np.int64) for column in columns]
    indices = np.concatenate([np.empty(0, dtype=np.int64), *members])
    program = _BinaryProgram(
        np.asarray(costs, dtype=np.float64),
        SparseRows(starts, indices, np.ones(len(indices))),
        False,
        np.ones(num_rows),
        np.full(num_rows, np.inf),
        gap,
        incumbent,
    )
    return _solve(program, deadline)


def _solve(program: _BinaryProgram, deadline: TimeLimit) -> BinaryResult:
    """Run HiGHS where it can be stopped in time; keep the better solution."""
    program.require_consistent()
    kept = _TIMEOUT
    if program.incumbent is not None:
        values = np.asarray(program.incumbent).astype(bool)
        cost = float(program.costs[values].sum())
        kept = BinaryResult(values, cost, "feasible", -math.inf)
    if deadline.passed():
        return kept
    if len(program.costs) == 0:
        if program.accepts(np.zeros(0)):
            return BinaryResult(np.zeros(0, dtype=bool), 0.0, "optimal", 0.0)
        return _INFEASIBLE
    small = len(program.matrix.indices) <= _MAX_NONZEROS_IN_PROCESS
    if small or not deadline.is_limited():
        answer = _run_here(program, deadline)
    else:
        answer = _run_in_child(program, deadline)
    if answer.objective < kept.objective or answer.status == "infeasible":
        return answer
    # HiGHS may know a bound, or that nothing better exists.
    status = "optimal" if answer.status == "optimal" else kept.status
    return BinaryResult(kept.values, kept.objective, status, answer.bound)


class LinearSolution(NamedTuple):
    """An optimal solution of a linear program; a dual for each row."""

    objective: float
    values: np.ndarray
    duals: np.ndarray
    reduced_costs: np.ndarray


class LinearProgram:
    """Minimise costs x, row_lower <= A x, x >= 0; rows and columns come later.

    It starts from the last basis, by the simplex method, with one thread and
    a fixed seed.

    Parameters
    ----------
    row_lower
        Lower bound of each row.
    """

    def __init__(self, row_lower: np.ndarray) -> None:
        import highspy

        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        solver.silent()
        for name, value in (
            ("threads", 1),
            ("parallel", "off"),
            ("random_seed", _SEED),
            ("solver", "simplex"),
        ):
            solver.setOptionValue(name, value)
        self._solver = solver
        empty = np.zeros(0)
        starts = np.zeros(len(row_lower) + 1, dtype=np.int64)
        self.add_rows(row_lower, SparseRows(starts, empty, empty))

    def add_rows(self, row_lower: np.ndarray, matrix: SparseRows) -> None:
        """Add rows, whose indices are those of columns."""
        self._strategy = _DUAL_SIMPLEX
        self._solver.addRows(
            len(row_lower),
            np.asarray(row_lower, dtype=float),
            np.full(len(row_lower), np.inf),
            *_parts(matrix),
        )

    def limit_rows(self, row_upper: np.ndarray) -> None:
        """Give the first rows upper bounds."""
        for row, upper in enumerate(row_upper.tolist()):
            lower = self._solver.getLp().row_lower_[row]
            self._solver.changeRowBounds(row, lower, upper)

    def add_columns(self, costs: np.ndarray, matrix: SparseRows) -> None:
        """Add columns; ``matrix`` is stored by columns."""
        self._strategy = _PRIMAL_SIMPLEX
        self._solver.addCols(
            len(costs),
            np.asarray(costs, dtype=float),
            np.zeros(len(costs)),
            np.full(len(costs), np.inf),
            *_parts(matrix),
        )

    def remove_columns(self, columns: np.ndarray) -> None:
        """Remove columns; those behind them move up."""
        chosen = np.asarray(columns, dtype=np.int32)
        self._solver.deleteCols(len(chosen), chosen)

    def remove_rows(self, rows: np.ndarray) -> None:
        """Remove rows; those behind them move up."""
        chosen = np.asarray(rows, dtype=np.int32)
        self._solver.deleteRows(len(chosen), chosen)

    def cost_with(self, lower: float, row: SparseRows) -> float:
        """Return the least cost with one more row, which is not kept.

        ``inf`` where there is no solution.
        """
        basis = self._solver.getBasis()
        self.add_rows(np.array([lower]), row)
        solved = self.solve(TimeLimit(None))
        self.remove_rows(np.array([self._solver.getNumRow() - 1]))
        self._solver.setBasis(basis)
        return math.inf if solved is None else solved.objective

    def solve(self, deadline: TimeLimit) -> LinearSolution | None:
        """Return an optimal solution, ``None`` where the deadline came first.

        HiGHS looks at its clock between its steps.
        """
        import highspy

        solver = self._solver
        end = solver.getRunTime() + min(deadline.remaining(), 1e9)
        solver.setOptionValue("time_limit", float(end))
        # The old basis stays feasible, or dual feasible with new rows.
        solver.setOptionValue("simplex_strategy", self._strategy)
        with _TURN:
            solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solved = solver.getSolution()
        return LinearSolution(
            float(solver.getInfo().objective_function_value),
            np.array(solved.col_value),
            np.array(solved.row_dual),
            np.array(solved.col_dual),
        )


class MixedProgram:
    """Minimise several costs in turn, column_lower <= x <= column_upper.

    Rows are added one by one; some columns are whole numbers.
    """

    def __init__(
        self, lower: np.ndarray, upper: np.ndarray, is_whole: np.ndarray
    ) -> None:
        import highspy

        self._solver = highspy.Highs()  # type: ignore[no-untyped-call]
        self._solver.silent()
        for name, value in (
            ("threads", 1),
            ("parallel", "off"),
            ("random_seed", _SEED),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", 1e-6),
        ):
            self._solver.setOptionValue(name, value)
        for bounds in zip(lower.tolist(), upper.tolist(), strict=True):
            self._solver.addVar(*bounds)
        for column in np.flatnonzero(is_whole).tolist():
            kind = highspy.HighsVarType.kInteger
            self._solver.changeColIntegrality(column, kind)

    def add_row(
        self, terms: Mapping[int, float], lower: float, upper: float = math.inf
    ) -> None:
        """Add lower <= sum of terms <= upper, a number for each column."""
        columns = np.array([*terms], dtype=np.int32)
        values = np.array([*terms.values()], dtype=float)
        self._solver.addRow(lower, upper, len(terms), columns, values)

    def minimise(self, *costs: Mapping[int, float]) -> np.ndarray | None:
        """Return values of the least costs, the first ones first.

        ``None`` where no values keep all rows.
        """
        import highspy

        values = None
        for terms in costs:
            for column in range(self._solver.getNumCol()):
                self._solver.changeColCost(column, terms.get(column, 0.0))
            with _TURN:
                self._solver.run()
            status = self._solver.getModelStatus()
            if status != highspy.HighsModelStatus.kOptimal:
                return values
            values = np.array(self._solver.getSolution().col_value)
            least = sum(cost * values[at] for at, cost in terms.items())
            self.add_row(terms, -math.inf, least + _FEASIBILITY_TOLERANCE)
        return values


def _parts(
    matrix: SparseRows,
) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Return a matrix as HiGHS takes additions to its own."""
    return (
        len(matrix.indices),
        np.asarray(matrix.starts[:-1], dtype=np.int32),
        np.asarray(matrix.indices, dtype=np.int32),
        np.asarray(matrix.values, dtype=float),
    )


def _build(program: _BinaryProgram, seconds: float) -> Any:
    """Return a HiGHS object that holds the program and its options."""
    import highspy

    num_cols = len(program.costs)
    model = highspy.HighsLp()
    model.num_col_ = num_cols
    model.num_row_ = len(program.row_lower)
    model.col_cost_ = program.costs
    model.col_lower_ = np.zeros(num_cols)
    model.col_upper_ = np.ones(num_cols)
    model.row_lower_ = program.row_lower
    model.row_upper_ = program.row_upper
    formats = highspy.MatrixFormat
    order = formats.kRowwise if program.by_rows else formats.kColwise
    model.a_matrix_.format_ = order
    model.a_matrix_.start_ = np.asarray(program.matrix.starts, dtype=np.int32)
    model.a_matrix_.index_ = np.asarray(program.matrix.indices, dtype=np.int32)
    model.a_matrix_.value_ = np.asarray(program.matrix.values, dtype=float)
    model.integrality_ = [highspy.HighsVarType.kInteger] * num_cols
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    is_integral = bool((program.costs == np.rint(program.costs)).all())
    for name, value in (
        ("threads", 1),
        ("parallel", "off"),
        ("random_seed", _SEED),
        ("mip_rel_gap", program.gap),
        # Between whole-numbered costs lies 1: less than that is no gap.
        ("mip_abs_gap", 0.999 if is_integral else 0.0),
        ("time_limit", float(seconds)),
    ):
        solver.setOptionValue(name, value)
    solver.passModel(model)
    if program.incumbent is not None:
        start = highspy.HighsSolution()
        start.col_value = np.asarray(program.incumbent, dtype=float)
        start.value_valid = True
        solver.setSolution(start)
    return solver


def _run_here(program: _BinaryProgram, deadline: TimeLimit) -> BinaryResult:
    """Solve in this process, when no other thread of it does."""
    while not _TURN.acquire(timeout=_PATIENCE):
        if deadline.passed():
            return _TIMEOUT
    try:
        return _run(program, deadline)
    finally:
        _TURN.release()


def _run(
    program: _BinaryProgram,
    deadline: TimeLimit,
    report: Callable[[object], None] | None = None,
) -> BinaryResult:
    """Run HiGHS; ``report`` is told each better solution."""
    import highspy

    solver = _build(program, deadline.remaining())
    if report is not None:
        solver.cbMipImprovingSolution.subscribe(
            lambda event: report(np.array(event.data_out.mip_solution))
        )
    # In a thread of its own, so that a signal is handled while it runs.
    solver.HandleUserInterrupt = True
    thread = solver.startSolve()
    try:
        while thread.is_alive():
            thread.join(_PATIENCE)
            if deadline.passed():
                solver.cancelSolve()
    except BaseException:
        solver.cancelSolve()
        thread.join(1.0)
        raise
    info = solver.getInfo()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return _INFEASIBLE
    values = None
    feasible = highspy.SolutionStatus.kSolutionStatusFeasible
    if info.primal_solution_status == feasible:
        values = np.array(solver.getSolution().col_value)
    optimal = status == highspy.HighsModelStatus.kOptimal
    return _result(program, values, optimal, float(info.mip_dual_bound))


def _result(
    program: _BinaryProgram,
    values: np.ndarray | None,
    optimal: bool,
    bound: float,
) -> BinaryResult:
    """Round values to 0/1 and accept them only if they keep every row."""
    if values is not None:
        chosen = values > 0.5
        if program.accepts(chosen):
            cost = float(program.costs[chosen].sum())
            status = "optimal" if optimal else "feasible"
            return BinaryResult(chosen, cost, status, bound)
        logger.warning("HiGHS: a solution broke a row once rounded to 0/1.")
    return BinaryResult(None, math.inf, "timeout", bound)


def _run_in_child(
    program: _BinaryProgram, deadline: TimeLimit
) -> BinaryResult:
    """Solve in a process that is ended at the deadline."""
    messages = call_in_child(_answer, program, deadline)
    if not messages:
        return _TIMEOUT
    last = messages[-1]
    if isinstance(last, BinaryResult):
        return last
    return _result(program, last, False, -math.inf)


def _answer(
    program: _BinaryProgram, seconds: float, send: Callable[[object], None]
) -> None:
    """Solve in the child, sending each better solution at once.

    None is lost when the process is ended; mostly HiGHS ends just before.
    """
    deadline = TimeLimit(max(0.01, seconds - _HEAD_START))
    send(_run(program, deadline, send))
