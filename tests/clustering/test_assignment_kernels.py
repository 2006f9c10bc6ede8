"""Compiled assignments against plain references."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.clustering import assignment_kernels as kernels

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
