"""Control characters of files and their names never reach a terminal."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ncc_route
from ncc_route.app import app
from ncc_route.output import PlainFormatter
from ncc_routing import NccRoutingError

HOSTILE = "\x1b]0;owned\x07\x9b31m"

DATA = Path(__file__).parents[1] / "io" / "data"
TEXT = re.sub(
    r"^(NAME|COMMENT) : .*$",
    rf"\1 : {HOSTILE}",
    (DATA / "tiny.vrp").read_text(),
    flags=re.M,
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a file whose name and text are hostile, with a solution."""
    file = tmp_path / f"{HOSTILE}.vrp"
    file.write_text(TEXT, encoding="utf-8")
    file.with_suffix(".sol").write_text("Route #1: 1 2\nCost 9\n")
    return file


def require_plain(text: str) -> None:
    """Require lines of characters that a terminal shows."""
    assert text
    assert all(line.isprintable() for line in text.split("\n"))


def test_what_verbs_print(hostile: Path, tmp_path: Path) -> None:
    """Names of the instance and of files, in words and in JSON."""
    solution = str(hostile.with_suffix(".sol"))
    output = str(tmp_path / f"{HOSTILE}-out.sol")
    quick = ["--method", "sweep", "--polish", "none", "--output", output]
    for arguments in (
        ["solve", str(hostile), *quick],
        ["solve", str(hostile), *quick, "--json"],
        ["check", str(hostile), solution],
        ["plot", str(hostile), solution, "-o", f"{output}.svg"],
        ["plot", str(hostile), solution, "-o", f"{output}.txt"],
    ):
        answer = CliRunner().invoke(app, arguments)
        require_plain(answer.stdout + answer.stderr)


def test_known_instances(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listing shows names of files."""
    monkeypatch.setenv("NCC_ROUTING_DATA", str(hostile.parent))
    answer = CliRunner().invoke(app, ["instances"])
    assert "owned" in answer.stdout
    require_plain(answer.stdout)


def test_errors_and_the_log(hostile: Path) -> None:
    """What breaks a rule is quoted; so are paths in the log."""
    hostile.write_text(TEXT.replace("2 3 4", f"2 3 {HOSTILE}"))
    answer = CliRunner().invoke(app, ["solve", str(hostile)])
    assert isinstance(answer.exception, NccRoutingError)
    require_plain(str(answer.exception))
    record = logging.LogRecord(
        "a", logging.WARNING, "", 1, "%s: not used", (HOSTILE,), None
    )
    require_plain(PlainFormatter("%(message)s").format(record))


def test_one_place_prints() -> None:
    """Whatever a verb says goes through ``output``."""
    folder = Path(ncc_route.__file__).parent
    printing = [
        file.name
        for file in folder.glob("*.py")
        if "typer.echo(" in file.read_text()
    ]
    assert printing == ["output.py"]
