"""Tests of the annealed ruin and recreate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from tests.vrp.search.calls import one_by_one

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return 120 customers of the X family."""
    return generate_uchoa(120, 4, demands="1-100", route_length=7)


def test_needs_a_limit(instance: nr.Instance, start: nr.Solution) -> None:
    """A search without an end is refused; a small one without time is short.

    So a busy machine does not leave the first routes as they are.
    """
    for stop in (None, nr.stop.TargetCost(0.0)):
        with pytest.raises(nr.ParameterError, match="time limit or a number"):
            ruin_and_recreate(instance, start, Run(Budget(stop=stop)))
    found = ruin_and_recreate(instance, start, Run(Budget.of(1e-9)))
    assert found.cost < start.cost
    assert ruin_and_recreate(instance, start, Run(Budget.of(0.0))) == start
    assert ruin_and_recreate(instance, start, Run(Budget.of(1e-9, 0))) == start
    late = TimeLimit(9.0)
    late.expire()
    assert ruin_and_recreate(instance, start, Run(Budget(late))) == start


def test_clock_that_counts(instance: nr.Instance, start: nr.Solution) -> None:
    """Where it stands still, a millisecond is enough for all iterations."""
    deadline = TimeLimit(0.001, clock=lambda: 0.0)
    found = ruin_and_recreate(
        instance,
        start,
        Run(Budget(deadline, nr.stop.MaxIterations(6_000)), jobs=2),
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost < 0.6 * start.cost


def test_gets_near_a_best_known_solution(data_dir: Path) -> None:
    """X-n101-k25 (best known 27591) to within 2 % in 60,000 iterations."""
    instance = nr.read(data_dir / "cvrp" / "X" / "X-n101-k25.vrp")
    found = ruin_and_recreate(
        instance, one_by_one(instance), Run(Budget.of(iterations=60_000))
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost <= 27591 * 1.02


def test_parallel_search(instance: nr.Instance, start: nr.Solution) -> None:
    """Seed and number of jobs decide; two parts are nearly as good as one."""
    runs = [
        ruin_and_recreate(
            instance, start, Run(Budget.of(iterations=40_000), jobs=jobs)
        )
        for jobs in (2, 2, 1)
    ]
    assert runs[0] == runs[1] != runs[2]
    assert all(nr.check_solution(instance, found) == [] for found in runs)
    assert runs[0].cost < 1.02 * runs[2].cost < 0.5 * start.cost


def test_many_jobs_in_time(instance: nr.Instance, start: nr.Solution) -> None:
    """There is one clock, and far more jobs than cores do no harm."""
    found = ruin_and_recreate(instance, start, Run(Budget.of(0.5), jobs=200))
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost


def test_dask_runs_the_same_search(
    instance: nr.Instance, start: nr.Solution
) -> None:
    """A local cluster gives what threads give."""
    distributed = pytest.importorskip("distributed")
    import joblib

    threads = ruin_and_recreate(
        instance, start, Run(Budget.of(iterations=4_000), jobs=2)
    )
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        remote = ruin_and_recreate(
            instance, start, Run(Budget.of(iterations=4_000), jobs=2)
        )
    assert remote == threads
