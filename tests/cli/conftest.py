"""Runs the command in this process, and a small instance on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ncc_route.app import main
from ncc_routing import Solution, write_instance
from ncc_routing.io.vrplib import write_solution
from tests.oracles.system import keeping_handlers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ncc_routing import Instance


class Outcome(NamedTuple):
    """What a run of the command leaves behind."""

    code: int
    out: str
    err: str


class Run:
    """Runs ``ncc-route`` in this process."""

    def __init__(
        self, patch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[str]
    ) -> None:
        self._patch, self._captured = patch, captured

    def __call__(self, *arguments: object) -> Outcome:
        """Return the exit code and the output; blanks part texts."""
        parts = (
            each.split() if isinstance(each, str) else [str(each)]
            for each in arguments
        )
        self._patch.setattr("sys.argv", ["ncc-route", *chain(*parts)])
        with pytest.raises(SystemExit) as stop:
            main()
        return Outcome(int(stop.value.code or 0), *self._captured.readouterr())

    def succeeds(self, *arguments: object) -> Outcome:
        """Require the exit code 0."""
        done = self(*arguments)
        assert done.code == 0, done.err
        return done

    def json(self, *arguments: object, code: int = 0) -> Any:
        """Return the object that ``--json`` prints."""
        done = self(*arguments, "--json")
        assert done.code == code, done.err
        return json.loads(done.out)

    def fails(self, code: int, message: str, *arguments: object) -> Outcome:
        """Require an exit code, and a message on stderr."""
        done = self(*arguments)
        assert done.code == code
        assert message in done.err
        return done


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
    """Run ``ncc-route`` with some arguments."""
    with keeping_handlers():
        yield Run(monkeypatch, capsys)


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
