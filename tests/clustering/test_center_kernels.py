"""Compiled steps around centers against plain references."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing.clustering import center_kernels as kernels
from ncc_routing.clustering.priority import (
    DistancePriority,
    Priority,
    PriorityFormula,
    RegretPriority,
)


def seeded(
    rule: int, places: list[float], weights: list[int], count: int, seed: int
) -> list[float]:
    """Return the sorted centers of points on a line."""
    coords, size = np.array(places)[:, None], len(places)
    centers = np.zeros((count, 1))
    kernels.seed_centers(
        *(rule, coords, np.array(weights), size, count, centers),
        *(np.zeros(size), np.random.default_rng(seed)),
    )
    return sorted(centers[:, 0].tolist())


@pytest.mark.parametrize("rule", [kernels.KMEANS, kernels.CKM])
def test_seeding_spreads_over_separate_places(rule: int) -> None:
    """The second center is never at the first one; random points differ."""
    places = [0.0, 0, 0, 100, 100]
    for seed in range(20):
        assert seeded(rule, places, [1] * 5, 2, seed) == [0.0, 100.0]
    places = [0.0, 1, 2, 3, 4, 5]
    assert seeded(kernels.RANDOM, places, [1] * 6, 6, 3) == places


def test_weighted_seeding_prefers_heavy_points() -> None:
    """ckm++ takes the far point of weight 99 far more often than weight 1."""
    places, weights = [0.0, 10, -10], [1, 99, 1]
    heavy = sum(
        10.0 in seeded(kernels.CKM, places, weights, 2, seed)
        for seed in range(300)
    )
    assert heavy > 285


@pytest.mark.parametrize("num_dims", [1, 2, 3])
@pytest.mark.parametrize("priority", [DistancePriority(), RegretPriority(0.3)])
def test_score_follows_the_formula(priority: Priority, num_dims: int) -> None:
    """Both classical priorities, against numpy, in any space."""
    rng = np.random.default_rng(1)
    points = rng.random((5, num_dims))
    weights = np.array([3, 1, 4, 1, 5])
    centers = rng.random((2, num_dims))
    depot = np.append(rng.random(num_dims), 1.0)
    out, place = np.zeros((2, 5)), np.arange(5)
    formula = priority.formula()
    kernels.score(
        *(formula, place, place, points, weights, 5, 2, depot, centers),
        *(np.zeros(2, dtype=np.int64), out),
    )
    to_depot = np.linalg.norm(points - depot[:-1], axis=1)
    for k in range(2):
        to_center = np.linalg.norm(points - centers[k], axis=1)
        back = np.linalg.norm(centers[k] - depot[:-1])
        expected = (
            formula.ratio_weight * weights / (to_center + 1e-9)
            + formula.depot_weight * to_depot
            - formula.distance_weight * to_center
            - formula.detour_weight * (to_depot + to_center - back)
        )
        assert out[k] == pytest.approx(expected)


def test_score_looks_affinities_up() -> None:
    """Listed pairs get their affinity, the medoid 0, others the far one."""
    formula = PriorityFormula(
        neighbours=np.array([[1], [0], [0]], dtype=np.int32),
        affinity=np.array([[-0.5], [-0.5], [-2.0]]),
        far_affinity=-9.0,
        affinity_weight=2.0,
    )
    place, out = np.arange(3), np.zeros((1, 3))
    kernels.score(
        *(formula, place, place, np.zeros((3, 2))),
        *(np.ones(3, dtype=np.int64), 3, 1, np.zeros(3), np.zeros((1, 2))),
        *(np.zeros(1, dtype=np.int64), out),
    )
    assert out[0].tolist() == [0.0, -1.0, -18.0]


def test_centers_move_to_the_mean_with_the_depot() -> None:
    """Two members at x = 0 and 3, depot at 6: the mean of the three is 3."""
    centers = np.array([[9.0, 9.0], [7.0, 7.0]])
    moved = kernels.update_centers(
        *(np.array([[0.0, 0.0], [3.0, 0.0]]), 2, 2),
        *(np.array([6.0, 0.0, 1.0]), np.array([0, 0]), centers, np.zeros(2)),
    )
    assert centers[0].tolist() == [3.0, 0.0]
    assert centers[1].tolist() == [7.0, 7.0]  # empty: stays
    assert moved == pytest.approx(36.0 + 81.0)
