"""Algorithm 2 of the paper with scores from outside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ncc_routing import ParameterError, PointSet
from ncc_routing.clustering.objectives import inertia_of
from ncc_routing.paper.scored_kmeans import ScoredKMeans
from ncc_routing.paper.scored_params import ScoredKMeansParams
from ncc_routing.stop import TimeLimit

PAPER = ScoredKMeansParams(
    scaling="paper", assignment="cyclic", medoids="nearest"
)
"""The rules of the paper."""


class Parity:
    """Scores that want points of one parity together."""

    distance_weight = 0.1

    def log_odds(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Return 9 for the same parity, -9 for the other."""
        own = np.arange(listed.shape[1])
        same = (medoids[listed] + own) % 2 == 0
        return np.where(same, 9.0, -9.0).astype(np.float32)


class Nothing:
    """Scores that say nothing."""

    distance_weight = 1.0

    def log_odds(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Return zeros."""
        del medoids
        return np.zeros(listed.shape, dtype=np.float32)


def random_points(size: int, seed: int) -> PointSet:
    """Return points in the unit square, seven of mean weight in a load."""
    rng = np.random.default_rng(seed)
    return PointSet(rng.random((size, 2)), rng.integers(1, 10, size), 35)


def spread(points: PointSet) -> Any:
    """Return the inertia as a price."""
    return lambda labels, count: inertia_of(points.coords, labels, count)


@pytest.mark.parametrize("assignment", ["regret", "cyclic"])
def test_scores_decide_about_the_clusters(assignment: str) -> None:
    """Odd and even points in a row, though neighbours are nearer."""
    coords = np.column_stack([np.arange(6.0), np.zeros(6)])
    points = PointSet(coords, np.ones(6, dtype=np.int64), 3)
    params = ScoredKMeansParams(assignment=assignment, last_fraction=0.0)

    def mixed(labels: np.ndarray, count: int) -> float:
        odd = np.bincount(labels, np.arange(6) % 2, count)
        return float(np.minimum(odd, 3 - odd).sum())

    search = ScoredKMeans(points, Parity(), mixed, params)
    found = search.run(2, 2, np.random.default_rng(1))
    assert found is not None
    assert found.price == 0.0
    assert found.labels.tolist() in ([0, 1] * 3, [1, 0] * 3)


@pytest.mark.parametrize("is_sampled", [False, True])
@pytest.mark.parametrize("params", [ScoredKMeansParams(), PAPER])
@pytest.mark.parametrize("depot", [None, np.array([0.2, 0.9])])
def test_clusters_are_feasible_and_repeat(
    params: ScoredKMeansParams, is_sampled: bool, depot: np.ndarray | None
) -> None:
    """Every point within the capacity, the same answer for one seed."""
    points = random_points(90, 4)
    search = ScoredKMeans(
        *(points, Nothing(), spread(points), params),
        is_sampled=is_sampled,
        depot=depot,
    )
    one, other = (
        search.run(points.min_num_clusters, 90, np.random.default_rng(2))
        for _ in range(2)
    )
    assert one is not None
    assert other is not None
    np.testing.assert_array_equal(one.labels, other.labels)
    loads = np.bincount(one.labels, points.weights, one.num_clusters)
    assert loads.sum() == points.weights.sum()
    assert loads.max() <= points.capacity
    assert one.labels.min() >= 0
    expected = inertia_of(points.coords, one.labels, one.num_clusters)
    assert one.price == pytest.approx(expected)


def test_number_of_clusters_grows_until_all_fit() -> None:
    """Three points of two thirds of a load each need three clusters."""
    points = PointSet(np.eye(3)[:, :2], np.full(3, 2), 3)
    params = ScoredKMeansParams()
    search = ScoredKMeans(points, Nothing(), spread(points), params)
    found = search.run(2, 3, np.random.default_rng(1))
    assert found is not None
    assert found.num_clusters == 3
    assert search.run(2, 2, np.random.default_rng(1)) is None


@pytest.mark.parametrize("is_wider", [False, True])
def test_every_second_start_has_a_cluster_more(is_wider: bool) -> None:
    """Two are enough for six points; a third one only where it may be."""
    points = PointSet(np.eye(6)[:, :2], np.ones(6, dtype=np.int64), 3)
    seen: list[int] = []

    def note(_labels: np.ndarray, count: int) -> float:
        seen.append(count)
        return -float(count)

    params = ScoredKMeansParams(num_starts=4, has_wider_starts=is_wider)
    search = ScoredKMeans(points, Nothing(), note, params)
    for most, other in ((6, 3 if is_wider else 2), (2, 2)):
        seen.clear()
        found = search.run(2, most, np.random.default_rng(1))
        assert found is not None
        assert set(seen) == {2, other}
        assert found.num_clusters == other


def test_more_starts_are_no_worse_and_no_time_is_enough_for_one() -> None:
    """The best start counts; an expired clock ends after a round."""
    points = random_points(60, 9)
    prices = []
    for num_starts, seconds in ((1, None), (8, None), (8, 0.0)):
        params = ScoredKMeansParams(num_starts=num_starts)
        search = ScoredKMeans(points, Nothing(), spread(points), params)
        found = search.run(
            *(points.min_num_clusters, 60, np.random.default_rng(3)),
            deadline=TimeLimit(seconds),
        )
        assert found is not None
        prices.append(found.price)
    assert prices[1] <= prices[0] <= prices[2]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scaling", "none"),
        ("assignment", "sorted"),
        ("medoids", "means"),
        ("spare_share", 1.0),
    ],
)
def test_bad_parameters_are_refused(field: str, value: Any) -> None:
    """Unknown names and values out of range name themselves."""
    with pytest.raises(ParameterError, match=field):
        ScoredKMeansParams(**{field: value})
