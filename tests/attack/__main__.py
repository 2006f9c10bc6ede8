"""Attack the package for a while: ``make attack``.

Prints what was done and what was found, as a table. The exit code is 1 where
anything was found; the inputs then lie in a folder, with the seed and the
number of their case.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from ncc_routing.benchmarking.pages import replace_block
from ncc_routing.benchmarking.protocol import ask_git
from tests.attack.parts import PARTS
from tests.attack.runner import Report, format_reports, run_part
from tests.attack.workers import Worker

PAGE: Final = Path(__file__).parents[2] / "docs" / "dev" / "reliability.md"
BLOCK: Final = "attack"
"""Page of the counts, and the name of the block in it."""

COMPILING: Final = 1_200.0
"""Seconds after which compiling every kernel is given up."""


def main() -> int:
    """Attack; return 1 where something was found."""
    options = read_options()
    if not options.no_warm:
        warm_up()
    wanted = options.only or [part.name for part in PARTS]
    wanted = [name for name in wanted if name not in options.leave_out]
    parts = [part for part in PARTS if part.name in wanted]
    whole = sum(part.share for part in parts)
    reports = []
    for part in parts:
        seconds = options.seconds * part.share / whole
        first = options.case or 0
        if options.case is not None:
            part = replace(part, most=first + 1)
        report = run_part(part, options.seed, seconds, options.findings, first)
        reports.append(report)
        for text in report.findings:
            print(text, file=sys.stderr, flush=True)
        print(f"{part.name}: {dict(report.counts)}", flush=True)
    table = f"{format_reports(reports)}\n\n{describe(options.seed, reports)}"
    print(f"\n{table}")
    if options.page:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replace_block(text, BLOCK, table), encoding="utf-8")
    return int(any(report.findings for report in reports))


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.attack", description=__doc__
    )
    parser.add_argument("--seconds", type=float, default=600.0, metavar="S")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=[part.name for part in PARTS],
        metavar="PART",
        help=", ".join(part.name for part in PARTS),
    )
    parser.add_argument(
        "--leave-out",
        nargs="+",
        choices=[part.name for part in PARTS],
        default=[],
        metavar="PART",
    )
    parser.add_argument(
        "--case", type=int, metavar="N", help="this case of the parts alone"
    )
    parser.add_argument(
        "--findings",
        type=Path,
        default=Path("out", "attack"),
        metavar="FOLDER",
        help="where inputs go that found something; default: out/attack",
    )
    parser.add_argument(
        "--page", action="store_true", help="write the table into its page"
    )
    parser.add_argument(
        "--no-warm", action="store_true", help="all kernels are compiled"
    )
    return parser.parse_args()


def warm_up() -> None:
    """Compile every kernel, so that no time of a case is the compiler's."""
    with tempfile.TemporaryDirectory() as folder:
        worker = Worker(
            "tests.attack.repeated:compile_all",
            Path(folder, "log.txt"),
            COMPILING,
        )
        try:
            worker.run(0, "warm-up", 0, Path(folder))
        finally:
            worker.close()


def describe(seed: int, reports: list[Report]) -> str:
    """Return one line about a run."""
    seconds = sum(report.seconds for report in reports)
    commit = ask_git("rev-parse", "--short", "HEAD") or "unknown"
    if ask_git("status", "--porcelain"):
        commit += " with changes"
    return (
        f"Seed {seed}, {seconds:.0f} s, commit {commit}, "
        f"Python {platform.python_version()}, {platform.system()}."
    )


if __name__ == "__main__":
    sys.exit(main())
