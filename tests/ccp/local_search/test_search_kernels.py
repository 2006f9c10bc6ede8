"""The moves of the local search against recomputed inertias."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.ccp.local_search import _descent_kernels as descent
from ncc_routing.ccp.local_search import _partition_kernels as partition


def start(
    seed: int, num_dims: int = 2
) -> tuple[partition.Problem, partition.Partition, np.random.Generator]:
    """Return 30 random points in 4 random clusters, with room to spare."""
    rng = np.random.default_rng(seed)
    coords = rng.random((30, num_dims))
    weights = rng.integers(1, 10, 30).astype(float)
    problem = partition.Problem(coords, weights, np.full(4, 60.0), 0.1)
    part = partition.new_partition(problem)
    part.labels[:] = rng.integers(0, 4, 30)
    partition.rebuild(problem, part)
    return problem, part, rng


def inertia(coords: np.ndarray, labels: np.ndarray) -> float:
    """Return the inertia from its definition."""
    groups = [coords[labels == k] for k in range(labels.max() + 1)]
    return float(
        sum(((g - g.mean(axis=0)) ** 2).sum() for g in groups if len(g))
    )


@pytest.mark.parametrize("num_dims", [1, 2, 5])
def test_deltas_are_exact(num_dims: int) -> None:
    """Relocation, swap and replacement agree with the definition."""
    problem, part, _ = start(3, num_dims)
    labels = part.labels.copy()
    before = inertia(problem.coords, labels)
    assert partition.rebuild(problem, part) == pytest.approx(before)
    for i in range(30):
        to = (labels[i] + 1) % 4
        changed = labels.copy()
        changed[i] = to
        delta = partition.insertion(problem, part, i, to)
        delta -= partition.removal(problem, part, i)
        after = inertia(problem.coords, changed)
        assert delta == pytest.approx(after - before, abs=1e-12)
        j = (7 * i + 1) % 30
        if labels[j] == labels[i]:
            continue
        changed = labels.copy()
        changed[i], changed[j] = labels[j], labels[i]
        delta = partition.exchange(problem, part, i, j)
        after = inertia(problem.coords, changed)
        assert delta == pytest.approx(after - before, abs=1e-12)
        both = partition.replacement(problem, part, i, j)
        both += partition.replacement(problem, part, j, i)
        assert both == pytest.approx(after - before, abs=1e-12)


def test_move_keeps_means_loads_and_lists() -> None:
    """After many moves everything is as if recomputed."""
    problem, part, rng = start(4)
    for _ in range(200):
        i, to = int(rng.integers(30)), int(rng.integers(4))
        if part.labels[i] != to and part.counts[part.labels[i]] > 1:
            partition.move(problem, part, i, to)
    means, loads = part.means.copy(), part.loads.copy()
    members = set()
    for k in range(4):
        i = part.head[k]
        while i >= 0:
            assert part.labels[i] == k
            members.add(int(i))
            i = part.after[i]
    assert members == set(range(30))
    partition.rebuild(problem, part)
    assert means == pytest.approx(part.means)
    assert loads == pytest.approx(part.loads)


def test_descent_states_its_gain_and_keeps_the_limits() -> None:
    """The sum of the deltas is the change of the inertia."""
    for seed in range(5):
        problem, part, _ = start(seed)
        near = np.tile(np.arange(4, dtype=np.int64), (30, 1))
        left = descent.relieve(problem, part, near, 100)
        assert left == 0.0
        before = partition.rebuild(problem, part)
        descent.mark_all(part, 1)
        change = descent.descend(problem, part, near, 100, np.inf)
        after = inertia(problem.coords, part.labels)
        assert change <= 0.0
        assert after == pytest.approx(before + change)
        loads = np.bincount(part.labels, problem.weights, 4)
        assert (loads <= problem.limits).all()


def test_descent_finds_a_swap_where_nothing_has_room() -> None:
    """Two full clusters: only exchanging 1 and 2 puts things right."""
    coords = np.array([[0.0], [10.0], [1.0], [11.0]])
    problem = partition.Problem(coords, np.ones(4), np.full(2, 2.0), 25.0)
    part = partition.new_partition(problem)
    part.labels[:] = [0, 0, 1, 1]
    partition.rebuild(problem, part)
    near = np.tile(np.arange(2, dtype=np.int64), (4, 1))
    descent.descend(problem, part, near, 10, np.inf)
    assert part.labels[0] == part.labels[2] != part.labels[1]
