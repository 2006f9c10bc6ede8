"""Ctrl-C, SIGTERM and a full disk, at every moment of a command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from ncc_route.signals import SIGNALS
from ncc_routing.ccp import result as cluster_result
from ncc_routing.ccp import solve as cluster_pipeline
from ncc_routing.core.row_files import read_rows
from ncc_routing.io import vrplib
from ncc_routing.vrp import steps as solve_pipeline
from ncc_routing.vrp.bounds import search as bounds
from tests.cli.conftest import run_python
from tests.oracles.system import small_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Run

POINTS = "id,x,y\na,0,0\nb,0,1\nc,9,9\nd,9,8\n"


def signalled(work: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Return a function before which a signal comes."""

    def call(*arguments: Any, **options: Any) -> Any:
        signal.raise_signal(number)
        return work(*arguments, **options)

    return call


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    "library", ["ncc_route.streams", "ncc_route.app", "typer"]
)
def test_a_signal_while_loading_is_no_traceback(
    number: int, library: str
) -> None:
    """Wherever in the import of whatever library, the first one too."""
    done = run_python(
        "-c",
        "import signal, sys\n"
        "from ncc_route.__main__ import main\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == '{library}':\n"
        f"            signal.raise_signal({int(number)})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "main()\n",
    )
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="Windows has none")
@pytest.mark.parametrize(
    ("before", "code"), [("SIG_DFL", 130), ("SIG_IGN", 0)]
)
def test_the_end_of_a_terminal_is_heard(before: str, code: int) -> None:
    """Unless nohup has silenced it."""
    done = run_python(
        "-c",
        "import signal, sys\n"
        f"signal.signal(signal.SIGHUP, signal.{before})\n"
        "from ncc_route import app, __main__\n"
        "app.app = lambda **_: signal.raise_signal(signal.SIGHUP)\n"
        "__main__.main()\n",
    )
    assert (done.returncode, done.stderr) == (code, "")


def test_a_signal_that_python_drops_comes_again() -> None:
    """What the callback of a weak reference raises is ignored by Python."""
    done = run_python(
        "-c",
        "import signal, time, weakref\n"
        "from ncc_route import interrupts\n"
        "class Thing: pass\n"
        "def clear_up(_): signal.raise_signal(signal.SIGTERM)\n"
        "interrupts.catch_signals()\n"
        "thing = Thing()\n"
        "held = weakref.ref(thing, clear_up)\n"
        "try:\n"
        "    del thing\n"
        "    time.sleep(60)\n"
        "    print('slept')\n"
        "except interrupts.Interrupted:\n"
        "    print('interrupted')\n",
    )
    assert (done.stdout, done.stderr) == ("interrupted\n", "")


def test_a_signal_after_the_answer_changes_nothing() -> None:
    """The code is that of the answer."""
    done = run_python(
        "-c",
        "import atexit, signal, sys\n"
        "from ncc_route.__main__ import main\n"
        "atexit.register(signal.raise_signal, signal.SIGINT)\n"
        "sys.argv = ['ncc-route', '--version']\n"
        "main()\n",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ncc-route ")


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("module", "name"),
    [(solve_pipeline, "with_start"), (vrplib, "write_solution")],
    ids=["early", "late"],
)
def test_solve_writes_its_answer_after_a_signal(
    run: Run,
    square_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    number: int,
) -> None:
    """As it starts, and just before the file is written."""
    target = tmp_path / "answer.sol"
    monkeypatch.setattr(module, name, signalled(getattr(module, name), number))
    done = run("solve", square_file, "--time-limit 0.5 -o", target)
    assert done.code == 130
    assert "cost" in done.out
    run.succeeds("check", square_file, target)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("module", "name"),
    [(solve_pipeline, "with_start"), (bounds, "bound_of")],
    ids=["search", "bound"],
)
def test_a_signal_ends_the_bound_as_well(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    number: int,
) -> None:
    """A proof would take longer than this test may."""
    monkeypatch.setattr(module, name, signalled(getattr(module, name), number))
    words = "solve NCC-n0101-s1 --time-limit 0.1 --bound-seconds 600 --json"
    done = run(*words.split())
    assert done.code == 130
    stage = json.loads(done.out)["stages"][-1]
    assert stage["name"] == "bound"
    assert stage["seconds"] < 5.0


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    ("module", "name"),
    [(cluster_pipeline, "budget_of"), (cluster_result, "write_labels")],
    ids=["early", "late"],
)
@pytest.mark.parametrize("method", ["ckm", "pack"])
def test_cluster_writes_its_answer_after_a_signal(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    module: Any,
    name: str,
    number: int,
) -> None:
    """Also where its method has found nothing yet."""
    file, target = tmp_path / "points.csv", tmp_path / "labels.csv"
    file.write_text(POINTS)
    monkeypatch.setattr(module, name, signalled(getattr(module, name), number))
    words = ("cluster", file, "--capacity", 2, "--method", method)
    done = run(*words, "-o", target)
    assert done.code == 130
    labels = [row["cluster"] for row in read_rows(target)]
    assert labels[0] == labels[1] != labels[2] == labels[3]


def test_a_signal_to_the_group_ends_a_bench_quietly(
    square_file: Path, random_file: Path, tmp_path: Path
) -> None:
    """Its workers say nothing, and its rows are whole."""
    table = tmp_path / "out.csv"
    paths = os.pathsep.join(filter(None, sys.path))
    words = "--jobs 2 --methods savings --time-limit 2 --seeds 20 -o"
    process = subprocess.Popen(
        [
            *(sys.executable, "-P", "-m", "ncc_route", "bench"),
            *map(str, (square_file, random_file, *words.split(), table)),
        ],
        env={**os.environ, "PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while not (table.exists() and len(read_rows(table)) > 0):
        assert time.monotonic() < end
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert len(read_rows(table)) < 40


def test_a_full_disk_leaves_the_old_solution(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """And the message names the file."""
    target = tmp_path / "square.sol"
    before = target.read_text()
    with small_files(10):
        done = run("solve", square_file, "--polish none -o", target)
    assert done.code == 1
    assert done.err == (
        f"ncc-route: error: {target}: the file cannot be written: "
        "File too large.\n"
    )
    assert target.read_text() == before


@pytest.mark.parametrize("place", ["exec", "end"])
def test_the_code_is_130_wherever_a_signal_comes(
    place: str, tmp_path: Path
) -> None:
    """While a class is made from a text, and in the last lines of a run."""
    now = "import signal; signal.raise_signal(signal.SIGTERM)"
    code = {
        "exec": f"app.app = lambda **_: exec('{now}')",
        "end": f"signals.ignore_signals = lambda: exec('{now}')",
    }[place]
    file = tmp_path / "injected.py"
    file.write_text(
        "import sys\nsys.argv[1:] = ['--version']\n"
        "from ncc_route import app, signals, __main__\n"
        f"{code}\n__main__.main()\n"
    )
    done = run_python(file)
    assert (done.returncode, done.stderr) == (130, "")
