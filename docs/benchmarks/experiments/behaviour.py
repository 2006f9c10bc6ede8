"""Costs of every method at fixed seeds and iterations.

They change with the behaviour of the package and with nothing else, so a
change of the code that should change no answer is held against them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import ncc_routing as nr
from benchmarks.harness.cases import file_cases
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import cluster_points
from benchmarks.harness.views import Summary
from ncc_routing.ccp import methods as ccp_methods
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.io.names import find_instance
from ncc_routing.problems.features import OBJECTIVES
from ncc_routing.pyvrp.search import improve_pyvrp
from ncc_routing.vrp import methods as vrp_methods
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance, Cases, Work

INSTANCES = (
    "NCC-n0021-s1", "NCC-n0034-s1", "NCC-n0051-s1", "NCC-n0076-s1",
    "NCC-n0101-s1", "NCC-n0101-s2", "NCC-n0101-s3", "NCC-n0151-s1",
    "NCC-n0201-s1", "NCC-n0201-s2", "NCC-n0301-s1", "NCC-n0401-s1",
)  # fmt: skip
"""Instances that travel with the package."""

SLOW = ("gap", "gb21", "pack")
"""Methods that run on the smallest cases alone."""

SIZES = (40, 60, 100, 150, 200, 300, 400, 120)
"""Points of each set."""

COUNTS = (5, 6, 8, 12, 10, 20, 30, 1)
"""Clusters of each set."""

ROOM = 1.08
"""Capacity over the mean load of a cluster."""

PYVRP_ITERATIONS, RUIN_RECREATE_ITERATIONS = 100, 20_000
"""Limits of the polishes, in place of time."""


def instances(limit: int | None = None) -> list[Case]:
    """Return the instances, without their best-known costs."""
    files = map(find_instance, INSTANCES[:limit])
    return [replace(case, reference=None) for case in file_cases(files)]


def point_sets(numbers: tuple[int, ...] = tuple(range(8))) -> list[Case]:
    """Return random point sets of all kinds of weights."""
    return [Case(f"set{i}", partial(point_set, i)) for i in numbers]


def point_set(number: int) -> nr.PointSet:
    """Return a set: uniform, normal or whole points, real or whole weights."""
    rng, size = np.random.default_rng(100 + number), SIZES[number]
    coords: np.ndarray
    weights: np.ndarray
    if number in (3, 6):
        coords = rng.normal(size=(size, 2))
    elif number == 5:
        coords = rng.integers(0, 1000, (size, 2))
    else:
        coords = rng.random((size, 2))
    most = {0: 9, 2: 20, 3: 50, 6: 100, 7: 5}
    if number in most:
        weights = rng.integers(1, most[number], size)
    elif number == 5:
        weights = np.ones(size, dtype=np.int64)
    else:
        weights = rng.random(size)
    capacity = weights.sum() / COUNTS[number] * ROOM
    if weights.dtype.kind == "i":
        capacity = int(capacity) + 1
    return nr.PointSet(
        np.asarray(coords, dtype=np.float64),
        weights,
        capacity,
        f"set{number}",
        num_clusters=COUNTS[number],
    )


def solve(
    instance: nr.Instance, seed: int, _budget: Allowance, *, method: str
) -> nr.Solution:
    """Solve without a limit."""
    found = nr.solve(instance, method=method, polish="none", seed=seed)
    return found.best


def polish(
    instance: nr.Instance, seed: int, _budget: Allowance, *, jobs: int | None
) -> nr.Solution:
    """Improve the savings solution by a number of iterations.

    ``jobs`` is that of ruin and recreate, ``None`` takes PyVRP.
    """
    start = nr.solve(instance, method="savings", polish="none").best
    if jobs is None:
        return improve_pyvrp(
            instance,
            start,
            Run(Budget.of(iterations=PYVRP_ITERATIONS), seed=seed),
        )
    return ruin_and_recreate(
        instance,
        start,
        Run(
            Budget.of(iterations=RUIN_RECREATE_ITERATIONS),
            seed=seed,
            jobs=jobs,
        ),
    )


def _routing(name: str, run: Work, cases: Cases = instances) -> Variant:
    return Variant(name, run, {"problem": "cvrp"}, cases=cases)


def _clustering(
    name: str, objective: str, cases: Cases = point_sets
) -> Variant:
    run = partial(cluster_points, method=name, objective=objective)
    cells = {"problem": "ccp"}
    return Variant(f"{name}/{objective}", run, cells, cases=cases)


FEW_INSTANCES = partial(instances, 3)
FEW_SETS = partial(point_sets, (0, 7))

BEHAVIOUR = Experiment(
    "behaviour",
    cases=instances,
    variants=(
        *(
            _routing(
                name,
                partial(solve, method=name),
                FEW_INSTANCES if name in SLOW else instances,
            )
            for name in vrp_methods.METHODS
        ),
        _routing("polish:rr1", partial(polish, jobs=1)),
        _routing("polish:rr2", partial(polish, jobs=2)),
        _routing("polish:pyvrp", partial(polish, jobs=None)),
        *(
            _clustering(
                name, objective, FEW_SETS if name in SLOW else point_sets
            )
            for name in ccp_methods.METHODS
            for objective in OBJECTIVES
        ),
    ),
    columns="problem instance method=variant cost seconds=cpu_seconds",
    key="instance variant",
    jobs=2,
    views=(
        Summary(
            "problem method", "runs; cost: cost cost; CPU s: seconds seconds"
        ),
    ),
)
"""One row a method and case."""

EXPERIMENTS = (BEHAVIOUR,)
