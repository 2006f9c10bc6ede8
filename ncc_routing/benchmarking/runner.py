"""Run the tasks of an experiment, one row of a table each."""

from __future__ import annotations

import csv
import logging
import multiprocessing
import os
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from ncc_routing.benchmarking.records import (
    describe,
    describe_problem,
    with_gap,
)
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.vrp.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from ncc_routing.benchmarking.experiment import Experiment, Task

    Row = dict[str, Any]

_logger = logging.getLogger(__name__)

TRACE = "trace"
"""A value of this name is a list of (seconds, cost) and gets its own file."""

_is_warm: set[tuple[str, str]] = set()
"""Experiments and variants that this process has run."""


def run_tasks(
    experiment: Experiment, tasks: Iterable[Task], jobs: int | None = None
) -> Iterator[list[Row]]:
    """Run tasks and yield the rows of each as soon as they are there.

    joblib does the distribution, so ``joblib.parallel_config`` carries an
    experiment to another backend.

    Parameters
    ----------
    experiment
        What the tasks belong to.
    tasks
        Some of its tasks.
    jobs
        Number of runs at a time, -1 for every core. Default that of the
        experiment.

    Yields
    ------
    list[dict]
        One row, or several, in the order in which the runs end. A run that
        fails with an error of this package or of the operating system
        gives a row with the message in ``error``; the others go on.
    """
    jobs = experiment.jobs if jobs is None else jobs
    if experiment.is_fresh:
        for task in tasks:
            yield _run_in_fresh_process(experiment, task)
    elif jobs == 1:
        yield from map(partial(run_task, experiment), tasks)
    else:
        from joblib import Parallel, delayed

        tasks = list(tasks)
        for variant in dict.fromkeys(task.variant.name for task in tasks):
            # Here, so that the workers find compiled kernels and do not
            # each compile their own.
            own = next(t for t in tasks if t.variant.name == variant)
            _warm_up(experiment, own)
        workers = Parallel(n_jobs=jobs, return_as="generator_unordered")
        yield from workers(delayed(run_task)(experiment, t) for t in tasks)


def run_task(experiment: Experiment, task: Task) -> list[Row]:
    """Run one variant once on one case.

    Returns
    -------
    list[dict]
        All that is known of the run, by name; the columns of the
        experiment choose from it.
    """
    _warm_up(experiment, task)
    known: Row = {**task.cells, "load_average": round(os.getloadavg()[0], 1)}
    begun, cpu = time.perf_counter(), _cpu_seconds()
    problem = reference = None
    try:
        problem = task.case.load()
        known = {**describe_problem(problem), **known}
        budget = task.budget
        if not experiment.is_loading_timed:
            begun, cpu = time.perf_counter(), _cpu_seconds()
        elif isinstance(budget, float):
            budget = max(0.0, budget - (time.perf_counter() - begun))
        found = task.variant.run(problem, task.seed, budget)
        seconds, cpu = time.perf_counter() - begun, _cpu_seconds() - cpu
        if task.case.reference is not None:
            whose = found.instance if isinstance(found, Result) else problem
            reference = task.case.reference(whose)
        if experiment.finish is not None:
            found = experiment.finish(problem, found)
    except (NccRoutingError, OSError, MemoryError) as error:
        seconds, cpu = time.perf_counter() - begun, _cpu_seconds() - cpu
        message = " ".join((str(error) or type(error).__name__).split())
        place = ", ".join(f"{value}" for value in task.cells.values())
        _logger.warning("%s: %s", place, message)
        found = {"error": message, "feasible": False}
    known.update(
        seconds=round(seconds, 5),
        cpu_seconds=round(cpu, 5),
        runtime_seconds=round(seconds, 4),
        peak_mb=round(_peak_mib()),
    )
    several = found if isinstance(found, list) else [found]
    # What was asked for stands in the table: runs are found again by it.
    return [
        with_gap(
            {**known, **describe(problem, one, seconds), **task.cells},
            reference,
        )
        for one in several
    ]


