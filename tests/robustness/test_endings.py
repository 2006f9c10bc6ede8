"""Verbs that are killed, interrupted, or cannot write: no file is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncc_route import app
from tests.robustness.support import cases, check_line
from tests.robustness.verbs import (
    NUM_EPOCHS,
    VERBS,
    Verb,
    check_whole,
    write_inputs,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="needs signals"
)
REPOSITORY: Final = Path(__file__).resolve().parents[2]
MARK: Final = "NCC_ROUTING_ROBUSTNESS"
"""Variable of the environment by which the children are known."""

SIGNALS: Final = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
INTERRUPTED: Final = (0, 130, 143)
"""Exit codes of a verb that a signal ends: done before it, or interrupted."""

PATIENCE: Final = 300.0
"""Seconds after which a verb hangs, on a busy machine."""

GRACE: Final = 30.0
"""Seconds from the end of a verb to the end of its children."""

SIZES: Final = (0, 1, 40, 300, 1_000, 4_096, 20_000, 100_000)
"""Bytes after which a write fails, or ends the process."""

ALONE: Final = tuple(verb for verb in VERBS if not verb.parallel)


@dataclass(frozen=True)
class Ended:
    """Exit code, stderr, and seconds of a verb."""

    code: int
    errors: str
    seconds: float


@pytest.fixture(scope="module", autouse=True)
def _inputs() -> Iterator[None]:
    """Write the inputs once, and remove them at the end."""
    yield
    for function in (_undisturbed, _input_folder):
        function.cache_clear()
    while _KEEPERS:
        _KEEPERS.pop().cleanup()


_KEEPERS: Final[list[tempfile.TemporaryDirectory[str]]] = []


def _new_folder() -> Path:
    keeper = tempfile.TemporaryDirectory(prefix="endings-")
    _KEEPERS.append(keeper)
    return Path(keeper.name)


@cache
def _input_folder() -> Path:
    folder = _new_folder()
    write_inputs(folder)
    return folder


@cache
def _undisturbed(verb: Verb) -> tuple[float, Path]:
    """Return the time that a verb takes, and a folder with its files."""
    folder = _new_folder()
    shutil.copytree(_input_folder(), folder, dirs_exist_ok=True)
    ended = run_verb(verb, folder)
    assert ended.code == 0, ended.errors
    check_files(verb, folder, {})
    return ended.seconds, folder


def prepare(verb: Verb, folder: Path) -> dict[Path, bytes]:
    """Put inputs and older outputs into a folder; return the latter."""
    usual = _undisturbed(verb)[1]
    shutil.copytree(_input_folder(), folder, dirs_exist_ok=True)
    before = {}
    for output in verb.outputs:
        if not output.endswith("/"):
            shutil.copy(usual / output, folder / output)
            before[folder / output] = (folder / output).read_bytes()
    return before


def run_verb(
    verb: Verb,
    folder: Path,
    trap: str = "none",
    value: int = 0,
    signal_after: tuple[int, float] | None = None,
) -> Ended:
    """Run a verb in a folder to its end, and its children to theirs.

    ``driver.py`` explains the traps. A signal is sent after some seconds;
    SIGINT goes to all processes of the verb, as from a keyboard.
    """
    mark = uuid4().hex
    # Coverage would write to a full disk, and fail, too.
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("COVERAGE_")
    }
    paths = (REPOSITORY, REPOSITORY / "cli", os.environ.get("PYTHONPATH", ""))
    ready, theirs = os.pipe()
    words = [str(theirs), trap, str(value), *verb.words.split()]
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.robustness.driver", *words],
        cwd=folder,
        env={
            **inherited,
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            MARK: mark,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(theirs,),
        start_new_session=True,
        text=True,
    )
    os.close(theirs)
    with os.fdopen(ready, "rb") as pipe:
        pipe.read(1)
    begun = time.perf_counter()
    if signal_after is not None:
        number, moment = signal_after
        time.sleep(moment)
        if child.poll() is None:
            send = os.killpg if number == signal.SIGINT else os.kill
            send(child.pid, number)
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        pytest.fail(f"{verb.words} does not end: {child.communicate()[1]}")
    seconds = time.perf_counter() - begun
    # Processes that outlive it would keep the pipe open.
    check_children(mark)
    return Ended(child.returncode, child.communicate()[1], seconds)


def check_children(mark: str) -> None:
    """Demand that no process outlives the one that started it (Linux)."""
    end = time.perf_counter() + GRACE
    while left := _marked(mark):
        if time.perf_counter() > end:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"{len(left)} processes outlive their parent")
        time.sleep(0.1)


def _marked(mark: str) -> list[int]:
    """Return the processes with a mark in their environment."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or is not ours
            if wanted in place.read_bytes():
                found.append(int(place.parent.name))
    return found


