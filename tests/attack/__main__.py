"""Attack the package for a while: ``make attack``.

Prints what was done and what was found, as a table. The exit code is 1 where
anything was found; the inputs then lie in a folder, with the seed and the
number of their case.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.attack.pages import HEAD, describe_commit, format_row, write_page
from tests.attack.parts import BY_PROCESSOR, PARTS
from tests.attack.runner import run_part
from tests.attack.workers import Worker

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
    time = options.seconds or (math.inf if options.demanded else 600.0)
    rows, has_found = [], False
    for part in parts:
        seconds = time * part.share / whole
        first = options.case or 0
        if options.clock == "processor":
            part = BY_PROCESSOR.get(part.name, part)
        if options.demanded:
            part = replace(part, most=part.most or part.enough)
        if options.case is not None:
            part = replace(part, most=first + 1)
        commit = describe_commit()
        report = run_part(
            part,
            options.seed,
            seconds,
            options.findings,
            first,
            jobs=1 if part.is_timed else options.jobs,
        )
        for text in report.findings:
            print(text, file=sys.stderr, flush=True)
        print(f"{part.name}: {dict(report.counts)}", flush=True)
        minutes = report.seconds / 60.0
        run = f"seed {options.seed}, {minutes:.0f} min, {commit}"
        rows.append(format_row(report, run))
        has_found |= bool(report.findings)
        if options.page:
            write_page(rows)
    print("", *HEAD, *rows, sep="\n")
    return int(has_found)


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.attack", description=__doc__
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="time of all parts; default: 600, no limit if --demanded",
    )
    parser.add_argument(
        "--demanded",
        action="store_true",
        help="no more cases of each part than it is to show",
    )
    parser.add_argument(
        "--clock",
        choices=("wall", "processor"),
        default="wall",
        help="what judges limits; processor: on a machine that is shared",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="cases at the same time, but for limits; default: 1",
    )
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
        "--page", action="store_true", help="write the rows into the page"
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


if __name__ == "__main__":
    sys.exit(main())
