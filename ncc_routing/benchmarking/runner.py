"""Run methods x instances x seeds, in parallel, one record each."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.benchmarking.best_known import find_bks
from ncc_routing.benchmarking.records import Record, record_result
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import NccRoutingError
from ncc_routing.io.vrplib import find_instance, read
from ncc_routing.problems.instance import Instance
from ncc_routing.vrp import solve as pipeline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Literal

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class BenchmarkPlan:
    """What to run.

    Parameters
    ----------
    paths
        Instance files.
    methods
        Names of methods.
    seeds
        Seeds; each method runs once with each on every instance.
    polish, router
        As in ``pipeline.SolveParams``.
    time_limit
        Seconds for one run, from reading the instance to the answer.
        ``None`` for no limit.
    metric
        As in :func:`ncc_routing.read`.
    jobs
        Number of runs at a time, each in a process of its own; -1 takes
        every core.
    jobs_per_run
        Cores that one run may use, as in ``pipeline.SolveParams``.
    """

    paths: tuple[Path, ...]
    methods: tuple[str, ...]
    seeds: tuple[int, ...] = (1,)
    polish: str = "none"
    router: str = "lkh"
    time_limit: float | None = None
    metric: Literal["cvrplib", "paper"] = "cvrplib"
    jobs: int = 1
    jobs_per_run: int = 1

    @property
    def tasks(self) -> list[tuple[Path, str, int]]:
        """Every instance, method and seed, the instances outermost."""
        return [
            (path, method, seed)
            for path in self.paths
            for method in self.methods
            for seed in self.seeds
        ]


def run_benchmark(plan: BenchmarkPlan) -> Iterator[Record]:
    """Run a plan and yield each record as soon as it is there.

    Imports and compiled kernels are loaded before the clock of a run
    starts: every process first solves a small instance with each method.
    joblib does the distribution, so ``joblib.parallel_config`` carries the
    same plan to another backend.

    Parameters
    ----------
    plan
        What to run.

    Yields
    ------
    Record
        In the order in which the runs end. A run that fails with an error
        of this package or of the operating system gives a record with the
        message in ``error``, and the others go on.
    """
    from joblib import Parallel, delayed

    # Here, so that the workers find compiled kernels and do not each
    # compile their own.
    for method in plan.methods:
        _warm_up(method, plan.polish, plan.router)
    workers = Parallel(n_jobs=plan.jobs, return_as="generator_unordered")
    yield from workers(delayed(run_task)(plan, *task) for task in plan.tasks)


def run_task(
    plan: BenchmarkPlan, path: Path, method: str, seed: int
) -> Record:
    """Run one method once on one instance.

    Parameters
    ----------
    plan
        Everything that is the same for all tasks.
    path
        The instance file.
    method
        Name of the method.
    seed
        Seed of the run.
    """
    _warm_up(method, plan.polish, plan.router)
    start, deadline = time.perf_counter(), Deadline(plan.time_limit)
    instance = None
    try:
        file = find_instance(path)
        instance = read(file, plan.metric)
        result = pipeline.solve(
            instance,
            method=method,
            polish=plan.polish,
            router=plan.router,
            seed=seed,
            jobs=plan.jobs_per_run,
            deadline=deadline,
        )
        runtime = time.perf_counter() - start
        return record_result(result, find_bks(instance, file), runtime)
    except (NccRoutingError, OSError, MemoryError) as error:
        message = str(error) or type(error).__name__
        _logger.warning("%s, %s, seed %d: %s", path, method, seed, message)
        return Record(
            instance=path.stem if instance is None else instance.name,
            num_customers=None if instance is None else instance.num_customers,
            method=method,
            polish=plan.polish,
            seed=seed,
            runtime_seconds=time.perf_counter() - start,
            error=" ".join(message.split()),
        )


@cache
def _warm_up(method: str, polish: str, router: str) -> None:
    """Solve a small instance, so that everything is imported and compiled."""
    rng = np.random.default_rng(0)
    size = 30
    instance = Instance(
        name="warm-up",
        coords=rng.integers(0, 1000, size=(size, 2)),
        demands=np.concatenate([[0], rng.integers(1, 10, size=size - 1)]),
        capacity=30,
    )
    try:
        pipeline.solve(
            instance,
            method=method,
            polish=polish,
            router=router,
            time_limit=0.2,
        )
    except NccRoutingError as error:
        # The runs that count will say the same.
        _logger.info("warm-up of %s failed: %s", method, error)
