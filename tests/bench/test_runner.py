"""Runs of methods on instances, in this process and in others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ncc_routing import write_instance
from ncc_routing.bench.opponents import function_of
from ncc_routing.bench.records import COLUMNS
from ncc_routing.bench.runner import Setting, Trial, run_all
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.core.row_files import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing import Instance
    from ncc_routing.bench.records import Json

KEY = ("instance", "method", "seed")


@pytest.fixture
def square_file(square: Instance, tmp_path: Path) -> Path:
    """Return the file of an instance."""
    file = tmp_path / "square.vrp"
    write_instance(file, square)
    return file


def test_row_says_what_was_asked_for(
    square_file: Path, tmp_path: Path
) -> None:
    """A method that chooses another one is found again by its own name."""
    runs = [Trial(square_file, "auto", 1, Setting())]
    (row,) = run_all(runs, 1)
    assert (row["instance"], row["method"]) == ("square", "auto")
    assert (row["cost"], row["feasible"], row["error"]) == (484, True, None)
    with Table(tmp_path / "e.csv", COLUMNS, KEY) as table:
        table.append([row])
    with Table(tmp_path / "e.csv", COLUMNS, KEY) as again:
        assert again.missing(runs, _cells) == []


def test_an_error_is_a_row_with_what_was_known(
    square_file: Path, tmp_path: Path
) -> None:
    """The size where the file was read, and nothing of it else."""
    missing = Trial(tmp_path / "none.vrp", "savings", 1, Setting())
    unknown = Trial(square_file, "magic", 2, Setting(polish="p"))
    first, second = run_all([missing, unknown], 1)
    assert "does not exist" in str(first["error"])
    assert "size_class" not in first
    assert first["feasible"] is False
    assert "magic" in str(second["error"])
    assert (second["num_customers"], second["size_class"]) == (4, "N1")
    assert (second["polish"], second["seed"]) == ("p", 2)


FUNCTIONS = """
import os, sys
import ncc_routing as nr
import pyvrp
from beside import one_each
from ncc_routing.pyvrp.adapter import to_problem_data

def by_itself(instance, seed, seconds):
    print("mine")
    os.system("echo started")
    import beside
    return map(iter, one_each(instance, seed, seconds))

def own_result(instance, seed, seconds):
    routes = one_each(instance, seed, seconds)
    return nr.solve(
        instance, nr.stop.NoImprovement(0), initial_solution=routes
    )

def result_of_pyvrp(instance, seed, seconds):
    data = to_problem_data(instance)
    return pyvrp.solve(data, pyvrp.stop.MaxIterations(1), display=False)

def fails(instance, seed, seconds):
    return 1 / (seconds or 0)

def fails_later(instance, seed, seconds):
    yield [1]
    raise ValueError("too late")

def leaves(instance, seed, seconds):
    sys.exit(3)

def never_ends(instance, seed, seconds):
    while True:
        yield []

def forgets(instance, seed, seconds):
    return [[1]]

def says_yes(instance, seed, seconds):
    return [[True], [2], [3], [4]]

class Solution:
    pass

def of_another(instance, seed, seconds):
    return Solution()
"""
BESIDE = """
def one_each(instance, seed, seconds):
    return [[customer] for customer in range(1, instance.num_customers + 1)]
"""


@pytest.fixture
def functions(tmp_path: Path) -> Path:
    """Return a file with functions, and a module beside it."""
    (tmp_path / "beside.py").write_text(BESIDE, encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(FUNCTIONS, encoding="utf-8")
    return file


def test_functions_of_a_file_run_beside_methods(
    square_file: Path, functions: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Four ways to a corner and back take 8 x 71; prints go to stderr."""
    names = ("one_each", "by_itself", "own_result", "result_of_pyvrp")
    setting = Setting(polish="auto")
    runs = [
        Trial(square_file, f"{functions}:{name}", 1, setting) for name in names
    ]
    rows = list(run_all(runs, 1))
    assert [row["error"] for row in rows] == [None] * 4
    assert [row["polish"] for row in rows] == ["none"] * 4
    assert [row["cost"] for row in rows[:2]] == [568, 568]
    assert rows[0]["num_routes"] == 4
    assert str(functions.parent) not in sys.path
    out, err = capfd.readouterr()
    assert out == ""
    assert "mine" in err
    assert "started" in err


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_of_functions_are_rows(
    square_file: Path, functions: Path, jobs: int
) -> None:
    """Those in the call, and those in what it returns."""
    errors = {
        "fails": "ZeroDivisionError: division by zero",
        "fails_later": "failed: ValueError: too late",
        "leaves": "failed: SystemExit: 3",
        "never_ends": "more than 12 routes or stops in a row",
        "forgets": "customer 2 is not visited",
        "says_yes": "must be routes of customers",
        "of_another": "got <run_path>.Solution",
        "missing": "must name a function",
    }
    runs = [
        Trial(square_file, f"{functions}:{name}", 1, Setting())
        for name in errors
    ]
    rows = {
        str(row["method"]).rpartition(":")[2]: str(row["error"])
        for row in run_all(runs, jobs)
    }
    assert rows.keys() == errors.keys()
    for name, error in errors.items():
        assert error in rows[name]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"x = 1\ndef f(:", "SyntaxError: .*line 2"),
        (b"'\xe4'", "SyntaxError"),
        (b"import no_such_module", "No module named 'no_such_module'"),
        (b"raise SystemExit(3)", "SystemExit: 3"),
        (None, "is a folder"),
    ],
)
def test_files_that_cannot_be_run_are_named(
    tmp_path: Path, content: bytes | None, error: str
) -> None:
    """In one line."""
    file = tmp_path / "d.py"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    with pytest.raises(NccRoutingError, match=rf"d\.py.*{error}"):
        function_of(f"{file}:f")


def _cells(run: Trial) -> Json:
    return run.cells
