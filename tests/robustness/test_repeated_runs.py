"""The same run again and again, and at once: memory and equal answers."""

from __future__ import annotations

import gc
import random
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Final

import joblib
import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.ccp.methods import METHODS as CLUSTER_METHODS
from ncc_routing.generators import generate_uchoa
from ncc_routing.stop import TimeLimit
from ncc_routing.vrp.methods import IMPROVEMENTS, METHODS, NO_IMPROVEMENT
from tests.robustness.support import IS_LARGE, used_memory

Work = tuple[str, str]
"""A method and its polish, or "cluster" and a method."""

ROUTING: Final[list[Work]] = [
    *((method, NO_IMPROVEMENT) for method in METHODS),
    *(("savings", polish) for polish in IMPROVEMENTS),
]
WORKS: Final = ROUTING + [("cluster", method) for method in CLUSTER_METHODS]
QUICK: Final = [
    ("savings", NO_IMPROVEMENT),
    ("sweep", NO_IMPROVEMENT),
    ("cluster", "rnd-nn"),
]

NUM_FIRST, NUM_SOLVES = (100, 1_000) if IS_LARGE else (10, 30)
"""Solves that may grow caches, and all solves."""

SECONDS: Final = 30.0
"""Processor time after which the solves of a method end."""

MOST_GROWTH: Final = 0.016
"""MB by which a solve may grow a process, after the first ones."""

MOST_NOISE: Final = 4.0
"""MB that are no sign of growth."""


@cache
def _instance() -> nr.Instance:
    return generate_uchoa(40, 4)


@cache
def _points() -> nr.PointSet:
    rng = np.random.default_rng(4)
    return nr.PointSet(rng.random((40, 2)), rng.integers(1, 9, 40), 70)


def answer(work: Work, seed: int) -> tuple[object, ...]:
    """Return what a method answers for a seed, after some iterations.

    The router is the built-in one: elkai keeps some KB of each call.
    """
    if work[0] == "cluster":
        run: Any = {"method": work[1], "seed": seed}
        # An end far away, so that no default counts.
        clusters = nr.cluster(_points(), 4, stop=TimeLimit(60.0), **run)
        return clusters.cost, tuple(clusters.labels.tolist())
    found = nr.solve(
        *(_instance(), nr.stop.MaxIterations(20)),
        params=nr.SolveParams(*work, router="local-search", seed=seed),
    )
    return found.best.cost, found.best.routes


@pytest.mark.parametrize("work", WORKS if IS_LARGE else QUICK)
def test_memory_stays_flat(work: Work) -> None:
    """A thousand solves in one process need no more than the first ones."""
    begun, done = time.process_time(), 0
    first, before = 0, 0.0
    while done < NUM_SOLVES and time.process_time() - begun < SECONDS:
        answer(work, done)
        done += 1
        is_warm = time.process_time() - begun > SECONDS / 4
        if not first and (done == NUM_FIRST or is_warm):
            gc.collect()
            first, before = done, used_memory()
    gc.collect()
    growth = used_memory() - before
    assert growth < max(MOST_NOISE, MOST_GROWTH * (done - first))


@pytest.mark.parametrize("seed", range(12 if IS_LARGE else 1))
def test_runs_at_once_give_equal_answers(seed: int) -> None:
    """Threads and processes at once answer what one run alone does."""
    rng = random.Random(seed)
    jobs = [
        (rng.choice(WORKS), rng.randrange(1000))
        for _ in range(16 if IS_LARGE else 6)
    ]
    alone = [answer(*job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        by_threads = list(pool.map(lambda job: answer(*job), jobs))
    by_processes = joblib.Parallel(n_jobs=2)(
        joblib.delayed(answer)(*job) for job in jobs
    )
    assert by_threads == alone
    assert by_processes == alone
