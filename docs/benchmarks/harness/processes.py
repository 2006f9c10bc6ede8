"""Runs of programs in processes of their own, measured from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness.experiment import Case
from ncc_routing.core.exceptions import NccRoutingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COMMAND = (sys.executable, "-P", "-m", "ncc_route")
"""The command of this interpreter, whatever the PATH says, and whatever lies
in the working folder."""


@dataclass(frozen=True)
class EndedProcess:
    """What a process wrote and took.

    Parameters
    ----------
    output
        What it wrote to its standard output.
    seconds
        Wall-clock time with its start and exit.
    cpu_seconds
        Time that it held a core.
    peak_mib
        The most memory that it held. Linux counts the memory of the parent
        at the start of a child as the child's, so measuring wants a small
        parent.
    """

    output: str
    seconds: float
    cpu_seconds: float
    peak_mib: float


def run_process(
    words: Sequence[str],
    folder: Path | None = None,
    patience: float = threading.TIMEOUT_MAX,
) -> EndedProcess:
    """Run a program to its end.

    Parameters
    ----------
    words
        The program and its arguments.
    folder
        Where it runs; default the working folder.
    patience
        Seconds after which it is killed; default never.

    Raises
    ------
    NccRoutingError
        If the program fails: with the last line that it wrote.
    OSError
        If there is no such program.
    """
    with (
        tempfile.TemporaryFile("w+", errors="replace") as out,
        tempfile.TemporaryFile("w+", errors="replace") as err,
    ):
        begun = time.perf_counter()
        with subprocess.Popen(
            words, stdout=out, stderr=err, cwd=folder
        ) as process:
            guard = threading.Timer(patience, process.kill)
            guard.start()
            try:
                # Not process.wait(): only this tells the peak of one child.
                _, status, usage = os.wait4(process.pid, 0)
            finally:
                guard.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begun
        out.seek(0)
        err.seek(0)
        output = out.read()
        if process.returncode != 0:
            last = last_line(err.read()) or last_line(output)
            code = f"{Path(words[0]).name}: exit code {process.returncode}"
            raise NccRoutingError(last or code)
    return EndedProcess(
        output,
        round(seconds, 3),
        round(usage.ru_utime + usage.ru_stime, 3),
        round(usage.ru_maxrss / 1024, 1),
    )


def last_line(text: str) -> str:
    """Return the last line of a text that is not empty."""
    return text.strip().rpartition("\n")[2].strip()


def run_command(*arguments: object) -> dict[str, Any]:
    """Run ``ncc-route`` with ``--json``.

    Returns
    -------
    dict
        What the command printed, and of its process the seconds
        (``process_seconds``), ``cpu_seconds`` and ``peak_mib``, as in
        ``EndedProcess``.

    Raises
    ------
    NccRoutingError
        If the command fails: with the last line of its stderr.
    """
    ended = run_process([*COMMAND, *map(str, arguments), "--json"])
    return {
        **json.loads(ended.output),
        "process_seconds": ended.seconds,
        "cpu_seconds": ended.cpu_seconds,
        "peak_mib": ended.peak_mib,
    }


def solve_file(
    file: Path, seed: int, budget: float | str | None, *options: object
) -> dict[str, Any]:
    """Solve an instance file in a process of its own.

    Parameters
    ----------
    file
        The instance.
    seed
        Seed of the run.
    budget
        Time limit in seconds, ``None`` for none.
    *options
        Further words of the command.

    Returns
    -------
    dict
        As ``run_command``, with seconds and cost of the first stage.
    """
    limit = () if budget is None else ("--time-limit", budget)
    run = run_command("solve", file, "--seed", seed, *limit, *options)
    stages = run.pop("stages")
    return {
        **run,
        "instance": file.stem,
        "time_limit": budget,
        "work_seconds": run["runtime_seconds"],
        "construction_seconds": stages[0]["seconds"],
        "construction_cost": stages[0]["cost"],
        "stages": " ".join(f"{s['name']}={s['seconds']}" for s in stages),
    }


def generate_file(
    num_customers: int, seed: int, route_length: float | None = None
) -> Path:
    """Return the file of an instance of the X family, written if missing.

    A process of its own makes it, so that this one stays small.

    Parameters
    ----------
    num_customers, seed
        As for ``ncc-route generate``.
    route_length
        Mean number of customers of a full vehicle. Default: drawn.
    """
    folder = Path(tempfile.gettempdir(), "ncc_routing_benchmarks")
    words: tuple[object, ...] = ("--seed", seed)
    if route_length is not None:
        folder /= f"routes_of_{route_length:g}"
        words += ("--route-length", route_length)
    file = folder / f"NCC-n{num_customers + 1:04d}-s{seed}.vrp"
    if not file.is_file():
        run_command("generate", num_customers, *words, "-o", folder)
    return file


def generated_files(
    sizes: Iterable[int], seed: int, route_length: float | None = None
) -> list[Case]:
    """Return files of instances of the X family by number of customers."""
    mark = "" if route_length is None else f"-r{route_length:g}"
    return [
        Case(
            f"NCC-n{n + 1:04d}-s{seed}{mark}",
            partial(generate_file, n, seed, route_length),
        )
        for n in sizes
    ]


SMALL_FILE = Case("warm-up", partial(generate_file, 2000, 1))
"""Solved before anything is timed, so that files lie in memory."""