def check_files(
    verb: Verb,
    folder: Path,
    before: dict[Path, bytes],
    *,
    may_leave: bool = False,
) -> None:
    """Demand no lost, half or stray files; SIGKILL may leave hidden ones.

    ``before`` is the content of older outputs.
    """
    for file, content in before.items():
        assert file.exists(), f"lost: {file.name}"
        if file.read_bytes() != content:
            check_whole(file, folder)
    known = {path.name for path in _input_folder().iterdir()}
    known |= {output.partition("/")[0] for output in verb.outputs}
    strays = [path for path in folder.iterdir() if path.name not in known]
    for output in verb.outputs:
        for file in folder.joinpath(output).rglob("*"):
            if file.name.startswith("."):
                strays.append(file)
            elif file.is_file():
                check_whole(file, folder)
    for file in strays:
        assert may_leave, f"stray: {file.name}"
        assert file.name.startswith("."), f"stray: {file.name}"


def check_resumable(verb: Verb, folder: Path) -> None:
    """Demand that a verb goes on where it was ended, if it says so."""
    if not verb.resumes:
        return
    ended = run_verb(verb, folder)
    assert ended.code == 0, ended.errors
    check_files(verb, folder, {}, may_leave=True)
    for file in folder.glob("training/learning_curve.csv"):
        rows = file.read_text(encoding="utf-8").splitlines()
        assert len(rows) == NUM_EPOCHS + 1


@given(
    verb=st.sampled_from(VERBS),
    number=st.sampled_from(SIGNALS),
    share=st.floats(0.0, 1.1),
)
@cases(2, 155)
def test_signals_leave_whole_files(
    verb: Verb, number: signal.Signals, share: float
) -> None:
    """A signal at any moment; SIGTERM and SIGINT leave no traceback."""
    folder = _new_folder()
    before = prepare(verb, folder)
    moment = share * _undisturbed(verb)[0]
    ended = run_verb(verb, folder, signal_after=(number, moment))
    is_killed = number == signal.SIGKILL
    if not is_killed:
        assert ended.code in INTERRUPTED, ended.errors
        assert "Traceback" not in ended.errors
    check_files(verb, folder, before, may_leave=is_killed)
    check_resumable(verb, folder)


@given(
    case=st.one_of(
        st.tuples(st.sampled_from(VERBS), st.just("at"), st.integers(1, 11)),
        st.tuples(
            st.sampled_from(ALONE), st.just("middle"), st.sampled_from(SIZES)
        ),
    )
)
@cases(2, 75)
def test_kills_at_writes_leave_whole_files(
    case: tuple[Verb, str, int],
) -> None:
    """A kill before a change of a file, or in the middle of a write."""
    verb, trap, value = case
    folder = _new_folder()
    before = prepare(verb, folder)
    run_verb(verb, folder, trap, value)
    check_files(verb, folder, before, may_leave=True)
    check_resumable(verb, folder)


@given(verb=st.sampled_from(ALONE), size=st.sampled_from(SIZES))
@cases(2, 40)
def test_full_disks_leave_older_files(verb: Verb, size: int) -> None:
    """A write that fails ends with a line that names the file."""
    folder = _new_folder()
    before = prepare(verb, folder)
    ended = run_verb(verb, folder, "full", size)
    assert ended.code in (0, 1), ended.errors
    for sign in ("Traceback", "internal error", "[Errno"):
        assert sign not in ended.errors
    if ended.code == 1:
        last = ended.errors.strip().splitlines()[-1]
        check_line(last)
        assert any(Path(output).name in last for output in verb.outputs)
    check_files(verb, folder, before)


def test_every_verb_that_writes_is_killed() -> None:
    """All verbs but those that write no files of their own."""
    killed = {verb.words.split()[0] for verb in VERBS}
    verbs = {name.__name__.replace("_", "-") for name in app.VERBS}
    reading = {"bound", "check", "diagnose", "evaluate", "mcp", "serve"}
    assert killed == verbs - reading
