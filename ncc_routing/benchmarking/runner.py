"""Run the tasks of an experiment, one row of a table each."""

from __future__ import annotations

import logging
import os
import resource
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ncc_routing.benchmarking.records import (
    describe,
    describe_problem,
    with_gap,
)
from ncc_routing.core.exceptions import DeadProcessError, NccRoutingError
from ncc_routing.core.processes import Workers
from ncc_routing.vrp.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ncc_routing.benchmarking.experiment import Experiment, Task

    Row = dict[str, Any]

_logger = logging.getLogger(__name__)

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
        gives a row with the message in ``error``; the others go on. So does
        a run whose process dies, the second time.
    """
    jobs = experiment.jobs if jobs is None else jobs
    if experiment.is_fresh:
        for task in tasks:
            with Workers() as workers:
                yield _run_apart(workers, experiment, task)
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
        # Threads, each of which waits for a process.
        parallel = Parallel(
            n_jobs=jobs, prefer="threads", return_as="generator_unordered"
        )
        with Workers() as workers:
            run = delayed(_run_apart)
            yield from parallel(run(workers, experiment, t) for t in tasks)


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
        found = _failed(task, error)
    known.update(
        seconds=round(seconds, 5),
        cpu_seconds=round(cpu, 5),
        runtime_seconds=round(seconds, 4),
        peak_mb=round(_peak_mib()),
    )
    several = found if isinstance(found, list) else [found]
    rows: list[Row] = []
    for one in several:
        row = {**known, **describe(problem, one, seconds)}
        if not isinstance(one, Mapping):
            # A result may name another method than was asked for, by which
            # the run is found again; what a run says itself stands.
            row |= task.cells
        rows.append(with_gap(row, reference))
    return rows


def _run_apart(
    workers: Workers, experiment: Experiment, task: Task
) -> list[Row]:
    """Run a task in another process; its death is a row as well."""
    from joblib import wrap_non_picklable_objects

    # What a script defines has no module that a worker could import.
    work = wrap_non_picklable_objects(
        partial(run_task, experiment, task), keep_wrapper=False
    )
    try:
        rows: list[Row] = workers.call(work)
    except DeadProcessError as error:
        rows = [{**describe_problem(None), **_failed(task, error)}]
    return rows


def _failed(task: Task, error: Exception) -> Row:
    """Return what is known of a run that has failed, and log it."""
    message = " ".join((str(error) or type(error).__name__).split())
    place = ", ".join(f"{value}" for value in task.cells.values())
    _logger.warning("%s: %s", place, message)
    return {**task.cells, "error": message, "feasible": False}


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
