"""Arguments of the compiled clustering whose sizes do not fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ncc_routing._core import clustering as kernels
from ncc_routing.clustering.priority import PriorityFormula

if TYPE_CHECKING:
    from collections.abc import Callable

RNG = np.random.default_rng(1)
SIX, FIVE, TWO = np.ones(6), np.ones(5), np.ones(2)
POINTS, CENTERS = np.zeros((6, 2)), np.zeros((2, 2))
LABELS, MEDOIDS = np.zeros(6, dtype=np.int64), np.zeros(2, dtype=np.int64)
SCORES, LISTED = np.zeros((2, 6)), np.zeros((2, 6), dtype=np.int64)
SOLID = np.zeros((2, 3))
FORMULA = PriorityFormula(distance_weight=1.0)
AFFINE = PriorityFormula(
    np.full((6, 1), 6, dtype=np.int32), np.zeros((6, 1)), affinity_weight=1.0
)
STARTS, ENDS = np.arange(7), np.array([1, 2, 3, 4, 5, 0])
PAIRS = kernels.Pairs(STARTS, ENDS, SIX, 0.0)
EMPTY_ROW = kernels.Pairs(np.array([0, 0, 2, 3, 4, 5, 6]), ENDS, SIX, 0.0)


def clusters() -> kernels.Clusters:
    """Return six points and two clusters."""
    return kernels.Clusters(SIX, TWO)


def place_doubtful(
    scores: np.ndarray, listed: np.ndarray, centers: np.ndarray
) -> int:
    """Call the method of that name."""
    return clusters().place_doubtful(
        *(scores, listed, POINTS, centers),
        num_left=0,
        num_samples=1,
        noise=0.0,
        rng=RNG,
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: kernels.seed_centers(
                kernels.Seeding.CKM, POINTS, FIVE, CENTERS, RNG
            ),
            "weight each",
        ),
        (
            lambda: kernels.seed_centers(
                kernels.Seeding.CKM, POINTS[:1], FIVE[:1], CENTERS, RNG
            ),
            "point for each center",
        ),
        (lambda: kernels.find_medoids(POINTS, SOLID, MEDOIDS), "coordinates"),
        (lambda: kernels.find_medoids(POINTS, CENTERS, LABELS), "medoids"),
        (
            lambda: kernels.take_members(POINTS, CENTERS, MEDOIDS, MEDOIDS),
            "labels",
        ),
        (
            lambda: kernels.take_members(POINTS, CENTERS, LABELS, LABELS),
            "medoids",
        ),
        (
            lambda: kernels.list_centers(
                POINTS, CENTERS[:1], LISTED, SCORES.copy()
            ),
            "listed",
        ),
        (
            lambda: kernels.update_centers(
                POINTS, None, LABELS + 2, CENTERS.copy()
            ),
            "labels",
        ),
        (
            lambda: kernels.update_centers(
                POINTS, SIX, LABELS, CENTERS.copy()
            ),
            "depot",
        ),
        (
            lambda: kernels.score(
                FORMULA, POINTS, SIX, None, CENTERS, np.zeros((2, 5))
            ),
            "scores",
        ),
        (
            lambda: kernels.score(
                AFFINE, POINTS, SIX, None, CENTERS, SCORES.copy()
            ),
            "priority",
        ),
        (lambda: kernels.sort_by_key(SIX.copy(), MEDOIDS.copy()), "keys"),
        (lambda: clusters().assign(LABELS + 2), "labels"),
        (lambda: clusters().assign(LABELS - 2), "labels"),
        (lambda: clusters().assign_by_regret(SCORES[:1]), "scores"),
        (
            lambda: clusters().assign_by_regret(SCORES, listed=LISTED + 2),
            "listed",
        ),
        (lambda: clusters().assign_sorted(SOLID), "scores"),
        (lambda: clusters().assign_cyclic(SOLID, 0, RNG), "scores"),
        (
            lambda: clusters().complete(SCORES, POINTS[:5], CENTERS, 1, RNG),
            "place each",
        ),
        (lambda: place_doubtful(SCORES, LISTED[:1], CENTERS), "listed"),
        (lambda: place_doubtful(SCORES, LISTED, CENTERS[:1]), "place each"),
        (lambda: clusters().place_by_exchange(SOLID), "scores"),
        (lambda: clusters().swap_members(SOLID, 1), "scores"),
        (
            lambda: kernels.KMeans(
                *(POINTS, SIX, np.ones(7), None, FORMULA),
                kernels.KMeansRules(),
            ),
            "point for each cluster",
        ),
        (
            lambda: kernels.KMeans(
                *(POINTS, SIX, TWO, None, AFFINE), kernels.KMeansRules()
            ),
            "priority",
        ),
        (lambda: kernels.Pairs(STARTS[:-1], ENDS, SIX, 0.0), "stand between"),
        (lambda: kernels.Pairs(STARTS, ENDS + 1, SIX, 0.0), "join points"),
        (
            lambda: kernels.CorrelationSearch(EMPTY_ROW, SIX, TWO, LABELS),
            "every point",
        ),
        (
            lambda: kernels.CorrelationSearch(PAIRS, FIVE, TWO, LABELS),
            "every point",
        ),
        (
            lambda: kernels.CorrelationSearch(PAIRS, SIX, TWO, LABELS + 2),
            "below",
        ),
    ],
)
def test_bad_sizes_are_refused(
    call: Callable[[], object], message: str
) -> None:
    """No index leaves an array."""
    with pytest.raises(ValueError, match=message):
        call()
