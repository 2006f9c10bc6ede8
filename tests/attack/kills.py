"""Verbs that are killed, interrupted, or cannot write: no file is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from tests.attack.outcomes import Counts, Found, require, require_line
from tests.attack.verbs import (
    NUM_EPOCHS,
    VERBS,
    Verb,
    input_folder,
    require_whole,
)
from tests.attack.workers import happens

if TYPE_CHECKING:
    import random

REPOSITORY: Final = Path(__file__).resolve().parents[2]
MARK: Final = "NCC_ROUTING_ATTACK"
"""Variable of the environment by which the children are known."""

SIGNALS: Final = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
INTERRUPTED: Final = (0, 130, 143)
"""Exit codes of a verb that a signal ends: done before it, or interrupted."""

PATIENCE: Final = 10.0
"""Processor seconds from a signal to the end; four times as many where there
is none."""

GRACE: Final = 15.0
"""Seconds after which no child may be there."""

SIZES: Final = (0, 1, 40, 300, 1_000, 4_096, 20_000, 100_000)
"""Bytes after which a write fails, or ends the process."""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    errors: str
    seconds: float


def warm() -> None:
    """Make the inputs once."""
    input_folder()


def kill_at_random(_: int, rng: random.Random, folder: Path) -> Counts:
    """Send a signal at a random moment; no file is lost or half."""
    verb = _draw(rng)
    usual = undisturbed(verb)
    number = rng.choice(SIGNALS)
    before = prepare(verb, folder, usual)
    moment = rng.uniform(0.0, 1.1 * usual.seconds)
    ended = run_verb(verb, folder, signal_after=(number, moment))
    name = signal.Signals(number).name
    what = f"{verb.name}, {name} after {moment:.2f} s"
    if number != signal.SIGKILL:
        text = f"{what}: exit code {ended.code}: {ended.errors[-2000:]}"
        require(ended.code in INTERRUPTED, text)
        require("Traceback" not in ended.errors, text)
    is_killed = number == signal.SIGKILL
    require_files(verb, folder, before, what, may_leave=is_killed)
    require_resumable(verb, folder, what)
    return Counter({name: 1})


def kill_at_a_write(_: int, rng: random.Random, folder: Path) -> Counts:
    """Kill before a change of a file, or in the middle of a write."""
    verb = _draw(rng)
    trap = rng.choice(("at", "at", "at", "middle"))
    value = rng.randrange(1, 12) if trap == "at" else rng.choice(SIZES)
    if trap == "middle" and verb.parallel:
        trap, value = "at", 1
    before = prepare(verb, folder, undisturbed(verb))
    ended = run_verb(verb, folder, trap, value)
    what = f"{verb.name}, {trap} {value}"
    require_files(verb, folder, before, what, may_leave=True)
    require_resumable(verb, folder, what)
    return Counter({"kills" if ended.code < 0 else "not reached": 1})


def fill_the_disk(_: int, rng: random.Random, folder: Path) -> Counts:
    """Let writes fail; the message names a file, older ones are intact."""
    verb = rng.choice([verb for verb in VERBS if not verb.parallel])
    size = rng.choice(SIZES)
    before = prepare(verb, folder, undisturbed(verb))
    ended = run_verb(verb, folder, "full", size)
    what = f"{verb.name}, files of {size} bytes"
    text = f"{what}: exit code {ended.code}: {ended.errors[-2000:]}"
    require(ended.code in (0, 1), text)
    for sign in ("Traceback", "internal error", "[Errno"):
        require(sign not in ended.errors, text)
    if ended.code == 1:
        last = ended.errors.strip().splitlines()[-1]
        require_line(last)
        names = [Path(output).name for output in verb.outputs]
        require(any(name in last for name in names), f"no file named: {text}")
    require_files(verb, folder, before, what, may_leave=False)
    return Counter({"failed writes" if ended.code else "enough room": 1})


def _draw(rng: random.Random) -> Verb:
    return rng.choices(VERBS, [verb.weight for verb in VERBS])[0]


@dataclass(frozen=True)
class Usual:
    """What a verb does where nothing disturbs it.

    Parameters
    ----------
    seconds
        Time from its start to its end.
    folder
        Folder with its files.
    """

    seconds: float
    folder: Path


@cache
def undisturbed(verb: Verb) -> Usual:
    """Run a verb, once in a process.

    Raises
    ------
    Found
        If it does not end with 0, or its files are not whole.
    """
    folder = input_folder().with_name(f"{input_folder().name}-{uuid4().hex}")
    # What other verbs did lies there as well.
    others = shutil.ignore_patterns("done-*")
    shutil.copytree(input_folder(), folder, ignore=others)
    try:
        ended = run_verb(verb, folder)
        text = f"{verb.name}: exit code {ended.code}: {ended.errors}"
        require(ended.code == 0, text)
        found = input_folder() / f"done-{uuid4().hex}"
        require_files(verb, folder, {}, verb.name, may_leave=False)
        shutil.copytree(folder, found)
    finally:
        shutil.rmtree(folder)
    return Usual(ended.seconds, found)


def prepare(verb: Verb, folder: Path, usual: Usual) -> dict[Path, bytes]:
    """Put inputs and older outputs into a folder; return the latter.

    A verb that goes on with what it finds gets an empty folder.
    """
    for entry in input_folder().iterdir():
        if entry.name.startswith("done-"):
            continue
        if entry.is_dir():
            shutil.copytree(entry, folder / entry.name)
        else:
            shutil.copy(entry, folder)
    before = {}
    for output in verb.outputs:
        if not output.endswith("/"):
            shutil.copy(usual.folder / output, folder / output)
            before[folder / output] = (folder / output).read_bytes()
    return before


def run_verb(
    verb: Verb,
    folder: Path,
    trap: str = "none",
    value: int = 0,
    signal_after: tuple[int, float] | None = None,
) -> Ended:
    """Run a verb in a folder, with a trap or a signal.

    Parameters
    ----------
    verb, folder
        The verb and the folder of its inputs.
    trap, value
        See ``driver.py``. Default: none.
    signal_after
        A signal, and the seconds after which it is sent; SIGINT goes to all
        processes of the verb, as from a keyboard. Default: none.

    Raises
    ------
    Found
        If it does not end, or a process that it started goes on.
    """
    mark = uuid4().hex
    paths = (str(REPOSITORY), str(REPOSITORY / "cli"))
    old = os.environ.get("PYTHONPATH", "")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((*paths, old)),
        MARK: mark,
    }
    ready, theirs = os.pipe()
    words = [str(theirs), trap, str(value), *verb.words.split()]
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.attack.driver", *words],
        cwd=folder,
        env=environment,
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
    patience = 4 * PATIENCE
    if signal_after is not None:
        number, moment = signal_after
        time.sleep(moment)
        send = os.killpg if number == signal.SIGINT else os.kill
        if child.poll() is None:
            send(child.pid, number)
        patience = PATIENCE
    if not happens(partial(_has_ended, child), child.pid, patience):
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        raise Found(f"{verb.name}: not ended after {patience} s")
    seconds = time.perf_counter() - begun
    # Processes that outlive it would keep the pipe open.
    require_no_children(mark, verb.name)
    errors = child.communicate()[1]
    return Ended(child.returncode, errors, seconds)


def _has_ended(child: subprocess.Popen[str], seconds: float) -> bool:
    """Wait some seconds for the end of a process; whether it came."""
    try:
        child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def require_no_children(mark: str, what: str) -> None:
    """Report processes that outlive the one that started them (Linux)."""
    end = time.perf_counter() + GRACE
    while left := _marked(mark):
        if time.perf_counter() > end:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            raise Found(f"{what}: {len(left)} processes outlive it")
        time.sleep(0.1)


def _marked(mark: str) -> list[int]:
    """Return the processes with a mark in their environment."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in place.read_bytes():
                found.append(int(place.parent.name))
        except OSError:  # it has ended, or is not ours
            continue
    return found


