"""Clustering problems at the edge, by every method and objective."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

import ncc_routing as nr
from ncc_routing.ccp.methods import METHODS
from ncc_routing.core.deadline import Deadline
from ncc_routing.core.exceptions import (
    InfeasibleError,
    NccRoutingError,
    UnsupportedProblemError,
)
from ncc_routing.problems.clusters import OBJECTIVES
from tests.attack.outcomes import Counts, require, require_line

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

SECONDS: Final = 1.0
"""Time of a run: some methods start a process of their own."""

MOST_BRUTE: Final = 6
"""Points up to which every clustering is tried."""


class Task(NamedTuple):
    """A clustering problem, and whether it has a solution for sure."""

    points: nr.PointSet
    num_clusters: int
    solvable: bool = True


Shape = Callable[[np.random.Generator, int], Task]


def _one_cluster(rng: np.random.Generator, n: int) -> Task:
    weights = rng.integers(1, 9, n)
    return Task(nr.PointSet(rng.random((n, 2)), weights, weights.sum()), 1)


def _all_alone(rng: np.random.Generator, n: int) -> Task:
    return Task(nr.PointSet(rng.random((n, 2)), np.full(n, 5), 5), n)


def _tight(rng: np.random.Generator, n: int) -> Task:
    """Two equal halves that fill their clusters to the last unit."""
    half = rng.integers(1, 9, max(1, n // 2))
    weights = np.concatenate([half, half])
    coords = rng.random((len(weights), 2))
    is_easy = len(half) <= 2
    return Task(nr.PointSet(coords, weights, half.sum()), 2, is_easy)


def _exact_sums(rng: np.random.Generator, n: int) -> Task:
    """Tenths, three to a cluster: 0.1 + 0.1 + 0.1 is above 0.3."""
    coords = rng.random((3 * n, 2))
    return Task(nr.PointSet(coords, np.full(3 * n, 0.1), 0.3), n)


def _one_place(rng: np.random.Generator, n: int) -> Task:
    coords = np.full((n, 2), 3.5)
    return Task(nr.PointSet(coords, np.ones(n), 2.0), n)


def _line(rng: np.random.Generator, n: int) -> Task:
    return Task(nr.PointSet(rng.random((n, 1)), np.ones(n), 2.0), n)


def _space(rng: np.random.Generator, n: int) -> Task:
    return Task(nr.PointSet(rng.random((n, 3)), np.ones(n), 2.0), n)


def _fortran(rng: np.random.Generator, n: int) -> Task:
    """Arrays that may not be written, and lie by columns or in steps."""
    coords = np.asfortranarray(rng.random((n, 2)))
    weights = rng.integers(1, 4, 2 * n)[::2]
    coords.setflags(write=False)
    weights.setflags(write=False)
    return Task(nr.PointSet(coords, weights, 6), n)


def _no_weight(rng: np.random.Generator, n: int) -> Task:
    weights = rng.integers(0, 2, n) * 3
    return Task(nr.PointSet(rng.random((n, 2)), weights, 3), n)


def _scaled(rng: np.random.Generator, n: int) -> Task:
    coords = rng.random((n, 2)) * 10.0 ** rng.integers(-9, 10)
    return Task(nr.PointSet(coords, np.ones(n), 2.0), n)


def _far(rng: np.random.Generator, n: int) -> Task:
    coords = rng.random((n, 2)) + 1e9
    return Task(nr.PointSet(coords, np.ones(n), 2.0), n)


def _frame(rng: np.random.Generator, n: int) -> Task:
    """Return a table of pandas with an index of its own."""
    import pandas as pd

    columns = {"x": rng.random(n), "y": rng.random(n), "weight": np.ones(n)}
    frame = pd.DataFrame(columns, index=np.arange(n)[::-1] * 7)
    return Task(nr.read_points(frame, 2.0), n)


def _random(rng: np.random.Generator, n: int) -> Task:
    """Return clusters with so much room that first fit succeeds."""
    weights = rng.integers(1, 6, n)
    count = max(1, n // 3)
    capacity = int(np.ceil(weights.sum() / count)) + 5
    return Task(nr.PointSet(rng.random((n, 2)), weights, capacity), count)


SHAPES: Final[tuple[Shape, ...]] = (
    _one_cluster,
    _all_alone,
    _tight,
    _exact_sums,
    _one_place,
    _line,
    _space,
    _fortran,
    _no_weight,
    _scaled,
    _far,
    _frame,
    _random,
)
"""Everything that may be special about points."""

SIZES: Final = (1, 2, 3, 4, 5, 6, 9, 25)


def cluster_degenerate(
    number: int, rng: random.Random, folder: Path
) -> Counts:
    """Cluster one set of points by every method, one objective each."""
    shape = SHAPES[number % len(SHAPES)]
    size = rng.choice(SIZES)
    task = shape(np.random.default_rng(rng.randrange(2**32)), size)
    text = f"{shape.__name__}, {task}: {task.points.coords.tolist()}"
    (folder / "points.txt").write_text(text, encoding="utf-8")
    counts: Counts = Counter({"problems": 1})
    for method in METHODS:
        objective = rng.choice(OBJECTIVES)
        what = f"{shape.__name__}, {size} points, {method}, {objective}"
        counts += cluster_against(task, method, objective, what)
    return counts


def cluster_against(
    task: Task, method: str, objective: str, what: str
) -> Counts:
    """Cluster points; compare with brute force where there are few.

    Raises
    ------
    Found
        If the answer breaks a rule or is better than the best one, or if
        there is none where one exists.
    """
    points, count = task.points, task.num_clusters
    try:
        found = nr.cluster(
            points,
            count,
            method=method,
            objective=objective,
            deadline=Deadline(SECONDS),
        )
    except UnsupportedProblemError as error:
        require_line(str(error))
        return Counter({"unsupported": 1})
    except NccRoutingError as error:
        require_line(str(error))
        # The simple rules of the paper may fail where little room is left.
        may_fail = isinstance(error, InfeasibleError) and (
            not task.solvable or method not in ("ckm", "ncc", "gb21", "pack")
        )
        require(may_fail, f"{what}: {error}")
        return Counter({"no solution": 1})
    broken = nr.check_clustering(points, found)
    require(not broken, f"{what}: {broken[:1]}")
    if points.num_points > MOST_BRUTE:
        return Counter({"clusterings": 1})
    best = best_cost(points, found.num_clusters, objective)
    text = f"{what}: {found.cost} below {best}"
    require(found.cost >= best * (1 - 1e-9) - 1e-12, text)
    return Counter({"clusterings": 1, "against brute force": 1})


def best_cost(points: nr.PointSet, count: int, objective: str) -> float:
    """Return the least cost of at most ``count`` clusters, by trying all."""
    best = np.inf
    limit = points.largest_load() * (1 + 1e-9)
    for labels in partitions(points.num_points, count):
        chosen = np.array(labels)
        loads = np.bincount(chosen, points.weights, minlength=count)
        if (loads <= limit).all():
            cost = sum(
                cluster_cost(points.coords[chosen == label], objective)
                for label in set(labels)
            )
            best = min(best, cost)
    return best


def partitions(size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to part ``size`` things into up to ``count`` sets.

    The sets are numbered in the order of their first members, so that each
    way comes once.
    """
    if size == 0:
        yield ()
        return
    for labels in partitions(size - 1, count):
        for label in range(min(count, max(labels, default=-1) + 2)):
            yield (*labels, label)


def cluster_cost(coords: np.ndarray, objective: str) -> float:
    """Return what one cluster costs, by definition."""
    offsets = coords - coords.mean(axis=0)
    if objective == "inertia":
        return float((offsets**2).sum())
    if objective == "cccp":
        return float(np.sqrt((offsets**2).sum(axis=1)).sum())
    pairs = coords[:, None] - coords[None]
    return float(np.sqrt((pairs**2).sum(axis=2)).sum(axis=1).min())
