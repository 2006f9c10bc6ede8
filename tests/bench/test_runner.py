"""Runs of methods on instances, in this process and in others."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ncc_routing import write_instance
from ncc_routing.bench.records import COLUMNS
from ncc_routing.bench.row_files import Table
from ncc_routing.bench.runner import Setting, Trial, distribute, run_all

if TYPE_CHECKING:
    from ncc_routing import Instance
    from ncc_routing.bench.records import Json

KEY = ("instance", "method", "seed")


@pytest.fixture
def square_file(square: Instance, tmp_path: Path) -> Path:
    """Return the file of an instance."""
    file = tmp_path / "square.vrp"
    write_instance(file, square)
    return file


def test_a_dead_worker_has_a_second_try(tmp_path: Path) -> None:
    """Its task is tried once more; the other ones go on."""

    def die(place: str) -> int:
        """Die by a signal: always, or where a file is to be made."""
        file = Path(place)
        if not file.exists():
            if place != "always":
                file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    places = ["always", str(tmp_path / "once"), str(tmp_path)]
    died: list[str] = []

    def note(place: str, error: Exception) -> int:
        died.append(f"{place}: {error}")
        return 0

    found = list(distribute(die, places, note, 2))
    assert died == ["always: a worker process was killed by signal 9."]
    assert len(found) == 3
    assert os.getpid() not in found


def test_what_a_script_defines_reaches_the_workers() -> None:
    """A function that no module has, as in a script of the user."""
    (found,) = distribute(lambda _: os.getpid(), ["x"], lambda *_: 0, jobs=2)
    assert found not in (0, os.getpid())


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
def one_each(instance, seed, seconds):
    return [[customer] for customer in range(1, instance.num_customers + 1)]

def fails(instance, seed, seconds):
    return 1 / (seconds or 0)

def forgets(instance, seed, seconds):
    return [[1]]
"""


def test_functions_of_a_file_run_beside_methods(
    square_file: Path, tmp_path: Path
) -> None:
    """Four ways to a corner and back take 8 x 71; errors are rows."""
    file = tmp_path / "mine.py"
    file.write_text(FUNCTIONS, encoding="utf-8")
    names = ("one_each", "fails", "forgets", "none")
    runs = [
        Trial(square_file, f"{file}:{name}", 1, Setting()) for name in names
    ]
    good, failing, forgetting, missing = run_all(runs, 1)
    assert (good["feasible"], good["num_routes"]) == (True, 4)
    assert good["cost"] == 568
    assert "ZeroDivisionError: division by zero" in str(failing["error"])
    assert "customer 2 is not visited" in str(forgetting["error"])
    assert "must name a function" in str(missing["error"])


def _cells(run: Trial) -> Json:
    return run.cells
