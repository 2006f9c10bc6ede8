"""Run the tasks of an experiment, one row of a table each."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ncc_routing.bench.records import (
    gap_percent,
    record_result,
    rounded,
    size_class,
    whole,
)
from ncc_routing.bench.runner import log_failure
from ncc_routing.clustering.objectives import spectral_inertia
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.core.processes import Workers, call_apart, distribute
from ncc_routing.problems.ccp.clusters import Clustering
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.routes.checking import (
    check_clustering,
    check_solution,
)
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.vrp.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.harness.experiment import Experiment, Task
    from ncc_routing.core.row_files import Table

    Row = dict[str, Any]

_is_warm: set[tuple[str, str]] = set()
"""Experiments and variants that this process has run."""


def run_tasks(
    experiment: Experiment, tasks: Iterable[Task], jobs: int | None = None
) -> Iterator[list[Row]]:
    """Run tasks and yield the rows of each as it ends.

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
        One row, or several. A run that fails with an error of the package or
        of the operating system gives a row with the message in ``error``;
        the others go on. So does a run whose process dies, the third time.
    """
    jobs = experiment.jobs if jobs is None else jobs
    work = partial(run_task, experiment)
    if experiment.is_fresh:
        for task in tasks:
            with Workers() as workers:
                yield call_apart(workers, work, task, _dead)
        return
    tasks = list(tasks)
    yield from distribute(work, tasks, _dead, jobs)


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
        known = {**_describe_problem(problem), **known}
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
        row = {**known, **_describe(problem, one, seconds)}
        if not isinstance(one, Mapping):
            # A result may name another method than was asked for, by which
            # the run is found again; what a run says itself stands.
            row |= task.cells
        rows.append(_with_gap(row, reference))
    return rows


def append(table: Table, experiment: Experiment, rows: Iterable[Row]) -> None:
    """Write rows of ``run_tasks`` into a table."""
    header = experiment.header
    table.append(
        {n: row.get(header.get(n, n)) for n in table.columns} for row in rows
    )


def _failed(task: Task, error: Exception) -> Row:
    message = log_failure(task.cells, error)
    return {**task.cells, "error": message, "feasible": False}


def _dead(task: Task, error: Exception) -> list[Row]:
    return [_failed(task, error)]


def _describe(problem: object, found: object, seconds: float) -> Row:
    """Return what is known of an answer: a result, or measured values."""
    if isinstance(found, Mapping):
        return dict(found)
    if isinstance(found, Result):
        return record_result(found, None, seconds).to_row()
    if isinstance(found, Solution) and isinstance(problem, Instance):
        broken = check_solution(problem, found)
        row: Row = {"cost": found.cost, "num_routes": found.num_routes}
    elif isinstance(found, Clustering) and isinstance(problem, PointSet):
        broken = check_clustering(problem, found, problem.num_clusters)
        row = {
            "objective": found.objective,
            "cost": found.cost,
            "inertia": found.inertia,
            "spectral_inertia": spectral_inertia(problem, found),
        }
    else:
        raise TypeError(f"no record of {type(found).__name__}")
    row["feasible"] = not broken
    row["error"] = broken[0].message if broken else None
    return row


def _describe_problem(problem: object) -> Row:
    """Return name and size of an instance or of points, by column."""
    if isinstance(problem, Instance):
        return {
            "instance": problem.name,
            "num_customers": problem.num_customers,
            "size_class": size_class(problem.num_customers),
        }
    if isinstance(problem, PointSet):
        return {
            "instance": problem.name,
            "num_points": problem.num_points,
            "num_clusters": problem.num_clusters,
        }
    return {"size_class": "?"}


def _with_gap(row: Row, reference: float | None) -> Row:
    """Return a row with what its cost is compared with, and the gap."""
    cost = row.get("cost")
    if reference is None or not isinstance(cost, int | float):
        return row
    gap = rounded(gap_percent(cost, reference), 4)
    bks = whole(reference)
    return {**row, "reference": reference, "bks": bks, "gap_percent": gap}


def _warm_up(experiment: Experiment, task: Task) -> None:
    """Load what will be timed, once in each process."""
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
    except NccRoutingError:
        # The runs that count will say the same.
        return


def _cpu_seconds() -> float:
    """Return the processor time of this process and its ended children.

    HiGHS may run in a child process.
    """
    times = os.times()
    return sum(times[:4])


def _peak_mib() -> float:
    """Return the most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
