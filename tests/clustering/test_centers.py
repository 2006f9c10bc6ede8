"""Steps around centers against plain references."""

from __future__ import annotations

import numpy as np
import pytest

from ncc_routing._core import clustering as kernels
from ncc_routing._core.clustering import Seeding
from ncc_routing.clustering.priority import (
    DistancePriority,
    Priority,
    RegretPriority,
    formula_of,
)


def seeded(
    rule: Seeding,
    places: list[float],
    weights: list[float],
    count: int,
    seed: int,
) -> list[float]:
    """Return the sorted centers of points on a line."""
    centers = np.zeros((count, 1))
    kernels.seed_centers(
        rule,
        np.array(places)[:, None],
        np.array(weights),
        centers,
        np.random.default_rng(seed),
    )
    return sorted(centers[:, 0].tolist())


@pytest.mark.parametrize("rule", [Seeding.KMEANS, Seeding.CKM])
def test_seeding_spreads_over_separate_places(rule: Seeding) -> None:
    """The second center is never at the first one."""
    places = [0.0, 0, 0, 100, 100]
    for seed in range(20):
        assert seeded(rule, places, [1.0] * 5, 2, seed) == [0.0, 100.0]


def test_weighted_seeding_prefers_heavy_points() -> None:
    """ckm++ takes the far point of weight 99 far more often than weight 1."""
    places, weights = [0.0, 10, -10], [1.0, 99, 1]
    heavy = sum(
        10.0 in seeded(Seeding.CKM, places, weights, 2, seed)
        for seed in range(300)
    )
    assert heavy > 285


@pytest.mark.parametrize("num_dims", [1, 2, 3])
def test_seeds_are_drawn_with_the_generator(num_dims: int) -> None:
    """One draw by squared distance times weight for each center."""
    rng = np.random.default_rng(7)
    coords, weights = rng.random((200, num_dims)), rng.random(200)
    centers = np.zeros((9, num_dims))
    kernels.seed_centers(
        Seeding.CKM, coords, weights, centers, np.random.default_rng(5)
    )
    rng, mass = np.random.default_rng(5), np.ones(200)
    for k in range(9):
        sums = np.cumsum(mass)
        chosen = np.searchsorted(sums, rng.random() * sums[-1], side="right")
        assert centers[k].tolist() == coords[chosen].tolist()
        reach = ((coords - coords[chosen]) ** 2).sum(axis=1) * weights
        mass = reach if k == 0 else np.minimum(mass, reach)


@pytest.mark.parametrize("num_dims", [1, 2, 3])
@pytest.mark.parametrize("priority", [DistancePriority(), RegretPriority(0.3)])
def test_score_follows_the_formula(priority: Priority, num_dims: int) -> None:
    """Both classical priorities, against numpy, in any space."""
    rng = np.random.default_rng(1)
    points = rng.random((5, num_dims))
    weights = np.array([3.0, 1, 4, 1, 5])
    centers = rng.random((2, num_dims))
    depot, out = rng.random(num_dims), np.zeros((2, 5))
    formula = formula_of(priority, 5, has_depot=False)
    kernels.score(formula, points, weights, depot, centers, out)
    to_depot = np.linalg.norm(points - depot, axis=1)
    for k in range(2):
        to_center = np.linalg.norm(points - centers[k], axis=1)
        back = np.linalg.norm(centers[k] - depot)
        expected = (
            formula.ratio_weight * weights / (to_center + 1e-9)
            + formula.depot_weight * to_depot
            - formula.distance_weight * to_center
            - formula.detour_weight * (to_depot + to_center - back)
        )
        assert out[k] == pytest.approx(expected)


def test_centers_move_to_the_mean_with_the_depot() -> None:
    """Two members at x = 0 and 3, depot at 6: the mean of the three is 3.

    A point without a cluster counts nowhere.
    """
    centers = np.array([[9.0, 9.0], [7.0, 7.0]])
    moved = kernels.update_centers(
        np.array([[0.0, 0.0], [3.0, 0.0], [50.0, 0.0]]),
        np.array([6.0, 0.0]),
        np.array([0, 0, -1]),
        centers,
    )
    assert centers[0].tolist() == [3.0, 0.0]
    assert centers[1].tolist() == [7.0, 7.0]  # empty: stays
    assert moved == pytest.approx(36.0 + 81.0)
