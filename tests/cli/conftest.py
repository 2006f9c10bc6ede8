"""Runs the command in this process, and a small instance on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ncc_route.app import main
from ncc_routing.io.vrplib import write_instance, write_solution
from ncc_routing.problems.solution import Solution
from tests.signal_handlers import keeping_handlers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ncc_routing.problems.instance import Instance


class Outcome(NamedTuple):
    """What a run of the command leaves behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


def run_python(
    *arguments: object, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own, with this one's search path."""
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        [sys.executable, "-P", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Run]:
    """Run ``ncc-route`` with some arguments; return code and output."""

    def call(*arguments: object) -> Outcome:
        words = ["ncc-route", *map(str, arguments)]
        monkeypatch.setattr("sys.argv", words)
        with pytest.raises(SystemExit) as stop:
            main()
        captured = capsys.readouterr()
        code = stop.value.code
        return Outcome(int(code or 0), captured.out, captured.err)

    with keeping_handlers():
        yield call


@pytest.fixture
def square_file(square: Instance, tmp_path: Path) -> Path:
    """Write the square as a file, with its best solution (484) beside it."""
    write_instance(tmp_path / "square.vrp", square)
    best = Solution(((1, 4), (2, 3)), 484.0)
    write_solution(tmp_path / "square.sol", best)
    return tmp_path / "square.vrp"


@pytest.fixture
def random_file(random_instance: Instance, tmp_path: Path) -> Path:
    """Write sixty customers as a file, without a solution beside it."""
    write_instance(tmp_path / "random60.vrp", random_instance)
    return tmp_path / "random60.vrp"
