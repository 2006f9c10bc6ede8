"""Runs of methods on instances, several at a time in their own processes."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ncc_routing.bench.best_known import find_bks
from ncc_routing.bench.opponents import (
    PYVRP,
    WARM_PYVRP,
    names_function,
    solve_by_function,
    solve_by_pyvrp,
)
from ncc_routing.bench.records import Json, record_result, size_class
from ncc_routing.core.exceptions import NccRoutingError, message_of
from ncc_routing.core.processes import distribute
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.desk.problem import read
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.io.names import find_instance
from ncc_routing.vrp.methods import AUTOMATIC, NO_IMPROVEMENT
from ncc_routing.vrp.params import SolveParams
from ncc_routing.vrp.solve import solve
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.result import Result

_logger = logging.getLogger(__name__)

_WARM_SECONDS = 0.2
"""Enough for every step of a search on a small instance."""


@dataclass(frozen=True)
class Setting:
    """What is the same for all runs; the limit includes the reading."""

    polish: str = "none"
    router: str = DEFAULT_ROUTER
    time_limit_seconds: float | None = None
    jobs_per_run: int = 1
    metric: str = "cvrplib"

    def solve(
        self, instance: Instance, method: str, seed: int, limit: float | None
    ) -> Result:
        """Solve an instance with this setting but for the limit."""
        if method == PYVRP:
            return solve_by_pyvrp(instance, seed, limit)
        if names_function(method):
            return solve_by_function(instance, method, seed, limit)
        return solve(
            *(instance, TimeLimit(limit)),
            method=AUTOMATIC if method == WARM_PYVRP else method,
            polish=self.polish_of(method),
            seed=seed,
            jobs=self.jobs_per_run,
            params=SolveParams(router=self.router),
        )

    def polish_of(self, method: str) -> str:
        """Return the improvement of the routes of a method."""
        if method == PYVRP or names_function(method):
            return NO_IMPROVEMENT
        return PYVRP if method == WARM_PYVRP else self.polish


@dataclass(frozen=True)
class Trial:
    """A method on an instance file with a seed."""

    file: Path
    method: str
    seed: int
    setting: Setting

    @property
    def cells(self) -> Json:
        """Cells of its row that are known before it runs."""
        return {
            "instance": self.file.stem,
            "method": self.method,
            "polish": self.setting.polish_of(self.method),
            "seed": self.seed,
        }


def run_all(runs: list[Trial], jobs: int) -> Iterator[Json]:
    """Run methods on instances, and yield the row of each as it ends.

    A run that fails, or whose process dies, gives a row with ``error``.
    """
    yield from distribute(solve_run, runs, _dead, jobs)


def solve_run(run: Trial) -> Json:
    """Return the row of a run."""
    setting = run.setting
    _warm_up(run.method, setting)
    start = time.perf_counter()
    size: Json = {}
    try:
        file = find_instance(run.file)
        instance = read(file, metric=setting.metric)
        count = instance.num_customers
        size = {"num_customers": count, "size_class": size_class(count)}
        limit = setting.time_limit_seconds
        if limit is not None:
            limit = max(0.0, limit - (time.perf_counter() - start))
        result = setting.solve(instance, run.method, run.seed, limit)
        seconds = time.perf_counter() - start
        bks = find_bks(result.instance, file)
        # A method that chooses another one is found again by its own name.
        return {**record_result(result, bks, seconds).to_row(), **run.cells}
    except (NccRoutingError, OSError, MemoryError) as error:
        seconds = round(time.perf_counter() - start, 4)
        return {**_failed(run, error), **size, "runtime_seconds": seconds}


def _failed(run: Trial, error: Exception) -> Json:
    message = log_failure(run.cells, error)
    return {**run.cells, "feasible": False, "error": message}


def _dead(run: Trial, error: Exception) -> Json:
    return {**_failed(run, error), "size_class": "?"}


def log_failure(cells: Mapping[str, object], error: Exception) -> str:
    """Return the message of an error on one line; log it with the cells."""
    message = message_of(error)
    _logger.warning("%s: %s", ", ".join(map(str, cells.values())), message)
    return message


@cache
def _warm_up(method: str, setting: Setting) -> None:
    """Load what a method needs, once in each process."""
    limit = _WARM_SECONDS if setting.time_limit_seconds else None
    try:
        setting.solve(generate_uchoa(20, 1), method, 1, limit)
    except NccRoutingError as error:
        # The runs that count will say the same.
        _logger.info("warm-up of %s failed: %s", method, error)
