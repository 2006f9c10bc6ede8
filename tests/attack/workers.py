"""A process that makes cases, and whose death is a finding."""

from __future__ import annotations

import faulthandler
import multiprocessing as mp
import os
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tests.attack.outcomes import Counts, Found, seeded

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from tests.attack.outcomes import Case

MOST_MEMORY: Final = 300
"""MB that reading a refused input may take."""

MOST_DATA: Final = 4 * 2**30
"""Bytes of data of a worker, so that a hostile input ends it alone."""


BUSY: Final = 20.0
"""Wall-clock seconds that a second of patience stands for, if the process
gets only a part of a processor."""


def happens(
    event: Callable[[float], bool], pid: int | None, patience: float
) -> bool:
    """Wait for an event; a busy machine gets more time for it.

    Parameters
    ----------
    event
        Waits up to the given seconds; whether it has happened.
    pid
        The process that works for it.
    patience
        Processor seconds of the process after which it is given up.
    """
    end = time.perf_counter() + BUSY * patience
    most = processor_seconds(pid) + patience
    while not event(0.2):
        if time.perf_counter() > end or processor_seconds(pid) > most:
            return event(0.0)
    return True


class Worker:
    """A process for the cases of one function.

    Parameters
    ----------
    function
        "module:name" of the case; where its module has a function ``warm``,
        that is called first.
    log
        File for what is written to stdout and stderr.
    patience
        Seconds of processor time after which a case counts as a hang.
    """

    def __init__(self, function: str, log: Path, patience: float) -> None:
        self._function = function
        self._log = log
        self._patience = patience
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def run(self, seed: int, part: str, number: int, folder: Path) -> Counts:
        """Make one case, in a new process if the last one has ended.

        Raises
        ------
        Found
            If the case found something, hangs, or ended the process.
        """
        pipe = self._pipe or self._start()
        pipe.send((seed, part, number, folder))
        assert self._process is not None
        if not happens(pipe.poll, self._process.pid, self._patience):
            words = self._stack()
            self.close()
            text = f"no answer within {self._patience:g} seconds"
            raise Found(f"{text}:\n{words}")
        try:
            counts, text = pipe.recv()
        except EOFError:
            self.close()
            raise Found(
                f"the interpreter died:\n{self._last_words()}"
            ) from None
        if text is not None:
            raise Found(text)
        return Counter(counts)

    def close(self) -> None:
        """End the process, at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _start(self) -> Connection:
        context = mp.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, self._function, self._log)
        )
        self._process.start()
        theirs.close()
        try:
            ours.recv()  # ready
        except EOFError:
            self._process = None
            raise Found(f"no worker:\n{self._last_words()}") from None
        self._pipe = ours
        return ours

    def _stack(self) -> str:
        """Return where the process is, in Python."""
        assert self._process is not None
        assert self._process.pid is not None
        if hasattr(signal, "SIGUSR1"):
            os.kill(self._process.pid, signal.SIGUSR1)
            time.sleep(0.2)
        return self._last_words()

    def _last_words(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")[-3000:]


def _serve(pipe: Connection, function: str, log: Path) -> None:
    """Make cases until the other side is gone: the side of the process."""
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    faulthandler.enable()
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1)
    # Overflow in an accepted input is no answer to it.
    warnings.simplefilter("error", RuntimeWarning)
    module, _, name = function.partition(":")
    loaded = import_module(module)
    if hasattr(loaded, "warm"):
        loaded.warm()
    case: Case = getattr(loaded, name)
    _limit_memory()
    pipe.send(None)
    while True:
        try:
            seed, part, number, folder = pipe.recv()
        except EOFError:
            return
        before = _start_peak()
        counts: Counts = Counter()
        text = None
        try:
            counts = case(number, seeded(seed, part, number), folder)
            taken = _peak() - before
            if counts["refused"] and taken > MOST_MEMORY:
                text = f"{taken:.0f} MB for a refused input"
        except Found as found:
            text = str(found)
        except KeyboardInterrupt:
            return
        except BaseException:  # whatever it is, it is found
            text = traceback.format_exc()
        pipe.send((dict(counts), text))


def _limit_memory() -> None:
    """Let a process fail that asks for very much memory (Linux)."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_DATA, hard))


def _start_peak() -> float:
    """Forget the largest memory so far; return what is used now, in MB."""
    if sys.platform != "linux":
        return 0.0
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return _status("VmRSS")


def _peak() -> float:
    """Return the largest memory since ``_start_peak``, in MB."""
    return _status("VmHWM") if sys.platform == "linux" else 0.0


def processor_seconds(pid: int | None, ended: float | None = None) -> float:
    """Return the processor time of a process.

    Of one that is not there ``ended``, if given, or the clock.
    """
    try:
        with open(f"/proc/{pid}/stat") as file:
            words = file.read().rpartition(")")[2].split()
    except OSError:
        return time.perf_counter() if ended is None else ended
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _status(field: str) -> float:
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    return 0.0
