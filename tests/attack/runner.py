"""Runs the parts of the attack, each for its share of the time."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.attack.outcomes import Counts, Found
from tests.attack.workers import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

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
    judge: Callable[[Counts], str | None] | None = None


@dataclass
class Report:
    """What a part did: counts of its cases, and where its findings lie."""

    part: Part
    counts: Counts = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0


def run_part(
    part: Part, seed: int, seconds: float, findings: Path, first: int = 0
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
    """
    report, begun = Report(part), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        work = Path(folder)
        worker = Worker(part.function, work / "log.txt", part.patience)
        number = first
        try:
            while (
                time.perf_counter() - begun < seconds
                and len(report.findings) < MOST_FINDINGS
                and (part.most is None or number < part.most)
            ):
                place = work / "case"
                place.mkdir()
                report.counts["cases"] += 1
                try:
                    counts = worker.run(seed, part.name, number, place)
                    report.counts += counts
                    text = "late" if counts["late"] else ""
                except Found as found:
                    text = f"{part.name} {number}, seed {seed}: {found}"
                    report.findings.append(text)
                if text:
                    name = f"{part.name.replace(' ', '-')}-{number}"
                    keep(place, findings / name, text)
                shutil.rmtree(place, ignore_errors=True)
                number += 1
        finally:
            worker.close()
    verdict = part.judge(report.counts) if part.judge else None
    if verdict is not None:
        report.findings.append(f"{part.name}: {verdict}")
    report.seconds = time.perf_counter() - begun
    return report


def keep(place: Path, target: Path, text: str) -> None:
    """Keep what a case wrote, and what was found."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(place, target, symlinks=True)
    (target / "finding.txt").write_text(text + "\n", encoding="utf-8")
