"""Assignments and exchanges: by hand, and against references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing._core.clustering import Clusters, sort_by_key

if TYPE_CHECKING:
    from collections.abc import Sequence

SCORES = np.array([[9.0, 8.0, 1.0, 5.0], [1.0, 7.0, 6.0, 4.5]])


def clusters_of(
    weights: Sequence[float],
    capacities: Sequence[float],
    labels: Sequence[int] | None = None,
) -> Clusters:
    """Return points in clusters, in none without labels."""
    clusters = Clusters(
        np.array(weights, dtype=np.float64),
        np.array(capacities, dtype=np.float64),
    )
    if labels is not None:
        clusters.assign(np.array(labels))
    return clusters


def test_loads_follow_the_labels() -> None:
    """Points without a cluster weigh nothing, at first all of them."""
    clusters = clusters_of([2, 3, 4], [9, 9])
    assert clusters.labels.tolist() == [-1, -1, -1]
    assert clusters.loads.tolist() == [0.0, 0.0]
    clusters.assign(np.array([1, -1, 1]))
    assert clusters.labels.tolist() == [1, -1, 1]
    assert clusters.loads.tolist() == [0.0, 6.0]


def test_sorted_assignment_follows_the_list_of_pairs() -> None:
    """Points 0 and 1 fill cluster 0; with less room one fits nowhere."""
    for room, expected in (([4, 4], 0), ([4, 3], 1)):
        clusters = clusters_of([2, 2, 2, 2], room)
        left = clusters.assign_sorted(SCORES)
        assert left == clusters.labels.tolist().count(-1) == expected
        assert (clusters.loads <= room).all()
        if not expected:
            assert clusters.labels.tolist() == [0, 0, 1, 1]
            assert clusters.loads.tolist() == [4.0, 4.0]


@pytest.mark.parametrize("num_left", [0, 3])
def test_cyclic_assignment_takes_turns(num_left: int) -> None:
    """Each cluster takes its best; the last points are left if asked."""
    clusters = clusters_of([2, 2, 2, 2], [8, 8])
    left = clusters.assign_cyclic(SCORES, num_left, np.random.default_rng(1))
    assert left == (clusters.labels < 0).sum() == num_left
    if num_left == 0:
        assert clusters.loads.tolist() == [4.0, 4.0]
        assert clusters.labels[0] == 0


@pytest.mark.parametrize("num_samples", [1, 8])
def test_completion_goes_to_the_nearest_cluster_with_room(
    num_samples: int,
) -> None:
    """Near center 0 is room for one of two: the closer one gets it."""
    clusters = clusters_of([2, 2, 2], [4, 4], [-1, -1, 0])
    left = clusters.complete(
        np.array([[5.0, 9.0, 0.0], [0.0, 0.0, 0.0]]),
        np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
        np.array([[0.0, 0.0], [10.0, 0.0]]),
        num_samples,
        np.random.default_rng(1),
    )
    assert left == 0
    assert clusters.labels.tolist() == [1, 0, 0]
    assert clusters.loads.tolist() == [4.0, 2.0]


@pytest.mark.parametrize(
    ("listed", "labels"),
    [
        (None, [1, 0, -1]),
        ([[0, 0, 0], [1, 1, 1]], [1, 0, -1]),
        ([[1, 0, 0], [0, 1, 1]], [1, 0, -1]),
        ([[1, 1, 1], [1, 1, 1]], [-1, 1, -1]),
    ],
)
def test_regret_assignment_serves_the_largest_loss_first(
    listed: list[list[int]] | None, labels: list[int]
) -> None:
    """Point 1, which would lose more, goes first; each cluster holds one."""
    clusters = clusters_of([3, 3, 9], [4, 4])
    scores = np.array([[-1.0, -1.0, 0.0], [-2.0, -9.0, 0.0]])
    left = clusters.assign_by_regret(
        scores, listed=None if listed is None else np.array(listed)
    )
    assert clusters.labels.tolist() == labels
    assert left == labels.count(-1)
    assert clusters.loads.sum() == 3 * (3 - left)


def test_regret_counts_by_weight() -> None:
    """Both want cluster 0: the one that loses more, or the heavier one."""
    scores = np.array([[9.0, 9.0], [0.0, 1.0]])
    for power, expected in ((0.0, [0, 1]), (1.0, [1, 0])):
        clusters = clusters_of([2, 3], [4, 4])
        assert clusters.assign_by_regret(scores, power) == 0
        assert clusters.labels.tolist() == expected


@pytest.mark.parametrize("is_listed", [False, True])
def test_regret_assignment_of_many_points(is_listed: bool) -> None:
    """Against a plain loop, for points in several blocks and rounds."""
    rng = np.random.default_rng(6)
    size, count = 300, 7
    weights = rng.integers(1, 9, size).astype(np.float64)
    scores = rng.normal(size=(count, size))
    capacities = np.full(count, np.ceil(weights.sum() / count) + 2)
    listed = np.tile(np.arange(count)[:, None], size)
    if is_listed:
        listed = np.argsort(rng.random((count, size)), axis=0)
    loads, labels = np.zeros(count), np.full(size, -1)
    waiting = list(range(size))
    while waiting:
        choices = []
        for i in waiting:
            fits = loads[listed[:, i]] + weights[i] <= capacities[0]
            ranked = sorted(
                (-scores[row, i], listed[row, i])
                for row in np.flatnonzero(fits)
            )
            if ranked:
                worst = ranked[1][0] if len(ranked) > 1 else 1e18
                choices.append((ranked[0][0] - worst, i, ranked[0][1]))
        waiting = []
        for _, i, k in sorted(choices):
            if loads[k] + weights[i] <= capacities[k]:
                labels[i] = k
                loads[k] += weights[i]
            else:
                waiting.append(i)
    clusters = clusters_of(weights.tolist(), capacities.tolist())
    left = clusters.assign_by_regret(
        scores, listed=listed if is_listed else None
    )
    assert left == (labels < 0).sum()
    np.testing.assert_array_equal(clusters.labels, labels)
    np.testing.assert_array_equal(clusters.loads, loads)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 101])
def test_sort_by_key_sorts_keys_and_items(count: int) -> None:
    """Against numpy, with equal keys, and nothing touched beyond."""
    rng = np.random.default_rng(count)
    keys = rng.integers(0, 20, size=count + 2).astype(float)
    items = np.arange(count + 2)
    found, moved = keys.copy(), items.copy()
    sort_by_key(found[:count], moved[:count])
    assert (found[:count] == np.sort(keys[:count])).all()
    assert (keys[moved] == found).all()
    assert sorted(moved) == items.tolist()
    assert moved[count:].tolist() == [count, count + 1]


@pytest.mark.parametrize(
    ("weights", "capacities", "labels", "expected"),
    [
        # A point of weight 3 enters where one of weight 1 moves away.
        ([3, 3, 1, 3], [6, 5], [-1, 0, 0, 1], [0, 0, 1, 1]),
        # 3 replaces a 2, for which the 1 of the next cluster makes room.
        ([3, 2, 2, 1, 3, 4], [5] * 3, [-1, 0, 0, 1, 1, 2], [0, 1, 0, 2, 1, 2]),
        # 5 and 4 change places, and 2 gets the room of both clusters.
        ([2, 5, 4], [6, 5], [-1, 0, 1], [0, 1, 0]),
        # Nothing can move where both clusters are full.
        ([2, 2, 2], [2, 2], [-1, 0, 1], [-1, 0, 1]),
    ],
)
def test_exchange_makes_room_for_a_point_left_over(
    weights: list[int],
    capacities: list[int],
    labels: list[int],
    expected: list[int],
) -> None:
    """Labels and loads agree, and what stays unplaced is counted."""
    count, size = len(capacities), len(weights)
    clusters = clusters_of(weights, capacities, labels)
    left = clusters.place_by_exchange(np.zeros((count, size)))
    assert clusters.labels.tolist() == expected
    assert left == expected.count(-1)
    same = clusters_of(weights, capacities, expected)
    assert clusters.loads.tolist() == same.loads.tolist()


def test_exchange_takes_the_cheapest_swap() -> None:
    """Both 5s could give way; the second loses less by it."""
    scores = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, -9.0, -1.0, 0.0]])
    clusters = clusters_of([2, 5, 5, 4], [11, 5], [-1, 0, 0, 1])
    assert not clusters.place_by_exchange(scores)
    assert clusters.labels.tolist() == [0, 0, 1, 0]


def test_members_move_and_swap_while_that_is_better() -> None:
    """One moves to a free place; two that are both wrong change places."""
    scores = np.array([[5.0, 1.0, 4.0, 0.0], [0.0, 3.0, 5.0, 9.0]])
    weights = [2.0, 2, 1, 3]
    clusters = clusters_of(weights, [5, 5], [1, 1, 0, 0])
    clusters.swap_members(scores, 1)
    # 0 and 3 change places, which gains 14; then 2 would need room.
    assert clusters.labels.tolist() == [0, 1, 0, 1]
    assert clusters.loads.tolist() == [3.0, 5.0]
    clusters.swap_members(scores, 10)
    assert clusters.labels.tolist() == [0, 1, 0, 1]
    clusters = clusters_of(weights, [5, 6], [0, 1, 0, 1])
    clusters.swap_members(scores, 10)
    assert clusters.labels.tolist() == [0, 1, 1, 1]
    assert clusters.loads.tolist() == [2.0, 6.0]


def test_swaps_keep_the_capacities_and_end_where_none_is_better() -> None:
    """Against all pairs, on random tables."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        size, count = 30, 5
        scores = rng.normal(size=(count, size))
        weights = rng.integers(1, 9, size).astype(np.float64)
        start = np.arange(size) % count
        capacities = np.bincount(start, weights, count)
        capacities = capacities + rng.integers(0, 4, count).astype(float)
        clusters = Clusters(weights, capacities)
        clusters.assign(start)
        clusters.swap_members(scores, 100)
        labels, loads = clusters.labels, clusters.loads
        assert loads.tolist() == np.bincount(labels, weights, count).tolist()
        assert (loads <= capacities).all()
        for i, to in np.ndindex(size, count):
            k = labels[i]
            if loads[to] + weights[i] <= capacities[to]:
                assert scores[to, i] <= scores[k, i] + 1e-9
        for i, j in np.ndindex(size, size):
            k, to, shift = labels[i], labels[j], weights[i] - weights[j]
            if (
                loads[to] + shift <= capacities[to]
                and loads[k] - shift <= capacities[k]
            ):
                gain = scores[to, i] - scores[k, i]
                assert gain + scores[k, j] - scores[to, j] <= 1e-9
