"""Compiled assignments and exchanges: by hand, and against references."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.clustering import assignment_kernels as kernels
from ncc_routing.clustering.exchange_kernels import (
    place_by_exchange,
    swap_members,
)

SCORES = np.array([[9.0, 8.0, 1.0, 5.0], [1.0, 7.0, 6.0, 4.5]])
WEIGHTS = np.array([2, 2, 2, 2])


def _buffers(size: int, num_clusters: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(num_clusters, dtype=np.int64), np.full(size, -1)


def test_sorted_assignment_follows_the_list_of_pairs() -> None:
    """Points 0 and 1 fill cluster 0; with less room one fits nowhere."""
    for room, expected in (([4, 4], 0), ([4, 3], 1)):
        loads, labels = _buffers(4, 2)
        left = kernels.assign_sorted(
            *(SCORES, WEIGHTS, 4, 2, np.array(room), loads, labels)
        )
        assert left == labels.tolist().count(-1) == expected
        assert (loads <= room).all()
        if not expected:
            assert labels.tolist() == [0, 0, 1, 1]
            assert loads.tolist() == [4, 4]


@pytest.mark.parametrize("num_left", [0, 3])
def test_cyclic_assignment_takes_turns(num_left: int) -> None:
    """Each cluster takes its best; the last points are left if asked."""
    loads, labels = _buffers(4, 2)
    left = kernels.assign_cyclic(
        *(SCORES, WEIGHTS, 4, 2, np.array([8, 8]), num_left, loads, labels),
        np.random.default_rng(1),
    )
    assert left == (labels < 0).sum() == num_left
    if num_left == 0:
        assert loads.tolist() == [4, 4]
        assert labels[0] == 0


@pytest.mark.parametrize("num_samples", [1, 8])
def test_completion_goes_to_the_nearest_cluster_with_room(
    num_samples: int,
) -> None:
    """Near center 0 is room for one of two: the closer one gets it."""
    loads, labels = np.array([2, 0]), np.full(2, -1)
    left = kernels.complete(
        *(np.array([[5.0, 9.0], [0.0, 0.0]]),),
        *(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([2, 2]), 2, 2),
        *(np.array([4, 4]), np.array([[0.0, 0.0], [10.0, 0.0]])),
        *(num_samples, loads, labels, np.random.default_rng(1)),
    )
    assert left == 0
    assert labels.tolist() == [1, 0]
    assert loads.tolist() == [4, 2]


@pytest.mark.parametrize(
    ("listed", "labels"),
    [
        (None, [1, 0]),
        ([[0, 0], [1, 1]], [1, 0]),
        ([[1, 0], [0, 2]], [1, 0]),
        ([[2, 2], [2, 2]], [-1, 2]),
    ],
)
def test_regret_assignment_serves_the_largest_loss_first(
    listed: list[list[int]] | None, labels: list[int]
) -> None:
    """Point 1, which would lose more, goes first; each cluster holds one."""
    loads, found = _buffers(2, 3)
    scores = np.array([[-1.0, -1.0], [-2.0, -9.0]])
    left = kernels.assign_by_regret(
        *(scores, np.array([3, 3]), 2, 2, np.array([4, 4, 4]), 0.0),
        *(loads, found, np.zeros(2), np.zeros(2, dtype=np.int64)),
        *(() if listed is None else (np.array(listed),)),
    )
    assert found.tolist() == labels
    assert left == labels.count(-1)
    assert loads.sum() == 3 * (2 - left)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 101])
def test_sort_by_key_sorts_keys_and_items(count: int) -> None:
    """Against numpy, with equal keys, and nothing touched beyond."""
    rng = np.random.default_rng(count)
    keys = rng.integers(0, 20, size=count + 2).astype(float)
    items = np.arange(count + 2)
    found, moved = keys.copy(), items.copy()
    kernels.sort_by_key(found, moved, count)
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

    def loads_of(own: list[int]) -> list[int]:
        pairs = list(zip(own, weights, strict=True))
        return [sum(w for i, w in pairs if i == k) for k in range(count)]

    found, loads = np.array(labels), np.array(loads_of(labels))
    left = place_by_exchange(
        *(np.zeros((count, size)), np.array(weights), size, count),
        *(np.array(capacities), loads, found),
    )
    assert found.tolist() == expected
    assert left == expected.count(-1)
    assert loads.tolist() == loads_of(expected)


def test_exchange_takes_the_cheapest_swap() -> None:
    """Both 5s could give way; the second loses less by it."""
    scores = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, -9.0, -1.0, 0.0]])
    labels, weights = np.array([-1, 0, 0, 1]), np.array([2, 5, 5, 4])
    room, loads = np.array([11, 5]), np.array([10, 4])
    assert not place_by_exchange(scores, weights, 4, 2, room, loads, labels)
    assert labels.tolist() == [0, 0, 1, 0]


def test_members_move_and_swap_while_that_is_better() -> None:
    """One moves to a free place; two that are both wrong change places."""
    scores = np.array([[5.0, 1.0, 4.0, 0.0], [0.0, 3.0, 5.0, 9.0]])
    weights, capacities = np.array([2, 2, 1, 3]), np.array([5, 5])
    labels, loads = np.array([1, 1, 0, 0]), np.array([4, 4])
    members = (scores, weights, 4, 2, capacities, loads, labels)
    swap_members(*members, 1)
    # 0 and 3 change places, which gains 14; then 2 would need room.
    assert labels.tolist() == [0, 1, 0, 1]
    assert loads.tolist() == [3, 5]
    swap_members(*members, 10)
    assert labels.tolist() == [0, 1, 0, 1]
    capacities[1] = 6
    swap_members(*members, 10)
    assert labels.tolist() == [0, 1, 1, 1]
    assert loads.tolist() == [2, 6]


def test_swaps_keep_the_capacities_and_end_where_none_is_better() -> None:
    """Against all pairs, on random tables."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        size, count = 30, 5
        scores = rng.normal(size=(count, size))
        weights = rng.integers(1, 9, size)
        labels = np.arange(size) % count
        loads = np.bincount(labels, weights, count).astype(np.int64)
        capacities = loads + rng.integers(0, 4, count)
        swap_members(
            scores, weights, size, count, capacities, loads, labels, 100
        )
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