class Table:
    """The CSV file of an experiment, which grows run by run.

    Parameters
    ----------
    experiment
        Its columns are those of a new file; one that exists keeps its own.
    file
        The file; ``None`` keeps the rows in memory alone. A trace goes to
        ``NAME_trace.csv`` beside it.
    """

    def __init__(self, experiment: Experiment, file: Path | None) -> None:
        self._experiment = experiment
        self._file = file
        self._names = experiment.header
        self.rows: list[dict[str, str]] = []
        if file is not None:
            self.rows = read_rows(file)
        header = list(self.rows[0]) if self.rows else list(self._names)
        if not self.rows and "error" not in header:
            header.append("error")
        self._header = header

    def missing(self, tasks: Iterable[Task]) -> list[Task]:
        """Return the tasks that have no row yet."""
        key = self._key()
        present = {tuple(row[name] for name in key) for row in self.rows}
        return [
            task
            for task in tasks
            if tuple(_cell(task.cells[value]) for value in key.values())
            not in present
        ]

    def append(self, rows: Iterable[Row]) -> None:
        """Write rows at once, so that an interrupted run keeps them."""
        for row in rows:
            cells = {
                name: _cell(row.get(self._names.get(name, name)))
                for name in self._header
            }
            self.rows.append(cells)
            if self._file is None:
                continue
            append_rows(self._file, self._header, [cells])
            trace = [
                {**{k: cells[k] for k in self._key()}, "seconds": s, "cost": c}
                for s, c in row.get(TRACE, ())
            ]
            if trace:
                append_rows(trace_file(self._file), list(trace[0]), trace)

    def rewrite(self, key: Callable[[Mapping[str, str]], Any]) -> None:
        """Sort the rows, once all of them are there."""
        self.rows.sort(key=key)
        if self._file is not None:
            self._file.unlink(missing_ok=True)
            append_rows(self._file, self._header, self.rows)

    def _key(self) -> dict[str, str]:
        """Return the columns of the key, and the value that each holds."""
        wanted = self._experiment.key.split()
        return {n: v for n, v in self._names.items() if v in wanted}


def trace_file(file: Path) -> Path:
    """Return the file of the traces that belong to a table."""
    return file.with_name(f"{file.stem}_trace.csv")


def read_rows(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, none where it is missing."""
    if not file.is_file():
        return []
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def append_rows(
    file: Path, header: Iterable[str], rows: Iterable[Mapping[str, object]]
) -> None:
    """Add rows to a CSV file, which gets its header first."""
    is_new = not file.is_file()
    with file.open("a", newline="", encoding="utf-8") as text:
        writer = csv.DictWriter(text, list(header), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _run_in_fresh_process(experiment: Experiment, task: Task) -> list[Row]:
    """Run a task in a process that ends with it."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn) as pool:
        return pool.submit(run_task, experiment, task).result()


def _warm_up(experiment: Experiment, task: Task) -> None:
    """Load and compile what will be timed, once in each process."""
    name = (experiment.name, task.variant.name)
    if experiment.warm is None or name in _is_warm:
        return
    _is_warm.add(name)
    is_timed = isinstance(task.budget, float) and task.budget > 0
    budget = experiment.warm_budget if is_timed else task.budget
    try:
        problem = experiment.warm.load()
        found = task.variant.run(problem, 1, budget)
        if experiment.finish is not None:
            experiment.finish(problem, found)
    except NccRoutingError as error:
        # The runs that count will say the same.
        _logger.info("warm-up of %s failed: %s", task.variant.name, error)


def _cpu_seconds() -> float:
    """Return the processor time of this process and its ended children.

    HiGHS may run in a child process.
    """
    times = os.times()
    return sum(times[:4])


def _peak_mib() -> float:
    """Return the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
