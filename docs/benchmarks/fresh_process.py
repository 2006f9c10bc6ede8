"""Runs of ``ncc-route`` in processes of their own, measured from outside.

Used by ``time_limit.py`` and ``large.py``. It imports nothing large: Linux
counts the memory of the parent at the start of a child as the child's.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND = (sys.executable, "-m", "ncc_route.app")


@dataclass(frozen=True)
class Run:
    """One call of the command.

    Parameters
    ----------
    answer
        What ``--json`` printed; empty where the run failed.
    error
        The last line of stderr of a run that failed, else "".
    process_seconds
        Wall-clock time of the process, with its start, imports and exit.
    cpu_seconds
        Time that it held a core.
    peak_mib
        Most memory that the process held, in MiB.
    """

    answer: dict[str, Any]
    error: str
    process_seconds: float
    cpu_seconds: float
    peak_mib: float


def run(*arguments: object) -> Run:
    """Run ``ncc-route`` with ``--json``."""
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
        failed = process.returncode != 0
        return Run(
            answer={} if failed else json.load(out),
            error=err.read().strip().rpartition("\n")[2] if failed else "",
            process_seconds=seconds,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_mib=usage.ru_maxrss / 1024,
        )


def generate(num_customers: int, seed: int, folder: Path) -> Path:
    """Write an instance of the X family and return its file."""
    made = run("generate", num_customers, "--seed", seed, "-o", folder)
    return Path(made.answer["files"][0])


def write_table(file: Path, rows: Sequence[dict[str, object]]) -> None:
    """Write rows of the same keys as CSV."""
    with file.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def describe_machine() -> str:
    """Return a sentence about machine, date and commit."""
    from ncc_routing.benchmarking.protocol import describe_protocol
    from ncc_routing.benchmarking.runner import BenchmarkPlan

    made = describe_protocol(BenchmarkPlan((), ("savings",)))
    return (
        f"Made on {str(made['date'])[:10]} at commit {made['commit']}, "
        f"{made['num_cpus']} x {made['cpu']}, Python {made['python']}."
    )
