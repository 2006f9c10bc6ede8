"""The moves of the local search against recomputed inertias."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncc_routing.ccp.local_search import _descent_kernels as descent
from ncc_routing.ccp.local_search import _partition_kernels as partition
from ncc_routing.ccp.local_search._price_kernels import assign_by_price


def whole(
    coords: np.ndarray,
    weights: np.ndarray,
    limits: list[int],
    share: float,
    labels: Any,
) -> tuple[partition.PartitionProblem, partition.Partition]:
    """Return a problem and a partition with everything computed."""
    room = np.array(limits, dtype=float)
    problem = partition.PartitionProblem(coords, weights, room, share)
    part = partition.new_partition(problem)
    part.labels[:] = labels
    partition.rebuild(problem, part)
    return problem, part


def start(
    seed: int, num_dims: int = 2
) -> tuple[
    partition.PartitionProblem, partition.Partition, np.random.Generator
]:
    """Return 30 random points in 4 random clusters, with room to spare."""
    rng = np.random.default_rng(seed)
    coords = rng.random((30, num_dims))
    weights = rng.integers(1, 10, 30).astype(float)
    labels = rng.integers(0, 4, 30)
    return *whole(coords, weights, [60] * 4, 0.1, labels), rng


def everyone_near(num_clusters: int) -> np.ndarray:
    """Return that each cluster is near every one."""
    return np.tile(np.arange(num_clusters), (num_clusters, 1))


def on_a_line(
    places: list[float], labels: list[int], limits: list[int]
) -> tuple[partition.PartitionProblem, partition.Partition]:
    """Return points of weight 1 and their clusters."""
    coords = np.array(places)[:, None]
    return whole(coords, np.ones(len(coords)), limits, 1.0, labels)


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
        near, level = everyone_near(4), np.zeros(4)
        order = np.arange(30)
        while descent.relieve(
            *(problem, part, near, 30, order, level, level, 0.0)
        ):
            pass
        assert (part.loads <= problem.limits).all()
        before = partition.rebuild(problem, part)
        descent.mark_all(part, 1)
        change = descent.descend(problem, part, near, 30, 3000, np.inf)
        after = inertia(problem.coords, part.labels)
        assert change <= 0.0
        assert after == pytest.approx(before + change)
        loads = np.bincount(part.labels, problem.weights, 4)
        assert (loads <= problem.limits).all()


def test_descent_finds_a_swap_where_nothing_has_room() -> None:
    """Two full clusters: only exchanging 1 and 2 puts things right."""
    problem, part = on_a_line([0.0, 10, 1, 11], [0, 0, 1, 1], [2, 2])
    descent.descend(problem, part, everyone_near(2), 4, 40, np.inf)
    assert part.labels[0] == part.labels[2] != part.labels[1]


def test_descent_goes_on_where_it_stopped() -> None:
    """Seven points at a time, until nothing is left: as in one go."""
    found = []
    for stretch in (3000, 7):
        problem, part, _ = start(1)
        part.labels[:] = np.arange(30) % 4
        partition.rebuild(problem, part)
        descent.mark_all(part, 1)
        while part.cursor[1] < 30:
            descent.descend(
                *(problem, part, everyone_near(4), 30, stretch, np.inf)
            )
        found.append(part.labels.tolist())
    assert found[0] == found[1]


def test_excess_is_handed_on_to_where_there_is_room() -> None:
    """Four points of three clusters: too full, full, and with room."""
    line = ([0.0, 1.0, 2.0, 9.0], [0, 0, 1, 2], [1, 1, 2])
    near, order = np.array([[0, 1], [1, 2], [2, 1]]), np.arange(4)
    height, prices, level = np.array([2.0, 1.0, 0.0]), np.zeros(3), np.zeros(3)
    problem, part = on_a_line(*line)
    for _ in range(2):
        descent.relieve(problem, part, near, 4, order, height, prices, 0.0)
    assert part.loads.tolist() == [1, 1, 2]
    problem, part = on_a_line(*line)
    rest = (near, 4, order, level, prices, 0.0)
    assert not descent.relieve(problem, part, *rest)


def test_price_moves_the_border_between_two_centers() -> None:
    """At 4 of 0 to 10: 16 + 20 is as much as 36; margins by hand."""
    problem, _ = on_a_line([3.0, 5.0, 10.0], [0, 0, 1], [3, 3])
    labels, margins, sums = np.zeros(3, int), np.zeros(3), np.zeros((2, 4))
    assign_by_price(
        *(problem, np.array([[0.0], [10.0]]), np.array([20.0, 0.0])),
        *(everyone_near(2), labels, margins, sums, 0, 3, 1),
    )
    assert labels.tolist() == [0, 1, 1]
    assert margins.tolist() == [20.0, 20.0, 120.0]
    assert sums.tolist() == [[3, 1, 1, 9], [15, 2, 2, 25]]
