"""Run recorded experiments and write the pages that show them.

``python -m benchmarks NAME``, with ``docs`` on the path, runs what is missing
in the tables of a name; each table of the pages says its own. Rows that are
there are not run again, so an interrupted call can be repeated.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.experiments.registry import PAGES
from benchmarks.harness.pages import MAIN, write_page, write_pages
from benchmarks.harness.runner import append, run_tasks
from ncc_routing.bench.protocol import append_protocol
from ncc_routing.bench.row_files import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.harness.experiment import Experiment, Page, Task
    from ncc_routing.bench.tables import Rows

_logger = logging.getLogger(__name__)

RECORDED = Path(__file__).parent
"""Where the recorded tables and pages lie."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the number of differences that it found."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__
    )
    parser.add_argument("name", choices=[*PAGES, "all"], metavar="NAME")
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FOLDER",
        help="where tables and pages go: benchmark-results, with "
        "--pages-only docs/benchmarks",
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
    names = list(PAGES) if options.name == "all" else [options.name]
    pages = [PAGES[name] for name in names]
    if options.check:
        return sum(check(p, options.limit, options.jobs) for p in pages)
    folder = options.output or RECORDED
    if not options.pages_only:
        folder = options.output or Path("benchmark-results")
        for page in pages:
            run_page(page, folder, options.limit, options.jobs)
    if (folder / MAIN).is_file():
        written = write_pages(list(PAGES.values()), folder)
    else:
        written = [write_page(page, folder) for page in pages]
    for file in written:
        _logger.info("%s", file)
    return 0


def run_page(
    page: Page, folder: Path, limit: int | None, jobs: int | None
) -> None:
    """Run what is missing in the tables of a name."""
    for experiment in page.experiments:
        file = (folder / page.name).with_name(f"{experiment.name}.csv")
        file.parent.mkdir(parents=True, exist_ok=True)
        with experiment.open_table(file) as table:
            tasks = without_absent(experiment.missing(table, limit))
            if not tasks:
                _logger.info("nothing is missing in %s", file)
                continue
            append_protocol(
                file.with_suffix(".json"),
                experiment.setting,
                experiment.seeds,
                experiment.jobs if jobs is None else jobs,
            )
            done = run_tasks(experiment, tasks, jobs)
            for number, rows in enumerate(done, 1):
                append(table, file, experiment, rows)
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


def check(page: Page, limit: int | None, jobs: int | None) -> int:
    """Run a name anew and say every cost that differs from the record."""
    found = 0
    with tempfile.TemporaryDirectory() as name:
        run_page(page, Path(name), limit, jobs)
        for experiment in page.experiments:
            place = Path(page.name).with_name(f"{experiment.name}.csv")
            lines = differences(
                experiment,
                read_rows(RECORDED / place),
                read_rows(Path(name) / place),
            )
            found += len(lines)
            for line in lines:
                _logger.error("%s", line)
    _logger.info("%s: %d difference(s)", page.name, found)
    return found


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
