"""0/1 programs against brute force, and what happens at the deadline."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.mip import (
    LinearProgram,
    SparseRows,
    solve_binary_program,
    solve_set_covering,
)
from ncc_routing.stop import TimeLimit

# Three rows: the two middle columns overlap in row 1.
COLUMNS = [[0], [0, 1], [1, 2], [0, 1, 2], [2]]
COSTS = np.array([4.0, 5.0, 5.0, 11.0, 6.0])


def _rows(matrix: np.ndarray) -> SparseRows:
    """Return a dense matrix by rows."""
    rows, cols = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(len(matrix) + 1))
    return SparseRows(starts, cols, matrix[rows, cols])


def _brute_force(
    costs: np.ndarray, matrix: np.ndarray, low: np.ndarray, high: np.ndarray
) -> float:
    """Return the least cost of all 0/1 vectors, inf where none fits."""
    best = np.inf
    for bits in product((0, 1), repeat=len(costs)):
        activity = matrix @ np.array(bits)
        if (activity >= low).all() and (activity <= high).all():
            best = min(best, float(costs @ np.array(bits)))
    return best


def test_covering_by_hand() -> None:
    """Columns 0 and 2 cover all three rows for 9."""
    result = solve_set_covering(COSTS, COLUMNS, 3, nr.stop.TimeLimit(30))
    assert result.status == "optimal"
    assert result.values is not None
    assert result.values.tolist() == [True, False, True, False, False]
    assert result.objective == 9.0
    assert result.bound == pytest.approx(9.0)


@pytest.mark.parametrize("limit", [None, 30.0])
def test_random_programs_equal_brute_force(limit: float | None) -> None:
    """Bounded rows of both kinds."""
    rng = np.random.default_rng(4)
    for _ in range(12):
        matrix = rng.integers(-3, 6, (3, 8)).astype(float)
        low = np.array([-np.inf, 2.0, -4.0])
        high = np.array([9.0, np.inf, 8.0])
        costs = rng.integers(-5, 9, 8).astype(float)
        best = _brute_force(costs, matrix, low, high)
        result = solve_binary_program(
            costs, _rows(matrix), low, high, nr.stop.TimeLimit(limit)
        )
        assert result.objective == best
        assert result.status == "optimal"


def test_infeasible_is_said() -> None:
    """A row that no column contains cannot be covered; no row is."""
    none = np.empty(0)
    assert (
        solve_set_covering(none, [], 0, nr.stop.TimeLimit(9)).status
        == "optimal"
    )
    assert (
        solve_set_covering(none, [], 1, nr.stop.TimeLimit(9)).status
        == "infeasible"
    )
    result = solve_set_covering(np.ones(1), [[0]], 2, nr.stop.TimeLimit(30))
    assert result.status == "infeasible"
    assert result.values is None
    assert result.objective == np.inf


def test_passed_deadline_returns_the_incumbent() -> None:
    """Without time the incumbent is the answer, or there is none."""
    incumbent = np.array([0, 0, 0, 1, 0])
    result = solve_set_covering(
        COSTS, COLUMNS, 3, nr.stop.TimeLimit(0), incumbent
    )
    assert result.status == "feasible"
    assert result.objective == 11.0
    result = solve_set_covering(COSTS, COLUMNS, 3, nr.stop.TimeLimit(0))
    assert (result.status, result.values) == ("timeout", None)


def test_optimal_incumbent_is_proven() -> None:
    """Where nothing better exists the incumbent comes back as optimal."""
    incumbent = np.array([1, 0, 1, 0, 0])
    result = solve_set_covering(
        COSTS, COLUMNS, 3, nr.stop.TimeLimit(30), incumbent
    )
    assert (result.status, result.objective) == ("optimal", 9.0)


@pytest.mark.parametrize("size", [2_000, 10_000])
def test_a_hard_program_ends_with_a_solution_no_worse(size: int) -> None:
    """A covering that takes far longer than allowed keeps its incumbent.

    The larger one has so many nonzeros that it runs in a child.
    """
    rng = np.random.default_rng(1)
    num_rows = 200
    columns = [rng.choice(num_rows, 6, replace=False) for _ in range(size)]
    columns += [np.array([row]) for row in range(num_rows)]
    costs = rng.integers(50, 100, len(columns)).astype(float)
    incumbent = np.zeros(len(columns), dtype=bool)
    incumbent[size:] = True
    result = solve_set_covering(
        costs, columns, num_rows, nr.stop.TimeLimit(1.0), incumbent
    )
    assert result.status == "feasible"
    assert result.values is not None
    assert result.objective <= costs[incumbent].sum()
    assert result.objective == costs[result.values].sum()
    chosen = [columns[j] for j in np.flatnonzero(result.values)]
    assert len(np.unique(np.concatenate(chosen))) == num_rows


@pytest.mark.parametrize(
    ("incumbent", "message"),
    [([1, 0, 0, 0, 0], "every row"), ([1, 0], "5 values, got 2")],
)
def test_wrong_incumbents(incumbent: list[int], message: str) -> None:
    """One that breaks a row or has the wrong length, and wrong shapes."""
    with pytest.raises(nr.ParameterError, match=message):
        solve_set_covering(
            COSTS, COLUMNS, 3, nr.stop.TimeLimit(9), np.array(incumbent)
        )
    with pytest.raises(nr.ParameterError, match=r"0\.\.1"):
        solve_set_covering(COSTS, COLUMNS, 2, nr.stop.TimeLimit(9))
    with pytest.raises(nr.ParameterError, match="4 columns"):
        solve_set_covering(COSTS[:4], COLUMNS, 3, nr.stop.TimeLimit(9))


def test_highs_is_loaded_at_first_use_only() -> None:
    """Importing the module does not import HiGHS."""
    code = (
        "import sys, ncc_routing.core.mip; sys.exit('highspy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_threads_take_turns() -> None:
    """Four at once get the answer of one alone."""
    rng = np.random.default_rng(5)
    costs = rng.integers(50, 99, 400).astype(float)
    columns = [rng.choice(60, 5, replace=False) for _ in range(399)]
    columns.append(np.arange(60))

    def solve(_: int) -> float:
        found = solve_set_covering(
            costs, columns, 60, nr.stop.TimeLimit(), gap=0.02
        )
        return found.objective

    alone = solve(0)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(solve, range(4))) == [alone] * 4


def test_a_linear_program_grows_by_columns_and_rows() -> None:
    """Cover two things: by 3 + 3, by both for 4, and then with x >= 2."""
    program = LinearProgram(np.ones(2))
    program.add_columns(
        np.array([3.0, 3.0]),
        SparseRows(np.array([0, 1, 2]), np.array([0, 1]), np.ones(2)),
    )
    found = program.solve(TimeLimit())
    assert found is not None
    assert (found.objective, found.duals.tolist()) == (6.0, [3.0, 3.0])
    program.add_columns(
        np.array([4.0]),
        SparseRows(np.array([0, 2]), np.array([0, 1]), np.ones(2)),
    )
    found = program.solve(TimeLimit())
    assert found is not None
    assert (found.objective, found.values.tolist()) == (4.0, [0.0, 0.0, 1.0])
    program.add_rows(
        np.array([2.0]),
        SparseRows(np.array([0, 1]), np.array([2]), np.ones(1)),
    )
    found = program.solve(TimeLimit())
    assert found is not None
    assert (found.objective, found.duals.tolist()) == (8.0, [0.0, 0.0, 4.0])
    program.remove_columns(np.array([0]))
    found = program.solve(TimeLimit())
    assert found is not None
    assert found.values.tolist() == [0.0, 2.0]
