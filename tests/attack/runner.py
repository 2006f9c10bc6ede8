"""Runs the parts of the attack, each for its share of the time."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from tests.attack.outcomes import Counts, Found
from tests.attack.workers import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_FINDINGS: Final = 20
"""Findings of a part after which it ends: they are mended first."""


@dataclass(frozen=True)
class Part:
    """One kind of attack.

    Parameters
    ----------
    name
        Its name, on the command line and in the folder of findings.
    what
        What it does, in a few words, for the table.
    function
        "module:name" of its cases.
    share
        Share of the time that it gets, relative to the others.
    patience
        Processor seconds after which a case counts as a hang. Default 10.
    most
        Number of cases that there are; the cases then are not drawn but
        numbered. Default: any number.
    enough
        Number of cases that the package is to withstand, see
        ``--demanded``. Default: all that there are.
    is_timed
        Whether no other case may run at the same time. Default no.
    judge
        What is wrong with the counts of all cases, or ``None``. Default:
        nothing is.
    """

    name: str
    what: str
    function: str
    share: float
    patience: float = 10.0
    most: int | None = None
    enough: int | None = None
    is_timed: bool = False
    judge: Callable[[Counts], str | None] | None = None


@dataclass
class Report:
    """What a part did: counts of its cases, and where its findings lie."""

    part: Part
    counts: Counts = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0


def run_part(
    part: Part,
    seed: int,
    seconds: float,
    findings: Path,
    first: int = 0,
    jobs: int = 1,
) -> Report:
    """Make cases of a part until its time has passed.

    Parameters
    ----------
    part
        The part.
    seed
        Seed of the attack.
    seconds
        Wall-clock time, which the last case may exceed.
    findings
        Folder that gets a folder for each finding: what the case wrote, and
        finding.txt.
    first
        Number of the first case. Default 0.
    jobs
        Number of processes that make cases at the same time. Default 1.
    """
    report, begun = Report(part), time.perf_counter()
    with (
        tempfile.TemporaryDirectory(prefix="attack-") as folder,
        ThreadPoolExecutor(jobs) as pool,
    ):
        numbers = count(first)
        run = _Run(report, seed, findings, begun + seconds)
        works = [Path(folder, str(job)) for job in range(jobs)]
        for done in [pool.submit(run.work, numbers, work) for work in works]:
            done.result()
    verdict = part.judge(report.counts) if part.judge else None
    if verdict is not None:
        report.findings.append(f"{part.name}: {verdict}")
    report.seconds = time.perf_counter() - begun
    return report


class _Run:
    """A part that is run: its report, and when it ends."""

    def __init__(
        self, report: Report, seed: int, findings: Path, end: float
    ) -> None:
        self._report = report
        self._seed = seed
        self._findings = findings
        self._end = end
        self._lock = Lock()

    def work(self, numbers: Iterator[int], work: Path) -> None:
        """Make cases in one process until there are enough."""
        part = self._report.part
        work.mkdir()
        worker = Worker(part.function, work / "log.txt", part.patience)
        try:
            for number in numbers:
                if part.most is not None and number >= part.most:
                    return
                if len(self._report.findings) >= MOST_FINDINGS:
                    return
                place = work / "case"
                place.mkdir()
                self._make(worker, number, place)
                shutil.rmtree(place, ignore_errors=True)
                if time.perf_counter() >= self._end:
                    return
        finally:
            worker.close()

    def _make(self, worker: Worker, number: int, place: Path) -> None:
        """Make one case, and keep what it found."""
        report, name = self._report, self._report.part.name
        counts: Counts = Counter()
        text = ""
        try:
            counts = worker.run(self._seed, name, number, place)
            text = "late" if counts["late"] else ""
        except Found as found:
            text = f"{name} {number}, seed {self._seed}: {found}"
        with self._lock:
            report.counts["cases"] += 1
            report.counts += counts
            if text and not counts["late"]:
                report.findings.append(text)
        if text:
            folder = f"{name.replace(' ', '-')}-{number}"
            keep(place, self._findings / folder, text)


def keep(place: Path, target: Path, text: str) -> None:
    """Keep what a case wrote, and what was found."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(place, target, symlinks=True)
    (target / "finding.txt").write_text(text + "\n", encoding="utf-8")
