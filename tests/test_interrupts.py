"""Every search ends soon after an interrupt lets its deadline expire."""

from __future__ import annotations

import signal
import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing import PointSet
from ncc_routing.ccp.medians.annealing import cluster_by_annealing
from ncc_routing.ccp.search_params import AnnealingParams
from ncc_routing.clustering.correlation import (
    CorrelationParams,
    cluster_by_correlation,
    link_pairs,
)
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators import generate_uchoa
from ncc_routing.pyvrp.search import improve_pyvrp
from ncc_routing.stop import MaxIterations, TimeLimit
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate

if TYPE_CHECKING:
    from collections.abc import Callable

    from ncc_routing import Instance, Solution

ENDLESS = 10**9
"""Iterations, trials or moves that nobody waits for."""

PATIENCE = 0.5
"""Seconds until the end at most: a tenth is usual, but machines are busy."""


def polish(
    search: Callable[[Instance, Solution, Run], object],
    effort: int,
    deadline: TimeLimit,
    jobs: int = 1,
) -> None:
    """Polish 200 customers."""
    instance = generate_uchoa(200, 5)
    budget = Budget(deadline, MaxIterations(effort))
    search(instance, solve_savings(instance), Run(budget, jobs=jobs))


def restart(effort: int, deadline: TimeLimit) -> None:
    """Anneal 200 customers several times, an hour long."""
    instance = generate_uchoa(200, 5)
    limit = deadline.within(3600.0 if effort == ENDLESS else 0.1)
    ruin_and_recreate(instance, solve_savings(instance), Run(Budget(limit)))


def cluster_customers(effort: int, deadline: TimeLimit) -> None:
    """Cluster 200 customers."""
    params = CkmParams(effort, max_trials=effort)
    cluster_ckm(generate_uchoa(200, 5), Run(Budget(deadline)), params=params)


def cluster_points(deadline: TimeLimit, **efforts: int) -> None:
    """Cluster 2,000 points."""
    rng = np.random.default_rng(1)
    cluster_by_annealing(
        PointSet(rng.random((2000, 2)), np.ones(2000), 50.0),
        50,
        rng,
        Budget(deadline),
        params=AnnealingParams(**efforts),
    )


def vote(effort: int, deadline: TimeLimit) -> None:
    """Let the pairs of 2,000 points on a circle vote."""
    near = (np.arange(2000)[:, None] + np.arange(1, 11)) % 2000
    cluster_by_correlation(
        link_pairs(near, np.full(near.shape, 0.6), -6.0),
        np.arange(2000) % 40,
        np.ones(2000),
        np.full(40, 60.0),
        # The batches are a share of the moves: more than a user makes, yet
        # not endless.
        params=CorrelationParams(effort, max_moves=min(effort, 50_000_000)),
        rng=np.random.default_rng(1),
        deadline=deadline,
    )


@pytest.mark.parametrize(
    "search",
    [
        lambda effort, end: polish(ruin_and_recreate, effort, end),
        lambda effort, end: polish(ruin_and_recreate, effort, end, jobs=2),
        lambda effort, end: polish(improve_pyvrp, effort, end),
        restart,
        cluster_customers,
        lambda effort, end: cluster_points(end, global_moves=effort),
        lambda effort, end: cluster_points(
            end, global_moves=1, num_trials=effort
        ),
        vote,
    ],
    ids=[
        "ruin and recreate",
        "parts",
        "pyvrp",
        "restarts",
        "ckm",
        "medians",
        "medians in parts",
        "correlation",
    ],
)
def test_an_interrupt_ends_a_search(
    search: Callable[[int, TimeLimit], None],
) -> None:
    """The handler of a signal lets the deadline expire."""
    search(10, TimeLimit())  # Loads the modules.
    deadline, moments = TimeLimit(), []

    def stop(*_: object) -> None:
        moments.append(time.perf_counter())
        deadline.expire()

    before = signal.signal(signal.SIGINT, stop)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    try:
        timer.start()
        search(ENDLESS, deadline)
        ended = time.perf_counter()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert moments
    assert moments[0] < ended < moments[0] + PATIENCE
