"""Runs of ``ncc-route`` in processes of their own, measured from outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ncc_routing.benchmarking.experiment import Case
from ncc_routing.core.exceptions import NccRoutingError

if TYPE_CHECKING:
    from collections.abc import Iterable

COMMAND = (sys.executable, "-m", "ncc_route.app")
"""The command of this interpreter, whatever the PATH says."""


def run_command(*arguments: object) -> dict[str, Any]:
    """Run ``ncc-route`` with ``--json``.

    Returns
    -------
    dict
        What the command printed, and of its process: the wall-clock time
        with its start, imports and exit (``process_seconds``), the time
        that it held a core (``cpu_seconds``) and the most memory that it
        held, in MiB (``peak_mib``). Linux counts the memory of the parent
        at the start of a child as the child's, so these runs want a small
        parent.

    Raises
    ------
    NccRoutingError
        If the command fails: with the last line of its stderr.
    """
    words = [*COMMAND, *map(str, arguments), "--json"]
    with (
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        begun = time.perf_counter()
        with subprocess.Popen(words, stdout=out, stderr=err) as process:
            # Not process.wait(): only this tells the peak of one child.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begun
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise NccRoutingError(err.read().strip().rpartition("\n")[2])
        answer: dict[str, Any] = json.load(out)
    return {
        **answer,
        "process_seconds": round(seconds, 3),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "peak_mib": round(usage.ru_maxrss / 1024, 1),
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


def generated_files(sizes: Iterable[int], seed: int) -> list[Case]:
    """Return files of instances of the X family by number of customers."""
    return [
        Case(f"NCC-n{n + 1:04d}-s{seed}", partial(generate_file, n, seed))
        for n in sizes
    ]


SMALL_FILE = Case("warm-up", partial(generate_file, 2000, 1))
"""More customers than all pairs are made of, so that all kernels compile."""
