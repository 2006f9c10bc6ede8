"""Compiled steps around centers against plain references."""

import numpy as np
import pytest

from ncc_routing.clustering import center_kernels as kernels
from ncc_routing.clustering.priority import DistancePriority, RegretPriority


@pytest.mark.parametrize("rule", [kernels.KMEANS, kernels.CKM])
def test_seeding_spreads_over_separate_places(rule: int) -> None:
    """With two far places, the second center is never at the first one."""
    xs = np.array([0.0, 0.0, 0.0, 100.0, 100.0])
    ys = np.zeros(5)
    centers = np.zeros((2, 2))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        kernels.seed_centers(
            rule, xs, ys, np.ones(5, dtype=np.int64), 5, 2, centers,
            np.zeros(5), rng,
        )  # fmt: skip
        assert sorted(centers[:, 0]) == [0.0, 100.0]


def test_random_seeding_takes_distinct_points() -> None:
    """As many centers as points: each point once."""
    xs = np.arange(6.0)
    centers = np.zeros((6, 2))
    rng = np.random.default_rng(3)
    kernels.seed_centers(
        kernels.RANDOM, xs, xs, np.ones(6, dtype=np.int64), 6, 6, centers,
        np.zeros(6), rng,
    )  # fmt: skip
    assert sorted(centers[:, 0]) == xs.tolist()


def test_weighted_seeding_prefers_heavy_points() -> None:
    """ckm++ takes the far point of weight 99 far more often than weight 1."""
    xs = np.array([0.0, 10.0, -10.0])
    weights = np.array([1, 99, 1])
    centers = np.zeros((2, 2))
    heavy = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        kernels.seed_centers(
            kernels.CKM, xs, np.zeros(3), weights, 3, 2, centers,
            np.zeros(3), rng,
        )  # fmt: skip
        heavy += 10.0 in centers[:, 0]
    assert heavy > 285


@pytest.mark.parametrize("priority", [DistancePriority(), RegretPriority(0.3)])
def test_score_follows_the_formula(priority) -> None:
    """Both classical priorities, against numpy."""
    rng = np.random.default_rng(1)
    xs, ys = rng.random(5), rng.random(5)
    weights = np.array([3, 1, 4, 1, 5])
    centers = rng.random((2, 2))
    depot = np.array([0.3, 0.4, 1.0])
    out = np.zeros((2, 5))
    place = np.arange(5)
    table = priority.table()
    kernels.score(
        table, place, place, xs, ys, weights, 5, 2, depot, centers,
        np.zeros(2, dtype=np.int64), out,
    )  # fmt: skip
    points = np.column_stack([xs, ys])
    to_depot = np.linalg.norm(points - depot[:2], axis=1)
    for k in range(2):
        to_center = np.linalg.norm(points - centers[k], axis=1)
        back = np.linalg.norm(centers[k] - depot[:2])
        expected = (
            table.ratio_weight * weights / (to_center + 1e-9)
            + table.depot_weight * to_depot
            - table.distance_weight * to_center
            - table.detour_weight * (to_depot + to_center - back)
        )
        assert out[k] == pytest.approx(expected)


def test_score_looks_affinities_up() -> None:
    """Listed pairs get their affinity, the medoid 0, others the far one."""
    table = (
        RegretPriority()
        .table()
        ._replace(
            neighbours=np.array([[1], [0], [0]], dtype=np.int32),
            affinity=np.array([[-0.5], [-0.5], [-2.0]]),
            far_affinity=-9.0,
            affinity_weight=2.0,
            distance_weight=0.0,
        )
    )
    place = np.arange(3)
    out = np.zeros((1, 3))
    kernels.score(
        table, place, place, np.zeros(3), np.zeros(3),
        np.ones(3, dtype=np.int64), 3, 1, np.zeros(3), np.zeros((1, 2)),
        np.zeros(1, dtype=np.int64), out,
    )  # fmt: skip
    assert out[0].tolist() == [0.0, -1.0, -18.0]


def test_centers_move_to_the_mean_with_the_depot() -> None:
    """Two members at x = 0 and 3, depot at 6: the mean of the three is 3."""
    centers = np.array([[9.0, 9.0], [7.0, 7.0]])
    moved = kernels.update_centers(
        np.array([0.0, 3.0]), np.zeros(2), 2, 2, np.array([6.0, 0.0, 1.0]),
        np.array([0, 0]), centers, np.zeros(2),
    )  # fmt: skip
    assert centers[0].tolist() == [3.0, 0.0]
    assert centers[1].tolist() == [7.0, 7.0]  # empty: stays
    assert moved == pytest.approx(36.0 + 81.0)
