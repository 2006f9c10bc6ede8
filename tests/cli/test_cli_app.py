"""Exit codes, the one line of an error, and what the options promise."""

from __future__ import annotations

import os
import platform
import signal
from importlib import metadata
from typing import TYPE_CHECKING, NoReturn

import pytest

from ncc_route import app
from ncc_routing.vrp import solve as pipeline
from tests.cli.conftest import run_python

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_version_names_what_a_report_needs(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours and those of the libraries, of which one may be missing."""
    monkeypatch.setattr(app, "VERSIONED", ("numpy", "no-such-package"))
    assert run("--version").out.splitlines() == [
        f"ncc-route {metadata.version('ncc_routing')}",
        f"Python {platform.python_version()}",
        f"numpy {metadata.version('numpy')}",
        "no-such-package not installed",
    ]


def test_help_and_version_are_light() -> None:
    """Both end with 0, and no library is loaded to say its version."""
    for option in ("--help", "--version"):
        done = run_python(
            "-c",
            f"import sys; sys.argv = ['ncc-route', '{option}']\n"
            "from ncc_route.app import main, VERSIONED\n"
            "try: main()\n"
            "except SystemExit as stop:\n"
            "    loaded = [m for m in VERSIONED if m in sys.modules]\n"
            "    print(stop.code, loaded, file=sys.stderr)",
        )
        assert done.stderr in ("0 []\n", "None []\n")
        for name in app.VERSIONED if option == "--version" else ("solve",):
            assert name in done.stdout


def test_verbose_logs_beside_the_answer(run: Run, square_file: Path) -> None:
    """--verbose changes nothing on standard output."""
    words = ("check", square_file, square_file.with_suffix(".sol"))
    assert run("-v", *words).out == run(*words).out


@pytest.mark.parametrize("place", [0, 2])
def test_debug_shows_the_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: int
) -> None:
    """--debug lets the exception through, wherever it stands."""
    from ncc_route.app import main
    from ncc_routing import InstanceError

    words = ["solve", str(tmp_path / "missing.vrp")]
    words.insert(place, "--debug")
    monkeypatch.setattr("sys.argv", ["ncc-route", *words])
    with pytest.raises(InstanceError):
        main()


def test_unexpected_error_is_one_line_too(
    run: Run, square_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug does not show people a traceback, but says that it is one."""

    def fail(*args: object, **kwargs: object) -> NoReturn:
        raise KeyError("oops")

    monkeypatch.setattr(pipeline, "solve", fail)
    done = run("solve", square_file)
    assert done.code == 1
    assert done.err == (
        "ncc-route: error: internal error: KeyError: 'oops' "
        "(--debug shows more)\n"
    )


@pytest.mark.parametrize("numbers", ["INT", "TERM", "INT INT"])
def test_signals_without_an_answer_exit_with_130(
    run: Run, square_file: Path, monkeypatch: pytest.MonkeyPatch, numbers: str
) -> None:
    """One while a file is read; a second one ends a run at once."""

    def interrupted(*args: object, **kwargs: object) -> NoReturn:
        for number in numbers.split():
            os.kill(os.getpid(), signal.Signals[f"SIG{number}"])
        signal.pause()
        raise AssertionError("the signal was ignored")

    if numbers == "INT INT":
        monkeypatch.setattr(pipeline, "solve", interrupted)
        words: tuple[object, ...] = ("solve",)
    else:
        reader = "ncc_routing.desk.problem.read_with_form"
        monkeypatch.setattr(reader, interrupted)
        words = ("check", square_file)
    assert run(*words, square_file).code == 130
