"""Compiled exchanges: cases by hand, and swaps against all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.clustering.exchange_kernels import (
    place_by_exchange,
    swap_members,
)


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
