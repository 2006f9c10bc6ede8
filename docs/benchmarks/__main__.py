"""Run recorded experiments and write the pages that show them.

``python -m benchmarks NAME``, with ``docs`` on the path, runs what is missing
in a record, or in those of a page; each table of the pages says its own name.
Rows that are there are not run again, so an interrupted call can be repeated.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.experiments.registry import JOINED, PAGES
from benchmarks.harness.pages import RECORDS, format_block, write_pages
from benchmarks.harness.records import add_call
from benchmarks.harness.runner import append, run_tasks
from ncc_routing.bench.protocol import describe_call
from ncc_routing.core.row_files import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Experiment, Task
    from ncc_routing.bench.tables import Rows

_logger = logging.getLogger(__name__)

FOLDER = Path(__file__).parent
"""Where the pages lie."""

PLACES = {
    experiment.name: Path(page, f"{experiment.name}.csv")
    for page, experiments in PAGES.items()
    for experiment in experiments
}
"""The file of each record, below the folder of all."""

EXPERIMENTS = {
    experiment.name: experiment
    for experiments in PAGES.values()
    for experiment in experiments
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the number of differences that it found."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__
    )
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="+",
        choices=[*EXPERIMENTS, *PAGES, "all"],
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        default=Path("benchmark-results"),
        help="where records go, one folder for each page (default: "
        "benchmark-results); docs/benchmarks/records fills the pages too",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="cases to run")
    parser.add_argument("--jobs", type=int, metavar="N", help="runs at a time")
    parser.add_argument(
        "--pages-only", action="store_true", help="run nothing"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare the costs of a fresh run with the recorded ones",
    )
    options = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    chosen = [
        experiment
        for page, experiments in PAGES.items()
        for experiment in experiments
        if {experiment.name, page, "all"} & set(options.names)
    ]
    if options.check:
        return sum(check(e, options.limit, options.jobs) for e in chosen)
    for experiment in () if options.pages_only else chosen:
        file = options.output / PLACES[experiment.name]
        run(experiment, file, options.limit, options.jobs)
        if file.is_file():
            _logger.info("%s", format_block(experiment, file, options.output))
    if options.pages_only or options.output.resolve() == FOLDER / RECORDS:
        for file in write_pages(PAGES, JOINED, FOLDER):
            _logger.info("%s", file)
    return 0


def run(
    experiment: Experiment, file: Path, limit: int | None, jobs: int | None
) -> None:
    """Run what is missing in the record of an experiment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with experiment.open_table(file) as table:
        tasks = without_absent(experiment.missing(table, limit))
    if not tasks:
        _logger.info("nothing is missing in %s", file)
        return
    call = describe_call(
        experiment.setting,
        experiment.seeds,
        experiment.jobs if jobs is None else jobs,
    )
    add_call(file, table.columns, call)
    with experiment.open_table(file) as table:
        done = run_tasks(experiment, tasks, jobs)
        for number, rows in enumerate(done, 1):
            append(table, experiment, rows)
            _logger.info("%s: %d of %d", file, number, len(tasks))


def without_absent(tasks: list[Task]) -> list[Task]:
    """Return the tasks that can run here; say once who is not here."""
    variants = {task.variant.name: task.variant for task in tasks}
    reasons = {
        name: variant.why_absent() if variant.why_absent else None
        for name, variant in variants.items()
    }
    for name, reason in reasons.items():
        if reason is not None:
            _logger.warning("%s is left out: %s", name, reason)
    return [task for task in tasks if reasons[task.variant.name] is None]


def check(experiment: Experiment, limit: int | None, jobs: int | None) -> int:
    """Run an experiment anew and say every cost that is not the recorded."""
    recorded = FOLDER / RECORDS / PLACES[experiment.name]
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, recorded.name)
        run(experiment, file, limit, jobs)
        lines = differences(experiment, read_rows(recorded), read_rows(file))
    for line in lines:
        _logger.error("%s", line)
    _logger.info("%s: %d difference(s)", experiment.name, len(lines))
    return len(lines)


def differences(
    experiment: Experiment, recorded: Rows, fresh: Rows
) -> list[str]:
    """Return a line for each fresh row whose cost is not the recorded one.

    Parameters
    ----------
    experiment
        What both were run for.
    recorded, fresh
        Rows of its table.
    """
    key = list(experiment.keys)
    known = {tuple(row[n] for n in key): row["cost"] for row in recorded}
    found = []
    for row in fresh:
        place = tuple(row[name] for name in key)
        before, now = known.get(place, "not recorded"), row["cost"]
        if before != now:
            now = now or row.get("error") or "nothing"
            found.append(f"{', '.join(place)}: {before} before, now {now}")
    return found


if __name__ == "__main__":
    raise SystemExit(min(main(), 1))
