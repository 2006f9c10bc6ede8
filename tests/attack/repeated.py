"""The same work again and again, and at once: memory and equal answers."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

import joblib
import numpy as np

import ncc_routing as nr
from ncc_routing.ccp.methods import METHODS as CLUSTER_METHODS
from ncc_routing.core.deadline import Deadline
from ncc_routing.problems.clusters import OBJECTIVES
from ncc_routing.vrp.methods import METHODS, NO_POLISH, POLISHES
from tests.attack import samples
from tests.attack.outcomes import Counts, require

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

NUM_SOLVES: Final = 1_000
NUM_FIRST: Final = 100
"""Solves of each method, and those of them that may grow caches."""

SECONDS: Final = 30.0
"""Processor time after which the solves of a method end."""

MOST_GROWTH: Final = 16.0
"""MB by which a thousand solves may grow a process, after the first."""

MOST_NOISE: Final = 4.0
"""MB that are no sign of growth."""

NUM_JOBS: Final = 16
NUM_THREADS: Final = 8
NUM_PROCESSES: Final = 2

Answer = tuple[object, ...]


def compile_all(*_: object) -> Counts:
    """Compile every kernel that a case of any part calls."""
    nr.warmup(everything=True)
    for polish in POLISHES:
        stop = nr.MaxIterations(2)
        nr.solve(samples.rich_instance(), polish=polish, stop=stop)
    points = _points()
    kinds = product((int, float), (int, float), OBJECTIVES, CLUSTER_METHODS)
    for weight, capacity, objective, method in kinds:
        nr.cluster(
            nr.PointSet(points.coords, points.weights.astype(weight), 70),
            4,
            capacity(70),
            method=method,
            objective=objective,
            time_limit=1.0,
        )
    return Counter()


def works() -> list[tuple[str, Callable[[int], Answer]]]:
    """Return a run of each method and polish: its answer for a seed.

    Iterations limit the runs, so that a seed has one answer. The router is
    the built-in one: that of the package elkai keeps some KB of each call.
    """
    found: list[tuple[str, Callable[[int], Answer]]] = []
    for method in METHODS:
        found.append((method, _Route(method, NO_POLISH)))
    for polish in POLISHES:
        found.append((f"polish {polish}", _Route("savings", polish)))
    for method in CLUSTER_METHODS:
        found.append((f"cluster {method}", _Cluster(method)))
    return found


class _Route:
    """Routes of forty customers by a method and a polish."""

    def __init__(self, method: str, polish: str) -> None:
        self._method = method
        self._polish = polish

    def __call__(self, seed: int) -> Answer:
        found = nr.solve(
            _instance(),
            method=self._method,
            polish=self._polish,
            router="local-search",
            seed=seed,
            stop=nr.MaxIterations(20),
        )
        return found.best.cost, found.best.routes


class _Cluster:
    """Four clusters of forty points by a method."""

    def __init__(self, method: str) -> None:
        self._method = method

    def __call__(self, seed: int) -> Answer:
        deadline = Deadline(60.0)  # far away, and no other default counts
        points = _points()
        found = nr.cluster(
            points, 4, method=self._method, seed=seed, deadline=deadline
        )
        return found.cost, tuple(found.labels.tolist())


@cache
def _instance() -> nr.Instance:
    return nr.generate_uchoa(40, 4)


@cache
def _points() -> nr.PointSet:
    rng = np.random.default_rng(4)
    return nr.PointSet(rng.random((40, 2)), rng.integers(1, 9, 40), 70)


def solve_often(number: int, *_: object) -> Counts:
    """Solve a thousand times by one method; the memory stays flat."""
    name, work = works()[number]
    begun, done = time.process_time(), 0
    used: list[tuple[int, float]] = []
    while done < NUM_SOLVES and time.process_time() - begun < SECONDS:
        work(done)
        done += 1
        is_warm = time.process_time() - begun > SECONDS / 4
        if not used and (done == NUM_FIRST or is_warm):
            used.append((done, _used()))
    used.append((done, _used()))
    (first, before), (last, after) = used[0], used[-1]
    growth = after - before
    large = growth * NUM_SOLVES > MOST_GROWTH * (last - first)
    text = f"{name}: {growth:.1f} MB more from solve {first} to {last}"
    require(growth < MOST_NOISE or not large, text)
    return Counter({"solves": done})


def solve_together(_: int, rng: random.Random, __: Path) -> Counts:
    """Solve in threads and in processes at once; answers stay the same."""
    kinds = range(len(works()))
    jobs = [(rng.choice(kinds), rng.randrange(1000)) for _ in range(NUM_JOBS)]
    lonely = [answer(*job) for job in jobs]
    with ThreadPoolExecutor(NUM_THREADS) as pool:
        by_threads = list(pool.map(lambda job: answer(*job), jobs))
    by_processes = joblib.Parallel(n_jobs=NUM_PROCESSES)(
        joblib.delayed(answer)(*job) for job in jobs
    )
    for found in (by_threads, by_processes):
        for (idx, seed), one, two in zip(jobs, lonely, found, strict=True):
            name = works()[idx][0]
            require(one == two, f"{name}, seed {seed}: {one}, then {two}")
    return Counter({"solves": 3 * NUM_JOBS})


def answer(idx: int, seed: int) -> Answer:
    """Return what the work of that number answers."""
    return works()[idx][1](seed)


def _used() -> float:
    """Return the memory of this process in MB; 0 where it is not known."""
    gc.collect()
    if sys.platform != "linux":
        return 0.0
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
