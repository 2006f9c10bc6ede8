"""Tests of the annealed ruin and recreate."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators import generate_uchoa
from ncc_routing.vrp.search.phases import Phase, Step
from ncc_routing.vrp.search.rounds import search_in_rounds
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.search.ruin_recreate_search import RuinRecreateSearch
from tests.vrp.search.calls import one_by_one

if TYPE_CHECKING:
    from pathlib import Path

ANNEAL = Phase(Step.ANNEAL)


@pytest.fixture(scope="module")
def instance() -> nr.Instance:
    """Return 120 customers of the X family."""
    return generate_uchoa(120, 4, demands="1-100", route_length=7)


def test_seed_decides(instance: nr.Instance, start: nr.Solution) -> None:
    """Under an iteration limit the seed decides everything."""
    runs = [
        ruin_and_recreate(
            instance, start, Run(Budget.of(iterations=6_000), seed=seed)
        )
        for seed in (3, 3, 4)
    ]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_ends_in_time(instance: nr.Instance, start: nr.Solution) -> None:
    """The search fills its time and the schedule reaches its end."""
    search = RuinRecreateSearch(instance, start)
    search_in_rounds(search, ANNEAL, Budget.of(iterations=10))
    begun = time.perf_counter()
    search_in_rounds(search, ANNEAL, Budget.of(0.3))
    assert 0.2 < time.perf_counter() - begun < 3.0
    assert search.num_iterations > 1_000
    assert nr.check_solution(instance, search.best()) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_ends_where_nothing_improves(
    instance: nr.Instance, start: nr.Solution, jobs: int
) -> None:
    """The last of the idle iterations is the last of all."""
    search = RuinRecreateSearch(instance, start, Run(jobs=jobs))
    stop = nr.NoImprovement(2_000)
    search_in_rounds(search, ANNEAL, Budget(stop=stop))
    assert search.best_cost < 0.6 * start.cost
    assert search.num_iterations > 2_000
    again = ruin_and_recreate(
        instance, start, Run(Budget(stop=stop), jobs=jobs)
    )
    assert again == search.best()


@pytest.mark.parametrize("jobs", [1, 2])
def test_target(instance: nr.Instance, start: nr.Solution, jobs: int) -> None:
    """Half the length is reached long before the iterations are over."""
    search = RuinRecreateSearch(instance, start, Run(jobs=jobs))
    target = nr.TargetCost(0.5 * start.cost)
    search_in_rounds(
        search,
        ANNEAL,
        Budget(stop=nr.first_of(target, nr.MaxIterations(200_000))),
    )
    assert search.best_cost <= 0.5 * start.cost
    assert 0 < search.num_iterations < 100_000


def test_needs_a_limit(instance: nr.Instance, start: nr.Solution) -> None:
    """A search without an end is refused; without time nothing is tried."""
    for stop in (None, nr.TargetCost(0.0)):
        with pytest.raises(nr.ParameterError, match="time limit or a number"):
            ruin_and_recreate(instance, start, Run(Budget(stop=stop)))
    assert ruin_and_recreate(instance, start, Run(Budget.of(0.0))) == start


def test_clock_that_counts(instance: nr.Instance, start: nr.Solution) -> None:
    """Where it stands still, a millisecond is enough for all iterations."""
    deadline = TimeLimit(0.001, clock=lambda: 0.0)
    found = ruin_and_recreate(
        instance, start, Run(Budget(deadline, nr.MaxIterations(6_000)), jobs=2)
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost < 0.6 * start.cost


def test_expired_deadline(instance: nr.Instance, start: nr.Solution) -> None:
    """Another thread may end it; the best solution so far is returned."""
    deadline = TimeLimit()
    timer = threading.Timer(0.3, deadline.expire)
    timer.start()
    found = ruin_and_recreate(
        instance, start, Run(Budget(deadline, nr.MaxIterations(10**9)))
    )
    assert nr.check_solution(instance, found) == []
    assert found.cost < start.cost


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