def require_files(
    verb: Verb,
    folder: Path,
    before: dict[Path, bytes],
    what: str,
    *,
    may_leave: bool,
) -> None:
    """Report lost, half and stray files.

    Parameters
    ----------
    verb, folder
        The verb, and where it ran.
    before
        The content of older outputs.
    what
        What was done, for the message.
    may_leave
        Whether hidden files may be left, as after SIGKILL.
    """
    for file, content in before.items():
        require(file.exists(), f"{what}: {file.name} is lost")
        if file.read_bytes() != content:
            _require_whole(file, folder, what)
    known = {path.name for path in input_folder().iterdir()}
    known |= {file.name for file in before}
    known |= {output.partition("/")[0] for output in verb.outputs}
    places = [folder / o for o in verb.outputs if o.endswith("/")]
    found = [f for p in places if p.is_dir() for f in p.rglob("*")]
    strays = [p for p in folder.iterdir() if p.name not in known]
    for file in found:
        if file.name.startswith("."):
            strays.append(file)
        elif file.is_file():
            _require_whole(file, folder, what)
    for file in strays:
        is_hidden = file.name.startswith(".")
        require(may_leave and is_hidden, f"{what}: a stray {file.name}")


def _require_whole(file: Path, folder: Path, what: str) -> None:
    try:
        require_whole(file, folder)
    except Exception as error:  # of a reader of the package, or a finding
        raise Found(f"{what}: {error}") from error


def require_resumable(verb: Verb, folder: Path, what: str) -> None:
    """Report a verb that cannot go on where it was ended."""
    if not verb.resumes:
        return
    ended = run_verb(verb, folder)
    text = (
        f"{what}, then again: exit code {ended.code}: {ended.errors[-2000:]}"
    )
    require(ended.code == 0, text)
    require_files(verb, folder, {}, f"{what}, then again", may_leave=True)
    for file in folder.glob("training/learning_curve.csv"):
        rows = len(file.read_text(encoding="utf-8").splitlines()) - 1
        require(rows == NUM_EPOCHS, f"{what}, then again: {rows} epochs")
