"""Training data: generated instances, each solved several times."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.params import MAX_SEED
from ncc_routing.core.processes import distribute
from ncc_routing.paper.learning.label_files import (
    SUFFIX,
    LabelledInstance,
    read_shard,
    write_shard,
)
from ncc_routing.paper.learning.label_problems import label_problem
from ncc_routing.paper.scoring.vocabulary import CVRP

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LabelPlan:
    """Which instances are labelled, and how well.

    Parameters
    ----------
    num_instances
        Number of instances. Default 2000.
    first_seed
        Instance i is generated with the seed ``first_seed + i``. Default
        1,000,000.
    sizes
        Least and largest number of customers; drawn uniformly for each
        instance. Default (100, 400).
    num_runs
        Solutions for each instance. Default 2.
    iterations_per_customer
        Effort of each run, per customer: iterations of ruin and recreate
        for "cvrp" (default 250), kicks for "ccp" (default 2), seconds per
        200 points for "ccp-gb21" (default 5).
    shard_size
        Instances in one file. Default 25.
    problem
        A key of ``label_problems.LABEL_PROBLEMS``. Default "cvrp".
    """

    num_instances: int = 2000
    first_seed: int = 1_000_000
    sizes: tuple[int, int] = (100, 400)
    num_runs: int = 2
    iterations_per_customer: int | None = None
    shard_size: int = 25
    problem: str = CVRP

    def __post_init__(self) -> None:
        label_problem(self.problem)
        for field in ("num_instances", "num_runs", "shard_size", "effort"):
            if getattr(self, field) < 1:
                raise ParameterError(
                    f"{field} must be >= 1, got {getattr(self, field)}."
                )
        if self.first_seed + self.num_instances > MAX_SEED:
            raise ParameterError(
                f"first_seed + num_instances must be at most {MAX_SEED}, got "
                f"{self.first_seed} + {self.num_instances}."
            )
        if self.first_seed < 0 or not 2 <= self.sizes[0] <= self.sizes[1]:
            raise ParameterError(
                "first_seed must be >= 0 and 2 <= sizes[0] <= sizes[1], got "
                f"{self.first_seed} and {self.sizes}."
            )

    @property
    def effort(self) -> int:
        """Effort of each run per customer, that of the problem by default."""
        if self.iterations_per_customer is None:
            return label_problem(self.problem).default_effort
        return self.iterations_per_customer

    def settings(self) -> tuple[int, ...]:
        """Return what decides about the content of a shard."""
        code = label_problem(self.problem).code
        return (*self.sizes, self.num_runs, self.effort, *code)

    def shards(self) -> list[tuple[int, int]]:
        """Return the first seed and the number of instances of each file."""
        step = self.shard_size
        return [
            (self.first_seed + i, min(step, self.num_instances - i))
            for i in range(0, self.num_instances, step)
        ]


def label_instance(plan: LabelPlan, seed: int) -> LabelledInstance:
    """Generate the instance of a seed and solve it several times.

    The runs are limited by their effort, not by time: the same plan and seed
    give the same labels, except with GB21.
    """
    rng = np.random.default_rng([seed, 17])
    size = int(rng.integers(plan.sizes[0], plan.sizes[1] + 1))
    problem = label_problem(plan.problem)
    return LabelledInstance(
        *problem.solve(
            size, seed, num_runs=plan.num_runs, effort=plan.effort, rng=rng
        )
    )


def write_labels(
    plan: LabelPlan, folder: Path, *, jobs: int = 1
) -> Iterator[Path]:
    """Label the instances of a plan into a folder, file by file.

    A file that exists with the same settings is kept, so that an interrupted
    call can be repeated. Each appears under its name when it is whole.

    Parameters
    ----------
    plan
        What to label.
    folder
        Folder of the files, made where it is missing.
    jobs
        Processes at a time; ``joblib.parallel_config`` can carry them to
        another backend. One that dies is replaced, twice for each file.
        Default 1.

    Yields
    ------
    pathlib.Path
        Each file of the plan, as it is there.

    Raises
    ------
    ParameterError
        If the folder holds a file of another plan in the place of one of
        this plan.
    NccRoutingError
        If a file cannot be written, or its process dies three times.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = []
    for first, count in plan.shards():
        path = folder / f"labels-{first:08d}{SUFFIX}"
        if not path.exists():
            missing.append((path, first, count))
            continue
        _require_same(path, plan, count)
        yield path
    work = partial(_write_shard, plan)
    yield from distribute(work, missing, _raise, jobs)


def _raise(_: object, error: Exception) -> NoReturn:
    raise error


def _require_same(path: Path, plan: LabelPlan, count: int) -> None:
    arrays = read_shard(path).arrays
    same = len(arrays["sizes"]) == count and np.array_equal(
        arrays["settings"], plan.settings()
    )
    if not same:
        raise ParameterError(
            f"{path} was made with other settings: choose another folder."
        )


def _write_shard(plan: LabelPlan, shard: tuple[Path, int, int]) -> Path:
    path, first, count = shard
    seeds = range(first, first + count)
    labelled = [label_instance(plan, seed) for seed in seeds]
    write_shard(path, labelled, list(seeds), plan.settings())
    _logger.info("wrote %s", path)
    return path
